//! `join`, `scope` and parallel iterators on takt's workers, in the shapes of rayon.
//!
//! No grain size exists. Who calls one of these goes on on its own thread, so that what is not `Send` may be held across.
//! A panic in a branch, child or iteration arrives where it is waited for, after all others have run.

mod iter;

pub use iter::{IntoParallelIterator, ParallelIterator, ParallelSlice};

use std::any::Any;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::Mutex;

#[repr(C)]
struct RawScope {
    _private: [u8; 0],
}

extern "C" {
    fn takt_c_workers() -> u32;
    fn takt_c_join(
        left: extern "C" fn(*mut c_void),
        left_argument: *mut c_void,
        right: extern "C" fn(*mut c_void),
        right_argument: *mut c_void,
    );
    fn takt_c_for(first: u64, last: u64, body: extern "C" fn(*mut c_void, u64, u64), argument: *mut c_void);
    fn takt_c_scope_new() -> *mut RawScope;
    fn takt_c_scope_run(scope: *mut RawScope, call: extern "C" fn(*mut c_void), argument: *mut c_void);
    fn takt_c_scope_wait(scope: *mut RawScope);
    fn takt_c_scope_delete(scope: *mut RawScope);
}

type Panic = Box<dyn Any + Send>;

/// How many workers there are, the calling thread included.
pub fn workers() -> usize {
    unsafe { takt_c_workers() as usize }
}

struct Branch<F, R> {
    call: Option<F>,
    result: Option<Result<R, Panic>>,
}

impl<F: FnOnce() -> R, R> Branch<F, R> {
    fn new(call: F) -> Self {
        Branch { call: Some(call), result: None }
    }
    extern "C" fn run(branch: *mut c_void) {
        let branch = unsafe { &mut *(branch as *mut Self) };
        let call = branch.call.take().unwrap();
        branch.result = Some(catch_unwind(AssertUnwindSafe(call)));
    }
    fn finish(self) -> R {
        self.result.unwrap().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// Both results of calls that may run at the same time.
pub fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
where
    A: FnOnce() -> RA + Send,
    B: FnOnce() -> RB + Send,
    RA: Send,
    RB: Send,
{
    let mut left = Branch::new(a);
    let mut right = Branch::new(b);
    unsafe {
        takt_c_join(
            Branch::<A, RA>::run,
            &mut left as *mut _ as *mut c_void,
            Branch::<B, RB>::run,
            &mut right as *mut _ as *mut c_void,
        );
    }
    (left.finish(), right.finish())
}

struct Parts<F> {
    body: F,
    first_panic: Mutex<Option<(u64, Panic)>>,
}

impl<F: Fn(u64, u64) + Sync> Parts<F> {
    extern "C" fn run(parts: *mut c_void, begin: u64, end: u64) {
        let parts = unsafe { &*(parts as *const Self) };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (parts.body)(begin, end))) {
            let mut first = parts.first_panic.lock().unwrap();
            if first.as_ref().map_or(true, |(at, _)| begin < *at) {
                *first = Some((begin, panic));
            }
        }
    }
}

/// Calls `body(begin, end)` for parts that make up `[0, count)`. A panic ends its part, and no other.
pub fn for_parts<F: Fn(usize, usize) + Sync>(count: usize, body: F) {
    let parts = Parts { body: |begin: u64, end: u64| body(begin as usize, end as usize), first_panic: Mutex::new(None) };
    fn run_of<F: Fn(u64, u64) + Sync>(_: &Parts<F>) -> extern "C" fn(*mut c_void, u64, u64) {
        Parts::<F>::run
    }
    unsafe { takt_c_for(0, count as u64, run_of(&parts), &parts as *const _ as *mut c_void) };
    let panic = parts.first_panic.into_inner().unwrap();
    if let Some((_, panic)) = panic {
        resume_unwind(panic);
    }
}

/// Takes children that may run in parallel with each other, and use what lives longer than the scope.
pub struct Scope<'scope> {
    raw: *mut RawScope,
    first_panic: Mutex<Option<Panic>>,
    // Invariant, and as rayon's: a child may borrow what lives for 'scope.
    marker: PhantomData<UnsafeCell<&'scope ()>>,
}

unsafe impl Sync for Scope<'_> {}

struct Child<'scope, F> {
    call: F,
    scope: *const Scope<'scope>,
}

impl<'scope> Scope<'scope> {
    /// Calls `child`, with this scope, on any worker.
    pub fn spawn<F: FnOnce(&Scope<'scope>) + Send + 'scope>(&self, child: F) {
        extern "C" fn run<'scope, F: FnOnce(&Scope<'scope>)>(child: *mut c_void) {
            let child = unsafe { Box::from_raw(child as *mut Child<'scope, F>) };
            let scope = unsafe { &*child.scope };
            let call = child.call;
            scope.keep(catch_unwind(AssertUnwindSafe(|| call(scope))));
        }
        let child = Box::into_raw(Box::new(Child { call: child, scope: self }));
        unsafe { takt_c_scope_run(self.raw, run::<'scope, F>, child as *mut c_void) };
    }
    fn keep<R>(&self, result: Result<R, Panic>) -> Option<R> {
        match result {
            Ok(value) => Some(value),
            Err(panic) => {
                self.first_panic.lock().unwrap().get_or_insert(panic);
                None
            }
        }
    }
}

/// Calls `body` with a scope, and returns when all children are done. The panic that came first is resumed.
pub fn scope<'scope, F: FnOnce(&Scope<'scope>) -> R, R>(body: F) -> R {
    let raw = unsafe { takt_c_scope_new() };
    assert!(!raw.is_null(), "takt: no memory for a scope");
    let scope = Scope { raw, first_panic: Mutex::new(None), marker: PhantomData };
    let result = catch_unwind(AssertUnwindSafe(|| body(&scope)));
    let result = {
        unsafe { takt_c_scope_wait(raw) };
        scope.keep(result)
    };
    unsafe { takt_c_scope_delete(raw) };
    if let Some(panic) = scope.first_panic.into_inner().unwrap() {
        resume_unwind(panic);
    }
    result.unwrap()
}
