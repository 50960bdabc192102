//! Equal keys of a list.

use alloc::{collections::BTreeMap, vec::Vec};

/// The key of a part of a list: a number, which is compared first, and up to three texts. An unused text is `None` and not empty:
/// the address of an empty text need not be in memory, and on processors with AVX-512 glibc's `memcmp` then takes a microsecond.
pub(crate) type Key<'a> = (u64, Option<&'a str>, &'a str, Option<&'a str>);

/// Returns for each key the index of the first equal one.
pub(crate) fn first_equal(keys: &[Key<'_>]) -> Vec<usize> {
    let mut first = BTreeMap::new();
    keys.iter().enumerate().map(|(at, key)| *first.entry(key).or_insert(at)).collect()
}

/// Keeps the parts of a list that are the first ones of their keys.
pub(crate) fn keep_first_equal<T>(list: &mut Vec<T>, first_equal: &[usize]) {
    let mut first_equal = first_equal.iter().enumerate();
    list.retain(|_| first_equal.next().is_some_and(|(at, first)| at == *first));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_have_the_same_first() {
        let texts = ["b", "a", "", "b", "c", "a", "b"];
        let keys: Vec<Key<'_>> = texts.iter().map(|text| (0, None, *text, None)).collect();
        assert_eq!(first_equal(&keys), [0, 1, 2, 0, 4, 1, 0]);
        let keys = [
            (0, None, "a", None),
            (0, None, "a", Some("")),
            (0, Some("a"), "", None),
            (0, None, "a", Some("")),
        ];
        assert_eq!(first_equal(&keys), [0, 1, 2, 1]);
        assert_eq!(first_equal(&[(1, None, "a", None), (2, None, "a", None)]), [0, 1]);
        assert!(first_equal(&[]).is_empty());
    }
}
