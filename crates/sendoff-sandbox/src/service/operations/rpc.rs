//! The bundler's JSON-RPC.

use super::prelude::*;
use crate::bundler::rpc;
use crate::http::Reply;
use crate::json::written;

/// Answers a call.
pub(crate) fn answer(asked: &mut Asked<'_>) -> Answered<Reply> {
    let answer = rpc::answer(asked.state, &asked.request.body, asked.now);
    Ok(Reply::text(asked.status, written(answer)))
}
