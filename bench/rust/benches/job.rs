//! From the text of a request to the call data and the hash of its user operation: by the core, and by
//! alloy with serde_json; and each stage of the core by itself.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    reason = "a benchmark ends at the first mistake"
)]

use std::hint::black_box;

use alloy_primitives::{Address, B256, Bytes, U256, keccak256};
use alloy_sol_types::{SolCall as _, SolValue as _, sol};
use sendoff::estimate::{Estimate, Facts, respond};
use sendoff::user_op::{EntryPoint, user_op_hash};
use serde::Deserialize;
use stages::{ENTRY_POINT, FACTS, REQUEST, microseconds};

sol! {
    function initiateJob(
        uint256 jobId, address clientSWA, address userSWA, address feePayerAddress,
        bytes policyInfo, bytes gsnData, bytes jobParameters, string intentType
    );
    struct PolicyInfo { bool gsnEnabled; bool sponsorshipEnabled; }
    struct Gsn { bool isRequired; string[] requiredNetworks; Nft[] tokens; }
    struct Hashed {
        address sender; uint256 nonce; bytes32 initCode; bytes32 callData; bytes32 accountGasLimits;
        uint256 preVerificationGas; bytes32 gasFees; bytes32 paymasterAndData;
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Nft {
        string caip2Id; string nftId; string recipientWalletAddress; string collectionAddress; string nftType;
        #[serde(deserialize_with = "decimal")]
        uint256 amount;
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Request {
    r#type: String,
    job_id: uuid::Uuid,
    gas_details: Fees,
    paymaster_data: Bytes,
    details: Nft,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fees {
    max_fee_per_gas: U256,
    max_priority_fee_per_gas: U256,
}

fn decimal<'de, D: serde::Deserializer<'de>>(text: D) -> Result<U256, D::Error> {
    String::deserialize(text)?.parse().map_err(serde::de::Error::custom)
}

fn by_alloy(request: &str, facts: &Facts, at: &EntryPoint) -> (Bytes, B256) {
    let request: Request = serde_json::from_str(request).unwrap();
    // Checks the checksum, as the core does.
    for text in [&request.details.recipientWalletAddress, &request.details.collectionAddress] {
        let _ = Address::parse_checksummed(text, None).unwrap();
    }
    let sender = facts.user_swa.into();
    let nonce = U256::from(request.job_id.as_u128());
    let inner = initiateJobCall {
        jobId: nonce,
        clientSWA: facts.client_swa.into(),
        userSWA: sender,
        feePayerAddress: Address::ZERO,
        policyInfo: PolicyInfo { gsnEnabled: false, sponsorshipEnabled: false }.abi_encode().into(),
        gsnData: Gsn { isRequired: false, requiredNetworks: vec![], tokens: vec![] }
            .abi_encode()
            .into(),
        jobParameters: request.details.abi_encode().into(),
        intentType: request.r#type,
    };
    let outer = (
        alloy_primitives::fixed_bytes!("8dd7712f"),
        Address::from(facts.job_manager),
        U256::ZERO,
        Bytes::from(inner.abi_encode()),
    );
    let call_data = Bytes::from(outer.abi_encode_params());
    let (limits, fees) = (&facts.gas_limits, &request.gas_details);
    let halves = |high: U256, low: U256| B256::from(high << 128 | low);
    let paymaster = [
        Address::from(facts.paymaster).as_slice(),
        halves(
            limits.paymaster_verification_gas_limit.into(),
            limits.paymaster_post_op_gas_limit.into(),
        )
        .as_slice(),
        &request.paymaster_data,
    ]
    .concat();
    let hashed = Hashed {
        sender,
        nonce,
        initCode: keccak256([]),
        callData: keccak256(&call_data),
        accountGasLimits: halves(
            limits.verification_gas_limit.into(),
            limits.call_gas_limit.into(),
        ),
        preVerificationGas: limits.pre_verification_gas.into(),
        gasFees: halves(fees.max_priority_fee_per_gas, fees.max_fee_per_gas),
        paymasterAndData: keccak256(paymaster),
    };
    let entry_point = Address::from(at.address);
    let place = (keccak256(hashed.abi_encode()), entry_point, U256::from(at.chain_id.value()));
    (call_data, keccak256(place.abi_encode()))
}

fn by_core(request: &str, facts: &Facts, at: &EntryPoint) -> (Bytes, B256) {
    let estimate = Estimate::new(request.parse().unwrap(), facts.clone()).unwrap();
    let op = respond(estimate).data.user_ops.into();
    let hash = user_op_hash(&op, at).unwrap().into();
    (op.call_data.into(), hash)
}

fn main() {
    let (facts, at) = (FACTS.parse().unwrap(), ENTRY_POINT.parse().unwrap());
    // The times are comparable only if the answers are equal.
    assert_eq!(by_core(REQUEST, &facts, &at), by_alloy(REQUEST, &facts, &at));
    let [core, alloy] = microseconds(
        100,
        [&mut || drop(black_box(by_core(black_box(REQUEST), &facts, &at))), &mut || {
            drop(black_box(by_alloy(black_box(REQUEST), &facts, &at)))
        }],
    );
    println!("from request to hash: sendoff {core:.1} µs, alloy with serde_json {alloy:.1} µs");
    for (group, name, mut run) in stages::stages() {
        let [time] = microseconds(100, [&mut *run]);
        println!("{group}: {name}: {time:.2} µs");
    }
}
