//! The receipt of an operation.

use alloc::{string::String, vec::Vec};

use super::UserOperation;
use crate::Json;
use crate::contract::encode_text;
use crate::draw;
use crate::json::object;
use crate::numbers::quantity;
use crate::record::row;
use crate::state::State;

impl UserOperation {
    /// The hash of its block.
    pub(crate) fn block_hash(&self) -> String {
        draw::hex(&draw::draw("block", &quantity(self.block.into()), self.block))
    }

    /// The receipt, as ERC-7769 has it; `None` before its block.
    pub(crate) fn receipt(&self, state: &State) -> Option<Json> {
        if !self.executed || self.hidden {
            return None;
        }
        let block = quantity(self.block.into());
        let block_hash = self.block_hash();
        let receipt = object([
            ("transactionHash", (&self.transaction_hash).into()),
            ("transactionIndex", "0x0".into()),
            ("blockHash", (&block_hash).into()),
            ("blockNumber", (&block).into()),
            ("from", (&state.deployment.entry_point).into()),
            ("to", (&state.deployment.entry_point).into()),
            ("cumulativeGasUsed", quantity(self.gas_used).into()),
            ("gasUsed", quantity(self.gas_used).into()),
            ("contractAddress", Json::Null),
            ("logs", Json::List(Vec::new())),
            ("status", "0x1".into()),
        ]);
        let mut answer = row(
            "userOpHash entryPoint sender nonce paymaster actualGasCost actualGasUsed success",
            &[
                &self.hash,
                &state.deployment.entry_point,
                &self.sender,
                &quantity(self.nonce),
                &self.operation.text("paymaster"),
                &quantity(self.gas_cost),
                &quantity(self.gas_used),
                &self.success,
            ],
        );
        if !self.success {
            // `Error(string)`; a call that is out of gas reverts with nothing.
            let data = [&[0x08, 0xc3, 0x79, 0xa0][..], &encode_text(&self.reason)].concat();
            answer.set(
                "reason",
                if self.reason.is_empty() { "0x".into() } else { draw::hex(&data).into() },
            );
        }
        answer.set("logs", Json::List(Vec::new()));
        answer.set("receipt", receipt);
        Some(answer)
    }
}
