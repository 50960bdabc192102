//! Names of chains and tokens.

use alloc::boxed::Box;

use crate::document::traits;
use crate::value::{ParseError, Text};

/// The name of a chain or a token for people: text of 1 to 64 characters without control characters.
///
/// ```
/// use sendoff::catalogue::CatalogueName;
///
/// assert_eq!("POLYGON".parse::<CatalogueName>()?.as_str(), "POLYGON");
/// assert!("a\nb".parse::<CatalogueName>().is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CatalogueName {
    text: Box<str>,
}

impl CatalogueName {
    const MAX_CHARS: usize = 64;

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl Text for CatalogueName {
    const EXPECTED: &'static str = "a name of 1 to 64 characters without control characters";
    const KIND: &'static str = "CatalogueName";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let is_short = !text.is_empty() && text.chars().nth(Self::MAX_CHARS).is_none();
        let fits = is_short && !text.chars().any(char::is_control);
        fits.then(|| Self { text: text.into() }).ok_or(ParseError::FORMAT)
    }
}

traits!(CatalogueName: free, debug, text, read, serialize, schema(|_| schemars::json_schema!({
    "type": "string",
    "description": <Self as Text>::EXPECTED,
    "minLength": 1,
    "maxLength": Self::MAX_CHARS,
    "pattern": r"^[^\u0000-\u001f\u007f-\u009f]*$",
})));
