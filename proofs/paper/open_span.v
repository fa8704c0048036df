(** The semantics halfway between the parallel and the heartbeat one, which the proof of theorem 3 goes through.

    It is the parallel semantics for machines whose stack may hold latent frames: such a frame counts as a fork that was
    made when it was pushed, so its right branch and what is left of its left branch are parallel. Only the span is
    kept, and with weights: [a] for a transition, [b] for the one that makes a pair of two results, [t] for a fork. *)

From Coq Require Import Arith List Lia.
From Takt Require Import paper.graph paper.machine paper.semantics paper.correct.
Import ListNotations.

Definition ends_pair (m : config) : Prop :=
  match m with (c_value _, f_pairr _ :: _) => True | _ => False end.

Inductive open_span (a b t : nat) : config -> value -> nat -> Prop :=
| O_VAL : forall v, open_span a b t (c_value v, []) v 0
| O_STEP : forall c k m' v s,
    has_latent k = false -> ~ is_pair c -> ~ ends_pair (c, k) ->
    step (c, k) m' -> open_span a b t m' v s -> open_span a b t (c, k) v (a + s)
| O_END : forall v1 v2 k v s,
    has_latent k = false ->
    open_span a b t (c_value (v_pair v1 v2), k) v s ->
    open_span a b t (c_value v2, f_pairr v1 :: k) v (b + s)
| O_PAIR : forall e1 e2 s k v1 v2 v s1 s2 s3,
    has_latent k = false ->
    open_span a b t (c_expr e1 s, []) v1 s1 ->
    open_span a b t (c_expr e2 s, []) v2 s2 ->
    open_span a b t (c_value (v_pair v1 v2), k) v s3 ->
    open_span a b t (c_expr (e_pair e1 e2) s, k) v (t + Nat.max s1 s2 + s3)
| O_LATENT : forall c k1 e2 s k2 v1 v2 v s1 s2 s3,
    has_latent k2 = false ->
    open_span a b t (c, k1) v1 s1 ->
    open_span a b t (c_expr e2 s, []) v2 s2 ->
    open_span a b t (c_value (v_pair v1 v2), k2) v s3 ->
    open_span a b t (c, k1 ++ f_pairl e2 s :: k2) v (t + Nat.max s1 s2 + s3).

Section weights.
Variables a b t : nat.
Notation ospan := (open_span a b t).

Lemma open_span_runs : forall m v s, ospan m v s -> exists len, runs m v len.
Proof.
  intros m v s H.
  induction H as [v | c k m' v s Hk Hp He Hs H [len IH] | v1 v2 k v s Hk H [len IH]
                 | e1 e2 s k v1 v2 v s1 s2 s3 Hk H1 [x IH1] H2 [y IH2] H3 [z IH3]
                 | c k1 e2 s k2 v1 v2 v s1 s2 s3 Hk H1 [x IH1] H2 [y IH2] H3 [z IH3]].
  - exists 0. constructor.
  - exists (S len). econstructor; eassumption.
  - exists (S len). econstructor; [constructor | eassumption].
  - exists (x + y + z + 3). apply runs_pair. exists v1, v2, x, y, z. auto.
  - exists (x + y + z + 2). apply runs_through_frame. exists v1, v2, x, y, z. auto.
Qed.

Lemma open_span_value : forall m v s v' len, ospan m v s -> runs m v' len -> v = v'.
Proof.
  intros m v s v' len H Hr. apply open_span_runs in H as [len' Hr'].
  destruct (runs_deterministic _ _ _ _ _ Hr' Hr) as [-> _]. reflexivity.
Qed.

(** A latent frame in the stack is only ever used by the last rule, for the oldest frame. *)
Lemma open_span_latent : forall c k1 e2 s k2 v x,
  has_latent k2 = false ->
  ospan (c, k1 ++ f_pairl e2 s :: k2) v x ->
  exists v1 v2 s1 s2 s3,
    ospan (c, k1) v1 s1 /\ ospan (c_expr e2 s, []) v2 s2 /\ ospan (c_value (v_pair v1 v2), k2) v s3 /\
    x = t + Nat.max s1 s2 + s3.
Proof.
  intros c k1 e2 s k2 v x Hk2 H.
  assert (has_latent (k1 ++ f_pairl e2 s :: k2) = true) as Hlatent.
  { rewrite has_latent_app. simpl. apply Bool.orb_true_r. }
  remember (c, k1 ++ f_pairl e2 s :: k2) as m eqn:Hm.
  destruct H as [v | c' k m' v x Hk Hp He Hs H | v1 v2 k v x Hk H
                | e1 e2' s' k v1 v2 v s1 s2 s3 Hk H1 H2 H3
                | c' k1' e2' s' k2' v1 v2 v s1 s2 s3 Hk H1 H2 H3].
  - injection Hm as _ Hm. destruct k1; discriminate.
  - injection Hm as _ ->. congruence.
  - injection Hm as _ Hm. rewrite <- Hm in Hlatent. simpl in Hlatent. congruence.
  - injection Hm as _ ->. congruence.
  - injection Hm as -> Hm.
    destruct (oldest_unique _ _ _ _ _ _ _ _ Hm Hk Hk2) as (-> & -> & -> & ->).
    exists v1, v2, s1, s2, s3. auto.
Qed.

(** The span of a run on a stack in two parts is the sum, if the lower one has no latent frame. *)
Lemma open_span_join : forall c k v1 s1 rest v s2,
  has_latent rest = false ->
  ospan (c, k) v1 s1 -> ospan (c_value v1, rest) v s2 -> ospan (c, k ++ rest) v (s1 + s2).
Proof.
  intros c k v1 s1 rest v s2 Hrest H. remember (c, k) as m eqn:Hm. revert c k Hm.
  induction H as [v1 | c' k' [c'' k''] v1 s Hk Hp He Hs H IH | u1 u2 k' v1 s Hk H IH
                 | e1 e2 s k' u1 u2 v1 x y z Hk H1 IH1 H2 IH2 H3 IH3
                 | c' k1 e2 s k2 u1 u2 v1 x y z Hk H1 IH1 H2 IH2 H3 IH3]; intros c k Hm Hv.
  - injection Hm as <- <-. exact Hv.
  - injection Hm as <- <-. replace (a + s + s2) with (a + (s + s2)) by lia.
    apply O_STEP with (m' := (c'', k'' ++ rest)).
    + rewrite has_latent_app, Hk, Hrest. reflexivity.
    + assumption.
    + destruct k' as [| f k]; [| exact He].
      simpl. intro Hend. destruct c' as [| w]; [contradiction |]. eapply no_step_from_result; eassumption.
    + apply step_below. assumption.
    + apply IH; auto.
  - injection Hm as <- <-. simpl. replace (b + s + s2) with (b + (s + s2)) by lia.
    apply O_END.
    + rewrite has_latent_app, Hk, Hrest. reflexivity.
    + apply IH; auto.
  - injection Hm as <- <-. replace (t + Nat.max x y + z + s2) with (t + Nat.max x y + (z + s2)) by lia.
    eapply O_PAIR; try eassumption.
    + rewrite has_latent_app, Hk, Hrest. reflexivity.
    + apply IH3; auto.
  - injection Hm as <- <-. rewrite <- app_assoc. simpl.
    replace (t + Nat.max x y + z + s2) with (t + Nat.max x y + (z + s2)) by lia.
    eapply O_LATENT; try eassumption.
    + rewrite has_latent_app, Hk, Hrest. reflexivity.
    + apply IH3; auto.
Qed.

(** Without latent frames, a step takes its weight from the span; the push of a frame takes nothing, as the frame
    counts as the fork that the pair was. *)
Lemma open_span_step_flat : forall c k m' v x,
  has_latent k = false -> step (c, k) m' -> ospan (c, k) v x ->
  exists y, ospan m' v y /\
    match c, k with
    | c_expr (e_pair _ _) _, _ => y = x
    | c_value _, f_pairr _ :: _ => b + y = x
    | _, _ => a + y = x
    end.
Proof.
  intros c k m' v x Hk Hs H.
  remember (c, k) as m eqn:Hm.
  destruct H as [v | c' k' m'' v x Hk' Hp He Hs' H | v1 v2 k' v x Hk' H
                | e1 e2 s k' v1 v2 v s1 s2 s3 Hk' H1 H2 H3
                | c' k1 e2 s k2 v1 v2 v s1 s2 s3 Hk' H1 H2 H3].
  - injection Hm as <- <-. exfalso. eapply no_step_from_result; eassumption.
  - injection Hm as -> ->.
    assert (m'' = m') as -> by (eapply step_deterministic; eassumption).
    exists x. split; [assumption |].
    destruct c as [[y | y e | e1 e2 | e1 e2] s | w]; try reflexivity.
    + exfalso. apply Hp. exact I.
    + destruct k as [| [e s | y e s | e s | w'] k]; try reflexivity. exfalso. apply He. exact I.
  - injection Hm as <- <-. inversion Hs; subst. exists x. auto.
  - injection Hm as <- <-. inversion Hs; subst. eexists. split.
    + eapply (O_LATENT a b t _ []); eassumption.
    + reflexivity.
  - injection Hm as <- <-. rewrite has_latent_app in Hk. simpl in Hk.
    rewrite Bool.orb_true_r in Hk. discriminate.
Qed.

(** No step makes the span larger. One that pops the last latent frame takes a whole fork from it, less the end of the
    pair, which is still to come. *)
Lemma open_span_step : b <= t -> forall len c k c' k' v x,
  runs (c, k) v len -> step (c, k) (c', k') -> ospan (c, k) v x ->
  exists y, ospan (c', k') v y /\ y <= x /\
    (has_latent k = true -> has_latent k' = false -> t + y <= b + x).
Proof.
  intros Hbt len. induction len as [len IH] using lt_wf_ind. intros c k c' k' v x Hr Hs H.
  destruct (has_latent k) eqn:Hk.
  - destruct (oldest_exists k Hk) as (k1 & e2 & s & k2 & -> & Hk2).
    apply open_span_latent in H as (v1 & v2 & s1 & s2 & s3 & H1 & H2 & H3 & ->); [| assumption].
    destruct (step_above _ _ _ _ Hs) as [(w & -> & ->) | (c'' & k1' & Heq & Hs1)].
    + (* the left branch is done *)
      simpl in Hs. inversion Hs; subst. inversion H1; subst; try contradiction.
      2: { exfalso. eapply no_step_from_result; eassumption. }
      2: { destruct k1; discriminate. }
      change (f_pairr v1 :: k2) with ([] ++ f_pairr v1 :: k2).
      exists (s2 + (b + s3)). split; [| simpl; split; intros; lia].
      apply open_span_join with (v1 := v2); [exact Hk2 | exact H2 |]. apply O_END; assumption.
    + (* a step inside the left branch *)
      injection Heq as -> ->.
      apply runs_through_frame in Hr as (w1 & w2 & n1 & n2 & n3 & Hr1 & Hr2 & Hr3 & ->).
      assert (v1 = w1) as -> by (eapply open_span_value; eassumption).
      destruct (IH n1 ltac:(lia) _ _ _ _ _ _ Hr1 Hs1 H1) as (y & Hy & Hle & _).
      exists (t + Nat.max y s2 + s3). split; [| split; [lia |]].
      * eapply O_LATENT; eassumption.
      * intros _ Hk'. rewrite has_latent_app in Hk'. simpl in Hk'. rewrite Bool.orb_true_r in Hk'. discriminate.
  - destruct (open_span_step_flat _ _ _ _ _ Hk Hs H) as (y & Hy & Hcase).
    exists y. split; [assumption |]. split; [| discriminate].
    destruct c as [[] |]; destruct k as [| []]; lia.
Qed.

End weights.

(** Without latent frames it is the parallel semantics. *)
Lemma par_open_span : forall tau m v g,
  has_latent (snd m) = false -> par m v g -> open_span 1 1 tau m v (span tau g).
Proof.
  intros tau m v g Hk H. revert Hk.
  induction H as [v | c k [c' k'] v g Hp Hs H IH
                 | e1 e2 s k v1 v2 v g1 g2 g3 H1 IH1 H2 IH2 H3 IH3]; intro Hk; simpl in Hk.
  - constructor.
  - assert (has_latent k' = false) as Hk'.
    { inversion Hs; subst; simpl in *; try congruence. exfalso. apply Hp. exact I. }
    specialize (IH Hk'). change (span tau (g_seq g_one g)) with (1 + span tau g).
    destruct c as [e s | w]; [| destruct k as [| [e s | y e s | e s | w'] k]].
    + eapply O_STEP; try eassumption; simpl; tauto.
    + exfalso. eapply no_step_from_result; eassumption.
    + eapply O_STEP; try eassumption; simpl; tauto.
    + eapply O_STEP; try eassumption; simpl; tauto.
    + discriminate.
    + inversion Hs; subst. apply O_END; assumption.
  - apply (O_PAIR 1 1 tau e1 e2 s k v1 v2 v); [assumption | exact (IH1 eq_refl) | exact (IH2 eq_refl) | exact (IH3 Hk)].
Qed.
