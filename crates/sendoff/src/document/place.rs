//! Places: parts of documents.

use alloc::string::String;

use super::table::equal_bytes;
use super::{Is, Table};

/// A part of a document by its keys, with dots. The rows are found when it is compiled: a place that no table has does not
/// compile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    rows: [u8; Place::DEPTH],
    depth: u8,
}

impl Place {
    const DEPTH: usize = 7;

    #[expect(clippy::panic, reason = "a place that is not there ends the compilation")]
    pub(crate) const fn of(table: &Table, path: &str) -> Self {
        let mut place = Self { rows: [0; Self::DEPTH], depth: 0 };
        let (mut table, mut rest) = (Some(table), path.as_bytes());

        while let Some(known) = table {
            let (key, behind) = split(rest);
            let (at, found) = known.find(key);
            let Some(step) =
                place.rows.as_mut_slice().split_at_mut(wide(place.depth)).1.first_mut()
            else {
                panic!("expected a place that is less deep")
            };
            *step = at;
            place.depth = place.depth.saturating_add(1);
            let Some(behind) = behind else { break };
            rest = behind;
            table = match found.is {
                Is::Record(table) | Is::Group(table) => Some(table),
                _ => panic!("expected a place of the table"),
            };
        }

        place
    }

    /// The place of a field of the record at this place, whose table is this one.
    pub(crate) const fn field(self, table: &Table, key: &str) -> Self {
        self.below(table.find(key.as_bytes()).0)
    }

    /// The place of a row of the record at this place.
    pub(crate) const fn below(mut self, row: u8) -> Self {
        if let Some(step) = self.rows.as_mut_slice().split_at_mut(wide(self.depth)).1.first_mut() {
            *step = row;
            self.depth = self.depth.saturating_add(1);
        }
        self
    }

    /// `true` if the other place is this one, or within it.
    pub(crate) const fn holds(&self, other: &Self) -> bool {
        self.depth <= other.depth
            && equal_bytes(
                self.rows.as_slice().split_at(wide(self.depth)).0,
                other.rows.as_slice().split_at(wide(self.depth)).0,
            )
    }

    /// `true` if one of these places holds the other.
    pub(crate) const fn one_holds(mut places: &[Self], other: &Self) -> bool {
        while let [first, others @ ..] = places {
            if first.holds(other) {
                return true;
            }
            places = others;
        }
        false
    }

    /// The row at which its way begins.
    pub(crate) const fn first_row(&self) -> usize {
        let [first, ..] = self.rows;
        wide(first)
    }

    /// The keys behind the first one, with dots.
    #[cold]
    #[inline(never)]
    pub(crate) fn inner(&self, mut table: &'static Table) -> String {
        let mut path = String::new();
        for (depth, row) in self.rows().enumerate() {
            let Some(row) = table.rows.get(row) else { break };
            if depth > 0 {
                path.push_str(if depth > 1 { "." } else { "" });
                path.push_str(row.key);
            }
            if let Is::Record(inner) = row.is {
                table = inner;
            }
        }
        path
    }

    /// The rows on the way to it.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> {
        let rows = self.rows.get(..self.depth.into()).unwrap_or_default();
        rows.iter().copied().map(usize::from)
    }
}

/// Splits a path behind its first key.
const fn split(path: &[u8]) -> (&[u8], Option<&[u8]>) {
    let mut at = 0_usize;
    let mut rest = path;
    while let [byte, others @ ..] = rest {
        if *byte == b'.' {
            return (path.split_at(at).0, Some(others));
        }
        (at, rest) = (at.saturating_add(1), others);
    }
    (path, None)
}

#[expect(clippy::as_conversions, reason = "`From` is not for constants")]
const fn wide(number: u8) -> usize {
    number as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::EstimateReply;

    const NONCE: Place = Place::of(EstimateReply::TABLE, "data.userOps.nonce");
    const OPERATION: Place = Place::of(EstimateReply::TABLE, "data.userOps");

    #[test]
    fn a_place_is_the_way_to_it() {
        assert_eq!(NONCE.rows().collect::<alloc::vec::Vec<_>>(), [1, 2, 4]);
        assert_eq!(NONCE.inner(EstimateReply::TABLE), "userOps.nonce");
        assert!(OPERATION.holds(&NONCE) && !NONCE.holds(&OPERATION));
    }

    #[test]
    #[should_panic(expected = "expected a place of the table")]
    fn a_misspelt_place_ends_the_compilation() {
        // What a constant does when the crate is compiled, a call does when it runs.
        let _ = Place::of(EstimateReply::TABLE, "data.userOps.nounce");
    }
}
