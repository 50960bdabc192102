//! The bundler's JSON-RPC.

use super::*;
use crate::bundler::rpc;
use crate::http::Reply;

/// Answers a call.
pub(crate) fn answer(asked: &mut Asked<'_>) -> Result<Reply, Fault> {
    let state = &mut *asked.state;
    let answer = rpc::answer(state, &asked.request.body, asked.at);
    Ok(Reply::json(asked.status, &answer))
}
