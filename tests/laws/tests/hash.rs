//! Laws of packing and hashing: an independent implementation returns the same.

use alloy_primitives::{B256, Bytes};
use laws::{
    IEntryPoint, PackedUserOperation, address, hash_by_alloy, hex_bytes, packed, signed, user_op,
};
use proptest::prelude::*;
use sendoff::alloy::{PackedFields, SignedFields};
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

        let hash = user_op_hash(&op, &at);
        prop_assert_eq!(hash.as_ref().ok().copied().map(B256::from), hash_by_alloy(expected, &at));
        let Ok(hash) = hash else { return Ok(()) };
        let message = alloy_primitives::eip191_hash_message(B256::from(hash));
        prop_assert_eq!(B256::from(signing_digest(hash)), message);
    }
}
