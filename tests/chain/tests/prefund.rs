//! The EntryPoint reserves the core's `max_cost` for an operation, and refuses the operations that
//! the core refuses.

use std::cell::RefCell;

use alloy_primitives::{Address, Bytes, U256, hex};
use alloy_sol_types::SolCall;
use chain::{Chain, IEntryPoint::depositToCall, VERSIONS, packed};
use laws::address;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
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
    for (field, value) in
        FIELDS.into_iter().zip(values).take(if paymaster.is_some() { 7 } else { 5 })
    {
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
    let place = |address: &sendoff::value::Address| Address::from(address.to_h160().0);
    let paymaster = op.paymaster.as_ref().map(|paymaster| place(&paymaster.address));
    chain.place(place(&op.sender), if paymaster.is_some() { ACCEPTS } else { TELLS_ITS_COST });
    let handle = |chain: &mut Chain| {
        let (reason, inner) =
            chain.handle(entry_point, packed(op, GasFeeOrder::Standard, &[])).unwrap_err();
        (reason, U256::try_from_be_slice(&inner).unwrap())
    };
    let Ok(cost) = max_cost(op) else {
        return assert_eq!(
            handle(chain),
            ("AA94 gas values overflow".into(), U256::ZERO),
            "{op:?}"
        );
    };
    let cost = U256::from_be_bytes(cost.to_big_endian());
    let Some(paymaster) = paymaster else {
        return assert_eq!(handle(chain), ("AA23 reverted".into(), cost), "{op:?}");
    };
    chain.place(paymaster, TELLS_ITS_COST);
    let deposit = |chain: &mut Chain, wei| {
        let result =
            chain.send(entry_point, wei, depositToCall { account: paymaster }.abi_encode().into());
        assert!(result.is_success(), "{result:?}");
    };
    if cost > U256::ZERO {
        deposit(chain, cost - U256::ONE);
        assert_eq!(handle(chain), ("AA31 paymaster deposit too low".into(), U256::ZERO), "{op:?}");
        deposit(chain, U256::ONE);
    }
    assert_eq!(handle(chain), ("AA33 reverted".into(), cost), "{op:?}");
}

#[test]
fn random_operations() {
    let value =
        || prop_oneof![4 => ENOUGH..2 * ENOUGH, 8 => ENOUGH..=MOST, 1 => MOST + 1..=u128::MAX];
    let any_value = || prop_oneof![1 => Just(0), 4 => value()];
    let values =
        (any_value(), value(), any_value(), any_value(), any_value(), value(), any_value());
    let cases = (address(), prop::option::of(address()), values);
    for version in VERSIONS {
        let (chain, entry_point) = Chain::with_entry_point(1, version);
        let (chain, counts) = (RefCell::new(chain), RefCell::new([0, 0]));
        let mut runner =
            TestRunner::new(Config { cases: 500, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&cases, |(sender, paymaster, (a, b, c, d, e, f, g))| {
            let op = operation(&sender, paymaster.as_deref(), [a, b, c, d, e, f, g]);
            agrees(&mut chain.borrow_mut(), entry_point, &op);
            counts.borrow_mut()[usize::from(max_cost(&op).is_err())] += 1;
            Ok(())
        });
        outcome.unwrap();
        let [reserved, refused] = counts.into_inner();
        println!(
            "EntryPoint {version}: {reserved} prefunds and {refused} refusals (AA94), 0 different"
        );
    }
}

#[test]
fn every_value_up_to_its_bound() {
    for version in VERSIONS {
        let (mut chain, entry_point) = Chain::with_entry_point(1, version);
        let mut number = 0_u8;
        let mut agrees = |paymaster: Option<&str>, values| {
            number += 1;
            let sender = Address::repeat_byte(number).to_string();
            let paymaster = paymaster.map(|_| Address::repeat_byte(0x80 | number).to_string());
            agrees(&mut chain, entry_point, &operation(&sender, paymaster.as_deref(), values));
        };
        for paymaster in [None, Some("")] {
            agrees(paymaster, [MOST; 7]);
            for field in 0..if paymaster.is_some() { 7 } else { 5 } {
                for value in [MOST, MOST + 1, u128::MAX] {
                    let mut values = [ENOUGH; 7];
                    values[field] = value;
                    agrees(paymaster, values);
                }
            }
        }
    }
}
