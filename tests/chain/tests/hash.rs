//! The EntryPoint's `getUserOpHash` returns the core's hash.

use alloy_primitives::{Address, B256};
use chain::IEntryPoint::getUserOpHashCall;
use chain::*;
use laws::{address, user_op};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use sendoff::user_op::{EntryPointVersion, GasFeeOrder, UserOp, user_op_hash};
use serde_json::{Value, json};

const ORDERS: [GasFeeOrder; 2] = [GasFeeOrder::Standard, GasFeeOrder::MaxFirst];

/// The EntryPoint contract, on any chain and at any address, and the numbers of operations without and with a hash.
struct Judge {
    chain: Chain,
    version: EntryPointVersion,
    deployed: Address,
    counts: [usize; 2],
}

impl Judge {
    fn new(version: EntryPointVersion) -> Self {
        let (chain, deployed) = Chain::with_entry_point(1, version);
        Self { chain, version, deployed, counts: [0, 0] }
    }

    /// The contract's hash at this address of this chain.
    fn hash(&mut self, op: &UserOp, at: Address, chain: u64, order: GasFeeOrder) -> Option<B256> {
        self.chain.copy_code(self.deployed, at);
        self.chain.set_id(chain);
        let call = getUserOpHashCall { userOp: packed(op, order, Vec::new()) };
        self.chain.call(at, &call).ok()
    }

    /// Asserts that the contract returns the core's hash, or reverts if the core refuses the operation.
    fn agrees(&mut self, op: &Value, at: Address, chain: u64, order: GasFeeOrder) {
        let op: UserOp = op.to_string().parse().unwrap();
        let mut place = place(at, chain, self.version);
        place.gas_fee_order = order;
        let answered = user_op_hash(&op, &place).map(B256::from);
        let judged = self.hash(&op, at, chain, order);
        assert_eq!(answered.as_ref().ok(), judged.as_ref(), "{answered:?} {op:?}");
        self.counts[usize::from(judged.is_some())] += 1;
    }
}

/// Operations whose fields are as short, as long and as large as they can be.
fn edges() -> impl Strategy<Value = Value> {
    let bytes = |length: usize| format!("0x{}", "a5".repeat(length));
    // The signature of a paymaster and its length before the magic number: none, 0, 1, the whole data, and more than the data.
    let signed =
        |length: usize, said: &str| format!("0x{}{said}22e325a297439656", "5a".repeat(length));
    let paymasters = [
        vec![bytes(0), bytes(1), bytes(256), signed(0, ""), signed(1, "")],
        vec![signed(0, "0000"), signed(0, "0001")],
        ["0001", "0041", "0042", "ffff"].map(|said| signed(65, said)).into(),
    ];
    let paymasters = prop::option::weighted(0.9, select(paymasters.concat()));
    let factories = prop::option::of(select(vec![None, Some(bytes(0)), Some(bytes(77))]));
    let calls = select([0, 1, 3, 4, 31, 32, 33, 10_000].map(bytes).to_vec());
    // Zero, the largest values that the EntryPoint executes, and the largest that fit.
    let [most, half, word] = [30, 32, 64].map(|digits| format!("0x{}", "f".repeat(digits)));
    let zero = || "0x0".to_owned();
    let numbers = select(vec![(zero(), zero()), (most.clone(), most), (half, word)]);

    (factories, paymasters, calls, numbers).prop_map(|(factory, paymaster, call, (gas, wide))| {
        let mut op = json!({
            "sender": "0xffffffffffffffffffffffffffffffffffffffff", "nonce": wide, "callData": call,
            "callGasLimit": gas, "verificationGasLimit": gas, "preVerificationGas": wide, "maxFeePerGas": gas,
            "maxPriorityFeePerGas": "0x1",
        });
        if let Some(data) = factory {
            op["factory"] = "0x7702000000000000000000000000000000000001".into();
            data.into_iter().for_each(|data| op["factoryData"] = data.into());
        }
        if let Some(data) = paymaster {
            op["paymaster"] = "0x1111111111111111111111111111111111111111".into();
            op["paymasterVerificationGasLimit"] = gas.as_str().into();
            op["paymasterPostOpGasLimit"] = gas.into();
            op["paymasterData"] = data.into();
        }
        op
    })
}

#[test]
fn operations_hash_as_by_the_contract() {
    for version in VERSIONS {
        let mut judge = Judge::new(version);
        let chains = prop_oneof![1..1_u64 << 53, Just((1 << 53) - 1)];
        let cases =
            (prop_oneof![user_op(), edges().boxed()], address(), chains, select(ORDERS.to_vec()));
        each(4_000, RngSeed::Random, &cases, |(op, at, chain, order)| {
            judge.agrees(&op, at.to_lowercase().parse().unwrap(), chain, order);
        });
        // Only 0.9 reads what is in the paymaster's data.
        let [refused, hashed] = judge.counts;
        assert!(hashed >= 2_000 && (refused == 0 || version == EntryPointVersion::V09));
        println!("EntryPoint {version}: {hashed} hashes and {refused} refusals, 0 different");
    }
}

/// Why the core refuses an EIP-7702 marker for 0.8 and 0.9: the hash depends on the account's delegate.
#[test]
fn an_eip7702_marker_makes_the_hash_depend_on_the_delegate() {
    for version in VERSIONS {
        let mut judge = Judge::new(version);
        let sender = Address::repeat_byte(0x51);
        let mut op = json!({
            "sender": sender, "nonce": "0x0", "callData": "0x", "callGasLimit": "0x0", "verificationGasLimit": "0x0",
            "preVerificationGas": "0x0", "maxFeePerGas": "0x0", "maxPriorityFeePerGas": "0x0",
            "factory": "0x7702000000000000000000000000000000000000",
        });
        if version == EntryPointVersion::V07 {
            judge.agrees(&op, CANONICAL_07, 1, GasFeeOrder::Standard);
            assert_eq!(judge.counts, [0, 1]);
            continue;
        }
        let parsed: UserOp = op.to_string().parse().unwrap();
        let [first, second] = [0xaa, 0xbb].map(|delegate| {
            judge.chain.delegate(sender, Address::repeat_byte(delegate));
            judge.hash(&parsed, CANONICAL_08, 1, GasFeeOrder::Standard).unwrap()
        });
        assert_ne!(first, second);
        assert!(user_op_hash(&parsed, &place(CANONICAL_08, 1, version)).is_err());
        // An operation of the same account without a factory has one hash.
        op.as_object_mut().unwrap().remove("factory");
        judge.agrees(&op, CANONICAL_08, 1, GasFeeOrder::Standard);
        assert_eq!(judge.counts, [0, 1]);
    }
}

/// The packages contain the bytecode of Ethereum's contracts: with the same salts it has the same addresses.
#[test]
fn the_published_bytecode_has_the_canonical_addresses() {
    assert_eq!(Chain::with_entry_point(1, EntryPointVersion::V07).1, CANONICAL_07);
    assert_eq!(Chain::with_entry_point(1, EntryPointVersion::V08).1, CANONICAL_08);
}
