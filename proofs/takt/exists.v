(** Each machine has a run, whatever the beat: what is said of all runs is said of something. *)

From Coq Require Import Arith List Lia.
From Takt Require Import time.weighted takt.program takt.machine takt.work.
Import ListNotations.

Section exists_run.
Context {V : Type}.
Variables (one : V) (op : V -> V -> V).

Notation runs := (runs one op).
Notation value := (value one op).
Notation cost := (cost one op).

(** How many ticks and moves are left, at most. *)
Fixpoint size (p : prog V) : nat :=
  match p with
  | p_leaf w _ => w + 1
  | p_bind p q => size p + 2 + match value p with ok v => size (q v) | threw _ => 0 end
  | p_fork _ p q => size p + size q + 3
  | p_loop first count body => 2 + range_cost (fun i => size (body i) + 2) first count
  | p_free p => cost p + 2
  end.

Definition code_size (c : code (V := V)) : nat :=
  match c with c_run p => size p | c_free w _ => w + 1 | c_ret _ => 0 end.

Definition frame_size (f : frame (V := V)) (o : outcome V) : nat :=
  match f with
  | f_bind q => 1 + match o with ok v => size (q v) | threw _ => 0 end
  | f_left _ q => 2 + size q
  | f_right _ _ => 1
  | f_loop _ i j r b => 3 + range_cost (fun x => size (b x) + 2) i (j + r)
  end.

Fixpoint stack_size (k : stack (V := V)) (o : outcome V) : nat :=
  match k with [] => 0 | f :: k => frame_size f o + stack_size k (frame_value one op f o) end.

Definition config_size (m : config (V := V)) : nat :=
  code_size (fst m) + stack_size (snd m) (code_value one op (fst m)).

Lemma stack_size_app : forall a b o,
  stack_size (a ++ b) o = stack_size a o + stack_size b (stack_value one op a o).
Proof.
  intro a. induction a as [| f a IH]; intros b o; simpl; [reflexivity |]. rewrite IH. lia.
Qed.

Hypothesis op_assoc : forall x y z, op x (op y z) = op (op x y) z.
Hypothesis op_one_l : forall x, op one x = x.
Hypothesis op_one_r : forall x, op x one = x.

(** A machine that has not ended ticks or moves. *)
Lemma progress : forall most c k, most > 0 ->
  (exists o, c = c_ret o /\ k = []) \/
  (exists m', moves one op most (c, k) m' /\ config_size m' < config_size (c, k)) \/
  (exists m', ticks (c, k) m' /\ config_size m' < config_size (c, k)).
Proof.
  intros most c k Hmost. unfold config_size.
  destruct c as [p | w o | o].
  - destruct p as [[| w] o | p q | f p q | first [| count] body | p].
    + right; left. eexists. split; [constructor | simpl; lia].
    + right; right. eexists. split; [constructor | simpl; lia].
    + right; left. eexists. split; [constructor | simpl; lia].
    + right; left. eexists. split; [constructor | simpl; lia].
    + right; left. eexists. split; [constructor | simpl; lia].
    + right; left. eexists. split; [apply (m_loop one op most first 0 count body k Hmost) |].
      simpl. rewrite (both_one_l one op op_one_l). lia.
    + right; left. eexists. split; [constructor | simpl; lia].
  - destruct w as [| w].
    + right; left. eexists. split; [constructor | simpl; lia].
    + right; right. eexists. split; [constructor | simpl; lia].
  - destruct k as [| [q | f q | f o1 | acc i [| j] [| r] b] k].
    + left. eauto.
    + right; left. destruct o as [v | e]; eexists; (split; [constructor | simpl; lia]).
    + right; left. eexists. split; [constructor | simpl; lia].
    + right; left. eexists. split; [constructor | simpl; lia].
    + right; left. eexists. split; [constructor |]. simpl. rewrite (both_one_r one op op_one_r). lia.
    + right; left. eexists. split; [apply (m_claim one op most o acc i 0 r b k Hmost) |].
      simpl. rewrite (both_assoc op op_assoc). lia.
    + right; left. eexists. split; [constructor |]. simpl. rewrite (both_assoc op op_assoc). lia.
    + right; left. eexists. split; [constructor |]. simpl. rewrite (both_assoc op op_assoc). lia.
Qed.

Lemma halves_exist : forall r, exists h1 h2, h1 + h2 = S r /\ h1 <= h2 + 1 /\ h2 <= h1 + 1.
Proof.
  intro r. exists (S r / 2), (S r - S r / 2).
  pose proof (Nat.div_mod (S r) 2 ltac:(lia)). pose proof (Nat.mod_upper_bound (S r) 2 ltac:(lia)). lia.
Qed.

(** What is promoted is smaller in all its parts. *)
Theorem runs_exist : forall tau lo hi most m n, lo <= hi -> most > 0 ->
  exists o g p n', runs tau lo hi most m n o g p n'.
Proof.
  intros tau lo hi most m n Hlo Hmost. remember (config_size m) as size_m eqn:Hsize. revert m n Hsize.
  induction size_m as [size_m IH] using lt_wf_ind. intros [c k] n Hsize. subst size_m.
  destruct (progress most c k Hmost) as [(o & -> & ->) | [(m' & Hm & Hlt) | (m' & Ht & Hlt)]].
  - exists o, (s_work 0), 0, n. constructor.
  - destruct (IH _ Hlt m' n eq_refl) as (o & g & p & n' & H).
    exists o, g, p, n'. eapply R_MOVE; eassumption.
  - destruct (has_latent k) eqn:Hk; [destruct (le_lt_dec hi n) as [Hn | Hn] |].
    2: { destruct (IH _ Hlt m' (n + 1) eq_refl) as (o & g & p & n' & H).
         do 4 eexists. eapply R_TICK; [left | |]; eassumption. }
    2: { destruct (IH _ Hlt m' (n + 1) eq_refl) as (o & g & p & n' & H).
         do 4 eexists. eapply R_TICK; [right | |]; eassumption. }
    destruct (oldest_exists k Hk) as (k1 & f & k2 & -> & Hf & Hk2).
    assert (config_size (c, k1 ++ f :: k2) =
            code_size c + stack_size k1 (code_value one op c) +
            (frame_size f (stack_value one op k1 (code_value one op c)) +
             stack_size k2 (frame_value one op f (stack_value one op k1 (code_value one op c))))) as Hsize.
    { unfold config_size. cbn [fst snd]. rewrite stack_size_app. cbn [stack_size]. lia. }
    set (o1 := stack_value one op k1 (code_value one op c)) in *.
    assert (forall v n0, config_size (c_ret v, k2) < config_size (c, k1 ++ f :: k2) ->
              exists o g p n', runs tau lo hi most (c_ret v, k2) n0 o g p n') as Hafter.
    { intros v n0 Hv. eapply IH; [exact Hv | reflexivity]. }
    assert (forall c' k' o g p n', runs tau lo hi most (c', k') 0 o g p n' ->
              o = stack_value one op k' (code_value one op c'))
      as Hout.
    { intros c' k' o g p n' H.
      apply (outcome_of_runs one op op_assoc op_one_l op_one_r _ _ _ _ _ _ _ _ _ _ H). }
    destruct f as [q | f q | f o' | acc i j [| r] b]; try discriminate.
    + (* a fork *)
      cbn [frame_size] in Hsize.
      destruct (IH (config_size (c, k1)) ltac:(unfold config_size in *; cbn [fst snd] in *; lia) (c, k1) 0 eq_refl)
        as (v1 & g1 & p1 & n1' & H1).
      destruct (IH (config_size (c_run q, [])) ltac:(unfold config_size in *; simpl in *; lia) (c_run q, []) 0 eq_refl)
        as (v2 & g2 & p2 & n2' & H2).
      apply Hout in H1 as V1. apply Hout in H2 as V2. fold o1 in V1. subst v1 v2.
      destruct (Hafter (both f o1 (value q)) 0) as (o & g3 & p3 & n' & H3).
      { rewrite Hsize. unfold config_size. simpl. lia. }
      exists o, (s_seq (s_seq (s_work tau) (s_par g1 g2)) g3), (1 + p1 + p2 + p3), n'.
      eapply R_FORK; try eassumption; lia.
    + (* a loop *)
      destruct (halves_exist r) as (h1 & h2 & Hh & Hh1 & Hh2).
      assert (frame_size (f_loop acc i j (S r) b) o1 =
              3 + range_cost (fun x => size (b x) + 2) i j + range_cost (fun x => size (b x) + 2) (i + j) h1 +
              range_cost (fun x => size (b x) + 2) (i + j + h1) h2) as Hframe.
      { cbn [frame_size]. rewrite <- Hh, !range_cost_split. lia. }
      assert (range_cost (fun x => size (b x) + 2) (i + j) h1 + range_cost (fun x => size (b x) + 2) (i + j + h1) h2 > 0)
        as Hsome.
      { rewrite <- range_cost_split, Hh. simpl. lia. }
      destruct (IH (config_size (c, k1 ++ [f_loop acc i j 0 b]))
                  ltac:(unfold config_size in *; cbn [fst snd] in *; rewrite stack_size_app; cbn [stack_size frame_size];
                        rewrite !Nat.add_0_r; lia) (c, k1 ++ [f_loop acc i j 0 b]) 0 eq_refl)
        as (v1 & g1 & p1 & n1' & H1).
      destruct (IH (config_size (c_run (p_loop (i + j) h1 b), []))
                  ltac:(unfold config_size in *; cbn [fst snd code_size stack_size size] in *; lia)
                  (c_run (p_loop (i + j) h1 b), []) 0 eq_refl) as (v2 & g2 & p2 & n2' & H2).
      destruct (IH (config_size (c_run (p_loop (i + j + h1) h2 b), []))
                  ltac:(unfold config_size in *; cbn [fst snd code_size stack_size size] in *; lia)
                  (c_run (p_loop (i + j + h1) h2 b), []) 0 eq_refl) as (v3 & g3 & p3 & n3' & H3).
      apply Hout in H1 as V1. apply Hout in H2 as V2. apply Hout in H3 as V3.
      rewrite stack_value_app in V1. fold o1 in V1. cbn [stack_value] in V1, V2, V3.
      assert (both op (both op v1 v2) v3 = frame_value one op (f_loop acc i j (S r) b) o1) as Hvalue.
      { subst v1 v2 v3.
        apply (promoted_loop_value one op op_assoc op_one_l acc i j h1 h2 r b o1 Hh). }
      destruct (Hafter (both op (both op v1 v2) v3) 0) as (o & g4 & p4 & n' & H4).
      { rewrite Hvalue, Hsize, Hframe. unfold config_size. cbn [fst snd code_size code_value]. lia. }
      exists o, (s_seq (s_seq (s_work tau) (s_par g1 (s_par g2 g3))) g4), (1 + p1 + p2 + p3 + p4), n'.
      eapply R_LOOP; try eassumption; lia.
Qed.

End exists_run.
