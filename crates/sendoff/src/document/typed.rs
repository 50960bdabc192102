//! Types of Rust, and the values that they are made of.

use alloc::{string::String, vec::Vec};
use core::marker::PhantomData;

use super::schema::HasSchema;
use super::{
    Bounds, Fields, Is, Kind, Node, Parts, Presence, Read, Record, Table, Value, Write,
    check_integer, escape, read_document, read_plain, read_value, to_json, value_of_text,
};
use crate::error::{Error, Issues, Path};
use crate::text::WriteText as _;
use crate::value::Text;

/// A type that has a value, by which it is compared, and written by serde.
pub(crate) trait Valued: Sized {
    /// What its value is.
    const IS: Is;

    /// The table of a document.
    const TABLE: &'static Table = Self::IS.table();

    /// The tables of all documents of a union, one of which is there.
    const TABLES: &'static [&'static Table] = &[Self::TABLE];

    /// What is expected in the place of a list of them that may not be empty.
    const LIST: &'static str = "";

    /// Returns its value.
    #[inline(never)]
    fn to_value(&self) -> Value {
        self.record().finish()
    }

    /// Returns what its value is made of, where its fields in Rust are not the rows of its document, or it is another type with a
    /// rule.
    fn record(&self) -> Record {
        Record::of(Self::TABLE)
    }

    /// The same without a copy, for a type that is a value's own.
    fn into_value(self) -> Value {
        self.to_value()
    }

    /// Writes its JSON text.
    fn write_json(&self, out: &mut Vec<u8>) {
        self.to_value().write(out);
    }

    /// Writes the fields of a document into an open object, or the details of an intent; nothing for other values.
    fn write_fields(&self, _: &mut Vec<u8>) {}

    /// `true` if the field is left out.
    fn is_absent(&self) -> bool {
        false
    }
}

/// A type that is made of a value as well: that is read.
pub(crate) trait Typed: Valued + HasSchema {
    /// Whether a field of this type may be absent.
    const PRESENCE: Presence = Presence::Required;

    /// Returns the value's meaning, if all of it could be read.
    #[inline(never)]
    fn of_value(value: &Value) -> Option<Self> {
        let is_record = matches!(Self::IS, Is::Record(_) | Is::Choice(_));
        let mut fields = if is_record { Fields::of(value) } else { Fields::alone(value) };
        Self::of_fields(&mut fields)
    }

    /// Returns what the values of a record mean; nothing if one could not be read.
    fn of_fields(_: &mut Fields<'_>) -> Option<Self> {
        None
    }

    /// Reads what a program has as text: a kind of text as it is, a document as JSON.
    fn of_text_alone(text: &str) -> Result<Self, Error> {
        if !Self::IS.is_text() {
            return read_document(text);
        }
        let mut issues = Issues::default();
        let value = Self::of_value(&read_plain(text, &Self::IS, &Path::Root, &mut issues));
        issues.or(value)
    }

    /// Returns the same text again.
    fn to_text_alone(&self) -> String {
        if Self::IS.is_text() { self.to_value().to_text() } else { to_json(self) }
    }
}

/// Its reader is that of its value.
impl<T: Typed> Read for T {
    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        Self::of_value(&read_value(node, &T::IS, at, issues))
    }

    fn of_text(text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        Self::of_value(&value_of_text(text, &T::IS, at, issues))
    }
}

/// A document while it is read: the parts that could be.
pub(crate) struct Draft<T>(pub(crate) Value, PhantomData<T>);

impl<T: Typed> Draft<T> {
    /// Reads the parts of a document from JSON text.
    pub(crate) fn of_text(text: &str, at: &Path<'_>, issues: &mut Issues) -> Self {
        Self(value_of_text(text, &T::IS, at, issues), PhantomData)
    }

    /// The parts that could be read.
    pub(crate) const fn parts(&self) -> Parts<'_, T> {
        Parts::of(&self.0)
    }
}

/// Returns a value if its numbers and lists are in their bounds, and the rules across its fields hold.
pub(crate) fn checked<T: Valued>(value: T) -> Result<T, Error> {
    let mut issues = Issues::default();
    check(&value.to_value(), &T::IS, &Path::Root, &mut issues);
    issues.or(Some(value))
}

fn check(value: &Value, is: &Is, at: &Path<'_>, issues: &mut Issues) {
    match (is, value) {
        (Is::Integer(Bounds { least, most, .. }), Value::Integer(number)) => {
            check_integer(*number, *least, *most, at, issues);
        }
        (Is::Counted(count), Value::List(items)) => count.check(items.len(), at, issues),
        (Is::Record(table), Value::Record(values, _)) => {
            for (row, value) in table.rows.iter().zip(values) {
                check(value, &row.is, &Path::Field(at, row.key), issues);
            }
            if let Some(check) = table.check {
                check(value, at, issues);
            }
        }
        _ => {}
    }
}

/// How a kind of text is among values. By default it is its text, which is read again.
pub(crate) trait Leaf: Text + Clone {
    /// What its value is.
    const FORM: Is = Is::Text(Self::PARSED);

    /// Returns its value.
    fn into_leaf(self) -> Value {
        Value::Text(self.to_text().into())
    }

    /// Returns the meaning of its value.
    fn of_leaf(value: &Value) -> Option<Self> {
        Self::parse(value.text()?).ok()
    }
}

/// A kind of text is written as it is, in quotes.
impl<T: Leaf> Valued for T {
    const IS: Is = T::FORM;

    fn to_value(&self) -> Value {
        self.clone().into_leaf()
    }

    fn into_value(self) -> Value {
        self.into_leaf()
    }

    fn write_json(&self, out: &mut Vec<u8>) {
        self.quote(out);
    }
}

impl<T: Leaf> Typed for T {
    fn of_value(value: &Value) -> Option<Self> {
        T::of_leaf(value)
    }
}

impl Valued for bool {
    const IS: Is = Is::Flag;

    fn to_value(&self) -> Value {
        Value::Flag(*self)
    }

    fn write_json(&self, out: &mut Vec<u8>) {
        self.write_text(out);
    }
}

impl Typed for bool {
    fn of_value(value: &Value) -> Option<Self> {
        if let Value::Flag(flag) = value { Some(*flag) } else { None }
    }
}

impl Valued for String {
    const IS: Is = Is::Text(&Kind::TEXT);

    fn to_value(&self) -> Value {
        Value::Text(self.as_str().into())
    }

    fn write_json(&self, out: &mut Vec<u8>) {
        escape(self, out);
    }
}

impl Typed for String {
    fn of_value(value: &Value) -> Option<Self> {
        value.text().map(Self::from)
    }
}

impl<T: Valued> Valued for Vec<T> {
    const IS: Is = Is::List(&T::IS);

    fn to_value(&self) -> Value {
        Value::List(self.iter().map(T::to_value).collect())
    }

    fn write_json(&self, out: &mut Vec<u8>) {
        self.as_slice().write(out);
    }
}

impl<T: Typed> Typed for Vec<T> {
    fn of_value(value: &Value) -> Option<Self> {
        let Value::List(items) = value else { return None };
        let mut list = Self::with_capacity(items.len());
        for item in items {
            list.push(T::of_value(item)?);
        }
        Some(list)
    }
}

/// An optional field.
impl<T: Valued> Valued for Option<T> {
    const IS: Is = T::IS;

    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Absent, T::to_value)
    }

    fn write_json(&self, out: &mut Vec<u8>) {
        match self {
            Some(value) => value.write_json(out),
            None => out.extend_from_slice(b"null"),
        }
    }

    fn write_fields(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|value| value.write_fields(out));
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T: Typed> Typed for Option<T> {
    const PRESENCE: Presence = Presence::Optional;

    fn of_value(value: &Value) -> Option<Self> {
        if matches!(value, Value::Absent | Value::Null) {
            Some(None)
        } else {
            T::of_value(value).map(Some)
        }
    }
}

/// A value, or null without one.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline, description = ""))]
pub(crate) struct Nullable<T>(pub(crate) Option<T>);

impl<T: Valued> Valued for Nullable<T> {
    const IS: Is = Is::Nullable(&T::IS);

    fn to_value(&self) -> Value {
        self.0.as_ref().map_or(Value::Null, T::to_value)
    }
}

impl<T: Typed> Typed for Nullable<T> {
    fn of_value(value: &Value) -> Option<Self> {
        <Option<T>>::of_value(value).map(Self)
    }
}

/// Returns the number of an integer, for types with fewer numbers than its bounds are for.
pub(crate) fn narrow<T: TryFrom<i64>>(value: &Value) -> Option<T> {
    if let Value::Integer(number) = value { T::try_from(*number).ok() } else { None }
}

/// Returns the value of an integer that is within the bounds of its field.
pub(crate) fn widen<T: TryInto<i64>>(number: T) -> Value {
    Value::Integer(number.try_into().unwrap_or(i64::MAX))
}
