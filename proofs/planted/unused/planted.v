(* expect: coqchk: Takt.planted.later is not proved *)
Lemma later : forall n : nat, n = n + 0.
Proof. intro n. induction n as [| n IH]; [reflexivity | admit]. Admitted.

Theorem does_not_use_it : 1 = 1.
Proof. reflexivity. Qed.
