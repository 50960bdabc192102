//! Laws of contract calls: the output of an independent encoder is decoded, and nothing else is.

use alloy_primitives::{Address, Bytes, FixedBytes, U256};
use alloy_sol_types::SolCall;
use laws::contract_calls::*;
use proptest::prelude::*;
use proptest::sample::Index;
use sendoff::intent::ContractCall;

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
            let (call, rest) = ContractCall::recognize(&whole).unwrap();
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
                if let Some((call, rest)) = ContractCall::recognize(mutant) {
                    prop_assert_eq!([&by_alloy(&call)[..], rest].concat(), mutant);
                }
            }
        }
    }
}
