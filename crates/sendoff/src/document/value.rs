//! A value that was read, of any document.
//!
//! Its accessors are not inlined: at a hundred places that was 4 kB of a module.

use alloc::{boxed::Box, vec::Vec};

use super::{Is, Table, Write, escape, write_key};
use crate::text::{WriteText, quote, split};
use crate::value::{
    Address, Amount, ChainId, FeeAmount, FeePayerAddress, HexBytes, JobId, NftId, NftType, Nonce,
    Quantity, Quantity128, Signature, TokenAddress, Word,
};

/// The value of a place in a document. Documents differ in their tables only, so that one reader, one writer and one
/// comparison are enough for all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Value {
    /// It has a problem, or is missing.
    #[default]
    Unread,
    /// It is optional and not there.
    Absent,
    Null,
    Flag(bool),
    Integer(i64),
    /// One of a closed set of texts.
    Keyword(&'static str),
    /// Any other text without a meaning of its own here.
    Text(Box<str>),
    /// Any JSON value, as compact JSON text.
    Json(Box<str>),
    Address(Address),
    TokenAddress(TokenAddress),
    FeePayerAddress(FeePayerAddress),
    Quantity(Quantity),
    Quantity128(Quantity128),
    Nonce(Nonce),
    HexBytes(HexBytes),
    Word(Word),
    Signature(Box<Signature>),
    Amount(Amount),
    FeeAmount(FeeAmount),
    ChainId(ChainId),
    JobId(JobId),
    NftId(NftId),
    NftType(NftType),
    List(Vec<Self>),
    /// Values by keys that the table does not know.
    Pairs(Vec<(Box<str>, Self)>),
    /// The values of a table's rows, in their order.
    Record(Vec<Self>, &'static Table),
}

impl Value {
    /// `true` if every part of it could be read.
    #[inline(never)]
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Self::Unread => false,
            Self::List(values) | Self::Record(values, _) => values.iter().all(Self::is_whole),
            Self::Pairs(pairs) => pairs.iter().all(|(_, value)| value.is_whole()),
            _ => true,
        }
    }

    /// The field of a record, or of a group of fields in it; unread if there is none.
    #[inline(never)]
    fn field(&self, key: &str) -> &Self {
        let Self::Record(values, table) = self else { return &Self::Unread };
        for (row, value) in table.rows.iter().zip(values) {
            match row.is {
                Is::Group(_) => match value.field(key) {
                    Self::Unread => {}
                    found => return found,
                },
                _ if row.key == key => return value,
                _ => {}
            }
        }
        &Self::Unread
    }

    /// The value at a path of keys; unread if one of the records on the way is.
    pub(crate) fn at(&self, path: &str) -> &Self {
        match split(path, b'.') {
            Some((key, behind)) => self.field(key).at(behind),
            None => self.field(path),
        }
    }

    /// The type of the intent whose details this is.
    pub(crate) fn tag_of_details(&self) -> Option<&'static str> {
        if let Self::Record(_, table) = self {
            Some(table.tag).filter(|tag| !tag.is_empty())
        } else {
            None
        }
    }

    /// The text that is read again.
    #[inline(never)]
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Keyword(text) => Some(text),
            _ => None,
        }
    }

    /// The value as it is written, if it is a text.
    fn spelling(&self) -> Option<&dyn WriteText> {
        Some(match self {
            Self::Keyword(text) => text,
            Self::Address(value) => value,
            Self::TokenAddress(value) => value,
            Self::FeePayerAddress(value) => value,
            Self::Quantity(value) => value,
            Self::Quantity128(value) => value,
            Self::Nonce(value) => value,
            Self::HexBytes(value) => value,
            Self::Word(value) => value,
            Self::Signature(value) => &**value,
            Self::Amount(value) => value,
            Self::FeeAmount(value) => value,
            Self::ChainId(value) => value,
            Self::JobId(value) => value,
            Self::NftId(value) => value,
            Self::NftType(value) => value,
            _ => return None,
        })
    }
}

/// A text as it came in, a flag and an integer as JSON has them; nothing for other values.
impl WriteText for Value {
    fn write_text(&self, out: &mut Vec<u8>) {
        match self {
            Self::Flag(flag) => flag.write_text(out),
            Self::Integer(number) => number.write_text(out),
            Self::Text(text) => text.write_text(out),
            other => other.spelling().into_iter().for_each(|value| value.write_text(out)),
        }
    }
}

impl Write for Value {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Unread | Self::Absent | Self::Null => out.extend_from_slice(b"null"),
            Self::Flag(_) | Self::Integer(_) => self.write_text(out),
            Self::Text(text) => escape(text, out),
            Self::Json(json) => out.extend_from_slice(json.as_bytes()),
            Self::List(items) => items.as_slice().write(out),
            Self::Pairs(pairs) => {
                out.push(b'{');
                for (key, value) in pairs {
                    write_key(key, out);
                    value.write(out);
                }
                out.push(b'}');
            }
            Self::Record(values, table) => {
                out.push(b'{');
                each_field(values, table, &mut |key, value| {
                    write_key(key, out);
                    value.write(out);
                });
                out.push(b'}');
            }
            other => other.spelling().into_iter().for_each(|text| quote(text, out)),
        }
    }
}

/// The fields of a record that are written, those of its groups among them.
pub(super) fn each_field<'v>(
    values: &'v [Value],
    table: &'static Table,
    field: &mut dyn FnMut(&'static str, &'v Value),
) {
    for (row, value) in table.rows.iter().zip(values) {
        match (&row.is, value) {
            (Is::Nullable(_), Value::Absent) => field(row.key, &Value::Null),
            (_, Value::Absent | Value::Unread) => {}
            (Is::Group(table), Value::Record(values, _)) => each_field(values, table, field),
            _ => field(row.key, value),
        }
    }
}
