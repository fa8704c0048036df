//! Iterators over what is indexed: ranges of `usize`, slices, and what is made of them.

use crate::for_parts;
use std::iter::Sum;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::Mutex;

/// Items `0 .. len()`, each of which is taken once.
///
/// # Safety
/// `get` may be called from any thread, and at most once for each index below `len()`.
pub unsafe trait ParallelIterator: Sync + Sized {
    type Item: Send;
    fn len(&self) -> usize;
    /// # Safety
    /// `index < len()`, and nobody takes that item twice.
    unsafe fn get(&self, index: usize) -> Self::Item;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    fn map<R: Send, F: Fn(Self::Item) -> R + Sync>(self, f: F) -> Map<Self, F> {
        Map { from: self, f }
    }
    fn enumerate(self) -> Enumerate<Self> {
        Enumerate { from: self }
    }
    fn zip<B: ParallelIterator>(self, other: B) -> Zip<Self, B> {
        Zip { a: self, b: other }
    }

    fn for_each<F: Fn(Self::Item) + Sync>(self, f: F) {
        for_parts(self.len(), |begin, end| (begin..end).for_each(|i| f(unsafe { self.get(i) })));
    }
    /// `op` is associative, with `identity()` its neutral element. Items are combined in order.
    fn reduce<I, F>(self, identity: I, op: F) -> Self::Item
    where
        I: Fn() -> Self::Item + Sync,
        F: Fn(Self::Item, Self::Item) -> Self::Item + Sync,
    {
        let parts = Mutex::new(Vec::new());
        for_parts(self.len(), |begin, end| {
            let part = (begin..end).fold(identity(), |all, i| op(all, unsafe { self.get(i) }));
            parts.lock().unwrap().push((begin, part));
        });
        let mut parts = parts.into_inner().unwrap();
        parts.sort_by_key(|(begin, _)| *begin);
        parts.into_iter().map(|(_, part)| part).fold(identity(), op)
    }
    fn sum<S: Sum<Self::Item> + Sum<S> + Send>(self) -> S {
        let parts = Mutex::new(Vec::new());
        for_parts(self.len(), |begin, end| {
            let part: S = (begin..end).map(|i| unsafe { self.get(i) }).sum();
            parts.lock().unwrap().push((begin, part));
        });
        let mut parts = parts.into_inner().unwrap();
        parts.sort_by_key(|(begin, _)| *begin);
        parts.into_iter().map(|(_, part)| part).sum()
    }
    /// All items, in order. After a panic, those that had been made are not dropped.
    fn collect<C: FromIterator<Self::Item>>(self) -> C {
        let count = self.len();
        let mut items: Vec<MaybeUninit<Self::Item>> = Vec::with_capacity(count);
        // What is not initialised may be said to be there.
        unsafe { items.set_len(count) };
        let to = Shared(items.as_mut_ptr());
        for_parts(count, |begin, end| {
            let to = &to;
            (begin..end).for_each(|i| unsafe { (*to.0.add(i)).write(self.get(i)); });
        });
        items.into_iter().map(|item| unsafe { item.assume_init() }).collect()
    }
}

struct Shared<T>(*mut T);
unsafe impl<T: Send> Sync for Shared<T> {}

pub struct Map<P, F> {
    from: P,
    f: F,
}
unsafe impl<P: ParallelIterator, R: Send, F: Fn(P::Item) -> R + Sync> ParallelIterator for Map<P, F> {
    type Item = R;
    fn len(&self) -> usize {
        self.from.len()
    }
    unsafe fn get(&self, index: usize) -> R {
        (self.f)(self.from.get(index))
    }
}

pub struct Enumerate<P> {
    from: P,
}
unsafe impl<P: ParallelIterator> ParallelIterator for Enumerate<P> {
    type Item = (usize, P::Item);
    fn len(&self) -> usize {
        self.from.len()
    }
    unsafe fn get(&self, index: usize) -> Self::Item {
        (index, self.from.get(index))
    }
}

pub struct Zip<A, B> {
    a: A,
    b: B,
}
unsafe impl<A: ParallelIterator, B: ParallelIterator> ParallelIterator for Zip<A, B> {
    type Item = (A::Item, B::Item);
    fn len(&self) -> usize {
        self.a.len().min(self.b.len())
    }
    unsafe fn get(&self, index: usize) -> Self::Item {
        (self.a.get(index), self.b.get(index))
    }
}

pub struct Indices(Range<usize>);
unsafe impl ParallelIterator for Indices {
    type Item = usize;
    fn len(&self) -> usize {
        self.0.len()
    }
    unsafe fn get(&self, index: usize) -> usize {
        self.0.start + index
    }
}

pub struct Iter<'a, T>(&'a [T]);
unsafe impl<'a, T: Sync> ParallelIterator for Iter<'a, T> {
    type Item = &'a T;
    fn len(&self) -> usize {
        self.0.len()
    }
    unsafe fn get(&self, index: usize) -> &'a T {
        self.0.get_unchecked(index)
    }
}

pub struct IterMut<'a, T> {
    first: Shared<T>,
    count: usize,
    slice: PhantomData<&'a mut [T]>,
}
// Each element is lent once.
unsafe impl<T: Send> Sync for IterMut<'_, T> {}
unsafe impl<'a, T: Send> ParallelIterator for IterMut<'a, T> {
    type Item = &'a mut T;
    fn len(&self) -> usize {
        self.count
    }
    unsafe fn get(&self, index: usize) -> &'a mut T {
        &mut *self.first.0.add(index)
    }
}

pub struct Chunks<'a, T> {
    slice: &'a [T],
    size: usize,
}
unsafe impl<'a, T: Sync> ParallelIterator for Chunks<'a, T> {
    type Item = &'a [T];
    fn len(&self) -> usize {
        (self.slice.len() + self.size - 1) / self.size
    }
    unsafe fn get(&self, index: usize) -> &'a [T] {
        let begin = index * self.size;
        &self.slice[begin..self.slice.len().min(begin + self.size)]
    }
}

pub trait IntoParallelIterator {
    type Iter: ParallelIterator;
    fn into_par_iter(self) -> Self::Iter;
}
impl IntoParallelIterator for Range<usize> {
    type Iter = Indices;
    fn into_par_iter(self) -> Indices {
        Indices(self)
    }
}

pub trait ParallelSlice<T> {
    fn par_iter(&self) -> Iter<'_, T>;
    fn par_iter_mut(&mut self) -> IterMut<'_, T>;
    /// Parts of `size` elements, and what is left.
    fn par_chunks(&self, size: usize) -> Chunks<'_, T>;
}
impl<T> ParallelSlice<T> for [T] {
    fn par_iter(&self) -> Iter<'_, T> {
        Iter(self)
    }
    fn par_iter_mut(&mut self) -> IterMut<'_, T> {
        IterMut { first: Shared(self.as_mut_ptr()), count: self.len(), slice: PhantomData }
    }
    fn par_chunks(&self, size: usize) -> Chunks<'_, T> {
        assert!(size > 0, "takt: a chunk has an element at least");
        Chunks { slice: self, size }
    }
}
