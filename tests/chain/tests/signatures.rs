//! The reference accounts accept the form of signature that a deployment names, and no other.

use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::{SolCall, SolValue, sol};
use chain::{CANONICAL_08, Chain, Key, VERSIONS, packed, published};
use sendoff::user_op::{EntryPoint, EntryPointVersion, GasFeeOrder, UserOp, signing_digest, user_op_hash};
use serde_json::{Value, json};

sol! {
    function createAccount(address owner, uint256 salt) returns (address);
    function getAddress(address owner, uint256 salt) external view returns (address);
}

/// What is signed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// EIP-191's personal message of the hash.
    Personal,
    /// The hash itself, which in 0.8 and 0.9 is that of EIP-712 typed data.
    Raw,
}

/// Sends the operation with a signature of this form, and answers whether it was accepted.
fn accepts(
    chain: &mut Chain,
    entry_point: Address,
    version: EntryPointVersion,
    op: &Value,
    key: &Key,
    form: Form,
) -> bool {
    let op: UserOp = op.to_string().parse().unwrap();
    let options = json!({ "entryPoint": entry_point.to_string(), "chainId": 1, "version": version });
    let hash = user_op_hash(&op, &options.to_string().parse::<EntryPoint>().unwrap()).unwrap();
    let digest = if form == Form::Personal { signing_digest(hash) } else { hash };
    match chain.handle(entry_point, packed(&op, GasFeeOrder::Standard, &key.sign(digest.0))) {
        Ok(event) => {
            assert_eq!(event.userOpHash, B256::from(hash.0));
            assert!(event.success);
            true
        }
        Err((reason, _)) => {
            assert_eq!(reason, "AA24 signature error");
            false
        }
    }
}

fn operation(sender: Address, nonce: u64) -> Value {
    json!({
        "sender": sender.to_string(), "nonce": format!("{nonce:#x}"), "callData": "0x", "callGasLimit": "0x186a0",
        "verificationGasLimit": "0xf4240", "preVerificationGas": "0xc350", "maxFeePerGas": "0x3b9aca00",
        "maxPriorityFeePerGas": "0x3b9aca00",
    })
}

fn fund(chain: &mut Chain, account: Address) {
    assert!(chain.send(account, U256::from(10).pow(U256::from(18)), Default::default()).is_success());
}

/// The account does not exist before its first operation, whose factory deploys it: the hash covers the factory too.
#[test]
fn a_simple_account_of_each_version() {
    for (version, form) in VERSIONS.into_iter().zip([Form::Personal, Form::Raw, Form::Raw]) {
        let (mut chain, entry_point) = Chain::with_entry_point(1, version);
        let factory = published(version, "SimpleAccountFactory");
        let factory = chain.deploy(factory, &entry_point.abi_encode());
        let owner = Key::new(1);
        let account = getAddressCall { owner: owner.address(), salt: U256::ZERO };
        let account = chain.call(factory, &account).unwrap();
        fund(&mut chain, account);

        let mut first = operation(account, 0);
        first["factory"] = factory.to_string().into();
        let data = createAccountCall { owner: owner.address(), salt: U256::ZERO }.abi_encode();
        first["factoryData"] = alloy_primitives::hex::encode_prefixed(data).into();
        let second = operation(account, 1);

        let other = if form == Form::Raw { Form::Personal } else { Form::Raw };
        for op in [first, second] {
            assert!(!accepts(&mut chain, entry_point, version, &op, &owner, other), "{version} {other:?}");
            assert!(!accepts(&mut chain, entry_point, version, &op, &Key::new(2), form), "{version} another key");
            assert!(accepts(&mut chain, entry_point, version, &op, &owner, form), "{version} {form:?}");
        }
    }
}

/// An account whose key's own address has code by EIP-7702. The packages have it for 0.8 and 0.9.
#[test]
fn a_simple_7702_account() {
    for version in [EntryPointVersion::V08, EntryPointVersion::V09] {
        let (mut chain, entry_point) = Chain::with_entry_point(1, version);
        // That of 0.8 has Ethereum's EntryPoint as a constant, that of 0.9 takes one.
        let arguments = if version == EntryPointVersion::V08 { Vec::new() } else { entry_point.abi_encode() };
        assert!(version != EntryPointVersion::V08 || entry_point == CANONICAL_08);
        let delegate = chain.deploy(published(version, "Simple7702Account"), &arguments);
        let key = Key::new(3);
        chain.place(key.address(), [&[0xef, 0x01, 0x00][..], delegate.as_slice()].concat().into());
        fund(&mut chain, key.address());

        let op = operation(key.address(), 0);
        assert!(!accepts(&mut chain, entry_point, version, &op, &key, Form::Personal));
        assert!(!accepts(&mut chain, entry_point, version, &op, &Key::new(2), Form::Raw));
        assert!(accepts(&mut chain, entry_point, version, &op, &key, Form::Raw));
    }
}
