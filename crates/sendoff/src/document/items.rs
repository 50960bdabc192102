//! Lists whose items are kept in part.

use alloc::vec::Vec;

use super::{Compare, Differ, Node, Read, Write};
use crate::error::{IssueCode, Issues, Path};
use crate::text::fill;

/// A list of at most `MOST` items. Its parts are those of its items, so that rules between items can be checked where an
/// item could not be read whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(transparent)]
pub(crate) struct Items<T, const MOST: usize>(pub(crate) Vec<T>);

impl<T, const MOST: usize> Items<T, MOST> {
    /// A list; pushes an issue of code `range` if it is too long.
    pub(crate) fn new(list: Vec<T>, at: &Path<'_>, issues: &mut Issues) -> Self {
        Self::check(list.len(), at, issues);
        Self(list)
    }

    fn check(count: usize, at: &Path<'_>, issues: &mut Issues) {
        if count > MOST {
            issues.push(at, IssueCode::Range, fill("expected at most {} items, found {}", &[&MOST, &count]));
        }
    }
}

impl<T: Read, const MOST: usize> Read for Items<T, MOST> {
    const EXPECTED: &'static str = "an array";

    /// The parts of each item; `None` if the list is not there.
    type Partial = Option<Vec<T::Partial>>;

    fn read_partial(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues, parts: &mut Self::Partial) {
        let Node::List(items) = node else {
            Self::mistyped(node, at, issues);
            return;
        };
        Self::check(items.len(), at, issues);

        let read = |(index, item)| {
            let mut parts = T::Partial::default();
            T::read_partial(item, &Path::Item(at, index), issues, &mut parts);
            parts
        };
        *parts = Some(items.iter().enumerate().map(read).collect());
    }

    fn whole(partial: Self::Partial) -> Option<Self> {
        partial?.into_iter().map(T::whole).collect::<Option<_>>().map(Self)
    }

    fn into_partial(self) -> Self::Partial {
        Some(self.0.into_iter().map(T::into_partial).collect())
    }

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut parts = None;
        Self::read_partial(node, at, issues, &mut parts);
        Self::whole(parts)
    }
}

impl<T: Write, const MOST: usize> Write for Items<T, MOST> {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
}

/// Lists of different lengths differ as a whole, other lists item by item.
impl<T: Compare, const MOST: usize> Compare for Items<T, MOST> {
    fn compare(expected: &Self::Partial, found: &Self, at: &Path<'_>, differ: Differ<'_>) {
        let Some(expected) = expected else { return };
        if expected.len() != found.0.len() {
            return differ(at, fill("{} items", &[&expected.len()]), fill("{} items", &[&found.0.len()]));
        }
        for (index, (expected, found)) in expected.iter().zip(&found.0).enumerate() {
            T::compare(expected, found, &Path::Item(at, index), differ);
        }
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema, const MOST: usize> schemars::JsonSchema for Items<T, MOST> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        alloc::format!("{}Items", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "array", "items": generator.subschema_for::<T>(), "maxItems": MOST })
    }
}
