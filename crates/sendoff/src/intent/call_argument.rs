//! Arguments of contract calls.

use alloc::{string::String, vec::Vec};

use primitive_types::{H160, U256};

use crate::abi::{Reader, WORD};
use crate::text::{number, text};
use crate::value::{Address, HexBytes, Word, WriteText, decimal, of_word, write_decimal};

/// The number of bits of a word.
const U256_BITS: usize = 256;

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CallArgument {
    /// `address`
    Address(Address),
    /// `bool`
    Bool(bool),
    /// `uint256`, or a number with fewer bits.
    Uint(U256),
    /// `uint256[]`
    Uints(Vec<U256>),
    /// `bytes32`
    Word(Word),
    /// `bytes`
    Bytes(HexBytes),
}

impl CallArgument {
    /// Reads the next argument, which has the type with this name.
    pub(super) fn read(name: &str, reader: &mut Reader<'_>) -> Option<Self> {
        let argument = match name {
            "address" => Self::Address(reader.address().into()),
            "bool" => Self::Bool(reader.bool()),
            "uint256[]" => Self::Uints(reader.uints()),
            "bytes32" => Self::Word((*reader.word()).into()),
            "bytes" => Self::Bytes(reader.bytes().0.into()),
            _ => {
                let bits = bits_of(name)?;
                Self::Uint(Some(reader.uint()).filter(|value| value.bits() <= bits)?)
            }
        };

        reader.flaw().is_none().then_some(argument)
    }

    /// The argument in a word, of the type with this name: the low bytes of an address or a number, and any bit of a flag. `None` for
    /// a type with a tail.
    pub(super) fn of_word(name: &str, word: [u8; WORD]) -> Option<Self> {
        let [_, _, _, _, _, _, _, _, _, _, _, _, address @ ..] = word;
        Some(match name {
            "address" => Self::Address(H160(address).into()),
            "bool" => Self::Bool(word != [0; WORD]),
            "bytes32" => Self::Word(word.into()),
            _ => {
                let mut low = word;
                low.get_mut(..U256_BITS.checked_sub(bits_of(name)?)? / 8)?.fill(0);
                Self::Uint(of_word(&low))
            }
        })
    }

    /// Formats the argument for people: an address in the mixed case of ERC-55, a number as a decimal, bytes in hex,
    /// `true` or `false`.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Address(address) => address.to_checksum(),
            Self::Bool(flag) => (if *flag { "true" } else { "false" }).into(),
            Self::Uint(number) => decimal(*number),
            Self::Uints(numbers) => {
                let mut out = Vec::new();
                for (at, number) in numbers.iter().enumerate() {
                    out.extend((at > 0).then_some(b','));
                    write_decimal(*number, &mut out);
                }
                text(out)
            }
            Self::Word(word) => word.to_text(),
            Self::Bytes(bytes) => bytes.to_text(),
        }
    }
}

/// The number of bits of the type `uint…`.
fn bits_of(name: &str) -> Option<usize> {
    usize::try_from(number(name.strip_prefix("uint")?)?).ok()
}
