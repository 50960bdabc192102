//! Fields: a key of records, and the type of what is there.

use alloc::{string::String, vec::Vec};
use core::{marker::PhantomData, slice};

use primitive_types::U256;

use super::{Count, Integer, Is, Kind, Row, Table, Texts, Typed, Value, equal};
use crate::value::{
    Address, Amount, ChainId, FeeAmount, FeePayerAddress, HexBytes, JobId, NftId, NftType, Nonce,
    Quantity, Quantity128, Signature, TokenAddress, Word,
};

/// A field of records, by its key and the type of its value. Both are checked against each table on which it is used, when it is
/// compiled: a key that a table does not have, or has with another type, does not compile.
///
/// Write it as a constant outside of `impl`: others are only checked where they are used.
pub(crate) struct Field<T> {
    key: &'static str,
    /// `false` if some of the records do not have it.
    #[cfg(debug_assertions)]
    is_everywhere: bool,
    found: PhantomData<fn() -> T>,
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

impl<T> Clone for Field<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Field<T> {}

impl<T: Found> Field<T> {
    /// A field of records that all have it.
    #[track_caller]
    pub(crate) const fn of(tables: &[&Table], key: &'static str) -> Self {
        Self::new(key, true).also(tables)
    }

    /// A field that some of these records have, all with the same type.
    #[track_caller]
    pub(crate) const fn of_some(tables: &[&Table], key: &'static str) -> Self {
        let (mut rest, mut count) = (tables, 0_usize);
        while let [table, others @ ..] = rest {
            if let Some(row) = table.row(key) {
                Self::check(row, key);
                count = count.saturating_add(1);
            }
            rest = others;
        }

        if count == 0 {
            stop(&["expected the key of a row, found `", key, "`"]);
        }
        Self::new(key, false)
    }

    /// The same field, which the records of these tables have too.
    #[track_caller]
    pub(crate) const fn also(self, tables: &[&Table]) -> Self {
        let mut rest = tables;
        while let [table, others @ ..] = rest {
            match table.row(self.key) {
                Some(row) => Self::check(row, self.key),
                None => stop(&["expected the key of a row, found `", self.key, "`"]),
            }
            rest = others;
        }
        self
    }

    const fn new(key: &'static str, is_everywhere: bool) -> Self {
        #[cfg(not(debug_assertions))]
        let _ = is_everywhere;
        Self {
            key,
            #[cfg(debug_assertions)]
            is_everywhere,
            found: PhantomData,
        }
    }

    /// Ends the compilation if the row has another type.
    #[track_caller]
    const fn check(row: &Row, key: &str) {
        if !is_one_of(&row.is, T::KINDS) {
            let wanted = if let [first, ..] = T::KINDS { first.type_name() } else { "" };
            stop(&["expected ", wanted, " at `", key, "`, found ", row.is.type_name()]);
        }
    }

    /// Its key.
    pub(crate) const fn key(self) -> &'static str {
        self.key
    }

    /// `true` if it is a field of this record. What is not a record has no field, and a problem already.
    #[cfg(debug_assertions)]
    fn suits(self, record: &Value) -> bool {
        let Value::Record(_, table) = record else { return true };
        table.row(self.key).map_or(!self.is_everywhere, |row| is_one_of(&row.is, T::KINDS))
    }
}

impl<T: Numeric> Field<T> {
    /// The same field, of which only the number is wanted.
    pub(crate) const fn number(self) -> Field<Number> {
        Field {
            key: self.key,
            #[cfg(debug_assertions)]
            is_everywhere: self.is_everywhere,
            found: PhantomData,
        }
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

const fn is_one_of(is: &Is, mut kinds: &[Is]) -> bool {
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
    /// the rows say of their type is compared: its name, its texts, its bounds, its rows.
    const fn has_type_of(&self, kind: &Self) -> bool {
        match (self, kind) {
            (Self::Nullable(is), kind) => is.has_type_of(kind),
            (Self::Flag, Self::Flag) | (Self::Json, Self::Json) => true,
            (Self::Integer(one), Self::Integer(other)) => {
                one.least == other.least
                    && one.most == other.most
                    && equal(one.expected, other.expected)
            }
            (Self::Text(one), Self::Text(other)) => equal(one.wanted.kind, other.wanted.kind),
            (Self::Keyword(one), Self::Keyword(other)) => {
                equal(one.wanted.kind, other.wanted.kind) && is_same_list(one.list, other.list)
            }
            (Self::Record(one), Self::Record(other)) => one.has_rows_of(other),
            (Self::List(one) | Self::Counted(Count { item: one, .. }), Self::List(other)) => {
                one.has_type_of(other)
            }
            _ => false,
        }
    }

    /// The type's name, or what else is expected in its place.
    const fn type_name(&self) -> &'static str {
        match self {
            Self::Nullable(is) => is.type_name(),
            Self::Text(Kind { wanted, .. }) | Self::Keyword(Texts { wanted, .. })
                if !wanted.kind.is_empty() =>
            {
                wanted.kind
            }
            is => is.wanted().words,
        }
    }
}

impl Table {
    /// Ends the compilation unless its records have all fields of those of another table, so that the fields may be used on them.
    #[track_caller]
    pub(crate) const fn has_fields_of(&self, other: &Self) {
        let mut rows = other.rows;
        while let [row, others @ ..] = rows {
            match self.row(row.key) {
                Some(found) if found.is.has_type_of(&row.is) => {}
                _ => stop(&["expected the row `", row.key, "` of the other table"]),
            }
            rows = others;
        }
    }

    const fn has_rows_of(&self, other: &Self) -> bool {
        let (mut rows, mut others) = (self.rows, other.rows);
        while let ([row, rest @ ..], [other, behind @ ..]) = (rows, others) {
            if !equal(row.key, other.key) || !row.is.has_type_of(&other.is) {
                return false;
            }
            (rows, others) = (rest, behind);
        }
        rows.is_empty() && others.is_empty() && equal(self.expected, other.expected)
    }
}

const fn is_same_list(mut one: &[&str], mut other: &[&str]) -> bool {
    while let ([text, rest @ ..], [second, behind @ ..]) = (one, other) {
        if !equal(text, second) {
            return false;
        }
        (one, other) = (rest, behind);
    }
    one.is_empty() && other.is_empty()
}

impl Value {
    /// The value of a record's field; nothing if it is absent, or has a problem. In a record that is whole it is absent.
    pub(crate) fn get<T: Found>(&self, field: Field<T>) -> Option<T::Out<'_>> {
        #[cfg(debug_assertions)]
        debug_assert!(field.suits(self), "expected a record with `{}`, found {self:?}", field.key);
        T::found(self.field(field.key))
    }

    /// The value of a record's field as it is, to copy it; unread if the record does not have it.
    pub(crate) fn part<T: Found>(&self, field: Field<T>) -> &Self {
        #[cfg(debug_assertions)]
        debug_assert!(field.suits(self), "expected a record with `{}`, found {self:?}", field.key);
        self.field(field.key)
    }
}

/// Types that have a variant of their own among the values. A macro, because no function takes a variant as an argument to match.
macro_rules! found {
    ($($variant:ident)*) => {
        $(impl Found for $variant {
            const KINDS: &'static [Is] = &[<Self as Typed>::IS];

            type Out<'v> = &'v Self;

            fn found(value: &Value) -> Option<&Self> {
                if let Value::$variant(value) = value { Some(value) } else { None }
            }
        })*
    };
}

found! {
    Address TokenAddress FeePayerAddress Quantity Quantity128 Nonce HexBytes Word Signature Amount FeeAmount ChainId JobId NftId
    NftType
}

impl Found for bool {
    const KINDS: &'static [Is] = &[Is::Flag];

    type Out<'v> = Self;

    fn found(value: &Value) -> Option<Self> {
        if let Value::Flag(flag) = value { Some(*flag) } else { None }
    }
}

impl<const MIN: i64, const MAX: i64> Found for Integer<MIN, MAX> {
    const KINDS: &'static [Is] = &[<Self as Typed>::IS];

    type Out<'v> = Self;

    fn found(value: &Value) -> Option<Self> {
        if let Value::Integer(number) = value { Some(Self(*number)) } else { None }
    }
}

/// A free text.
impl Found for String {
    const KINDS: &'static [Is] = &[<Self as Typed>::IS];

    type Out<'v> = &'v str;

    fn found(value: &Value) -> Option<&str> {
        match value {
            Value::Text(text) => Some(text),
            Value::Keyword(text) => Some(text),
            _ => None,
        }
    }
}

/// A type that is a number.
pub(crate) trait Numeric: Found {
    /// The number. By reference, because it is 32 bytes.
    fn number(&self) -> &U256;
}

/// A number of any of these types.
pub(crate) enum Number {}

impl Found for Number {
    const KINDS: &'static [Is] =
        &[Quantity::IS, Quantity128::IS, Nonce::IS, Amount::IS, FeeAmount::IS];

    type Out<'v> = &'v U256;

    fn found(value: &Value) -> Option<&U256> {
        match value {
            Value::Quantity(value) => Some(value.number()),
            Value::Quantity128(value) => Some(value.number()),
            Value::Nonce(value) => Some(value.number()),
            Value::Amount(value) => Some(value.number()),
            Value::FeeAmount(value) => Some(value.number()),
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
    use crate::user_op::{EntryPoint, EntryPointVersion, PreparedUserOp, UserOp, UserOpReceipt};

    const OPERATIONS: &[&Table] = &[UserOp::TABLE, PreparedUserOp::TABLE];
    const FACTORY: Field<Address> = Field::of_some(OPERATIONS, "factory");
    const PAYMASTER: Field<Address> = Field::of(OPERATIONS, "paymaster");
    const REASON: Field<String> = Field::of(&[UserOpReceipt::TABLE], "reason");

    #[test]
    fn a_field_is_found_where_a_record_has_it() {
        let op: UserOp = r#"{"sender":"0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906","nonce":"0x7","callData":"0x","callGasLimit":"0x64",
            "verificationGasLimit":"0xc8","preVerificationGas":"0x12c","maxFeePerGas":"0x190","maxPriorityFeePerGas":"0x32",
            "factory":"0x7702000000000000000000000000000000000000"}"#
            .parse()
            .unwrap();
        let factory = op.factory.clone().map(|factory| factory.address);
        let op = op.to_value();
        assert_eq!((op.get(FACTORY), op.get(PAYMASTER)), (factory.as_ref(), None));
        assert_eq!(PreparedUserOp::TABLE.blank().get(FACTORY), None);
        assert_eq!(Value::Unread.get(REASON), None);
    }

    // What a constant does when the crate is compiled, a call does when it runs.

    #[test]
    #[should_panic(expected = "expected the key of a row, found `sendr`")]
    fn a_misspelt_key_ends_the_compilation() {
        let _ = Field::<Address>::of(OPERATIONS, "sendr");
    }

    #[test]
    #[should_panic(expected = "expected the key of a row, found `factory`")]
    fn so_does_a_key_that_another_table_does_not_have() {
        let _ = Field::<Address>::of(OPERATIONS, "factory");
    }

    #[test]
    #[should_panic(expected = "expected Address at `nonce`, found Nonce")]
    fn so_does_another_type() {
        let _ = Field::<Address>::of(OPERATIONS, "nonce");
    }

    #[test]
    #[should_panic(expected = "expected GasFeeOrder at `version`, found EntryPointVersion")]
    fn so_does_another_set_of_texts() {
        let _ = Field::<crate::user_op::GasFeeOrder>::of(&[EntryPoint::TABLE], "version");
    }

    #[test]
    #[should_panic(expected = "expected a record with `version`")]
    fn another_record_ends_a_test() {
        const VERSION: Field<EntryPointVersion> = Field::of(&[EntryPoint::TABLE], "version");
        let _ = PreparedUserOp::TABLE.blank().get(VERSION);
    }
}
