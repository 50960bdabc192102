//! The steps of a lie: what is done to a reply, or to what happens.

use std::collections::BTreeMap;

use sendoff::http::RateLimited;
use serde::Deserialize;
use serde_json::Value;

use super::estimate::Retold;
use super::fate::Fate;
use crate::bundler::other_account;
use crate::draw::{draw, number};
use crate::http::{Delivery, Reply, Request};
use crate::json::written;
use crate::service::fault::Envelope;
use crate::state::State;
use crate::switches::ErrorWord;

/// A step of a lie, as `lies.json` has it. A place is a JSON Pointer into the reply.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Step {
    /// The estimate of another request or of other facts.
    Retold(Retold),
    /// A place has this value, whether something was there or not.
    Set(String, Value),
    /// Nothing is at a place.
    Removed(String),
    /// The flag at a place has its other value.
    Switched(String),
    /// The second place has the text of the first, if there is one.
    Copied(String, String),
    /// The text at a place is so many characters shorter.
    Cut(String, usize),
    /// The text at a place has this before it.
    Prefixed(String, String),
    /// Fields with one of these names are rewritten.
    Each { keys: Vec<String>, to: Rewrite },
    /// Texts with one of these names have something before and behind them.
    Around {
        keys: Vec<String>,
        #[serde(default)]
        before: String,
        #[serde(default)]
        behind: String,
    },
    /// Texts that are one of these words are another one.
    Reworded(BTreeMap<String, String>),
    /// The reply's text has the second of these in the place of the first.
    Spelled(String, String),
    /// The bytes at a place have these digits from a byte on.
    Bytes(String, usize, String),
    /// The account at a place is the other one of its key.
    OtherAccount(String),
    /// The list at a place is another one.
    List(String, OtherList),
    /// The values at two places change places.
    Exchanged(String, String),
    /// Every list, the outermost only, is another one.
    Lists(OtherList),
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
}

/// Another value of a field.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Rewrite {
    Value(Value),
    /// Another digit at the end of a text.
    OtherEnd,
    /// Seconds for milliseconds, and the other way round.
    OtherUnit,
    /// A letter of an address in another case.
    Checksum,
    /// A state that is not in any list.
    Completed,
}

/// Another list.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum OtherList {
    Null,
    Empty,
    Doubled,
    Reversed,
    /// The first item is there again, before it.
    Repeated,
    /// The last item is missing, if there are several.
    Shortened,
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
            Some(page) => {
                let mut reply = Reply::text(self.status, page.clone());
                if !page.is_empty() {
                    reply.set_header("content-type", "text/html");
                }
                reply
            }
            None => error(self.status, self.error_code.as_deref(), &self.message, trace),
        };
        (reply.status, reply.delivery) = (self.shown.unwrap_or(self.status), self.delivery);
        reply
    }
}

fn error(status: u16, code: Option<&str>, message: &str, trace: &str) -> Reply {
    Reply::json(status, &Envelope::new(ErrorWord::Error, status, code, message, trace))
}

impl Step {
    /// The reply that comes instead of doing anything.
    pub(super) fn instead(&self, trace: &str) -> Option<Reply> {
        match self {
            Self::Instead(other) => Some(other.reply(trace)),
            Self::Limited(retry_after) => {
                let (code, message) = (RateLimited::ERROR_CODE, RateLimited::MESSAGE);
                let mut reply = error(RateLimited::STATUS, Some(code), message, trace);
                if let Some(seconds) = retry_after {
                    reply.set_header("retry-after", seconds);
                }
                Some(reply)
            }
            _ => None,
        }
    }

    /// Changes the orders and operations from these places on. Returns `true` if it changed any.
    pub(super) fn decide(&self, state: &mut State, from: [usize; 2]) -> bool {
        if let Self::Fate(fate) = self { fate.decide(state, from) } else { false }
    }

    /// Replaces an estimate.
    pub(super) fn retell(&self, state: &State, request: &Request, now: i64, reply: &mut Reply) {
        if let Self::Retold(retold) = self
            && let Some(lied) = retold.tell(state, request, now, &reply.body)
        {
            reply.body = lied;
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
            _ => {
                let Ok(honest) = serde_json::from_str::<Value>(&reply.body) else { return };
                let mut body = honest.clone();
                self.edit(request, &mut body, trace);
                if body != honest {
                    reply.body = written(body);
                }
            }
        }
    }

    pub(super) fn edit(&self, request: &Request, body: &mut Value, trace: &str) {
        match self {
            Self::Set(place, value) => set(body, place, value.clone()),
            Self::Removed(place) => {
                if let Some((fields, key)) = fields(body, place) {
                    fields.remove(key);
                }
            }
            Self::Switched(place) => {
                if let Some(Value::Bool(flag)) = body.pointer_mut(place) {
                    *flag = !*flag;
                }
            }
            Self::Copied(from, to) => {
                if let Some(Value::String(text)) = body.pointer(from).cloned() {
                    set(body, to, text.into());
                }
            }
            Self::Cut(place, count) => {
                if let Some(Value::String(text)) = body.pointer_mut(place) {
                    let end = text.len().saturating_sub(*count);
                    *text = text.get(..end).unwrap_or_default().into();
                }
            }
            Self::Prefixed(place, before) => {
                if let Some(Value::String(text)) = body.pointer_mut(place) {
                    *text = format!("{before}{text}");
                }
            }
            Self::Each { keys, to } => each(body, keys, &|value| to.rewrite(value)),
            Self::Around { keys, before, behind } => each(body, keys, &|value| {
                if let Value::String(text) = value {
                    *text = format!("{before}{text}{behind}");
                }
            }),
            Self::Reworded(words) => walk(body, &|value| {
                if let Value::String(text) = value
                    && let Some(other) = words.get(text)
                {
                    text.clone_from(other);
                }
            }),
            Self::Bytes(place, at, digits) => overwrite(body.pointer_mut(place), *at, digits),
            Self::OtherAccount(place) => {
                if let Some(Value::String(account)) = body.pointer_mut(place) {
                    *account = other_account(account);
                }
            }
            Self::List(place, other) => {
                body.pointer_mut(place).into_iter().for_each(|list| other.make(list))
            }
            Self::Exchanged(one, other) => {
                let values = body.pointer(one).cloned().zip(body.pointer(other).cloned());
                if let Some((first, second)) = values {
                    set(body, one, second);
                    set(body, other, first);
                }
            }
            Self::Lists(other) => lists(body, *other),
            Self::Refused(error) => refuse(body, error.clone()),
            Self::RefusedAtRandom => refuse(body, random_refusal(trace)),
            Self::Forged(success) => forge(body, request, *success),
            Self::Retold(_)
            | Self::Spelled(..)
            | Self::Limited(_)
            | Self::Instead(_)
            | Self::Replaced(_)
            | Self::Emptied
            | Self::Delivered(_)
            | Self::Delayed(_)
            | Self::Fate(_) => {}
        }
    }
}

impl Rewrite {
    fn rewrite(&self, value: &mut Value) {
        match (self, value) {
            (Self::Value(other), value) => value.clone_from(other),
            (Self::OtherEnd, Value::String(text)) => {
                let last = text.pop();
                text.push(if last == Some('0') { '1' } else { '0' });
            }
            (Self::OtherUnit, value) => {
                let number = value.as_u64().unwrap_or_default();
                let is_ms = number > 100_000_000_000;
                *value = if is_ms { number / 1_000 } else { number.saturating_mul(1_000) }.into();
            }
            (Self::Checksum, Value::String(text)) => *text = text.replacen('b', "B", 1),
            (Self::Completed, value) if *value != "success" => *value = "COMPLETED".into(),
            (Self::OtherEnd | Self::Checksum | Self::Completed, _) => {}
        }
    }
}

/// The object and the key of a place, if there is an object for it.
fn fields<'a, 'p>(
    body: &'a mut Value,
    place: &'p str,
) -> Option<(&'a mut serde_json::Map<String, Value>, &'p str)> {
    let (part, key) = place.rsplit_once('/')?;
    Some((body.pointer_mut(part)?.as_object_mut()?, key))
}

fn set(body: &mut Value, place: &str, value: Value) {
    if let Some((fields, key)) = fields(body, place) {
        fields.insert(key.into(), value);
    }
}

/// Puts these digits into bytes, from one on. Bytes that are too short stay as they are.
fn overwrite(bytes: Option<&mut Value>, at: usize, digits: &str) {
    let Some(Value::String(data)) = bytes else { return };
    let at = at.saturating_mul(2).saturating_add(2);
    let around = data.get(..at).zip(data.get(at.saturating_add(digits.len())..));
    if let Some((before, after)) = around {
        *data = [before, digits, after].concat();
    }
}

/// The values inside a value.
fn inner(json: &mut Value) -> Vec<&mut Value> {
    match json {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    }
}

/// Changes every field with one of these names.
fn each(json: &mut Value, keys: &[String], change: &dyn Fn(&mut Value)) {
    if let Value::Object(fields) = json {
        for (key, value) in fields {
            if keys.contains(key) {
                change(value);
            } else {
                each(value, keys, change);
            }
        }
        return;
    }
    inner(json).into_iter().for_each(|item| each(item, keys, change));
}

/// Changes every value that is neither a list nor an object.
fn walk(json: &mut Value, change: &dyn Fn(&mut Value)) {
    change(json);
    inner(json).into_iter().for_each(|value| walk(value, change));
}

fn lists(json: &mut Value, other: OtherList) {
    if json.is_array() {
        return other.make(json);
    }
    inner(json).into_iter().for_each(|value| lists(value, other));
}

impl OtherList {
    fn make(self, list: &mut Value) {
        let Value::Array(items) = list else { return };
        match self {
            Self::Null => *list = Value::Null,
            Self::Empty => items.clear(),
            Self::Doubled => items.extend(items.clone()),
            Self::Reversed => items.reverse(),
            Self::Repeated => *items = items.iter().take(1).chain(&*items).cloned().collect(),
            Self::Shortened if items.len() > 1 => drop(items.pop()),
            Self::Shortened => {}
        }
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
        let fields = [("userOpHash", hash.clone()), ("success", success.into())];
        *result =
            Value::Object(fields.map(|(key, value)| (key.into(), value)).into_iter().collect());
    }
}

/// An error of words that no table has, other ones for each request.
fn random_refusal(trace: &str) -> Value {
    const CODES: [i64; 6] = [-32_602, -32_500, -32_507, -32_521, -32_603, -32_000];
    const SYLLABLES: [&str; 16] = [
        "ba", "do", "fi", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wa", "xe",
        "zu",
    ];
    let drawn = |purpose: &str, at: u64, of: usize| {
        let number = usize::try_from(number(draw(trace, purpose, at))).unwrap_or_default();
        number.checked_rem(of).unwrap_or_default()
    };
    let code = CODES.get(drawn("code", 0, CODES.len())).copied().unwrap_or_default();
    let syllable = |at| SYLLABLES.get(drawn("syllable", at, SYLLABLES.len())).copied();
    let word = |at: u64| (0..3).filter_map(|next| syllable(at.saturating_add(next))).collect();
    let words: Vec<String> = [0, 3, 6, 9].map(word).into();
    let fields = [("code", Value::from(code)), ("message", words.join(" ").into())];
    Value::Object(fields.map(|(key, value)| (key.into(), value)).into_iter().collect())
}
