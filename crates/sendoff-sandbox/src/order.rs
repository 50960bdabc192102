//! Orders, and what they do on the ledger when their time has come.

use alloc::{string::String, vec::Vec};

use sendoff::intent::ContractCall;
use sendoff::primitive_types::U256;
use sendoff::value::HexBytes;

use crate::contract::{self, Failure, number, who};
use crate::ledger::{Ledger, Nft, Standard};
use crate::numbers::decimal;
use crate::profile::Minimum;
use crate::record::{record, words};
use crate::text::digits;
use crate::units;

words! {
    /// The type of an order.
    pub(crate) enum OrderKind {
        Tokens = "TOKEN_TRANSFER_EXECUTE",
        Nft = "NFT_TRANSFER",
        Mint = "MINT",
        Raw = "EXECUTE_RAW_TX",
    }
}

words! {
    /// The state of an order.
    pub(crate) enum Status {
        Created = "CREATED",
        Running = "RUNNING",
        Success = "SUCCESS",
        Failed = "FAILED",
        Rejected = "REJECTED",
    }
}

words! {
    /// What an action does.
    pub(crate) enum ActionKind {
        Token = "token",
        Nft = "nft",
        Mint = "mint",
        Call = "call",
        /// A call of another account than the user's, for which nobody can sign.
        Foreign = "foreign",
    }
}

record! {
    /// One effect on the ledger.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub(crate) struct Action {
        kind: ActionKind,
        /// The token or collection; empty for the native token, and for a call.
        asset: String,
        id: String,
        from: String,
        to: String,
        amount: U256,
        data: String,
        nft: Option<Nft>,
    }
}

record! {
    /// An order.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub(crate) struct Order {
        id: String,
        /// The bulk order that it belongs to; empty if none.
        bulk: String,
        user: String,
        kind: OrderKind,
        network: String,
        caip2_id: String,
        actions: Vec<Action>,
        created: i64,
        running: i64,
        due: i64,
        updated: i64,
        status: Status,
        transaction_hash: String,
        reason: String,
        /// `true` for an order that the service keeps to itself.
        hidden: bool,
    }
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
        Self {
            kind: ActionKind::Token,
            asset: token,
            id: String::new(),
            from,
            to,
            amount,
            data: "0x".into(),
            nft: None,
        }
    }

    /// A transfer of an NFT.
    pub(crate) fn nft(
        collection: String,
        id: String,
        from: String,
        to: String,
        amount: U256,
    ) -> Self {
        Self {
            kind: ActionKind::Nft,
            asset: collection,
            id,
            from,
            to,
            amount,
            data: "0x".into(),
            nft: None,
        }
    }

    /// A transaction.
    pub(crate) fn call(from: String, to: String, value: U256, data: String) -> Self {
        let (kind, asset, id) = (ActionKind::Call, String::new(), String::new());
        Self { kind, asset, id, from, to, amount: value, data, nft: None }
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
                Ok(ledger.pay(chain, &self.asset, &self.from, &self.to, self.amount)?)
            }
            ActionKind::Nft => {
                Ok(ledger.give(chain, &self.asset, &self.id, &self.from, &self.to, self.amount)?)
            }
            ActionKind::Mint => {
                let collection =
                    ledger.collection_mut(chain, &self.asset).ok_or("no such collection")?;
                let nft = self.nft.clone().ok_or("no metadata")?;
                collection.mint(&self.to, self.amount, nft)?;
                Ok(())
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
    let (asset, to) = (call.to.into(), contract::lower(decoded.receiver()?));
    let from = decoded.argument("from").map_or(call.caller.into(), |_| who(&decoded, "from"));
    let either =
        |name, other| number(&decoded, if decoded.argument(name).is_some() { name } else { other });
    let Some(collection) = ledger.collection(call.chain, call.to) else {
        return Some(Action::tokens(asset, from, to, either("amount", "value")));
    };
    let pieces = match collection.standard {
        Standard::Erc721 => U256::one(),
        Standard::Erc1155 => number(&decoded, "amount"),
    };
    Some(Action::nft(asset, decimal(either("id", "value")), from, to, pieces))
}

/// `true` if a transfer of tokens is worth less than 1 USD.
fn is_below_a_dollar(ledger: &Ledger, chain: &str, actions: &[Action]) -> bool {
    let mut transfers = actions.iter().filter(|action| action.kind == ActionKind::Token);
    transfers.any(|transfer| {
        let token = ledger.token(chain, &transfer.asset);
        let value = token.map(|token| units::value(transfer.amount, token.decimals, &token.price));
        value.is_some_and(|value| units::dollars(&value) < 10_000.into())
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
                let place = digits(u64::try_from(at).unwrap_or(u64::MAX));
                *reason = ["transaction ", &place, ": ", reason].concat();
            }
            return Err(failure);
        }
    }
    Ok(())
}
