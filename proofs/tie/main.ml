(* Reads traces and prints the verdict of the checker on each. See tie/README.md for the format. *)
open Takt_checker

exception Bad of string

let tree_of words =
  let rec tree = function
    | "L" :: w :: rest -> (T_leaf (int_of_string w), rest)
    | "S" :: rest -> let a, rest = tree rest in let b, rest = tree rest in (T_seq (a, b), rest)
    | "F" :: rest -> let a, rest = tree rest in let b, rest = tree rest in (T_fork (a, b), rest)
    | "P" :: count :: rest -> let a, rest = tree rest in (T_loop (int_of_string count, a), rest)
    | _ -> raise (Bad "program")
  in
  match tree words with t, [] -> t | _ -> raise (Bad "program: more than one")

let event_of words =
  match words with
  | [ "F"; name ] -> E_fork (int_of_string name)
  | [ "B"; name ] -> E_loop (int_of_string name)
  | [ "I"; "all" ] -> E_iteration None
  | [ "I"; claimed ] -> E_iteration (Some (int_of_string claimed))
  | [ "L"; worker; ticks; first ] -> E_leaf (int_of_string worker, int_of_string ticks, int_of_string first)
  | [ "P"; worker; time; name; from; half ] ->
      E_promote (int_of_string worker, int_of_string time, int_of_string name, int_of_string from, int_of_string half)
  | _ -> raise (Bad ("event: " ^ String.concat " " words))

let words_of line = List.filter (fun w -> w <> "") (String.split_on_char ' ' line)

let name_of = function
  | Accepted -> "accepted"
  | Not_a_run -> "not a run of the model"
  | Too_early -> "promotions too early"
  | Wrong_result -> "wrong result"
  | Too_much_work -> "too much work"
  | Too_long_a_span -> "too long a span"

type trace = {
  name : string;
  mutable tau : int;
  mutable beat : int;
  mutable late : int;
  mutable per : int;
  mutable token : int;
  mutable program : tree option;
  mutable events : event list;  (* the last one first *)
}

let () =
  let counts = Hashtbl.create 8 in
  let traces = ref 0 and accepted = ref 0 and late = ref 0 and promotions = ref 0 in
  let verdict t answer =
    let program = match t.program with Some p -> p | None -> raise (Bad "no program") in
    let said, result = check max_int t.tau t.beat t.late t.per t.token program (List.rev t.events) answer in
    incr traces;
    if said = Accepted then incr accepted;
    Hashtbl.replace counts said (1 + try Hashtbl.find counts said with Not_found -> 0);
    (match result with
     | Some r ->
         promotions := !promotions + r.r_promotions;
         let on_time = (t.tau + t.beat) * span [] app t.tau (Takt_checker.program program 0) in
         if said = Accepted && t.tau * r.r_span > on_time then incr late
     | None -> ());
    if said <> Accepted then Printf.printf "%s: %s\n" t.name (name_of said)
  in
  let rec read current =
    match input_line stdin with
    | exception End_of_file -> if current <> None then raise (Bad "ends in the middle of a trace")
    | line -> (
        match (words_of line, current) with
        | [ "trace"; name ], None ->
            read (Some { name; tau = 0; beat = 0; late = 0; per = 1; token = 0; program = None; events = [] })
        | [ "settings"; tau; beat; late; per; token ], Some t ->
            t.tau <- int_of_string tau;
            t.beat <- int_of_string beat;
            t.late <- int_of_string late;
            t.per <- int_of_string per;
            t.token <- int_of_string token;
            read current
        | "program" :: words, Some t ->
            t.program <- Some (tree_of words);
            read current
        | "result" :: words, Some t ->
            verdict t (List.map int_of_string words);
            read None
        | words, Some t ->
            t.events <- event_of words :: t.events;
            read current
        | _, None -> raise (Bad line))
  in
  (try read None with
  | Bad what -> Printf.eprintf "check_trace: cannot read: %s\n" what; exit 2
  | Failure what -> Printf.eprintf "check_trace: cannot read: %s\n" what; exit 2);
  Hashtbl.iter (fun said n -> if said <> Accepted then Printf.printf "%d: %s\n" n (name_of said)) counts;
  Printf.printf "%d of %d traces accepted, %d of them with beats that were late; %d promotions\n" !accepted !traces !late
    !promotions;
  exit (if !traces > 0 && !accepted = !traces then 0 else 1)
