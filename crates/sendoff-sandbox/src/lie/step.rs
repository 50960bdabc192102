//! The steps of a lie: what is done to a reply, or to what happens.

use sendoff::http::RateLimited;
use serde::Deserialize;
use serde_json::Value;

use super::edit::Edit;
use super::estimate::Retold;
use super::fate::Fate;
use crate::draw::{draw, drawn, number, uuid};
use crate::http::{Delivery, Reply, Request};
use crate::json::written;
use crate::service::envelope::failure;
use crate::switches::ErrorWord;

/// A step of a lie, as `lies.json` has it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Step {
    /// The estimate of another request or of other facts.
    Retold(Retold),
    /// The reply's text has the second of these in the place of the first.
    Spelled(String, String),
    /// The operation was accepted, and the answer is this error of JSON-RPC.
    Refused(Value),
    /// The same in words that no table has, other ones for each request.
    RefusedAtRandom,
    /// A receipt that says so of the operation that is asked about, before its block too.
    Forged(bool),
    /// The rate limit, with this in `retry-after`, and nothing is done.
    Limited(Option<String>),
    /// Another reply, and nothing is done.
    Instead(Other),
    /// Done, and the reply is another one.
    Replaced(Other),
    /// Done, and the body is empty.
    Emptied,
    /// Done, and the reply is delivered like this.
    Delivered(Delivery),
    /// Done, and the reply comes after so many milliseconds.
    Delayed(u64),
    /// Something else happens.
    Fate(Fate),
    /// A change of the reply.
    #[serde(untagged)]
    Edit(Edit),
}

/// Another reply: a page, or an error.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Other {
    status: u16,
    /// The status in the head, if it is another one.
    shown: Option<u16>,
    error_code: Option<String>,
    #[serde(default)]
    message: String,
    page: Option<String>,
    #[serde(default)]
    delivery: Delivery,
}

impl Other {
    fn reply(&self, trace: &str) -> Reply {
        let mut reply = match &self.page {
            Some(page) => Reply::text(self.status, page.clone()),
            None => error(self.status, self.error_code.as_deref(), &self.message, trace),
        };
        if self.page.as_ref().is_some_and(|page| !page.is_empty()) {
            reply.set_header("content-type", "text/html");
        }
        (reply.status, reply.delivery) = (self.shown.unwrap_or(self.status), self.delivery);
        reply
    }
}

fn error(status: u16, code: Option<&str>, message: &str, trace: &str) -> Reply {
    failure(ErrorWord::Error, status, code, message, trace)
}

impl Step {
    /// The reply that comes instead of doing anything.
    pub(super) fn instead(&self, trace: &str) -> Option<Reply> {
        match self {
            Self::Instead(other) => Some(other.reply(trace)),
            Self::Limited(retry_after) => {
                let (code, message) = (RateLimited::ERROR_CODE, RateLimited::MESSAGE);
                let mut reply = error(RateLimited::STATUS, Some(code), message, trace);
                retry_after.iter().for_each(|seconds| reply.set_header("retry-after", seconds));
                Some(reply)
            }
            _ => None,
        }
    }

    /// Changes the reply to a request.
    pub(super) fn tell(&self, request: &Request, reply: &mut Reply, trace: &str) {
        match self {
            Self::Spelled(this, other) => reply.body = reply.body.replacen(this, other, 1),
            Self::Replaced(other) => *reply = other.reply(trace),
            Self::Emptied => reply.body.clear(),
            Self::Delivered(delivery) => reply.delivery = *delivery,
            Self::Delayed(ms) => reply.delay_ms = *ms,
            Self::Edit(edit) => edited(reply, |body| edit.make(body)),
            Self::Refused(error) => edited(reply, |body| refuse(body, error.clone())),
            Self::RefusedAtRandom => edited(reply, |body| refuse(body, random_refusal(trace))),
            Self::Forged(success) => edited(reply, |body| forge(body, request, *success)),
            Self::Retold(_) | Self::Limited(_) | Self::Instead(_) | Self::Fate(_) => {}
        }
    }
}

/// Changes the body of a reply, if it is JSON. One that stays the same keeps its text.
fn edited(reply: &mut Reply, edit: impl FnOnce(&mut Value)) {
    let Ok(honest) = serde_json::from_str::<Value>(&reply.body) else { return };
    let mut body = honest.clone();
    edit(&mut body);
    if body != honest {
        reply.body = written(body);
    }
}

/// An error in the place of a JSON-RPC result, if there is one.
fn refuse(body: &mut Value, error: Value) {
    if let Some(fields) = body.as_object_mut()
        && fields.remove("result").is_some()
    {
        fields.insert("error".into(), error);
    }
}

/// A receipt of the operation that is asked about, whatever is true of it.
fn forge(body: &mut Value, request: &Request, success: bool) {
    let asked: Value = serde_json::from_str(&request.body).unwrap_or_default();
    if let (Some(hash), Some(result)) = (asked.pointer("/params/0"), body.get_mut("result")) {
        *result = Value::from_iter([("userOpHash", hash.clone()), ("success", success.into())]);
    }
}

/// An error of words that no table has, other ones for each request.
fn random_refusal(trace: &str) -> Value {
    const CODES: [i64; 6] = [-32_602, -32_500, -32_507, -32_521, -32_603, -32_000];
    let code = drawn(CODES.into(), number(draw(trace, "code", 0))).pop().unwrap_or_default();
    let words = uuid(draw(trace, "words", 0)).replace('-', " ");
    Value::from_iter([("code", Value::from(code)), ("message", words.into())])
}
