(** Outcomes and work of takt's runs: the serial elision's outcome, at most one promotion per N ticks, and a bound on the
    work that no lateness changes. *)

From Coq Require Import Arith List Lia.
From Takt Require Import time.weighted takt.program takt.machine.
Import ListNotations.

Section runs.
Context {V : Type}.
Variables (one : V) (op : V -> V -> V).
Hypothesis op_assoc : forall x y z, op x (op y z) = op (op x y) z.
Hypothesis op_one_l : forall x, op one x = x.
Hypothesis op_one_r : forall x, op x one = x.

Notation runs := (runs one op).
Notation config_value := (config_value one op).
Notation config_cost := (config_cost one op).
Notation stack_value := (stack_value one op).
Notation stack_cost := (stack_cost one op).

(** What a loop combines, and what it costs, is the sum over what it has claimed and the two halves of the rest. *)
Lemma parts_value : forall f i j h1 h2 r, h1 + h2 = S r ->
  range_value one op f i (j + S r) =
  both op (both op (range_value one op f i j) (range_value one op f (i + j) h1)) (range_value one op f (i + j + h1) h2).
Proof.
  intros f i j h1 h2 r <-. rewrite !(range_value_split one op op_assoc op_one_l).
  rewrite (both_assoc op op_assoc). reflexivity.
Qed.

Lemma promoted_loop_value : forall acc i j h1 h2 r b o, h1 + h2 = S r ->
  both op (both op (frame_value one op (f_loop acc i j 0 b) o) (value one op (p_loop (i + j) h1 b)))
    (value one op (p_loop (i + j + h1) h2 b))
  = frame_value one op (f_loop acc i j (S r) b) o.
Proof.
  intros acc i j h1 h2 r b o Hh. cbn [frame_value value].
  rewrite (parts_value _ i j h1 h2 r Hh), Nat.add_0_r, !(both_assoc op op_assoc). reflexivity.
Qed.

Lemma promoted_loop_cost : forall acc i j h1 h2 r b o, h1 + h2 = S r ->
  frame_cost one op (f_loop acc i j 0 b) o + cost one op (p_loop (i + j) h1 b) + cost one op (p_loop (i + j + h1) h2 b)
  = frame_cost one op (f_loop acc i j (S r) b) o.
Proof.
  intros acc i j h1 h2 r b o Hh. cbn [frame_cost cost].
  rewrite <- Hh, !range_cost_split, Nat.add_0_r. lia.
Qed.

(** *** Outcomes: whatever is promoted and whenever, exceptions included *)
Theorem outcome_of_runs : forall tau lo hi most m n o g p n',
  runs tau lo hi most m n o g p n' -> o = config_value m.
Proof.
  intros tau lo hi most m n o g p n' H. unfold machine.config_value.
  induction H as [o n | m m' n o g p n' Hm H IH | c k m' n o g p n' Hn Ht H IH
    | c k1 f q k2 n o1 g1 p1 n1' n2 o2 g2 p2 n2' n3 o g3 p3 n3' n' Hn Hk H1 IH1 H2 IH2 H3 IH3 Hc1 Hc2 Hc3
    | c k1 acc i j r b k2 h1 h2 n o1 g1 p1 n1' n2 o2 g2 p2 n2' n3 o3 g3 p3 n3' n4 o g4 p4 n4' n'
        Hn Hk Hh Hh1 Hh2 H1 IH1 H2 IH2 H3 IH3 H4 IH4 Hc1 Hc2 Hc3 Hc4]; cbn [fst snd] in *.
  - reflexivity.
  - rewrite IH. apply (moves_value one op op_assoc op_one_l op_one_r) in Hm as [Hm _]. exact Hm.
  - rewrite IH. apply (ticks_value one op) in Ht as [Ht _]. exact Ht.
  - subst. rewrite stack_value_app. reflexivity.
  - subst o o1 o2 o3. rewrite !stack_value_app. cbn [machine.stack_value]. f_equal.
    apply promoted_loop_value. assumption.
Qed.

(** *** Work and promotions, and the credits that are left *)
Theorem work_of_runs : forall tau lo hi most m n o g p n',
  runs tau lo hi most m n o g p n' ->
  s_total g = config_cost m + tau * p /\ lo * p + n' <= n + config_cost m.
Proof.
  intros tau lo hi most m n o g p n' H. unfold machine.config_cost.
  induction H as [o n | m m' n o g p n' Hm H IH | c k m' n o g p n' Hn Ht H IH
    | c k1 f q k2 n o1 g1 p1 n1' n2 o2 g2 p2 n2' n3 o g3 p3 n3' n' Hn Hk H1 IH1 H2 IH2 H3 IH3 Hc1 Hc2 Hc3
    | c k1 acc i j r b k2 h1 h2 n o1 g1 p1 n1' n2 o2 g2 p2 n2' n3 o3 g3 p3 n3' n4 o g4 p4 n4' n'
        Hn Hk Hh Hh1 Hh2 H1 IH1 H2 IH2 H3 IH3 H4 IH4 Hc1 Hc2 Hc3 Hc4]; simpl in *.
  - lia.
  - apply (moves_value one op op_assoc op_one_l op_one_r) in Hm as [_ Hm].
    unfold machine.config_cost in Hm. rewrite Hm. exact IH.
  - apply (ticks_value one op) in Ht as [_ Ht]. unfold machine.config_cost in Ht. simpl in Ht. lia.
  - pose proof (outcome_of_runs _ _ _ _ _ _ _ _ _ _ H1) as V1.
    pose proof (outcome_of_runs _ _ _ _ _ _ _ _ _ _ H2) as V2.
    unfold machine.config_value in *. simpl in *. subst o1 o2.
    rewrite stack_cost_app. simpl. split; nia.
  - pose proof (outcome_of_runs _ _ _ _ _ _ _ _ _ _ H1) as V1.
    pose proof (outcome_of_runs _ _ _ _ _ _ _ _ _ _ H2) as V2.
    pose proof (outcome_of_runs _ _ _ _ _ _ _ _ _ _ H3) as V3.
    unfold machine.config_value in *. subst o1 o2 o3.
    cbn [fst snd code_value code_cost machine.stack_cost machine.stack_value] in *.
    rewrite !stack_cost_app, stack_value_app in *. cbn [machine.stack_cost machine.stack_value] in *.
    set (o1 := stack_value k1 (code_value one op c)) in *.
    rewrite (promoted_loop_value acc i j h1 h2 r b o1 Hh) in IH4.
    pose proof (promoted_loop_cost acc i j h1 h2 r b o1 Hh) as Hcost.
    set (o' := frame_value one op (f_loop acc i j (S r) b) o1) in *.
    cbn [s_total]. cbn [cost] in *. split; nia.
Qed.

(** *** What it says of programs *)

Definition start (p : prog V) : config (V := V) := (c_run p, []).

(** The serial elision's outcome, for every run of every program. *)
Theorem same_outcome : forall tau lo hi most p n o g k n',
  runs tau lo hi most (start p) n o g k n' -> o = value one op p.
Proof. intros tau lo hi most p n o g k n' H. apply outcome_of_runs in H. exact H. Qed.

(** At most one promotion for each N ticks, and one more where the call begins with a token ([n = N]). *)
Theorem promotions_of_run : forall tau N hi most p n o g k n',
  runs tau N hi most (start p) n o g k n' -> N * k <= n + cost one op p.
Proof.
  intros tau N hi most p n o g k n' H. apply work_of_runs in H as [_ H].
  unfold machine.config_cost in H. simpl in H. lia.
Qed.

(** The bound on the work: W <= (1 + tau/N) w, whatever the lateness; a token to begin with adds one promotion. *)
Theorem work_bound : forall tau N hi most p n o g k n',
  runs tau N hi most (start p) n o g k n' ->
  N * s_total g <= (N + tau) * cost one op p + tau * n.
Proof.
  intros tau N hi most p n o g k n' H. apply work_of_runs in H as [Ha Hb].
  unfold machine.config_cost in *. simpl in *. rewrite Ha. nia.
Qed.

End runs.
