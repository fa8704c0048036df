(* expect: wrong, which is not proved *)
Lemma wrong : 1 = 2.
Proof. Admitted.

Theorem uses_it : 2 = 1.
Proof. symmetry. exact wrong. Qed.
