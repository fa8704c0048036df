(** takt's machine: a fiber with its latent stack, and its runs with beats that are late, tokens that are kept, loops
    that are split, exceptions and free code. *)

From Coq Require Import Arith List Lia.
From Takt Require Import time.weighted takt.program.
Import ListNotations.

Section machine.
Context {V : Type}.
Variables (one : V) (op : V -> V -> V).
Notation prog := (prog V).
Notation outcome := (outcome V).

Inductive frame : Type :=
| f_bind : (V -> prog) -> frame                            (* serial code that goes on with the result *)
| f_left : (V -> V -> V) -> prog -> frame                  (* a fork whose left branch runs: latent *)
| f_right : (V -> V -> V) -> outcome -> frame              (* its right branch runs, the left one's outcome is known *)
| f_loop : outcome -> nat -> nat -> nat -> (nat -> prog) -> frame.
  (* what was combined; the next iteration; how many the worker has claimed; how many nobody has claimed; the body *)

Definition stack := list frame.                            (* the innermost frame first *)

Inductive code : Type :=
| c_run : prog -> code
| c_free : nat -> outcome -> code                          (* free code: so many ticks are left *)
| c_ret : outcome -> code.

Definition config : Type := (code * stack)%type.

(** A loop's frame is latent as long as an iteration is left that nobody has claimed. *)
Definition is_latent (f : frame) : bool :=
  match f with
  | f_left _ _ => true
  | f_loop _ _ _ (S _) _ => true
  | _ => false
  end.

Definition has_latent (k : stack) : bool := existsb is_latent k.

(** A tick of code that runs. *)
Inductive ticks : config -> config -> Prop :=
| t_leaf : forall w o k, ticks (c_run (p_leaf (S w) o), k) (c_run (p_leaf w o), k)
| t_free : forall w o k, ticks (c_free (S w) o, k) (c_free w o, k).

(** What takes no time. A loop claims [j] iterations at a time, at most [most]: those are not given away. *)
Inductive moves (most : nat) : config -> config -> Prop :=
| m_leaf : forall o k, moves most (c_run (p_leaf 0 o), k) (c_ret o, k)
| m_bind : forall p q k, moves most (c_run (p_bind p q), k) (c_run p, f_bind q :: k)
| m_then : forall v q k, moves most (c_ret (ok v), f_bind q :: k) (c_run (q v), k)
| m_throw : forall e q k, moves most (c_ret (threw e), f_bind q :: k) (c_ret (threw e), k)
| m_fork : forall f p q k, moves most (c_run (p_fork f p q), k) (c_run p, f_left f q :: k)
| m_right : forall o f q k, moves most (c_ret o, f_left f q :: k) (c_run q, f_right f o :: k)
| m_join : forall o o1 f k, moves most (c_ret o, f_right f o1 :: k) (c_ret (both f o1 o), k)
| m_empty : forall i b k, moves most (c_run (p_loop i 0 b), k) (c_ret (ok one), k)
| m_loop : forall i j r b k, j < most ->
    moves most (c_run (p_loop i (S (j + r)) b), k) (c_run (b i), f_loop (ok one) (S i) j r b :: k)
| m_next : forall o acc i j r b k,
    moves most (c_ret o, f_loop acc i (S j) r b :: k) (c_run (b i), f_loop (both op acc o) (S i) j r b :: k)
| m_claim : forall o acc i j r b k, j < most ->
    moves most (c_ret o, f_loop acc i 0 (S (j + r)) b :: k) (c_run (b i), f_loop (both op acc o) (S i) j r b :: k)
| m_last : forall o acc i b k, moves most (c_ret o, f_loop acc i 0 0 b :: k) (c_ret (both op acc o), k)
| m_free : forall p k, moves most (c_run (p_free p), k) (c_free (cost one op p) (value one op p), k)
| m_freed : forall o k, moves most (c_free 0 o, k) (c_ret o, k).

(** [runs tau lo hi most m n o g p n']: from [n] credits (ticks since the last promotion), the machine [m] ends with the
    outcome [o] and [n'] credits left over; it makes [p] promotions; [g] is its cost graph, where each promotion takes [tau].

    The oldest latent frame may be promoted from [lo] credits on, and is promoted before the next tick at [hi] credits.
    A beat that finds nothing to promote is kept: credits go on counting, and the next frame is promoted at once.
    Credits are 0 after a promotion. [n'] is what all workers together have earned in the run and not spent. Credits go
    with the worker that has earned them: whoever begins with the right branch, or with what follows the join, may have
    some from before, but not more than were left over by what comes earlier in the serial program
    ([n2 + n3 <= n1' + n2'], and so on). A thief begins with none.

    A loop that is promoted keeps its current iteration, and what else it has claimed. What is left becomes two halves,
    which differ by one at most, in one promotion. *)
Inductive runs (tau lo hi most : nat) : config -> nat -> outcome -> sp -> nat -> nat -> Prop :=
| R_DONE : forall o n, runs tau lo hi most (c_ret o, []) n o (s_work 0) 0 n
| R_MOVE : forall m m' n o g p n',
    moves most m m' -> runs tau lo hi most m' n o g p n' -> runs tau lo hi most m n o g p n'
| R_TICK : forall c k m' n o g p n',
    n < hi \/ has_latent k = false ->
    ticks (c, k) m' ->
    runs tau lo hi most m' (n + 1) o g p n' ->
    runs tau lo hi most (c, k) n o (s_seq (s_work 1) g) p n'
| R_FORK : forall c k1 f q k2 n o1 g1 p1 n1' n2 o2 g2 p2 n2' n3 o g3 p3 n3' n',
    lo <= n ->
    has_latent k2 = false ->
    runs tau lo hi most (c, k1) 0 o1 g1 p1 n1' ->
    runs tau lo hi most (c_run q, []) n2 o2 g2 p2 n2' ->
    runs tau lo hi most (c_ret (both f o1 o2), k2) n3 o g3 p3 n3' ->
    n2 <= n1' -> n2 + n3 <= n1' + n2' -> n2 + n3 + n' <= n1' + n2' + n3' ->
    runs tau lo hi most (c, k1 ++ f_left f q :: k2) n o
      (s_seq (s_seq (s_work tau) (s_par g1 g2)) g3) (1 + p1 + p2 + p3) n'
| R_LOOP : forall c k1 acc i j r b k2 h1 h2 n o1 g1 p1 n1' n2 o2 g2 p2 n2' n3 o3 g3 p3 n3' n4 o g4 p4 n4' n',
    lo <= n ->
    has_latent k2 = false ->
    h1 + h2 = S r -> h1 <= h2 + 1 -> h2 <= h1 + 1 ->
    runs tau lo hi most (c, k1 ++ [f_loop acc i j 0 b]) 0 o1 g1 p1 n1' ->
    runs tau lo hi most (c_run (p_loop (i + j) h1 b), []) n2 o2 g2 p2 n2' ->
    runs tau lo hi most (c_run (p_loop (i + j + h1) h2 b), []) n3 o3 g3 p3 n3' ->
    runs tau lo hi most (c_ret (both op (both op o1 o2) o3), k2) n4 o g4 p4 n4' ->
    n2 <= n1' -> n2 + n3 <= n1' + n2' -> n2 + n3 + n4 <= n1' + n2' + n3' ->
    n2 + n3 + n4 + n' <= n1' + n2' + n3' + n4' ->
    runs tau lo hi most (c, k1 ++ f_loop acc i j (S r) b :: k2) n o
      (s_seq (s_seq (s_work tau) (s_par g1 (s_par g2 g3))) g4) (1 + p1 + p2 + p3 + p4) n'.

(** *** Outcome and serial cost of what a machine has still to do *)

Definition code_value (c : code) : outcome :=
  match c with c_run p => value one op p | c_free _ o => o | c_ret o => o end.

Definition code_cost (c : code) : nat :=
  match c with c_run p => cost one op p | c_free w _ => w | c_ret _ => 0 end.

Definition frame_value (f : frame) (o : outcome) : outcome :=
  match f with
  | f_bind q => match o with ok v => value one op (q v) | threw e => threw e end
  | f_left f q => both f o (value one op q)
  | f_right f o1 => both f o1 o
  | f_loop acc i j r b => both op (both op acc o) (range_value one op (fun x => value one op (b x)) i (j + r))
  end.

Definition frame_cost (f : frame) (o : outcome) : nat :=
  match f with
  | f_bind q => match o with ok v => cost one op (q v) | threw e => 0 end
  | f_left _ q => cost one op q
  | f_right _ _ => 0
  | f_loop _ i j r b => range_cost (fun x => cost one op (b x)) i (j + r)
  end.

Fixpoint stack_value (k : stack) (o : outcome) : outcome :=
  match k with [] => o | f :: k => stack_value k (frame_value f o) end.

Fixpoint stack_cost (k : stack) (o : outcome) : nat :=
  match k with [] => 0 | f :: k => frame_cost f o + stack_cost k (frame_value f o) end.

Definition config_value (m : config) : outcome := stack_value (snd m) (code_value (fst m)).
Definition config_cost (m : config) : nat := code_cost (fst m) + stack_cost (snd m) (code_value (fst m)).

Lemma stack_value_app : forall a b o, stack_value (a ++ b) o = stack_value b (stack_value a o).
Proof. intro a. induction a as [| f a IH]; intros b o; simpl; [reflexivity | apply IH]. Qed.

Lemma stack_cost_app : forall a b o, stack_cost (a ++ b) o = stack_cost a o + stack_cost b (stack_value a o).
Proof.
  intro a. induction a as [| f a IH]; intros b o; simpl; [reflexivity |]. rewrite IH. lia.
Qed.

Lemma has_latent_app : forall a b, has_latent (a ++ b) = (has_latent a || has_latent b)%bool.
Proof. intros a b. apply existsb_app. Qed.

Lemma oldest_exists : forall k, has_latent k = true ->
  exists k1 f k2, k = k1 ++ f :: k2 /\ is_latent f = true /\ has_latent k2 = false.
Proof.
  intro k. induction k as [| f k IH]; simpl; intro H; [discriminate |].
  destruct (has_latent k) eqn:Hk.
  - destruct (IH eq_refl) as (k1 & f' & k2 & -> & Hf & H2). exists (f :: k1), f', k2. auto.
  - rewrite Bool.orb_false_r in H. exists [], f, k. auto.
Qed.

Hypothesis op_assoc : forall x y z, op x (op y z) = op (op x y) z.
Hypothesis op_one_l : forall x, op one x = x.
Hypothesis op_one_r : forall x, op x one = x.

Lemma ticks_value : forall m m', ticks m m' -> config_value m' = config_value m /\ config_cost m = 1 + config_cost m'.
Proof. intros m m' H. inversion H; subst; split; reflexivity. Qed.

Lemma moves_value : forall most m m', moves most m m' ->
  config_value m' = config_value m /\ config_cost m = config_cost m'.
Proof.
  intros most m m' H. unfold config_value, config_cost.
  inversion H; subst; simpl; try (split; reflexivity); try (split; [reflexivity | lia]).
  - (* the first iterations *)
    rewrite (both_one_l one op op_one_l). split; [reflexivity | lia].
  - (* one that was claimed *)
    rewrite (both_assoc op op_assoc). split; [reflexivity |]. lia.
  - (* the next ones are claimed *)
    rewrite (both_assoc op op_assoc). split; [reflexivity |]. lia.
  - (* the last one *)
    rewrite (both_one_r one op op_one_r). split; reflexivity.
Qed.

End machine.
