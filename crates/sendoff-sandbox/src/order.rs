//! Orders, and what they do on the ledger when their time has come.

use schemars::JsonSchema;
use sendoff::intent::{ContractCall, Intent};
use sendoff::primitive_types::U256;
use sendoff::value::{FeeAmount, HexBytes};
use serde::{Deserialize, Serialize};

use crate::contract::{self, Failure, argument, who};
use crate::ledger::{Ledger, Nft, Standard, Token};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ActionKind {
    Token,
    Nft,
    Mint,
    Call,
    /// A call of another account than the user's, for which nobody can sign.
    Foreign,
}

/// One effect on the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Action {
    pub(crate) kind: ActionKind,
    /// The token or collection; empty for the native token, and for a call.
    pub(crate) asset: String,
    pub(crate) id: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) amount: FeeAmount,
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
    /// The job of a raw transaction; of a repeat this is the order.
    pub(crate) job: Option<String>,
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
    fn new(kind: ActionKind, asset: String, [from, to]: [String; 2], amount: U256) -> Self {
        let (id, data, nft) = (String::new(), String::new(), None);
        Self { kind, asset, id, from, to, amount: amount.into(), data, nft }
    }

    /// A transfer of tokens, from a holder to another.
    pub(crate) fn tokens(token: String, holders: [String; 2], amount: U256) -> Self {
        Self::new(ActionKind::Token, token, holders, amount)
    }

    /// A transfer of an NFT of a collection, from a holder to another.
    fn nft(collection: String, id: String, holders: [String; 2], pieces: U256) -> Self {
        Self { id, ..Self::new(ActionKind::Nft, collection, holders, pieces) }
    }

    /// A mint of an NFT.
    pub(crate) fn mint(collection: String, nft: Nft, to: String, pieces: U256) -> Self {
        let holders = [String::new(), to];
        Self { nft: Some(nft), ..Self::new(ActionKind::Mint, collection, holders, pieces) }
    }

    /// A transaction, from an account to another.
    pub(crate) fn call(accounts: [String; 2], value: U256, data: &HexBytes) -> Self {
        let asset = String::new();
        Self { data: data.to_string(), ..Self::new(ActionKind::Call, asset, accounts, value) }
    }

    /// The actions of an intent of a wallet.
    pub(crate) fn of(intent: &Intent, wallet: &str) -> Vec<Self> {
        match intent {
            Intent::TokenTransfer(transfer) => {
                let token = transfer.token_address.contract().map(lowered).unwrap_or_default();
                let to = lowered(&transfer.recipient_wallet_address);
                vec![Self::tokens(token, [wallet.into(), to], transfer.amount.value())]
            }
            Intent::NftTransfer(transfer) => {
                // The ledger has ids of contracts; the service's own ids are UUIDs.
                let id = transfer.nft_id.token_id().map(|id| id.to_string());
                let id = id.unwrap_or_else(|| transfer.nft_id.to_string());
                let holders = [wallet.into(), lowered(&transfer.recipient_wallet_address)];
                let collection = lowered(&transfer.collection_address);
                vec![Self::nft(collection, id, holders, transfer.amount.value())]
            }
            Intent::RawTransaction(raw) => {
                let transactions = raw.transactions.as_slice().iter().map(|transaction| {
                    let accounts = [&transaction.from, &transaction.to].map(lowered);
                    Self::call(accounts, transaction.value.value(), &transaction.data)
                });
                transactions.collect()
            }
        }
    }

    /// Tells what it moves if it succeeds: itself, or what its call sends along and transfers.
    pub(crate) fn moves(&self, ledger: &Ledger, chain: &str, tell: &mut dyn FnMut(&Self)) {
        if self.kind != ActionKind::Call {
            return tell(self);
        }
        let data = self.bytes();
        let moved = moved(ledger, &self.call_on(chain, &data));
        let value = self.amount.value();
        if moved.is_none() || !value.is_zero() {
            tell(&Self::tokens(String::new(), [self.from.clone(), self.to.clone()], value));
        }
        moved.iter().for_each(tell);
    }

    fn bytes(&self) -> Vec<u8> {
        self.data.parse::<HexBytes>().unwrap_or_default().to_vec()
    }

    fn call_on<'a>(&'a self, chain: &'a str, data: &'a [u8]) -> contract::Call<'a> {
        let (caller, to, value) = (&self.from, &self.to, self.amount.value());
        contract::Call { chain, caller, to, value, data }
    }

    fn execute(&self, ledger: &mut Ledger, chain: &str) -> Result<(), Failure> {
        let (from, to, amount) = (&self.from, &self.to, self.amount.value());
        let (token, collection) = ("no such token", "no such collection");
        match self.kind {
            ActionKind::Token => {
                let token = ledger.token_mut(chain, &self.asset).ok_or(token)?;
                Ok(token.pay(from, to, amount)?)
            }
            ActionKind::Nft => {
                let known = ledger.collection_mut(chain, &self.asset).ok_or(collection)?;
                Ok(known.give(&self.id, from, to, amount)?)
            }
            ActionKind::Mint => {
                let known = ledger.collection_mut(chain, &self.asset).ok_or(collection)?;
                Ok(known.mint(to, amount, self.nft.clone().ok_or("no metadata")?)?)
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
        return Some(Action::tokens(asset, [from, to], either("amount", "value")));
    };
    let pieces = match collection.standard {
        Standard::Erc721 => U256::one(),
        Standard::Erc1155 => argument(&decoded, "amount"),
    };
    Some(Action::nft(asset, either("id", "value").to_string(), [from, to], pieces))
}

/// `true` if a transfer of tokens is worth less than 1 USD.
fn is_below_a_dollar(ledger: &Ledger, chain: &str, actions: &[Action]) -> bool {
    let mut transfers = actions.iter().filter(|action| action.kind == ActionKind::Token);
    transfers.any(|transfer| {
        let token = ledger.token(chain, &transfer.asset);
        let value = |token: &Token| token.value(transfer.amount.value());
        token.is_some_and(|token| number::dollars(&value(token)) < 10_000.into())
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
        && (action.kind != ActionKind::Call || action.amount.value().is_zero())
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
