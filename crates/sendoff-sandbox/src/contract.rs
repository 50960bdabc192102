//! Actions on the ledger, and the calls that its contracts execute.

use sendoff::intent::{CallArgument, ContractCall};
use sendoff::primitive_types::U256;

use crate::action::{Action, ActionKind};
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

/// Whether something was executed.
pub(crate) type Done = Result<(), Failure>;

impl From<&'static str> for Failure {
    fn from(reason: &'static str) -> Self {
        Self::Reverted(reason.into())
    }
}

/// Executes an action on a chain.
pub(crate) fn execute(ledger: &mut Ledger, chain: &str, action: &Action) -> Done {
    let Action { kind, asset, id, from, to, nft, .. } = action;
    let amount = action.amount.value();
    let collection = "no such collection";
    match kind {
        ActionKind::Nft => {
            let known = ledger.collection_mut(chain, asset).ok_or(collection)?;
            Ok(known.give(id, from, to, amount)?)
        }
        ActionKind::Mint => {
            let known = ledger.collection_mut(chain, asset).ok_or(collection)?;
            Ok(known.mint(to, amount, nft.clone().ok_or("no metadata")?)?)
        }
        ActionKind::Token => {
            Ok(ledger.token_mut(chain, asset).ok_or("no such token")?.pay(from, to, amount)?)
        }
        ActionKind::Call => call(ledger, chain, action),
        ActionKind::Foreign => Err(Failure::Rejected("the sender is not the user's wallet".into())),
    }
}

/// Executes a transaction: the native token that it sends along, and the call of a contract.
fn call(ledger: &mut Ledger, chain: &str, action: &Action) -> Done {
    let (from, to, data) = (&action.from, &action.to, action.bytes());
    if to.is_empty() {
        return Err(Failure::Rejected("the pocket service creates no contracts".into()));
    }
    let value = action.amount.value();
    if !value.is_zero() {
        ledger.token_mut(chain, "").ok_or("no such token")?.pay(from, to, value)?;
    }
    if data.is_empty() {
        return Ok(());
    }

    let unknown = || {
        let selector = hex(data.get(..4).unwrap_or(&data));
        Failure::Rejected(format!("the pocket service does not know the function {selector}"))
    };
    let (decoded, _) = ContractCall::recognize(&data).ok_or_else(unknown)?;
    let done = match ledger.token_mut(chain, to) {
        Some(token) => of_token(token, from, &decoded),
        None => {
            let known = ledger.collection_mut(chain, to);
            known.and_then(|known| of_collection(known, from, &decoded))
        }
    };
    done.unwrap_or_else(|| {
        let signature = decoded.signature();
        Err(Failure::Rejected(format!(
            "the pocket service has no contract {to} with the function {signature}"
        )))
    })
}

/// Tells what an action moves if it succeeds: itself, or what its call sends along and transfers.
pub(crate) fn moves(ledger: &Ledger, chain: &str, action: &Action, tell: &mut dyn FnMut(&Action)) {
    if action.kind != ActionKind::Call {
        return tell(action);
    }
    let (moved, value) = (moved(ledger, chain, action), action.amount.value());
    if moved.is_none() || !value.is_zero() {
        let holders = [action.from.clone(), action.to.clone()];
        tell(&Action::tokens(String::new(), holders, value));
    }
    moved.iter().for_each(tell);
}

/// The transfer that a call of a contract makes, as an action of its own.
fn moved(ledger: &Ledger, chain: &str, action: &Action) -> Option<Action> {
    let (call, _) = ContractCall::recognize(&action.bytes())?;
    let (asset, to) = (action.to.clone(), lowered(call.receiver()?));
    let from = call.argument("from").map_or_else(|| action.from.clone(), |_| who(&call, "from"));
    let either =
        |name, other| argument(&call, if call.argument(name).is_some() { name } else { other });
    let Some(collection) = ledger.collection(chain, &asset) else {
        return Some(Action::tokens(asset, [from, to], either("amount", "value")));
    };
    let id = either("id", "value").to_string();
    Some(Action::nft(asset, id, [from, to], pieces(collection, &call)))
}

/// The pieces that a call moves.
fn pieces(collection: &Collection, call: &ContractCall) -> U256 {
    match collection.standard {
        Standard::Erc721 => U256::one(),
        Standard::Erc1155 => argument(call, "amount"),
    }
}

fn of_token(token: &mut Token, caller: &str, call: &ContractCall) -> Option<Done> {
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

fn of_collection(known: &mut Collection, caller: &str, call: &ContractCall) -> Option<Done> {
    let standard = known.standard;
    let is_of_both = call.signature().starts_with("setApprovalForAll");
    let is_of_pieces = call.argument("amount").is_some();
    if !is_of_both && is_of_pieces != (standard == Standard::Erc1155) {
        return None;
    }
    let (from, to) = (who(call, "from"), who(call, "to"));
    let pieces = pieces(known, call);
    let mut give = |name| {
        let id = argument(call, name).to_string();
        if !known.may_move(&id, &from, caller) {
            return Err(standard.not_approved());
        }
        known.give(&id, &from, &to, pieces)
    };
    let done = match call.signature() {
        "transferFrom(address,address,uint256)" => give("value"),
        signature if signature.starts_with("safeTransferFrom") => give("id"),
        "setApprovalForAll(address,bool)" => {
            let approved = call.argument("approved") == Some(&CallArgument::Bool(true));
            known.operate(caller, &who(call, "operator"), approved);
            Ok(())
        }
        "approve(address,uint256)" => {
            let id = argument(call, "value").to_string();
            let is_owner = known.owner(&id) == Some(caller);
            let nft = known.nfts.get_mut(&id).filter(|_| is_owner);
            nft.map(|nft| nft.approved = who(call, "spender"))
                .ok_or("ERC721: approve caller is not token owner or approved for all")
        }
        _ => return None,
    };
    Some(done.map_err(Failure::from))
}

fn who(call: &ContractCall, name: &str) -> String {
    let Some(CallArgument::Address(address)) = call.argument(name) else { return String::new() };
    lowered(address)
}

fn argument(call: &ContractCall, name: &str) -> U256 {
    if let Some(CallArgument::Uint(number)) = call.argument(name) { *number } else { U256::zero() }
}
