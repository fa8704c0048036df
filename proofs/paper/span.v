(** Theorem 3: the bound on the span. *)

From Coq Require Import Arith List Lia.
From Takt Require Import paper.graph paper.machine paper.semantics paper.correct paper.open_span.
Import ListNotations.

(** What the induction needs: with a transition weighing [tau + hi], the end of a pair [tau] and a fork
    [tau * (tau + hi)], the span of what is open pays for the run, and for the credits while a frame is latent. *)
Lemma beats_span : forall tau lo hi, tau > 0 -> hi > 0 -> forall m n v g,
  beats lo hi m n v g ->
  forall x, open_span (tau + hi) tau (tau * (tau + hi)) m v x ->
  tau * span tau g + (if has_latent (snd m) then tau * Nat.min n hi else 0) <= x.
Proof.
  intros tau lo hi Htau Hhi m n v g H.
  assert (tau <= tau * (tau + hi)) as Hweights by nia.
  induction H as [v n | c k n [c' k'] v g Hn Hs H IH
                 | c k1 e2 s k2 n v1 v2 v g1 g2 g3 Hn Hk H1 IH1 H2 IH2 H3 IH3]; intros x Hx.
  - simpl. lia.
  - destruct (open_span_runs _ _ _ _ _ _ Hx) as [len Hr].
    destruct (open_span_step _ _ _ Hweights _ _ _ _ _ _ _ Hr Hs Hx) as (y & Hy & Hle & Hpop).
    destruct (has_latent k) eqn:Hk.
    + (* a credit is worth tau: the step is paid by the one it adds, or by the fork whose frame it pops *)
      specialize (IH y Hy). simpl in *. rewrite Hk.
      destruct Hn as [Hn | Hn]; [| exfalso; apply Hn; apply has_latent_promotable; assumption].
      rewrite (Nat.min_l n hi) by lia.
      destruct (has_latent k') eqn:Hk'.
      * rewrite (Nat.min_l (n + 1) hi) in IH by lia. nia.
      * specialize (Hpop eq_refl eq_refl). nia.
    + (* what a step takes from the span pays for it; that of a pair is paid by the credit, which counts from now on *)
      destruct (open_span_step_flat _ _ _ _ _ _ _ _ Hk Hs Hx) as (z & Hz & Hcase).
      specialize (IH z Hz). simpl in *. rewrite Hk.
      inversion Hs; subst; simpl in *; try congruence; try rewrite Hk in IH; try nia.
  - apply not_promotable in Hk.
    apply open_span_latent in Hx as (w1 & w2 & s1 & s2 & s3 & X1 & X2 & X3 & ->); [| assumption].
    destruct (beats_runs _ _ _ _ _ _ H1) as [l1 R1]. destruct (beats_runs _ _ _ _ _ _ H2) as [l2 R2].
    assert (w1 = v1) as -> by (eapply open_span_value; eassumption).
    assert (w2 = v2) as -> by (eapply open_span_value; eassumption).
    specialize (IH1 _ X1). specialize (IH2 _ X2). specialize (IH3 _ X3).
    simpl. rewrite has_latent_app. simpl. rewrite Bool.orb_true_r.
    assert (tau * span tau g1 <= s1) by lia. assert (tau * span tau g2 <= s2) by lia.
    assert (tau * span tau g3 <= s3) by lia.
    assert (tau * Nat.max (span tau g1) (span tau g2) <= Nat.max s1 s2) by nia.
    assert (Nat.min n hi <= hi) by lia. nia.
Qed.

(** The bound on the span for beats of any lateness, from any credit: only [hi] counts. *)
Theorem span_bound_of_beats : forall tau lo hi, tau > 0 -> hi > 0 -> forall m n v g gp,
  ~ promotable (snd m) -> beats lo hi m n v g -> par m v gp ->
  tau * span tau g <= (tau + hi) * span tau gp.
Proof.
  intros tau lo hi Htau Hhi m n v g gp Hk Hb Hp. apply not_promotable in Hk.
  destruct (par_open_span (tau + hi) tau (tau * (tau + hi)) tau (tau + hi) m v gp) as (x & Hx & Hle);
    try assumption; try nia.
  pose proof (beats_span tau lo hi Htau Hhi _ _ _ _ Hb _ Hx) as H. rewrite Hk in H. lia.
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

(** The same of every heartbeat run, of which there is one. *)
Theorem theorem_3_of_the_run : forall tau N, tau > 0 -> N > 0 -> forall m v v' gp gh,
  ~ promotable (snd m) -> par m v gp -> hb N m 0 v' gh ->
  v' = v /\ tau * span tau gh <= (tau + N) * span tau gp.
Proof.
  intros tau N Htau HN m v v' gp gh Hk Hp Hh.
  destruct (theorem_3_span tau N Htau HN m v gp Hk Hp) as (g & Hg & Hle).
  destruct (hb_unique _ _ _ _ _ _ _ Hh Hg) as [-> ->]. auto.
Qed.

(** For a machine in the middle of a run, its latent frames count as the forks that they were: with [x] for the span of
    the halfway semantics in the paper's weights, one for a transition and tau for a fork. *)

Lemma open_span_scale : forall a b t a' b' t' r, a' <= r * a -> b' <= r * b -> t' <= r * t ->
  forall m v x, open_span a b t m v x -> exists y, open_span a' b' t' m v y /\ y <= r * x.
Proof.
  intros a b t a' b' t' r Ha Hb Ht m v x H.
  induction H as [v | c k m' v s Hk Hp He Hs H (y & Hy & Ly) | v1 v2 k v s Hk H (y & Hy & Ly)
                 | e1 e2 s k v1 v2 v s1 s2 s3 Hk H1 (x & Hx & Lx) H2 (y & Hy & Ly) H3 (z & Hz & Lz)
                 | c k1 e2 s k2 v1 v2 v s1 s2 s3 Hk H1 (x & Hx & Lx) H2 (y & Hy & Ly) H3 (z & Hz & Lz)].
  - exists 0. split; [constructor | lia].
  - exists (a' + y). split; [eapply O_STEP; eassumption | nia].
  - exists (b' + y). split; [eapply O_END; eassumption | nia].
  - exists (t' + Nat.max x y + z). split; [eapply O_PAIR; eassumption | nia].
  - exists (t' + Nat.max x y + z). split; [eapply O_LATENT; eassumption | nia].
Qed.

Theorem theorem_3_of_any_machine : forall tau N, tau > 0 -> N > 0 -> forall m v x gh,
  open_span 1 1 tau m v x -> hb N m 0 v gh -> tau * span tau gh <= (tau + N) * x.
Proof.
  intros tau N Htau HN m v x gh Hx Hh. apply hb_is_beats in Hh.
  destruct (open_span_scale 1 1 tau (tau + N) tau (tau * (tau + N)) (tau + N)
              ltac:(lia) ltac:(lia) ltac:(nia) _ _ _ Hx) as (y & Hy & Hle).
  pose proof (beats_span tau N N Htau HN _ _ _ _ Hh _ Hy). lia.
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
