//! What nobody has specified.

use alloc::boxed::Box;
use core::fmt;
use core::hash::{Hash, Hasher};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::document::{Node, Read, from_document};
use crate::error::{Issues, Path};

/// A JSON value whose shape the specification does not show: it is kept, and not looked into.
///
/// It holds the value as compact JSON text, ready for a reader that knows more. The order of keys and the
/// spelling of numbers stay as they were. Equality is that of the text.
///
/// ```
/// use sendoff::service::Opaque;
///
/// let price: Opaque = r#"{ "price": 8.821019999999999 }"#.parse()?;
/// assert_eq!(price.as_str(), r#"{"price":8.821019999999999}"#);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Opaque {
    json: Box<RawValue>,
}

impl Opaque {
    /// The value as compact JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.json.get()
    }
}

impl PartialEq for Opaque {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Opaque {}

impl Hash for Opaque {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Display for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Read for Opaque {
    const EXPECTED: &'static str = "a JSON value";

    fn read(node: &Node<'_>, _: &Path<'_>, _: &mut Issues) -> Option<Self> {
        // A tree is always JSON.
        RawValue::from_string(node.to_json()).ok().map(|json| Self { json })
    }
}

from_document!(Opaque);
