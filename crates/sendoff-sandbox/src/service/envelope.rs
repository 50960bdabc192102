//! The envelopes of the service, around the answer of an operation and around an error.

use schemars::JsonSchema;
use serde::Serialize;

use crate::switches::ErrorWord;

/// The answer of an operation, wrapped as the service does it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Success<D> {
    pub(super) status: &'static str,
    pub(super) data: D,
}

/// The service's error envelope.
#[derive(Serialize)]
pub(crate) struct Envelope<'a> {
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

impl<'a> Envelope<'a> {
    pub(crate) fn new(
        word: ErrorWord,
        status: u16,
        code: Option<&'a str>,
        message: &'a str,
        trace_id: &'a str,
    ) -> Self {
        Self { status: word, error: Problem { code: status, error_code: code, message, trace_id } }
    }
}
