(** The language and its abstract machine: figures 2 and 3 of the Heartbeat paper. As there, projections of pairs are
    left out. *)

From Coq Require Import Arith List Lia.
Import ListNotations.

Definition var := nat.

Inductive expr : Type :=
| e_var : var -> expr
| e_lam : var -> expr -> expr
| e_app : expr -> expr -> expr
| e_pair : expr -> expr -> expr.      (* (e1 || e2) *)

(** An environment is a finite map: a list in which the last binding comes first. *)
Inductive value : Type :=
| v_pair : value -> value -> value
| v_closure : var -> expr -> list (var * value) -> value.

Definition env := list (var * value).

Fixpoint lookup (s : env) (x : var) : option value :=
  match s with
  | [] => None
  | (y, v) :: rest => if Nat.eqb x y then Some v else lookup rest x
  end.

Definition extend (s : env) (x : var) (v : value) : env := (x, v) :: s.

Inductive frame : Type :=
| f_appl : expr -> env -> frame               (* APPL([], e, s) *)
| f_appr : var -> expr -> env -> frame        (* APPR((\x.e){s}, []) *)
| f_pairl : expr -> env -> frame              (* PAIRL([], e, s): a latent frame *)
| f_pairr : value -> frame.                   (* PAIRR(v, []) *)

(** The innermost frame comes first; the empty list is TOP. *)
Definition stack := list frame.

(** Code: an expression with its environment, or a value, which needs none. *)
Inductive code : Type :=
| c_expr : expr -> env -> code
| c_value : value -> code.

Definition config : Type := (code * stack)%type.

(** [m --> m']; the rules have the paper's names. *)
Inductive step : config -> config -> Prop :=
| VAR : forall x s v k,
    lookup s x = Some v ->
    step (c_expr (e_var x) s, k) (c_value v, k)
| ABS : forall x e s k,
    step (c_expr (e_lam x e) s, k) (c_value (v_closure x e s), k)
| APPL : forall e1 e2 s k,
    step (c_expr (e_app e1 e2) s, k) (c_expr e1 s, f_appl e2 s :: k)
| APPR : forall x e s e2 s2 k,
    step (c_value (v_closure x e s), f_appl e2 s2 :: k) (c_expr e2 s2, f_appr x e s :: k)
| BODY : forall v x e s k,
    step (c_value v, f_appr x e s :: k) (c_expr e (extend s x v), k)
| PAIRL : forall e1 e2 s k,
    step (c_expr (e_pair e1 e2) s, k) (c_expr e1 s, f_pairl e2 s :: k)
| PAIRR : forall v1 e2 s k,
    step (c_value v1, f_pairl e2 s :: k) (c_expr e2 s, f_pairr v1 :: k)
| PAIR : forall v1 v2 k,
    step (c_value v2, f_pairr v1 :: k) (c_value (v_pair v1 v2), k).

(** [promotable k]: there is a latent frame in [k]. *)
Definition promotable (k : stack) : Prop := exists e s, In (f_pairl e s) k.

Fixpoint has_latent (k : stack) : bool :=
  match k with
  | [] => false
  | f_pairl _ _ :: _ => true
  | _ :: rest => has_latent rest
  end.

Lemma has_latent_promotable : forall k, has_latent k = true <-> promotable k.
Proof.
  unfold promotable. intro k. induction k as [| f k IH]; simpl.
  - split; [discriminate | intros (e & s & [])].
  - destruct f as [e s | x e s | e s | v]; simpl;
      try (split; [intro H; apply IH in H; destruct H as (e' & s' & H); eauto
                  | intros (e' & s' & [H | H]); [discriminate | apply IH; eauto]]).
    split; [intros _; exists e, s; auto | reflexivity].
Qed.

Lemma not_promotable : forall k, has_latent k = false <-> ~ promotable k.
Proof.
  intro k. rewrite <- has_latent_promotable. destruct (has_latent k); split; congruence.
Qed.

Lemma has_latent_app : forall a b, has_latent (a ++ b) = (has_latent a || has_latent b)%bool.
Proof.
  intros a b. induction a as [| f a IH]; simpl; [reflexivity |].
  destruct f; simpl; auto.
Qed.

(** A stack with latent frames has an oldest one, in one way. *)
Lemma oldest_exists : forall k, has_latent k = true ->
  exists k1 e s k2, k = k1 ++ f_pairl e s :: k2 /\ has_latent k2 = false.
Proof.
  intro k. induction k as [| f k IH]; simpl; intro H; [discriminate |].
  destruct (has_latent k) eqn:Hk.
  - destruct (IH eq_refl) as (k1 & e & s & k2 & -> & H2).
    exists (f :: k1), e, s, k2. auto.
  - destruct f as [e s | x e s | e s | v]; try discriminate.
    exists [], e, s, k. auto.
Qed.

Lemma oldest_unique : forall k1 e s k2 k1' e' s' k2',
  k1 ++ f_pairl e s :: k2 = k1' ++ f_pairl e' s' :: k2' ->
  has_latent k2 = false -> has_latent k2' = false ->
  k1 = k1' /\ e = e' /\ s = s' /\ k2 = k2'.
Proof.
  intro k1. induction k1 as [| f k1 IH]; intros e s k2 k1' e' s' k2' Heq H2 H2'.
  - destruct k1' as [| f' k1']; simpl in Heq.
    + injection Heq as <- <- <-. auto.
    + injection Heq as _ ->. rewrite has_latent_app in H2. simpl in H2.
      rewrite Bool.orb_true_r in H2. discriminate.
  - destruct k1' as [| f' k1']; simpl in Heq.
    + injection Heq as _ <-. rewrite has_latent_app in H2'. simpl in H2'.
      rewrite Bool.orb_true_r in H2'. discriminate.
    + injection Heq as -> Heq.
      destruct (IH _ _ _ _ _ _ _ Heq H2 H2') as (-> & -> & -> & ->). auto.
Qed.

(** The machine is deterministic, stops at a value on the empty stack, and never looks below its stack. *)
Lemma step_deterministic : forall m m1 m2, step m m1 -> step m m2 -> m1 = m2.
Proof.
  intros m m1 m2 H1 H2. destruct H1; inversion H2; subst; congruence.
Qed.

Lemma no_step_from_result : forall v m, ~ step (c_value v, []) m.
Proof. intros v m H. inversion H. Qed.

Lemma step_below : forall c k c' k' rest,
  step (c, k) (c', k') -> step (c, k ++ rest) (c', k' ++ rest).
Proof.
  intros c k c' k' rest H. inversion H; subst; simpl; constructor; assumption.
Qed.

(** A step with something left to do above [rest] leaves [rest] alone. *)
Lemma step_above : forall c k rest m,
  step (c, k ++ rest) m ->
  (exists v, c = c_value v /\ k = []) \/
  (exists c' k', m = (c', k' ++ rest) /\ step (c, k) (c', k')).
Proof.
  intros c k rest m H.
  destruct k as [| f k].
  - destruct c as [e s | v]; [right | left; eauto].
    simpl in H. inversion H; subst.
    + exists (c_value v), []. split; [reflexivity | constructor; assumption].
    + exists (c_value (v_closure x e0 s)), []. split; [reflexivity | constructor].
    + exists (c_expr e1 s), [f_appl e2 s]. split; [reflexivity | constructor].
    + exists (c_expr e1 s), [f_pairl e2 s]. split; [reflexivity | constructor].
  - right. simpl in H. inversion H; subst.
    + exists (c_value v), (f :: k). split; [reflexivity | constructor; assumption].
    + exists (c_value (v_closure x e s)), (f :: k). split; [reflexivity | constructor].
    + exists (c_expr e1 s), (f_appl e2 s :: f :: k). split; [reflexivity | constructor].
    + exists (c_expr e2 s2), (f_appr x e s :: k). split; [reflexivity | constructor].
    + exists (c_expr e (extend s x v)), k. split; [reflexivity | constructor].
    + exists (c_expr e1 s), (f_pairl e2 s :: f :: k). split; [reflexivity | constructor].
    + exists (c_expr e2 s), (f_pairr v1 :: k). split; [reflexivity | constructor].
    + exists (c_value (v_pair v1 v2)), k. split; [reflexivity | constructor].
Qed.
