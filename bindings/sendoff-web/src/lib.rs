#![doc = include_str!("../README.md")]
#![cfg(target_arch = "wasm32")]

pub use sendoff;
pub use wasm_bindgen::JsValue;

#[cfg(any(feature = "sign", feature = "estimate", feature = "pack"))]
mod functions;
#[cfg(any(feature = "sign-text", feature = "estimate-text"))]
mod texts;

use sendoff::error::Error;
use serde::{Serialize, de::DeserializeOwned};
use serde_wasm_bindgen::Serializer;

#[cfg(any(feature = "sign", feature = "estimate", feature = "pack"))]
pub use functions::*;
#[cfg(any(feature = "sign-text", feature = "estimate-text"))]
pub use texts::*;

/// The result of a function of this crate: a value of JavaScript, or the value that it throws.
pub type Answer = Result<JsValue, JsValue>;

/// Reads a document of the core from a value of JavaScript, such as the parsed body of a reply.
///
/// ```
/// # #[cfg(target_arch = "wasm32")]
/// # fn read(value: sendoff_web::JsValue) -> Result<(), sendoff_web::JsValue> {
/// use sendoff_web::sendoff::estimate::EstimateRequest;
///
/// let request: EstimateRequest = sendoff_web::read(value)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// An `Error` of JavaScript with the first problem and its place.
pub fn read<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    Ok(serde_wasm_bindgen::from_value(value)?)
}

/// Returns a document of the core as a value of JavaScript. Its maps are objects, as in JSON.
///
/// # Errors
///
/// None for documents of the core; a type of your own may refuse to be written.
pub fn write(value: &impl Serialize) -> Answer {
    Ok(value.serialize(&Serializer::new().serialize_maps_as_objects(true))?)
}

#[cfg(any(
    feature = "sign",
    feature = "estimate",
    feature = "pack",
    feature = "sign-text",
    feature = "estimate-text"
))]
mod thrown;

/// Returns the problems of a document as a value of JavaScript: `{issues: [{path, code, message}]}`.
#[must_use]
pub fn issues(error: &Error) -> JsValue {
    write(error).unwrap_or_else(|why| why)
}
