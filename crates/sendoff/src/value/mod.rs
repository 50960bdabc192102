//! Validated text: one type a kind, one door a type.
//!
//! A value keeps its spelling: `Display` gives back exactly the text that came in. Equality, order and hashes go by
//! meaning, so that `0xAB` and `0xab` are the same bytes.
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

mod address;
mod amount;
mod bytes;
mod chain_id;
mod id;
mod nft_type;
mod quantity;

pub use address::{Address, FeePayerAddress, TokenAddress};
pub use amount::{Amount, FeeAmount};
pub(crate) use bytes::to_hex;
pub use bytes::{HexBytes, Signature, Word};
pub use chain_id::ChainId;
pub use id::{JobId, NftId};
pub use nft_type::NftType;
pub use quantity::{Nonce, Quantity, Quantity128};

use alloc::format;

use crate::document::bounded;
use crate::error::{Code, Excerpt, Issues, Path};

/// What is wrong with a text, before it is known where it stands.
pub(crate) struct Fault {
    code: Code,
    /// Said after the excerpt, such as `, whose checksum is wrong`.
    note: &'static str,
}

impl Fault {
    pub(crate) const FORMAT: Self = Self::format("");
    pub(crate) const RANGE: Self = Self { code: Code::Range, note: "" };

    pub(crate) const fn format(note: &'static str) -> Self {
        Self { code: Code::Format, note }
    }

    /// An issue about a text that is not what was expected.
    #[cold]
    #[inline(never)]
    pub(crate) fn push(&self, text: &str, expected: &str, at: &Path<'_>, issues: &mut Issues) {
        issues.push(at, self.code, format!("expected {expected}, found {}{}", Excerpt(text), self.note));
    }
}

/// A kind of text.
pub(crate) trait Text: Sized {
    /// What belongs here, in words: `expected …`.
    const EXPECTED: &'static str;

    /// The one door.
    fn accept(text: &str) -> Result<Self, Fault>;

    /// The value of a field that is not there; none where the field is required.
    fn absent() -> Option<Self> {
        None
    }
}

/// The door for a text at its place, within the bound of all input.
pub(crate) fn read<T: Text>(text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<T> {
    let text = bounded(text, at, issues)?;
    T::accept(text).map_err(|fault| fault.push(text, T::EXPECTED, at, issues)).ok()
}

/// A kind of text that is kept as it came. What it means is read again wherever it is asked for, which takes some
/// nanoseconds: a value of two words moves more cheaply than one that carries its meaning along.
///
/// The pattern is for schemas: as much of the kind as a regular expression can say.
macro_rules! text_value {
    ($type:ident: $expected:literal, $pattern:literal) => {
        $crate::value::text_value!($type: $expected);
        $crate::document::schema::of!($type, |_| $crate::document::schema::text($expected, $pattern));
    };
    ($type:ident: $expected:literal) => {
        impl $type {
            /// The text, as it came in.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.text
            }
        }

        impl $crate::value::Text for $type {
            const EXPECTED: &'static str = $expected;

            fn accept(text: &str) -> Result<Self, $crate::value::Fault> {
                Self::meaning(text)?;
                Ok(Self { text: text.into() })
            }
        }

        $crate::value::text_doors!($type);
    };
}
pub(crate) use text_value;

/// The doors that need no more than `as_str`.
macro_rules! text_doors {
    ($type:ident) => {
        impl core::str::FromStr for $type {
            type Err = $crate::error::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let mut issues = $crate::error::Issues::default();
                let value = $crate::value::read(text, &$crate::error::Path::Root, &mut issues);
                issues.or(value)
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::document::deserialize(deserializer)
            }
        }

        impl $crate::document::Read for $type {
            const EXPECTED: &'static str = <Self as $crate::value::Text>::EXPECTED;

            fn read(
                node: &$crate::document::Node<'_>,
                at: &$crate::error::Path<'_>,
                issues: &mut $crate::error::Issues,
            ) -> Option<Self> {
                let text = $crate::document::text_of(node, <Self as $crate::value::Text>::EXPECTED, at, issues)?;
                $crate::value::read(text, at, issues)
            }

            fn absent() -> Option<Self> {
                <Self as $crate::value::Text>::absent()
            }
        }
    };
}
pub(crate) use text_doors;

/// A closed set of texts as an enum, with the same doors as [`text_value`]; `as` names its schema.
macro_rules! keyword {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis enum $type:ident as $name:ident: $expected:literal $(, absent means $absent:ident)? {
            $($(#[doc = $variant_doc:literal])* $text:literal => $variant:ident,)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $(#[derive($($derive),*)])?
        $vis enum $type {
            $($(#[doc = $variant_doc])* $variant,)*
        }

        $(impl Default for $type {
            fn default() -> Self {
                Self::$absent
            }
        })?

        $crate::document::schema::of!($type as $name, |_| {
            let texts = [$(($text, concat!($($variant_doc, "\n"),*))),*];
            $crate::document::schema::keyword(concat!($($doc, "\n"),*), &texts)
        });

        impl $type {
            /// Every one of them.
            $vis const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The text that stands for it.
            #[must_use]
            $vis const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }

        impl $crate::value::Text for $type {
            const EXPECTED: &'static str = $expected;

            fn accept(text: &str) -> Result<Self, $crate::value::Fault> {
                Self::ALL.iter().find(|known| known.as_str() == text).copied().ok_or($crate::value::Fault::FORMAT)
            }

            $(fn absent() -> Option<Self> {
                Some(Self::$absent)
            })?
        }

        $crate::value::text_doors!($type);
    };
    (
        $(#[$($meta:tt)*])*
        $vis:vis enum $type:ident: $($rest:tt)*
    ) => {
        $crate::value::keyword! {
            $(#[$($meta)*])*
            $vis enum $type as $type: $($rest)*
        }
    };
}
pub(crate) use keyword;

/// Equality and hash of a type by what it means.
macro_rules! by_meaning {
    ($type:ident, $meaning:ident) => {
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.text == other.text || self.$meaning() == other.$meaning()
            }
        }

        impl Eq for $type {}

        impl core::hash::Hash for $type {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.$meaning().hash(state);
            }
        }
    };
}
pub(crate) use by_meaning;

/// The digits behind `0x`; none where one is no hex digit.
pub(crate) fn hex_digits(text: &str) -> Option<&str> {
    let digits = text.strip_prefix("0x")?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(digits)
}

/// Whether a decimal integer is written in the one way: digits, no leading zero.
pub(crate) fn is_canonical_decimal(text: &str) -> bool {
    text.bytes().all(|digit| digit.is_ascii_digit()) && (text == "0" || !text.is_empty() && !text.starts_with('0'))
}
