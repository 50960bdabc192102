//! Laws of contract calls: the output of an independent encoder is decoded, and nothing else is.

use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::U256;
use laws::contract_calls::{SIGNATURES, by_alloy, encoded, types};
use laws::fuzzed::check;
use proptest::prelude::*;
use proptest::sample::Index;
use sendoff::intent::ContractCall;

/// A call of a known function, and the bytes behind it.
fn calls() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let call = prop::sample::select(SIGNATURES.to_vec()).prop_flat_map(|signature| {
        let arguments: Vec<_> = types(signature).iter().map(argument).collect();
        arguments.prop_map(move |arguments| encoded(signature, arguments))
    });
    (call, prop_oneof![Just(vec![]), prop::collection::vec(any::<u8>(), 1..40)])
}

fn argument(kind: &DynSolType) -> BoxedStrategy<DynSolValue> {
    let word = any::<[u8; 32]>();
    match *kind {
        DynSolType::Address => {
            any::<[u8; 20]>().prop_map(|bytes| DynSolValue::Address(bytes.into())).boxed()
        }
        DynSolType::Bool => any::<bool>().prop_map(DynSolValue::Bool).boxed(),
        DynSolType::Uint(bits) => word
            .prop_map(move |word| {
                DynSolValue::Uint(U256::from_be_bytes(word) >> (256 - bits), bits)
            })
            .boxed(),
        DynSolType::FixedBytes(32) => {
            word.prop_map(|word| DynSolValue::FixedBytes(word.into(), 32)).boxed()
        }
        DynSolType::Bytes => {
            prop::collection::vec(any::<u8>(), 0..100).prop_map(DynSolValue::Bytes).boxed()
        }
        DynSolType::Array(ref item) => {
            prop::collection::vec(argument(item), 0..4).prop_map(DynSolValue::Array).boxed()
        }
        ref other => panic!("no argument has the type {other}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn every_encoded_call_is_decoded((call, behind) in calls()) {
        let whole = [&call[..], &behind].concat();
        let (decoded, rest) = ContractCall::recognize(&whole).unwrap();
        prop_assert_eq!(rest, &behind[..]);
        prop_assert_eq!(by_alloy(&decoded), call);
    }

    /// Each call has one encoding.
    #[test]
    fn a_mutant_is_another_call_or_an_error(
        (call, behind) in calls(), changes in prop::collection::vec(any::<(Index, u8)>(), 1..3), cut in any::<Index>(),
    ) {
        let mut mutant = [call, behind].concat();
        for (at, byte) in changes {
            let at = at.index(mutant.len());
            mutant[at] = byte;
        }
        for mutant in [&mutant[..], &mutant[..cut.index(mutant.len())]] {
            check("contract_call")(mutant);
        }
    }
}
