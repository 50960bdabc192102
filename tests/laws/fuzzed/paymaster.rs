//! Paymaster data and signatures.

use alloy_primitives::{Address, Bytes, U256, aliases::U48};
use alloy_sol_types::SolValue;
use sendoff::user_op::{PaymasterData, SignatureCall};
use sendoff::value::Word;

/// What ends a signature that ERC-6492 wraps.
const SUFFIX: [u8; 32] =
    alloy_primitives::hex!("6492649264926492649264926492649264926492649264926492649264926492");

/// The first byte chooses: paymaster data, or a signature that ERC-6492 may wrap.
pub(super) fn check(bytes: &[u8]) {
    match bytes.split_first() {
        Some((0..150, rest)) => data(rest),
        Some((150.., rest)) => wrapped(rest),
        None => {}
    }
}

/// What is decoded is exactly what an independent encoder writes of four values within their bounds.
fn data(bytes: &[u8]) {
    let by_alloy = <(Address, U48, U48, Bytes)>::abi_decode_params_validate(bytes)
        .ok()
        .filter(|data| data.3.len() == 65 && data.abi_encode_params() == bytes);
    let ours = PaymasterData::decode(bytes);
    assert_eq!(ours.is_ok(), by_alloy.is_some());
    if let (Ok(ours), Some((client, until, after, signature))) = (ours, by_alloy) {
        assert_eq!(ours.encode(), bytes);
        assert_eq!(Address::from(ours.client_swa.to_h160().0), client);
        assert_eq!(
            (U48::from(ours.valid_until.value()), U48::from(ours.valid_after.value())),
            (until, after)
        );
        assert_eq!(ours.signature.to_bytes(), signature[..]);
    }
}

/// A wrapped signature is read as an independent encoder writes it, and any other is passed on as it is.
fn wrapped(bytes: &[u8]) {
    let digest = Word::from([7; 32]);
    for signature in [bytes.to_vec(), [bytes, &SUFFIX].concat()] {
        let call = SignatureCall::new(digest, &signature, [1; 20].into());
        let Some(inner) = signature.strip_suffix(&SUFFIX) else {
            let expected =
                (U256::from_be_bytes([7; 32]), Bytes::from(signature)).abi_encode_params();
            assert_eq!(call.unwrap().data.as_slice()[4..], expected);
            continue;
        };
        let by_alloy = <(Address, Bytes, Bytes)>::abi_decode_params_validate(inner)
            .ok()
            .filter(|parts| parts.abi_encode_params() == inner);
        assert_eq!(call.is_ok(), by_alloy.is_some());
        if let (Ok(call), Some((factory, data, signature))) = (call, by_alloy) {
            let deploy = call.deploy.unwrap();
            assert_eq!(
                (Address::from(deploy.to.to_h160().0), deploy.data.to_vec()),
                (factory, data.to_vec())
            );
            let expected = (U256::from_be_bytes([7; 32]), signature).abi_encode_params();
            assert_eq!(call.data.as_slice()[4..], expected);
        }
    }
}
