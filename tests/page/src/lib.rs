//! A page in Rust: it reads JavaScript values as types of the core, and returns types as JavaScript values.
//!
//! It uses `Serializer::new` of serde-wasm-bindgen, except for the maps of `estimate`.

#![cfg(target_arch = "wasm32")]

use sendoff::error::Error;
use sendoff::estimate::{self, Deployment, Estimate, EstimateReply, EstimateRequest, Facts, respond};
use sendoff::intent::Names;
use sendoff::user_op::{self, Call, EntryPoint, GasFeeOrder, PaymasterData, PaymasterGrant, UserOp};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_wasm_bindgen::{Serializer, from_value};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

type Answer = Result<JsValue, JsValue>;

fn give(value: &impl Serialize) -> Answer {
    Ok(value.serialize(&Serializer::new())?)
}

/// An error of the core is a value too: `{issues}`.
fn issues(error: Error) -> JsValue {
    give(&error).unwrap_or_else(|error| error)
}

/// Reads a document as a type, and returns it.
#[wasm_bindgen]
pub fn echo(kind: &str, document: JsValue) -> Answer {
    fn through<T: DeserializeOwned + Serialize>(document: JsValue) -> Answer {
        give(&from_value::<T>(document)?)
    }
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

// #region reply
/// A reply has one map, its fees by chain. It is a `Map`, or an object if the page asks for it.
#[wasm_bindgen]
pub fn estimate(request: JsValue, facts: JsValue, maps_are_objects: Option<bool>) -> Answer {
    let (request, facts): (EstimateRequest, Facts) = (from_value(request)?, from_value(facts)?);
    let reply = respond(Estimate::new(request, facts).map_err(issues)?);
    let serializer = Serializer::new().serialize_maps_as_objects(maps_are_objects.unwrap_or_default());
    Ok(reply.serialize(&serializer)?)
}
// #endregion reply

/// Compares a reply with its request.
#[wasm_bindgen(js_name = verifyEstimate)]
pub fn verify_estimate(request: JsValue, reply: JsValue) -> Answer {
    let (request, reply): (EstimateRequest, EstimateReply) = (from_value(request)?, from_value(reply)?);
    give(&estimate::verify(&request, &reply))
}

/// Verifies a reply, and returns the hash and the digest to sign.
#[wasm_bindgen]
pub fn signable(request: JsValue, reply: JsValue, deployment: JsValue, names: JsValue) -> Answer {
    let (request, reply): (EstimateRequest, EstimateReply) = (from_value(request)?, from_value(reply)?);
    let (deployment, names): (Deployment, Option<Names>) = (from_value(deployment)?, from_value(names)?);
    give(&estimate::signable(&request, &reply, &deployment, &names.unwrap_or_default()).map_err(issues)?)
}

/// A type of the page that contains a value of the core.
#[derive(Deserialize)]
struct Packing {
    #[serde(rename = "gasFeeOrder")]
    gas_fee_order: Option<GasFeeOrder>,
}

/// The packed form of an operation.
#[wasm_bindgen(js_name = packUserOp)]
pub fn pack_user_op(op: JsValue, options: JsValue) -> Answer {
    let (op, Packing { gas_fee_order }): (UserOp, _) = (from_value(op)?, from_value(options)?);
    give(&user_op::pack(&op, gas_fee_order.unwrap_or_default()))
}
