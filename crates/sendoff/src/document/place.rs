//! Places: parts of documents.

use alloc::string::String;
use core::marker::PhantomData;

use super::field::is_one_of;
use super::table::equal_bytes;
use super::{Found, Is, Row, Table};

/// A part of a document by its keys, with dots. The rows are found when it is compiled: a place that no table has does not
/// compile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    rows: [u8; Place::DEPTH],
    depth: u8,
}

/// The place of a value of this type: a place of another type does not compile either.
pub(crate) struct TypedPlace<T> {
    pub(crate) place: Place,
    found: PhantomData<fn() -> T>,
}

impl<T: Found> TypedPlace<T> {
    pub(crate) const fn of(table: &Table, path: &str) -> Self {
        let (place, row) = Place::find(table, path);
        assert!(is_one_of(&row.is, T::KINDS), "expected a place of this type");
        Self { place, found: PhantomData }
    }
}

impl Place {
    const DEPTH: usize = 7;

    pub(crate) const fn of(table: &Table, path: &str) -> Self {
        Self::find(table, path).0
    }

    #[expect(clippy::panic, reason = "a place that is not there ends the compilation")]
    const fn find<'t>(table: &'t Table, path: &str) -> (Self, &'t Row) {
        let mut place = Self::ROOT;
        let (mut table, mut rest) = (table, path.as_bytes());

        loop {
            let (key, behind) = split(rest);
            let (at, row) = table.find(key);
            let Some(step) =
                place.rows.as_mut_slice().split_at_mut(wide(place.depth)).1.first_mut()
            else {
                panic!("expected a place that is less deep")
            };
            *step = at;
            place.depth = place.depth.saturating_add(1);

            let Some(behind) = behind else { return (place, row) };
            rest = behind;
            let (Is::Record(inner) | Is::Group(inner)) = row.is else {
                panic!("expected a place of the table")
            };
            table = inner;
        }
    }

    /// The whole document.
    pub(crate) const ROOT: Self = Self { rows: [0; Self::DEPTH], depth: 0 };

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

    /// Its keys in the document of this table, with dots.
    #[cold]
    #[inline(never)]
    pub(crate) fn path(&self, mut table: &'static Table) -> String {
        let mut path = String::new();
        for row in self.rows() {
            let Some(row) = table.rows.get(row) else { break };
            path.push_str(if path.is_empty() { "" } else { "." });
            path.push_str(row.key);
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
        assert_eq!(NONCE.path(EstimateReply::TABLE), "data.userOps.nonce");
        assert!(OPERATION.holds(&NONCE) && !NONCE.holds(&OPERATION));
    }

    #[test]
    #[should_panic(expected = "expected a place of the table")]
    fn a_misspelt_place_ends_the_compilation() {
        // What a constant does when the crate is compiled, a call does when it runs.
        let _ = Place::of(EstimateReply::TABLE, "data.userOps.nounce");
    }
}
