use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use takt::{join, scope, workers, IntoParallelIterator, ParallelIterator, ParallelSlice, Scope};

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    // What is not Send is held across a join, which goes on on the same thread.
    let held = Rc::new(thread::current().id());
    let (a, b) = join(|| fib(n - 1), || fib(n - 2));
    assert_eq!(*held, thread::current().id());
    a + b
}

#[test]
fn joins_nest_and_stay_on_their_thread() {
    assert!(workers() >= 1);
    assert_eq!(fib(16), 987);
}

#[test]
fn a_panic_arrives_after_the_other_branch_has_run() {
    let ran = AtomicUsize::new(0);
    let result = catch_unwind(AssertUnwindSafe(|| join(|| panic!("left"), || ran.fetch_add(1, Relaxed))));
    assert_eq!(*result.unwrap_err().downcast_ref::<&str>().unwrap(), "left");
    assert_eq!(ran.load(Relaxed), 1);
}

fn tree<'scope>(scope: &Scope<'scope>, nodes: &'scope AtomicUsize, depth: usize) {
    nodes.fetch_add(1, Relaxed);
    for _ in 0..if depth > 0 { 2 } else { 0 } {
        scope.spawn(move |scope| tree(scope, nodes, depth - 1));
    }
}

#[test]
fn a_scope_waits_for_all_children_and_theirs() {
    let nodes = AtomicUsize::new(0);
    let result = scope(|s| {
        tree(s, &nodes, 9);
        7
    });
    assert_eq!((result, nodes.load(Relaxed)), (7, 1023));
    let ran = AtomicUsize::new(0);
    let result = catch_unwind(AssertUnwindSafe(|| {
        scope(|s| {
            s.spawn(|_| panic!("child"));
            s.spawn(|_| {
                ran.fetch_add(1, Relaxed);
            });
        })
    }));
    assert!(result.is_err());
    assert_eq!(ran.load(Relaxed), 1);
}

#[test]
fn iterators_give_what_serial_ones_give() {
    for count in [0, 1, 2, 1000, 50001] {
        let mut numbers: Vec<u64> = (0..count).into_par_iter().map(|i| i as u64 * 7 % 1001).collect();
        let expected: Vec<u64> = (0..count).map(|i| i as u64 * 7 % 1001).collect();
        assert_eq!(numbers, expected);
        assert_eq!(numbers.par_iter().map(|&i| i).sum::<u64>(), expected.iter().sum::<u64>());
        numbers.par_iter_mut().enumerate().for_each(|(i, number)| *number += i as u64);
        assert!(numbers.iter().zip(&expected).enumerate().all(|(i, (a, b))| *a == b + i as u64));
        let zipped = numbers.par_iter().zip(expected.par_iter()).map(|(a, b)| a - b).reduce(|| 0, u64::max);
        assert_eq!(zipped, (count as u64).saturating_sub(1));
        let chunks: Vec<usize> = numbers.par_chunks(7).map(|chunk| chunk.len()).collect();
        assert_eq!(chunks, numbers.chunks(7).map(|chunk| chunk.len()).collect::<Vec<_>>());
        // Not commutative.
        let text = expected.par_iter().map(|i| i.to_string()).reduce(String::new, |a, b| a + &b);
        assert_eq!(text, expected.iter().map(|i| i.to_string()).collect::<String>());
    }
}

#[test]
fn loops_nest_and_the_first_panic_is_resumed() {
    let sum = AtomicUsize::new(0);
    (0..100).into_par_iter().for_each(|i| (0..100).into_par_iter().for_each(|j| { sum.fetch_add(i * j, Relaxed); }));
    assert_eq!(sum.load(Relaxed), 4950 * 4950);
    let result = catch_unwind(|| (0..1000).into_par_iter().for_each(|i| assert!(i != 3 && i != 900, "{i}")));
    assert_eq!(result.unwrap_err().downcast_ref::<String>().unwrap(), "3");
}
