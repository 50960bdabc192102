//! Token standards.

use alloc::{borrow::Cow, vec::Vec};

use super::{ParseError, Text, WriteText};
use crate::document::traits;

/// The token standard of an NFT, such as `ERC721`: 1 to 32 ASCII letters, digits, hyphens or underscores.
///
/// The specification shows one value, so others are accepted. A known standard in another letter case, or with hyphens or
/// underscores in it, is refused, because it would bypass that standard's rules.
///
/// ```
/// use sendoff::value::NftType;
///
/// assert_eq!("ERC721".parse(), Ok(NftType::ERC721));
/// assert!("ERC404".parse::<NftType>().is_ok());
/// assert!("erc721".parse::<NftType>().is_err());
/// assert!("ERC-721".parse::<NftType>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NftType {
    text: Cow<'static, str>,
}

impl NftType {
    /// Each piece is a token of its own.
    pub const ERC721: Self = Self { text: Cow::Borrowed("ERC721") };
    /// Any number of each token.
    pub const ERC1155: Self = Self { text: Cow::Borrowed("ERC1155") };

    /// The name of the standard.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl WriteText for NftType {
    fn write_text(&self, out: &mut Vec<u8>) {
        self.text.write_text(out);
    }
}

impl AsRef<str> for NftType {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Text for NftType {
    const EXPECTED: &'static str = "a token standard (1 to 32 letters, digits, `-` or `_`; `ERC721` and `ERC1155` in no other spelling)";
    const KIND: &'static str = "NftType";

    fn parse(text: &str) -> Result<Self, ParseError> {
        for known in [Self::ERC721, Self::ERC1155] {
            if is_spelling_of(known.as_str(), text) {
                return if text == known.as_str() { Ok(known) } else { Err(ParseError::FORMAT) };
            }
        }
        let spelled = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
        let fits = (1..=32).contains(&text.len()) && text.bytes().all(spelled);
        fits.then(|| Self { text: Cow::Owned(text.into()) }).ok_or(ParseError::FORMAT)
    }
}

/// `true` if a text is a standard's name, whatever its letter case, and with `-` or `_` anywhere: `erc-721` for `ERC721`.
fn is_spelling_of(name: &str, text: &str) -> bool {
    let letters =
        text.bytes().filter(|c| !matches!(c, b'-' | b'_')).map(|c| c.to_ascii_uppercase());
    letters.eq(name.bytes())
}

traits!(NftType: debug, leaf, read, serialize, schema(|_| schemars::json_schema!({
    "type": "string",
    "description": <Self as Text>::EXPECTED,
    "anyOf": [
        { "enum": [Self::ERC721.as_str(), Self::ERC1155.as_str()] },
        { "pattern": "^[-_a-zA-Z0-9]{1,32}$", "not": { "pattern": "^[-_]*[eE][-_]*[rR][-_]*[cC][-_]*(7[-_]*2[-_]*1|1[-_]*1[-_]*5[-_]*5)[-_]*$" } },
    ],
})));
