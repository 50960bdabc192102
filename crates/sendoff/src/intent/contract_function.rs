//! Known functions of contracts: a table.
//!
//! Source: ERC-20, ERC-721, ERC-1155 and ERC-2612, the permit of DAI, Permit2 (`approve`),
//! OpenZeppelin's contracts (`increaseAllowance`, `Ownable`, `AccessControl`, the proxies).

use crate::keccak::selector;

/// The number of bytes of a selector.
pub(super) const SELECTOR: usize = 4;

/// A known function. The types of its arguments are read from its signature.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct ContractFunction {
    pub(super) signature: &'static str,
    pub(super) selector: [u8; SELECTOR],
    pub(super) kind: ContractCallKind,
    /// The names of its arguments, in the order of the signature, and what people read for each.
    pub(super) arguments: &'static [(&'static str, Form)],
    /// A sentence about its effect, without its end. Places in braces are the caller and arguments. Behind an amount, `go` is its
    /// verb, and `end` what is said of its end.
    pub(super) effect: &'static str,
}

/// What people read for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Form {
    /// The value as it is.
    Plain,
    Address,
    /// The address that gets power over tokens or contracts.
    Empowered,
    /// The id of an NFT.
    Nft,
    /// The ids of several.
    Nfts,
    /// The number of pieces of an NFT, unless it is one.
    Pieces,
    /// The length of data.
    Bytes,
    /// `v`, `r` or `s`.
    SignaturePart,
    /// An amount of a token, or the id of an NFT.
    Units,
    /// An amount that a spender may take.
    Allowance,
    /// The same, or the id of an NFT.
    AllowanceOrNft,
    /// An amount of 160 bits of the argument `token`.
    AllowanceOfToken,
    /// An amount that a spender may take without end.
    PermitAmount,
    /// Whether a spender may take everything without end.
    PermitAll,
    /// Whether an operator may take everything.
    Approved,
    /// The time until which a signature must be used.
    Deadline,
    /// The same; 0 means none.
    Expiry,
    /// The time at which an allowance ends; 0 means now.
    Expiration,
}

const fn function(
    signature: &'static str,
    kind: ContractCallKind,
    arguments: &'static [(&'static str, Form)],
    effect: &'static str,
) -> ContractFunction {
    ContractFunction { signature, selector: selector(signature), kind, arguments, effect }
}

impl ContractFunction {
    /// The function that data calls, and the encoded arguments.
    pub(super) fn called(data: &[u8]) -> Option<(&'static Self, &[u8])> {
        let (selector, encoded) = data.split_first_chunk::<SELECTOR>()?;
        FUNCTIONS.iter().find(|known| known.selector == *selector).zip(Some(encoded))
    }

    /// The function with this signature.
    pub(super) fn signed(signature: &str) -> Option<&'static Self> {
        FUNCTIONS.iter().find(|known| known.signature == signature)
    }

    /// The types of its arguments, such as `address`.
    pub(super) fn types(&self) -> impl Iterator<Item = &'static str> {
        let types = self.signature.split_once('(').map_or("", |(_, types)| types);
        let types = types.trim_end_matches(')').split(',');
        types.filter(|part| !part.is_empty())
    }

    /// The names of its arguments, in the order of the signature.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.arguments.iter().map(|(name, _)| *name)
    }

    /// What people read for an argument.
    pub(super) fn form(&self, name: &str) -> Form {
        let argument = self.arguments.iter().find(|(known, _)| *known == name);
        argument.map_or(Form::Plain, |(_, form)| *form)
    }
}

/// All known functions.
#[rustfmt::skip]
pub(super) static FUNCTIONS: &[ContractFunction] = &{
    use ContractCallKind::{Approval, ApprovalForAll, Ownership, Permit, Reduction, Transfer, Upgrade};
    use Form::{
        Address, Allowance, AllowanceOfToken, AllowanceOrNft, Approved, Bytes, Deadline, Empowered, Expiration,
        Expiry, Nft, Nfts, PermitAll, PermitAmount, Pieces, Plain, SignaturePart, Units,
    };
    [
        // ERC-20: an amount. The first collections: the id of an NFT.
        function("transfer(address,uint256)", Transfer,
            &[("to", Address), ("amount", Units)],
            "{amount}{amount:go} from {caller} to {to}"),
        // ERC-20: an amount. ERC-721: the id of an NFT.
        function("transferFrom(address,address,uint256)", Transfer,
            &[("from", Address), ("to", Address), ("value", Units)],
            "{value}{value:go} from {from} to {to}"),
        // ERC-721.
        function("safeTransferFrom(address,address,uint256)", Transfer,
            &[("from", Address), ("to", Address), ("id", Nft)],
            "NFT {id} goes from {from} to {to}"),
        // ERC-721; `data` is passed to the receiver, here and below.
        function("safeTransferFrom(address,address,uint256,bytes)", Transfer,
            &[("from", Address), ("to", Address), ("id", Nft), ("data", Bytes)],
            "NFT {id} goes from {from} to {to}, with {data}"),
        // ERC-1155: pieces of one token, and of several. A contract refuses lists of different
        // lengths; this reader accepts them.
        function("safeTransferFrom(address,address,uint256,uint256,bytes)", Transfer,
            &[("from", Address), ("to", Address), ("id", Nft), ("amount", Pieces), ("data", Bytes)],
            "NFT {id}{amount} goes from {from} to {to}, with {data}"),
        function("safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)", Transfer,
            &[("from", Address), ("to", Address), ("ids", Nfts), ("amounts", Plain),
              ("data", Bytes)],
            "the NFTs {ids} (pieces: {amounts}) go from {from} to {to}, with {data}"),
        // ERC-20: an amount. ERC-721: the id of an NFT.
        function("approve(address,uint256)", Approval,
            &[("spender", Empowered), ("value", AllowanceOrNft)],
            "{spender} may take {value}"),
        // OpenZeppelin's ERC-20.
        function("increaseAllowance(address,uint256)", Approval,
            &[("spender", Empowered), ("amount", Allowance)],
            "{spender} may take more than before, by {amount}"),
        function("decreaseAllowance(address,uint256)", Reduction,
            &[("spender", Empowered), ("amount", Allowance)],
            "{spender} may take less than before, by {amount}"),
        // ERC-721 and ERC-1155.
        function("setApprovalForAll(address,bool)", ApprovalForAll,
            &[("operator", Empowered), ("approved", Approved)],
            "{operator} may take {approved} of {caller}"),
        // ERC-2612; a deadline is in seconds since the epoch, and that of the signature only.
        function("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", Permit,
            &[("owner", Address), ("spender", Empowered), ("amount", PermitAmount), ("deadline", Deadline),
              ("v", SignaturePart), ("r", SignaturePart), ("s", SignaturePart)],
            "{spender} may take {amount} of {owner}{amount:end}; the signature {deadline}"),
        // DAI: allows all of the holder's tokens, or nothing any more; the expiry is that of the
        // signature, and 0 means none.
        function("permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)", Permit,
            &[("holder", Address), ("spender", Empowered), ("nonce", Plain), ("expiry", Expiry),
              ("allowed", PermitAll), ("v", SignaturePart), ("r", SignaturePart),
              ("s", SignaturePart)],
            "{spender} may take {allowed} of {holder}{allowed:end}; the signature {expiry}"),
        // Permit2; an amount of 2^160−1 means unlimited, and an expiration of 0 this block.
        function("approve(address,address,uint160,uint48)", Permit,
            &[("token", Address), ("spender", Empowered), ("amount", AllowanceOfToken),
              ("expiration", Expiration)],
            "{spender} may take {amount} of the token {token}, {expiration}"),
        // OpenZeppelin's `Ownable`, `AccessControl` and proxies.
        function("transferOwnership(address)", Ownership,
            &[("new_owner", Empowered)],
            "{new_owner} becomes its owner"),
        function("renounceOwnership()", Ownership,
            &[],
            "it has no owner any more"),
        function("grantRole(bytes32,address)", Ownership,
            &[("role", Plain), ("account", Empowered)],
            "{account} gets the role {role}"),
        function("changeAdmin(address)", Ownership,
            &[("new_admin", Empowered)],
            "{new_admin} becomes its admin"),
        function("upgradeTo(address)", Upgrade,
            &[("implementation", Empowered)],
            "its code becomes that of {implementation}"),
        function("upgradeToAndCall(address,bytes)", Upgrade,
            &[("implementation", Empowered), ("data", Bytes)],
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
