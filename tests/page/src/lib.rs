//! A page in Rust: `sendoff-web` with all its functions, and one of its own, which reads a document
//! of any kind and returns it.

#![cfg(target_arch = "wasm32")]

use sendoff_web::sendoff::estimate::{Deployment, EstimateReply, EstimateRequest, Facts, signable};
use sendoff_web::sendoff::intent::Names;
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

// #region judged
/// Compares a reply with its request, and returns the digest that the wallet signs.
#[wasm_bindgen]
pub fn judged(request: JsValue, reply: &str, deployment: &str) -> Result<String, JsValue> {
    let request = read::<EstimateRequest>(request)?;
    let judge = |deployment: Deployment| signable(&request, reply, &deployment, &Names::default());
    let judged = deployment.parse().and_then(judge);
    judged.map(|signable| signable.digest().to_string()).map_err(|error| error.to_string().into())
}
// #endregion judged

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
