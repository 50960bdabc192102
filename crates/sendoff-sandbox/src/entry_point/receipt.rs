//! The receipt of an operation.

use alloc::{string::String, vec::Vec};

use super::UserOperation;
use crate::Json;
use crate::draw;
use crate::numbers::quantity;
use crate::record::row;
use crate::state::State;
use crate::view::encode_text;

/// The hash of `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)`.
const EVENT: &str = "0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f";

impl UserOperation {
    /// The hash of its block.
    pub(crate) fn block_hash(&self) -> String {
        draw::hex(&draw::draw("block", &quantity(self.block.into()), self.block))
    }

    /// The EntryPoint's `UserOperationEvent` of it; `None` before its block.
    pub(crate) fn event(&self, state: &State) -> Option<Json> {
        if !self.executed {
            return None;
        }
        let account = |account: &str| {
            let digits = account.get(2..).unwrap_or_default().to_ascii_lowercase();
            ["0x000000000000000000000000", &digits].concat()
        };
        let paymaster = account(self.operation.text("paymaster"));
        let topics = [EVENT.into(), self.hash.clone(), account(&self.sender), paymaster];
        let mut data = Vec::new();
        for word in [self.nonce, u8::from(self.success).into(), self.gas_cost, self.gas_used] {
            data.extend(word.to_big_endian());
        }
        Some(row(
            "address topics data blockNumber blockHash transactionHash transactionIndex logIndex removed",
            &[
                &state.deployment.entry_point,
                &Vec::from(topics),
                &draw::hex(&data),
                &quantity(self.block.into()),
                &self.block_hash(),
                &self.transaction_hash,
                &"0x0",
                &"0x0",
                &false,
            ],
        ))
    }

    /// The receipt, as ERC-7769 has it; `None` before its block.
    pub(crate) fn receipt(&self, state: &State) -> Option<Json> {
        if self.hidden {
            return None;
        }
        // What an intent moves is moved on its own chain.
        let logs = Json::List(alloc::vec![self.event(state)?]);
        let block = quantity(self.block.into());
        let block_hash = self.block_hash();
        let paymaster = self.operation.text("paymaster");
        let receipt = row(
            "transactionHash transactionIndex blockHash blockNumber from to cumulativeGasUsed gasUsed contractAddress logs status",
            &[
                &self.transaction_hash,
                &"0x0",
                &block_hash,
                &block,
                &state.deployment.entry_point,
                &state.deployment.entry_point,
                &quantity(self.gas_used),
                &quantity(self.gas_used),
                &Json::Null,
                &logs,
                &"0x1",
            ],
        );
        let mut answer = row(
            "userOpHash entryPoint sender nonce paymaster actualGasCost actualGasUsed success",
            &[
                &self.hash,
                &state.deployment.entry_point,
                &self.sender,
                &quantity(self.nonce),
                &paymaster,
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
        answer.set("logs", logs);
        answer.set("receipt", receipt);
        Some(answer)
    }
}
