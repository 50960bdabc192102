//! Values whose shape is not specified.

use alloc::{boxed::Box, vec::Vec};

use serde::ser::{Error as _, Serialize, Serializer};

use crate::document::{Node, Read, Write, from_document, schema};
use crate::error::{Issues, Path};

/// A JSON value whose shape the specification does not show. It is kept as it came.
///
/// It holds the value as compact JSON text for a reader that knows more. The order of keys and the spelling of numbers
/// are kept. Equality is that of the text.
///
/// ```
/// use sendoff::http::Opaque;
///
/// let price: Opaque = r#"{ "price": 8.821019999999999 }"#.parse()?;
/// assert_eq!(price.as_str(), r#"{"price":8.821019999999999}"#);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Opaque {
    json: Box<str>,
}

impl Opaque {
    /// The value as compact JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.json
    }
}

impl AsRef<str> for Opaque {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Write for Opaque {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.json.as_bytes());
    }
}

impl Read for Opaque {
    const EXPECTED: &'static str = "a JSON value";

    fn read(node: &Node<'_>, _: &Path<'_>, _: &mut Issues) -> Option<Self> {
        Some(Self { json: node.to_json().into() })
    }
}

impl Serialize for Opaque {
    /// Serializes the value itself: an object as a map, a number as an integer if it is one, else as a double.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut issues = Issues::default();
        let node = Node::parse(&self.json, &Path::Root, &mut issues);
        issues.or(node).map_err(S::Error::custom)?.serialize(serializer)
    }
}

from_document!(Opaque);

schema::of!(
    Opaque,
    |_| schemars::json_schema!({ "description": "Any JSON value: the specification does not show its shape." })
);
