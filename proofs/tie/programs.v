(** The programs that are traced, and the verdict on a trace. *)

From Coq Require Import Arith List Lia Bool.
From Takt Require Import time.weighted takt.program takt.machine takt.work takt.span takt.bounds tie.checker tie.sound.
Import ListNotations.

(** A program of known cost: leaves, sequences, forks and loops, as in tests/bounds. *)
Inductive tree : Type :=
| t_leaf : nat -> tree
| t_seq : tree -> tree -> tree
| t_fork : tree -> tree -> tree
| t_loop : nat -> tree -> tree.

Fixpoint leaves (t : tree) : nat :=
  match t with
  | t_leaf _ => 1
  | t_seq a b | t_fork a b => leaves a + leaves b
  | t_loop count body => count * leaves body
  end.

(** Each leaf has a number, in the order of the serial program; the result is the list of all, so that a branch that is
    lost, or results in another order, are another result. [first] is the number of the first leaf. *)
Fixpoint program (t : tree) (first : nat) : prog (list nat) :=
  match t with
  | t_leaf w => p_leaf w (ok [first])
  | t_seq a b =>
    p_bind (program a first) (fun x => p_bind (program b (first + leaves a)) (fun y => p_leaf 0 (ok (x ++ y))))
  | t_fork a b => p_fork (@app nat) (program a first) (program b (first + leaves a))
  | t_loop count body => p_loop 0 count (fun i => program body (first + i * leaves body))
  end.

Inductive verdict : Type :=
| accepted
| not_a_run         (* the events are not those of a run of the machine *)
| too_early         (* two promotions of a worker are less than a beat apart *)
| wrong_result      (* the run has another result than the program gave *)
| too_much_work
| too_long_a_span.

Fixpoint same (a b : list nat) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y) && same a b
  | _, _ => false
  end.

Lemma same_equal : forall a b, same a b = true -> a = b.
Proof.
  intro a. induction a as [| x a IH]; intros [| y b] H; simpl in H; try discriminate; [reflexivity |].
  apply andb_true_iff in H as [Hx H]. apply Nat.eqb_eq in Hx. subst. f_equal. apply IH. assumption.
Qed.

Notation run_of := (runs (V := list nat) [] (@app nat)).
Notation work_of := (cost (V := list nat) [] (@app nat)).
Notation span_of := (span (V := list nat) [] (@app nat)).

(** [token]: the credits with which the call begins. *)
Definition check (fuel tau N token : nat) (t : tree) (es : list event) (answer : list nat) : verdict * option result :=
  let p := program t 0 in
  if negb (apart (N + tau) es) then (too_early, None) else
  match follow [] (@app nat) tau N (S (length answer)) fuel 0 (c_run p) [] token (fst (next_event (0, 0) es)) 0 es with
  | Some r =>
    (match r_rest r, r_outcome r with
     | [], ok v =>
       if same v answer then
         if N * r_work r <=? (N + tau) * work_of p + tau * token then
           if tau * r_span r <=? (tau + N) * span_of tau p then accepted else too_long_a_span
         else too_much_work
       else wrong_result
     | _, _ => not_a_run
     end, Some r)
  | None => (not_a_run, None)
  end.

(** What is accepted is a run of the program with beats of at least [N]; it has the serial result, at most one promotion
    in N ticks, and keeps both bounds. *)
Theorem check_sound : forall fuel tau N token t es answer r,
  check fuel tau N token t es answer = (accepted, Some r) ->
  apart (N + tau) es = true /\
  exists g credits,
    run_of tau N (r_late r) (S (length answer)) (start (program t 0)) token (ok answer) g (r_promotions r) credits /\
    ok answer = value [] (@app nat) (program t 0) /\
    N * r_promotions r <= token + work_of (program t 0) /\
    N * s_total g <= (N + tau) * work_of (program t 0) + tau * token /\
    tau * s_span g <= (tau + N) * span_of tau (program t 0).
Proof.
  intros fuel tau N token t es answer r H. unfold check in H.
  destruct (apart (N + tau) es); [split; [reflexivity |] | discriminate]. cbn [negb] in H.
  destruct (follow [] (@app nat) tau N (S (length answer)) fuel 0 (c_run (program t 0)) [] token
              (fst (next_event (0, 0) es)) 0 es) as [r' |] eqn:E; [| discriminate].
  injection H as Hv <-.
  destruct (r_rest r') as [| e rest]; [| discriminate].
  destruct (r_outcome r') as [v | e] eqn:Ho; [| discriminate].
  destruct (same v answer) eqn:Hsame; [| discriminate]. apply same_equal in Hsame. subst v.
  destruct (N * r_work r' <=? (N + tau) * work_of (program t 0) + tau * token) eqn:Hw; [| discriminate].
  destruct (tau * r_span r' <=? (tau + N) * span_of tau (program t 0)) eqn:Hs; [| discriminate].
  apply Nat.leb_le in Hs.
  apply follow_sound in E as (g & Hrun & Hwork & Hspan). rewrite Ho in Hrun.
  exists g, (sum (r_left r')). split; [exact Hrun |].
  pose proof (@app_assoc nat) as A1. pose proof (@app_nil_r nat) as A3.
  assert (forall x : list nat, [] ++ x = x) as A2 by reflexivity.
  split; [| split; [| split]].
  - exact (same_outcome [] (@app nat) A1 A2 A3 _ _ _ _ _ _ _ _ _ _ Hrun).
  - exact (promotions_of_run [] (@app nat) A1 A2 A3 _ _ _ _ _ _ _ _ _ _ Hrun).
  - exact (work_bound [] (@app nat) A1 A2 A3 _ _ _ _ _ _ _ _ _ _ Hrun).
  - rewrite Hspan. exact Hs.
Qed.
