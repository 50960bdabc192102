//! Laws of packing and hashing: an independent implementation returns the same.

use alloy_primitives::{B256, Bytes};
use laws::{
    IEntryPoint, PackedUserOperation, address, hash_by_alloy, hex_bytes, packed, signed, user_op,
};
use proptest::prelude::*;
use sendoff::alloy::{PackedFields, SignedFields};
use sendoff::json;
use sendoff::user_op::{EntryPoint, PackedUserOp, UserOp, pack, signing_digest, user_op_hash};
use serde_json::json;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn packing_and_hash_equal_those_of_alloy(
        op in user_op(), entry_point in address(), chain in 1..1_u64 << 53, signature in hex_bytes(65),
        version in prop::sample::select(vec!["0.7", "0.8", "0.9"]),
        order in prop::sample::select(vec!["standard", "maxFirst"]),
    ) {
        let op: UserOp = op.to_string().parse().unwrap();
        let options = json!({ "entryPoint": entry_point, "chainId": chain, "version": version, "gasFeeOrder": order });
        let at: EntryPoint = options.to_string().parse().unwrap();
        let signature: Bytes = signature.parse().unwrap();
        let expected = packed(&op, at.gas_fee_order);
        let expected_signed = signed(&op, at.gas_fee_order, signature.clone());

        let packed = pack(&op, at.gas_fee_order);
        let fields = PackedFields::from(packed.clone());
        prop_assert_eq!(PackedUserOperation::from(fields.clone()), expected.clone());
        prop_assert_eq!(&PackedUserOp::from(fields), &packed);
        let of_signed = SignedFields::from(packed.clone().signed(signature));
        prop_assert_eq!(IEntryPoint::PackedUserOperation::from(of_signed.clone()), expected_signed);
        prop_assert_eq!(PackedUserOp::from(of_signed), packed);

        let hash = user_op_hash(&op, &at).unwrap();
        prop_assert_eq!(B256::from(hash), hash_by_alloy(&expected, &at));
        let message = alloy_primitives::eip191_hash_message(B256::from(hash));
        prop_assert_eq!(B256::from(signing_digest(hash)), message);
    }

    /// EntryPoint 0.9 does not hash a paymaster's signature: the hash is the same for every signature, and equals that of the data
    /// with only the magic number.
    #[test]
    fn a_paymaster_signature_is_not_hashed(
        op in user_op(), data in "([0-9a-f]{2}){0,40}",
        signatures in prop::array::uniform2("([0-9a-f]{2}){1,70}"),
    ) {
        const MAGIC: &str = "22e325a297439656";
        let mut op = op;
        op["paymaster"] = "0x1111111111111111111111111111111111111111".into();
        op["paymasterVerificationGasLimit"] = "0x1".into();
        op["paymasterPostOpGasLimit"] = "0x1".into();
        let options = |version| {
            json!({ "entryPoint": "0x2177ec9c8c8874c4addb012423732ce89f3c28bc", "chainId": 1, "version": version }).to_string()
        };
        let mut hash = |data: String, version| {
            op["paymasterData"] = data.into();
            json::user_op_hash(&op.to_string(), &options(version)).unwrap()
        };
        let [first, second] = signatures.map(|signature| {
            hash(format!("0x{data}{signature}{:04x}{MAGIC}", signature.len() / 2), "0.9")
        });
        prop_assert_eq!(&first, &second);
        prop_assert_eq!(first, hash(format!("0x{data}{MAGIC}"), "0.8"));
        // A length of zero is data: no signature is in front of it.
        let empty = format!("0x{data}0000{MAGIC}");
        prop_assert_eq!(hash(empty.clone(), "0.9"), hash(empty, "0.8"));
    }
}
