(* expect: not_proved, which is not proved *)
Axiom not_proved : forall P : Prop, P \/ ~ P.

Theorem uses_it : 1 = 2 \/ 1 <> 2.
Proof. apply not_proved. Qed.
