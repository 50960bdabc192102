//! What a page in Rust does with the core: it takes the values of its JavaScript as types, and gives types back.
//!
//! All goes through the serializer of serde-wasm-bindgen as `Serializer::new` makes it, but for what [`estimate()`] says of maps.

use sendoff::error::Error;
use sendoff::estimate::{self, Deployment, Estimate, EstimateReply, EstimateRequest, Facts, respond};
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

/// Reads a document as a type, and gives the type back.
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
/// A reply has one map, its fees by chain. It is a `Map`, or an object where the page asks for one.
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

/// What may be signed of a reply.
#[wasm_bindgen]
pub fn signable(request: JsValue, reply: JsValue, deployment: JsValue) -> Answer {
    let (request, reply): (EstimateRequest, EstimateReply) = (from_value(request)?, from_value(reply)?);
    let deployment: Deployment = from_value(deployment)?;
    give(&estimate::signable(&request, &reply, &deployment).map_err(issues)?)
}

/// A type of the page's own with a value of the core in it.
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
