//! Laws of the conversions from and to alloy: a conversion there and back returns the same value,
//! and alloy reads it equally.

use alloy_primitives::{self as alloy, B256, Bytes, U256};
use k256::ecdsa::SigningKey;
use laws::{address, amount, hex_bytes, quantity, uuid};
use proptest::prelude::*;
use sendoff::error::{Error, IssueCode};
use sendoff::user_op::check_signature;
use sendoff::value::{
    Address, Amount, FeeAmount, HexBytes, NftId, Nonce, Quantity, Quantity128, Signature, Word,
};

/// Converts with `Into`, because ruint's own function `from` accepts only its own numbers.
fn number(value: impl Into<U256>) -> U256 {
    value.into()
}

fn codes<T: std::fmt::Debug>(refused: Result<T, Error>) -> Vec<IssueCode> {
    refused.unwrap_err().issues().iter().map(|issue| issue.code).collect()
}

proptest! {
    #[test]
    fn bytes_are_converted_back(address in address(), word in "0x[0-9a-fA-F]{64}", bytes in hex_bytes(40)) {
        let value: Address = address.parse().unwrap();
        let theirs: alloy::Address = address.parse().unwrap();
        prop_assert_eq!(alloy::Address::from(value), theirs);
        prop_assert_eq!(Address::from(theirs), value);
        prop_assert_eq!(Address::from(theirs).to_string(), address.to_lowercase());

        let value: Word = word.parse().unwrap();
        let theirs: B256 = word.parse().unwrap();
        prop_assert_eq!((B256::from(value), number(value)), (theirs, theirs.into()));
        prop_assert_eq!((Word::from(theirs), Word::from(number(value))), (value, value));

        let value: HexBytes = bytes.parse().unwrap();
        let theirs: Bytes = bytes.parse().unwrap();
        prop_assert_eq!(Bytes::from(value.clone()), theirs.clone());
        prop_assert_eq!(HexBytes::from(theirs), value);
    }

    #[test]
    fn numbers_are_converted_back(quantity in quantity(256), small in quantity(128), decimal in amount(), uuid in uuid()) {
        let theirs = |hex: &str| U256::from_str_radix(&hex[2..], 16).unwrap();
        let value: Quantity = quantity.parse().unwrap();
        prop_assert_eq!(number(value), theirs(&quantity));
        prop_assert_eq!(Quantity::from(theirs(&quantity)).to_string(), quantity.to_lowercase());
        prop_assert_eq!(number(Nonce::from(value)), theirs(&quantity));
        prop_assert_eq!(Nonce::from(theirs(&quantity)).to_string(), quantity.to_lowercase());

        let value: Quantity128 = small.parse().unwrap();
        prop_assert_eq!(number(value), theirs(&small));
        prop_assert_eq!(Quantity128::try_from(theirs(&small)).unwrap(), value);

        let expected: U256 = decimal.parse().unwrap();
        prop_assert_eq!(number(decimal.parse::<Amount>().unwrap()), expected);
        prop_assert_eq!(Amount::try_from(expected).unwrap().to_string(), decimal.clone());
        prop_assert_eq!(number(decimal.parse::<FeeAmount>().unwrap()), expected);
        prop_assert_eq!(FeeAmount::from(expected).to_string(), decimal.clone());
        prop_assert_eq!(U256::try_from(decimal.parse::<NftId>().unwrap()).unwrap(), expected);
        prop_assert_eq!(NftId::from(expected).to_string(), decimal);
        prop_assert_eq!(codes(U256::try_from(uuid.parse::<NftId>().unwrap())), [IssueCode::Format]);
    }

    #[test]
    fn signatures_are_converted_back(key in 1_u64.., digest in any::<[u8; 32]>()) {
        let signer = SigningKey::from_slice(&U256::from(key).to_be_bytes::<32>()).unwrap();
        let (signature, recovery) = signer.sign_prehash_recoverable(&digest);
        let theirs = alloy::Signature::from_bytes_and_parity(&signature.to_bytes(), recovery.is_y_odd());
        let point = signer.verifying_key().to_sec1_point(false);
        let owner = alloy::Address::from_raw_public_key(&point.as_bytes()[1..]);
        let value = Signature::from(theirs);
        prop_assert_eq!(alloy::Signature::try_from(value).unwrap(), theirs);
        prop_assert_eq!(HexBytes::from(theirs), HexBytes::from(value));
        prop_assert_eq!(check_signature(digest.into(), value.as_ref(), &owner.into()), Ok(()));
    }
}

#[test]
fn values_without_a_counterpart_are_refused() {
    assert_eq!(codes(Quantity128::try_from(U256::from(1) << 128)), [IssueCode::Range]);
    assert_eq!(codes(Amount::try_from(U256::ZERO)), [IssueCode::Range]);
    for v in [0, 1, 26, 29, 255] {
        let mut signature = [1; 65];
        signature[64] = v;
        let refused = alloy::Signature::try_from(Signature::from(signature));
        assert_eq!(codes(refused), [IssueCode::Format], "{v}");
    }
    assert_eq!(Word::from(U256::from(1)), B256::with_last_byte(1).into());
}
