//! Calls of contracts by an independent encoder, alloy's.

use alloy_primitives::{Address, Bytes, FixedBytes, U256};
use alloy_sol_types::{SolCall, sol};
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

/// The same call by alloy's encoder: each function by its signature, each argument by its name.
#[must_use]
pub fn by_alloy(call: &ContractCall) -> Vec<u8> {
    let uint_of =
        |value: &sendoff::primitive_types::U256| U256::from_be_bytes(value.to_big_endian());
    macro_rules! argument {
        ($variant:ident($value:ident) => $read:expr) => {
            |name| match call.argument(name) {
                Some(CallArgument::$variant($value)) => $read,
                other => panic!("expected {} as {name}, found {other:?}", stringify!($variant)),
            }
        };
    }
    let address = argument!(Address(address) => Address::from(address.to_h160().0));
    let uint = argument!(Uint(value) => uint_of(value));
    let uints = argument!(Uints(values) => values.iter().map(uint_of).collect::<Vec<_>>());
    let flag = argument!(Bool(flag) => *flag);
    let word = argument!(Word(word) => FixedBytes(word.to_h256().0));
    let bytes = argument!(Bytes(bytes) => Bytes::from(bytes.to_vec()));
    match call.signature() {
        "transfer(address,uint256)" => {
            transferCall { to: address("to"), amount: uint("amount") }.abi_encode()
        }
        "transferFrom(address,address,uint256)" => {
            transferFromCall { from: address("from"), to: address("to"), amount: uint("value") }
                .abi_encode()
        }
        "safeTransferFrom(address,address,uint256)" => {
            Nft::safeTransferFromCall { from: address("from"), to: address("to"), id: uint("id") }
                .abi_encode()
        }
        "safeTransferFrom(address,address,uint256,bytes)" => {
            let (from, to) = (address("from"), address("to"));
            NftWithData::safeTransferFromCall { from, to, id: uint("id"), data: bytes("data") }
                .abi_encode()
        }
        "safeTransferFrom(address,address,uint256,uint256,bytes)" => {
            let (from, to, id, amount) =
                (address("from"), address("to"), uint("id"), uint("amount"));
            Pieces::safeTransferFromCall { from, to, id, amount, data: bytes("data") }.abi_encode()
        }
        "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)" => {
            let (from, to, ids, amounts) =
                (address("from"), address("to"), uints("ids"), uints("amounts"));
            safeBatchTransferFromCall { from, to, ids, amounts, data: bytes("data") }.abi_encode()
        }
        "approve(address,uint256)" => {
            approveCall { spender: address("spender"), amount: uint("value") }.abi_encode()
        }
        "increaseAllowance(address,uint256)" => {
            increaseAllowanceCall { spender: address("spender"), amount: uint("amount") }
                .abi_encode()
        }
        "decreaseAllowance(address,uint256)" => {
            decreaseAllowanceCall { spender: address("spender"), amount: uint("amount") }
                .abi_encode()
        }
        "setApprovalForAll(address,bool)" => {
            setApprovalForAllCall { operator: address("operator"), approved: flag("approved") }
                .abi_encode()
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
        "transferOwnership(address)" => {
            transferOwnershipCall { owner: address("new_owner") }.abi_encode()
        }
        "renounceOwnership()" => renounceOwnershipCall {}.abi_encode(),
        "grantRole(bytes32,address)" => {
            grantRoleCall { role: word("role"), account: address("account") }.abi_encode()
        }
        "changeAdmin(address)" => changeAdminCall { admin: address("new_admin") }.abi_encode(),
        "upgradeTo(address)" => {
            upgradeToCall { implementation: address("implementation") }.abi_encode()
        }
        "upgradeToAndCall(address,bytes)" => {
            upgradeToAndCallCall { implementation: address("implementation"), data: bytes("data") }
                .abi_encode()
        }
        other => panic!("expected a call that alloy encodes, found {other}"),
    }
}
