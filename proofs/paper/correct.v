(** Theorem 1: the three semantics agree on values. And more: each has exactly one run from each machine. *)

From Coq Require Import Arith List Lia.
From Takt Require Import paper.graph paper.machine paper.semantics.
Import ListNotations.

(** ** Values: each semantics computes what the sequential machine does. *)

Lemma par_runs : forall m v g, par m v g -> exists len, runs m v len.
Proof.
  intros m v g H.
  induction H as [v | c k m' v g Hp Hs H [len IH]
                 | e1 e2 s k v1 v2 v g1 g2 g3 H1 [a IH1] H2 [b IH2] H3 [d IH3]].
  - exists 0. constructor.
  - exists (S len). econstructor; eassumption.
  - exists (a + b + d + 3). apply runs_pair. exists v1, v2, a, b, d. auto.
Qed.

Lemma beats_runs : forall lo hi m n v g, beats lo hi m n v g -> exists len, runs m v len.
Proof.
  intros lo hi m n v g H.
  induction H as [v n | c k n m' v g Hn Hs H [len IH]
                 | c k1 e2 s k2 n v1 v2 v g1 g2 g3 Hn Hk H1 [a IH1] H2 [b IH2] H3 [d IH3]].
  - exists 0. constructor.
  - exists (S len). econstructor; eassumption.
  - exists (a + b + d + 2). apply runs_through_frame. exists v1, v2, a, b, d. auto.
Qed.

(** ** Existence: where the sequential machine ends, so do the others. *)

Lemma runs_par : forall len m v, runs m v len -> exists g, par m v g.
Proof.
  intro len. induction len as [len IH] using lt_wf_ind. intros [c k] v H.
  assert (is_pair c \/ ~ is_pair c) as [Hp | Hp].
  { destruct c as [[] |]; simpl; tauto. }
  - destruct c as [[x | x e | e1 e2 | e1 e2] s | u]; try contradiction.
    apply runs_pair in H as (v1 & v2 & a & b & d & Ha & Hb & Hd & ->).
    destruct (IH a ltac:(lia) _ _ Ha) as [g1 H1].
    destruct (IH b ltac:(lia) _ _ Hb) as [g2 H2].
    destruct (IH d ltac:(lia) _ _ Hd) as [g3 H3].
    eexists. eapply PARPAIR; eassumption.
  - inversion H as [u | m m' u len' Hs Hr]; subst.
    + eexists. constructor.
    + destruct (IH len' ltac:(lia) _ _ Hr) as [g Hg]. eexists. eapply PARSTEP; eassumption.
Qed.

Lemma runs_hb : forall N len m v n, runs m v len -> exists g, hb N m n v g.
Proof.
  intros N len. induction len as [len IH] using lt_wf_ind. intros [c k] v n H.
  destruct (has_latent k) eqn:Hk; [destruct (le_lt_dec N n) as [Hn | Hn] |].
  - destruct (oldest_exists k Hk) as (k1 & e2 & s & k2 & -> & Hk2).
    apply runs_through_frame in H as (v1 & v2 & a & b & d & Ha & Hb & Hd & ->).
    destruct (IH a ltac:(lia) _ _ 0 Ha) as [g1 H1].
    destruct (IH b ltac:(lia) _ _ 0 Hb) as [g2 H2].
    destruct (IH d ltac:(lia) _ _ 0 Hd) as [g3 H3].
    eexists. eapply HBPROMOTE; try eassumption. apply not_promotable. assumption.
  - inversion H as [u | m m' u len' Hs Hr]; subst.
    + discriminate.
    + destruct (IH len' ltac:(lia) _ _ (n + 1) Hr) as [g Hg].
      eexists. eapply HBSTEP; [left | |]; eassumption.
  - inversion H as [u | m m' u len' Hs Hr]; subst.
    + eexists. constructor.
    + destruct (IH len' ltac:(lia) _ _ (n + 1) Hr) as [g Hg].
      eexists. eapply HBSTEP; [right; apply not_promotable | |]; eassumption.
Qed.

(** The paper's theorem 1, for any machine, with credits [n] to begin with. *)
Theorem theorem_1_correctness : forall N m v,
  ((exists g, seq m v g) <-> (exists g, par m v g)) /\
  ((exists g, par m v g) <-> (exists g, hb N m 0 v g)).
Proof.
  intros N m v. split; split.
  - intros [g H]. destruct (seq_runs 0 _ _ _ H) as [Hr _]. eapply runs_par; eassumption.
  - intros [g H]. apply par_runs in H as [len Hr]. eapply runs_seq; eassumption.
  - intros [g H]. apply par_runs in H as [len Hr]. eapply runs_hb; eassumption.
  - intros [g H]. apply hb_is_beats in H. apply beats_runs in H as [len Hr]. eapply runs_par; eassumption.
Qed.

(** ** Uniqueness: the result and the cost graph of a run are functions of the machine. *)

Theorem seq_unique : forall m v g v' g', seq m v g -> seq m v' g' -> v = v' /\ g = g'.
Proof.
  intros m v g v' g' H. revert v' g'.
  induction H as [v | m m' v g Hs H IH]; intros v' g' H'; inversion H'; subst.
  - auto.
  - exfalso. eapply no_step_from_result; eassumption.
  - exfalso. eapply no_step_from_result; eassumption.
  - assert (m' = m'0) as -> by (eapply step_deterministic; eassumption).
    destruct (IH _ _ H1) as [-> ->]. auto.
Qed.

Theorem par_unique : forall m v g v' g', par m v g -> par m v' g' -> v = v' /\ g = g'.
Proof.
  intros m v g v' g' H. revert v' g'.
  induction H as [v | c k m' v g Hp Hs H IH
                 | e1 e2 s k v1 v2 v g1 g2 g3 H1 IH1 H2 IH2 H3 IH3]; intros v' g' H'.
  - inversion H'; subst; [auto | exfalso; eapply no_step_from_result; eassumption].
  - inversion H' as [| c' k' m'' w h Hp' Hs' Hr | e1 e2 s k' v1 v2 w g1 g2 g3 H1 H2 H3]; subst.
    + exfalso. eapply no_step_from_result; eassumption.
    + assert (m' = m'') as -> by (eapply step_deterministic; eassumption).
      destruct (IH _ _ Hr) as [-> ->]. auto.
    + exfalso. apply Hp. exact I.
  - inversion H' as [| c' k' m'' w h Hp' Hs' Hr | e1' e2' s' k' v1' v2' w g1' g2' g3' H1' H2' H3']; subst.
    + exfalso. apply Hp'. exact I.
    + destruct (IH1 _ _ H1') as [-> ->]. destruct (IH2 _ _ H2') as [-> ->].
      destruct (IH3 _ _ H3') as [-> ->]. auto.
Qed.

(** The heartbeat semantics is deterministic: there is one run, and so one cost graph. *)
Theorem hb_unique : forall N m n v g v' g', hb N m n v g -> hb N m n v' g' -> v = v' /\ g = g'.
Proof.
  intros N m n v g v' g' H. revert v' g'.
  induction H as [v n | c k n m' v g Hn Hs H IH
                 | c k1 e2 s k2 n v1 v2 v g1 g2 g3 Hn Hk H1 IH1 H2 IH2 H3 IH3]; intros v' g' H'.
  - inversion H' as [| c k n' m' w g Hn Hs Hr | c k1 e2 s k2 n' v1 v2 w g1 g2 g3 Hn Hk H1 H2 H3]; subst.
    + auto.
    + exfalso. eapply no_step_from_result; eassumption.
    + destruct k1; discriminate.
  - inversion H' as [| c' k' n' m'' w h Hn' Hs' Hr | c' k1 e2 s k2 n' v1 v2 w g1 g2 g3 Hn' Hk H1 H2 H3]; subst.
    + exfalso. eapply no_step_from_result; eassumption.
    + assert (m' = m'') as -> by (eapply step_deterministic; eassumption).
      destruct (IH _ _ Hr) as [-> ->]. auto.
    + exfalso. destruct Hn as [Hn | Hn]; [lia |]. apply Hn. exists e2, s. apply in_app_iff. simpl. auto.
  - inversion H' as [| c' k' n' m'' w h Hn' Hs' Hr | c' k1' e2' s' k2' n' v1' v2' w g1' g2' g3' Hn' Hk' H1' H2' H3'];
      subst.
    + destruct k1; discriminate.
    + exfalso. destruct Hn' as [Hn' | Hn']; [lia |]. apply Hn'. exists e2, s. apply in_app_iff. simpl. auto.
    + match goal with E : _ ++ _ :: _ = _ ++ _ :: _ |- _ =>
        destruct (oldest_unique _ _ _ _ _ _ _ _ E) as (-> & -> & -> & ->);
          [apply not_promotable; assumption | apply not_promotable; assumption |]
      end.
      destruct (IH1 _ _ H1') as [-> ->]. destruct (IH2 _ _ H2') as [-> ->].
      destruct (IH3 _ _ H3') as [-> ->]. auto.
Qed.
