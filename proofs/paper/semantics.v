(** The three semantics: figures 4, 5 and 6 of the Heartbeat paper, and a more general one. *)

From Coq Require Import Arith List Lia.
From Takt Require Import paper.graph paper.machine.
Import ListNotations.

(** Figure 4: [m =>seq v; g]. *)
Inductive seq : config -> value -> graph -> Prop :=
| SEQVAL : forall v, seq (c_value v, []) v g_zero
| SEQSTEP : forall m m' v g,
    step m m' -> seq m' v g -> seq m v (g_seq g_one g).

Definition is_pair (c : code) : Prop :=
  match c with c_expr (e_pair _ _) _ => True | _ => False end.

(** Figure 5: [m =>par v; g]. *)
Inductive par : config -> value -> graph -> Prop :=
| PARVAL : forall v, par (c_value v, []) v g_zero
| PARSTEP : forall c k m' v g,
    ~ is_pair c -> step (c, k) m' -> par m' v g -> par (c, k) v (g_seq g_one g)
| PARPAIR : forall e1 e2 s k v1 v2 v g1 g2 g3,
    par (c_expr e1 s, []) v1 g1 ->
    par (c_expr e2 s, []) v2 g2 ->
    par (c_value (v_pair v1 v2), k) v g3 ->
    par (c_expr (e_pair e1 e2) s, k) v (g_seq (g_par g1 g2) g3).

(** Figure 6: [m; n =>hb v; g]. *)
Inductive hb (N : nat) : config -> nat -> value -> graph -> Prop :=
| HBVAL : forall v n, hb N (c_value v, []) n v g_zero
| HBSTEP : forall c k n m' v g,
    n < N \/ ~ promotable k ->
    step (c, k) m' ->
    hb N m' (n + 1) v g ->
    hb N (c, k) n v (g_seq g_one g)
| HBPROMOTE : forall c k1 e2 s k2 n v1 v2 v g1 g2 g3,
    n >= N ->
    ~ promotable k2 ->
    hb N (c, k1) 0 v1 g1 ->
    hb N (c_expr e2 s, []) 0 v2 g2 ->
    hb N (c_value (v_pair v1 v2), k2) 0 v g3 ->
    hb N (c, k1 ++ f_pairl e2 s :: k2) n v (g_seq (g_par g1 g2) g3).

(** Beats that come early or late: the oldest frame may be promoted from [lo] steps after the last promotion on,
    and is promoted at [hi] steps at the latest. In between either may happen. The paper's semantics is
    [lo = hi = N]. Beats late by at most [d] are [lo = N] and [hi = N + d]. *)
Inductive beats (lo hi : nat) : config -> nat -> value -> graph -> Prop :=
| B_VAL : forall v n, beats lo hi (c_value v, []) n v g_zero
| B_STEP : forall c k n m' v g,
    n < hi \/ ~ promotable k ->
    step (c, k) m' ->
    beats lo hi m' (n + 1) v g ->
    beats lo hi (c, k) n v (g_seq g_one g)
| B_PROMOTE : forall c k1 e2 s k2 n v1 v2 v g1 g2 g3,
    n >= lo ->
    ~ promotable k2 ->
    beats lo hi (c, k1) 0 v1 g1 ->
    beats lo hi (c_expr e2 s, []) 0 v2 g2 ->
    beats lo hi (c_value (v_pair v1 v2), k2) 0 v g3 ->
    beats lo hi (c, k1 ++ f_pairl e2 s :: k2) n v (g_seq (g_par g1 g2) g3).

Lemma hb_is_beats : forall N m n v g, hb N m n v g <-> beats N N m n v g.
Proof.
  intros N m n v g. split; intro H.
  - induction H; econstructor; eassumption.
  - induction H; econstructor; eassumption.
Qed.

(** [runs m v len]: the machine takes [len] transitions to the result [v]. *)
Inductive runs : config -> value -> nat -> Prop :=
| runs_done : forall v, runs (c_value v, []) v 0
| runs_step : forall m m' v len, step m m' -> runs m' v len -> runs m v (S len).

Lemma seq_runs : forall tau m v g, seq m v g -> runs m v (work tau g) /\ span tau g = work tau g.
Proof.
  intros tau m v g H. induction H as [v | m m' v g Hstep H IH]; simpl.
  - split; [constructor | reflexivity].
  - destruct IH as [IHr IHs]. split; [econstructor; eassumption | lia].
Qed.

Lemma runs_seq : forall m v len, runs m v len -> exists g, seq m v g.
Proof.
  intros m v len H. induction H as [v | m m' v len Hstep H [g IH]]; eexists; econstructor; eassumption.
Qed.

Lemma runs_deterministic : forall m v len v' len',
  runs m v len -> runs m v' len' -> v = v' /\ len = len'.
Proof.
  intros m v len v' len' H. revert v' len'.
  induction H as [v | m m' v len Hstep H IH]; intros v' len' H'; inversion H'; subst.
  - auto.
  - exfalso. eapply no_step_from_result; eassumption.
  - exfalso. eapply no_step_from_result; eassumption.
  - assert (m' = m'0) as -> by (eapply step_deterministic; eassumption).
    destruct (IH _ _ H1) as [-> ->]. auto.
Qed.

(** Runs on a stack in two parts are runs on the one, then on the other. *)
Lemma runs_join : forall c k v1 a rest v b,
  runs (c, k) v1 a -> runs (c_value v1, rest) v b -> runs (c, k ++ rest) v (a + b).
Proof.
  intros c k v1 a rest v b H. remember (c, k) as m eqn:Hm. revert c k Hm.
  induction H as [v1 | m [c' k'] v1 a Hstep H IH]; intros c k Hm Hb.
  - injection Hm as <- <-. exact Hb.
  - subst m. simpl. econstructor; [eapply step_below; eassumption |]. apply IH; auto.
Qed.

Lemma runs_split : forall c k rest v len,
  runs (c, k ++ rest) v len ->
  exists v1 a b, runs (c, k) v1 a /\ runs (c_value v1, rest) v b /\ len = a + b.
Proof.
  intros c k rest v len H. remember (c, k ++ rest) as m eqn:Hm. revert c k Hm.
  induction H as [v | m m' v len Hstep H IH]; intros c k Hm.
  - injection Hm as <- Hk. symmetry in Hk. apply app_eq_nil in Hk as [-> ->].
    exists v, 0, 0. repeat split; constructor.
  - subst m. destruct (step_above _ _ _ _ Hstep) as [(v1 & -> & ->) | (c' & k' & -> & Hs)].
    + exists v1, 0, (S len). repeat split; [constructor | econstructor; eassumption].
    + destruct (IH _ _ eq_refl) as (v1 & a & b & Ha & Hb & ->).
      exists v1, (S a), b. repeat split; [econstructor; eassumption | assumption].
Qed.

(** A run through a latent frame: the left branch, the right one, and what comes after the pair. *)
Lemma runs_through_frame : forall c k1 e2 s k2 v len,
  runs (c, k1 ++ f_pairl e2 s :: k2) v len <->
  exists v1 v2 a b d,
    runs (c, k1) v1 a /\ runs (c_expr e2 s, []) v2 b /\ runs (c_value (v_pair v1 v2), k2) v d /\
    len = a + b + d + 2.
Proof.
  intros c k1 e2 s k2 v len. split.
  - intro H. destruct (runs_split _ _ _ _ _ H) as (v1 & a & b & Ha & Hb & ->).
    inversion Hb as [| m m' v' len' Hstep Hr]; subst.
    inversion Hstep; subst.
    change (f_pairr v1 :: k2) with ([] ++ f_pairr v1 :: k2) in Hr.
    destruct (runs_split _ _ _ _ _ Hr) as (v2 & a2 & b2 & Ha2 & Hb2 & ->).
    inversion Hb2 as [| m m' v' len'' Hstep2 Hr2]; subst. inversion Hstep2; subst.
    exists v1, v2, a, a2, len''. repeat split; try assumption. lia.
  - intros (v1 & v2 & a & b & d & Ha & Hb & Hd & ->).
    replace (a + b + d + 2) with (a + S (b + S d)) by lia.
    eapply runs_join; [eassumption |].
    econstructor; [constructor |].
    change (f_pairr v1 :: k2) with ([] ++ f_pairr v1 :: k2).
    eapply runs_join; [eassumption |].
    econstructor; [constructor | assumption].
Qed.

(** A pair is the step to its left branch and a run through the frame. *)
Lemma runs_pair : forall e1 e2 s k v len,
  runs (c_expr (e_pair e1 e2) s, k) v len <->
  exists v1 v2 a b d,
    runs (c_expr e1 s, []) v1 a /\ runs (c_expr e2 s, []) v2 b /\ runs (c_value (v_pair v1 v2), k) v d /\
    len = a + b + d + 3.
Proof.
  intros e1 e2 s k v len. split.
  - intro H. inversion H as [| m m' v' len' Hstep Hr]; subst. inversion Hstep; subst.
    apply (runs_through_frame _ []) in Hr as (v1 & v2 & a & b & d & Ha & Hb & Hd & ->).
    exists v1, v2, a, b, d. repeat split; try assumption. lia.
  - intros (v1 & v2 & a & b & d & Ha & Hb & Hd & ->).
    replace (a + b + d + 3) with (S (a + b + d + 2)) by lia.
    econstructor; [constructor |]. apply (runs_through_frame _ []).
    exists v1, v2, a, b, d. repeat split; assumption.
Qed.
