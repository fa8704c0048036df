(** Why the oldest frame: a scheduler that promotes the newest one has no bound on the span. *)

From Coq Require Import Arith List Lia.
From Takt Require Import time.weighted takt.program takt.machine takt.work takt.examples.
Import ListNotations.

(** As [runs], for programs of serial code and forks, but that a promotion takes the newest latent frame. *)
Inductive newest (tau lo hi : nat) : config -> nat -> outcome unit -> sp -> nat -> Prop :=
| N_DONE : forall o n, newest tau lo hi (c_ret o, []) n o (s_work 0) 0
| N_MOVE : forall m m' n o g p,
    moves 1 m m' -> newest tau lo hi m' n o g p -> newest tau lo hi m n o g p
| N_TICK : forall c k m' n o g p,
    n < hi \/ has_latent k = false ->
    ticks (c, k) m' ->
    newest tau lo hi m' (n + 1) o g p ->
    newest tau lo hi (c, k) n o (s_seq (s_work 1) g) p
| N_FORK : forall c k1 f q k2 n o1 g1 p1 o2 g2 p2 o g3 p3,
    lo <= n ->
    has_latent k1 = false ->
    newest tau lo hi (c, k1) 0 o1 g1 p1 ->
    newest tau lo hi (c_run q, []) 0 o2 g2 p2 ->
    newest tau lo hi (c_ret (both f o1 o2), k2) 0 o g3 p3 ->
    newest tau lo hi (c, k1 ++ f_left f q :: k2) n o
      (s_seq (s_seq (s_work tau) (s_par g1 g2)) g3) (1 + p1 + p2 + p3).

Lemma newest_leaf : forall tau lo hi w v out k n o g p,
  n + w <= hi ->
  newest tau lo hi (c_run (p_leaf v out), k) (n + w) o g p ->
  newest tau lo hi (c_run (p_leaf (w + v) out), k) n o (after w g) p.
Proof.
  intros tau lo hi w. induction w as [| w IH]; intros v out k n o g p Hn H; simpl.
  - rewrite Nat.add_0_r in H. exact H.
  - eapply N_TICK; [left; lia | constructor |].
    apply IH; [lia |]. replace (n + 1 + w) with (n + S w) by lia. exact H.
Qed.

(** A step: a fork whose left branch takes a whole beat, so that it is the one to be promoted. *)
Fixpoint steps (N r : nat) : uprog :=
  match r with 0 => leaf 0 | S r => p_bind (fork (leaf N) (leaf 0)) (fun _ => steps N r) end.

(** A ladder: each rung has a fork; steps on its left, all other rungs on its right. The outer forks, which hold the
    rungs, are older than those of the steps and are never promoted. *)
Fixpoint ladder (N r d : nat) : uprog :=
  match d with 0 => leaf 0 | S d => fork (steps N r) (ladder N r d) end.

Lemma newest_steps : forall tau N r k o g p,
  newest tau N N (c_ret (ok tt), k) 0 o g p ->
  exists g', newest tau N N (c_run (steps N r), k) 0 o g' (r + p) /\ s_span g' = r * (N + tau) + s_span g.
Proof.
  intros tau N r k o g p H. induction r as [| r (g' & IH & Hs)].
  - exists g. split; [| reflexivity]. eapply N_MOVE; [constructor | exact H].
  - exists (after N (s_seq (s_seq (s_work tau) (s_par (s_work 0) (s_work 0))) g')). split.
    + eapply N_MOVE; [constructor |]. eapply N_MOVE; [constructor |].
      replace (leaf N) with (p_leaf (N + 0) (ok tt)) by (rewrite Nat.add_0_r; reflexivity).
      apply newest_leaf; [lia |].
      apply (N_FORK tau N N (c_run (leaf 0)) [] unit_op (leaf 0) _ _ (ok tt) (s_work 0) 0 (ok tt) (s_work 0) 0 o g' (r + p)).
      * lia.
      * reflexivity.
      * eapply N_MOVE; constructor.
      * eapply N_MOVE; constructor.
      * eapply N_MOVE; [apply (m_then tt unit_op) | exact IH].
    + rewrite after_span. cbn [s_span]. rewrite Hs. simpl. lia.
Qed.

Lemma newest_ladder : forall tau N r d k o g p,
  newest tau N N (c_ret (ok tt), k) 0 o g p ->
  exists g', newest tau N N (c_run (ladder N r d), k) 0 o g' (d * r + p) /\
             s_span g' = d * (r * (N + tau)) + s_span g.
Proof.
  intros tau N r d. induction d as [| d IH]; intros k o g p H.
  - exists g. split; [| reflexivity]. eapply N_MOVE; [constructor | exact H].
  - destruct (IH (f_right unit_op (ok tt) :: k) o g p) as (g1 & H1 & S1).
    { eapply N_MOVE; [constructor |]. exact H. }
    destruct (newest_steps tau N r (f_left unit_op (ladder N r d) :: k) o g1 (d * r + p)) as (g2 & H2 & S2).
    { eapply N_MOVE; [constructor |]. exact H1. }
    exists g2. split; [| simpl; lia].
    eapply N_MOVE; [constructor |]. replace (S d * r + p) with (r + (d * r + p)) by (simpl; lia). exact H2.
Qed.

Lemma steps_span : forall tau N r, span tau (steps N r) = r * (tau + N).
Proof.
  unfold program.span. intros tau N r. induction r as [| r IH]; [reflexivity |].
  cbn [steps wspan value both unit_op]. unfold both. rewrite IH. simpl. lia.
Qed.

Lemma ladder_span : forall tau N r d, span tau (ladder N r d) <= d * tau + r * (tau + N).
Proof.
  intros tau N r d. pose proof (steps_span tau N r) as Hs. unfold program.span in *.
  induction d as [| d IH]; [simpl; lia |].
  cbn [ladder wspan]. rewrite Hs. simpl. lia.
Qed.

(** For every factor there is a program, and a run that promotes the newest frame at each beat, whose span is more than
    that factor times the bound of theorem 3. *)
Theorem newest_first_has_no_bound : forall factor tau N, tau > 0 -> exists p g k,
  newest tau N N (start p) 0 (ok tt) g k /\
  tau * s_span g > factor * ((tau + N) * span tau p).
Proof.
  intros factor tau N Htau. set (d := factor * (2 * tau + N) + 1).
  destruct (newest_ladder tau N d d [] (ok tt) (s_work 0) 0 (N_DONE _ _ _ _ _)) as (g & Hrun & Hspan).
  exists (ladder N d d), g, (d * d + 0). split; [exact Hrun |].
  rewrite Hspan. pose proof (ladder_span tau N d d) as Hl.
  apply Nat.le_lt_trans with (factor * ((tau + N) * (d * tau + d * (tau + N)))).
  - apply Nat.mul_le_mono_l, Nat.mul_le_mono_l. exact Hl.
  - replace (factor * ((tau + N) * (d * tau + d * (tau + N))))
      with ((d * (tau + N)) * (factor * (2 * tau + N))) by ring.
    replace (tau * (d * (d * (N + tau)) + s_span (s_work 0))) with ((d * (tau + N)) * (tau * d)) by (simpl; ring).
    apply Nat.mul_lt_mono_pos_l; [unfold d; nia |]. unfold d. nia.
Qed.
