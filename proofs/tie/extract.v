(** The checker in OCaml. Numbers become machine integers of 63 bits, far more than ticks come to. *)

From Coq Require Import Arith Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Takt Require Import tie.checker tie.programs.

Extraction Language OCaml.
Extract Inlined Constant Nat.max => "Stdlib.max".
Extract Inlined Constant Nat.min => "Stdlib.min".
Extraction "takt_checker.ml" check.
