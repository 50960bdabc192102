//! The functions that JavaScript calls with values, a feature for each group.
//!
//! Arguments and answers cross as JSON text, which the engine writes and reads, as in the npm
//! package. By serde-wasm-bindgen a page of `signable` weighs 1.69 of the npm package's with typed
//! documents, and 1.39 with documents of any kind (`Opaque`); so it weighs 0.85, and may 1.2.
#![expect(clippy::needless_pass_by_value, reason = "JavaScript gives the values away")]

use sendoff::{error::Error, json};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown::thrown;
use crate::{Answer, JsValue};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON, catch)]
    fn stringify(value: &JsValue) -> Result<Option<String>, JsValue>;

    #[wasm_bindgen(js_namespace = JSON, catch)]
    fn parse(text: &str) -> Result<JsValue, JsValue>;
}

/// The JSON text of a document. An absent one is `null`, which no function accepts.
fn text(value: &JsValue) -> Result<String, JsValue> {
    Ok(stringify(value)?.unwrap_or_else(|| "null".into()))
}

/// The answer as a value, or the error that is thrown.
fn value(answer: &Result<String, Error>) -> Answer {
    match answer {
        Ok(text) => parse(text),
        Err(error) => Err(thrown(error)),
    }
}

/// Verifies a reply, and returns the digest to sign and the operation to send
/// ([`estimate::signable`](sendoff::estimate::signable)).
///
/// # Errors
///
/// An `Error` whose `issues` are every problem of the arguments, or of a reply that is not to be signed.
#[cfg(feature = "sign")]
#[wasm_bindgen(unchecked_return_type = "Signable")]
pub fn signable(
    #[wasm_bindgen(unchecked_param_type = "EstimateRequest")] request: JsValue,
    #[wasm_bindgen(unchecked_param_type = "unknown")] reply: JsValue,
    #[wasm_bindgen(unchecked_param_type = "Deployment")] deployment: JsValue,
    #[wasm_bindgen(unchecked_param_type = "Names | undefined")] names: JsValue,
) -> Answer {
    let names = stringify(&names)?;
    value(&json::signable(&text(&request)?, &text(&reply)?, &text(&deployment)?, names.as_deref()))
}

/// Compares a reply with its request ([`estimate::verify`](sendoff::estimate::verify)).
///
/// # Errors
///
/// An `Error` whose `issues` are every problem of the request.
#[cfg(feature = "sign")]
#[wasm_bindgen(js_name = verifyEstimate, unchecked_return_type = "Verification")]
pub fn verify_estimate(
    #[wasm_bindgen(unchecked_param_type = "EstimateRequest")] request: JsValue,
    #[wasm_bindgen(unchecked_param_type = "unknown")] reply: JsValue,
) -> Answer {
    value(&json::verify_estimate(&text(&request)?, &text(&reply)?))
}

// #region estimate
/// Returns the reply to a request, from the request and the host's facts ([`respond`](sendoff::estimate::respond)).
///
/// # Errors
///
/// An `Error` whose `issues` are every problem of both, and every rule that they break.
#[cfg(feature = "estimate")]
#[wasm_bindgen(unchecked_return_type = "EstimateReply")]
pub fn estimate(
    #[wasm_bindgen(unchecked_param_type = "EstimateRequest")] request: JsValue,
    #[wasm_bindgen(unchecked_param_type = "Facts")] facts: JsValue,
) -> Answer {
    value(&json::estimate(&text(&request)?, &text(&facts)?))
}
// #endregion estimate

/// Returns the packed form of an operation ([`user_op::pack`](sendoff::user_op::pack)). The options are `{gasFeeOrder?}`.
///
/// # Errors
///
/// An `Error` whose `issues` are every problem of both.
#[cfg(feature = "pack")]
#[wasm_bindgen(js_name = packUserOp, unchecked_return_type = "PackedUserOp")]
pub fn pack_user_op(
    #[wasm_bindgen(unchecked_param_type = "UserOp")] op: JsValue,
    #[wasm_bindgen(unchecked_param_type = "PackOptions | undefined")] options: JsValue,
) -> Answer {
    let options = stringify(&options)?;
    value(&json::pack_user_op(&text(&op)?, options.as_deref()))
}
