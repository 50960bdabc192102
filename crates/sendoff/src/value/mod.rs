//! Validated strings: each type has one parser.
//!
//! A value is the meaning of its text (an address is 20 bytes), and keeps the spelling beside it:
//! `Display` returns exactly the text that came in. Equality, order and hashes use the meaning, so
//! `0xAB` and `0xab` are the same bytes.
//!
//! ```
//! use sendoff::value::Quantity;
//!
//! let gas: Quantity = "0x2255100".parse()?;
//! assert_eq!(gas.to_string(), "0x2255100");
//! assert_eq!(gas.value().low_u64(), 36_000_000);
//! assert!("0x02255100".parse::<Quantity>().is_err());
//! # Ok::<(), sendoff::error::Error>(())
//! ```

mod number;
mod digits;
mod bytes;
mod address;
mod token_address;
mod fee_payer_address;
mod literal;
mod amount;
mod chain_id;
mod id;
mod nft_type;
mod quantity;
mod opaque;
mod newtype;
mod conversion;

pub use address::Address;
pub use amount::{Amount, FeeAmount};
pub use bytes::{HexBytes, Signature, Word};
pub use chain_id::ChainId;
pub(crate) use conversion::conversions;
pub(crate) use digits::write_digits;
pub use fee_payer_address::FeePayerAddress;
pub use id::{JobId, NftId};
pub(crate) use newtype::{bounded, is_short, keyword, newtype};
pub use nft_type::NftType;
pub(crate) use number::{
    decimal, no_decimal, of_word, percent_of, product, raised, to_word, write_decimal,
};
pub use opaque::Opaque;
pub use quantity::{Nonce, Quantity, Quantity128};
pub use token_address::TokenAddress;

use alloc::string::String;

use crate::document::schema::{HasSchema, Said};
use crate::document::{Kind, Typed, Valued, read_plain};
use crate::error::{Error, Excerpt, Issue, IssueCode, Issues, Path, Wanted};
pub(crate) use crate::text::{WriteText, fill, text};

/// A problem of a text, before its place in a document is known.
#[derive(Debug)]
pub(crate) struct ParseError {
    code: IssueCode,
    note: Option<&'static Note>,
}

/// The flaw of a text of the wrong form.
#[derive(Debug)]
pub(crate) struct Note {
    /// Its name in issues.
    name: &'static str,
    /// The words after the excerpt.
    words: &'static str,
}

impl Note {
    pub(crate) const CHECKSUM: Self = Self { name: "checksum", words: ", whose checksum is wrong" };
    pub(crate) const LENGTH: Self = Self { name: "length", words: ", which has another length" };
    pub(crate) const ODD: Self = Self { name: "odd", words: ", which has an odd number of digits" };
    pub(crate) const LEADING_ZERO: Self =
        Self { name: "leading-zero", words: ", which has a leading zero" };
    pub(crate) const COMMA: Self = Self { name: "comma", words: ", which has a comma" };
    pub(crate) const EXPONENT: Self =
        Self { name: "exponent", words: ", which has an exponent: write all digits" };
    pub(crate) const SEPARATOR: Self =
        Self { name: "separator", words: ", which has separators: write the digits alone" };
    pub(crate) const DECIMALS: Self =
        Self { name: "decimals", words: ", which has more decimals than the token" };
    const SPACE: Self = Self { name: "space", words: ", which begins or ends with a space" };
}

impl ParseError {
    pub(crate) const FORMAT: Self = Self { code: IssueCode::Format, note: None };
    pub(crate) const RANGE: Self = Self { code: IssueCode::Range, note: None };

    pub(crate) const fn format(note: &'static Note) -> Self {
        Self { code: IssueCode::Format, note: Some(note) }
    }

    /// Returns the error of a text that does not have the expected form.
    pub(crate) fn error(&self, text: &str, wanted: &Wanted) -> Error {
        self.issue(text, wanted, String::new()).into()
    }

    /// Pushes an issue of a text that does not have the expected form.
    #[cold]
    #[inline(never)]
    pub(crate) fn push(&self, text: &str, wanted: &Wanted, at: &Path<'_>, issues: &mut Issues) {
        issues.add(self.issue(text, wanted, at.to_text()));
    }

    fn issue(&self, text: &str, wanted: &Wanted, path: String) -> Issue {
        let is_spaced = text.trim_ascii().len() < text.len();
        let note = self.note.or_else(|| is_spaced.then_some(&Note::SPACE));
        let words = note.map_or("", |note| note.words);
        let message = fill("expected {}, found {}{}", &[&wanted.words, &Excerpt(text), &words]);

        Issue {
            found: Some(Excerpt(text).inner()),
            kind: wanted.name(),
            note: note.map(|note| note.name.into()),
            ..Issue::new(path, self.code, message)
        }
    }
}

/// A value that is read from text.
pub(crate) trait Text: WriteText + Valued + HasSchema {
    /// The words after `expected`.
    const EXPECTED: &'static str;

    /// The name of the type in issues.
    const KIND: &'static str;

    /// Both.
    const WANTED: Wanted = Wanted { words: Self::EXPECTED, kind: Self::KIND };

    /// The part of it that a regular expression can express, for its schema.
    const PATTERN: &'static str = "";

    /// `true` if sentences leave out a text of another form.
    const IS_LABEL: bool = false;

    /// What a document needs to know of it.
    const PARSED: &'static Kind = &Kind {
        wanted: Self::WANTED,
        read: |text| Self::parse(text).map(Self::into_value),
        is_label: Self::IS_LABEL,
        said: Said::of::<Self>(Self::PATTERN),
    };

    /// The one parser.
    fn parse(text: &str) -> Result<Self, ParseError>;
}

/// Parses a text at its place, up to the limit of every input.
pub(crate) fn read<T: Typed>(text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<T> {
    T::of_value(&read_plain(text, &T::IS, at, issues))
}

/// The value of a text in a list of all texts.
pub(crate) fn parse_one<T: Copy>(text: &str, texts: &[&str], all: &[T]) -> Result<T, ParseError> {
    let place = texts.iter().position(|known| *known == text);
    place.and_then(|place| all.get(place)).copied().ok_or(ParseError::FORMAT)
}
