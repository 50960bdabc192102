//! Values whose shape is not specified.

use alloc::{boxed::Box, vec::Vec};

use crate::document::{Fields, Is, Json, Record, Recorded, Shown, Write, traits};

/// A JSON value whose shape the specification does not show. It is kept as it came.
///
/// It holds the value as compact JSON text for a reader that knows more. The order of keys and the spelling of numbers
/// are kept. Equality is that of the text.
///
/// ```
/// use sendoff::value::Opaque;
///
/// let price: Opaque = r#"{ "price": 8.821019999999999 }"#.parse()?;
/// assert_eq!(price.as_str(), r#"{"price":8.821019999999999}"#);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opaque {
    json: Box<str>,
}

impl Opaque {
    pub(crate) fn null() -> Self {
        Self { json: "null".into() }
    }

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

impl Shown for Opaque {
    const SHAPE: Is = Is::Json;

    fn record(&self) -> Record {
        Record::alone(&Json(self.json.clone()))
    }
}

impl Recorded for Opaque {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        fields.next().map(|Json(json)| Self { json })
    }
}

traits!(Opaque: read, serialize, schema(|_| schemars::json_schema!({ "description": "Any JSON value: the specification does not show its shape." })));
