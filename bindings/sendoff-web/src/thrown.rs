//! What the functions throw: an `Error` of JavaScript with the problems in `issues`.

use sendoff::error::Error;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::JsValue;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Error)]
    type Thrown;

    #[wasm_bindgen(constructor, js_class = "Error")]
    fn new(message: &str) -> Thrown;

    #[wasm_bindgen(method, setter)]
    fn set_name(this: &Thrown, name: &str);

    #[wasm_bindgen(method, setter)]
    fn set_issues(this: &Thrown, issues: JsValue);

    #[wasm_bindgen(js_namespace = JSON, js_name = parse)]
    fn parse(text: &str) -> Parsed;

    type Parsed;

    #[wasm_bindgen(method, getter)]
    fn issues(this: &Parsed) -> JsValue;
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
// The documents are those of the npm package.
import type {
    Deployment, EstimateReply, EstimateRequest, Facts, Names, PackOptions, PackedUserOp, Signable, UserOp, Verification,
} from "sendoff";

/** A problem of an argument. */
export interface Issue {
    readonly path: string;
    readonly code: string;
    readonly message: string;
    readonly expected?: string;
    readonly found?: string;
    readonly field?: string;
    readonly kind?: string;
    readonly note?: string;
}

/** What the functions throw. */
export interface SendoffError extends Error {
    readonly name: "SendoffError";
    readonly issues: readonly Issue[];
}
"#;

/// Returns the error that is thrown.
pub(crate) fn thrown(error: &Error) -> JsValue {
    let thrown = Thrown::new(&String::from(error_text(error)));
    thrown.set_name("SendoffError");
    thrown.set_issues(parse(&error.to_json()).issues());
    thrown.into()
}

/// The first problem; the others are in `issues`.
fn error_text(error: &Error) -> &str {
    error.issues().first().map_or("", |issue| &issue.message)
}
