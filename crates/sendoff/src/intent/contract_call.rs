//! What the data of a transaction tells a contract, as far as it is known.
//!
//! Source: ERC-20, ERC-721, ERC-1155 and ERC-2612, the permit of DAI, Permit2 (`approve`), OpenZeppelin's contracts
//! (`increaseAllowance`, `Ownable`, `AccessControl`, the proxies).

use alloc::vec::Vec;

use primitive_types::{H256, U256};

use crate::abi::Reader;
use crate::value::{Address, HexBytes, Word};

/// The functions: one row each, from which the type, its reader and its accessors are made.
macro_rules! contract_calls {
    (
        $(#[$meta:meta])*
        pub enum $calls:ident {
            $(
                $(#[doc = $doc:literal])*
                $signature:literal [$($byte:literal),*] => $name:ident {
                    $($(#[doc = $field_doc:literal])* $field:ident: $type:ty = $reader:ident($($bits:literal)?),)*
                }
            )*
        }
    ) => {
        $(#[$meta])*
        pub enum $calls {
            $(
                #[doc = concat!("`", $signature, "`")]
                ///
                $(#[doc = $doc])*
                $name {
                    $($(#[doc = $field_doc])* $field: $type,)*
                },
            )*
        }

        impl $calls {
            /// Reads data: the call, and the bytes behind its arguments, which most contracts ignore.
            ///
            /// `None` if the selector is not known or the arguments do not decode. Arguments are read strictly: offsets
            /// where an encoder puts them, padding zero, numbers within their bits.
            #[must_use]
            pub fn decode(data: &[u8]) -> Option<(Self, &[u8])> {
                let (selector, arguments) = data.split_first_chunk()?;
                match *selector {
                    $([$($byte),*] => {
                        const FIELDS: &[&str] = &[$(stringify!($field)),*];
                        let arguments = &mut Arguments(Reader::new(arguments, selector.len(), FIELDS.len()));
                        let call = Self::$name { $($field: arguments.$reader($($bits)?)?),* };
                        Some((call, arguments.0.rest()))
                    })*
                    _ => None,
                }
            }

            /// The function's signature, such as `approve(address,uint256)`.
            #[must_use]
            pub const fn signature(&self) -> &'static str {
                match self {
                    $(Self::$name { .. } => $signature,)*
                }
            }

            #[cfg(test)]
            const FUNCTIONS: &[(&str, [u8; 4])] = &[$(($signature, [$($byte),*])),*];
        }
    };
}

contract_calls! {
    /// A call of a function that moves a person's things, or lets somebody else move them.
    ///
    /// The same data can mean something else to a contract that was made to deceive. What the contract is, an amount or
    /// an id for example, the data alone does not say.
    ///
    /// ```
    /// use sendoff::intent::ContractCall;
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
    /// let (call, behind) = ContractCall::decode(&data).unwrap();
    /// assert_eq!(call.signature(), "transfer(address,uint256)");
    /// assert_eq!(call.receiver(), Some(&"0x88bee8eb691ffafb192bac4d1e7042e1b44c3ef2".parse()?));
    /// assert!(matches!(call, ContractCall::Transfer { amount, .. } if amount == 10_000_000_000_000_u64.into()));
    /// assert_eq!(behind, [0]);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum ContractCall {
        /// ERC-20: moves the caller's tokens.
        "transfer(address,uint256)" [0xa9, 0x05, 0x9c, 0xbb] => Transfer {
            /// Who receives them.
            to: Address = address(),
            /// How much, in the token's smallest unit.
            amount: U256 = uint(256),
        }
        /// ERC-20 and ERC-721: moves tokens, or an NFT, that the caller owns or may move.
        "transferFrom(address,address,uint256)" [0x23, 0xb8, 0x72, 0xdd] => TransferFrom {
            /// Who gives them.
            from: Address = address(),
            /// Who receives them.
            to: Address = address(),
            /// How much of an ERC-20 token, or which NFT of an ERC-721 collection.
            amount_or_id: U256 = uint(256),
        }
        /// ERC-721: moves an NFT.
        "safeTransferFrom(address,address,uint256)" [0x42, 0x84, 0x2e, 0x0e] => SafeTransferFrom {
            /// Who gives it.
            from: Address = address(),
            /// Who receives it.
            to: Address = address(),
            /// Which NFT.
            id: U256 = uint(256),
        }
        /// ERC-721: moves an NFT, and calls the receiver with data.
        "safeTransferFrom(address,address,uint256,bytes)" [0xb8, 0x8d, 0x4f, 0xde] => SafeTransferFromWithData {
            /// Who gives it.
            from: Address = address(),
            /// Who receives it.
            to: Address = address(),
            /// Which NFT.
            id: U256 = uint(256),
            /// What the receiver is called with.
            data: HexBytes = bytes(),
        }
        /// ERC-1155: moves pieces of one token.
        "safeTransferFrom(address,address,uint256,uint256,bytes)" [0xf2, 0x42, 0x43, 0x2a] => SafeTransferPieces {
            /// Who gives them.
            from: Address = address(),
            /// Who receives them.
            to: Address = address(),
            /// Which token.
            id: U256 = uint(256),
            /// How many pieces.
            amount: U256 = uint(256),
            /// What the receiver is called with.
            data: HexBytes = bytes(),
        }
        /// ERC-1155: moves pieces of several tokens.
        "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)" [0x2e, 0xb2, 0xc2, 0xd6] => SafeBatchTransferFrom {
            /// Who gives them.
            from: Address = address(),
            /// Who receives them.
            to: Address = address(),
            /// Which tokens.
            ids: Vec<U256> = uints(),
            /// How many pieces of each. A contract refuses lists of different length; this reader does not.
            amounts: Vec<U256> = uints(),
            /// What the receiver is called with.
            data: HexBytes = bytes(),
        }
        /// ERC-20: lets somebody move the caller's tokens. ERC-721: lets somebody move one NFT.
        "approve(address,uint256)" [0x09, 0x5e, 0xa7, 0xb3] => Approve {
            /// Who may move them.
            spender: Address = address(),
            /// How much of an ERC-20 token, or which NFT of an ERC-721 collection.
            amount_or_id: U256 = uint(256),
        }
        /// ERC-20: lets somebody move more of the caller's tokens.
        "increaseAllowance(address,uint256)" [0x39, 0x50, 0x93, 0x51] => IncreaseAllowance {
            /// Who may move them.
            spender: Address = address(),
            /// How much more, in the token's smallest unit.
            amount: U256 = uint(256),
        }
        /// ERC-20: lets somebody move less of the caller's tokens.
        "decreaseAllowance(address,uint256)" [0xa4, 0x57, 0xc2, 0xd7] => DecreaseAllowance {
            /// Who may move them.
            spender: Address = address(),
            /// How much less, in the token's smallest unit.
            amount: U256 = uint(256),
        }
        /// ERC-721 and ERC-1155: lets somebody move everything that the caller has in this collection, or no longer.
        "setApprovalForAll(address,bool)" [0xa2, 0x2c, 0xb4, 0x65] => SetApprovalForAll {
            /// Who may move it.
            operator: Address = address(),
            /// `true` to allow it, `false` to take it back.
            approved: bool = bool(),
        }
        /// ERC-2612: lets somebody move the owner's tokens, by the owner's signature.
        "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)" [0xd5, 0x05, 0xac, 0xcf] => Permit {
            /// Whose tokens they are.
            owner: Address = address(),
            /// Who may move them.
            spender: Address = address(),
            /// How much, in the token's smallest unit.
            amount: U256 = uint(256),
            /// Until when the signature counts, in seconds since the epoch.
            deadline: U256 = uint(256),
            /// The signature's `v`.
            v: U256 = uint(8),
            /// The signature's `r`.
            r: Word = word(),
            /// The signature's `s`.
            s: Word = word(),
        }
        /// DAI's permit: lets somebody move all of the holder's tokens, or no longer, by the holder's signature.
        "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)" [0x8f, 0xcb, 0xaf, 0x0c] => DaiPermit {
            /// Whose tokens they are.
            holder: Address = address(),
            /// Who may move them.
            spender: Address = address(),
            /// The holder's nonce.
            nonce: U256 = uint(256),
            /// Until when the signature counts, in seconds since the epoch; 0 means always.
            expiry: U256 = uint(256),
            /// `true` to allow it, `false` to take it back.
            allowed: bool = bool(),
            /// The signature's `v`.
            v: U256 = uint(8),
            /// The signature's `r`.
            r: Word = word(),
            /// The signature's `s`.
            s: Word = word(),
        }
        /// Permit2: lets somebody move the caller's tokens through Permit2.
        "approve(address,address,uint160,uint48)" [0x87, 0x51, 0x7c, 0x45] => Permit2Approve {
            /// The token's contract.
            token: Address = address(),
            /// Who may move it.
            spender: Address = address(),
            /// How much, in the token's smallest unit; 2^160−1 means unlimited.
            amount: U256 = uint(160),
            /// Until when, in seconds since the epoch.
            expiration: U256 = uint(48),
        }
        /// Gives the contract to another owner.
        "transferOwnership(address)" [0xf2, 0xfd, 0xe3, 0x8b] => TransferOwnership {
            /// The owner from then on.
            new_owner: Address = address(),
        }
        /// Leaves the contract without an owner.
        "renounceOwnership()" [0x71, 0x50, 0x18, 0xa6] => RenounceOwnership {}
        /// Gives an account a role in the contract.
        "grantRole(bytes32,address)" [0x2f, 0x2f, 0xf1, 0x5d] => GrantRole {
            /// The role.
            role: Word = word(),
            /// The account that gets it.
            account: Address = address(),
        }
        /// Gives a proxy to another admin.
        "changeAdmin(address)" [0x8f, 0x28, 0x39, 0x70] => ChangeAdmin {
            /// The admin from then on.
            new_admin: Address = address(),
        }
        /// Puts other code behind a proxy.
        "upgradeTo(address)" [0x36, 0x59, 0xcf, 0xe6] => UpgradeTo {
            /// The contract with the code.
            implementation: Address = address(),
        }
        /// Puts other code behind a proxy, and calls it.
        "upgradeToAndCall(address,bytes)" [0x4f, 0x1e, 0xf2, 0x86] => UpgradeToAndCall {
            /// The contract with the code.
            implementation: Address = address(),
            /// What it is called with.
            data: HexBytes = bytes(),
        }
    }
}

impl ContractCall {
    /// Who receives what a transfer moves; `None` if this is no transfer.
    #[must_use]
    pub const fn receiver(&self) -> Option<&Address> {
        match self {
            Self::Transfer { to, .. }
            | Self::TransferFrom { to, .. }
            | Self::SafeTransferFrom { to, .. }
            | Self::SafeTransferFromWithData { to, .. }
            | Self::SafeTransferPieces { to, .. }
            | Self::SafeBatchTransferFrom { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Who may move the caller's things after an approval, and how much; `None` if the call approves of nothing.
    ///
    /// Permits are not approvals of the caller: they act by a signature.
    #[must_use]
    pub fn approval(&self) -> Option<(&Address, Approved)> {
        match self {
            Self::Approve { spender, amount_or_id: amount } | Self::IncreaseAllowance { spender, amount } => {
                (!amount.is_zero()).then_some((spender, Approved::UpTo(*amount)))
            }
            Self::SetApprovalForAll { operator, approved: true } => Some((operator, Approved::Everything)),
            _ => None,
        }
    }
}

/// How much an approval allows.
///
/// ```
/// use sendoff::intent::Approved;
///
/// assert!(!Approved::UpTo(1.into()).is_unlimited());
/// assert!(Approved::UpTo(primitive_types::U256::MAX).is_unlimited());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Approved {
    /// So much of an ERC-20 token, or the NFT of this id.
    UpTo(U256),
    /// Everything in the collection.
    Everything,
}

impl Approved {
    /// `true` for everything and for an amount of 2^255 or more, which no supply reaches.
    #[must_use]
    pub const fn is_unlimited(self) -> bool {
        match self {
            Self::UpTo(amount) => amount.bit(255),
            Self::Everything => true,
        }
    }
}

/// Arguments as values.
struct Arguments<'a>(Reader<'a>);

impl Arguments<'_> {
    fn address(&mut self) -> Option<Address> {
        self.0.address().ok().map(Address::from)
    }

    fn bool(&mut self) -> Option<bool> {
        self.0.bool().ok()
    }

    fn uint(&mut self, bits: usize) -> Option<U256> {
        self.0.uint().ok().filter(|value| value.bits() <= bits)
    }

    fn uints(&mut self) -> Option<Vec<U256>> {
        self.0.uints().ok()
    }

    fn word(&mut self) -> Option<Word> {
        self.0.word().ok().map(|word| Word::from(H256(*word)))
    }

    fn bytes(&mut self) -> Option<HexBytes> {
        self.0.bytes().ok().map(|(bytes, _)| HexBytes::from(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{Value, encode};
    use crate::keccak::keccak256;
    use primitive_types::H160;

    const TO: H160 = H160([0x11; 20]);

    fn data(selector: [u8; 4], values: &[Value<'_>]) -> Vec<u8> {
        [&selector[..], &encode(values)].concat()
    }

    #[test]
    fn selectors_are_those_of_their_functions() {
        for (signature, selector) in ContractCall::FUNCTIONS {
            assert_eq!(keccak256([signature.as_bytes()])[..4], *selector, "{signature}");
        }
        assert_eq!(ContractCall::FUNCTIONS.len(), 19);
    }

    #[test]
    fn each_function_reads_as_many_arguments_as_it_has() {
        for (signature, selector) in ContractCall::FUNCTIONS {
            let types = signature.split_once('(').and_then(|(_, types)| types.strip_suffix(')')).unwrap();
            let types: Vec<_> = types.split(',').filter(|argument| !argument.is_empty()).collect();
            let empty = U256::zero().to_big_endian();
            let tails: Vec<u8> = types.iter().filter(|name| is_dynamic(name)).flat_map(|_| empty).collect();
            let mut offset = types.len() * 32;
            let heads: Vec<u8> = types
                .iter()
                .flat_map(|name| {
                    let word = if is_dynamic(name) { offset } else { 0 };
                    offset += if is_dynamic(name) { 32 } else { 0 };
                    U256::from(word).to_big_endian()
                })
                .collect();
            let data = [&selector[..], &heads, &tails].concat();
            let (call, behind) = ContractCall::decode(&data).unwrap();
            assert_eq!((call.signature(), behind), (*signature, &[][..]));
            for length in 0..data.len() {
                assert_eq!(ContractCall::decode(&data[..length]), None, "{signature}, {length} bytes");
            }
            // Each word larger than its type: an address, a flag, an offset; `uint256` and `bytes32` take any.
            for (at, name) in types.iter().enumerate() {
                let mut dirty = data.clone();
                dirty[4 + at * 32] = 0xff;
                let any = ["uint256", "bytes32"].contains(name);
                assert_eq!(ContractCall::decode(&dirty).is_some(), any, "{signature}, argument {at}");
            }
        }
        fn is_dynamic(name: &str) -> bool {
            name == "bytes" || name.ends_with("[]")
        }
    }

    #[test]
    fn numbers_keep_to_their_bits() {
        let max = |bits: usize| if bits == 256 { U256::MAX } else { (U256::one() << bits) - 1 };
        let approve = |amount, expiration| {
            let (token, spender) = (Value::Address(H160([1; 20])), Value::Address(TO));
            let data = data([0x87, 0x51, 0x7c, 0x45], &[token, spender, Value::Uint(amount), Value::Uint(expiration)]);
            ContractCall::decode(&data).is_some()
        };
        assert!(approve(max(160), max(48)));
        assert!(!approve(max(160) + 1, max(48)));
        assert!(!approve(max(160), max(48) + 1));
    }

    #[test]
    fn bytes_behind_the_arguments_are_told_apart() {
        let values = [Value::Address(TO), Value::Uint(7.into())];
        let transfer = [data([0xa9, 0x05, 0x9c, 0xbb], &values), alloc::vec![1, 2, 3]].concat();
        let (call, behind) = ContractCall::decode(&transfer).unwrap();
        assert_eq!(call, ContractCall::Transfer { to: TO.into(), amount: 7.into() });
        assert_eq!(behind, [1, 2, 3]);
    }

    #[test]
    fn a_batch_is_read_whole() {
        let numbers = |numbers: &[u64]| numbers.iter().map(|n| U256::from(*n).to_big_endian()).collect::<Vec<_>>();
        let (ids, amounts) = (numbers(&[1, 2]), numbers(&[3]));
        let words = [
            numbers(&[0, 0, 160, 256, 320]).concat(),
            [numbers(&[2]).concat(), ids.concat()].concat(),
            [numbers(&[1]).concat(), amounts.concat()].concat(),
            [numbers(&[2]).concat(), alloc::vec![0xab, 0xcd], alloc::vec![0; 30]].concat(),
        ]
        .concat();
        let data = [&[0x2e, 0xb2, 0xc2, 0xd6][..], &words].concat();
        let (call, behind) = ContractCall::decode(&data).unwrap();
        let zero = || Address::from(H160::zero());
        let expected = ContractCall::SafeBatchTransferFrom {
            from: zero(),
            to: zero(),
            ids: alloc::vec![1.into(), 2.into()],
            amounts: alloc::vec![3.into()],
            data: "0xabcd".parse().unwrap(),
        };
        assert_eq!((call, behind), (expected, &[][..]));
        // A length far beyond the bytes is refused before anything is reserved for it.
        for (at, byte) in [(4 + 160, 0xff), (4 + 160 + 31, 200), (4 + 160 + 24, 1)] {
            let mut mutant = data.clone();
            mutant[at] = byte;
            assert_eq!(ContractCall::decode(&mutant), None);
        }
    }

    #[test]
    fn an_approval_of_nothing_is_none() {
        let approve = |selector, amount: U256| {
            let data = data(selector, &[Value::Address(TO), Value::Uint(amount)]);
            let (call, _) = ContractCall::decode(&data).unwrap();
            call.approval().map(|(spender, approved)| (spender.to_h160(), approved.is_unlimited()))
        };
        for selector in [[0x09, 0x5e, 0xa7, 0xb3], [0x39, 0x50, 0x93, 0x51]] {
            assert_eq!(approve(selector, 0.into()), None);
            assert_eq!(approve(selector, 1.into()), Some((TO, false)));
            assert_eq!(approve(selector, (U256::one() << 255) - 1), Some((TO, false)));
            assert_eq!(approve(selector, U256::one() << 255), Some((TO, true)));
        }
        assert_eq!(approve([0xa4, 0x57, 0xc2, 0xd7], U256::MAX), None);
        assert_eq!(approve([0xa2, 0x2c, 0xb4, 0x65], 0.into()), None);
        assert_eq!(approve([0xa2, 0x2c, 0xb4, 0x65], 1.into()), Some((TO, true)));
    }
}
