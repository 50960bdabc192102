//! Values whose shape is not specified.

use alloc::boxed::Box;

use crate::document::{Is, Typed, Value, Valued, traits};

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
    pub(crate) fn of(json: &str) -> Self {
        Self { json: json.into() }
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

impl Valued for Opaque {
    const IS: Is = Is::Json;

    fn to_value(&self) -> Value {
        Value::Json(self.json.clone())
    }
}

impl Typed for Opaque {
    fn of_value(value: &Value) -> Option<Self> {
        if let Value::Json(json) = value { Some(Self { json: json.clone() }) } else { None }
    }
}

traits!(Opaque: read, serialize, schema(|_| schemars::json_schema!({ "description": "Any JSON value: the specification does not show its shape." })));
