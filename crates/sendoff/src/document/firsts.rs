//! Equal keys of a list.

use alloc::{collections::BinaryHeap, vec::Vec};
use core::cmp::Reverse;

/// The key of a part of a list. What a list's keys do not have is `None`: to compare two empty texts takes a microsecond on a
/// processor with AVX-512, where glibc's `memcmp` reads at their address, which is no place in memory.
pub(crate) type Key<'a> = (Option<&'a str>, &'a str, Option<&'a str>);

/// Returns for each key the place of the first equal one. One function for all lists, because a map for each would be
/// larger.
pub(crate) fn firsts(keys: &[Key<'_>]) -> Vec<usize> {
    let mut firsts: Vec<usize> = (0..keys.len()).collect();
    let mut heap: BinaryHeap<_> = keys.iter().zip(0..).map(|(key, at)| (key, Reverse(at))).collect();
    // Equal keys leave the heap together, the first of them first.
    let mut run = None;
    while let Some((key, Reverse(at))) = heap.pop() {
        match run {
            Some((known, first)) if known == key => {
                if let Some(place) = firsts.get_mut(at) {
                    *place = first;
                }
            }
            _ => run = Some((key, at)),
        }
    }
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_have_the_same_first() {
        let texts = ["b", "a", "", "b", "c", "a", "b"];
        let keys: Vec<Key<'_>> = texts.iter().map(|text| (None, *text, None)).collect();
        assert_eq!(firsts(&keys), [0, 1, 2, 0, 4, 1, 0]);
        let keys = [(None, "a", None), (None, "a", Some("")), (Some("a"), "", None), (None, "a", Some(""))];
        assert_eq!(firsts(&keys), [0, 1, 2, 1]);
        assert!(firsts(&[]).is_empty());
    }
}
