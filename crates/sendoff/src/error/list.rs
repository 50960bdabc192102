//! The problems of an error.

use alloc::{vec, vec::Vec};

use serde::Serialize;

use super::{Issue, Issues};
use crate::document::{Count, Fields, Is, Record, Recorded, Shown, Valued as _, Write};

/// The problems of an error: at least one, because every constructor takes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub(super) struct List(Vec<Issue>);

impl List {
    pub(super) fn of(first: Issue) -> Self {
        Self(vec![first])
    }

    /// Problems; nothing for an empty list.
    pub(super) fn of_some(list: Vec<Issue>) -> Option<Self> {
        if list.is_empty() { None } else { Some(Self(list)) }
    }

    pub(super) const fn as_slice(&self) -> &[Issue] {
        self.0.as_slice()
    }

    pub(super) fn into_vec(self) -> Vec<Issue> {
        self.0
    }

    pub(super) fn extend(&mut self, issues: impl IntoIterator<Item = Issue>) {
        self.0.extend(issues);
    }
}

static COUNT: Count = Count {
    item: &Issue::IS,
    least: 1,
    most: Issues::MOST,
    expected: "an array of 1 to 1000 issues",
    in_parts: false,
    is_first: true,
};

impl Shown for List {
    const SHAPE: Is = Is::Counted(&COUNT);

    fn record(&self) -> Record {
        Record::alone(&self.0)
    }
}

impl Recorded for List {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        Self::of_some(fields.next()?)
    }
}

impl Write for List {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for List {
    fn inline_schema() -> bool {
        <Vec<Issue>>::inline_schema()
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        <Vec<Issue>>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <Vec<Issue>>::json_schema(generator)
    }
}
