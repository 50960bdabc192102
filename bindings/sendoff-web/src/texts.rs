//! Functions that take and return JSON text. They bring the core's own reader and writer along, and
//! nothing of serde.

use sendoff::json;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::JsValue;
use crate::thrown::thrown;

/// JSON text, or the error that is thrown.
type Text = Result<String, JsValue>;

/// [`signable`](crate::sendoff::json::signable) for JavaScript: verifies a reply, and returns the digest to sign and the operation to
/// send.
///
/// # Errors
///
/// An `Error` whose `issues` are every problem of the arguments, or of a reply that is not to be signed.
#[cfg(feature = "sign-text")]
#[wasm_bindgen(js_name = signableText)]
pub fn signable_text(request: &str, reply: &str, deployment: &str, names: Option<String>) -> Text {
    json::signable(request, reply, deployment, names.as_deref()).map_err(|error| thrown(&error))
}

/// [`verify_estimate`](crate::sendoff::json::verify_estimate) for JavaScript: compares a reply with its request.
///
/// # Errors
///
/// An `Error` whose `issues` are every problem of the request.
#[cfg(feature = "sign-text")]
#[wasm_bindgen(js_name = verifyEstimateText)]
pub fn verify_estimate_text(request: &str, reply: &str) -> Text {
    json::verify_estimate(request, reply).map_err(|error| thrown(&error))
}

/// [`estimate`](crate::sendoff::json::estimate) for JavaScript: the reply to a request, from the request and the host's facts.
///
/// # Errors
///
/// An `Error` whose `issues` are every problem of both, and every rule that they break.
#[cfg(feature = "estimate-text")]
#[wasm_bindgen(js_name = estimateText)]
pub fn estimate_text(request: &str, facts: &str) -> Text {
    json::estimate(request, facts).map_err(|error| thrown(&error))
}
