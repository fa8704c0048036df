Lemma forgotten : 1 = 2.
Proof. Admitted.
