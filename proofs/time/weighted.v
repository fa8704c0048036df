(** Series-parallel graphs with weights, and greedy schedules of them on P processors. *)

From Coq Require Import Arith List Lia.

Inductive sp : Type :=
| s_work : nat -> sp                (* so many units, one after the other *)
| s_seq : sp -> sp -> sp
| s_par : sp -> sp -> sp.

Fixpoint s_total (g : sp) : nat :=
  match g with
  | s_work n => n
  | s_seq a b | s_par a b => s_total a + s_total b
  end.

Fixpoint s_span (g : sp) : nat :=
  match g with
  | s_work n => n
  | s_seq a b => s_span a + s_span b
  | s_par a b => Nat.max (s_span a) (s_span b)
  end.

Definition is_done (g : sp) : Prop := s_total g = 0.

(** What can run now: the number of units that wait for nothing but a processor. *)
Fixpoint ready (g : sp) : nat :=
  match g with
  | s_work n => Nat.min n 1
  | s_seq a b => if Nat.eqb (s_total a) 0 then ready b else ready a
  | s_par a b => ready a + ready b
  end.

(** [tick k g g']: in one step of time, [k] units that were ready have run; [g'] is what is left. *)
Inductive tick : nat -> sp -> sp -> Prop :=
| t_idle : forall n, tick 0 (s_work n) (s_work n)
| t_unit : forall n, tick 1 (s_work (S n)) (s_work n)
| t_first : forall k a a' b, s_total a > 0 -> tick k a a' -> tick k (s_seq a b) (s_seq a' b)
| t_second : forall k a b b', is_done a -> tick k b b' -> tick k (s_seq a b) (s_seq a b')
| t_both : forall k l a a' b b', tick k a a' -> tick l b b' -> tick (k + l) (s_par a b) (s_par a' b').

(** A schedule on [P] processors that is greedy: no processor is idle while a unit is ready that nobody runs. *)
Inductive greedy (P : nat) : sp -> nat -> Prop :=
| gr_done : forall g, is_done g -> greedy P g 0
| gr_tick : forall k g g' T,
    s_total g > 0 -> k <= P -> (k = P \/ k = ready g) ->
    tick k g g' -> greedy P g' T -> greedy P g (S T).

Lemma span_of_done : forall g, is_done g -> s_span g = 0.
Proof.
  unfold is_done. intro g. induction g as [n | a IHa b IHb | a IHa b IHb]; simpl; intro H;
    [assumption | |]; rewrite IHa, IHb by lia; reflexivity.
Qed.

Lemma ready_positive : forall g, s_total g > 0 -> ready g > 0.
Proof.
  intro g. induction g as [n | a IHa b IHb | a IHa b IHb]; simpl; intro H.
  - lia.
  - destruct (Nat.eqb_spec (s_total a) 0) as [Ha | Ha]; [apply IHb | apply IHa]; lia.
  - destruct (s_total a); [specialize (IHb ltac:(lia)) | specialize (IHa ltac:(lia))]; lia.
Qed.

Lemma ready_of_done : forall g, is_done g -> ready g = 0.
Proof.
  unfold is_done. intro g. induction g as [n | a IHa b IHb | a IHa b IHb]; simpl; intro H.
  - subst. reflexivity.
  - rewrite (proj2 (Nat.eqb_eq (s_total a) 0)) by lia. apply IHb. lia.
  - rewrite IHa, IHb by lia. reflexivity.
Qed.

Lemma tick_total : forall k g g', tick k g g' -> s_total g' + k = s_total g.
Proof.
  intros k g g' H. induction H; simpl in *; unfold is_done in *; lia.
Qed.

Lemma tick_span : forall k g g', tick k g g' -> s_span g' <= s_span g.
Proof.
  intros k g g' H. induction H; simpl in *; lia.
Qed.

Lemma tick_at_most_ready : forall k g g', tick k g g' -> k <= ready g.
Proof.
  intros k g g' H. induction H as [n | n | k a a' b Ha H IH | k a b b' Ha H IH | k l a a' b b' H1 IH1 H2 IH2]; simpl.
  - lia.
  - lia.
  - rewrite (proj2 (Nat.eqb_neq (s_total a) 0)) by lia. assumption.
  - rewrite (proj2 (Nat.eqb_eq (s_total a) 0)) by assumption. assumption.
  - lia.
Qed.

(** A step that runs all that is ready makes the span shorter. *)
Lemma tick_all_span : forall k g g', tick k g g' -> k = ready g -> s_total g > 0 -> s_span g' + 1 <= s_span g.
Proof.
  intros k g g' H.
  induction H as [n | n | k a a' b Ha H IH | k a b b' Ha H IH | k l a a' b b' H1 IH1 H2 IH2]; simpl; intros Hk Hg.
  - lia.
  - lia.
  - rewrite (proj2 (Nat.eqb_neq (s_total a) 0)) in Hk by lia. specialize (IH Hk Ha). lia.
  - unfold is_done in Ha. rewrite (proj2 (Nat.eqb_eq (s_total a) 0)) in Hk by assumption.
    specialize (IH Hk ltac:(lia)). lia.
  - pose proof (tick_at_most_ready _ _ _ H1) as B1. pose proof (tick_at_most_ready _ _ _ H2) as B2.
    assert (forall x x' n, tick n x x' -> s_total x = 0 -> s_span x' = 0) as Hzero.
    { intros x x' n Ht Hx. pose proof (tick_span _ _ _ Ht) as Hs. rewrite (span_of_done x Hx) in Hs. lia. }
    destruct (Nat.eq_dec (s_total a) 0) as [Ea | Ea]; destruct (Nat.eq_dec (s_total b) 0) as [Eb | Eb].
    + lia.
    + rewrite (Hzero _ _ _ H1 Ea). specialize (IH2 ltac:(lia) ltac:(lia)). lia.
    + rewrite (Hzero _ _ _ H2 Eb). specialize (IH1 ltac:(lia) ltac:(lia)). lia.
    + specialize (IH1 ltac:(lia) ltac:(lia)). specialize (IH2 ltac:(lia) ltac:(lia)). lia.
Qed.

(** Brent's bound: T <= W/P + (1 - 1/P) S, multiplied by P. *)
Theorem greedy_bound : forall P g T, P > 0 -> greedy P g T ->
  P * T <= s_total g + (P - 1) * s_span g.
Proof.
  intros P g T HP H. induction H as [g Hd | k g g' T Hg Hk Hfull Ht H IH].
  - lia.
  - pose proof (tick_total _ _ _ Ht) as Ew. pose proof (tick_span _ _ _ Ht) as Es.
    destruct Hfull as [-> | Hall].
    + nia.
    + pose proof (tick_all_span _ _ _ Ht Hall Hg) as Es'.
      pose proof (ready_positive g Hg). nia.
Qed.

(** As it is usually said: T <= W/P + S. *)
Theorem greedy_bound_usual : forall P g T, P > 0 -> greedy P g T -> P * T <= s_total g + P * s_span g.
Proof.
  intros P g T HP H. pose proof (greedy_bound P g T HP H). nia.
Qed.

(** There is such a schedule of every graph. *)
Lemma tick_exists : forall g k, k <= ready g -> exists g', tick k g g'.
Proof.
  intro g. induction g as [n | a IHa b IHb | a IHa b IHb]; simpl; intros k Hk.
  - destruct n as [| n]; destruct k as [| k]; try (eexists; constructor).
    + lia.
    + assert (k = 0) as -> by lia. eexists. constructor.
  - destruct (Nat.eqb_spec (s_total a) 0) as [Ha | Ha].
    + destruct (IHb k Hk) as [b' Hb]. eexists. apply t_second; eassumption.
    + destruct (IHa k Hk) as [a' Ha']. eexists. apply t_first; [lia | eassumption].
  - destruct (IHa (Nat.min k (ready a)) ltac:(lia)) as [a' Ha].
    destruct (IHb (k - Nat.min k (ready a)) ltac:(lia)) as [b' Hb].
    exists (s_par a' b'). replace k with (Nat.min k (ready a) + (k - Nat.min k (ready a))) at 1 by lia.
    constructor; assumption.
Qed.

Theorem greedy_exists : forall P g, P > 0 -> exists T, greedy P g T.
Proof.
  intros P g HP. remember (s_total g) as w eqn:Hw. revert g Hw.
  induction w as [w IH] using lt_wf_ind. intros g Hw.
  destruct (Nat.eq_dec w 0) as [-> | Hne].
  - exists 0. constructor. symmetry. assumption.
  - pose proof (ready_positive g ltac:(lia)) as Hr.
    destruct (tick_exists g (Nat.min P (ready g)) ltac:(lia)) as [g' Ht].
    pose proof (tick_total _ _ _ Ht) as Ew.
    destruct (IH (s_total g') ltac:(lia) g' eq_refl) as [T HT].
    exists (S T). eapply gr_tick; [| | | eassumption | assumption]; lia.
Qed.
