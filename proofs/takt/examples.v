(** What the bounds need, and that they are tight: programs, and runs of them. *)

From Coq Require Import Arith List Lia.
From Takt Require Import time.weighted takt.program takt.machine takt.work takt.exists.
Import ListNotations.

(** Programs whose results do not matter. *)
Definition unit_op (_ _ : unit) : unit := tt.
Notation uprog := (prog unit).
Notation runs := (runs tt unit_op).
Notation moves := (moves tt unit_op).
Notation cost := (cost tt unit_op).
Notation value := (value tt unit_op).
Notation span := (span tt unit_op).
Notation leaf w := (p_leaf w (ok tt)).
Notation fork p q := (p_fork unit_op p q).

Lemma unit_assoc : forall x y z, unit_op x (unit_op y z) = unit_op (unit_op x y) z.
Proof. reflexivity. Qed.

Lemma unit_one : forall x, unit_op tt x = x.
Proof. intros []. reflexivity. Qed.

Lemma unit_one_r : forall x, unit_op x tt = x.
Proof. intros []. reflexivity. Qed.

(** [w] ticks, then [g]. *)
Fixpoint after (w : nat) (g : sp) : sp :=
  match w with 0 => g | S w => s_seq (s_work 1) (after w g) end.

Lemma after_total : forall w g, s_total (after w g) = w + s_total g.
Proof. intros w g. induction w as [| w IH]; simpl; lia. Qed.

Lemma after_span : forall w g, s_span (after w g) = w + s_span g.
Proof. intros w g. induction w as [| w IH]; simpl; lia. Qed.

Lemma leaf_ticks : forall tau lo hi most w v out k n o g p n',
  n + w <= hi \/ has_latent k = false ->
  runs tau lo hi most (c_run (p_leaf v out), k) (n + w) o g p n' ->
  runs tau lo hi most (c_run (p_leaf (w + v) out), k) n o (after w g) p n'.
Proof.
  intros tau lo hi most w. induction w as [| w IH]; intros v out k n o g p n' Hn H; simpl.
  - rewrite Nat.add_0_r in H. exact H.
  - eapply R_TICK; [| constructor |].
    + destruct Hn as [Hn | Hn]; [left; lia | right; assumption].
    + apply IH; [destruct Hn as [Hn | Hn]; [left; lia | right; assumption] |].
      replace (n + 1 + w) with (n + S w) by lia. exact H.
Qed.

(** *** One promotion in N ticks, and no fewer: the bound on the work is tight *)

(** A chain of [d] forks, whose only work is at its end. *)
Fixpoint chain (d w : nat) : uprog :=
  match d with 0 => leaf w | S d => fork (chain d w) (leaf 0) end.

Lemma chain_cost : forall d w, cost (chain d w) = w.
Proof. intros d w. induction d as [| d IH]; simpl; lia. Qed.

Lemma pushes : forall tau lo hi most d w k n o g p n',
  runs tau lo hi most (c_run (leaf w), repeat (f_left unit_op (leaf 0)) d ++ k) n o g p n' ->
  runs tau lo hi most (c_run (chain d w), k) n o g p n'.
Proof.
  intros tau lo hi most d w. induction d as [| d IH]; intros k n o g p n' H; simpl.
  - exact H.
  - eapply R_MOVE; [constructor |]. apply IH.
    replace (repeat (f_left unit_op (leaf 0)) d ++ f_left unit_op (leaf 0) :: k)
      with (repeat (f_left unit_op (leaf 0)) (S d) ++ k); [exact H |].
    change (S d) with (1 + d). rewrite Nat.add_comm, repeat_app, <- app_assoc. reflexivity.
Qed.

Lemma chain_promotes : forall tau N d,
  exists g n', runs tau N N 1 (c_run (leaf (d * N)), repeat (f_left unit_op (leaf 0)) d) 0 (ok tt) g d n'.
Proof.
  intros tau N d. induction d as [| d IH].
  - exists (s_work 0), 0. eapply R_MOVE; constructor.
  - destruct IH as (g & n' & H).
    exists (after N (s_seq (s_seq (s_work tau) (s_par g (s_work 0))) (s_work 0))), 0.
    apply leaf_ticks; [left; lia |].
    replace (repeat (f_left unit_op (leaf 0)) (S d))
      with (repeat (f_left (V := unit) unit_op (leaf 0)) d ++ [f_left unit_op (leaf 0)]).
    + replace (S d) with (1 + d + 0 + 0) by lia.
      apply (R_FORK _ _ tau N N 1 _ _ _ _ _ _ (ok tt) g d n' 0 (ok tt) (s_work 0) 0 0 0 (ok tt) (s_work 0) 0 0 0); try lia.
      * reflexivity.
      * exact H.
      * eapply R_MOVE; constructor.
      * apply R_DONE.
    + change (S d) with (1 + d). rewrite Nat.add_comm, repeat_app. reflexivity.
Qed.

(** For every number of promotions there is a program, and its run, that makes so many and takes (1 + tau/N) w. *)
Theorem work_bound_is_tight : forall tau N promotions, exists p g n',
  runs tau N N 1 (start p) 0 (ok tt) g promotions n' /\
  N * promotions = cost p /\ N * s_total g = (N + tau) * cost p.
Proof.
  intros tau N d. destruct (chain_promotes tau N d) as (g & n' & H).
  assert (runs tau N N 1 (start (chain d (d * N))) 0 (ok tt) g d n') as Hrun.
  { apply pushes. rewrite app_nil_r. exact H. }
  exists (chain d (d * N)), g, n'. split; [exact Hrun |].
  apply (work_of_runs tt unit_op unit_assoc unit_one unit_one_r) in Hrun as [Hw _].
  unfold config_cost, start in Hw. simpl in Hw. rewrite chain_cost in *. split; [lia |]. rewrite Hw. nia.
Qed.

(** *** Without beats, serial *)

(** Where no beat comes in time, a run is serial: its span is its work. *)
Lemma serial_run : forall tau lo hi most m n, most > 0 -> n + config_cost tt unit_op m <= hi ->
  exists o g n', runs tau lo hi most m n o g 0 n' /\ s_span g = config_cost tt unit_op m.
Proof.
  intros tau lo hi most m n Hmost. remember (config_size tt unit_op m) as size eqn:Hsize.
  revert m n Hsize. induction size as [size IH] using lt_wf_ind. intros [c k] n -> Hn.
  destruct (progress tt unit_op unit_assoc unit_one unit_one_r most c k Hmost)
    as [(o & -> & ->) | [(m' & Hm & Hlt) | (m' & Ht & Hlt)]].
  - exists o, (s_work 0), n. split; [constructor | reflexivity].
  - apply (moves_value tt unit_op unit_assoc unit_one unit_one_r) in Hm as Hc. destruct Hc as [_ Hc].
    assert (n + config_cost tt unit_op m' <= hi) as Hn' by (rewrite <- Hc; exact Hn).
    destruct (IH _ Hlt m' n eq_refl Hn') as (o & g & n' & H & Hs).
    exists o, g, n'. split; [eapply R_MOVE; eassumption | rewrite Hs; symmetry; exact Hc].
  - apply (ticks_value tt unit_op) in Ht as Hc. destruct Hc as [_ Hc].
    assert (n + 1 + config_cost tt unit_op m' <= hi) as Hn'.
    { pose proof Hn as Hle. change (n + config_cost tt unit_op (c, k) <= hi) in Hle.
      etransitivity; [| exact Hle]. rewrite (Hc : config_cost tt unit_op (c, k) = _). lia. }
    destruct (IH _ Hlt m' (n + 1) eq_refl Hn') as (o & g & n' & H & Hs).
    exists o, (s_seq (s_work 1) g), n'. split.
    + eapply R_TICK; [left; lia | |]; eassumption.
    + simpl. rewrite Hs. symmetry. exact Hc.
Qed.

(** A tree of [2^e] leaves of [w] ticks. *)
Fixpoint tree (e w : nat) : uprog :=
  match e with 0 => leaf w | S e => fork (tree e w) (tree e w) end.

Lemma tree_cost : forall e w, cost (tree e w) = 2 ^ e * w.
Proof. intros e w. induction e as [| e IH]; simpl; lia. Qed.

Lemma tree_span : forall tau e w, span tau (tree e w) = e * tau + w.
Proof.
  unfold program.span. intros tau e w. induction e as [| e IH]; [reflexivity |].
  cbn [tree wspan]. rewrite IH. nia.
Qed.

Lemma exponential : forall c, exists e, 2 ^ e > c * (e + 1).
Proof.
  intro c. exists ((c + 1) + ((c + 1) + (c + 1))).
  assert (forall n, 2 ^ n >= n + 1) as H1.
  { intro n. induction n as [| n IH]; simpl; lia. }
  rewrite (Nat.pow_add_r 2 (c + 1) (c + 1 + (c + 1))), (Nat.pow_add_r 2 (c + 1) (c + 1)).
  specialize (H1 (c + 1)). set (x := 2 ^ (c + 1)) in *.
  assert (x * x >= (c + 2) * (c + 2)) as H2 by nia.
  assert (x * (x * x) >= (c + 2) * ((c + 2) * (c + 2))) as H3 by (apply Nat.mul_le_mono; [lia | exact H2]).
  assert (c * (c + 1 + (c + 1 + (c + 1)) + 1) <= c * ((c + 2) * (c + 2))) as H4 by (apply Nat.mul_le_mono_l; nia).
  nia.
Qed.

(** *** Lazy beats have no bound on the span where nobody takes what is promoted

    The first beat promotes the outer fork. Its right branch stays on offer until the join, so all beats of the left
    branch wait, and it runs serially ([hi] is its cost). *)
Theorem lazy_has_no_span : forall factor tau N, tau > 0 -> N > 0 -> exists p hi g n',
  runs tau N hi 1 (start p) 0 (ok tt) g 1 n' /\
  tau * s_span g > factor * ((tau + N) * span tau p).
Proof.
  intros factor tau N Htau HN.
  destruct (exponential (factor * (tau + N) * (2 * tau + 2 * N))) as [e He].
  set (inner := p_bind (leaf N) (fun _ : unit => tree e N)).
  set (k := [f_bind (fun _ : unit => tree e N)]).
  destruct (serial_run tau N (N + N * 2 ^ e) 1 (c_run (leaf 0), k) 0) as (o & g & n' & H & Hs); [lia | |].
  { unfold config_cost. simpl. rewrite tree_cost. lia. }
  unfold config_cost in Hs. simpl in Hs. rewrite tree_cost in Hs.
  assert (o = ok tt) as ->.
  { apply (outcome_of_runs tt unit_op unit_assoc unit_one unit_one_r) in H. subst o. unfold config_value. simpl.
    destruct (value (tree e N)) as [[] | x] eqn:Hv; [reflexivity |]. exfalso. revert x Hv.
    clear. induction e as [| e IH]; simpl; [discriminate |]. intros x.
    destruct (value (tree e N)) as [[] | y]; [discriminate |]. exfalso. eapply IH; reflexivity. }
  exists (fork inner (leaf 0)), (N + N * 2 ^ e),
    (after N (s_seq (s_seq (s_work tau) (s_par g (s_work 0))) (s_work 0))), 0.
  split.
  - eapply R_MOVE; [constructor |]. eapply R_MOVE; [constructor |].
    replace (leaf N) with (p_leaf (N + 0) (ok tt)) by (rewrite Nat.add_0_r; reflexivity).
    apply leaf_ticks; [left; simpl; lia |].
    apply (R_FORK _ _ tau N _ 1 (c_run (leaf 0)) k unit_op (leaf 0) [] _ (ok tt) g 0 n' 0 (ok tt) (s_work 0) 0 0 0 (ok tt)
             (s_work 0) 0 0 0);
      try lia; try reflexivity.
    + exact H.
    + eapply R_MOVE; constructor.
    + apply R_DONE.
  - rewrite after_span. cbn [s_span]. rewrite Hs.
    assert (span tau (fork inner (leaf 0)) = tau + N + e * tau + N) as ->.
    { unfold program.span, inner. simpl. pose proof (tree_span tau e N) as Ht. unfold program.span in Ht. rewrite Ht. lia. }
    assert (factor * ((tau + N) * (tau + N + e * tau + N))
            <= factor * (tau + N) * (2 * tau + 2 * N) * (e + 1)) as H1 by nia.
    assert (2 ^ e <= tau * (N + (tau + Nat.max (2 ^ e * N + 0) 0 + 0))) as H2.
    { replace (Nat.max (2 ^ e * N + 0) 0) with (2 ^ e * N) by lia. nia. }
    lia.
Qed.

(** *** Free code must be short: it is serial, however parallel it could be *)

Theorem free_code_is_serial : forall tau lo hi most p n o g k n',
  runs tau lo hi most (start (p_free p)) n o g k n' -> s_span g = cost p /\ k = 0.
Proof.
  intros tau lo hi most p n o g k n' H.
  assert (forall m n o g k n', runs tau lo hi most m n o g k n' ->
            forall w out, m = (c_free w out, []) \/ m = (c_ret out, []) /\ w = 0 -> s_span g = w /\ k = 0) as Hfree.
  { clear. intros m n o g k n' H.
    induction H as [o n | m m' n o g p n' Hm H IH | c s m' n o g p n' Hn Ht H IH | | ]; intros w out Hmw.
    - destruct Hmw as [Hm | [_ ->]]; [discriminate | auto].
    - destruct Hmw as [-> | [-> _]]; inversion Hm; subst. apply (IH 0 out). auto.
    - destruct Hmw as [E | [E _]]; inversion E; subst; inversion Ht; subst.
      destruct (IH w0 out (or_introl eq_refl)) as [E1 E2]. simpl. lia.
    - destruct Hmw as [E | [E _]]; inversion E; destruct k1; discriminate.
    - destruct Hmw as [E | [E _]]; inversion E; destruct k1; discriminate. }
  inversion H as [| m m' a b d e f Hm Hr | c s m' a b d e f Hn Ht Hr E
                 | c k1 f q k2 | c k1 acc i j r b k2]; subst.
  - inversion Hm; subst. eapply Hfree; [eassumption | left; reflexivity].
  - inversion Ht.
  - destruct k1; discriminate.
  - destruct k1; discriminate.
Qed.
