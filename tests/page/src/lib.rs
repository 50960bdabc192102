//! A page in Rust: `sendoff-web` with all its functions, and one of its own, which reads a document
//! of any kind and returns it.

#![cfg(target_arch = "wasm32")]

use sendoff_web::sendoff::estimate::{EstimateReply, EstimateRequest, Facts};
use sendoff_web::sendoff::user_op::{Call, EntryPoint, PaymasterData, PaymasterGrant, UserOp};
use sendoff_web::{Answer, JsValue, read, write};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::prelude::wasm_bindgen;

// #region echo
/// A value of JavaScript becomes a document of the core, which is typed, and a document becomes a value.
fn through<T: DeserializeOwned + Serialize>(value: JsValue) -> Answer {
    write(&read::<T>(value)?)
}
// #endregion echo

/// Reads a document of this kind, and returns it.
#[wasm_bindgen]
pub fn echo(kind: &str, document: JsValue) -> Answer {
    match kind {
        "Call" => through::<Call>(document),
        "EntryPoint" => through::<EntryPoint>(document),
        "EstimateReply" => through::<EstimateReply>(document),
        "EstimateRequest" => through::<EstimateRequest>(document),
        "Facts" => through::<Facts>(document),
        "PaymasterData" => through::<PaymasterData>(document),
        "PaymasterGrant" => through::<PaymasterGrant>(document),
        "UserOp" => through::<UserOp>(document),
        other => Err(format!("expected a document's name, found `{other}`").into()),
    }
}
