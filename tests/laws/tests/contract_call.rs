//! Laws of contract calls: the output of an independent encoder is decoded, and nothing else is.

use alloy_primitives::{Address, Bytes, FixedBytes, U256};
use alloy_sol_types::{SolCall, sol};
use proptest::prelude::*;
use proptest::sample::Index;
use sendoff::intent::{CallArgument, ContractCall};

sol! {
    function transfer(address to, uint256 amount);
    function transferFrom(address from, address to, uint256 amount);
    function approve(address spender, uint256 amount);
    function increaseAllowance(address spender, uint256 amount);
    function decreaseAllowance(address spender, uint256 amount);
    function setApprovalForAll(address operator, bool approved);
    function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data);
    function permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s);
    function transferOwnership(address owner);
    function renounceOwnership();
    function grantRole(bytes32 role, address account);
    function changeAdmin(address admin);
    function upgradeTo(address implementation);
    function upgradeToAndCall(address implementation, bytes data);

    interface Nft {
        function safeTransferFrom(address from, address to, uint256 id);
    }
    interface NftWithData {
        function safeTransferFrom(address from, address to, uint256 id, bytes data);
    }
    interface Pieces {
        function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data);
    }
    interface Dai {
        function permit(
            address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s
        );
    }
    interface Permit2 {
        function approve(address token, address spender, uint160 amount, uint48 expiration);
    }
}

/// The same call by alloy's encoder, which finds each function by its signature and each argument by its name.
fn by_alloy(call: &ContractCall) -> Vec<u8> {
    let uint_of = |value: &primitive_types::U256| U256::from_be_bytes(value.to_big_endian());
    let address = |name| match call.argument(name) {
        Some(CallArgument::Address(address)) => Address::from(address.to_h160().0),
        other => panic!("expected an address as {name}, found {other:?}"),
    };
    let uint = |name| match call.argument(name) {
        Some(CallArgument::Uint(value)) => uint_of(value),
        other => panic!("expected a number as {name}, found {other:?}"),
    };
    let uints = |name| match call.argument(name) {
        Some(CallArgument::Uints(values)) => values.iter().map(uint_of).collect::<Vec<_>>(),
        other => panic!("expected numbers as {name}, found {other:?}"),
    };
    let flag = |name| match call.argument(name) {
        Some(CallArgument::Bool(flag)) => *flag,
        other => panic!("expected a flag as {name}, found {other:?}"),
    };
    let word = |name| match call.argument(name) {
        Some(CallArgument::Word(word)) => FixedBytes(word.to_h256().0),
        other => panic!("expected a word as {name}, found {other:?}"),
    };
    let bytes = |name| match call.argument(name) {
        Some(CallArgument::Bytes(bytes)) => Bytes::from(bytes.to_vec()),
        other => panic!("expected bytes as {name}, found {other:?}"),
    };
    match call.signature() {
        "transfer(address,uint256)" => transferCall { to: address("to"), amount: uint("amount") }.abi_encode(),
        "transferFrom(address,address,uint256)" => {
            transferFromCall { from: address("from"), to: address("to"), amount: uint("amount_or_id") }.abi_encode()
        }
        "safeTransferFrom(address,address,uint256)" => {
            Nft::safeTransferFromCall { from: address("from"), to: address("to"), id: uint("id") }.abi_encode()
        }
        "safeTransferFrom(address,address,uint256,bytes)" => {
            let (from, to) = (address("from"), address("to"));
            NftWithData::safeTransferFromCall { from, to, id: uint("id"), data: bytes("data") }.abi_encode()
        }
        "safeTransferFrom(address,address,uint256,uint256,bytes)" => {
            let (from, to, id, amount) = (address("from"), address("to"), uint("id"), uint("amount"));
            Pieces::safeTransferFromCall { from, to, id, amount, data: bytes("data") }.abi_encode()
        }
        "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)" => {
            let (from, to, ids, amounts) = (address("from"), address("to"), uints("ids"), uints("amounts"));
            safeBatchTransferFromCall { from, to, ids, amounts, data: bytes("data") }.abi_encode()
        }
        "approve(address,uint256)" => {
            approveCall { spender: address("spender"), amount: uint("amount_or_id") }.abi_encode()
        }
        "increaseAllowance(address,uint256)" => {
            increaseAllowanceCall { spender: address("spender"), amount: uint("amount") }.abi_encode()
        }
        "decreaseAllowance(address,uint256)" => {
            decreaseAllowanceCall { spender: address("spender"), amount: uint("amount") }.abi_encode()
        }
        "setApprovalForAll(address,bool)" => {
            setApprovalForAllCall { operator: address("operator"), approved: flag("approved") }.abi_encode()
        }
        "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)" => permitCall {
            owner: address("owner"),
            spender: address("spender"),
            amount: uint("amount"),
            deadline: uint("deadline"),
            v: uint("v").to(),
            r: word("r"),
            s: word("s"),
        }
        .abi_encode(),
        "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)" => Dai::permitCall {
            holder: address("holder"),
            spender: address("spender"),
            nonce: uint("nonce"),
            expiry: uint("expiry"),
            allowed: flag("allowed"),
            v: uint("v").to(),
            r: word("r"),
            s: word("s"),
        }
        .abi_encode(),
        "approve(address,address,uint160,uint48)" => Permit2::approveCall {
            token: address("token"),
            spender: address("spender"),
            amount: uint("amount").to(),
            expiration: uint("expiration").to(),
        }
        .abi_encode(),
        "transferOwnership(address)" => transferOwnershipCall { owner: address("new_owner") }.abi_encode(),
        "renounceOwnership()" => renounceOwnershipCall {}.abi_encode(),
        "grantRole(bytes32,address)" => grantRoleCall { role: word("role"), account: address("account") }.abi_encode(),
        "changeAdmin(address)" => changeAdminCall { admin: address("new_admin") }.abi_encode(),
        "upgradeTo(address)" => upgradeToCall { implementation: address("implementation") }.abi_encode(),
        "upgradeToAndCall(address,bytes)" => {
            upgradeToAndCallCall { implementation: address("implementation"), data: bytes("data") }.abi_encode()
        }
        other => panic!("expected a call that alloy encodes, found {other}"),
    }
}

prop_compose! {
    fn arguments()(
        addresses in any::<[[u8; 20]; 2]>(),
        uints in any::<[[u8; 32]; 2]>(),
        small in any::<(u8, bool, u64)>(),
        data in prop::collection::vec(any::<u8>(), 0..100),
        lists in (prop::collection::vec(any::<[u8; 32]>(), 0..4), prop::collection::vec(any::<[u8; 32]>(), 0..4)),
        behind in prop_oneof![Just(vec![]), prop::collection::vec(any::<u8>(), 1..40)],
    ) -> (Vec<Vec<u8>>, Vec<u8>) {
        let [a, b] = addresses.map(Address::from);
        let [x, y] = uints.map(U256::from_be_bytes);
        let [r, s] = uints.map(FixedBytes);
        let ((v, flag, time), data) = (small, Bytes::from(data));
        let list = |list: &[[u8; 32]]| list.iter().copied().map(U256::from_be_bytes).collect::<Vec<U256>>();
        let (ids, amounts) = (list(&lists.0), list(&lists.1));
        (vec![
            transferCall { to: a, amount: x }.abi_encode(),
            transferFromCall { from: a, to: b, amount: x }.abi_encode(),
            Nft::safeTransferFromCall { from: a, to: b, id: x }.abi_encode(),
            NftWithData::safeTransferFromCall { from: a, to: b, id: x, data: data.clone() }.abi_encode(),
            Pieces::safeTransferFromCall { from: a, to: b, id: x, amount: y, data: data.clone() }.abi_encode(),
            safeBatchTransferFromCall { from: a, to: b, ids, amounts, data: data.clone() }.abi_encode(),
            approveCall { spender: a, amount: x }.abi_encode(),
            increaseAllowanceCall { spender: a, amount: x }.abi_encode(),
            decreaseAllowanceCall { spender: a, amount: x }.abi_encode(),
            setApprovalForAllCall { operator: a, approved: flag }.abi_encode(),
            permitCall { owner: a, spender: b, amount: x, deadline: y, v, r, s }.abi_encode(),
            Dai::permitCall { holder: a, spender: b, nonce: x, expiry: y, allowed: flag, v, r, s }.abi_encode(),
            Permit2::approveCall {
                token: a, spender: b, amount: (x >> 96_usize).to(), expiration: U256::from(time >> 16).to(),
            }.abi_encode(),
            transferOwnershipCall { owner: a }.abi_encode(),
            renounceOwnershipCall {}.abi_encode(),
            grantRoleCall { role: r, account: a }.abi_encode(),
            changeAdminCall { admin: a }.abi_encode(),
            upgradeToCall { implementation: a }.abi_encode(),
            upgradeToAndCallCall { implementation: a, data }.abi_encode(),
        ], behind)
    }
}

proptest! {
    #[test]
    fn every_encoded_call_is_decoded((calls, behind) in arguments()) {
        for data in calls {
            let whole = [&data[..], &behind].concat();
            let (call, rest) = ContractCall::decode(&whole).unwrap();
            prop_assert_eq!(rest, &behind[..]);
            prop_assert_eq!(by_alloy(&call), data);
        }
    }

    /// Each call has one encoding.
    #[test]
    fn a_mutant_is_another_call_or_an_error(
        (calls, behind) in arguments(), changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..3), cut in any::<Index>(),
    ) {
        for data in calls {
            let mut mutant = [&data[..], &behind].concat();
            for (at, byte) in &changes {
                let at = at.index(mutant.len());
                mutant[at] = *byte;
            }
            for mutant in [&mutant[..], &mutant[..cut.index(mutant.len())]] {
                if let Some((call, rest)) = ContractCall::decode(mutant) {
                    prop_assert_eq!([&by_alloy(&call)[..], rest].concat(), mutant);
                }
            }
        }
    }
}
