//! Equal keys of a list.

use alloc::{collections::BTreeMap, vec::Vec};

/// The key of a part of a list: up to three texts. An unused text is `None` and not empty: the address of an empty text need not
/// be in memory, and on processors with AVX-512 glibc's `memcmp` then takes a microsecond.
pub(crate) type Key<'a> = (Option<&'a str>, &'a str, Option<&'a str>);

/// Returns for each key the index of the first equal one. All lists share this function, because a map for each list would be
/// larger.
pub(crate) fn first_equal(keys: &[Key<'_>]) -> Vec<usize> {
    let mut first = BTreeMap::new();
    keys.iter().enumerate().map(|(at, key)| *first.entry(key).or_insert(at)).collect()
}

/// Keeps the parts of a list that are the first ones of their keys.
pub(crate) fn keep_first_equal<T>(list: &mut Vec<T>, first_equal: &[usize]) {
    let mut first_equal = first_equal.iter().enumerate();
    list.retain(|_| first_equal.next().is_some_and(|(at, first)| at == *first));
}
