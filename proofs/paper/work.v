(** Theorem 2: the bound on the work; and that a promotion comes at most once in N steps. *)

From Coq Require Import Arith List Lia.
From Takt Require Import paper.graph paper.machine paper.semantics paper.correct.
Import ListNotations.

(** What every run with at least [lo] steps between promotions does, from [n] credits: it makes the transitions of the
    sequential run, less two for each promotion, and promotes at most once for each [lo] credits. *)
Lemma beats_counts : forall lo hi m n v g len,
  beats lo hi m n v g -> runs m v len ->
  steps g + 2 * forks g = len /\ lo * forks g <= n + steps g.
Proof.
  unfold steps. intros lo hi m n v g len H. revert len.
  induction H as [v n | c k n m' v g Hn Hs H IH
                 | c k1 e2 s k2 n v1 v2 v g1 g2 g3 Hn Hk H1 IH1 H2 IH2 H3 IH3]; intros len Hr; simpl.
  - destruct (runs_deterministic _ _ _ _ _ Hr (runs_done v)) as [_ ->]. lia.
  - inversion Hr as [u | m m'' u len' Hs' Hr']; subst.
    + exfalso. eapply no_step_from_result; eassumption.
    + assert (m' = m'') as -> by (eapply step_deterministic; eassumption).
      destruct (IH _ Hr') as [IHa IHb]. split; lia.
  - apply runs_through_frame in Hr as (w1 & w2 & a & b & d & Ha & Hb & Hd & ->).
    destruct (beats_runs _ _ _ _ _ _ H1) as [a' Ha'].
    destruct (beats_runs _ _ _ _ _ _ H2) as [b' Hb'].
    destruct (runs_deterministic _ _ _ _ _ Ha Ha') as [-> <-].
    destruct (runs_deterministic _ _ _ _ _ Hb Hb') as [-> <-].
    destruct (IH1 _ Ha) as [I1 J1]. destruct (IH2 _ Hb) as [I2 J2]. destruct (IH3 _ Hd) as [I3 J3].
    split; nia.
Qed.

(** At most one promotion for each N steps. *)
Theorem promotions_at_most_one_per_N : forall N m v g gs,
  hb N m 0 v g -> seq m v gs -> N * forks g <= steps gs.
Proof.
  intros N m v g gs Hh Hs. apply hb_is_beats in Hh.
  destruct (seq_runs 0 _ _ _ Hs) as [Hr _].
  destruct (beats_counts _ _ _ _ _ _ _ Hh Hr) as [Ha Hb]. unfold steps in *. lia.
Qed.

(** The bound on the work for beats of any lateness, from any credit: only [lo] counts. *)
Theorem work_bound_of_beats : forall tau lo hi m n v g gs,
  beats lo hi m n v g -> seq m v gs ->
  lo * work tau g <= (lo + tau) * work tau gs + n * tau.
Proof.
  intros tau lo hi m n v g gs Hb Hs. destruct (seq_runs tau _ _ _ Hs) as [Hr _].
  destruct (beats_counts _ _ _ _ _ _ _ Hb Hr) as [Ha Hc].
  rewrite (work_is_steps_and_forks tau g). nia.
Qed.

(** The paper's theorem 2, multiplied by N. *)
Theorem theorem_2_work : forall tau N, tau > 0 -> N > 0 -> forall m v gs,
  seq m v gs ->
  exists gh, hb N m 0 v gh /\ N * work tau gh <= (N + tau) * work tau gs.
Proof.
  intros tau N Htau HN m v gs Hs. destruct (seq_runs tau _ _ _ Hs) as [Hr _].
  destruct (runs_hb N _ _ _ 0 Hr) as [gh Hh]. exists gh. split; [assumption |].
  pose proof (work_bound_of_beats tau N N _ _ _ _ _ (proj1 (hb_is_beats _ _ _ _ _) Hh) Hs). lia.
Qed.

(** The same of every heartbeat run, of which there is one. *)
Theorem theorem_2_of_the_run : forall tau N m v v' gs gh,
  seq m v gs -> hb N m 0 v' gh -> v' = v /\ N * work tau gh <= (N + tau) * work tau gs.
Proof.
  intros tau N m v v' gs gh Hs Hh. destruct (seq_runs tau _ _ _ Hs) as [Hr _].
  destruct (runs_hb N _ _ _ 0 Hr) as [g Hg]. destruct (hb_unique _ _ _ _ _ _ _ Hh Hg) as [-> ->].
  split; [reflexivity |].
  pose proof (work_bound_of_beats tau N N _ _ _ _ _ (proj1 (hb_is_beats _ _ _ _ _) Hh) Hs). lia.
Qed.
