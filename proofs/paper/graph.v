(** Cost graphs, work and span: figure 1 of the Heartbeat paper.

    All weights are counted in transitions of the machine: a vertex weighs one, a fork [tau]. *)

From Coq Require Import Arith Lia.

Inductive graph : Type :=
| g_zero : graph                      (* 0: nothing *)
| g_one : graph                       (* 1: one transition *)
| g_seq : graph -> graph -> graph     (* g1 . g2 *)
| g_par : graph -> graph -> graph.    (* g1 || g2 *)

Fixpoint work (tau : nat) (g : graph) : nat :=
  match g with
  | g_zero => 0
  | g_one => 1
  | g_seq a b => work tau a + work tau b
  | g_par a b => tau + work tau a + work tau b
  end.

Fixpoint span (tau : nat) (g : graph) : nat :=
  match g with
  | g_zero => 0
  | g_one => 1
  | g_seq a b => span tau a + span tau b
  | g_par a b => tau + Nat.max (span tau a) (span tau b)
  end.

(** The number of forks: in the graph of a heartbeat run, its promotions. *)
Fixpoint forks (g : graph) : nat :=
  match g with
  | g_zero | g_one => 0
  | g_seq a b => forks a + forks b
  | g_par a b => 1 + forks a + forks b
  end.

(** The number of transitions. *)
Definition steps (g : graph) : nat := work 0 g.

Lemma work_is_steps_and_forks :
  forall tau g, work tau g = steps g + tau * forks g.
Proof.
  unfold steps. intros tau g.
  induction g as [| | a IHa b IHb | a IHa b IHb]; simpl; lia.
Qed.

Lemma span_at_most_work : forall tau g, span tau g <= work tau g.
Proof.
  intros tau g. induction g as [| | a IHa b IHb | a IHa b IHb]; simpl; lia.
Qed.
