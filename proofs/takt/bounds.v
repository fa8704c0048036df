(** What takt's beats, loops and free code do to the bound on the span, as theorems about programs. *)

From Coq Require Import Arith List Lia.
From Takt Require Import time.weighted takt.program takt.machine takt.work takt.span.
Import ListNotations.

Section bounds.
Context {V : Type}.
Variables (one : V) (op : V -> V -> V).
Hypothesis op_assoc : forall x y z, op x (op y z) = op (op x y) z.
Hypothesis op_one_l : forall x, op one x = x.
Hypothesis op_one_r : forall x, op x one = x.

Notation runs := (runs one op).
Notation value := (value one op).
Notation cost := (cost one op).
Notation wspan := (wspan one op).
Notation span := (span one op).

(** Something that is a fork, or a loop of more than one iteration: it is at least one promotion long when parallel. *)
Definition is_construct (p : prog V) : Prop :=
  match p with
  | p_fork _ _ _ => True
  | p_loop _ count _ => 2 <= count
  | _ => False
  end.

(** All free code takes at most [c] ticks, and is a fork or loop, as nothing else need be free. *)
Fixpoint free_at_most (c : nat) (p : prog V) : Prop :=
  match p with
  | p_leaf _ _ => True
  | p_bind p q => free_at_most c p /\ match value p with ok v => free_at_most c (q v) | threw _ => True end
  | p_fork _ p q => free_at_most c p /\ free_at_most c q
  | p_loop _ _ body => forall i, free_at_most c (body i)
  | p_free p => cost p <= c /\ is_construct p
  end.

Lemma construct_span : forall t p, is_construct p -> t <= wspan t 1 false p.
Proof.
  intros t p H. destruct p as [w o | p q | f p q | first count body | p]; simpl in *; try contradiction.
  - lia.
  - unfold loop_span. assert (1 <= Nat.log2 count) by (apply (Nat.log2_le_mono 2); assumption). nia.
Qed.

(** Free code no longer than a fork's weight costs nothing. *)
Lemma free_span : forall t c p, c <= t -> free_at_most c p -> wspan t 1 true p <= wspan t 1 false p.
Proof.
  intros t c p Ht. induction p as [w o | p IHp q IHq | f p IHp q IHq | first count body IH | p IHp]; simpl; intro H.
  - lia.
  - destruct H as [Hp Hq]. specialize (IHp Hp). destruct (value p) as [v | e]; [specialize (IHq v Hq) |]; lia.
  - destruct H as [Hp Hq]. specialize (IHp Hp). specialize (IHq Hq). lia.
  - unfold loop_span.
    apply Nat.add_le_mono_l, Nat.mul_le_mono_l, range_max_monotone. intros i _. apply IH, H.
  - destruct H as [Hc Hp]. pose proof (construct_span t p Hp). lia.
Qed.

Lemma span_scale : forall tau t p, tau <= t -> tau * span t p <= t * span tau p.
Proof.
  unfold program.span.
  intros tau t p Ht. induction p as [w o | p IHp q IHq | f p IHp q IHq | first count body IH | p IHp]; simpl.
  - nia.
  - destruct (value p) as [v | e]; [specialize (IHq v) |]; nia.
  - nia.
  - unfold loop_span.
    pose proof (range_max_scale tau t (fun i => wspan t 1 false (body i)) (fun i => wspan tau 1 false (body i))
                  count first IH) as H.
    destruct count as [| count]; [simpl; nia |].
    replace (Nat.min 1 (S count)) with 1 by lia. rewrite !Nat.mul_1_l. nia.
  - assumption.
Qed.

(** *** The bound on the span

    Beats late by at most [d] make [hi = N + d]; a kept token is in [runs]; free code takes at most [c].

    Each fork, and each of the [log2 count] splits of a loop, on the longest path waits for [hi] at most: in place of
    tau it costs [tau + hi]. Free code changes nothing as long as it takes no more than that. *)
Theorem span_bound : forall tau lo hi c p n o g k n',
  free_at_most c p -> runs tau lo hi 1 (start p) n o g k n' ->
  s_span g <= span (Nat.max (tau + hi) c) p.
Proof.
  intros tau lo hi c p n o g k n' Hfree H.
  assert (tau + hi <= Nat.max (tau + hi) c) as Ht by lia.
  pose proof (span_of_runs one op op_assoc op_one_l op_one_r _ _ _ _ _ _ _ _ _ _ _ Ht H) as Hs.
  simpl in Hs. unfold open_span in Hs. simpl in Hs.
  pose proof (free_span (Nat.max (tau + hi) c) c p ltac:(lia) Hfree). unfold program.span. lia.
Qed.

(** The same as a factor: S <= (1 + max(N + d, c - tau)/tau) s. *)
Theorem span_bound_factor : forall tau lo hi c p n o g k n',
  free_at_most c p -> runs tau lo hi 1 (start p) n o g k n' ->
  tau * s_span g <= Nat.max (tau + hi) c * span tau p.
Proof.
  intros tau lo hi c p n o g k n' Hfree H.
  pose proof (span_bound _ _ _ _ _ _ _ _ _ _ Hfree H).
  pose proof (span_scale tau (Nat.max (tau + hi) c) p ltac:(lia)). nia.
Qed.

(** Beats noticed late by at most [d]: work as on time, span by [d] more for each fork. *)
Theorem late_beats : forall tau N d p n o g k n',
  free_at_most 0 p -> runs tau N (N + d) 1 (start p) n o g k n' ->
  N * s_total g <= (N + tau) * cost p + tau * n /\
  tau * s_span g <= (tau + N + d) * span tau p.
Proof.
  intros tau N d p n o g k n' Hfree H. split.
  - apply (work_bound one op op_assoc op_one_l op_one_r _ _ _ _ _ _ _ _ _ _ H).
  - pose proof (span_bound_factor _ _ _ _ _ _ _ _ _ _ Hfree H) as Hs.
    replace (Nat.max (tau + (N + d)) 0) with (tau + N + d) in Hs by lia. assumption.
Qed.

(** With what loops claim: an iteration may have up to [most - 1] others before it that nobody can take. *)
Theorem span_bound_of_claims : forall tau lo hi most p n o g k n',
  runs tau lo hi most (start p) n o g k n' ->
  s_span g <= wspan (tau + hi) most true p.
Proof.
  intros tau lo hi most p n o g k n' H.
  pose proof (span_of_runs one op op_assoc op_one_l op_one_r _ _ _ _ _ _ _ _ _ _ _ (Nat.le_refl (tau + hi)) H) as Hs.
  simpl in Hs. unfold open_span in Hs. simpl in Hs. lia.
Qed.

(** A run that promotes all it can at once ([hi = 0]) has a span of at most s: [span] is that of the parallel program. *)
Theorem parallel_span : forall tau lo p n o g k n',
  free_at_most 0 p -> runs tau lo 0 1 (start p) n o g k n' -> s_span g <= span tau p.
Proof.
  intros tau lo p n o g k n' Hfree H. pose proof (span_bound _ _ _ _ _ _ _ _ _ _ Hfree H) as Hs.
  replace (Nat.max (tau + 0) 0) with tau in Hs by lia. assumption.
Qed.

(** *** Time on P processors *)
Theorem time_of_run : forall tau N d P p n o g k n' T, P > 0 ->
  free_at_most 0 p -> runs tau N (N + d) 1 (start p) n o g k n' -> greedy P g T ->
  P * N * tau * T <= tau * ((N + tau) * cost p + tau * n) + P * N * ((tau + N + d) * span tau p).
Proof.
  intros tau N d P p n o g k n' T HP Hfree H HT.
  destruct (late_beats _ _ _ _ _ _ _ _ _ Hfree H) as [Hw Hs].
  apply greedy_bound_usual in HT; [| assumption].
  apply Nat.le_trans with (N * tau * (s_total g + P * s_span g)).
  - replace (P * N * tau * T) with (N * tau * (P * T)) by ring. apply Nat.mul_le_mono_l. assumption.
  - replace (N * tau * (s_total g + P * s_span g))
      with (tau * (N * s_total g) + P * N * (tau * s_span g)) by ring.
    apply Nat.add_le_mono; apply Nat.mul_le_mono_l; assumption.
Qed.

(** *** Lazy beats

    With [lazy] a beat waits while what was promoted before has not been taken. If everything is taken within [d] of its
    promotion, the next promotion comes within max(N, d) of the last one, and the bound holds with that for N. If nobody
    takes anything there is no such number: the bound on the work holds, that on the span does not ([lazy_has_no_span],
    in examples.v). *)
Theorem lazy_beats : forall tau N d p n o g k n',
  free_at_most 0 p -> runs tau N (Nat.max N d) 1 (start p) n o g k n' ->
  N * s_total g <= (N + tau) * cost p + tau * n /\
  tau * s_span g <= (tau + Nat.max N d) * span tau p.
Proof.
  intros tau N d p n o g k n' Hfree H. split.
  - apply (work_bound one op op_assoc op_one_l op_one_r _ _ _ _ _ _ _ _ _ _ H).
  - pose proof (span_bound_factor _ _ _ _ _ _ _ _ _ _ Hfree H) as Hs.
    replace (Nat.max (tau + Nat.max N d) 0) with (tau + Nat.max N d) in Hs by lia. assumption.
Qed.

End bounds.
