//! Call data by an independent encoder, alloy's.

use alloy_dyn_abi::DynSolValue::{self, Array, Bool, Bytes, FixedBytes, Tuple, Uint};
use alloy_primitives::{B256, U256};
use sendoff::intent::Intent;
use sendoff::user_op::Call;
use sendoff::value::{Address, Amount};

use crate::contract_calls::encoded;

const INITIATE_JOB: &str = "initiateJob(uint256,address,address,address,bytes,bytes,bytes,string)";

fn text(text: impl ToString) -> DynSolValue {
    DynSolValue::String(text.to_string())
}

fn address(address: &Address) -> DynSolValue {
    DynSolValue::Address(address.to_h160().0.into())
}

fn amount(amount: &Amount) -> DynSolValue {
    Uint(U256::from_be_bytes(amount.value().to_big_endian()), 256)
}

/// The call data of a call by alloy's encoder.
#[must_use]
pub fn by_alloy(call: &Call) -> Vec<u8> {
    let networks = call.gsn.required_networks.iter().map(text).collect();
    let gsn = Tuple(vec![Bool(call.gsn.is_required), Array(networks), Array(vec![])]);
    let policies = [call.policies.gsn_enabled, call.policies.sponsorship_enabled].map(Bool);
    let payer = call.fee_payer_address.payer();
    let job = vec![
        Uint(call.job_id.nonce().into(), 256),
        address(&call.client_swa),
        address(&call.user_swa),
        payer.map_or(DynSolValue::Address(Default::default()), address),
        Bytes(Tuple(policies.to_vec()).abi_encode()),
        Bytes(gsn.abi_encode()),
        Bytes(parameters(&call.intent)),
        text(call.intent.kind()),
    ];
    let selector = B256::right_padding_from(&[0x8d, 0xd7, 0x71, 0x2f]);
    let value = Uint(U256::ZERO, 256);
    let job = Bytes(encoded(INITIATE_JOB, job));
    Tuple(vec![FixedBytes(selector, 4), address(&call.job_manager), value, job]).abi_encode_params()
}

/// The parameters of an intent in call data, by alloy's encoder. A new intent needs its own.
fn parameters(intent: &Intent) -> Vec<u8> {
    let fields = match intent {
        Intent::NftTransfer(details) => vec![
            text(&details.caip2_id),
            text(details.nft_id),
            text(details.recipient_wallet_address),
            text(details.collection_address),
            text(&details.nft_type),
            amount(&details.amount),
        ],
        Intent::TokenTransfer(details) => vec![
            text(&details.caip2_id),
            text(details.recipient_wallet_address),
            text(details.token_address),
            amount(&details.amount),
        ],
        Intent::RawTransaction(details) => {
            let json = |transaction| Bytes(serde_json::to_vec(transaction).unwrap());
            let transactions = details.transactions.as_slice().iter().map(json);
            vec![text(&details.caip2_id), Array(transactions.collect())]
        }
    };
    Tuple(fields).abi_encode()
}
