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
| too_early         (* a promotion comes less than a beat after the one before it *)
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

(** How a run that was followed ended. *)
Definition ending (answer : list nat) (r : result) : verdict :=
  match r_rest r, r_outcome r with
  | [], ok v => if same v answer then accepted else wrong_result
  | _, _ => not_a_run
  end.

(** From how many credits on a promotion is in time, if there may be [per] of them in [N] ticks: where there may be more
    than one, nothing is said of the time of each. *)
Definition earliest (N per : nat) : nat := if per =? 1 then N else 0.

(** The run that the events say, with promotions from [lo] credits on. [token]: the credits with which the call begins. *)
Definition run (fuel tau lo token : nat) (t : tree) (es : list event) (answer : list nat) : option result :=
  follow [] (@app nat) tau lo (S (length answer)) fuel 0 (c_run (program t 0)) [] token (fst (next_event (0, 0) es)) 0 es.

(** Events are followed to their end, whenever the promotions come; whether these were in time is another question, asked
    of what is a run with the right result. [late]: by so much beats may be noticed late. *)
Definition check (fuel tau N late per token : nat) (t : tree) (es : list event) (answer : list nat)
  : verdict * option result :=
  let p := program t 0 in
  let in_time := run fuel tau (earliest N per) token t es answer in
  match match in_time with Some r => Some r | None => run fuel tau 0 token t es answer end with
  | None => (not_a_run, None)
  | Some r =>
    (match ending answer r, in_time with
     | accepted, None => too_early
     | accepted, Some _ =>
       if (per =? 1) && negb (apart (N + tau) es) then too_early
       else if negb (N * r_work r <=? (N + per * tau) * work_of p + tau * token) then too_much_work
       else if tau * r_span r <=? (tau + N + late) * span_of tau p then accepted else too_long_a_span
     | v, _ => v
     end, Some r)
  end.

Lemma ending_accepted : forall answer r, ending answer r = accepted -> r_rest r = [] /\ r_outcome r = ok answer.
Proof.
  intros answer r H. unfold ending in H. destruct (r_rest r); [| discriminate].
  destruct (r_outcome r) as [v | e]; [| discriminate].
  destruct (same v answer) eqn:Hv; [| discriminate]. apply same_equal in Hv. subst. auto.
Qed.

Lemma ending_is : forall answer r,
  ending answer r = accepted \/ ending answer r = not_a_run \/ ending answer r = wrong_result.
Proof.
  intros answer r. unfold ending. destruct (r_rest r); [| auto]. destruct (r_outcome r); [| auto].
  destruct (same _ answer); auto.
Qed.

(** Whatever is said of times, work or span: unless it is said that this is no run, or has another result, it is a run of
    the program, with the serial result. *)
Theorem check_follows : forall fuel tau N late per token t es answer v r,
  check fuel tau N late per token t es answer = (v, Some r) -> v <> not_a_run -> v <> wrong_result ->
  exists g credits,
    run_of tau 0 (r_late r) (S (length answer)) (start (program t 0)) token (ok answer) g (r_promotions r) credits /\
    ok answer = value [] (@app nat) (program t 0).
Proof.
  intros fuel tau N late per token t es answer v r H Hn Hw. unfold check in H.
  assert (exists lo, run fuel tau lo token t es answer = Some r /\ ending answer r = accepted) as (lo & E & Hend).
  { destruct (run fuel tau (earliest N per) token t es answer) as [r' |] eqn:E.
    - injection H as Hv <-. exists (earliest N per). split; [exact E |].
      destruct (ending_is answer r') as [He | [He | He]]; rewrite He in Hv; congruence.
    - destruct (run fuel tau 0 token t es answer) as [r' |] eqn:E0; [| discriminate]. injection H as Hv <-.
      exists 0. split; [exact E0 |].
      destruct (ending_is answer r') as [He | [He | He]]; rewrite He in Hv; congruence. }
  apply ending_accepted in Hend as [_ Ho].
  unfold run in E. apply follow_sound in E as (g & Hrun & _). rewrite Ho in Hrun.
  apply runs_wider with (lo' := 0) (hi' := r_late r) in Hrun; [| lia | lia].
  exists g, (sum (r_left r)). split; [exact Hrun |].
  pose proof (@app_assoc nat) as A1. pose proof (@app_nil_r nat) as A3.
  assert (forall x : list nat, [] ++ x = x) as A2 by reflexivity.
  exact (same_outcome [] (@app nat) A1 A2 A3 _ _ _ _ _ _ _ _ _ _ Hrun).
Qed.

(** What is accepted is a run of the program; it has the serial result and keeps both bounds, that on the work with [per]
    promotions in [N] ticks, that on the span with beats that are [late]. If [per] is one, beats are of at least [N], and
    there is at most one promotion in [N] ticks. *)
Theorem check_sound : forall fuel tau N late per token t es answer r,
  check fuel tau N late per token t es answer = (accepted, Some r) ->
  exists g credits,
    run_of tau (earliest N per) (r_late r) (S (length answer)) (start (program t 0)) token (ok answer) g (r_promotions r)
      credits /\
    ok answer = value [] (@app nat) (program t 0) /\
    (per = 1 -> apart (N + tau) es = true /\ N * r_promotions r <= token + work_of (program t 0)) /\
    N * s_total g <= (N + per * tau) * work_of (program t 0) + tau * token /\
    tau * s_span g <= (tau + N + late) * span_of tau (program t 0).
Proof.
  intros fuel tau N late per token t es answer r H. unfold check in H.
  destruct (run fuel tau (earliest N per) token t es answer) as [r' |] eqn:E.
  2: { destruct (run fuel tau 0 token t es answer) as [r' |]; [| discriminate].
       injection H as Hv <-. destruct (ending answer r'); discriminate. }
  injection H as Hv <-.
  destruct (ending answer r') eqn:Hend; try discriminate.
  apply ending_accepted in Hend as [_ Ho].
  destruct ((per =? 1) && negb (apart (N + tau) es)) eqn:Hearly; [discriminate |].
  destruct (N * r_work r' <=? (N + per * tau) * work_of (program t 0) + tau * token) eqn:Hw; [| discriminate].
  cbn [negb] in Hv.
  destruct (tau * r_span r' <=? (tau + N + late) * span_of tau (program t 0)) eqn:Hs; [| discriminate].
  apply Nat.leb_le in Hs. apply Nat.leb_le in Hw.
  unfold run in E. apply follow_sound in E as (g & Hrun & Hwork & Hspan). rewrite Ho in Hrun.
  exists g, (sum (r_left r')). split; [exact Hrun |].
  pose proof (@app_assoc nat) as A1. pose proof (@app_nil_r nat) as A3.
  assert (forall x : list nat, [] ++ x = x) as A2 by reflexivity.
  split; [| split; [| split]].
  - exact (same_outcome [] (@app nat) A1 A2 A3 _ _ _ _ _ _ _ _ _ _ Hrun).
  - intros ->. split.
    + destruct (apart (N + tau) es); [reflexivity | discriminate].
    + exact (promotions_of_run [] (@app nat) A1 A2 A3 _ _ _ _ _ _ _ _ _ _ Hrun).
  - rewrite Hwork. exact Hw.
  - rewrite Hspan. exact Hs.
Qed.
