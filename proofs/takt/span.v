(** The span of takt's runs: beats late by a known time, loops, free code. *)

From Coq Require Import Arith List Lia.
From Takt Require Import time.weighted takt.program takt.machine takt.work.
Import ListNotations.

Section span.
Context {V : Type}.
Variables (one : V) (op : V -> V -> V).
Hypothesis op_assoc : forall x y z, op x (op y z) = op (op x y) z.
Hypothesis op_one_l : forall x, op one x = x.
Hypothesis op_one_r : forall x, op x one = x.

Notation runs := (runs one op).
Notation moves := (moves one op).
Notation stack_value := (stack_value one op).

(** *** The span of what a machine has still to do

    As in the proof of the paper's theorem 3: latent frames count as forks that were made when they were pushed. *)
Section open.
Variables (t most : nat).
Notation wspan := (wspan one op t most true).

Definition code_span (c : code (V := V)) : nat :=
  match c with c_run p => wspan p | c_free w _ => w | c_ret _ => 0 end.

(** What a loop has claimed comes one after the other. *)
Definition frame_span (f : frame (V := V)) (s : nat) (o : outcome V) : nat :=
  match f with
  | f_bind q => s + match o with ok v => wspan (q v) | threw _ => 0 end
  | f_left _ q => t + Nat.max s (wspan q)
  | f_right _ _ => s
  | f_loop _ i j 0 b => s + range_cost (fun x => wspan (b x)) i j
  | f_loop _ i j (S r) b =>
      t * Nat.log2 (S (S r)) +
      Nat.max (s + range_cost (fun x => wspan (b x)) i j)
        (Nat.min most (S r) * range_max (fun x => wspan (b x)) (i + j) (S r))
  end.

Fixpoint stack_span (k : stack (V := V)) (s : nat) (o : outcome V) : nat :=
  match k with [] => s | f :: k => stack_span k (frame_span f s o) (frame_value one op f o) end.

Definition open_span (m : config (V := V)) : nat := stack_span (snd m) (code_span (fst m)) (code_value one op (fst m)).

Lemma stack_span_app : forall k1 k2 s o,
  stack_span (k1 ++ k2) s o = stack_span k2 (stack_span k1 s o) (stack_value k1 o).
Proof. intro k1. induction k1 as [| f k1 IH]; intros k2 s o; simpl; [reflexivity | apply IH]. Qed.

Lemma frame_span_monotone : forall f s s' o, s <= s' -> frame_span f s o <= frame_span f s' o.
Proof. intros f s s' o H. destruct f as [q | f q | f o1 | acc i j [| r] b]; cbn [frame_span]; lia. Qed.

Lemma stack_span_monotone : forall k s s' o, s <= s' -> stack_span k s o <= stack_span k s' o.
Proof.
  intro k. induction k as [| f k IH]; intros s s' o H; simpl; [assumption |].
  apply IH, frame_span_monotone, H.
Qed.

(** Without latent frames everything comes one after the other. *)
Lemma stack_span_flat : forall k s d o, has_latent k = false -> stack_span k (d + s) o = d + stack_span k s o.
Proof.
  intro k. induction k as [| f k IH]; intros s d o H; simpl; [reflexivity |].
  simpl in H. apply Bool.orb_false_iff in H as [Hf Hk].
  destruct f as [q | f q | f o1 | acc i j [| r] b]; try discriminate; simpl;
    try rewrite <- Nat.add_assoc; apply IH; assumption.
Qed.

Lemma log2_half : forall h r, h + h <= S (S r) -> h > 0 -> 1 + Nat.log2 h <= Nat.log2 (S (S r)).
Proof.
  intros h r H Hh. pose proof (Nat.log2_double h Hh) as E.
  pose proof (Nat.log2_le_mono (2 * h) (S (S r)) ltac:(lia)). lia.
Qed.

(** A tick takes one from the span, or nothing where its code is not on the longest path. *)
Lemma ticks_span : forall c k m', ticks (c, k) m' ->
  open_span m' <= open_span (c, k) /\ snd m' = k /\
  (has_latent k = false -> open_span m' + 1 <= open_span (c, k)).
Proof.
  intros c k m' H. unfold open_span. inversion H; subst; simpl; (split; [| split; [reflexivity |]]).
  - apply stack_span_monotone. lia.
  - intro Hk. change (S w) with (1 + w). rewrite stack_span_flat by assumption. lia.
  - apply stack_span_monotone. lia.
  - intro Hk. change (S w) with (1 + w). rewrite stack_span_flat by assumption. lia.
Qed.

(** Claims, and what they leave: at most [most] of the longest iterations one after the other. *)
Lemma claimed_span : forall f i j r, j < most ->
  f i + range_cost f (S i) j <= Nat.min most (S (j + r)) * range_max f i (S (j + r)) /\
  Nat.min most r * range_max f (S i + j) r <= Nat.min most (S (j + r)) * range_max f i (S (j + r)).
Proof.
  intros f i j r Hj. replace (S (j + r)) with (S j + r) by lia. rewrite range_max_split. split.
  - pose proof (range_cost_at_most f (S j) i) as H. simpl in *. nia.
  - replace (S i + j) with (i + S j) by lia.
    apply Nat.le_trans with (Nat.min most (S j + r) * range_max f (i + S j) r); [| nia].
    apply Nat.mul_le_mono_r. lia.
Qed.

(** What takes no time makes no span longer. Where it pops or uses up the last latent frame, it takes a fork from it. *)
Lemma moves_span : forall m m', moves most m m' ->
  open_span m' <= open_span m /\
  (has_latent (snd m) = true -> has_latent (snd m') = false -> t + open_span m' <= open_span m).
Proof.
  intros m m' H. unfold open_span.
  inversion H as [o k | p q k | v q k | e q k | f p q k | o f q k | o o1 f k | i b k | i j r b k Hj
                 | o acc i j r b k | o acc i j r b k Hj | o acc i b k | p k | o k]; subst;
    cbn [fst snd code_span code_value stack_span].
  - simpl. split; [reflexivity | congruence].
  - simpl. split; [reflexivity | congruence].
  - simpl. split; [apply stack_span_monotone; lia | congruence].
  - simpl. split; [apply stack_span_monotone; lia | congruence].
  - (* a fork *)
    simpl. split; [reflexivity | discriminate].
  - (* the end of a left branch *)
    simpl. split; [apply stack_span_monotone; lia |].
    intros _ Hk. rewrite <- stack_span_flat by assumption. apply stack_span_monotone. lia.
  - simpl. split; [reflexivity | congruence].
  - (* a loop of no iteration *)
    simpl. unfold loop_span. split; [apply stack_span_monotone; lia | congruence].
  - (* a loop begins *)
    cbn [frame_value]. rewrite (both_one_l one op op_one_l).
    change (both op (value one op (b i)) (range_value one op (fun x => value one op (b x)) (S i) (j + r)))
      with (value one op (p_loop i (S (j + r)) b)).
    cbn [wspan]. unfold loop_span.
    destruct (claimed_span (fun x => wspan (b x)) i j r Hj) as [C1 C2].
    destruct r as [| r]; cbn [frame_span].
    + split; [apply stack_span_monotone; lia |]. simpl. congruence.
    + split; [| discriminate]. apply stack_span_monotone.
      assert (Nat.log2 (S (S r)) <= Nat.log2 (S (j + S r))) by (apply Nat.log2_le_mono; lia).
      apply Nat.add_le_mono; [nia | lia].
  - (* an iteration that was claimed *)
    cbn [frame_value Nat.add range_value]. rewrite (both_assoc op op_assoc).
    destruct r as [| r]; cbn [frame_span range_cost].
    + split; [apply stack_span_monotone; lia |]. simpl. congruence.
    + replace (i + S j) with (S i + j) by lia.
      split; [apply stack_span_monotone; lia | discriminate].
  - (* claims *)
    cbn [frame_value Nat.add range_value]. rewrite (both_assoc op op_assoc).
    destruct (claimed_span (fun x => wspan (b x)) i j r Hj) as [C1 C2].
    destruct r as [| r]; cbn [frame_span range_cost]; rewrite (Nat.add_0_r i).
    + assert (1 <= Nat.log2 (S (S (j + 0)))) as Hlog by (apply (Nat.log2_le_mono 2); lia).
      split; [apply stack_span_monotone; nia |]. intros _ Hk.
      rewrite <- stack_span_flat by assumption. apply stack_span_monotone. nia.
    + split; [| discriminate]. apply stack_span_monotone.
      assert (Nat.log2 (S (S r)) <= Nat.log2 (S (S (j + S r)))) by (apply Nat.log2_le_mono; lia).
      apply Nat.add_le_mono; [nia | lia].
  - (* the last one is done *)
    cbn [frame_value Nat.add range_value frame_span range_cost].
    rewrite (both_one_r one op op_one_r). simpl. split; [reflexivity | congruence].
  - simpl. split; [reflexivity | congruence].
  - simpl. split; [reflexivity | congruence].
Qed.

(** A promoted loop: what the worker keeps, and the two halves. *)
Lemma promoted_loop_span : forall acc i j h1 h2 r b s o,
  h1 + h2 = S r -> h1 <= h2 + 1 -> h2 <= h1 + 1 ->
  t + Nat.max (frame_span (f_loop acc i j 0 b) s o)
        (Nat.max (wspan (p_loop (i + j) h1 b)) (wspan (p_loop (i + j + h1) h2 b)))
  <= frame_span (f_loop acc i j (S r) b) s o.
Proof.
  intros acc i j h1 h2 r b s o Hh Hh1 Hh2.
  cbn [frame_span wspan]. unfold loop_span. rewrite <- Hh, range_max_split.
  set (m1 := range_max _ (i + j) h1). set (m2 := range_max _ (i + j + h1) h2).
  set (s' := s + _).
  assert (t + t * Nat.log2 h1 <= t * Nat.log2 (S (h1 + h2))) as L1.
  { destruct h1 as [| h]; [assert (h2 = 1) as -> by lia; change (t + t * 0 <= t * 1); lia |].
    pose proof (log2_half (S h) r ltac:(lia) ltac:(lia)). rewrite Hh. nia. }
  assert (t + t * Nat.log2 h2 <= t * Nat.log2 (S (h1 + h2))) as L2.
  { destruct h2 as [| h]; [assert (h1 = 1) as -> by lia; change (t + t * 0 <= t * 1); lia |].
    pose proof (log2_half (S h) r ltac:(lia) ltac:(lia)). rewrite Hh. nia. }
  assert (Nat.min most h1 * m1 <= Nat.min most (h1 + h2) * Nat.max m1 m2) as M1
    by (apply Nat.mul_le_mono; lia).
  assert (Nat.min most h2 * m2 <= Nat.min most (h1 + h2) * Nat.max m1 m2) as M2
    by (apply Nat.mul_le_mono; lia).
  lia.
Qed.

End open.

(** *** The bound

    With a fork weighing [tau + hi], or more, the open span pays for the run, and for the credits while a frame is
    latent. *)
Lemma span_of_runs : forall tau lo hi most t m n o g p n',
  tau + hi <= t ->
  runs tau lo hi most m n o g p n' ->
  s_span g + (if has_latent (snd m) then Nat.min n hi else 0) <= open_span t most m.
Proof.
  intros tau lo hi most t m n o g p n' Ht H.
  induction H as [o n | m m' n o g p n' Hm H IH | c k m' n o g p n' Hn Htick H IH
    | c k1 f q k2 n o1 g1 p1 n1' n2 o2 g2 p2 n2' n3 o g3 p3 n3' n' Hn Hk H1 IH1 H2 IH2 H3 IH3 Hc1 Hc2 Hc3
    | c k1 acc i j r b k2 h1 h2 n o1 g1 p1 n1' n2 o2 g2 p2 n2' n3 o3 g3 p3 n3' n4 o g4 p4 n4' n'
        Hn Hk Hh Hh1 Hh2 H1 IH1 H2 IH2 H3 IH3 H4 IH4 Hc1 Hc2 Hc3 Hc4].
  - simpl. lia.
  - destruct (moves_span t most _ _ Hm) as [Hle Hpop].
    destruct (has_latent (snd m)) eqn:Hk; destruct (has_latent (snd m')) eqn:Hk'.
    + lia.
    + (* the fork whose frame is popped pays for the credits *)
      specialize (Hpop eq_refl eq_refl). lia.
    + lia.
    + lia.
  - destruct (ticks_span t most _ _ _ Htick) as (Hle & Hk' & Hflat).
    simpl in *. rewrite Hk' in IH. destruct (has_latent k) eqn:Hk.
    + (* paid by the credit that it adds *)
      destruct Hn as [Hn | Hn]; [| discriminate]. lia.
    + specialize (Hflat eq_refl). lia.
  - pose proof (outcome_of_runs one op op_assoc op_one_l op_one_r _ _ _ _ _ _ _ _ _ _ H1) as V1.
    pose proof (outcome_of_runs one op op_assoc op_one_l op_one_r _ _ _ _ _ _ _ _ _ _ H2) as V2.
    unfold config_value, open_span in *. simpl in *. subst o1 o2.
    rewrite has_latent_app, stack_span_app. simpl. rewrite Bool.orb_true_r.
    rewrite Hk in IH3. simpl in IH3.
    set (s1 := stack_span t most k1 _ _) in *. set (s2 := wspan one op t most true q) in *.
    pose proof (stack_span_flat t most k2 0 (t + Nat.max s1 s2) (both f (stack_value k1 (code_value one op c))
      (value one op q)) Hk) as Hflat.
    rewrite Nat.add_0_r in Hflat. lia.
  - pose proof (outcome_of_runs one op op_assoc op_one_l op_one_r _ _ _ _ _ _ _ _ _ _ H1) as V1.
    pose proof (outcome_of_runs one op op_assoc op_one_l op_one_r _ _ _ _ _ _ _ _ _ _ H2) as V2.
    pose proof (outcome_of_runs one op op_assoc op_one_l op_one_r _ _ _ _ _ _ _ _ _ _ H3) as V3.
    unfold config_value, open_span in *. subst o1 o2 o3.
    cbn [fst snd code_span code_value machine.stack_value] in *.
    rewrite has_latent_app, stack_span_app. cbn [has_latent existsb is_latent orb].
    rewrite Bool.orb_true_r. rewrite stack_span_app in IH1. rewrite stack_value_app in IH4.
    rewrite Hk in IH4. cbn [stack_span machine.stack_value] in *.
    set (o1 := stack_value k1 (code_value one op c)) in *.
    rewrite (promoted_loop_value one op op_assoc op_one_l acc i j h1 h2 r b o1 Hh) in IH4.
    set (s1 := stack_span t most k1 _ _) in *.
    pose proof (promoted_loop_span t most acc i j h1 h2 r b s1 o1 Hh Hh1 Hh2) as Hspan.
    set (s2 := frame_span t most (f_loop acc i j (S r) b) s1 o1) in *.
    set (o' := frame_value one op (f_loop acc i j (S r) b) o1) in *.
    pose proof (stack_span_flat t most k2 0 s2 o' Hk) as Hflat. rewrite Nat.add_0_r in Hflat.
    cbn [s_span] in *. simpl has_latent in *. cbn [wspan] in *. lia.
Qed.

End span.
