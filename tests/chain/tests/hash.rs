//! The EntryPoint's `getUserOpHash` returns the core's hash.

use std::cell::RefCell;

use alloy_primitives::{Address, B256};
use chain::{CANONICAL_07, CANONICAL_08, Chain, IEntryPoint::getUserOpHashCall, VERSIONS, packed};
use laws::{address, hex_bytes, user_op};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use sendoff::user_op::{EntryPoint, EntryPointVersion, GasFeeOrder, UserOp, user_op_hash};
use serde_json::{Value, json};

const ORDERS: [GasFeeOrder; 2] = [GasFeeOrder::Standard, GasFeeOrder::MaxFirst];

/// The EntryPoint contract, on any chain and at any address.
struct Judge {
    chain: Chain,
    version: EntryPointVersion,
    deployed: Address,
}

impl Judge {
    fn new(version: EntryPointVersion) -> Self {
        let (chain, deployed) = Chain::with_entry_point(1, version);
        Self { chain, version, deployed }
    }

    /// Asserts that the contract at this address of this chain returns the core's hash, or reverts if the core refuses the
    /// operation. Returns `true` if there is a hash.
    fn agrees(&mut self, op: &Value, at: Address, chain: u64, order: GasFeeOrder) -> bool {
        let op: UserOp = op.to_string().parse().unwrap();
        let options = json!({ "entryPoint": at.to_string(), "chainId": chain, "version": self.version, "gasFeeOrder": order });
        let entry_point: EntryPoint = options.to_string().parse().unwrap();
        self.chain.copy_code(self.deployed, at);
        self.chain.set_id(chain);
        let judged = self.chain.call(at, &getUserOpHashCall { userOp: packed(&op, order, &[]) });
        let answered = user_op_hash(&op, &entry_point).map(B256::from);
        assert_eq!(answered.as_ref().ok(), judged.as_ref().ok(), "{answered:?} {judged:?} {op:?}");
        answered.is_ok()
    }
}

/// The numbers of operations with and without a hash.
#[derive(Default)]
struct Counts {
    hashed: usize,
    refused: usize,
}

impl Counts {
    fn count(&mut self, is_hashed: bool) {
        *if is_hashed { &mut self.hashed } else { &mut self.refused } += 1;
    }

    /// Only 0.9 reads what is in the paymaster's data.
    fn report(&self, version: EntryPointVersion, kind: &str) {
        let Self { hashed, refused } = self;
        assert!(*hashed >= 1000 && (*refused == 0 || version == EntryPointVersion::V09));
        println!(
            "EntryPoint {version}: {hashed} {kind} operations and {refused} refusals, 0 different"
        );
    }
}

/// Data that ends as EntryPoint 0.9 looks for it: a signature, its length (sometimes wrong), and a magic number.
fn signed_paymaster_data() -> impl Strategy<Value = String> {
    let tail = (hex_bytes(80), prop_oneof![Just(None), (0..200_usize).prop_map(Some)]);
    (hex_bytes(40), tail).prop_map(|(data, (signature, wrong))| {
        let length = wrong.unwrap_or(signature.len() / 2 - 1);
        format!("{data}{}{length:04x}22e325a297439656", &signature[2..])
    })
}

#[test]
fn random_operations() {
    for version in VERSIONS {
        let judge = RefCell::new(Judge::new(version));
        let counts = RefCell::new(Counts::default());
        let paymaster_data = prop_oneof![Just(None), signed_paymaster_data().prop_map(Some)];
        let cases = (user_op(), paymaster_data, address(), 1..1_u64 << 53, select(ORDERS.to_vec()));
        let mut runner =
            TestRunner::new(Config { cases: 1500, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&cases, |(mut op, paymaster_data, at, chain, order)| {
            if let Some(data) = paymaster_data.filter(|_| op.get("paymaster").is_some()) {
                op["paymasterData"] = data.into();
            }
            let at = at.to_lowercase().parse().unwrap();
            counts.borrow_mut().count(judge.borrow_mut().agrees(&op, at, chain, order));
            Ok(())
        });
        outcome.unwrap();
        counts.borrow().report(version, "random");
    }
}

#[test]
fn edge_operations() {
    let bytes = |length: usize| Value::from(format!("0x{}", "a5".repeat(length)));
    let quantity = |bits: u32| {
        if bits == 256 {
            format!("0x{}", "f".repeat(64))
        } else {
            format!("{:#x}", u128::MAX >> (128 - bits))
        }
    };
    let factories = [
        None,
        Some(json!({})),
        Some(json!({ "factoryData": bytes(0) })),
        Some(json!({ "factoryData": bytes(77) })),
    ];
    // The signature of a paymaster and its length before the magic number: 0, 1, the whole data,
    // and more than the data.
    let signed = |length: usize, said: u16| {
        Value::from(format!("0x{}{said:04x}22e325a297439656", "5a".repeat(length)))
    };
    let paymasters = [
        None,
        Some(bytes(0)),
        Some(bytes(1)),
        Some(bytes(256)),
        Some("0x22e325a297439656".into()),
        Some("0x5a22e325a297439656".into()),
        Some(signed(0, 0)),
        Some(signed(0, 1)),
        Some(signed(65, 1)),
        Some(signed(65, 65)),
        Some(signed(65, 66)),
        Some(signed(65, u16::MAX)),
    ];
    let calls = [0, 1, 3, 4, 31, 32, 33, 10_000];
    // Zero, the largest values that the EntryPoint executes, and the largest that fit.
    let numbers = [
        ("0x0".to_owned(), "0x0".to_owned()),
        (quantity(120), quantity(120)),
        (quantity(128), quantity(256)),
    ];

    for version in VERSIONS {
        let mut judge = Judge::new(version);
        let mut counts = Counts::default();
        for (factory, paymaster_data) in
            factories.iter().flat_map(|f| paymasters.iter().map(move |p| (f, p)))
        {
            for (call, (gas, wide)) in
                calls.iter().flat_map(|call| numbers.iter().map(move |numbers| (call, numbers)))
            {
                let mut op = json!({
                    "sender": "0xffffffffffffffffffffffffffffffffffffffff", "nonce": wide, "callData": bytes(*call),
                    "callGasLimit": gas, "verificationGasLimit": gas, "preVerificationGas": wide, "maxFeePerGas": gas,
                    "maxPriorityFeePerGas": "0x1",
                });
                if let Some(factory) = factory {
                    op["factory"] = "0x7702000000000000000000000000000000000001".into();
                    op.as_object_mut().unwrap().extend(factory.as_object().unwrap().clone());
                }
                if let Some(data) = paymaster_data {
                    op["paymaster"] = "0x1111111111111111111111111111111111111111".into();
                    op["paymasterVerificationGasLimit"] = gas.as_str().into();
                    op["paymasterPostOpGasLimit"] = gas.as_str().into();
                    op["paymasterData"] = data.clone();
                }
                for (order, chain) in ORDERS.into_iter().zip([1, (1 << 53) - 1]) {
                    counts.count(judge.agrees(&op, CANONICAL_08, chain, order));
                }
            }
        }
        counts.report(version, "edge");
    }
}

/// Why the core refuses an EIP-7702 marker for 0.8 and 0.9: the hash depends on the account's delegate.
#[test]
fn an_eip7702_marker_makes_the_hash_depend_on_the_delegate() {
    for version in VERSIONS {
        let mut judge = Judge::new(version);
        let sender = Address::repeat_byte(0x51);
        let mut op = json!({
            "sender": sender.to_string(), "nonce": "0x0", "callData": "0x", "callGasLimit": "0x0", "verificationGasLimit": "0x0",
            "preVerificationGas": "0x0", "maxFeePerGas": "0x0", "maxPriorityFeePerGas": "0x0",
            "factory": "0x7702000000000000000000000000000000000000",
        });
        if version == EntryPointVersion::V07 {
            assert!(judge.agrees(&op, CANONICAL_07, 1, GasFeeOrder::Standard));
            continue;
        }
        judge.chain.copy_code(judge.deployed, CANONICAL_08);
        let parsed: UserOp = op.to_string().parse().unwrap();
        let [first, second] = [0xaa, 0xbb].map(|delegate| {
            let code =
                [&[0xef, 0x01, 0x00][..], Address::repeat_byte(delegate).as_slice()].concat();
            judge.chain.place(sender, code.into());
            let call = getUserOpHashCall { userOp: packed(&parsed, GasFeeOrder::Standard, &[]) };
            judge.chain.call(CANONICAL_08, &call).unwrap()
        });
        assert_ne!(first, second);
        let options =
            json!({ "entryPoint": CANONICAL_08.to_string(), "chainId": 1, "version": version })
                .to_string();
        assert!(user_op_hash(&parsed, &options.parse().unwrap()).is_err());
        // An operation of the same account without a factory has one hash.
        op.as_object_mut().unwrap().remove("factory");
        assert!(judge.agrees(&op, CANONICAL_08, 1, GasFeeOrder::Standard));
    }
}

/// The packages contain the bytecode of Ethereum's contracts: with the same salts it has the same addresses.
#[test]
fn the_published_bytecode_has_the_canonical_addresses() {
    assert_eq!(Chain::with_entry_point(1, EntryPointVersion::V07).1, CANONICAL_07);
    assert_eq!(Chain::with_entry_point(1, EntryPointVersion::V08).1, CANONICAL_08);
}
