//! The fields of an object, taken one after the other.

use alloc::{string::String, vec::Vec};

use super::{
    Choice, Is, Node, Others, Presence, Reading, Row, Table, Union, Value, node::Field,
    push_mistyped, read_part,
};
use crate::error::{Excerpt, IssueCode, Issues, Path, Wanted};
use crate::text::fill;

/// An object whose fields are being taken.
pub(super) struct Object<'n, 'i> {
    fields: &'n [Field<'n>],
    reading: Reading,
    at: &'n Path<'n>,
    issues: &'i mut Issues,
}

/// Reads a document.
pub(super) fn read_record(
    node: &Node<'_>,
    table: &'static Table,
    reading: Reading,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Value {
    let object = Object::open(node, table.expected, at, issues);
    object.map_or(Value::Unread, |object| object.record(table, reading))
}

/// Reads a document that the value at one of its keys distinguishes. If it is of no known kind, its other fields have no meaning.
pub(super) fn read_choice(
    node: &Node<'_>,
    choice: &'static Choice,
    reading: Reading,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Value {
    let Some(mut object) = Object::open(node, choice.expected, at, issues) else {
        return Value::Unread;
    };
    let tag = object.value(choice.key, &choice.tag, Presence::Required);
    let text = match &tag {
        Value::Flag(true) => "true",
        Value::Flag(false) => "false",
        Value::Keyword(text) => text,
        Value::Text(text) => text,
        _ => return Value::Unread,
    };

    match choice.tables.iter().find(|(known, _)| *known == text) {
        Some((_, table)) => object.record(table, reading),
        None => {
            let message = fill("expected {}, found {}", &[&choice.unknown, &Excerpt(text)]);
            object.push(choice.key, IssueCode::Format, message);
            Value::Unread
        }
    }
}

impl<'n, 'i> Object<'n, 'i> {
    /// Opens the object of a document, or pushes an issue of code `type`.
    pub(super) fn open(
        node: &'n Node<'n>,
        expected: &'static str,
        at: &'n Path<'n>,
        issues: &'i mut Issues,
    ) -> Option<Self> {
        match node {
            Node::Object(fields) => Some(Self { fields, reading: Reading::Strict, at, issues }),
            other => {
                push_mistyped(other, &Wanted { words: expected, kind: "" }, at, issues);
                None
            }
        }
    }

    /// `true` if the object has this field.
    pub(super) fn has(&self, key: &str) -> bool {
        self.fields.iter().any(|field| field.key == key)
    }

    /// Takes all of a document.
    fn record(mut self, table: &'static Table, reading: Reading) -> Value {
        self.reading = match reading {
            Reading::Strict if table.others == Others::IgnoredWithin => Reading::Reply,
            reading => reading,
        };

        let values = self.rows(table);
        if matches!(table.others, Others::Refused | Others::RefusedAlone) {
            self.close();
        }

        let value = Value::Record(values, table);
        if let Some(check) = table.check {
            check(&value, self.at, self.issues);
        }
        value
    }

    /// Takes the fields of a table.
    fn rows(&mut self, table: &'static Table) -> Vec<Value> {
        let mut values = Vec::with_capacity(table.rows.len());
        let mut tag = None;
        for (place, row) in table.rows.iter().enumerate() {
            if matches!(row.is, Is::Tag) {
                tag = Some(place);
            }
            values.push(self.row(row, table));
        }

        // The type of an intent is known once its details are read.
        let kind = tag.and_then(|_| values.iter().find_map(Value::tag_of_details));
        if let Some(kind) = kind
            && let Some(value) = tag.and_then(|place| values.get_mut(place))
        {
            *value = Value::Keyword(kind);
        }
        values
    }

    fn row(&mut self, row: &'static Row, table: &'static Table) -> Value {
        match &row.is {
            Is::Tag => Value::Unread,
            Is::Constant(text) => Value::Keyword(text),
            Is::Group(group) => {
                let is_there = group.rows.iter().any(|row| self.has(row.key));
                if is_there { Value::Record(self.rows(group), group) } else { Value::Absent }
            }
            Is::Details(union) => self.details(table, row, union),
            is => self.value(row.key, is, row.presence),
        }
    }

    #[inline(never)]
    pub(super) fn value(&mut self, key: &'static str, is: &Is, presence: Presence) -> Value {
        let key = match presence {
            Presence::Spelled(keys) => {
                keys.iter().copied().find(|key| self.has(key)).unwrap_or(key)
            }
            _ => key,
        };

        match (self.node(key), presence) {
            (Taken::Node(node), _) => {
                read_part(node, is, self.reading, &Path::Field(self.at, key), self.issues)
            }
            (Taken::Twice, _) => Value::Unread,
            (Taken::Absent, Presence::Optional | Presence::Spelled(_)) => Value::Absent,
            (Taken::Absent, Presence::Default(value)) => value(),
            (Taken::Absent, Presence::Required) => {
                self.push_missing(key, &is.wanted());
                Value::Unread
            }
        }
    }

    /// Reads the details of an intent, after their type. In a reply the type is that of the request. If no type is known, the
    /// details need only be an object.
    fn details(
        &mut self,
        table: &'static Table,
        row: &'static Row,
        union: &'static Union,
    ) -> Value {
        let tag =
            table.rows.iter().find(|row| matches!(row.is, Is::Tag)).map_or("type", |row| row.key);
        let kind = self.value(tag, &union.tag, Presence::Required);
        let found = if let Value::Keyword(kind) = kind { Some(kind) } else { None };
        let asked = if let Reading::ReplyTo(kind) = self.reading { Some(kind) } else { None };
        if let (Some(asked), Some(found)) = (asked, found)
            && asked != found
        {
            let message = fill("expected `{}` (request), found `{}`", &[&asked, &found]);
            self.push(tag, IssueCode::Format, message);
        }

        let kind = asked.or(found);
        let table =
            kind.and_then(|kind| union.tables.iter().copied().find(|table| table.tag == kind));
        match self.node(row.key) {
            Taken::Node(node) => {
                let at = &Path::Field(self.at, row.key);
                let Some(table) = table else {
                    if !matches!(node, Node::Object(_)) {
                        push_mistyped(node, &row.is.wanted(), at, self.issues);
                    }
                    return Value::Unread;
                };
                // The reply echoes the request, so its details are read as strictly.
                match read_record(node, table, Reading::Strict, at, self.issues) {
                    // The type is known, though nothing of the details is.
                    Value::Unread => table.empty(),
                    details => details,
                }
            }
            Taken::Absent => {
                self.push_missing(row.key, &row.is.wanted());
                Value::Unread
            }
            Taken::Twice => Value::Unread,
        }
    }

    /// Pushes an issue at a field.
    pub(super) fn push(&mut self, key: &str, code: IssueCode, message: String) {
        self.issues.push(&Path::Field(self.at, key), code, message);
    }

    /// Reports unread fields as `unknown`, except in a reply, where they are ignored.
    pub(super) fn close(&mut self) {
        if self.reading.is_reply() {
            return;
        }
        for field in self.fields.iter().filter(|field| !field.taken.get()) {
            let message = fill("expected no such field, found {}", &[&field.node.kind()]);
            self.issues.push(&Path::Field(self.at, &field.key), IssueCode::Unknown, message);
        }
    }

    // Code that does not depend on the field's type is separate, because it would be compiled once
    // per type.
    #[inline(never)]
    fn node(&self, key: &str) -> Taken<'n> {
        match self.fields.iter().find(|field| field.key == key) {
            None => Taken::Absent,
            Some(field) => {
                field.taken.set(true);
                if field.duplicate { Taken::Twice } else { Taken::Node(&field.node) }
            }
        }
    }

    #[cold]
    fn push_missing(&mut self, key: &str, wanted: &Wanted) {
        self.issues.push_wanted(&Path::Field(self.at, key), IssueCode::Missing, wanted, "nothing");
    }
}

/// The value of a key.
enum Taken<'n> {
    Node(&'n Node<'n>),
    Absent,
    /// The key is a duplicate, which is already reported; which of the values is meant is unknown.
    Twice,
}
