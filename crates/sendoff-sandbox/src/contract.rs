//! The ledger's contracts: the calls that they execute.

use sendoff::intent::{CallArgument, ContractCall};
use sendoff::primitive_types::U256;

use crate::draw::hex;
use crate::ledger::{Collection, Ledger, Standard, Token};
use crate::spelled::lowered;

/// The reason why a transaction has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The service did not send it to the chain.
    Rejected(String),
    /// The chain executed it, and reverted it.
    Reverted(String),
}

impl From<&'static str> for Failure {
    fn from(reason: &'static str) -> Self {
        Self::Reverted(reason.into())
    }
}

/// A transaction on a chain.
pub(crate) struct Call<'a> {
    pub(crate) chain: &'a str,
    pub(crate) caller: &'a str,
    pub(crate) to: &'a str,
    pub(crate) value: U256,
    pub(crate) data: &'a [u8],
}

/// Executes a transaction: the native token that it sends along, and the call of a contract.
pub(crate) fn execute(ledger: &mut Ledger, call: &Call<'_>) -> Result<(), Failure> {
    if call.to.is_empty() {
        return Err(Failure::Rejected("the pocket service creates no contracts".into()));
    }
    if !call.value.is_zero() {
        let native = ledger.token_mut(call.chain, "").ok_or("no such token")?;
        native.pay(call.caller, call.to, call.value)?;
    }
    if call.data.is_empty() {
        return Ok(());
    }

    let unknown = || {
        let selector = hex(call.data.get(..4).unwrap_or(call.data));
        Failure::Rejected(format!("the pocket service does not know the function {selector}"))
    };
    let (decoded, _) = ContractCall::recognize(call.data).ok_or_else(unknown)?;
    let done = match ledger.token_mut(call.chain, call.to) {
        Some(token) => of_token(token, call.caller, &decoded),
        None => {
            let known = ledger.collection_mut(call.chain, call.to);
            known.and_then(|known| of_collection(known, call.caller, &decoded))
        }
    };
    done.unwrap_or_else(|| {
        let (to, signature) = (call.to, decoded.signature());
        Err(Failure::Rejected(format!(
            "the pocket service has no contract {to} with the function {signature}"
        )))
    })
}

fn of_token(token: &mut Token, caller: &str, call: &ContractCall) -> Option<Result<(), Failure>> {
    let done = match call.signature() {
        "transfer(address,uint256)" => {
            token.pay(caller, &who(call, "to"), argument(call, "amount"))
        }
        "transferFrom(address,address,uint256)" => {
            token.take(caller, &who(call, "from"), &who(call, "to"), argument(call, "value"))
        }
        "approve(address,uint256)" => {
            token.approve(caller, &who(call, "spender"), argument(call, "value"))
        }
        "increaseAllowance(address,uint256)" | "decreaseAllowance(address,uint256)" => {
            let (spender, amount) = (who(call, "spender"), argument(call, "amount"));
            let before = token.allowance(caller, &spender);
            let is_more = call.signature().starts_with("increase");
            let after =
                if is_more { before.checked_add(amount) } else { before.checked_sub(amount) };
            let after = after.ok_or("ERC20: decreased allowance below zero");
            after.and_then(|after| token.approve(caller, &spender, after))
        }
        _ => return None,
    };
    Some(done.map_err(Failure::from))
}

fn of_collection(
    collection: &mut Collection,
    caller: &str,
    call: &ContractCall,
) -> Option<Result<(), Failure>> {
    let standard = collection.standard;
    if collection_standard(call).is_some_and(|known| known != standard) {
        return None;
    }
    let (from, to) = (who(call, "from"), who(call, "to"));
    let pieces = if standard == Standard::Erc721 { U256::one() } else { argument(call, "amount") };
    let mut give = |name| {
        let id = argument(call, name).to_string();
        if !collection.may_move(&id, &from, caller) {
            return Err(standard.not_approved());
        }
        collection.give(&id, &from, &to, pieces)
    };
    let done = match call.signature() {
        "transferFrom(address,address,uint256)" => give("value"),
        signature if signature.starts_with("safeTransferFrom") => give("id"),
        "setApprovalForAll(address,bool)" => {
            let approved = call.argument("approved") == Some(&CallArgument::Bool(true));
            collection.operate(caller, &who(call, "operator"), approved);
            Ok(())
        }
        "approve(address,uint256)" => {
            let id = argument(call, "value").to_string();
            let is_owner = collection.owner(&id) == Some(caller);
            let nft = collection.nfts.get_mut(&id).filter(|_| is_owner);
            nft.map(|nft| nft.approved = who(call, "spender"))
                .ok_or("ERC721: approve caller is not token owner or approved for all")
        }
        _ => return None,
    };
    Some(done.map_err(Failure::from))
}

/// The standard of a function, by its arguments; `None` if both have it.
fn collection_standard(call: &ContractCall) -> Option<Standard> {
    let has = |name| call.argument(name).is_some();
    match (has("amount"), has("id") || has("value")) {
        (true, _) => Some(Standard::Erc1155),
        (_, true) => Some(Standard::Erc721),
        _ => None,
    }
}

pub(crate) fn who(call: &ContractCall, name: &str) -> String {
    if let Some(CallArgument::Address(address)) = call.argument(name) {
        lowered(address)
    } else {
        String::new()
    }
}

pub(crate) fn argument(call: &ContractCall, name: &str) -> U256 {
    if let Some(CallArgument::Uint(number)) = call.argument(name) { *number } else { U256::zero() }
}
