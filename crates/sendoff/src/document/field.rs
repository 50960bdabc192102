//! Fields: a key of records, and the type of what is there.

use alloc::{string::String, vec::Vec};
use core::{marker::PhantomData, slice};

use super::{Count, Integer, Is, Kind, Recorded, Row, Table, Typed, Value, Valued, equal};
use crate::error::Wanted;

/// A field of a document, by its key and the type of its value. Both are checked against the document's table when it is compiled:
/// a key that the table does not have, or has with another type, does not compile.
///
/// Write it as a constant outside of `impl`: others are only checked where they are used.
pub(crate) struct Field<D, T> {
    key: &'static str,
    types: PhantomData<fn(D) -> T>,
}

/// A document, which has one table; or the documents of a union, one of which is there.
pub(crate) trait Document {
    const TABLES: &'static [&'static Table];
}

/// The parts of a document that could be read.
pub(crate) struct Parts<'v, D> {
    value: &'v Value,
    document: PhantomData<fn(D)>,
}

/// A type that is found in a value.
pub(crate) trait Found {
    /// What a row of this type is: one of these.
    const KINDS: &'static [Is];

    /// The type itself, or a reference to it.
    type Out<'v>;

    /// Returns what is there; nothing if the value is of another type.
    fn found(value: &Value) -> Option<Self::Out<'_>>;
}

impl<D, T> Clone for Field<D, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D, T> Copy for Field<D, T> {}

impl<D: Document, T: Found> Field<D, T> {
    /// A field of a document, or of all documents of a union.
    #[track_caller]
    pub(crate) const fn of(key: &'static str) -> Self {
        if Self::count(key) < D::TABLES.len() {
            stop(&["expected the key of a row, found `", key, "`"]);
        }
        Self { key, types: PhantomData }
    }

    /// A field that some documents of a union have, all with the same type.
    #[track_caller]
    pub(crate) const fn of_some(key: &'static str) -> Self {
        if Self::count(key) == 0 {
            stop(&["expected the key of a row, found `", key, "`"]);
        }
        Self { key, types: PhantomData }
    }

    /// The number of tables that have it. Ends the compilation if one has it with another type.
    #[track_caller]
    const fn count(key: &str) -> usize {
        let (mut rest, mut count) = (D::TABLES, 0_usize);
        while let [table, others @ ..] = rest {
            if let Some(row) = table.row(key) {
                if !is_one_of(&row.is, T::KINDS) {
                    let wanted = if let [first, ..] = T::KINDS { first.type_name() } else { "" };
                    stop(&["expected ", wanted, " at `", key, "`, found ", row.is.type_name()]);
                }
                count = count.saturating_add(1);
            }
            rest = others;
        }
        count
    }

    /// Its key.
    pub(crate) const fn key(self) -> &'static str {
        self.key
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
    pub(crate) fn get<T: Found>(self, field: Field<D, T>) -> Option<T::Out<'v>> {
        T::found(self.value.field(field.key))
    }

    /// `true` if the field is optional and not there.
    pub(crate) fn lacks<T>(self, field: Field<D, T>) -> bool {
        matches!(self.value.field(field.key), Value::Absent)
    }
}

/// Ends the compilation with a sentence.
#[track_caller]
#[expect(clippy::panic, reason = "a field that is not there ends the compilation")]
const fn stop(mut parts: &[&str]) -> ! {
    let mut text = [b' '; 200];
    let mut rest = text.as_mut_slice();
    while let [part, others @ ..] = parts {
        let (words, behind) = rest.split_at_mut(part.len());
        words.copy_from_slice(part.as_bytes());
        (rest, parts) = (behind, others);
    }
    match core::str::from_utf8(text.trim_ascii_end()) {
        Ok(text) => panic!("{}", text),
        Err(_) => panic!("expected another field"),
    }
}

pub(super) const fn is_one_of(is: &Is, mut kinds: &[Is]) -> bool {
    while let [kind, others @ ..] = kinds {
        if is.has_type_of(kind) {
            return true;
        }
        kinds = others;
    }
    false
}

impl Table {
    /// The row with this key, also of a group; for constants.
    pub(super) const fn row(&self, key: &str) -> Option<&Row> {
        let mut rows = self.rows;
        while let [row, others @ ..] = rows {
            if let Is::Group(group) = &row.is {
                if let Some(row) = group.row(key) {
                    return Some(row);
                }
            } else if equal(row.key, key) {
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
            (Self::List(one) | Self::Counted(Count { item: one, .. }), Self::List(other)) => {
                one.has_type_of(other)
            }
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

impl Table {
    /// `true` if it has a row with this key, also of a group.
    pub(crate) const fn has(&self, key: &str) -> bool {
        self.row(key).is_some()
    }
}

/// A type that is made of others, by itself.
impl<T: Recorded> Found for T {
    const KINDS: &'static [Is] = &[T::SHAPE];

    type Out<'v> = Self;

    fn found(value: &Value) -> Option<Self> {
        Self::of_value(value)
    }
}

impl Found for bool {
    const KINDS: &'static [Is] = &[Is::Flag, Is::FlagOr(&Kind::TEXT)];

    type Out<'v> = Self;

    fn found(value: &Value) -> Option<Self> {
        if let Value::Flag(flag) = value { Some(*flag) } else { None }
    }
}

impl<const MIN: i64, const MAX: i64> Found for Integer<MIN, MAX> {
    const KINDS: &'static [Is] = &[<Self as Valued>::IS];

    type Out<'v> = Self;

    fn found(value: &Value) -> Option<Self> {
        if let Value::Integer(number) = value { Some(Self(*number)) } else { None }
    }
}

/// A free text.
impl Found for String {
    const KINDS: &'static [Is] = &[<Self as Valued>::IS];

    type Out<'v> = &'v str;

    fn found(value: &Value) -> Option<&str> {
        match value {
            Value::Text(text) => Some(text),
            Value::Keyword(text) => Some(text),
            _ => None,
        }
    }
}

/// A list, of which each item is found.
impl<T: Found + Typed> Found for Vec<T> {
    const KINDS: &'static [Is] = &[Is::List(&T::IS)];

    type Out<'v> = Items<'v, T>;

    fn found(value: &Value) -> Option<Items<'_, T>> {
        if let Value::List(items) = value {
            Some(Items { values: items.iter(), found: PhantomData })
        } else {
            None
        }
    }
}

/// The keys of pairs, each with whether its value could be read.
pub(crate) enum Keys {}

impl Found for Keys {
    const KINDS: &'static [Is] = &[Is::Pairs(&super::Pairs {
        expected: "",
        key: &Kind::TEXT,
        value: &Kind::TEXT,
        said: super::Said::new(""),
    })];

    type Out<'v> = Vec<(&'v str, bool)>;

    fn found(value: &Value) -> Option<Vec<(&str, bool)>> {
        let Value::Pairs(pairs) = value else { return None };
        Some(pairs.iter().map(|(key, value)| (&**key, value.is_whole())).collect())
    }
}

/// A list whose parts are kept: each item, if it could be read.
impl<T: Found + Typed, const MOST: usize> Found for super::Items<T, MOST> {
    const KINDS: &'static [Is] = &[Is::List(&T::IS)];

    type Out<'v> = core::iter::Map<slice::Iter<'v, Value>, fn(&'v Value) -> Option<T::Out<'v>>>;

    fn found(value: &Value) -> Option<Self::Out<'_>> {
        if let Value::List(items) = value { Some(items.iter().map(T::found)) } else { None }
    }
}

/// The items of a list that have no problem.
pub(crate) struct Items<'v, T> {
    values: slice::Iter<'v, Value>,
    found: PhantomData<fn() -> T>,
}

impl<T> Default for Items<'_, T> {
    fn default() -> Self {
        Self { values: [].iter(), found: PhantomData }
    }
}

impl<T> Clone for Items<'_, T> {
    fn clone(&self) -> Self {
        Self { values: self.values.clone(), found: PhantomData }
    }
}

impl<'v, T: Found> Iterator for Items<'v, T> {
    type Item = T::Out<'v>;

    fn next(&mut self) -> Option<T::Out<'v>> {
        self.values.find_map(T::found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::Intent;
    use crate::user_op::{EntryPoint, PreparedUserOp, UserOp, UserOpReceipt};
    use crate::value::{Address, TokenAddress};

    const FACTORY: Field<UserOp, Address> = Field::of("factory");
    const PAYMASTER: Field<UserOp, Address> = Field::of("paymaster");
    const SENDER: Field<PreparedUserOp, Address> = Field::of("sender");
    const SUCCESS: Field<UserOpReceipt, bool> = Field::of("success");

    #[test]
    fn a_field_is_found_where_a_document_has_it() {
        let op: UserOp = r#"{"sender":"0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906","nonce":"0x7","callData":"0x","callGasLimit":"0x64",
            "verificationGasLimit":"0xc8","preVerificationGas":"0x12c","maxFeePerGas":"0x190","maxPriorityFeePerGas":"0x32",
            "factory":"0x7702000000000000000000000000000000000000"}"#
            .parse()
            .unwrap();
        let factory = op.factory.clone().map(|factory| factory.address);
        let op = op.to_value();
        let op = Parts::of(&op);
        assert_eq!((op.get(FACTORY), op.get(PAYMASTER)), (factory.as_ref(), None));
        assert_eq!(Parts::of(&PreparedUserOp::TABLE.empty()).get(SENDER), None);
        assert_eq!(Parts::of(&Value::Unread).get(SUCCESS), None);
    }

    // What a constant does when the crate is compiled, a call does when it runs.

    #[test]
    #[should_panic(expected = "expected the key of a row, found `sendr`")]
    fn a_misspelt_key_ends_the_compilation() {
        let _ = Field::<UserOp, Address>::of("sendr");
    }

    #[test]
    #[should_panic(expected = "expected the key of a row, found `tokenAddress`")]
    fn so_does_a_key_that_another_document_of_a_union_does_not_have() {
        let _ = Field::<Intent, TokenAddress>::of("tokenAddress");
    }

    #[test]
    #[should_panic(expected = "expected Address at `nonce`, found Nonce")]
    fn so_does_another_type() {
        let _ = Field::<UserOp, Address>::of("nonce");
    }

    #[test]
    #[should_panic(expected = "expected GasFeeOrder at `version`, found EntryPointVersion")]
    fn so_does_another_set_of_texts() {
        let _ = Field::<EntryPoint, crate::user_op::GasFeeOrder>::of("version");
    }
}
