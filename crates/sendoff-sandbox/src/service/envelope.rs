//! The envelopes of the service, around the answer of an operation and around an error.

use schemars::JsonSchema;
use serde::Serialize;

use crate::http::Reply;
use crate::switches::ErrorWord;

/// The answer of an operation, wrapped as the service does it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Success<D> {
    pub(super) status: &'static str,
    pub(super) data: D,
}

#[derive(Serialize)]
struct Failure<'a> {
    status: ErrorWord,
    error: Problem<'a>,
}

#[derive(Serialize)]
struct Problem<'a> {
    code: u16,
    #[serde(rename = "errorCode", skip_serializing_if = "Option::is_none")]
    error_code: Option<&'a str>,
    message: &'a str,
    trace_id: &'a str,
}

/// The reply of an error.
pub(crate) fn failure(
    status: ErrorWord,
    code: u16,
    error_code: Option<&str>,
    message: &str,
    trace_id: &str,
) -> Reply {
    Reply::json(code, &Failure { status, error: Problem { code, error_code, message, trace_id } })
}
