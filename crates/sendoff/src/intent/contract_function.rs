//! Known functions of contracts: a table.
//!
//! Source: ERC-20, ERC-721, ERC-1155 and ERC-2612, the permit of DAI, Permit2 (`approve`),
//! OpenZeppelin's contracts (`increaseAllowance`, `Ownable`, `AccessControl`, the proxies).

use crate::text::{cut, parts};

/// The number of bytes of a selector.
pub(super) const SELECTOR: usize = 4;

/// A known function. The types of its arguments are read from its signature.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct ContractFunction {
    pub(super) signature: &'static str,
    /// The first four bytes of the signature's hash.
    pub(super) selector: u32,
    /// The names of its arguments, in the order of the signature.
    names: &'static str,
    pub(super) kind: ContractCallKind,
    /// A sentence about its effect, without its end. Places in braces are arguments with their form.
    effect: &'static str,
}

impl ContractFunction {
    const fn new(
        signature: &'static str,
        selector: u32,
        names: &'static str,
        kind: ContractCallKind,
        effect: &'static str,
    ) -> Self {
        Self { signature, selector, names, kind, effect }
    }

    /// The function that data calls, and the encoded arguments.
    pub(super) fn called(data: &[u8]) -> Option<(&'static Self, &[u8])> {
        let (selector, encoded) = data.split_first_chunk::<SELECTOR>()?;
        let selector = u32::from_be_bytes(*selector);
        FUNCTIONS.iter().find(|known| known.selector == selector).zip(Some(encoded))
    }

    /// The sentence about its effect, without its end.
    pub(super) const fn effect(&self) -> &'static str {
        self.effect
    }

    /// The types of its arguments, such as `address`.
    pub(super) fn types(&self) -> impl Iterator<Item = &'static str> {
        let types = cut(self.signature, b'(').and_then(|(_, types)| cut(types, b')'));
        list(types.map_or("", |(types, _)| types))
    }

    /// The names of its arguments, in the order of the signature.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        list(self.names)
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
fn list(list: &'static str) -> impl Iterator<Item = &'static str> {
    parts(list, b',').filter(|part| !part.is_empty())
}

/// All known functions.
#[rustfmt::skip]
pub(super) static FUNCTIONS: &[ContractFunction] = &{
    use ContractCallKind::{Approval, ApprovalForAll, Ownership, Permit, Reduction, Transfer, Upgrade};
    [
        // ERC-20: an amount. The first collections: the id of an NFT.
        ContractFunction::new("transfer(address,uint256)", 0xa905_9cbb, "to,amount", Transfer,
            "{amount:units or NFT}{amount:go units or NFT} from {caller} to {to}"),
        // ERC-20: an amount. ERC-721: the id of an NFT.
        ContractFunction::new("transferFrom(address,address,uint256)", 0x23b8_72dd, "from,to,value", Transfer,
            "{value:units or NFT}{value:go units or NFT} from {from} to {to}"),
        // ERC-721.
        ContractFunction::new("safeTransferFrom(address,address,uint256)", 0x4284_2e0e, "from,to,id", Transfer,
            "NFT {id} goes from {from} to {to}"),
        // ERC-721; `data` is passed to the receiver, here and below.
        ContractFunction::new("safeTransferFrom(address,address,uint256,bytes)", 0xb88d_4fde, "from,to,id,data", Transfer,
            "NFT {id} goes from {from} to {to}, with {data:bytes}"),
        // ERC-1155: pieces of one token, and of several. A contract refuses lists of different
        // lengths; this reader accepts them.
        ContractFunction::new("safeTransferFrom(address,address,uint256,uint256,bytes)", 0xf242_432a, "from,to,id,amount,data", Transfer,
            "NFT {id}{amount:pieces} goes from {from} to {to}, with {data:bytes}"),
        ContractFunction::new("safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)", 0x2eb2_c2d6, "from,to,ids,amounts,data", Transfer,
            "the NFTs {ids} (pieces: {amounts}) go from {from} to {to}, with {data:bytes}"),
        // ERC-20: an amount. ERC-721: the id of an NFT.
        ContractFunction::new("approve(address,uint256)", 0x095e_a7b3, "spender,value", Approval,
            "{spender} may take {value:allowance or NFT}"),
        // OpenZeppelin's ERC-20.
        ContractFunction::new("increaseAllowance(address,uint256)", 0x3950_9351, "spender,amount", Approval,
            "{spender} may take more than before, by {amount:allowance}"),
        ContractFunction::new("decreaseAllowance(address,uint256)", 0xa457_c2d7, "spender,amount", Reduction,
            "{spender} may take less than before, by {amount:allowance}"),
        // ERC-721 and ERC-1155.
        ContractFunction::new("setApprovalForAll(address,bool)", 0xa22c_b465, "operator,approved", ApprovalForAll,
            "{operator} may take {approved:everything|nothing} of {caller}"),
        // ERC-2612; a deadline is in seconds since the epoch, and that of the signature only.
        ContractFunction::new("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", 0xd505_accf, "owner,spender,amount,deadline,v,r,s", Permit,
            "{spender} may take {amount:allowance} of {owner}{amount:endless}; the signature {deadline:deadline}"),
        // DAI: allows all of the holder's tokens, or nothing any more; the expiry is that of the
        // signature, and 0 means none.
        ContractFunction::new("permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)", 0x8fcb_af0c, "holder,spender,nonce,expiry,allowed,v,r,s", Permit,
            "{spender} may take {allowed:an unlimited amount|nothing} of {holder}{allowed:, with no end|}; the signature {expiry:expiry}"),
        // Permit2; an amount of 2^160−1 means unlimited, and an expiration of 0 this block.
        ContractFunction::new("approve(address,address,uint160,uint48)", 0x8751_7c45, "token,spender,amount,expiration", Permit,
            "{spender} may take {amount:allowance of token} of the token {token}, {expiration:expiration}"),
        // OpenZeppelin's `Ownable`, `AccessControl` and proxies.
        ContractFunction::new("transferOwnership(address)", 0xf2fd_e38b, "new_owner", Ownership,
            "{new_owner} becomes its owner"),
        ContractFunction::new("renounceOwnership()", 0x7150_18a6, "", Ownership,
            "it has no owner any more"),
        ContractFunction::new("grantRole(bytes32,address)", 0x2f2f_f15d, "role,account", Ownership,
            "{account} gets the role {role}"),
        ContractFunction::new("changeAdmin(address)", 0x8f28_3970, "new_admin", Ownership,
            "{new_admin} becomes its admin"),
        ContractFunction::new("upgradeTo(address)", 0x3659_cfe6, "implementation", Upgrade,
            "its code becomes that of {implementation}"),
        ContractFunction::new("upgradeToAndCall(address,bytes)", 0x4f1e_f286, "implementation,data", Upgrade,
            "its code becomes that of {implementation}, and is called"),
    ]
};

/// The effect of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl ContractCallKind {
    /// `true` if it gives another account power over assets or contracts, or takes it back.
    pub(super) const fn gives_power(self) -> bool {
        match self {
            Self::Approval
            | Self::ApprovalForAll
            | Self::Permit
            | Self::Ownership
            | Self::Upgrade => true,
            Self::Transfer | Self::Reduction => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keccak::keccak256;

    #[test]
    fn selectors_are_those_of_their_functions() {
        for ContractFunction { signature, selector, .. } in FUNCTIONS {
            assert_eq!(
                keccak256(&[signature.as_bytes()])[..4],
                selector.to_be_bytes(),
                "{signature}"
            );
        }
        assert_eq!(FUNCTIONS.len(), 19);
    }
}
