//! Errors of JSON-RPC.

use sendoff::error::Error;
use serde::Serialize;

/// An error of JSON-RPC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: String,
}

/// The code for parameters, which bundlers use for what they refuse before the EntryPoint.
pub(super) const PARAMETERS: i64 = -32_602;

impl RpcError {
    pub(super) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Of an operation that cannot be read.
impl From<Error> for RpcError {
    fn from(error: Error) -> Self {
        Self::new(PARAMETERS, error.to_string())
    }
}

/// Refuses with a code and a message unless a rule is kept.
pub(super) fn check(is_kept: bool, code: i64, message: &str) -> Result<(), RpcError> {
    if is_kept { Ok(()) } else { Err(RpcError::new(code, message)) }
}
