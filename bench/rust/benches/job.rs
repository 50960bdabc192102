//! The whole job, from the text of a request to the text of the reply and the hash of the user
//! operation: by the core, and by alloy with serde_json; and each stage of the core by itself.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    reason = "a benchmark ends at the first mistake"
)]

use std::hint::black_box;

use alloy_primitives::{Address, B256, Bytes, U256, keccak256};
use alloy_sol_types::{SolCall, SolValue, sol};
use sendoff::json;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use stages::{FACTS, REQUEST, microseconds};

sol! {
    function initiateJob(
        uint256 jobId, address clientSWA, address userSWA, address feePayerAddress,
        bytes policyInfo, bytes gsnData, bytes jobParameters, string intentType
    );
    function executeUserOp(address target, uint256 value, bytes data);
    struct PolicyInfo { bool gsnEnabled; bool sponsorshipEnabled; }
    struct Nft {
        string caip2Id; string nftId; string recipientWalletAddress; string collectionAddress; string nftType;
        uint256 amount;
    }
    struct Gsn { bool isRequired; string[] requiredNetworks; Nft[] tokens; }
    struct Hashed {
        address sender; uint256 nonce; bytes32 initCode; bytes32 callData; bytes32 accountGasLimits;
        uint256 preVerificationGas; bytes32 gasFees; bytes32 paymasterAndData;
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Request<'a> {
    r#type: &'a str,
    job_id: uuid::Uuid,
    gas_details: Fees,
    paymaster_data: Bytes,
    details: Details,
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fees {
    max_fee_per_gas: U256,
    max_priority_fee_per_gas: U256,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Details {
    caip2_id: String,
    nft_id: String,
    recipient_wallet_address: String,
    collection_address: String,
    amount: String,
    nft_type: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    #[serde(rename = "clientSWA")]
    client_swa: String,
    #[serde(rename = "userSWA")]
    user_swa: String,
    job_manager: Address,
    paymaster: Address,
    gas_limits: Limits,
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Limits {
    call_gas_limit: U256,
    verification_gas_limit: U256,
    pre_verification_gas: U256,
    paymaster_verification_gas_limit: U256,
    paymaster_post_op_gas_limit: U256,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UserOps<'a> {
    call_data: Bytes,
    #[serde(flatten)]
    gas_limits: &'a Limits,
    #[serde(flatten)]
    fees: &'a Fees,
    nonce: B256,
    paymaster: Address,
    paymaster_data: &'a Bytes,
    sender: Address,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallData<'a> {
    #[serde(rename = "clientSWA")]
    client_swa: &'a str,
    fee_payer_address: &'a str,
    gsn: &'a RawValue,
    intent_type: &'a str,
    job_id: uuid::Uuid,
    payload: &'a Details,
    policies: &'a RawValue,
    #[serde(rename = "userSWA")]
    user_swa: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    call_data: CallData<'a>,
    details: &'a RawValue,
    user_ops: UserOps<'a>,
}

#[derive(Serialize)]
struct Reply<'a> {
    status: &'a str,
    data: Data<'a>,
}

/// `constant` is what is equal in the replies to all transfers of this benchmark: two parts of the call data, and the details.
fn by_alloy(
    request: &str,
    facts: &Facts,
    [gsn, policies, shown]: &[Box<RawValue>; 3],
    (entry_point, chain): (Address, u64),
) -> (String, B256) {
    let request: Request<'_> = serde_json::from_str(request).unwrap();
    let details = &request.details;
    let job = Nft {
        caip2Id: details.caip2_id.clone(),
        nftId: details.nft_id.clone(),
        recipientWalletAddress: details.recipient_wallet_address.clone(),
        collectionAddress: details.collection_address.clone(),
        nftType: details.nft_type.clone(),
        amount: details.amount.parse().unwrap(),
    };
    // Checks the checksum, as the core does.
    let address = |text: &str| Address::parse_checksummed(text, None).unwrap();
    let _ =
        [&details.recipient_wallet_address, &details.collection_address].map(|text| address(text));
    let sender = address(&facts.user_swa);
    let nonce = U256::from(request.job_id.as_u128());
    let inner = initiateJobCall {
        jobId: nonce,
        clientSWA: address(&facts.client_swa),
        userSWA: sender,
        feePayerAddress: Address::ZERO,
        policyInfo: PolicyInfo { gsnEnabled: false, sponsorshipEnabled: false }.abi_encode().into(),
        gsnData: Gsn { isRequired: false, requiredNetworks: vec![], tokens: vec![] }
            .abi_encode()
            .into(),
        jobParameters: job.abi_encode().into(),
        intentType: request.r#type.into(),
    };
    let outer = (
        alloy_primitives::fixed_bytes!("8dd7712f"),
        facts.job_manager,
        U256::ZERO,
        Bytes::from(inner.abi_encode()),
    );
    let call_data = Bytes::from(outer.abi_encode_params());
    let (limits, fees) = (&facts.gas_limits, &request.gas_details);
    let halves = |high: U256, low: U256| B256::from(high << 128 | low);
    let paymaster = [
        facts.paymaster.as_slice(),
        halves(limits.paymaster_verification_gas_limit, limits.paymaster_post_op_gas_limit)
            .as_slice(),
        &request.paymaster_data,
    ]
    .concat();
    let hashed = Hashed {
        sender,
        nonce,
        initCode: keccak256([]),
        callData: keccak256(&call_data),
        accountGasLimits: halves(limits.verification_gas_limit, limits.call_gas_limit),
        preVerificationGas: limits.pre_verification_gas,
        gasFees: halves(fees.max_priority_fee_per_gas, fees.max_fee_per_gas),
        paymasterAndData: keccak256(paymaster),
    };
    let hash =
        keccak256((keccak256(hashed.abi_encode()), entry_point, U256::from(chain)).abi_encode());
    let user_ops = UserOps {
        call_data,
        gas_limits: limits,
        fees,
        nonce: nonce.into(),
        paymaster: facts.paymaster,
        paymaster_data: &request.paymaster_data,
        sender,
    };
    let call_data = CallData {
        client_swa: &facts.client_swa,
        fee_payer_address: "",
        gsn,
        intent_type: request.r#type,
        job_id: request.job_id,
        payload: details,
        policies,
        user_swa: &facts.user_swa,
    };
    let reply = Reply { status: "success", data: Data { call_data, details: shown, user_ops } };
    (serde_json::to_string(&reply).unwrap(), hash)
}

fn by_core(
    request: &str,
    facts: &sendoff::estimate::Facts,
    at: &sendoff::user_op::EntryPoint,
) -> (String, B256) {
    let estimate =
        sendoff::estimate::Estimate::new(request.parse().unwrap(), facts.clone()).unwrap();
    let reply = sendoff::estimate::respond(estimate);
    let text = reply.to_string();
    let hash = sendoff::user_op::user_op_hash(&reply.data.user_ops.into(), at).unwrap();
    (text, B256::from(<[u8; 32]>::from(hash)))
}

fn main() {
    let compact = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap().to_string();
    let request = compact(REQUEST);
    let facts_text = compact(FACTS);
    let at = r#"{"entryPoint":"0x0000000071727De22E5E9d8BAf0edAc6f37da032","chainId":8088,"version":"0.7"}"#;
    let (facts, entry_point) = (facts_text.parse().unwrap(), at.parse().unwrap());
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let answer = value(&json::estimate(&request, &facts_text).unwrap());
    let places = ["/data/callData/gsn", "/data/callData/policies", "/data/details"];
    let constant = places
        .map(|place| RawValue::from_string(answer.pointer(place).unwrap().to_string()).unwrap());
    let peer_facts: Facts = serde_json::from_str(&facts_text).unwrap();
    let place = (alloy_primitives::address!("0000000071727De22E5E9d8BAf0edAc6f37da032"), 8088);

    // The times are comparable only if the answers are equal.
    let [(reply, hash), (peer_reply, peer_hash)] = [
        by_core(&request, &facts, &entry_point),
        by_alloy(&request, &peer_facts, &constant, place),
    ];
    assert_eq!((value(&reply), hash), (value(&peer_reply), peer_hash));

    let [core, alloy] = microseconds(
        100,
        [&mut || drop(black_box(by_core(black_box(&request), &facts, &entry_point))), &mut || {
            drop(black_box(by_alloy(black_box(&request), &peer_facts, &constant, place)))
        }],
    );
    println!("the job: sendoff {core:.1} µs, alloy with serde_json {alloy:.1} µs");
    for (group, name, mut run) in stages::stages() {
        let [time] = microseconds(100, [&mut *run]);
        println!("{group}: {name}: {time:.2} µs");
    }
}
