//! Text values keep their spelling, and nothing makes a reader panic.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use sendoff::json;
use sendoff::value::{
    Address, Amount, ChainId, FeeAmount, FeePayerAddress, HexBytes, JobId, NftId, NftType, Nonce,
    Quantity, Quantity128, Signature, TokenAddress, Word,
};
use serde_json::Value;

/// `parse(s)?.to_string() == s`, in serde as well.
fn keeps_spelling<
    T: FromStr + Display + Debug + PartialEq + serde::Serialize + serde::de::DeserializeOwned,
>(
    text: &str,
) {
    let Ok(value) = text.parse::<T>() else { return };
    assert_eq!(value.to_string(), text);
    assert_eq!(serde_json::to_value(&value).unwrap(), Value::from(text));
    assert_eq!(serde_json::from_value::<T>(text.into()).unwrap(), value);
}

/// Letter case does not change what hex and UUIDs mean.
fn ignores_case<T: FromStr + Debug + PartialEq>(text: &str) {
    if let (Ok(value), Ok(lower)) = (text.parse::<T>(), text.to_lowercase().parse::<T>()) {
        assert_eq!(value, lower);
    }
}

/// `parse(s)?.to_string() == s` for every kind of value, and letter case means nothing where it should not.
pub fn every_kind_keeps_spelling(text: &str) {
    keeps_spelling::<Quantity>(text);
    keeps_spelling::<Quantity128>(text);
    keeps_spelling::<Nonce>(text);
    keeps_spelling::<HexBytes>(text);
    keeps_spelling::<Word>(text);
    keeps_spelling::<Signature>(text);
    keeps_spelling::<Address>(text);
    keeps_spelling::<TokenAddress>(text);
    keeps_spelling::<FeePayerAddress>(text);
    keeps_spelling::<ChainId>(text);
    keeps_spelling::<JobId>(text);
    keeps_spelling::<NftId>(text);
    keeps_spelling::<NftType>(text);
    keeps_spelling::<Amount>(text);
    keeps_spelling::<FeeAmount>(text);
    ignores_case::<Quantity>(text);
    ignores_case::<Nonce>(text);
    ignores_case::<HexBytes>(text);
    ignores_case::<Address>(text);
    ignores_case::<JobId>(text);
    ignores_case::<NftId>(text);
}

/// Every function that takes documents or text, given the same for each argument.
pub fn call_everything(text: &str) {
    for kind in
        ["quantity", "hexBytes", "word", "address", "chainId", "jobId", "nftId", "amount", text]
    {
        let _ = json::read_text(kind, text);
    }
    for kind in [
        "EstimateRequest",
        "Facts",
        "Deployment",
        "Call",
        "UserOp",
        "PaymasterGrant",
        "Policy",
        "Window",
        text,
    ] {
        let _ = json::check_document(kind, text);
    }
    for function in json::FUNCTIONS {
        let _ = json::call(function.name, &vec![Some(text); function.arguments.len()]);
    }
    for function in json::signature::FUNCTIONS {
        let _ = json::signature::call(function.name, &vec![Some(text); function.arguments.len()]);
    }
}
