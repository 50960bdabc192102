//! Orders, and what they do on the ledger when their time has come.

use schemars::JsonSchema;
use sendoff::intent::ContractCall;
use sendoff::primitive_types::U256;
use sendoff::value::HexBytes;
use serde::{Deserialize, Serialize};

use crate::contract::{self, Failure, argument, who};
use crate::ledger::{Ledger, Nft, Standard};
use crate::number;
use crate::spelled::lowered;
use crate::switches::Minimum;

/// The type of an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) enum OrderKind {
    #[default]
    #[serde(rename = "TOKEN_TRANSFER_EXECUTE")]
    Tokens,
    #[serde(rename = "NFT_TRANSFER")]
    Nft,
    #[serde(rename = "MINT")]
    Mint,
    #[serde(rename = "EXECUTE_RAW_TX")]
    Raw,
    /// What somebody else sent to the user: it is no order of the state.
    #[serde(rename = "EXTERNAL_TRANSFER", skip_deserializing)]
    Received,
}

/// The state of an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Status {
    #[default]
    Created,
    Running,
    Success,
    Failed,
    Rejected,
}

/// What an action does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ActionKind {
    #[default]
    Token,
    Nft,
    Mint,
    Call,
    /// A call of another account than the user's, for which nobody can sign.
    Foreign,
}

/// One effect on the ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Action {
    pub(crate) kind: ActionKind,
    /// The token or collection; empty for the native token, and for a call.
    pub(crate) asset: String,
    pub(crate) id: String,
    pub(crate) from: String,
    pub(crate) to: String,
    #[serde(with = "number::decimal")]
    pub(crate) amount: U256,
    pub(crate) data: String,
    pub(crate) nft: Option<Nft>,
}

/// An order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Order {
    pub(crate) id: String,
    /// The bulk order that it belongs to; empty if none.
    pub(crate) bulk: String,
    pub(crate) user: String,
    pub(crate) kind: OrderKind,
    pub(crate) network: String,
    pub(crate) caip2_id: String,
    pub(crate) actions: Vec<Action>,
    pub(crate) created: i64,
    pub(crate) running: i64,
    pub(crate) due: i64,
    pub(crate) updated: i64,
    pub(crate) status: Status,
    pub(crate) transaction_hash: String,
    pub(crate) reason: String,
    /// `true` for an order that the service keeps to itself.
    pub(crate) hidden: bool,
}

impl Status {
    pub(crate) const fn is_last(self) -> bool {
        matches!(self, Self::Success | Self::Failed | Self::Rejected)
    }
}

impl Order {
    /// Its state at a time.
    pub(crate) fn status(&self, now: i64) -> Status {
        if self.status == Status::Created && now >= self.running {
            Status::Running
        } else {
            self.status
        }
    }

    /// Ends it: executes its actions, all or none.
    pub(crate) fn settle(&mut self, ledger: &mut Ledger, minimum: Minimum) {
        let done = execute(ledger, &self.caip2_id, &self.actions, minimum);
        (self.status, self.reason) = match done {
            Ok(()) => (Status::Success, String::new()),
            Err(Failure::Rejected(reason)) => (Status::Rejected, reason),
            Err(Failure::Reverted(reason)) => (Status::Failed, reason),
        };
        self.updated = self.due;
    }
}

impl Action {
    /// A transfer of tokens.
    pub(crate) fn tokens(token: String, from: String, to: String, amount: U256) -> Self {
        Self { kind: ActionKind::Token, asset: token, from, to, amount, ..Self::default() }
    }

    /// A transaction.
    pub(crate) fn call(from: String, to: String, value: U256, data: String) -> Self {
        Self { kind: ActionKind::Call, from, to, amount: value, data, ..Self::default() }
    }

    /// Tells what it moves if it succeeds: itself, or what its call sends along and transfers.
    pub(crate) fn moves(&self, ledger: &Ledger, chain: &str, tell: &mut dyn FnMut(&Self)) {
        if self.kind != ActionKind::Call {
            return tell(self);
        }
        let data = self.bytes();
        let moved = moved(ledger, &self.call_on(chain, &data));
        if moved.is_none() || !self.amount.is_zero() {
            tell(&Self::tokens(String::new(), self.from.clone(), self.to.clone(), self.amount));
        }
        moved.iter().for_each(tell);
    }

    fn bytes(&self) -> Vec<u8> {
        self.data.parse::<HexBytes>().unwrap_or_default().to_vec()
    }

    fn call_on<'a>(&'a self, chain: &'a str, data: &'a [u8]) -> contract::Call<'a> {
        contract::Call { chain, caller: &self.from, to: &self.to, value: self.amount, data }
    }

    fn execute(&self, ledger: &mut Ledger, chain: &str) -> Result<(), Failure> {
        match self.kind {
            ActionKind::Token => {
                let token = ledger.token_mut(chain, &self.asset).ok_or("no such token")?;
                Ok(token.pay(&self.from, &self.to, self.amount)?)
            }
            ActionKind::Nft => {
                let known =
                    ledger.collection_mut(chain, &self.asset).ok_or("no such collection")?;
                Ok(known.give(&self.id, &self.from, &self.to, self.amount)?)
            }
            ActionKind::Mint => {
                let known =
                    ledger.collection_mut(chain, &self.asset).ok_or("no such collection")?;
                Ok(known.mint(&self.to, self.amount, self.nft.clone().ok_or("no metadata")?)?)
            }
            ActionKind::Call => {
                let data = self.bytes();
                contract::execute(ledger, &self.call_on(chain, &data))
            }
            ActionKind::Foreign => {
                Err(Failure::Rejected("the sender is not the user's wallet".into()))
            }
        }
    }
}

/// The transfer that a call of a contract makes, as an action of its own.
fn moved(ledger: &Ledger, call: &contract::Call<'_>) -> Option<Action> {
    let (decoded, _) = ContractCall::recognize(call.data)?;
    let (asset, to) = (call.to.into(), lowered(decoded.receiver()?));
    let from = decoded.argument("from").map_or(call.caller.into(), |_| who(&decoded, "from"));
    let either = |name, other| {
        argument(&decoded, if decoded.argument(name).is_some() { name } else { other })
    };
    let Some(collection) = ledger.collection(call.chain, call.to) else {
        return Some(Action::tokens(asset, from, to, either("amount", "value")));
    };
    let pieces = match collection.standard {
        Standard::Erc721 => U256::one(),
        Standard::Erc1155 => argument(&decoded, "amount"),
    };
    let id = either("id", "value").to_string();
    Some(Action { kind: ActionKind::Nft, asset, id, from, to, amount: pieces, ..Action::default() })
}

/// `true` if a transfer of tokens is worth less than 1 USD.
fn is_below_a_dollar(ledger: &Ledger, chain: &str, actions: &[Action]) -> bool {
    let mut transfers = actions.iter().filter(|action| action.kind == ActionKind::Token);
    transfers.any(|transfer| {
        let token = ledger.token(chain, &transfer.asset);
        let value = token.map(|token| number::value(transfer.amount, token.decimals, &token.price));
        value.is_some_and(|value| number::dollars(&value) < 10_000.into())
    })
}

/// Executes actions on a chain, all or none.
pub(crate) fn execute(
    ledger: &mut Ledger,
    chain: &str,
    actions: &[Action],
    minimum: Minimum,
) -> Result<(), Failure> {
    if minimum == Minimum::Dollar && is_below_a_dollar(ledger, chain, actions) {
        return Err("the order's value is below 1 USD".into());
    }
    if let [action] = actions
        && (action.kind != ActionKind::Call || action.amount.is_zero())
    {
        return action.execute(ledger, chain);
    }
    let before = ledger.clone();
    for (at, action) in actions.iter().enumerate() {
        if let Err(mut failure) = action.execute(ledger, chain) {
            *ledger = before;
            let (Failure::Rejected(reason) | Failure::Reverted(reason)) = &mut failure;
            if actions.len() > 1 && !reason.is_empty() {
                *reason = format!("transaction {at}: {reason}");
            }
            return Err(failure);
        }
    }
    Ok(())
}
