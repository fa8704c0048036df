(** The time of a heartbeat run on P processors: the bounds on work and span, composed with any greedy schedule. *)

From Coq Require Import Arith List Lia.
From Takt Require Import paper.graph paper.machine paper.semantics paper.correct paper.work paper.span time.weighted.

(** A cost graph of the paper with its weights: a fork is tau units, then both branches. *)
Fixpoint weighted (tau : nat) (g : graph) : sp :=
  match g with
  | g_zero => s_work 0
  | g_one => s_work 1
  | g_seq a b => s_seq (weighted tau a) (weighted tau b)
  | g_par a b => s_seq (s_work tau) (s_par (weighted tau a) (weighted tau b))
  end.

Lemma weighted_total : forall tau g, s_total (weighted tau g) = work tau g.
Proof.
  intros tau g. induction g as [| | a IHa b IHb | a IHa b IHb]; simpl; lia.
Qed.

Lemma weighted_span : forall tau g, s_span (weighted tau g) = span tau g.
Proof.
  intros tau g. induction g as [| | a IHa b IHb | a IHa b IHb]; simpl; lia.
Qed.

(** T <= (1 + tau/N) w/P + (1 + N/tau) s, multiplied by P, N and tau, for every greedy schedule of the run. *)
Theorem time_bound : forall tau N P, tau > 0 -> N > 0 -> P > 0 -> forall m v gs gp gh T,
  ~ promotable (snd m) -> seq m v gs -> par m v gp -> hb N m 0 v gh ->
  greedy P (weighted tau gh) T ->
  P * N * tau * T <= tau * (N + tau) * work tau gs + P * N * (tau + N) * span tau gp.
Proof.
  intros tau N P Htau HN HP m v gs gp gh T Hk Hs Hp Hh HT.
  destruct (theorem_2_of_the_run tau N _ _ _ _ _ Hs Hh) as [_ Hw].
  destruct (theorem_3_of_the_run tau N Htau HN _ _ _ _ _ Hk Hp Hh) as (_ & _ & Hspan).
  apply greedy_bound_usual in HT; [| assumption].
  rewrite weighted_total, weighted_span in HT.
  replace (P * N * tau * T) with (N * tau * (P * T)) by ring.
  apply Nat.le_trans with (N * tau * (work tau gh + P * span tau gh)).
  - apply Nat.mul_le_mono_l. assumption.
  - replace (N * tau * (work tau gh + P * span tau gh))
      with (tau * (N * work tau gh) + P * N * (tau * span tau gh)) by ring.
    replace (tau * (N + tau) * work tau gs) with (tau * ((N + tau) * work tau gs)) by ring.
    replace (P * N * (tau + N) * span tau gp) with (P * N * ((tau + N) * span tau gp)) by ring.
    apply Nat.add_le_mono; apply Nat.mul_le_mono_l; assumption.
Qed.
