//! Laws of call data: encoding and decoding are inverse, and an independent encoder writes the same
//! bytes.

use laws::{encoded::by_alloy, from_schema::fields_beside, fuzzed::check, intent};
use proptest::prelude::*;
use sendoff::user_op::Call;
use serde_json::Value;

fn call() -> impl Strategy<Value = Value> {
    (fields_beside("Call", &["intent"]), intent()).prop_map(|(mut call, intent)| {
        call.insert("intent".into(), intent);
        call.into()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn an_independent_encoder_writes_the_same_bytes(call in call()) {
        let call: Call = call.to_string().parse().unwrap();
        let bytes = call.encode();
        prop_assert_eq!(&bytes, &by_alloy(&call));
        prop_assert_eq!(Call::decode(&bytes), Ok(call));
    }

    /// Only the encoder's output decodes: a changed byte results in another call or in an error.
    #[test]
    fn encode_undoes_decode(
        call in call(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 60),
    ) {
        let call: Call = call.to_string().parse().unwrap();
        let bytes = call.encode();
        for (at, change) in changes {
            let mut changed = bytes.clone();
            changed[at.index(bytes.len())] ^= change;
            check("call_data")(&changed);
        }
    }

    /// A part of an encoding, or an encoding with more bytes, does not decode.
    #[test]
    fn length_is_exact(call in call(), cut in any::<prop::sample::Index>(), more in prop::collection::vec(any::<u8>(), 1..70)) {
        let call: Call = call.to_string().parse().unwrap();
        let bytes = call.encode();
        prop_assert!(Call::decode(&bytes[..cut.index(bytes.len())]).is_err());
        prop_assert!(Call::decode(&[&bytes[..], &more].concat()).is_err());
    }

    #[test]
    fn decoders_are_total(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(Call::decode(&bytes).is_err());
        let _ = sendoff::user_op::PaymasterData::decode(&bytes);
    }
}
