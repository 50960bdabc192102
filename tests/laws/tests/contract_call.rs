//! Laws of contract calls: the output of an independent encoder is decoded, and nothing else is.

use alloy_dyn_abi::{DynSolType, DynSolValue};
use laws::contract_calls::{SIGNATURES, by_alloy, encoded, types};
use laws::fuzzed::check;
use proptest::prelude::*;
use proptest::sample::Index;
use sendoff::intent::ContractCall;

/// A call of a known function, and the bytes behind it.
fn calls() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let call = prop::sample::select(SIGNATURES.to_vec()).prop_flat_map(|signature| {
        let arguments: Vec<_> = types(signature).iter().map(DynSolType::value_strategy).collect();
        (arguments, any::<bool>()).prop_map(move |(mut arguments, has_items)| {
            for argument in &mut arguments {
                if let DynSolValue::Array(items) = argument {
                    // alloy's own lists have an item at least.
                    items.truncate(if has_items { 3 } else { 0 });
                }
            }
            encoded(signature, arguments)
        })
    });
    (call, prop_oneof![Just(vec![]), prop::collection::vec(any::<u8>(), 1..40)])
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
