//! Orders, and what they do on the ledger when their time has come.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::action::{Action, ActionKind};
use crate::contract::{self, Done, Failure};
use crate::ledger::Ledger;
use crate::number;
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

/// `true` if a transfer of tokens is worth less than 1 USD.
fn is_below_a_dollar(ledger: &Ledger, chain: &str, actions: &[Action]) -> bool {
    let mut transfers = actions.iter().filter(|action| action.kind == ActionKind::Token);
    transfers.any(|transfer| {
        let token = ledger.token(chain, &transfer.asset);
        let value = token.map(|token| token.value(transfer.amount.value()));
        value.is_some_and(|value| number::dollars(&value) < 10_000.into())
    })
}

/// Executes actions on a chain, all or none.
pub(crate) fn execute(ledger: &mut Ledger, chain: &str, actions: &[Action], min: Minimum) -> Done {
    if min == Minimum::Dollar && is_below_a_dollar(ledger, chain, actions) {
        return Err("the order's value is below 1 USD".into());
    }
    if let [action] = actions
        && (action.kind != ActionKind::Call || action.amount.value().is_zero())
    {
        return contract::execute(ledger, chain, action);
    }
    let before = ledger.clone();
    for (at, action) in actions.iter().enumerate() {
        if let Err(mut failure) = contract::execute(ledger, chain, action) {
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
