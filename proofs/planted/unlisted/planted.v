(* expect: other.v is not listed *)
Theorem fine : 1 = 1.
Proof. reflexivity. Qed.
