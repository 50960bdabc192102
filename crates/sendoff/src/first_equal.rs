//! Equal keys of a list.

use alloc::vec::Vec;

/// The key of a part of a list: a number, which is compared first, and up to three texts. An unused text is `None` and not empty:
/// the address of an empty text need not be in memory, and on processors with AVX-512 glibc's `memcmp` then takes a microsecond.
pub(crate) type Key<'a> = (u64, Option<&'a str>, &'a str, Option<&'a str>);

/// Returns for each key the index of the first equal one. All lists share this function, because a map for each list would
/// be larger.
pub(crate) fn first_equal(keys: &[Key<'_>]) -> Vec<usize> {
    let mut first_equal: Vec<usize> = (0..keys.len()).collect();
    // Equal keys follow one another, in the order of the list.
    let mut run: Option<usize> = None;
    for at in sorted(keys) {
        match run.filter(|first| keys.get(*first) == keys.get(at)) {
            Some(first) => {
                if let Some(place) = first_equal.get_mut(at) {
                    *place = first;
                }
            }
            None => run = Some(at),
        }
    }
    first_equal
}

/// Keeps the parts of a list that are the first ones of their keys.
pub(crate) fn keep_first_equal<T>(list: &mut Vec<T>, first_equal: &[usize]) {
    let mut first_equal = first_equal.iter().enumerate();
    list.retain(|_| first_equal.next().is_some_and(|(at, first)| at == *first));
}

/// The indexes of keys in their order; equal ones as in the list. Sorted runs are merged to runs of twice the length. The sorts
/// of the standard library are made for speed, and larger.
fn sorted(keys: &[Key<'_>]) -> Vec<usize> {
    let (mut order, mut merged) =
        ((0..keys.len()).collect::<Vec<_>>(), Vec::with_capacity(keys.len()));
    let mut length = 1_usize;

    while length < keys.len() {
        // Compilers do not see that a length is not 0.
        for runs in order.chunks(length.saturating_mul(2).max(1)) {
            let (mut left, mut right) = runs.split_at_checked(length).unwrap_or((runs, &[]));
            loop {
                let next = match (left, right) {
                    ([first, ..], [second, ..]) if keys.get(*first) > keys.get(*second) => {
                        &mut right
                    }
                    ([], _) => &mut right,
                    _ => &mut left,
                };
                let [first, rest @ ..] = *next else { break };
                merged.push(*first);
                *next = rest;
            }
        }
        core::mem::swap(&mut order, &mut merged);
        merged.clear();
        length = length.saturating_mul(2);
    }

    order
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
