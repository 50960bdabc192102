//! Calls of well-known contract functions, decoded from a transaction's data.
//!
//! Source: ERC-20, ERC-721, ERC-1155 and ERC-2612, the permit of DAI, Permit2 (`approve`), OpenZeppelin's contracts
//! (`increaseAllowance`, `Ownable`, `AccessControl`, the proxies).

use alloc::vec::Vec;

use primitive_types::U256;

use super::CallArgument;
use crate::abi::Reader;
use crate::value::Address;

/// A known function. The types of its arguments are read from its signature.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Function {
    signature: &'static str,
    /// The first four bytes of the signature's hash.
    selector: u32,
    /// The names of its arguments, in the order of the signature.
    names: &'static str,
    kind: ContractCallKind,
    /// A sentence about its effect, without its end. Places in braces are arguments with their form.
    effect: &'static str,
}

impl Function {
    const fn new(
        signature: &'static str,
        selector: u32,
        names: &'static str,
        kind: ContractCallKind,
        effect: &'static str,
    ) -> Self {
        Self { signature, selector, names, kind, effect }
    }

    /// The types of its arguments, such as `address`.
    fn types(&self) -> impl Iterator<Item = &'static str> {
        let types = self.signature.split_once('(').and_then(|(_, types)| types.strip_suffix(')'));
        parts(types.unwrap_or_default())
    }
}

/// Returns the effect of a known function, by its signature.
pub(super) fn effect_of(signature: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|known| known.signature == signature).map(|known| known.effect)
}

/// The names of arguments and the effect of each known function.
#[cfg(test)]
pub(super) fn effects() -> impl Iterator<Item = (&'static str, &'static str)> {
    FUNCTIONS.iter().map(|known| (known.names, known.effect))
}

/// Splits a list at its commas.
fn parts(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split(',').filter(|part| !part.is_empty())
}

/// All known functions.
#[rustfmt::skip]
static FUNCTIONS: &[Function] = &{
    use ContractCallKind::{Approval, ApprovalForAll, Ownership, Permit, Reduction, Transfer, Upgrade};
    [
        // ERC-20.
        Function::new("transfer(address,uint256)", 0xa905_9cbb, "to,amount", Transfer,
            "{amount:units} goes from {caller} to {to}"),
        // ERC-20: an amount. ERC-721: the id of an NFT.
        Function::new("transferFrom(address,address,uint256)", 0x23b8_72dd, "from,to,value", Transfer,
            "{value:units or NFT} goes from {from} to {to}"),
        // ERC-721.
        Function::new("safeTransferFrom(address,address,uint256)", 0x4284_2e0e, "from,to,id", Transfer,
            "NFT {id} goes from {from} to {to}"),
        // ERC-721; `data` is passed to the receiver, here and below.
        Function::new("safeTransferFrom(address,address,uint256,bytes)", 0xb88d_4fde, "from,to,id,data", Transfer,
            "NFT {id} goes from {from} to {to}, with {data:bytes}"),
        // ERC-1155: pieces of one token, and of several. A contract refuses lists of different lengths; this reader
        // accepts them.
        Function::new("safeTransferFrom(address,address,uint256,uint256,bytes)", 0xf242_432a, "from,to,id,amount,data", Transfer,
            "NFT {id}{amount:pieces} goes from {from} to {to}, with {data:bytes}"),
        Function::new("safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)", 0x2eb2_c2d6, "from,to,ids,amounts,data", Transfer,
            "the NFTs {ids} (pieces: {amounts}) go from {from} to {to}, with {data:bytes}"),
        // ERC-20: an amount. ERC-721: the id of an NFT.
        Function::new("approve(address,uint256)", 0x095e_a7b3, "spender,value", Approval,
            "{spender} may take {value:allowance or NFT}"),
        // OpenZeppelin's ERC-20.
        Function::new("increaseAllowance(address,uint256)", 0x3950_9351, "spender,amount", Approval,
            "{spender} may take more than before, by {amount:allowance}"),
        Function::new("decreaseAllowance(address,uint256)", 0xa457_c2d7, "spender,amount", Reduction,
            "{spender} may take less than before, by {amount:allowance}"),
        // ERC-721 and ERC-1155.
        Function::new("setApprovalForAll(address,bool)", 0xa22c_b465, "operator,approved", ApprovalForAll,
            "{operator} may take {approved:everything|nothing} of {caller}"),
        // ERC-2612; a deadline is in seconds since the epoch.
        Function::new("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", 0xd505_accf, "owner,spender,amount,deadline,v,r,s", Permit,
            "{spender} may take {amount:allowance} of {owner}, until {deadline} (Unix time)"),
        // DAI: allows all of the holder's tokens, or nothing any more; an expiry of 0 means no expiry.
        Function::new("permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)", 0x8fcb_af0c, "holder,spender,nonce,expiry,allowed,v,r,s", Permit,
            "{spender} may take {allowed:an unlimited amount|nothing} of {holder}, until {expiry} (Unix time; 0 means no end)"),
        // Permit2; an amount of 2^160−1 means unlimited.
        Function::new("approve(address,address,uint160,uint48)", 0x8751_7c45, "token,spender,amount,expiration", Permit,
            "{spender} may take {amount:allowance of token} of the token {token}, until {expiration} (Unix time)"),
        // OpenZeppelin's `Ownable`, `AccessControl` and proxies.
        Function::new("transferOwnership(address)", 0xf2fd_e38b, "new_owner", Ownership,
            "{new_owner} becomes its owner"),
        Function::new("renounceOwnership()", 0x7150_18a6, "", Ownership,
            "it has no owner any more"),
        Function::new("grantRole(bytes32,address)", 0x2f2f_f15d, "role,account", Ownership,
            "{account} gets the role {role}"),
        Function::new("changeAdmin(address)", 0x8f28_3970, "new_admin", Ownership,
            "{new_admin} becomes its admin"),
        Function::new("upgradeTo(address)", 0x3659_cfe6, "implementation", Upgrade,
            "its code becomes that of {implementation}"),
        Function::new("upgradeToAndCall(address,bytes)", 0x4f1e_f286, "implementation,data", Upgrade,
            "its code becomes that of {implementation}, and is called with {data:bytes}"),
    ]
};

/// The effect of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContractCallKind {
    /// Moves tokens or NFTs that the caller owns or may move.
    Transfer,
    /// Approves a spender for the caller's tokens, or for one NFT.
    Approval,
    /// Approves an operator for everything that the caller has in a collection, or revokes that.
    ApprovalForAll,
    /// Lowers an approval of the caller's tokens.
    Reduction,
    /// Approves a spender by a signature of the owner, or through Permit2.
    Permit,
    /// Gives the control over a contract to another account, shares it, or gives it up.
    Ownership,
    /// Replaces the code behind a proxy.
    Upgrade,
}

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
/// let (call, behind) = ContractCall::decode(&data).unwrap();
/// assert_eq!(call.signature(), "transfer(address,uint256)");
/// assert_eq!(call.kind(), ContractCallKind::Transfer);
/// assert_eq!(call.receiver(), Some(&"0x88bee8eb691ffafb192bac4d1e7042e1b44c3ef2".parse()?));
/// assert_eq!(call.argument("amount"), Some(&CallArgument::Uint(10_000_000_000_000_u64.into())));
/// assert_eq!(behind, [0]);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ContractCall {
    function: &'static Function,
    arguments: Vec<CallArgument>,
}

impl ContractCall {
    /// Decodes data: the call, and the bytes after its arguments, which most contracts ignore.
    ///
    /// Returns `None` if the selector is unknown or the arguments do not decode. Arguments are read strictly: offsets
    /// are where an encoder puts them, padding is zero, and numbers fit their bits.
    #[must_use]
    pub fn decode(data: &[u8]) -> Option<(Self, &[u8])> {
        let (selector, arguments) = data.split_first_chunk()?;
        let function = FUNCTIONS.iter().find(|known| known.selector == u32::from_be_bytes(*selector))?;
        let mut reader = Reader::new(arguments, selector.len(), function.types().count());
        let arguments = function.types().map(|name| CallArgument::read(name, &mut reader)).collect::<Option<_>>()?;
        Some((Self { function, arguments }, reader.rest()))
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
        parts(self.function.names).zip(&self.arguments)
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
        let name = match self.kind() {
            ContractCallKind::Approval | ContractCallKind::ApprovalForAll => {
                return self.approval().map(|(spender, _)| spender);
            }
            ContractCallKind::Permit => "spender",
            ContractCallKind::Upgrade => "implementation",
            ContractCallKind::Ownership => {
                return self.arguments.iter().find_map(|argument| match argument {
                    CallArgument::Address(address) => Some(address),
                    _ => None,
                });
            }
            ContractCallKind::Transfer | ContractCallKind::Reduction => return None,
        };
        match self.argument(name) {
            Some(CallArgument::Address(address)) => Some(address),
            _ => None,
        }
    }

    /// The spender of an approval, and what it allows; `None` if the call approves nothing. `approve` with 0 counts: it
    /// approves the NFT with the id 0, if the contract is a collection.
    ///
    /// Permits are not approvals of the caller: a signature makes them valid.
    #[must_use]
    pub fn approval(&self) -> Option<(&Address, Approved)> {
        match (self.kind(), &*self.arguments) {
            (ContractCallKind::Approval, [CallArgument::Address(spender), CallArgument::Uint(amount)]) => {
                let is_id = self.argument("value").is_some();
                (is_id || !amount.is_zero()).then_some((spender, Approved::UpTo(*amount)))
            }
            (ContractCallKind::ApprovalForAll, [CallArgument::Address(operator), CallArgument::Bool(true)]) => {
                Some((operator, Approved::Everything))
            }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Approved {
    /// This amount of an ERC-20 token, or the NFT with this id.
    UpTo(U256),
    /// Everything in the collection.
    Everything,
}

impl Approved {
    /// `true` for everything, and for an amount of 2^255 or more, because no token has such a supply.
    #[must_use]
    pub const fn is_unlimited(self) -> bool {
        match self {
            Self::UpTo(amount) => amount.bit(255),
            Self::Everything => true,
        }
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
        for Function { signature, selector, .. } in FUNCTIONS {
            assert_eq!(keccak256([signature.as_bytes()])[..4], selector.to_be_bytes(), "{signature}");
        }
        assert_eq!(FUNCTIONS.len(), 19);
    }

    #[test]
    fn each_function_reads_as_many_arguments_as_it_has() {
        for Function { signature, selector, names, kind, .. } in FUNCTIONS {
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
            let data = [&selector.to_be_bytes()[..], &heads, &tails].concat();
            let (call, behind) = ContractCall::decode(&data).unwrap();
            assert_eq!((call.signature(), call.kind(), behind), (*signature, *kind, &[][..]));
            let read: Vec<_> = call.arguments().map(|(name, argument)| (name, type_of(argument))).collect();
            let expected: Vec<_> = types.iter().map(|name| if is_uint(name) { "uint" } else { *name }).collect();
            assert_eq!(read, names.split(',').zip(expected).collect::<Vec<_>>(), "{signature}");
            assert_eq!(read.len(), types.len(), "{signature}");
            let zero = Address::from(H160::zero());
            let receiver = (*kind == ContractCallKind::Transfer).then_some(&zero);
            assert_eq!(call.receiver(), receiver, "{signature}");
            // Miri takes minutes for what a processor does in milliseconds.
            for length in (0..data.len()).step_by(if cfg!(miri) { 61 } else { 1 }) {
                assert_eq!(ContractCall::decode(&data[..length]), None, "{signature}, {length} bytes");
            }
            // Each word is larger than its type: an address, a flag, an offset. `uint256` and `bytes32` take any word.
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
        fn is_uint(name: &str) -> bool {
            name.starts_with("uint") && !is_dynamic(name)
        }
        const fn type_of(argument: &CallArgument) -> &'static str {
            match argument {
                CallArgument::Address(_) => "address",
                CallArgument::Bool(_) => "bool",
                CallArgument::Uint(_) => "uint",
                CallArgument::Uints(_) => "uint256[]",
                CallArgument::Word(_) => "bytes32",
                CallArgument::Bytes(_) => "bytes",
            }
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
    fn bytes_after_the_arguments_are_returned_apart() {
        let values = [Value::Address(TO), Value::Uint(7.into())];
        let transfer = [data([0xa9, 0x05, 0x9c, 0xbb], &values), alloc::vec![1, 2, 3]].concat();
        let (call, behind) = ContractCall::decode(&transfer).unwrap();
        let (to, amount) = (CallArgument::Address(TO.into()), CallArgument::Uint(7.into()));
        assert_eq!(call.signature(), "transfer(address,uint256)");
        assert_eq!(call.arguments().collect::<Vec<_>>(), [("to", &to), ("amount", &amount)]);
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
        let zero = || CallArgument::Address(H160::zero().into());
        let expected = [
            ("from", &zero()),
            ("to", &zero()),
            ("ids", &CallArgument::Uints(alloc::vec![1.into(), 2.into()])),
            ("amounts", &CallArgument::Uints(alloc::vec![3.into()])),
            ("data", &CallArgument::Bytes("0xabcd".parse().unwrap())),
        ];
        assert_eq!((call.arguments().collect::<Vec<_>>(), behind), (expected.to_vec(), &[][..]));
        assert_eq!(call.argument("ids").map(CallArgument::to_text), Some("1,2".into()));
        // A length far beyond the input is refused before memory is reserved for it.
        for (at, byte) in [(4 + 160, 0xff), (4 + 160 + 31, 200), (4 + 160 + 24, 1)] {
            let mut mutant = data.clone();
            mutant[at] = byte;
            assert_eq!(ContractCall::decode(&mutant), None);
        }
    }

    #[test]
    fn an_approval_of_zero_may_be_that_of_an_nft() {
        let approve = |selector, amount: U256| {
            let data = data(selector, &[Value::Address(TO), Value::Uint(amount)]);
            let (call, _) = ContractCall::decode(&data).unwrap();
            call.approval().map(|(spender, approved)| (spender.to_h160(), approved.is_unlimited()))
        };
        for selector in [[0x09, 0x5e, 0xa7, 0xb3], [0x39, 0x50, 0x93, 0x51]] {
            let is_id = selector == [0x09, 0x5e, 0xa7, 0xb3];
            assert_eq!(approve(selector, 0.into()), is_id.then_some((TO, false)));
            assert_eq!(approve(selector, 1.into()), Some((TO, false)));
            assert_eq!(approve(selector, (U256::one() << 255) - 1), Some((TO, false)));
            assert_eq!(approve(selector, U256::one() << 255), Some((TO, true)));
        }
        assert_eq!(approve([0xa4, 0x57, 0xc2, 0xd7], U256::MAX), None);
        assert_eq!(approve([0xa2, 0x2c, 0xb4, 0x65], 0.into()), None);
        assert_eq!(approve([0xa2, 0x2c, 0xb4, 0x65], 1.into()), Some((TO, true)));
    }
}
