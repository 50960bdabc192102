//! Equal keys of a list.

use alloc::{collections::BinaryHeap, vec::Vec};
use core::cmp::Reverse;

/// The key of a part of a list: a number, which is compared first, and up to three texts. An unused text is `None` and not empty:
/// the address of an empty text need not be in memory, and on processors with AVX-512 glibc's `memcmp` then takes a microsecond.
pub(crate) type Key<'a> = (u64, Option<&'a str>, &'a str, Option<&'a str>);

/// Returns for each key the index of the first equal one. All lists share this function, because a map for each list would
/// be larger.
pub(crate) fn firsts(keys: &[Key<'_>]) -> Vec<usize> {
    let mut firsts: Vec<usize> = (0..keys.len()).collect();
    let mut heap: BinaryHeap<_> = keys.iter().zip(0..).map(|(key, at)| (key, Reverse(at))).collect();
    // The heap returns equal keys one after the other, in the order of the list.
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
        let keys: Vec<Key<'_>> = texts.iter().map(|text| (0, None, *text, None)).collect();
        assert_eq!(firsts(&keys), [0, 1, 2, 0, 4, 1, 0]);
        let keys = [(0, None, "a", None), (0, None, "a", Some("")), (0, Some("a"), "", None), (0, None, "a", Some(""))];
        assert_eq!(firsts(&keys), [0, 1, 2, 1]);
        assert_eq!(firsts(&[(1, None, "a", None), (2, None, "a", None)]), [0, 1]);
        assert!(firsts(&[]).is_empty());
    }
}
