//! Fields: a place in a record, and the type of what is there.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::{Count, Is, Row, Table, Typed, Value, Valued, equal, equal_bytes};
use crate::error::Wanted;

/// A field of a document, by its keys with dots and the type of its value. Both are checked against the document's tables when it
/// is compiled: a path that a table does not have, or has with another type, does not compile.
///
/// Write it as a constant outside of `impl`: others are only checked where they are used.
pub(crate) struct Field<D, T> {
    path: &'static str,
    types: PhantomData<fn(D) -> T>,
}

/// A list of a document.
pub(crate) trait Listed {
    type Item;
}

/// The parts of a document that could be read.
pub(crate) struct Parts<'v, D> {
    value: &'v Value,
    document: PhantomData<fn(D)>,
}

impl<D: Valued, T: Typed> Field<D, T> {
    /// A field of a document, or of all documents of a union.
    #[track_caller]
    pub(crate) const fn of(path: &'static str) -> Self {
        assert!(find(D::TABLES, path.as_bytes(), Some(&T::IS)).1, "expected the path of a row");
        Self { path, types: PhantomData }
    }

    /// A field that some documents of a union have, all with the same type.
    #[track_caller]
    pub(crate) const fn of_some(path: &'static str) -> Self {
        assert!(find(D::TABLES, path.as_bytes(), Some(&T::IS)).0, "expected the path of a row");
        Self { path, types: PhantomData }
    }
}

impl<D, T> Field<D, T> {
    /// Its keys, with dots.
    pub(crate) const fn path(self) -> &'static str {
        self.path
    }
}

impl<D> Clone for Parts<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Parts<'_, D> {}

impl<'v, D> Parts<'v, D> {
    /// The parts of a value that was read by the document's table.
    pub(crate) const fn of(value: &'v Value) -> Self {
        Self { value, document: PhantomData }
    }

    /// The value of a field; nothing if it is absent, or has a problem.
    pub(crate) fn get<T: Typed>(self, field: Field<D, T>) -> Option<T> {
        T::of_value(self.value.at(field.path))
    }

    /// The parts of the items of a list; nothing if it could not be read.
    pub(crate) fn items<L: Listed>(self, field: Field<D, L>) -> Option<Vec<Parts<'v, L::Item>>> {
        let Value::List(items) = self.value.at(field.path) else { return None };
        Some(items.iter().map(Parts::of).collect())
    }

    /// The keys of an object with keys of any number, and whether the values could be read.
    pub(crate) fn keys<T>(self, field: Field<D, T>) -> impl Iterator<Item = (&'v str, bool)> {
        let pairs =
            if let Value::Pairs(pairs) = self.value.at(field.path) { &**pairs } else { &[] };
        pairs.iter().map(|(key, value)| (&**key, value.is_whole()))
    }

    /// `true` if the field is optional and not there.
    pub(crate) fn lacks<T>(self, field: Field<D, T>) -> bool {
        matches!(self.value.at(field.path), Value::Absent)
    }
}

impl<T: Typed> Parts<'_, T> {
    /// The part itself, if all of it could be read.
    pub(crate) fn whole(self) -> Option<T> {
        T::of_value(self.value)
    }
}

/// Whether some of these tables, and whether all of them, have a row at a path. Ends the compilation if one has it with another
/// type than this.
#[track_caller]
const fn find(mut tables: &[&Table], path: &[u8], is: Option<&Is>) -> (bool, bool) {
    let (key, behind) = split(path);
    let (mut in_some, mut in_all) = (false, true);
    while let [table, others @ ..] = tables {
        let (in_one, in_each) = match (table.row(key), behind) {
            (Some(row), []) => {
                if let Some(is) = is {
                    assert!(row.is.has_type_of(is), "expected the type of the row");
                }
                (true, true)
            }
            (Some(Row { is: Is::Record(inner) | Is::Group(inner), .. }), _) => {
                find(&[*inner], behind, is)
            }
            (Some(Row { is: Is::Details(union), .. }), _) => find(union.tables, behind, is),
            (Some(_) | None, _) => (false, false),
        };
        (in_some, in_all) = (in_some || in_one, in_all && in_each);
        tables = others;
    }
    (in_some, in_all)
}

/// A path that all of these tables have.
#[track_caller]
pub(crate) const fn path_in(tables: &[&Table], path: &'static str) -> &'static str {
    assert!(find(tables, path.as_bytes(), None).1, "expected the path of a row");
    path
}

/// Splits a path behind its first key.
pub(crate) const fn split(path: &[u8]) -> (&[u8], &[u8]) {
    let (mut at, mut rest) = (0_usize, path);
    while let [byte, others @ ..] = rest {
        if *byte == b'.' {
            return (path.split_at(at).0, others);
        }
        (at, rest) = (at.saturating_add(1), others);
    }
    (path, &[])
}

impl Table {
    /// The row of a key, which may be in a group.
    const fn row(&self, key: &[u8]) -> Option<&Row> {
        let mut rows = self.rows;
        while let [row, others @ ..] = rows {
            if let Is::Group(group) = &row.is {
                if let Some(row) = group.row(key) {
                    return Some(row);
                }
            } else if equal_bytes(row.key.as_bytes(), key) {
                return Some(row);
            }
            rows = others;
        }
        None
    }
}

impl Is {
    /// `true` if the values of both are of one type. No constant can compare types or addresses (`TypeId` and pointers), so what
    /// the rows say of their type is compared: its name or its words, its bounds, its number of rows.
    const fn has_type_of(&self, kind: &Self) -> bool {
        match (self, kind) {
            (Self::Nullable(is), kind) => is.has_type_of(kind),
            (Self::FlagOr(_), Self::Flag) => true,
            (
                Self::List(one) | Self::Counted(Count { item: one, .. }),
                Self::List(other) | Self::Counted(Count { item: other, .. }),
            ) => one.has_type_of(other),
            (Self::Integer(one), Self::Integer(other)) => {
                one.least == other.least && one.most == other.most
            }
            (Self::Pairs(_), Self::Pairs(_)) => true,
            (one, other) => one.size() == other.size() && equal(one.type_name(), other.type_name()),
        }
    }

    /// The number of its rows or texts.
    const fn size(&self) -> usize {
        match self {
            Self::Record(table) | Self::Group(table) => table.rows.len(),
            Self::Keyword(texts) => texts.list.len(),
            _ => 0,
        }
    }

    /// The type's name, or what else is expected in its place.
    const fn type_name(&self) -> &'static str {
        match self {
            Self::Nullable(is) => is.type_name(),
            is => {
                let Wanted { words, kind } = is.wanted();
                if kind.is_empty() { words } else { kind }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::EstimateRequest;
    use crate::user_op::EntryPoint;
    use crate::value::TokenAddress;

    // What a constant does when the crate is compiled, a call does when it runs. `tests/misspelt` compiles others.

    #[test]
    #[should_panic(expected = "expected the path of a row")]
    fn a_key_that_another_document_of_a_union_does_not_have_ends_the_compilation() {
        let _ = Field::<EstimateRequest, TokenAddress>::of("details.tokenAddress");
    }

    #[test]
    #[should_panic(expected = "expected the type of the row")]
    fn so_does_another_set_of_texts() {
        let _ = Field::<EntryPoint, crate::user_op::GasFeeOrder>::of("version");
    }
}
