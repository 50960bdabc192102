//! Calls of contracts by an independent encoder, alloy's.

use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{U256, keccak256};
use sendoff::intent::{CallArgument, ContractCall};

/// The functions of contracts that the core knows.
pub const SIGNATURES: [&str; 19] = [
    "transfer(address,uint256)",
    "transferFrom(address,address,uint256)",
    "safeTransferFrom(address,address,uint256)",
    "safeTransferFrom(address,address,uint256,bytes)",
    "safeTransferFrom(address,address,uint256,uint256,bytes)",
    "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)",
    "approve(address,uint256)",
    "increaseAllowance(address,uint256)",
    "decreaseAllowance(address,uint256)",
    "setApprovalForAll(address,bool)",
    "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
    "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
    "approve(address,address,uint160,uint48)",
    "transferOwnership(address)",
    "renounceOwnership()",
    "grantRole(bytes32,address)",
    "changeAdmin(address)",
    "upgradeTo(address)",
    "upgradeToAndCall(address,bytes)",
];

/// The types of a function's arguments.
#[must_use]
pub fn types(signature: &str) -> Vec<DynSolType> {
    match signature[signature.find('(').unwrap()..].parse().unwrap() {
        DynSolType::Tuple(types) => types,
        other => panic!("expected types of arguments, found {other}"),
    }
}

/// A call of the function with a signature.
#[must_use]
pub fn encoded(signature: &str, arguments: Vec<DynSolValue>) -> Vec<u8> {
    let arguments = DynSolValue::Tuple(arguments).abi_encode_params();
    [&keccak256(signature)[..4], &arguments].concat()
}

/// The same call by alloy's encoder.
#[must_use]
pub fn by_alloy(call: &ContractCall) -> Vec<u8> {
    let types = types(call.signature()).into_iter();
    let arguments =
        types.zip(call.arguments()).map(|(kind, (_, argument))| by_type(&kind, argument));
    encoded(call.signature(), arguments.collect())
}

fn by_type(kind: &DynSolType, argument: &CallArgument) -> DynSolValue {
    let uint = |value: &sendoff::primitive_types::U256, bits| {
        DynSolValue::Uint(U256::from_be_bytes(value.to_big_endian()), bits)
    };
    match (kind, argument) {
        (DynSolType::Address, CallArgument::Address(address)) => {
            DynSolValue::Address(address.to_h160().0.into())
        }
        (DynSolType::Bool, CallArgument::Bool(flag)) => DynSolValue::Bool(*flag),
        (DynSolType::Uint(bits), CallArgument::Uint(value)) => uint(value, *bits),
        (DynSolType::Array(_), CallArgument::Uints(values)) => {
            DynSolValue::Array(values.iter().map(|value| uint(value, 256)).collect())
        }
        (DynSolType::FixedBytes(32), CallArgument::Word(word)) => {
            DynSolValue::FixedBytes(word.to_h256().0.into(), 32)
        }
        (DynSolType::Bytes, CallArgument::Bytes(bytes)) => DynSolValue::Bytes(bytes.to_vec()),
        (kind, argument) => panic!("expected an argument of type {kind}, found {argument:?}"),
    }
}
