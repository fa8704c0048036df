(** The checker is right: what it accepts is a run of takt's machine. *)

From Coq Require Import Arith List Lia Bool.
From Takt Require Import time.weighted takt.program takt.machine takt.work tie.checker.
Import ListNotations.

Section sound.
Context {V : Type}.
Variables (one : V) (op : V -> V -> V).
Variables (tau lo most : nat).

Notation runs := (runs one op).
Notation moves := (moves one op most).
Notation follow := (follow one op tau lo most).

(** A run with beats that are on time is one with beats that may come sooner, or later. *)
Lemma runs_wider : forall lo' hi hi' m n o g p n', lo' <= lo -> hi <= hi' ->
  runs tau lo hi most m n o g p n' -> runs tau lo' hi' most m n o g p n'.
Proof.
  intros lo' hi hi' m n o g p n' Hlo Hhi H.
  induction H as [o n | m m' n o g p n' Hm H IH | c k m' n o g p n' Hn Ht H IH
    | c k1 f q k2 n o1 g1 p1 n1' n2 o2 g2 p2 n2' n3 o g3 p3 n3' n' Hn Hk H1 IH1 H2 IH2 H3 IH3 Hc1 Hc2 Hc3
    | c k1 acc i j r b k2 h1 h2 n o1 g1 p1 n1' n2 o2 g2 p2 n2' n3 o3 g3 p3 n3' n4 o g4 p4 n4' n'
        Hn Hk Hh Hh1 Hh2 H1 IH1 H2 IH2 H3 IH3 H4 IH4 Hc1 Hc2 Hc3 Hc4].
  - constructor.
  - eapply R_MOVE; eassumption.
  - eapply R_TICK; [destruct Hn as [Hn | Hn]; [left; lia | right; assumption] | |]; eassumption.
  - eapply R_FORK; try eassumption. lia.
  - eapply R_LOOP; try eassumption. lia.
Qed.

Fixpoint after (w : nat) (g : sp) : sp :=
  match w with 0 => g | S w => s_seq (s_work 1) (after w g) end.

Lemma after_total : forall w g, s_total (after w g) = w + s_total g.
Proof. intros w g. induction w as [| w IH]; simpl; lia. Qed.

Lemma after_span : forall w g, s_span (after w g) = w + s_span g.
Proof. intros w g. induction w as [| w IH]; simpl; lia. Qed.

Lemma leaf_ticks : forall hi w out k n o g p n',
  n + w <= hi \/ has_latent k = false ->
  runs tau lo hi most (c_ret out, k) (n + w) o g p n' ->
  runs tau lo hi most (c_run (p_leaf w out), k) n o (after w g) p n'.
Proof.
  intros hi w. induction w as [| w IH]; intros out k n o g p n' Hn H; simpl.
  - rewrite Nat.add_0_r in H. eapply R_MOVE; [constructor | exact H].
  - eapply R_TICK; [| constructor |].
    + destruct Hn as [Hn | Hn]; [left; lia | right; assumption].
    + apply IH; [destruct Hn as [Hn | Hn]; [left; lia | right; assumption] |].
      replace (n + 1 + w) with (n + S w) by lia. exact H.
Qed.

Lemma find_oldest_sound : forall k k1 x k2,
  find_oldest (V := V) k = Some (k1, x, k2) ->
  plain k = plain k1 ++ fst x :: plain k2 /\ has_latent (plain k2) = false.
Proof.
  intro k. induction k as [| f k IH]; intros k1 x k2 H; simpl in H; [discriminate |].
  destruct (find_oldest k) as [[[k1' x'] k2'] |] eqn:Hk.
  - injection H as <- <- <-. destruct (IH _ _ _ eq_refl) as [E Hl]. simpl. rewrite E. auto.
  - destruct (is_latent (fst f)); [| discriminate]. injection H as <- <- <-. split; [reflexivity |].
    clear IH. induction k as [| f' k IH]; [reflexivity |]. simpl in *.
    destruct (find_oldest k) as [[[? ?] ?] |]; [discriminate |].
    destruct (is_latent (fst f')) eqn:Hf; [discriminate |]. simpl. apply IH. reflexivity.
Qed.

Lemma next_promotion_sound : forall k es k1 x k2 e,
  next_promotion (V := V) k es = Some (k1, x, k2, e) ->
  plain k = plain k1 ++ fst x :: plain k2 /\ has_latent (plain k2) = false.
Proof.
  intros k es k1 x k2 e H. unfold next_promotion in H.
  destruct es as [| [a | a | a | a b c | a b c d f] es]; try discriminate.
  destruct (find_oldest k) as [[[k1' x'] k2'] |] eqn:Hk; [| discriminate].
  destruct (promotes x' (e_promote a b c d f :: es)); [| discriminate].
  injection H as <- <- <- <-. apply find_oldest_sound. assumption.
Qed.

Lemma next_claim_at_most : forall es left, next_claim left es <= left.
Proof.
  intro es. induction es as [| e es IH]; intro left; simpl; [lia |].
  destruct e as [x | x | [j |] | w t b | w t x f h]; simpl; try lia. apply IH.
Qed.

Lemma move_sound : forall c k es c' k' es',
  move one op most c k es = Some (c', k', es') -> moves (c, plain k) (c', plain k').
Proof.
  intros c k es c' k' es' H. unfold move in H.
  destruct c as [[[| w] o | p q | f p q | i count b | p] | [| w] o | o]; try discriminate.
  - injection H as <- <- <-. constructor.
  - injection H as <- <- <-. constructor.
  - destruct es as [| [x | x | x | x y z | x y z u v] es]; try discriminate. injection H as <- <- <-. constructor.
  - injection H as <- <- <-. constructor.
  - injection H as <- <- <-. constructor.
  - destruct k as [| [[q | f q | f o1 | acc i [| j] [| r] b] name] k]; try discriminate.
    + injection H as <- <- <-. destruct o as [v | e]; constructor.
    + injection H as <- <- <-. constructor.
    + injection H as <- <- <-. constructor.
    + injection H as <- <- <-. constructor.
    + pose proof (next_claim_at_most es r) as Hle. set (j := next_claim r es) in *.
      destruct (Nat.ltb_spec j most) as [Hj | Hj]; [| discriminate]. injection H as <- <- <-.
      unfold plain. simpl. replace r with (j + (r - j)) at 1 by lia. constructor. assumption.
    + injection H as <- <- <-. constructor.
    + injection H as <- <- <-. constructor.
Qed.

Lemma begin_loop_sound : forall name i count b k es c' k',
  begin_loop one most name i count b k es = Some (c', k') -> moves (c_run (p_loop i count b), plain k) (c', plain k').
Proof.
  intros name i count b k es c' k' H. unfold begin_loop in H. destruct count as [| n].
  - injection H as <- <-. constructor.
  - pose proof (next_claim_at_most es n) as Hle. set (j := next_claim n es) in *.
    destruct (Nat.ltb_spec j most) as [Hj | Hj]; [| discriminate]. injection H as <- <-.
    unfold plain. simpl. replace n with (j + (n - j)) at 1 by lia. constructor. assumption.
Qed.

Lemma own_and_others : forall who ls, own who ls + sum (without who ls) <= sum ls.
Proof.
  intros who ls. unfold own, without. induction ls as [| [[w t] n] ls IH]; simpl; [lia |].
  destruct ((w =? fst who) && (t <=? snd who)); simpl; lia.
Qed.

Lemma later_at_most : forall before after, sum (later before after) <= sum before + sum after.
Proof.
  intros before after. unfold later.
  induction after as [| [[w t] n] after IH]; simpl; lia.
Qed.

(** What a result says of a machine. *)
Definition right_for (c : code) (k : named) (n : nat) (r : result) : Prop :=
  exists g, runs tau lo (r_late r) most (c, plain (V := V) k) n (r_outcome r) g (r_promotions r) (sum (r_left r)) /\
            s_total g = r_work r /\ s_span g = r_span r.

Lemma right_move : forall c k c' k' n r,
  moves (c, plain k) (c', plain k') -> right_for c' k' n r -> right_for c k n r.
Proof.
  intros c k c' k' n r Hm (g & H & Hw & Hs). exists g. split; [eapply R_MOVE; eassumption | auto].
Qed.

Lemma right_leaf : forall ticks o k n r w time es,
  right_for (c_ret o) k (n + S ticks) r ->
  right_for (c_run (p_leaf (S ticks) o)) k n
    (Result (r_outcome r) (S ticks + r_work r) (S ticks + r_span r) (r_promotions r) (r_left r)
       (if has_latent (plain k) then Nat.max (n + S ticks) (r_late r) else r_late r) w time es).
Proof.
  intros ticks o k n r w time es (g & H & Hw & Hs).
  exists (after (S ticks) g). cbn [r_late r_outcome r_promotions r_left r_work r_span].
  split; [| rewrite after_total, after_span; lia].
  destruct (has_latent (plain k)) eqn:Hk.
  - apply leaf_ticks; [left; lia |]. eapply runs_wider; [apply Nat.le_refl | | eassumption]. lia.
  - apply leaf_ticks; [right; assumption | assumption].
Qed.

Theorem follow_sound : forall fuel name c k n w time es r,
  follow fuel name c k n w time es = Some r -> right_for c k n r.
Proof.
  intro fuel. induction fuel as [| fuel IH]; intros name c k n w time es r H; [discriminate |].
  cbn [checker.follow] in H.
  match type of H with
  | match next_promotion k es with Some _ => _ | None => ?g end = _ => set (go_on := g) in H
  end.
  assert (go_on = Some r -> right_for c k n r) as Hgo.
  { clear H. subst go_on. intro H.
    assert (forall c0 k0 es0, (match move one op most c k es with
              | Some (c', k', es') => follow fuel 0 c' k' n w time es' | None => None end) = Some r ->
              (c0, k0, es0) = (c, k, es) -> right_for c k n r) as Hmove.
    { intros c0 k0 es0 Hm _. destruct (move one op most c k es) as [[[c' k'] es'] |] eqn:E; [| discriminate].
      apply move_sound in E. eapply right_move; [exact E |]. eapply IH. exact Hm. }
    assert (forall nm i count b es1 es2, c = c_run (p_loop i count b) ->
              (match begin_loop one most nm i count b k es1 with
               | Some (c', k') => follow fuel 0 c' k' n w time es2 | None => None end) = Some r -> right_for c k n r)
      as Hloop.
    { intros nm i count b es1 es2 -> Hl.
      destruct (begin_loop one most nm i count b k es1) as [[c' k'] |] eqn:E; [| discriminate].
      apply begin_loop_sound in E. eapply right_move; [exact E |]. eapply IH. exact Hl. }
    destruct c as [[[| ticks] o | p q | f p q | i count b | p] | v o | o].
    - eapply right_move; [constructor | eapply IH; exact H].
    - destruct es as [| [x | x | x | w' ticks' begin | x y z u v] es];
        first [eapply IH; exact H | eapply Hmove; [exact H | reflexivity] | idtac].
      destruct ((w' =? w) && (ticks' =? S ticks) && (time <=? begin)); [| discriminate].
      destruct (follow fuel 0 (c_ret o) k (n + S ticks) w (begin + S ticks) es) as [r' |] eqn:E; [| discriminate].
      injection H as <-. apply right_leaf. eapply IH. exact E.
    - destruct es as [| [x | x | x | x y z | x y z u v] es];
        first [eapply IH; exact H | eapply Hmove; [exact H | reflexivity]].
    - destruct es as [| [x | x | x | x y z | x y z u v] es];
        first [eapply IH; exact H | eapply Hmove; [exact H | reflexivity]].
    - destruct name as [| name].
      + destruct es as [| [x | x | x | x y z | x y z u v] es]; try discriminate.
        * eapply Hloop; [reflexivity | exact H].
        * eapply IH. exact H.
      + eapply Hloop; [reflexivity | exact H].
    - destruct es as [| [x | x | x | x y z | x y z u v] es];
        first [eapply IH; exact H | eapply Hmove; [exact H | reflexivity]].
    - destruct es as [| [x | x | x | x y z | x y z u v'] es];
        first [eapply IH; exact H | eapply Hmove; [exact H | reflexivity]].
    - destruct k as [| f k].
      + injection H as <-. exists (s_work 0). split; [| auto].
        cbn [r_left r_outcome r_promotions]. cbn [sum]. rewrite Nat.add_0_r. constructor.
      + destruct es as [| [x | x | x | x y z | x y z u v'] es];
          first [eapply IH; exact H | eapply Hmove; [exact H | reflexivity]]. }
  destruct (next_promotion k es) as [[[[k1 x] k2] [[[w' t] h1] es']] |] eqn:Hnext; [| exact (Hgo H)].
  clear Hgo go_on. apply next_promotion_sound in Hnext as [Hk Hk2].
  destruct ((lo <=? n) && (w' =? w) && (time <=? t)) eqn:Hok; [| discriminate].
  apply andb_true_iff in Hok as [Hok _]. apply andb_true_iff in Hok as [Hlo _]. apply Nat.leb_le in Hlo.
  destruct x as [[q | f q | f o1 | acc i j [| r0] b] nm]; try discriminate; cbn [fst snd] in *.
  - (* a fork *)
    destruct (follow fuel 0 c k1 0 w (t + tau) es') as [r1 |] eqn:E1; [| discriminate].
    set (w2 := next_event (r_worker r1, r_time r1) (r_rest r1)) in *.
    destruct (follow fuel 0 (c_run q) [] _ (fst w2) t (r_rest r1)) as [r2 |] eqn:E2; [| discriminate].
    set (w3 := next_event (r_worker r2, r_time r2) (r_rest r2)) in *.
    destruct (follow fuel 0 (c_ret (both f (r_outcome r1) (r_outcome r2))) k2 _ (fst w3) _ (r_rest r2)) as [r3 |] eqn:E3;
      [| discriminate].
    injection H as <-.
    apply IH in E1 as (g1 & H1 & W1 & S1). apply IH in E2 as (g2 & H2 & W2 & S2). apply IH in E3 as (g3 & H3 & W3 & S3).
    set (left12 := later (without w2 (r_left r1)) (r_left r2)) in *.
    pose proof (own_and_others w2 (r_left r1)) as C1. pose proof (own_and_others w3 left12) as C2.
    pose proof (later_at_most (without w2 (r_left r1)) (r_left r2)) as L2. fold left12 in L2.
    pose proof (later_at_most (without w3 left12) (r_left r3)) as L3.
    eexists. cbn [r_late r_outcome r_promotions r_left r_work r_span]. split; [| split].
    + rewrite Hk. eapply R_FORK; [exact Hlo | exact Hk2 | | | | | |].
      * eapply runs_wider; [apply Nat.le_refl | | exact H1]. lia.
      * eapply runs_wider; [apply Nat.le_refl | | exact H2]. lia.
      * eapply runs_wider; [apply Nat.le_refl | | exact H3]. lia.
      * lia.
      * lia.
      * lia.
    + cbn [s_total]. lia.
    + cbn [s_span]. lia.
  - (* a loop *)
    destruct ((h1 <=? S r0) && (h1 <=? S r0 - h1 + 1) && (S r0 - h1 <=? h1 + 1)) eqn:Hh; [| discriminate].
    apply andb_true_iff in Hh as [Hh Hh3]. apply andb_true_iff in Hh as [Hh1 Hh2].
    apply Nat.leb_le in Hh1, Hh2, Hh3.
    destruct (follow fuel 0 c (k1 ++ [(f_loop acc i j 0 b, nm)]) 0 w (t + tau) es') as [r1 |] eqn:E1; [| discriminate].
    set (w2 := next_event (r_worker r1, r_time r1) (r_rest r1)) in *.
    destruct (follow fuel nm (c_run (p_loop (i + j) h1 b)) [] _ (fst w2) t (r_rest r1)) as [r2 |] eqn:E2; [| discriminate].
    set (w3 := next_event (r_worker r2, r_time r2) (r_rest r2)) in *.
    destruct (follow fuel nm (c_run (p_loop (i + j + h1) (S r0 - h1) b)) [] _ (fst w3) t (r_rest r2)) as [r3 |] eqn:E3;
      [| discriminate].
    set (w4 := next_event (r_worker r3, r_time r3) (r_rest r3)) in *.
    match type of H with match ?e with Some _ => _ | None => _ end = _ => destruct e as [r4 |] eqn:E4; [| discriminate] end.
    injection H as <-.
    apply IH in E1 as (g1 & H1 & W1 & S1). apply IH in E2 as (g2 & H2 & W2 & S2).
    apply IH in E3 as (g3 & H3 & W3 & S3). apply IH in E4 as (g4 & H4 & W4 & S4).
    set (left12 := later (without w2 (r_left r1)) (r_left r2)) in *.
    set (left123 := later (without w3 left12) (r_left r3)) in *.
    pose proof (own_and_others w2 (r_left r1)) as C1. pose proof (own_and_others w3 left12) as C2.
    pose proof (own_and_others w4 left123) as C3.
    pose proof (later_at_most (without w2 (r_left r1)) (r_left r2)) as L2. fold left12 in L2.
    pose proof (later_at_most (without w3 left12) (r_left r3)) as L3. fold left123 in L3.
    pose proof (later_at_most (without w4 left123) (r_left r4)) as L4.
    eexists. cbn [r_late r_outcome r_promotions r_left r_work r_span]. split; [| split].
    + rewrite Hk. eapply R_LOOP; [exact Hlo | exact Hk2 | | | | | | | | | | |].
      * instantiate (1 := S r0 - h1). instantiate (1 := h1). lia.
      * lia.
      * lia.
      * eapply runs_wider; [apply Nat.le_refl | | unfold plain in H1 |- *; rewrite map_app in H1; exact H1]. lia.
      * eapply runs_wider; [apply Nat.le_refl | | exact H2]. lia.
      * eapply runs_wider; [apply Nat.le_refl | | exact H3]. lia.
      * eapply runs_wider; [apply Nat.le_refl | | exact H4]. lia.
      * lia.
      * lia.
      * lia.
      * lia.
    + cbn [s_total]. lia.
    + cbn [s_span]. lia.
Qed.

End sound.
