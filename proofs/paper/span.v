(** Theorem 3: the bound on the span. *)

From Coq Require Import Arith List Lia.
From Takt Require Import paper.graph paper.machine paper.semantics paper.correct paper.open_span.
Import ListNotations.

(** What the induction needs: with a fork weighing [tau + hi], the span of what is open pays for the run, and for the
    credits while a frame is latent. *)
Lemma beats_span : forall tau lo hi, tau > 0 -> hi > 0 -> forall m n v g,
  beats lo hi m n v g ->
  forall x, open_span 1 1 (tau + hi) m v x ->
  span tau g + (if has_latent (snd m) then Nat.min n hi else 0) <= x.
Proof.
  intros tau lo hi Htau Hhi m n v g H.
  assert (1 <= tau + hi) as Hweights by lia.
  induction H as [v n | c k n [c' k'] v g Hn Hs H IH
                 | c k1 e2 s k2 n v1 v2 v g1 g2 g3 Hn Hk H1 IH1 H2 IH2 H3 IH3]; intros x Hx.
  - simpl. lia.
  - destruct (open_span_runs _ _ _ _ _ _ Hx) as [len Hr].
    destruct (open_span_step _ _ _ Hweights _ _ _ _ _ _ _ Hr Hs Hx) as (y & Hy & Hle & Hpop).
    destruct (has_latent k) eqn:Hk.
    + (* the step is paid by the credit that it adds, or by the fork whose frame it pops *)
      specialize (IH y Hy). simpl in *. rewrite Hk.
      destruct Hn as [Hn | Hn]; [| exfalso; apply Hn; apply has_latent_promotable; assumption].
      destruct (has_latent k') eqn:Hk'; [lia | specialize (Hpop eq_refl eq_refl); lia].
    + (* what a step takes from the span pays for it; that of a pair is paid by the credit, which counts from now on *)
      destruct (open_span_step_flat _ _ _ _ _ _ _ _ Hk Hs Hx) as (z & Hz & Hcase).
      specialize (IH z Hz). simpl in *. rewrite Hk.
      inversion Hs; subst; simpl in *; try congruence; try rewrite Hk in IH; lia.
  - apply not_promotable in Hk.
    apply open_span_latent in Hx as (w1 & w2 & s1 & s2 & s3 & X1 & X2 & X3 & ->); [| assumption].
    destruct (beats_runs _ _ _ _ _ _ H1) as [l1 R1]. destruct (beats_runs _ _ _ _ _ _ H2) as [l2 R2].
    assert (w1 = v1) as -> by (eapply open_span_value; eassumption).
    assert (w2 = v2) as -> by (eapply open_span_value; eassumption).
    specialize (IH1 _ X1). specialize (IH2 _ X2). specialize (IH3 _ X3).
    simpl. rewrite has_latent_app. simpl. rewrite Bool.orb_true_r. lia.
Qed.

(** *** Stronger than the paper's theorem 3: each fork on the longest path waits for at most one beat

    The span of a run is at most the span of the parallel program where a fork costs [tau + hi] in place of [tau]. It
    holds for beats of any lateness, from any credit; only [hi] counts. *)
Theorem span_of_beats : forall tau lo hi, tau > 0 -> hi > 0 -> forall m n v g gp,
  ~ promotable (snd m) -> beats lo hi m n v g -> par m v gp ->
  span tau g <= span (tau + hi) gp.
Proof.
  intros tau lo hi Htau Hhi m n v g gp Hk Hb Hp. apply not_promotable in Hk.
  pose proof (par_open_span (tau + hi) m v gp Hk Hp) as Hx.
  pose proof (beats_span tau lo hi Htau Hhi _ _ _ _ Hb _ Hx) as H. rewrite Hk in H. lia.
Qed.

Lemma span_scale : forall tau N g, tau * span (tau + N) g <= (tau + N) * span tau g.
Proof.
  intros tau N g. induction g as [| | a IHa b IHb | a IHa b IHb]; simpl; nia.
Qed.

(** The bound in the paper's form: only [hi] counts. *)
Theorem span_bound_of_beats : forall tau lo hi, tau > 0 -> hi > 0 -> forall m n v g gp,
  ~ promotable (snd m) -> beats lo hi m n v g -> par m v gp ->
  tau * span tau g <= (tau + hi) * span tau gp.
Proof.
  intros tau lo hi Htau Hhi m n v g gp Hk Hb Hp.
  pose proof (span_of_beats tau lo hi Htau Hhi m n v g gp Hk Hb Hp) as H.
  pose proof (span_scale tau hi gp). nia.
Qed.

(** The paper's theorem 3, multiplied by tau, for every machine without latent frames on its stack: every program is
    one, [c_expr e s] on TOP. *)
Theorem theorem_3_span : forall tau N, tau > 0 -> N > 0 -> forall m v gp,
  ~ promotable (snd m) -> par m v gp ->
  exists gh, hb N m 0 v gh /\ tau * span tau gh <= (tau + N) * span tau gp.
Proof.
  intros tau N Htau HN m v gp Hk Hp. destruct (par_runs _ _ _ Hp) as [len Hr].
  destruct (runs_hb N _ _ _ 0 Hr) as [gh Hh]. exists gh. split; [assumption |].
  apply hb_is_beats in Hh as Hb. eapply span_bound_of_beats; eassumption.
Qed.

(** The same of every heartbeat run, of which there is one, and the stronger bound. *)
Theorem theorem_3_of_the_run : forall tau N, tau > 0 -> N > 0 -> forall m v v' gp gh,
  ~ promotable (snd m) -> par m v gp -> hb N m 0 v' gh ->
  v' = v /\ span tau gh <= span (tau + N) gp /\ tau * span tau gh <= (tau + N) * span tau gp.
Proof.
  intros tau N Htau HN m v v' gp gh Hk Hp Hh.
  destruct (theorem_3_span tau N Htau HN m v gp Hk Hp) as (g & Hg & Hle).
  destruct (hb_unique _ _ _ _ _ _ _ Hh Hg) as [-> ->].
  split; [reflexivity |]. split; [| assumption].
  apply hb_is_beats in Hg. eapply span_of_beats; eassumption.
Qed.

(** For a machine in the middle of a run, its latent frames count as the forks that they were: with [x] for the span of
    the halfway semantics, where a fork weighs [tau + N]. *)
Theorem theorem_3_of_any_machine : forall tau N, tau > 0 -> N > 0 -> forall m v x gh,
  open_span 1 1 (tau + N) m v x -> hb N m 0 v gh -> span tau gh <= x.
Proof.
  intros tau N Htau HN m v x gh Hx Hh. apply hb_is_beats in Hh.
  pose proof (beats_span tau N N Htau HN _ _ _ _ Hh _ Hx). lia.
Qed.

(** *** Why "for every machine without latent frames"

    The paper says "assume m =>par v; g" of any machine. In a machine that has a latent frame on its stack already, the
    parallel semantics runs the right branch of that frame after the left one, and charges no fork; the heartbeat
    semantics may promote it, which costs tau. So with tau large and the rest of the program short the bound is wrong
    by any factor. *)

Definition one_latent_frame : config :=
  let s := [(0, v_closure 0 (e_var 0) [])] in (c_expr (e_var 0) s, [f_pairl (e_var 0) s]).

Theorem theorem_3_needs_that : forall factor : nat, exists (tau : nat) v gp gh,
  par one_latent_frame v gp /\ hb 1 one_latent_frame 0 v gh /\
  tau * span tau gh > factor * ((tau + 1) * span tau gp).
Proof.
  intro factor. unfold one_latent_frame. set (u := v_closure 0 (e_var 0) []). set (s := [(0, u)]).
  exists (8 * factor + 1), (v_pair u u). eexists. eexists. split; [| split].
  - eapply PARSTEP; [intros [] | apply VAR; reflexivity |].
    eapply PARSTEP; [intros [] | apply PAIRR |].
    eapply PARSTEP; [intros [] | apply VAR; reflexivity |].
    eapply PARSTEP; [intros [] | apply PAIR |].
    apply PARVAL.
  - eapply HBSTEP; [left; lia | apply VAR; reflexivity |].
    eapply (HBPROMOTE 1 _ []); [lia | apply not_promotable; reflexivity | apply HBVAL | | apply HBVAL].
    eapply HBSTEP; [left; lia | apply VAR; reflexivity | apply HBVAL].
  - simpl. nia.
Qed.
