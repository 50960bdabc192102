//! Tables: what a document is.

use alloc::vec::Vec;

use super::schema::{HasSchema, Said};
use super::{Record, Typed, Value, Valued};
use crate::error::{Issues, Path, Wanted};
use crate::value::{ParseError, Text};

/// A document: its fields, one row each, and what they are together.
#[derive(Debug)]
pub(crate) struct Table {
    /// The type of the intent whose details it describes.
    pub(crate) tag: &'static str,
    /// The words after `expected`.
    pub(crate) expected: &'static str,
    pub(crate) rows: &'static [Row],
    pub(crate) others: Others,
    /// The rule between the fields. It is given the parts that could be read.
    pub(crate) check: Option<fn(&Value, &Path<'_>, &mut Issues)>,
    #[cfg_attr(not(feature = "schema"), expect(dead_code, reason = "only schemas read it"))]
    pub(crate) said: Said,
}

/// Fields that a table does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Others {
    /// A problem, except in a reply.
    Refused,
    /// The same, for a document that occurs only in replies: its schema allows them.
    RefusedAlone,
    /// Ignored here.
    Ignored,
    /// Ignored in all parts of the document: it is a reply.
    IgnoredWithin,
}

/// A field.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) key: &'static str,
    pub(crate) is: Is,
    pub(crate) presence: Presence,
    pub(crate) said: Said,
}

/// Whether a field may be absent, and what that means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Presence {
    Required,
    Optional,
    /// It has this value then.
    Default(fn() -> Value),
    /// Optional, and spelled in two ways: at the first of these keys that is there.
    Spelled(&'static [&'static str; 2]),
}

/// What a value is. Each has at most one reference, so that a row is small.
#[derive(Debug)]
pub(crate) enum Is {
    Flag,
    /// A flag, or a text of this kind that says one.
    FlagOr(&'static Kind),
    /// An integer between two bounds.
    Integer(&'static Bounds),
    Text(&'static Kind),
    /// One of a closed set of texts.
    Keyword(&'static Texts),
    Record(&'static Table),
    /// The fields of another table beside the others, all or none.
    Group(&'static Table),
    List(&'static Is),
    /// A list with a number of items.
    Counted(&'static Count),
    /// The type of an intent, whose details are another row.
    Tag,
    /// The details of an intent, whose type is another row.
    Details(&'static Union),
    /// An array that must be empty.
    Nothing(&'static Nothing),
    /// Values by keys of a kind.
    Pairs(&'static Pairs),
    /// One of several documents.
    Choice(&'static Choice),
    /// A value, or null.
    Nullable(&'static Is),
    /// Any JSON value.
    Json,
    /// Not read; written as this text.
    Constant(&'static &'static str),
}

/// The bounds of an integer.
#[derive(Debug)]
pub(crate) struct Bounds {
    /// The words after `expected`.
    pub(crate) expected: &'static str,
    pub(crate) least: i64,
    pub(crate) most: i64,
}

/// A closed set of texts.
#[derive(Debug)]
pub(crate) struct Texts {
    pub(crate) wanted: Wanted,
    pub(crate) list: &'static [&'static str],
}

/// An array without items.
#[derive(Debug)]
pub(crate) struct Nothing {
    /// The words after `expected`.
    pub(crate) expected: &'static str,
    /// The message about items.
    pub(crate) template: &'static str,
}

/// Values by keys of a kind.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// The words after `expected`.
    pub(crate) expected: &'static str,
    pub(crate) key: &'static Kind,
    pub(crate) value: &'static Kind,
    #[cfg_attr(not(feature = "schema"), expect(dead_code, reason = "only schemas read it"))]
    pub(crate) said: Said,
}

/// The number of items of a list.
#[derive(Debug)]
pub(crate) struct Count {
    pub(crate) item: &'static Is,
    pub(crate) least: usize,
    pub(crate) most: usize,
    /// The words after `expected`.
    pub(crate) expected: &'static str,
    /// The parts of the list are kept if it could not be read whole.
    pub(crate) in_parts: bool,
    /// A wrong number is reported before the problems of the items.
    pub(crate) is_first: bool,
}

/// Documents that the value at one of their keys distinguishes.
#[derive(Debug)]
pub(crate) struct Choice {
    /// The words after `expected`.
    pub(crate) expected: &'static str,
    pub(crate) key: &'static str,
    /// What is at the key: a text, or a flag.
    pub(crate) tag: Is,
    /// The documents by that text, or by `true` and `false`.
    pub(crate) tables: &'static [(&'static str, &'static Table)],
    /// The words after `expected` for another text, if any text may be at the key.
    pub(crate) unknown: &'static str,
    #[cfg_attr(not(feature = "schema"), expect(dead_code, reason = "only schemas read it"))]
    pub(crate) said: Said,
}

/// A kind of text.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) wanted: Wanted,
    pub(crate) read: fn(&str) -> Result<Value, ParseError>,
    /// Sentences leave it out if it is of another form ([`Reading::Labels`](super::Reading)).
    pub(crate) is_label: bool,
    /// Its pattern, and the schema of its type.
    #[cfg_attr(not(feature = "schema"), expect(dead_code, reason = "only schemas read it"))]
    pub(crate) said: Said,
}

impl Texts {
    pub(crate) const fn new(
        words: &'static str,
        kind: &'static str,
        list: &'static [&'static str],
    ) -> Self {
        Self { wanted: Wanted { words, kind }, list }
    }
}

impl Kind {
    /// Any text.
    pub(crate) const TEXT: Self = Self {
        wanted: Wanted { words: "text", kind: "" },
        read: |text| Ok(Value::Text(text.into())),
        is_label: false,
        said: Said::new(""),
    };

    /// Any text, which is empty text unless it is a `T`.
    pub(crate) const fn or_empty<T: Text>() -> &'static Self {
        const {
            &Self {
                read: |text| Ok(T::parse(text).map_or(Value::Keyword(""), T::into_value)),
                ..Self::TEXT
            }
        }
    }

    /// A text of an answer that has this pattern.
    pub(crate) const fn written(pattern: &'static str) -> Self {
        Self { said: Said::new(pattern), ..Self::TEXT }
    }
}

/// Documents that a type distinguishes.
#[derive(Debug)]
pub(crate) struct Union {
    /// What the type is.
    pub(crate) tag: Is,
    pub(crate) tables: &'static [&'static Table],
    /// The words after `expected`, for the details of an unknown type.
    pub(crate) expected: &'static str,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Table {}

impl Table {
    /// A table without rows, for the parts that others leave out.
    pub(crate) const NONE: Self = Self::said("", &[]);

    /// A table with these rows, and the sentence of its schema.
    pub(crate) const fn said(sentence: &'static str, rows: &'static [Row]) -> Self {
        Self {
            tag: "",
            expected: "",
            rows,
            others: Others::Refused,
            check: None,
            said: Said::new(sentence),
        }
    }

    /// The same for an answer, which may have more fields later.
    pub(crate) const fn answer(sentence: &'static str, rows: &'static [Row]) -> Self {
        Self { others: Others::Ignored, ..Self::said(sentence, rows) }
    }

    /// The same for details or another document of a type.
    pub(crate) const fn of<T: HasSchema>(sentence: &'static str) -> Self {
        Self { said: Said::of::<T>(sentence), ..Self::NONE }
    }

    /// A record whose constants are there, and nothing else.
    pub(crate) fn empty(&'static self) -> Value {
        let value = |row: &Row| match row.is {
            Is::Constant(text) => Value::Keyword(text),
            _ => Value::Unread,
        };
        Value::Record(self.rows.iter().map(value).collect(), self)
    }
}

impl Table {
    /// A record of these values. Of an intent in a row of details it has these alone.
    pub(crate) fn record(&'static self, mut values: Vec<Value>) -> Value {
        for (row, value) in self.rows.iter().zip(&mut values) {
            if let (Is::Details(_), Value::Record(intent, _)) = (&row.is, &mut *value) {
                *value = intent.pop().unwrap_or_default();
            }
        }
        Value::Record(values, self)
    }
}

impl Choice {
    /// A record of the table for a tag, which is in its first row.
    pub(crate) fn record(&self, tag: &'static str) -> Record {
        let table = self.tables.iter().find(|(known, _)| *known == tag);
        let record = Record::of(table.map_or(&Table::NONE, |(_, table)| table));
        let is_flag = matches!(self.tag, Is::Flag);
        if is_flag { record.with(&(tag == "true")) } else { record.with_text(tag) }
    }

    /// Documents that are only written. The tag of one without the key is an empty text.
    pub(crate) const fn answer(
        key: &'static str,
        tag: Is,
        tables: &'static [(&'static str, &'static Table)],
        sentence: &'static str,
    ) -> Self {
        Self { expected: "", key, tag, tables, unknown: "", said: Said::new(sentence) }
    }
}

impl Row {
    /// A field of a type, with its sentence.
    pub(crate) const fn of<T: Typed>(key: &'static str, sentence: &'static str) -> Self {
        Self { key, is: T::IS, presence: T::PRESENCE, said: Said::of::<T>(sentence) }
    }

    /// A field of a type that is only written.
    pub(crate) const fn written<T: Valued + HasSchema>(
        key: &'static str,
        sentence: &'static str,
    ) -> Self {
        Self { said: Said::of::<T>(sentence), ..Self::plain(key, T::IS, "") }
    }

    /// The same field, read and written as this row says.
    pub(crate) const fn like(self, row: Self) -> Self {
        Self { key: self.key, ..row }
    }

    /// The same field, with a value where it is absent.
    pub(crate) const fn or(self, default: fn() -> Value) -> Self {
        self.present(Presence::Default(default))
    }

    /// The same field, null where its type has nothing.
    pub(crate) const fn nullable<T: Valued>(self) -> Self {
        Self { is: Is::Nullable(const { &T::IS }), presence: Presence::Required, ..self }
    }

    /// The details alone of a document that is a type and details.
    pub(crate) const fn details<T: Valued>(self) -> Self {
        match T::TABLE.rows {
            [_, Self { is: Is::Details(union), .. }] => {
                Self::plain(self.key, Is::Details(union), "")
            }
            _ => self,
        }
    }

    /// A required field without a type of its own.
    pub(crate) const fn plain(key: &'static str, is: Is, sentence: &'static str) -> Self {
        Self { key, is, presence: Presence::Required, said: Said::new(sentence) }
    }

    /// The fields of a document beside the others, all or none.
    pub(crate) const fn group<T: Valued>() -> Self {
        Self::plain("", Is::Group(T::TABLE), "").present(Presence::Optional)
    }

    /// The same field, with this sentence.
    pub(crate) const fn about(self, sentence: &'static str) -> Self {
        Self { said: self.said.about(sentence), ..self }
    }

    /// The same field, present in this way.
    pub(crate) const fn present(self, presence: Presence) -> Self {
        Self { presence, ..self }
    }
}

impl Is {
    /// A tag that is one of several texts, or a flag where nothing is said of the texts.
    pub(crate) const fn tag(texts: &'static Texts) -> Self {
        if texts.wanted.words.is_empty() { Self::Flag } else { Self::Keyword(texts) }
    }

    /// The table of a record.
    pub(crate) const fn table(self) -> &'static Table {
        if let Self::Record(table) = self { table } else { &Table::NONE }
    }

    /// `true` for a kind of text, which a program has without quotes.
    pub(crate) const fn is_text(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Keyword(_))
    }

    /// What is expected in its place.
    pub(crate) const fn wanted(&self) -> Wanted {
        let words = match self {
            Self::Text(Kind { wanted, .. })
            | Self::FlagOr(Kind { wanted, .. })
            | Self::Keyword(Texts { wanted, .. }) => {
                return *wanted;
            }
            Self::Flag => "true or false",
            Self::Record(Table { expected, .. })
            | Self::Group(Table { expected, .. })
            | Self::Integer(Bounds { expected, .. })
            | Self::Nothing(Nothing { expected, .. })
            | Self::Choice(Choice { expected, .. })
            | Self::Pairs(Pairs { expected, .. }) => expected,
            Self::Nullable(is) => return is.wanted(),
            Self::Json => "a JSON value",
            Self::Counted(Count { expected, .. }) if !expected.is_empty() => expected,
            Self::List(_) | Self::Counted(_) => "an array",
            Self::Details(union) => union.expected,
            Self::Tag | Self::Constant(_) => "text",
        };
        Wanted { words, kind: "" }
    }
}

/// `true` if two texts are equal, for constants.
pub(crate) const fn equal(left: &str, right: &str) -> bool {
    equal_bytes(left.as_bytes(), right.as_bytes())
}

pub(crate) const fn equal_bytes(mut left: &[u8], mut right: &[u8]) -> bool {
    while let ([first, others @ ..], [second, rest @ ..]) = (left, right) {
        if *first != *second {
            return false;
        }
        (left, right) = (others, rest);
    }
    left.is_empty() && right.is_empty()
}
