//! Token standards.

use alloc::boxed::Box;

use super::{Fault, text_value};
use crate::document::schema;

/// The token standard of an NFT, such as `ERC721`: 1 to 32 ASCII letters, digits, hyphens or underscores.
///
/// The specification shows one value, so others are let through; but a known standard in another letter case is
/// refused, for it would escape that standard's rules.
///
/// ```
/// use sendoff::value::NftType;
///
/// assert_eq!("ERC721".parse::<NftType>()?.as_str(), NftType::ERC721);
/// assert!("ERC404".parse::<NftType>().is_ok());
/// assert!("erc721".parse::<NftType>().is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NftType {
    text: Box<str>,
}

impl NftType {
    /// One token of its own a piece.
    pub const ERC721: &'static str = "ERC721";
    /// Any number of each token.
    pub const ERC1155: &'static str = "ERC1155";
}

impl NftType {
    pub(super) fn meaning(text: &str) -> Result<(), Fault> {
        let known = [Self::ERC721, Self::ERC1155];
        let miscased = known.iter().any(|known| text.eq_ignore_ascii_case(known) && text != *known);
        let spelled = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
        if miscased || !(1..=32).contains(&text.len()) || !text.bytes().all(spelled) {
            return Err(Fault::FORMAT);
        }
        Ok(())
    }
}

text_value!(NftType: "a token standard (1 to 32 letters, digits, `-` or `_`; `ERC721` and `ERC1155` in capitals)");
schema::of!(NftType, |_| schemars::json_schema!({
    "type": "string",
    "description": <Self as super::Text>::EXPECTED,
    "anyOf": [
        { "enum": [Self::ERC721, Self::ERC1155] },
        { "pattern": "^[-_a-zA-Z0-9]{1,32}$", "not": { "pattern": "^[eE][rR][cC](721|1155)$" } },
    ],
}));
