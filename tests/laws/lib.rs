//! The laws of the core as properties. Each file under `tests/` contains the laws of one module.
//! This file generates their inputs: documents as callers write them, in every allowed spelling.

pub mod chance;
pub mod contract_calls;
pub mod day_log;
pub mod encoded;
pub mod from_schema;
pub mod fuzzed;
mod intents;
pub mod json_readers;
mod mutate;
pub mod reference;
pub mod replies;
pub mod spelling;
pub mod steps;

pub use intents::{INTENTS, intent};

use intents::details;

use std::env;

use alloy_primitives::{Address, B256, Bytes, U256, keccak256};
use alloy_sol_types::{SolStruct, SolValue, eip712_domain, sol};
use proptest::prelude::*;
use sendoff::user_op::{EntryPoint, EntryPointVersion, GasFeeOrder, UserOp};
use serde_json::{Map, Value, json};

/// How far a law goes: `usual`, or `all` with `SENDOFF_ALL`.
pub fn extent<T>(usual: T, all: T) -> T {
    if env::var_os("SENDOFF_ALL").is_some() { all } else { usual }
}

/// The number of cases of a long law for each intent: `SENDOFF_MUTANTS`, or `usual`, with `SENDOFF_ALL` `all`.
pub fn mutants(usual: usize, all: usize) -> usize {
    env::var("SENDOFF_MUTANTS")
        .map_or(extent(usual, all), |text| text.parse().expect("a number of cases"))
}

/// Hex with random letter case after `0x`.
fn cased(text: String) -> BoxedStrategy<String> {
    prop_oneof![
        Just(text.clone()),
        Just(text.to_uppercase().replacen("0X", "0x", 1)),
        any::<u64>().prop_map(move |bits| {
            let flip = |(at, c): (usize, char)| {
                if at > 1 && bits >> (at % 64) & 1 == 1 { c.to_ascii_uppercase() } else { c }
            };
            text.chars().enumerate().map(flip).collect()
        }),
    ]
    .boxed()
}

fn pattern(pattern: &str) -> impl Strategy<Value = String> + use<> {
    proptest::string::string_regex(pattern).unwrap()
}

/// A quantity below `2^bits`.
pub fn quantity(bits: usize) -> BoxedStrategy<String> {
    let digits = bits / 4;
    prop_oneof![
        Just("0x0".to_owned()),
        pattern(&format!("0x[1-9a-f][0-9a-f]{{0,{}}}", digits - 1)).prop_flat_map(cased)
    ]
    .boxed()
}

/// At most this number of bytes, in hex.
pub fn hex_bytes(max: usize) -> BoxedStrategy<String> {
    pattern(&format!("0x([0-9a-f]{{2}}){{0,{max}}}")).prop_flat_map(cased).boxed()
}

/// An address in lower case, upper case, or with its checksum.
pub fn address() -> BoxedStrategy<String> {
    ("0x[0-9a-f]{40}", 0..3)
        .prop_map(|(lower, case)| match case {
            0 => lower,
            1 => lower.to_uppercase().replacen("0X", "0x", 1),
            _ => checksummed(&lower),
        })
        .boxed()
}

/// An address with its checksum, by alloy.
pub fn checksummed(address: &str) -> String {
    address
        .parse::<alloy_primitives::Address>()
        .map_or_else(|_| address.into(), |address| address.to_checksum(None))
}

/// A hyphenated UUID.
pub fn uuid() -> BoxedStrategy<String> {
    "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}".prop_flat_map(cased).boxed()
}

/// A chain of the namespace `eip155`.
pub fn chain() -> impl Strategy<Value = String> {
    "eip155:[1-9][0-9]{0,9}"
}

/// An amount in decimal, from 1.
pub fn amount() -> impl Strategy<Value = String> {
    "[1-9][0-9]{0,76}"
}

/// JSON of any shape.
pub fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map(any::<String>(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A request and facts that agree with it.
pub fn estimate(kind: &'static str) -> impl Strategy<Value = (Value, Value)> {
    /// Fields with rules that no schema expresses. All others are made from the schema, new ones too.
    const RULED: [&str; 3] = ["gasDetails", "paymasterData", "feePayerAddress"];

    let others = from_schema::fields_beside("EstimateRequest", &RULED);
    let request =
        (others, gas_details(), details(kind), prop::option::of(address()), paymaster_data());
    // Facts whose fees are on any chain.
    let facts = from_schema::fields_beside("Facts", &[]).prop_map(Value::from);
    (request, facts).prop_map(
        move |((others, gas_details, details, payer, paymaster_data), mut facts)| {
            let mut request = Value::from(others);
            request["type"] = kind.into();
            request["details"] = details;
            request["gasDetails"] = gas_details;
            request["paymasterData"] = paymaster_data;
            if let Some(grant) = request["paymasterData"].as_object_mut() {
                grant.insert("clientSWA".into(), facts["clientSWA"].clone());
                let data = request["paymasterData"].to_string();
                let data = sendoff::json::encode_paymaster_data(&data).unwrap();
                request["paymasterData"] = data.parse().unwrap();
            }
            if let Some(payer) = payer {
                request["feePayerAddress"] = payer.into();
                facts["policies"]["sponsorshipEnabled"] = true.into();
            }
            if let Some(fees) = facts.get_mut("fees") {
                let amounts = fees["transactionFees"].take();
                let amount = amounts.as_object().unwrap().values().next().unwrap().clone();
                let chain = request["details"]["caip2Id"].as_str().unwrap().to_owned();
                fees["transactionFees"] = Map::from_iter([(chain, amount)]).into();
            }
            (request, facts)
        },
    )
}

/// Fees whose tip is not above the cap.
fn gas_details() -> impl Strategy<Value = Value> {
    let others =
        from_schema::fields_beside("GasDetails", &["maxFeePerGas", "maxPriorityFeePerGas"]);
    (others, quantity(112), 0..3_u8).prop_map(|(others, cap, tip)| {
        let mut fees = Value::from(others);
        fees["maxPriorityFeePerGas"] = if tip == 0 { "0x0".into() } else { cap.clone().into() };
        fees["maxFeePerGas"] = cap.into();
        fees
    })
}

/// Paymaster data, of which that of a client is without the client, or bytes of another layout.
fn paymaster_data() -> BoxedStrategy<Value> {
    prop_oneof![
        hex_bytes(300).prop_map(Value::from),
        from_schema::fields_beside("PaymasterData", &["clientSWA"]).prop_map(Value::from),
    ]
    .boxed()
}

/// The deployment in facts.
pub fn deployment(facts: &Value) -> Value {
    json!({
        "entryPoint": "0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da", "chainId": 1_802_466_136, "version": "0.7",
        "gasFeeOrder": "maxFirst", "jobManager": facts["jobManager"], "paymaster": facts["paymaster"],
        "clientSWA": facts["clientSWA"],
    })
}

/// Data that ends as EntryPoint 0.9 looks for it: a signature, its length (sometimes wrong), and a magic number.
fn signed_paymaster_data() -> impl Strategy<Value = String> {
    let bytes = || prop_oneof![hex_bytes(80), hex_bytes(1)];
    let wrong = prop_oneof![Just(None), (0..200_usize).prop_map(Some)];
    (bytes(), bytes(), wrong).prop_map(|(data, signature, wrong)| {
        let length = wrong.unwrap_or(signature.len() / 2 - 1);
        format!("{data}{}{length:04x}22e325a297439656", &signature[2..])
    })
}

/// A user operation, with and without factory and paymaster.
pub fn user_op() -> BoxedStrategy<Value> {
    let gas = (quantity(128), quantity(128), quantity(256), quantity(128), quantity(128));
    let nonce = prop_oneof![quantity(256), "0x[0-9a-f]{64}"];
    let factory = prop::option::of((address(), prop::option::of(hex_bytes(60))));
    let data = prop_oneof![hex_bytes(90), signed_paymaster_data()];
    let paymaster = prop::option::of((address(), quantity(128), quantity(128), data));
    (address(), nonce, hex_bytes(120), gas, factory, paymaster)
        .prop_map(|(sender, nonce, call_data, gas, factory, paymaster)| {
            let mut op = json!({
                "sender": sender, "nonce": nonce, "callData": call_data, "callGasLimit": gas.0,
                "verificationGasLimit": gas.1, "preVerificationGas": gas.2, "maxFeePerGas": gas.3,
                "maxPriorityFeePerGas": gas.4,
            });
            if let Some((factory, data)) = factory {
                op["factory"] = factory.into();
                if let Some(data) = data {
                    op["factoryData"] = data.into();
                }
            }
            if let Some((paymaster, verification, post_op, data)) = paymaster {
                op["paymaster"] = paymaster.into();
                op["paymasterVerificationGasLimit"] = verification.into();
                op["paymasterPostOpGasLimit"] = post_op.into();
                op["paymasterData"] = data.into();
            }
            op
        })
        .boxed()
}

sol! {
    #![sol(all_derives)]

    interface Hashed {
        /// The fields that are hashed.
        struct PackedUserOperation {
            address sender;
            uint256 nonce;
            bytes initCode;
            bytes callData;
            bytes32 accountGasLimits;
            uint256 preVerificationGas;
            bytes32 gasFees;
            bytes paymasterAndData;
        }
    }

    /// The published contract.
    interface IEntryPoint {
        struct PackedUserOperation {
            address sender;
            uint256 nonce;
            bytes initCode;
            bytes callData;
            bytes32 accountGasLimits;
            uint256 preVerificationGas;
            bytes32 gasFees;
            bytes paymasterAndData;
            bytes signature;
        }

        error FailedOp(uint256 opIndex, string reason);
        error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner);

        event UserOperationEvent(
            bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success,
            uint256 actualGasCost, uint256 actualGasUsed
        );

        function getUserOpHash(PackedUserOperation userOp) external view returns (bytes32);
        function depositTo(address account) external payable;
        function handleOps(PackedUserOperation[] ops, address beneficiary) external;
    }
}

pub use Hashed::PackedUserOperation;

fn halves(high: u128, low: u128) -> B256 {
    B256::from((U256::from(high) << 128) | U256::from(low))
}

/// The packed operation of the EntryPoint, by alloy.
#[must_use]
pub fn packed(op: &UserOp, order: GasFeeOrder) -> PackedUserOperation {
    let (tip, cap) = (op.max_priority_fee_per_gas.value(), op.max_fee_per_gas.value());
    let address = |address: &sendoff::value::Address| Address::from(address.to_h160().0);
    let mut init_code = Vec::new();
    if let Some(factory) = &op.factory {
        init_code =
            (address(&factory.address), Bytes::from(factory.data.to_vec())).abi_encode_packed();
    }
    let mut paymaster_and_data = Vec::new();
    if let Some(paymaster) = &op.paymaster {
        paymaster_and_data = (
            address(&paymaster.address),
            paymaster.verification_gas_limit.value(),
            paymaster.post_op_gas_limit.value(),
            Bytes::from(paymaster.data.to_vec()),
        )
            .abi_encode_packed();
    }
    PackedUserOperation {
        sender: address(&op.sender),
        nonce: U256::from_be_bytes(op.nonce.value().to_big_endian()),
        initCode: init_code.into(),
        callData: op.call_data.to_vec().into(),
        accountGasLimits: halves(op.verification_gas_limit.value(), op.call_gas_limit.value()),
        preVerificationGas: U256::from_be_bytes(op.pre_verification_gas.value().to_big_endian()),
        gasFees: if order == GasFeeOrder::Standard { halves(tip, cap) } else { halves(cap, tip) },
        paymasterAndData: paymaster_and_data.into(),
    }
}

/// The same with a signature.
#[must_use]
pub fn signed(
    op: &UserOp,
    order: GasFeeOrder,
    signature: impl Into<Bytes>,
) -> IEntryPoint::PackedUserOperation {
    let (sender, nonce, init, call, gas, before, fees, paymaster) = packed(op, order).into();
    (sender, nonce, init, call, gas, before, fees, paymaster, signature.into()).into()
}

/// The hash of a packed operation, by alloy; `None` if EntryPoint 0.9 reverts.
#[must_use]
pub fn hash_by_alloy(mut op: PackedUserOperation, at: &EntryPoint) -> Option<B256> {
    let (contract, chain) = (Address::from(at.address.to_h160().0), at.chain_id.value());
    if at.version == EntryPointVersion::V07 {
        let inner = (
            op.sender,
            op.nonce,
            keccak256(&op.initCode),
            keccak256(&op.callData),
            op.accountGasLimits,
            op.preVerificationGas,
            op.gasFees,
            keccak256(&op.paymasterAndData),
        );
        let outer = (keccak256(inner.abi_encode()), contract, U256::from(chain));
        return Some(keccak256(outer.abi_encode()));
    }
    if at.version == EntryPointVersion::V09 {
        op.paymasterAndData = without_signature(op.paymasterAndData)?;
    }
    let domain = eip712_domain! {
        name: "ERC4337", version: "1", chain_id: chain, verifying_contract: contract,
    };
    Some(op.eip712_signing_hash(&domain))
}

/// The paymaster and its data as EntryPoint 0.9 hashes them: 52 bytes and what follows, up to a signature before its length.
fn without_signature(data: Bytes) -> Option<Bytes> {
    let magic = &keccak256("PaymasterSignature")[..8];
    match data.strip_suffix(magic).and_then(|rest| rest.split_last_chunk()) {
        Some((rest, length)) if rest.len() >= 52 && *length != [0, 0] => {
            let kept = rest.len().checked_sub(u16::from_be_bytes(*length).into())?;
            (kept >= 52).then(|| [&rest[..kept], magic].concat().into())
        }
        _ => Some(data),
    }
}

/// The programs of the guide for Rust.
#[cfg(doctest)]
#[doc = include_str!("../../docs/start/rust.md")]
mod guide {}
