(** Programs as takt runs them: serial code with results and exceptions, forks, loops with reductions, and free code.

    Serial code takes ticks; a fork or loop as such takes none, so their cost is part of the code around them. *)

From Coq Require Import Arith List Lia.
Import ListNotations.

Section programs.
(** Results; [one] and [op] are what loops combine their iterations' results with. *)
Context {V : Type}.
Variables (one : V) (op : V -> V -> V).

(** What a computation ends with: a result, or an exception. *)
Inductive outcome : Type :=
| ok : V -> outcome
| threw : nat -> outcome.

(** takt's rule: all branches end, then the first exception in serial order is thrown. *)
Definition both (f : V -> V -> V) (a b : outcome) : outcome :=
  match a, b with
  | ok x, ok y => ok (f x y)
  | threw e, _ => threw e
  | ok _, threw e => threw e
  end.

Inductive prog : Type :=
| p_leaf : nat -> outcome -> prog                    (* so many ticks of serial code *)
| p_bind : prog -> (V -> prog) -> prog               (* what comes next may depend on the result; not after a throw *)
| p_fork : (V -> V -> V) -> prog -> prog -> prog     (* two branches, and what becomes of their results *)
| p_loop : nat -> nat -> (nat -> prog) -> prog       (* iterations first, first + 1, ...: so many *)
| p_free : prog -> prog.                             (* forks and loops in here push no frame *)

(** *** The serial program *)

Section ranges.
(** Sums, combinations and maxima over iterations [first], [first + 1], ... *)
Variables (cost : nat -> nat) (value : nat -> outcome).

Fixpoint range_cost (first count : nat) : nat :=
  match count with
  | 0 => 0
  | S rest => cost first + range_cost (S first) rest
  end.

Fixpoint range_max (first count : nat) : nat :=
  match count with
  | 0 => 0
  | S rest => Nat.max (cost first) (range_max (S first) rest)
  end.

Fixpoint range_value (first count : nat) : outcome :=
  match count with
  | 0 => ok one
  | S rest => both op (value first) (range_value (S first) rest)
  end.
End ranges.

(** The outcome: that of the serial elision. *)
Fixpoint value (p : prog) : outcome :=
  match p with
  | p_leaf _ o => o
  | p_bind p q => match value p with ok v => value (q v) | threw e => threw e end
  | p_fork f p q => both f (value p) (value q)
  | p_loop first count body => range_value (fun i => value (body i)) first count
  | p_free p => value p
  end.

(** The serial cost w. *)
Fixpoint cost (p : prog) : nat :=
  match p with
  | p_leaf w _ => w
  | p_bind p q => cost p + match value p with ok v => cost (q v) | threw _ => 0 end
  | p_fork _ p q => cost p + cost q
  | p_loop first count body => range_cost (fun i => cost (body i)) first count
  | p_free p => cost p
  end.

(** *** The fully parallel program *)

(** The span s, where a tick weighs one and a fork, or a split of a loop, [t]. A loop is split until each iteration is on
    its own: [log2 count] splits deep.

    Two numbers are about runs that are not fully parallel: [most] is how many iterations are taken at a time, 1 if they
    are taken one by one; and where [free] is true, free code counts as what it is, serial. *)
Section weights.
Variables (t most : nat) (free : bool).

Definition loop_span (body : nat -> nat) (first count : nat) : nat :=
  t * Nat.log2 count + Nat.min most count * range_max body first count.

Fixpoint wspan (p : prog) : nat :=
  match p with
  | p_leaf w _ => w
  | p_bind p q => wspan p + match value p with ok v => wspan (q v) | threw _ => 0 end
  | p_fork _ p q => t + Nat.max (wspan p) (wspan q)
  | p_loop first count body => loop_span (fun i => wspan (body i)) first count
  | p_free p => if free then cost p else wspan p
  end.
End weights.

Definition span (tau : nat) (p : prog) : nat := wspan tau 1 false p.

(** *** What the proofs need of ranges *)

Lemma range_cost_split : forall c m n first,
  range_cost c first (m + n) = range_cost c first m + range_cost c (first + m) n.
Proof.
  intros c m. induction m as [| m IH]; intros n first; simpl.
  - rewrite Nat.add_0_r. reflexivity.
  - rewrite IH. replace (S first + m) with (first + S m) by lia. lia.
Qed.

Lemma range_max_split : forall c m n first,
  range_max c first (m + n) = Nat.max (range_max c first m) (range_max c (first + m) n).
Proof.
  intros c m. induction m as [| m IH]; intros n first; simpl.
  - rewrite Nat.add_0_r. reflexivity.
  - rewrite IH. replace (S first + m) with (first + S m) by lia. lia.
Qed.

Lemma range_cost_at_most : forall c n first, range_cost c first n <= n * range_max c first n.
Proof.
  intros c n. induction n as [| n IH]; intro first; simpl; [lia |].
  specialize (IH (S first)). nia.
Qed.

Lemma range_max_monotone : forall c c' n first,
  (forall i, first <= i < first + n -> c i <= c' i) -> range_max c first n <= range_max c' first n.
Proof.
  intros c c' n. induction n as [| n IH]; intros first H; simpl; [lia |].
  specialize (IH (S first) ltac:(intros i Hi; apply H; lia)). specialize (H first ltac:(lia)). lia.
Qed.

Lemma range_max_scale : forall x y c c' n first,
  (forall i, x * c i <= y * c' i) -> x * range_max c first n <= y * range_max c' first n.
Proof.
  intros x y c c' n. induction n as [| n IH]; intros first H; simpl; [lia |].
  specialize (IH (S first) H). specialize (H first). nia.
Qed.

(** A combination is associative, with a neutral element; the results of a loop are in index order whatever its splits. *)
Hypothesis op_assoc : forall x y z, op x (op y z) = op (op x y) z.
Hypothesis op_one_l : forall x, op one x = x.
Hypothesis op_one_r : forall x, op x one = x.

Lemma both_assoc : forall x y z, both op x (both op y z) = both op (both op x y) z.
Proof.
  intros [x | e] [y | e'] [z | e'']; simpl; try reflexivity. rewrite op_assoc. reflexivity.
Qed.

Lemma both_one_l : forall x, both op (ok one) x = x.
Proof. intros [x | e]; simpl; [rewrite op_one_l |]; reflexivity. Qed.

Lemma both_one_r : forall x, both op x (ok one) = x.
Proof. intros [x | e]; simpl; [rewrite op_one_r |]; reflexivity. Qed.

Lemma range_value_split : forall f m n first,
  range_value f first (m + n) = both op (range_value f first m) (range_value f (first + m) n).
Proof.
  intros f m. induction m as [| m IH]; intros n first; cbn [range_value Nat.add].
  - rewrite Nat.add_0_r, both_one_l. reflexivity.
  - rewrite IH. replace (S first + m) with (first + S m) by lia. apply both_assoc.
Qed.

End programs.

Arguments outcome : clear implicits.
Arguments prog : clear implicits.
Arguments both {V} f a b : simpl never.
