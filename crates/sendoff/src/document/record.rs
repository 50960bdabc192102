//! A record while it is made, and while it is taken apart.

use alloc::{boxed::Box, string::String, vec, vec::Vec};
use core::slice;

use super::{Is, Row, Table, Typed, Value, Valued, widen};
use crate::value::Text;

/// A record that is being made, one row after the other: a constant is there by itself. Or one value alone, for a type that is
/// another one with a rule.
pub(crate) struct Record {
    values: Vec<Value>,
    table: Option<&'static Table>,
}

impl Record {
    /// A record of this table.
    pub(crate) fn of(table: &'static Table) -> Self {
        Self { values: Vec::with_capacity(table.rows.len()), table: Some(table) }
    }

    /// One value.
    pub(crate) fn alone(value: &impl Valued) -> Self {
        Self { values: vec![value.to_value()], table: None }
    }

    /// Nothing, for a type that is optional by itself.
    pub(crate) fn absent() -> Self {
        Self { values: vec![Value::Absent], table: None }
    }

    /// Values by their keys.
    pub(crate) fn pairs<'p, K: Into<String>, V: Valued + 'p>(
        list: impl IntoIterator<Item = (K, &'p V)>,
    ) -> Self {
        let pairs = list.into_iter().map(|(key, value)| (key.into().into(), value.to_value()));
        Self { values: vec![Value::Pairs(pairs.collect())], table: None }
    }

    /// The same with the value of the next row.
    pub(crate) fn with(self, value: &impl Valued) -> Self {
        self.and_value(value.to_value())
    }

    /// The same with the number of the next row.
    pub(crate) fn with_number<T: TryInto<i64>>(self, number: T) -> Self {
        self.and_value(widen(number))
    }

    /// The same with a text that the program has.
    pub(crate) fn with_text(self, text: &'static str) -> Self {
        self.and_value(Value::Keyword(text))
    }

    /// The same with a record in the next row.
    pub(crate) fn and(self, record: Self) -> Self {
        self.and_value(record.finish())
    }

    /// The same without the next row, which is optional.
    pub(crate) fn without(self) -> Self {
        self.and_value(Value::Absent)
    }

    fn and_value(mut self, value: Value) -> Self {
        self.add_constants();
        self.values.push(value);
        self
    }

    fn add_constants(&mut self) {
        let rows = self.table.and_then(|table| table.rows.get(self.values.len()..));
        for row in rows.unwrap_or_default() {
            self.values.push(match row.is {
                Is::Constant(text) => Value::Keyword(text),
                Is::Integer(bounds) if bounds.least == bounds.most => Value::Integer(bounds.least),
                _ => return,
            });
        }
    }

    /// The JSON text of the record.
    pub(crate) fn into_json(self) -> String {
        super::to_json(&self.finish())
    }

    /// The record, which has a value for each row.
    pub(crate) fn finish(mut self) -> Value {
        self.add_constants();
        match self.table {
            Some(table) => {
                debug_assert_eq!(self.values.len(), table.rows.len(), "{:?}", table.rows);
                Value::Record(self.values, table)
            }
            None => self.values.pop().unwrap_or_default(),
        }
    }
}

/// The values of a record, one after the other, except constants and the type of an intent, whose details are another row. Or one
/// value alone.
pub(crate) struct Fields<'v> {
    values: slice::Iter<'v, Value>,
    table: Option<&'static Table>,
    rows: slice::Iter<'static, Row>,
}

impl<'v> Fields<'v> {
    pub(crate) fn of(value: &'v Value) -> Self {
        match value {
            Value::Record(values, table) => {
                Self { values: values.iter(), table: Some(table), rows: table.rows.iter() }
            }
            _ => Self { values: [].iter(), table: None, rows: [].iter() },
        }
    }

    pub(super) fn alone(value: &'v Value) -> Self {
        Self { values: slice::from_ref(value).iter(), table: None, rows: [].iter() }
    }

    /// `true` if this is the record's table.
    pub(crate) fn are_of(&self, table: &'static Table) -> bool {
        self.table == Some(table)
    }

    /// The meaning of the next value; nothing if it could not be read.
    pub(crate) fn next<T: Typed>(&mut self) -> Option<T> {
        T::of_value(self.take())
    }

    /// The pairs that the next value is.
    pub(crate) fn pairs<K: Text, V: Typed>(&mut self) -> Option<Vec<(K, V)>> {
        let Value::Pairs(pairs) = self.take() else { return None };
        let pair =
            |(key, value): &(Box<str>, Value)| Some((K::parse(key).ok()?, V::of_value(value)?));
        pairs.iter().map(pair).collect()
    }

    /// The meanings of the next list, without those of items that have none.
    pub(crate) fn meanings<T: Typed>(&mut self) -> Option<Vec<T>> {
        let Value::List(items) = self.take() else { return None };
        Some(items.iter().filter_map(T::of_value).collect())
    }

    /// The next value, if it is one of several texts.
    pub(crate) fn tag(&mut self) -> Option<&'static str> {
        match self.take() {
            Value::Keyword(tag) => Some(tag),
            Value::Flag(flag) => Some(if *flag { "true" } else { "false" }),
            _ => None,
        }
    }

    /// The next value; unread behind the last one.
    pub(crate) fn take(&mut self) -> &'v Value {
        for row in self.rows.by_ref() {
            let value = self.values.next();
            if !matches!(row.is, Is::Tag | Is::Constant(_)) {
                return value.unwrap_or(&Value::Unread);
            }
        }
        self.values.next().filter(|_| self.table.is_none()).unwrap_or(&Value::Unread)
    }
}
