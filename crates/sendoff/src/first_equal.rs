//! Equal keys of a list.

use alloc::{collections::BinaryHeap, vec::Vec};

/// The key of a part of a list: up to three texts. An unused text is `None` and not empty: the address of an empty text need not
/// be in memory, and on processors with AVX-512 glibc's `memcmp` then takes a microsecond.
pub(crate) type Key<'a> = (Option<&'a str>, &'a str, Option<&'a str>);

/// Returns for each key the index of the first equal one. All lists share this function. A heap sorts the keys, because in a module
/// a map is larger.
pub(crate) fn first_equal(keys: &[Key<'_>]) -> Vec<usize> {
    let heap: BinaryHeap<_> = keys.iter().zip(0..).collect();
    let mut indices = alloc::vec![0; keys.len()];
    let mut first = None;
    for entry in heap.into_sorted_vec() {
        // Equal keys are beside each other, the first one before the others.
        let (_, at) = *first.insert(first.filter(|(key, _)| *key == entry.0).unwrap_or(entry));
        if let Some(index) = indices.get_mut(entry.1) {
            *index = at;
        }
    }
    indices
}

/// Keeps the parts of a list that are the first ones of their keys.
pub(crate) fn keep_first_equal<T>(list: &mut Vec<T>, first_equal: &[usize]) {
    let mut first_equal = first_equal.iter().enumerate();
    list.retain(|_| first_equal.next().is_some_and(|(at, first)| at == *first));
}
