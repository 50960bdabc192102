//! Types of Rust, and the values that they are made of.

use alloc::{string::String, vec::Vec};
use core::marker::PhantomData;

use super::schema::HasSchema;
use super::{
    Bounds, Fields, Is, Kind, Node, Parts, Presence, Read, Record, Value, Write, check_integer,
    read_document, read_plain, read_value, to_json, value_of_text,
};
use crate::error::{Error, Issues, Path};
use crate::text::WriteText as _;

/// A type that has a value, by which it is compared, and written by serde.
pub(crate) trait Valued: Sized {
    /// What its value is.
    const IS: Is;

    /// What is expected in the place of a list of them that may not be empty.
    const LIST: &'static str = "";

    /// Returns its value.
    fn to_value(&self) -> Value;

    /// The same without a copy, for a type that is a value's own.
    fn into_value(self) -> Value {
        self.to_value()
    }
}

/// A type that is made of a value as well: that is read.
pub(crate) trait Typed: Valued + HasSchema {
    /// Whether a field of this type may be absent.
    const PRESENCE: Presence = Presence::Required;

    /// Returns the value's meaning, if all of it could be read.
    fn of_value(value: &Value) -> Option<Self>;

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
    fn to_text_alone(&self) -> String
    where
        Self: Write,
    {
        if Self::IS.is_text() { self.to_value().to_text() } else { to_json(self) }
    }
}

/// A type whose fields in Rust are not the rows of its document, or that is another type with a rule.
pub(crate) trait Shown: Sized {
    const SHAPE: Is;

    /// Returns its record, or the value of the other type.
    fn record(&self) -> Record;
}

/// The same for a type that is read.
pub(crate) trait Recorded: Shown + HasSchema {
    /// Whether a field of this type may be absent.
    const ABSENCE: Presence = Presence::Required;

    /// Returns what the values of a record mean; nothing if one could not be read.
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self>;
}

impl<T: Shown> Valued for T {
    const IS: Is = T::SHAPE;

    #[inline(never)]
    fn to_value(&self) -> Value {
        self.record().finish()
    }
}

impl<T: Recorded> Typed for T {
    const PRESENCE: Presence = T::ABSENCE;

    #[inline(never)]
    fn of_value(value: &Value) -> Option<Self> {
        let is_record = matches!(T::SHAPE, Is::Record(_) | Is::Choice(_));
        let mut fields = if is_record { Fields::of(value) } else { Fields::alone(value) };
        T::of_fields(&mut fields)
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

    /// The document, if all of it could be read.
    pub(crate) fn whole(&self) -> Option<T> {
        self.parts().whole()
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

impl Valued for bool {
    const IS: Is = Is::Flag;

    fn to_value(&self) -> Value {
        Value::Flag(*self)
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
}

impl Typed for String {
    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some((&**text).into()),
            Value::Keyword(text) => Some((*text).into()),
            _ => None,
        }
    }
}

impl<T: Valued> Valued for Vec<T> {
    const IS: Is = Is::List(&T::IS);

    fn to_value(&self) -> Value {
        Value::List(self.iter().map(T::to_value).collect())
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

impl<T: Write> Write for Nullable<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
}

#[cfg(feature = "schema")]
impl<T: HasSchema> HasSchema for Nullable<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        <Option<T>>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<Option<T>>()
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
