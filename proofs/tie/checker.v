(** A checker of traces: it follows the events of a run, in the order of the serial program, and accepts them only if
    they are a run of takt's machine. *)

From Coq Require Import Arith List Lia Bool.
From Takt Require Import time.weighted takt.program takt.machine takt.work.
Import ListNotations.

(** What a trace says. A strand is what one fiber runs between two joins; its events come in its order, those of a right
    branch after those of the left one, those of what follows a join after both. *)
Inductive event : Type :=
| e_fork : nat -> event                          (* a fork with this name is pushed *)
| e_loop : nat -> event                          (* a loop with this name begins *)
| e_iteration : option nat -> event              (* an iteration begins; so many more are claimed (None: all) *)
| e_leaf : nat -> nat -> nat -> event            (* worker, ticks, begin *)
| e_promote : nat -> nat -> nat -> nat -> nat -> event.
  (* worker, time, name of what is promoted; of a loop: first iteration that is given away, size of the first half *)

(** Promotions of one worker are [beat] apart, and [cost] for each, by the clock. *)
Fixpoint promoted_at (w : nat) (es : list event) : list nat :=
  match es with
  | [] => []
  | e_promote w' t _ _ _ :: es => if w =? w' then t :: promoted_at w es else promoted_at w es
  | _ :: es => promoted_at w es
  end.

Fixpoint apart (beat_and_cost : nat) (es : list event) : bool :=
  match es with
  | [] => true
  | e_promote w t _ _ _ :: es =>
    forallb (fun t' => (t + beat_and_cost <=? t') || (t' + beat_and_cost <=? t)) (promoted_at w es) &&
    apart beat_and_cost es
  | _ :: es => apart beat_and_cost es
  end.

Section checker.
Context {V : Type}.
Variables (one : V) (op : V -> V -> V).
Variables (tau lo most : nat).

Notation frame := (frame (V := V)).
Notation code := (code (V := V)).

(** A stack in which each frame has the name of its construct. *)
Definition named := list (frame * nat).
Definition plain (k : named) : list frame := map fst k.


Fixpoint find_oldest (k : named) : option (named * (frame * nat) * named) :=
  match k with
  | [] => None
  | f :: k =>
    match find_oldest k with
    | Some (k1, x, k2) => Some (f :: k1, x, k2)
    | None => if is_latent (fst f) then Some ([], f, k) else None
    end
  end.

(** Who runs the next event that says so, and when. *)
Fixpoint next_event (who : nat * nat) (es : list event) : nat * nat :=
  match es with
  | e_leaf w _ t :: _ | e_promote w t _ _ _ :: _ => (w, t)
  | _ :: es => next_event who es
  | [] => who
  end.

(** What the next iteration to begin says of claims: at most what is left. *)
Fixpoint next_claim (left : nat) (es : list event) : nat :=
  match es with
  | e_iteration (Some j) :: _ => Nat.min j left
  | e_iteration None :: _ => left
  | e_promote _ _ _ _ _ :: es => next_claim left es
  | _ => 0
  end.

(** The move of a machine that needs no event, or the event that stands for it. [None]: it must be a tick. *)
Definition move (c : code) (k : named) (es : list event) : option (code * named * list event) :=
  match c with
  | c_run (p_leaf 0 o) => Some (c_ret o, k, es)
  | c_run (p_leaf (S _) _) => None
  | c_run (p_bind p q) => Some (c_run p, (f_bind q, 0) :: k, es)
  | c_run (p_fork f p q) =>
    match es with
    | e_fork name :: es => Some (c_run p, (f_left f q, name) :: k, es)
    | _ => None
    end
  | c_run (p_loop _ _ _) => None
  | c_run (p_free p) => Some (c_free (cost one op p) (value one op p), k, es)
  | c_free 0 o => Some (c_ret o, k, es)
  | c_free (S _) _ => None
  | c_ret o =>
    match k with
    | [] => None
    | (f_bind q, _) :: k => Some (match o with ok v => c_run (q v) | threw e => c_ret (threw e) end, k, es)
    | (f_left f q, _) :: k => Some (c_run q, (f_right f o, 0) :: k, es)
    | (f_right f o1, _) :: k => Some (c_ret (both f o1 o), k, es)
    | (f_loop acc i (S j) r b, name) :: k =>
        Some (c_run (b i), (f_loop (both op acc o) (S i) j r b, name) :: k, es)
    | (f_loop acc i 0 (S r) b, name) :: k =>
        let j := next_claim r es in
        if j <? most
        then Some (c_run (b i), (f_loop (both op acc o) (S i) j (r - j) b, name) :: k, es)
        else None
    | (f_loop acc i 0 0 b, _) :: k => Some (c_ret (both op acc o), k, es)
    end
  end.

(** A loop that begins, under its name. *)
Definition begin_loop (name : nat) (i count : nat) (b : nat -> prog V) (k : named) (es : list event)
  : option (code * named) :=
  match count with
  | 0 => Some (c_ret (ok one), k)
  | S n =>
    let j := next_claim n es in
    if j <? most then Some (c_run (b i), (f_loop (ok one) (S i) j (n - j) b, name) :: k) else None
  end.

(** Credits that workers have left over: who, when, how many. Whoever begins with something, at a time, takes its own from
    before. *)
Definition leftover : Type := (nat * nat * nat)%type.

Fixpoint sum (ls : list leftover) : nat :=
  match ls with [] => 0 | (_, _, n) :: ls => n + sum ls end.

Definition is_own (who : nat * nat) (x : leftover) : bool :=
  match x with (w, t, _) => (w =? fst who) && (t <=? snd who) end.

Definition own (who : nat * nat) (ls : list leftover) : nat := sum (filter (is_own who) ls).

Definition without (who : nat * nat) (ls : list leftover) : list leftover := filter (fun x => negb (is_own who x)) ls.

(** What was left over before, and nobody has begun with, is there still. *)
Definition later (before after : list leftover) : list leftover := after ++ before.

Record result : Type := Result {
  r_outcome : outcome V;
  r_work : nat;
  r_span : nat;
  r_promotions : nat;
  r_left : list leftover;  (* credits that workers have earned and not spent *)
  r_late : nat;           (* the most credits at which a tick ended while a frame was latent *)
  r_worker : nat;         (* who ran the last event *)
  r_time : nat;           (* when it ended *)
  r_rest : list event
}.

(** Whether the first event is the promotion of this frame. *)
Definition promotes (x : frame * nat) (es : list event) : option (nat * nat * nat * list event) :=
  match es with
  | e_promote w t name from h1 :: es' =>
    if name =? snd x then
      match fst x with
      | f_left _ _ => Some (w, t, h1, es')
      | f_loop _ i j (S _) _ => if from =? i + j then Some (w, t, h1, es') else None
      | _ => None
      end
    else None
  | _ => None
  end.

(** The promotion that comes next, of the oldest frame: what is above it, itself, what is below it, and what the event
    says. *)
Definition next_promotion (k : named) (es : list event)
  : option (named * (frame * nat) * named * (nat * nat * nat * list event)) :=
  match es with
  | e_promote _ _ _ _ _ :: _ =>
    match find_oldest k with
    | Some (k1, x, k2) => match promotes x es with Some e => Some (k1, x, k2, e) | None => None end
    | None => None
    end
  | _ => None
  end.

Fixpoint follow (fuel : nat) (loop_name : nat) (c : code) (k : named) (n w time : nat) (es : list event)
  {struct fuel} : option result :=
  match fuel with
  | 0 => None
  | S fuel =>
    match next_promotion k es with
    | Some (k1, x, k2, (w', t, h1, es')) =>
        if (lo <=? n) && (w' =? w) && (time <=? t) then
          match fst x with
          | f_left f q =>
            match follow fuel 0 c k1 0 w (t + tau) es' with
            | None => None
            | Some r1 =>
              let w2 := next_event (r_worker r1, r_time r1) (r_rest r1) in
              let n2 := own w2 (r_left r1) in
              match follow fuel 0 (c_run q) [] n2 (fst w2) t (r_rest r1) with
              | None => None
              | Some r2 =>
                let w3 := next_event (r_worker r2, r_time r2) (r_rest r2) in
                let left12 := later (without w2 (r_left r1)) (r_left r2) in
              let n3 := own w3 left12 in
                match follow fuel 0 (c_ret (both f (r_outcome r1) (r_outcome r2))) k2 n3 (fst w3)
                        (Nat.max (r_time r1) (r_time r2)) (r_rest r2) with
                | None => None
                | Some r3 =>
                  Some (Result (r_outcome r3) (tau + (r_work r1 + r_work r2) + r_work r3)
                          (tau + Nat.max (r_span r1) (r_span r2) + r_span r3)
                          (1 + r_promotions r1 + r_promotions r2 + r_promotions r3)
                          (later (without w3 left12) (r_left r3)) (Nat.max (r_late r1) (Nat.max (r_late r2) (r_late r3)))
                          (r_worker r3) (r_time r3) (r_rest r3))
                end
              end
            end
          | f_loop acc i j (S r) b =>
            let h2 := S r - h1 in
            if (h1 <=? S r) && (h1 <=? h2 + 1) && (h2 <=? h1 + 1) then
              match follow fuel 0 c (k1 ++ [(f_loop acc i j 0 b, snd x)]) 0 w (t + tau) es' with
              | None => None
              | Some r1 =>
                let w2 := next_event (r_worker r1, r_time r1) (r_rest r1) in
                let n2 := own w2 (r_left r1) in
                match follow fuel (snd x) (c_run (p_loop (i + j) h1 b)) [] n2 (fst w2) t (r_rest r1) with
                | None => None
                | Some r2 =>
                  let w3 := next_event (r_worker r2, r_time r2) (r_rest r2) in
                  let left12 := later (without w2 (r_left r1)) (r_left r2) in
              let n3 := own w3 left12 in
                  match follow fuel (snd x) (c_run (p_loop (i + j + h1) h2 b)) [] n3 (fst w3) t (r_rest r2) with
                  | None => None
                  | Some r3 =>
                    let w4 := next_event (r_worker r3, r_time r3) (r_rest r3) in
                    let left123 := later (without w3 left12) (r_left r3) in
                    let n4 := own w4 left123 in
                    match follow fuel 0
                            (c_ret (both op (both op (r_outcome r1) (r_outcome r2)) (r_outcome r3))) k2 n4 (fst w4)
                            (Nat.max (r_time r1) (Nat.max (r_time r2) (r_time r3))) (r_rest r3) with
                    | None => None
                    | Some r4 =>
                      Some (Result (r_outcome r4) (tau + (r_work r1 + (r_work r2 + r_work r3)) + r_work r4)
                              (tau + Nat.max (r_span r1) (Nat.max (r_span r2) (r_span r3)) + r_span r4)
                              (1 + r_promotions r1 + r_promotions r2 + r_promotions r3 + r_promotions r4)
                              (later (without w4 left123) (r_left r4))
                              (Nat.max (r_late r1) (Nat.max (r_late r2) (Nat.max (r_late r3) (r_late r4))))
                              (r_worker r4) (r_time r4) (r_rest r4))
                    end
                  end
                end
              end
            else None
          | _ => None
          end
        else None
    | None =>
      match c, k, es with
      | c_ret o, [], _ => Some (Result o 0 0 0 [(w, time, n)] 0 w time es)
      | c_run (p_leaf 0 o), _, _ => follow fuel 0 (c_ret o) k n w time es
      | c_run (p_leaf (S ticks) o), _, e_leaf w' ticks' begin :: es' =>
        if (w' =? w) && (ticks' =? S ticks) && (time <=? begin) then
          match follow fuel 0 (c_ret o) k (n + S ticks) w (begin + S ticks) es' with
          | Some r =>
            Some (Result (r_outcome r) (S ticks + r_work r) (S ticks + r_span r) (r_promotions r) (r_left r)
                    (if has_latent (plain k) then Nat.max (n + S ticks) (r_late r) else r_late r)
                    (r_worker r) (r_time r) (r_rest r))
          | None => None
          end
        else None
      | c_run (p_loop i count b), _, _ =>
        (* a half has the name of the loop that it is a part of *)
        match loop_name, es with
        | S _, _ =>
          match begin_loop loop_name i count b k es with
          | Some (c', k') => follow fuel 0 c' k' n w time es
          | None => None
          end
        | 0, e_loop name :: es' =>
          match begin_loop name i count b k es' with
          | Some (c', k') => follow fuel 0 c' k' n w time es'
          | None => None
          end
        | 0, e_iteration _ :: es' => follow fuel 0 c k n w time es'
        | 0, _ => None
        end
      | c_run _, _, e_iteration _ :: es' => follow fuel loop_name c k n w time es'
      | _, _, _ =>
        match move c k es with
        | Some (c', k', es') => follow fuel 0 c' k' n w time es'
        | None => None
        end
      end
    end
  end.

End checker.
