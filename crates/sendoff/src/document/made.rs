//! A record while it is made.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::{Table, Value};
use crate::value::decimal;

/// A record that is being made, one row after the other. Each row is one call; a list of values would be made in one place and
/// moved to another, which was three times as much code. In WebAssembly the calls are not inlined.
pub(crate) struct Made {
    values: Vec<Value>,
    table: &'static Table,
}

impl Made {
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn of(table: &'static Table) -> Self {
        Self { values: Vec::with_capacity(table.rows.len()), table }
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn add(&mut self, value: Value) {
        self.values.push(value);
    }

    /// Adds the same value.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn copy(&mut self, value: &Value) {
        self.add(value.clone());
    }

    /// Adds an address in the mixed case of ERC-55.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn checksummed(&mut self, address: &Value) {
        self.add(address.checksummed());
    }

    /// Adds one of a closed set of texts.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn keyword(&mut self, text: &'static str) {
        self.add(Value::Keyword(text));
    }

    /// Adds a free text.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn text(&mut self, text: String) {
        self.add(Value::text(text));
    }

    /// Adds 32 bytes.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn word(&mut self, word: [u8; 32]) {
        self.add(Value::Word(word.into()));
    }

    /// Adds a number in decimal, as a free text.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn decimal(&mut self, number: U256) {
        self.text(decimal(number));
    }

    /// The record, which has a value for each row.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn finish(self) -> Value {
        debug_assert_eq!(self.values.len(), self.table.rows.len(), "{:?}", self.table.rows);
        Value::Record(self.values, self.table)
    }
}
