//! The functions that JavaScript calls, a feature for each group.

#[cfg(any(feature = "sign", feature = "estimate"))]
use sendoff::estimate::EstimateRequest;
#[cfg(feature = "estimate")]
use sendoff::estimate::{Estimate, Facts, respond};
#[cfg(feature = "pack")]
use sendoff::user_op::{self, GasFeeOrder, UserOp};
#[cfg(feature = "sign")]
use sendoff::{
    estimate::{self, Deployment, EstimateReply},
    intent::Names,
};
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(any(feature = "sign", feature = "estimate"))]
use crate::issues;
use crate::{Answer, JsValue, read, write};

/// Verifies a reply, and returns the digest to sign and the operation to send ([`estimate::signable`]).
///
/// # Errors
///
/// `{issues}` with every problem of a reply that is not to be signed; an `Error` if an argument is no such document.
#[cfg(feature = "sign")]
#[wasm_bindgen]
pub fn signable(request: JsValue, reply: JsValue, deployment: JsValue, names: JsValue) -> Answer {
    let (request, reply): (EstimateRequest, EstimateReply) = (read(request)?, read(reply)?);
    let (deployment, names): (Deployment, Option<Names>) = (read(deployment)?, read(names)?);

    let signable = estimate::signable(&request, &reply, &deployment, &names.unwrap_or_default());
    write(&signable.map_err(|error| issues(&error))?)
}

/// Compares a reply with its request ([`estimate::verify`]).
///
/// # Errors
///
/// An `Error` if an argument is no such document.
#[cfg(feature = "sign")]
#[wasm_bindgen(js_name = verifyEstimate)]
pub fn verify_estimate(request: JsValue, reply: JsValue) -> Answer {
    let (request, reply): (EstimateRequest, EstimateReply) = (read(request)?, read(reply)?);

    write(&estimate::verify(&request, &reply))
}

// #region estimate
/// Returns the reply to a request, from the request and the host's facts ([`respond`]).
///
/// # Errors
///
/// `{issues}` with every rule that the two break; an `Error` if an argument is no such document.
#[cfg(feature = "estimate")]
#[wasm_bindgen]
pub fn estimate(request: JsValue, facts: JsValue) -> Answer {
    let (request, facts): (EstimateRequest, Facts) = (read(request)?, read(facts)?);

    write(&respond(Estimate::new(request, facts).map_err(|error| issues(&error))?))
}
// #endregion estimate

/// How an operation is packed. Without an order, the fees are in the standard's.
#[cfg(feature = "pack")]
#[derive(serde::Deserialize)]
struct Packing {
    #[serde(rename = "gasFeeOrder")]
    gas_fee_order: Option<GasFeeOrder>,
}

/// Returns the packed form of an operation ([`user_op::pack`]). The options are `{gasFeeOrder?}`.
///
/// # Errors
///
/// An `Error` if an argument is no such document.
#[cfg(feature = "pack")]
#[wasm_bindgen(js_name = packUserOp)]
pub fn pack_user_op(op: JsValue, options: JsValue) -> Answer {
    let (op, options): (UserOp, Option<Packing>) = (read(op)?, read(options)?);
    let order = options.and_then(|options| options.gas_fee_order);

    write(&user_op::pack(&op, order.unwrap_or_default()))
}
