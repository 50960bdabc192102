//! The EntryPoint reserves the core's `max_cost` for an operation, and refuses the operations that
//! the core refuses.

use alloy_primitives::{Address, Bytes, U256, hex};
use alloy_sol_types::SolCall;
use chain::{Chain, IEntryPoint::depositToCall, VERSIONS, each, packed};
use laws::address;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sendoff::user_op::{GasFeeOrder, UserOp, max_cost};
use serde_json::json;

/// A contract that reverts with the third argument of its call. An account's `validateUserOp` has there what it must
/// pay, and a paymaster's `validatePaymasterUserOp` what is reserved of its deposit.
const TELLS_ITS_COST: Bytes = Bytes::from_static(&hex!("6020604460003760206000fd"));
/// A contract that answers 0: an account that accepts every signature.
const ACCEPTS: Bytes = Bytes::from_static(&hex!("60206000f3"));

/// The fields that the EntryPoint bounds.
const FIELDS: [&str; 7] = [
    "callGasLimit",
    "verificationGasLimit",
    "preVerificationGas",
    "maxFeePerGas",
    "maxPriorityFeePerGas",
    "paymasterVerificationGasLimit",
    "paymasterPostOpGasLimit",
];
/// Gas on which the two contracts can run.
const ENOUGH: u128 = 1_000_000;
/// The largest value that the EntryPoint accepts.
const MOST: u128 = u128::MAX >> 8;

/// An operation with these values, and with the fields of a paymaster if there is one.
fn operation(sender: &str, paymaster: Option<&str>, values: [u128; 7]) -> UserOp {
    let mut op = json!({ "sender": sender, "nonce": "0x0", "callData": "0x" });
    let count = if paymaster.is_some() { 7 } else { 5 };
    for (field, value) in FIELDS.into_iter().zip(values).take(count) {
        op[field] = format!("{value:#x}").into();
    }
    if let Some(paymaster) = paymaster {
        op["paymaster"] = paymaster.into();
        op["paymasterData"] = "0x".into();
    }
    op.to_string().parse().unwrap()
}

/// Asserts that the EntryPoint reserves the core's cost, no wei more or less, or refuses the operation as the core does.
fn agrees(chain: &mut Chain, entry_point: Address, op: &UserOp) {
    let paymaster = op.paymaster.as_ref().map(|paymaster| paymaster.address.into());
    chain.place(op.sender.into(), if paymaster.is_some() { ACCEPTS } else { TELLS_ITS_COST });
    let refused = |chain: &mut Chain, expected: &str, number: U256| {
        let packed = packed(op, GasFeeOrder::Standard, Vec::new());
        let (reason, inner) = chain.handle(entry_point, packed).unwrap_err();
        let found = U256::try_from_be_slice(&inner).unwrap();
        assert_eq!((&*reason, found), (expected, number), "{op:?}");
    };
    let Ok(cost) = max_cost(op) else {
        return refused(chain, "AA94 gas values overflow", U256::ZERO);
    };
    let cost = U256::from_be_bytes(cost.to_big_endian());
    let Some(account) = paymaster else {
        return refused(chain, "AA23 reverted", cost);
    };
    chain.place(account, TELLS_ITS_COST);
    if cost > U256::ZERO {
        chain.send(entry_point, cost - U256::ONE, depositToCall { account }.abi_encode());
        refused(chain, "AA31 paymaster deposit too low", U256::ZERO);
        chain.send(entry_point, U256::ONE, depositToCall { account }.abi_encode());
    }
    refused(chain, "AA33 reverted", cost);
}

#[test]
fn the_entry_point_reserves_the_cores_cost() {
    let value =
        || prop_oneof![4 => ENOUGH..2 * ENOUGH, 8 => ENOUGH..=MOST, 1 => MOST + 1..=u128::MAX];
    let any_value = || prop_oneof![1 => Just(0), 4 => value()];
    let values =
        (any_value(), value(), any_value(), any_value(), any_value(), value(), any_value());
    let cases = (address(), prop::option::of(address()), values.prop_map(<[u128; 7]>::from));
    let bounds = (0..7).flat_map(|field| [MOST, MOST + 1, u128::MAX].map(|value| (field, value)));
    let edges = bounds.map(|(field, value)| {
        let mut values = [ENOUGH; 7];
        values[field] = value;
        values
    });
    let edges: Vec<_> = edges.chain([[MOST; 7]]).collect();

    for version in VERSIONS {
        let (mut chain, entry_point) = Chain::with_entry_point(1, version);
        for (number, values) in (1..).zip(&edges) {
            let [sender, paymaster] =
                [number, 0x80 | number].map(|at| Address::repeat_byte(at).to_string());
            for paymaster in [None, Some(paymaster.as_str())] {
                agrees(&mut chain, entry_point, &operation(&sender, paymaster, *values));
            }
        }
        let mut counts = [0, 0];
        each(500, RngSeed::Random, &cases, |(sender, paymaster, values)| {
            let op = operation(&sender, paymaster.as_deref(), values);
            agrees(&mut chain, entry_point, &op);
            counts[usize::from(max_cost(&op).is_err())] += 1;
        });
        let [reserved, refused] = counts;
        println!("EntryPoint {version}: {reserved} prefunds and {refused} refusals, 0 different");
    }
}
