//! Text values keep their spelling, and nothing makes a reader panic.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use sendoff::http::{PathParam, TraceId};
use sendoff::json;
use sendoff::value::{
    Address, Amount, ChainId, FeeAmount, FeePayerAddress, HexBytes, JobId, NftId, NftType, Nonce,
    Quantity, Quantity128, Signature, TokenAddress, Word,
};
use serde_json::Value;

use crate::fuzzed::answered;

/// Whether a text is read.
pub type Read = fn(&str) -> bool;

/// Types by their names, each with a reader of it.
#[macro_export]
macro_rules! readers {
    ($read:ident: $($name:ident)*) => {
        &[$((stringify!($name), $read::<$name>)),*]
    };
}

/// Every kind of text by the name of its schema, and whether a text is read as one. What is read keeps its spelling.
pub const TEXTS: &[(&str, Read)] = readers!(keeps_spelling:
    Address Amount ChainId FeeAmount FeePayerAddress HexBytes JobId NftId NftType Nonce PathParam
    Quantity Quantity128 Signature TokenAddress TraceId Word
);

/// The kinds whose letter case has no meaning.
const CASELESS: &[(&str, Read)] =
    readers!(ignores_case: Quantity Nonce HexBytes Address JobId NftId);

/// `parse(s)?.to_string() == s`, in serde as well.
fn keeps_spelling<T>(text: &str) -> bool
where
    T: FromStr + Display + Debug + PartialEq + serde::Serialize + serde::de::DeserializeOwned,
{
    let Ok(value) = text.parse::<T>() else { return false };
    assert_eq!(value.to_string(), text);
    assert_eq!(serde_json::to_value(&value).unwrap(), Value::from(text));
    assert_eq!(serde_json::from_value::<T>(text.into()).unwrap(), value);
    true
}

fn ignores_case<T: FromStr + Debug + PartialEq>(text: &str) -> bool {
    let (Ok(value), Ok(lower)) = (text.parse::<T>(), text.to_lowercase().parse::<T>()) else {
        return false;
    };
    assert_eq!(value, lower);
    true
}

/// `parse(s)?.to_string() == s` for every kind of value, and letter case means nothing where it should not.
pub fn every_kind_keeps_spelling(text: &str) {
    for (_, read) in TEXTS.iter().chain(CASELESS) {
        read(text);
    }
}

/// Every function that takes documents or text, given the same for each argument. Problems are issues, each with its path.
pub fn call_everything(text: &str) {
    let kinds = "quantity hexBytes word address chainId jobId nftId amount";
    for kind in kinds.split(' ').chain([text]) {
        let _ = json::read_text(kind, text);
    }
    let kinds =
        "EstimateRequest Facts Deployment Call UserOp PaymasterGrant Policy Window Names Catalogue";
    for kind in kinds.split(' ').chain([text]) {
        let _ = json::check_document(kind, text);
    }
    for function in json::FUNCTIONS {
        answered(json::call(function.name, &vec![Some(text); function.arguments.len()]));
    }
    for function in json::signature::FUNCTIONS {
        answered(json::signature::call(function.name, &vec![Some(text); function.arguments.len()]));
    }
}
