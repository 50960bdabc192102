//! User operations that were accepted.

use sendoff::intent::Intent;
use sendoff::user_op::{Call, UserOp};
use sendoff::value::FeeAmount;
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::draw::{draw, hex};

/// A user operation that was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UserOperation {
    pub(crate) hash: String,
    pub(crate) user: String,
    pub(crate) job: String,
    pub(crate) operation: UserOp,
    pub(crate) sender: String,
    pub(crate) nonce: FeeAmount,
    pub(crate) received: i64,
    pub(crate) due: i64,
    /// `true` after its block.
    pub(crate) executed: bool,
    pub(crate) success: bool,
    pub(crate) reason: String,
    pub(crate) gas_used: FeeAmount,
    pub(crate) gas_cost: FeeAmount,
    pub(crate) block: u64,
    pub(crate) transaction_hash: String,
    /// `true` if the bundler forgot it.
    pub(crate) hidden: bool,
    /// `true` if the bundler lost it: it can be sent again.
    pub(crate) lost: bool,
    /// `true` if later estimates of its job are for the other account of its key.
    pub(crate) deserted: bool,
}

impl UserOperation {
    /// Its call, if the account knows the call data.
    pub(crate) fn call(&self) -> Option<Call> {
        Call::decode(self.operation.call_data.as_slice()).ok()
    }

    /// The intent of its call.
    pub(crate) fn intent(&self) -> Option<Intent> {
        self.call().map(|call| call.intent)
    }

    /// The hash of the transaction on the intent's chain.
    pub(crate) fn downstream_hash(&self) -> String {
        hex(&draw(&self.hash, "downstream", 0))
    }

    /// Its effects on the ledger if it succeeded, with the wallet of its user.
    pub(crate) fn actions(&self, wallet: &str) -> (String, Vec<Action>) {
        let intent = self.intent().filter(|_| self.success);
        let moved = |intent: Intent| (intent.chain().to_string(), Action::of(&intent, wallet));
        intent.map(moved).unwrap_or_default()
    }
}

/// The other account of an account's key. Each key has two, whose addresses differ in the last bit.
pub(crate) fn other_account(account: &str) -> String {
    let mut other = String::from(account);
    let last = other.pop().and_then(|digit| char::from_digit(digit.to_digit(16)? ^ 1, 16));
    other.extend(last);
    other
}
