//! Calls of well-known contract functions, decoded from a transaction's data.

use alloc::vec::Vec;

use primitive_types::U256;

use super::contract_function::{ContractFunction, Form, SELECTOR};
use super::{CallArgument, ContractCallKind};
use crate::abi::{DecodeError, Reader, WORD};
use crate::copy::copy;
use crate::value::{Address, of_word};

/// A call of a function that moves the caller's assets, or allows others to move them.
///
/// A contract that was made to deceive can give the same data another meaning. The data alone does not tell what the
/// contract is, for example whether a number is an amount or an id.
///
/// ```
/// use sendoff::intent::{CallArgument, ContractCall, ContractCallKind};
/// use sendoff::value::HexBytes;
///
/// let data: HexBytes = concat!(
///     "0xa9059cbb",
///     "00000000000000000000000088bee8eb691ffafb192bac4d1e7042e1b44c3ef2",
///     "000000000000000000000000000000000000000000000000000009184e72a000",
///     "00",
/// ).parse()?;
/// let data = data.to_vec();
///
/// let (call, behind) = ContractCall::recognize(&data).unwrap();
/// assert_eq!(call.signature(), "transfer(address,uint256)");
/// assert_eq!(call.kind(), ContractCallKind::Transfer);
/// assert_eq!(call.receiver(), Some(&"0x88bee8eb691ffafb192bac4d1e7042e1b44c3ef2".parse()?));
/// assert_eq!(call.argument("amount"), Some(&CallArgument::Uint(10_000_000_000_000_u64.into())));
/// assert_eq!(behind, [0]);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ContractCall {
    function: &'static ContractFunction,
    arguments: Vec<CallArgument>,
}

impl ContractCall {
    /// Recognizes a call in data. Returns it, and the bytes after its arguments, which most contracts ignore.
    ///
    /// Returns `None` if the selector is unknown or the arguments do not decode. Arguments are read strictly: offsets
    /// are where an encoder puts them, padding is zero, and numbers fit their bits.
    #[must_use]
    pub fn recognize(data: &[u8]) -> Option<(Self, &[u8])> {
        let (function, encoded) = ContractFunction::called(data)?;
        let flaw = DecodeError::default();
        let mut reader = Reader::new(encoded, SELECTOR, function.types().count(), &flaw);
        let mut arguments = Vec::new();
        for name in function.types() {
            arguments.push(CallArgument::read(name, &mut reader)?);
        }
        Some((Self { function, arguments }, encoded.get(reader.rest()..)?))
    }

    /// Reads data as contracts do that were compiled before Solidity checked its arguments: an address is the low 20
    /// bytes of its word, a flag is true unless its word is zero, and bytes that are missing at the end are zeros. Only
    /// calls that give power over assets or contracts are read in this way; `bytes` of theirs are left out.
    pub(crate) fn read_loosely(data: &[u8]) -> Option<Self> {
        let (function, encoded) =
            ContractFunction::called(data).filter(|(function, _)| function.kind.gives_power())?;
        let words = encoded.chunks(WORD).map(padded).chain(core::iter::repeat([0; WORD]));
        let arguments = function.types().zip(words);
        let arguments = arguments.filter_map(|(name, word)| CallArgument::of_word(name, word));
        Some(Self { function, arguments: arguments.collect() })
    }

    /// The calls in data of a function that is not known here which give power over assets or contracts: `multicall`,
    /// `execute` and batches of them have other calls as `bytes`, or packed behind their target and value (ERC-7579).
    pub(crate) fn within(data: &[u8]) -> impl Iterator<Item = Self> {
        (SELECTOR..data.len()).filter_map(|at| {
            ContractFunction::called(data.get(at..)?)?;
            let call = bytes_at(data, at, 0).or_else(|| bytes_at(data, at, PACKED))?;
            Self::read_loosely(call)
        })
    }

    /// The calls in data of which the effect is not known here: itself, read loosely, and those inside of it.
    pub(crate) fn in_unknown(data: &[u8]) -> impl Iterator<Item = Self> {
        Self::read_loosely(data).into_iter().chain(Self::within(data))
    }

    /// `true` if it gives power over assets or contracts: an approval of nothing does not.
    pub(crate) fn is_power(&self) -> bool {
        let is_approval =
            matches!(self.kind(), ContractCallKind::Approval | ContractCallKind::ApprovalForAll);
        self.kind().gives_power() && (!is_approval || self.approval().is_some())
    }

    /// The function's signature, such as `approve(address,uint256)`.
    #[must_use]
    pub const fn signature(&self) -> &'static str {
        self.function.signature
    }

    /// The effect of the call.
    #[must_use]
    pub const fn kind(&self) -> ContractCallKind {
        self.function.kind
    }

    /// The arguments with their names, in the order of the signature.
    pub fn arguments(&self) -> impl Iterator<Item = (&'static str, &CallArgument)> {
        self.function.names().zip(&self.arguments)
    }

    /// The argument of this name.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&CallArgument> {
        self.arguments().find(|(known, _)| *known == name).map(|(_, argument)| argument)
    }

    /// The recipient of a transfer; `None` if this is no transfer.
    #[must_use]
    pub fn receiver(&self) -> Option<&Address> {
        match (self.kind(), self.argument("to")) {
            (ContractCallKind::Transfer, Some(CallArgument::Address(to))) => Some(to),
            _ => None,
        }
    }

    /// The address that the call gives power over tokens or contracts: the spender of an approval or a permit, an
    /// operator, a new owner, an implementation.
    #[must_use]
    pub fn empowered(&self) -> Option<&Address> {
        let mut forms = self.function.arguments.iter().zip(&self.arguments);
        let empowered = forms.find_map(|((_, form), argument)| match (form, argument) {
            (Form::Empowered, CallArgument::Address(address)) => Some(address),
            _ => None,
        });
        empowered.filter(|_| self.is_power())
    }

    /// The spender of an approval, and what it allows; `None` if the call approves nothing. `approve` with 0 counts: it
    /// approves the NFT with the id 0, if the contract is a collection.
    ///
    /// Permits are not approvals of the caller: a signature makes them valid.
    #[must_use]
    pub fn approval(&self) -> Option<(&Address, Approved)> {
        match (self.kind(), &*self.arguments) {
            (
                ContractCallKind::Approval,
                [CallArgument::Address(spender), CallArgument::Uint(amount)],
            ) => {
                let is_id = self.argument("value").is_some();
                (is_id || !amount.is_zero()).then_some((spender, Approved::UpTo(*amount)))
            }
            (
                ContractCallKind::ApprovalForAll,
                [CallArgument::Address(operator), CallArgument::Bool(true)],
            ) => Some((operator, Approved::Everything)),
            _ => None,
        }
    }
}

/// What an approval allows.
///
/// ```
/// use sendoff::intent::Approved;
///
/// assert!(!Approved::UpTo(1.into()).is_unlimited());
/// assert!(Approved::UpTo(primitive_types::U256::MAX).is_unlimited());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Approved {
    /// This amount of an ERC-20 token, or the NFT with this id.
    UpTo(U256),
    /// Everything in the collection.
    Everything,
}

impl Approved {
    /// `true` for everything, for an amount of 2^255 or more, because no token has such a supply, and for 2^k−1 with k =
    /// 64, 72, 80 … 248, the most that a token with fewer bits keeps.
    #[must_use]
    pub fn is_unlimited(self) -> bool {
        match self {
            Self::UpTo(amount) => amount.bit(255) || is_all_of_fewer_bits(amount),
            Self::Everything => true,
        }
    }
}

/// `true` for the largest number of 64, 72, 80 … 248 bits.
fn is_all_of_fewer_bits(number: U256) -> bool {
    let (bits, next) = (number.bits(), number.overflowing_add(U256::one()).0);
    (64..=248).contains(&bits) && bits.is_multiple_of(8) && (number & next).is_zero()
}

/// The number of bytes of a target and a value before a packed call.
const PACKED: usize = 20 + WORD;

/// The rest, from this place on, of `bytes` that begin so many bytes before it, behind the word of their length.
fn bytes_at(data: &[u8], at: usize, before: usize) -> Option<&[u8]> {
    let start = at.checked_sub(before)?;
    let (_, length) = data.get(..start)?.split_last_chunk()?;
    let length = of_word(length);

    let rest = data.get(start..)?;
    let length = usize::try_from(length).ok().filter(|length| *length <= rest.len())?;
    rest.get(before..length).filter(|call| call.len() >= SELECTOR)
}

/// A word of which bytes at the end may be missing.
fn padded(bytes: &[u8]) -> [u8; WORD] {
    let mut word = [0; WORD];
    copy(&mut word, bytes);
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{Item, encode};
    use primitive_types::H160;

    const TO: H160 = H160([0x11; 20]);

    fn data(selector: [u8; 4], values: &[Item<'_>]) -> Vec<u8> {
        [&selector[..], &encode(values)].concat()
    }

    #[test]
    fn old_contracts_read_arguments_loosely() {
        let approve = |bytes: &[u8]| {
            let data = [&[0x09, 0x5e, 0xa7, 0xb3], bytes].concat();
            let call = ContractCall::read_loosely(&data).unwrap();
            let (spender, approved) = call.approval().unwrap();
            (spender.to_h160(), approved)
        };
        let mut words = encode(&[Item::Address(TO), Item::Uint(U256::MAX)]);
        let whole = approve(&words);
        assert_eq!(whole, (TO, Approved::UpTo(U256::MAX)));

        words[..12].fill(0xff);
        assert_eq!(approve(&words), whole);
        assert_eq!(approve(&words[..63]), (TO, Approved::UpTo(U256::MAX << 8)));
        assert_eq!(approve(&words[..32]), (TO, Approved::UpTo(U256::zero())));
        assert_eq!(approve(&[]), (H160::zero(), Approved::UpTo(U256::zero())));

        let operator = |flag: u64| {
            let values = [Item::Address(TO), Item::Uint(flag.into())];
            let call = ContractCall::read_loosely(&data([0xa2, 0x2c, 0xb4, 0x65], &values));
            call.unwrap().approval().is_some()
        };
        assert_eq!([0, 1, 2, 256].map(operator), [false, true, true, true]);

        let transfer = data([0xa9, 0x05, 0x9c, 0xbb], &[Item::Address(TO), Item::Uint(1.into())]);
        for data in [&transfer[..], &transfer[..3], &[0x09, 0x5e, 0xa7]] {
            assert_eq!(ContractCall::read_loosely(data), None);
        }
    }

    #[test]
    fn calls_inside_calls_are_found() {
        let words = [Item::Address(TO), Item::Uint(5.into())];
        let approve = data([0x09, 0x5e, 0xa7, 0xb3], &words);
        let transfer = data([0xa9, 0x05, 0x9c, 0xbb], &words);
        let found = |data: &[u8]| {
            ContractCall::within(data).map(|call| call.signature()).collect::<Vec<_>>()
        };
        let one = ["approve(address,uint256)"];

        let multicall = |calls: &[&[u8]]| {
            let calls = calls.iter().map(|call| Item::Bytes(call)).collect();
            data([0xac, 0x96, 0x50, 0xd8], &[Item::List(calls)])
        };
        let inner = multicall(&[&transfer, &approve]);
        assert_eq!(found(&inner), one);
        let execute = data(
            [0xb6, 0x1d, 0x27, 0xf6],
            &[Item::Address(TO), Item::Uint(0.into()), Item::Bytes(&inner)],
        );
        assert_eq!(found(&execute), one);
        let packed = [&[7; 20][..], &[0; 32], &approve].concat();
        let packed = data([0xe9, 0xae, 0x5c, 0x53], &[Item::Uint(0.into()), Item::Bytes(&packed)]);
        assert_eq!(found(&packed), one);

        // Without a length before it, or with one that is too long, it is no call.
        let loose = [&[1; 36][..], &approve].concat();
        let mut longer = inner.clone();
        longer[inner.len() - 128 + 31] = 200;
        for none in [&loose, &longer, &approve, &multicall(&[&transfer]), &Vec::new()] {
            assert_eq!(found(none), <[&str; 0]>::default());
        }
    }

    #[test]
    fn the_most_of_fewer_bits_is_unlimited() {
        for bits in 0..=255 {
            let most = (U256::one() << bits) - 1;
            let is_unlimited = bits >= 64 && bits % 8 == 0;
            assert_eq!(Approved::UpTo(most).is_unlimited(), is_unlimited, "{bits}");
            assert_eq!(Approved::UpTo(most + 1).is_unlimited(), bits == 255, "{bits}");
        }
        assert!(!Approved::UpTo((U256::one() << 96) - 2).is_unlimited());
    }
}
