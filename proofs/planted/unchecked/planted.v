(* expect: coqchk: Constants/Inductives relying on unsafe *)
Unset Guard Checking.
Fixpoint loop (n : nat) {struct n} : False := loop n.
Set Guard Checking.

Theorem anything : 1 = 2.
Proof. destruct (loop 0). Qed.
