//! What an operation is called with, and rows of operations.

use std::num::NonZeroU64;

use schemars::JsonSchema;
use sendoff::http::{Opaque, Operation, Refusal};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::envelope::Success;
use super::fault::{Answered, Fault};
use super::query;
#[cfg(feature = "schema")]
use super::schemas;
use crate::http::{Reply, Request};
use crate::json;
use crate::state::State;

/// A request that is answered, and who made it.
pub(crate) struct Asked<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) request: &'a Request,
    /// The id of the user, of whom the token or the path is; empty if the request has neither.
    pub(crate) user: String,
    pub(crate) now: i64,
    /// The status of a success.
    pub(crate) status: u16,
}

/// What a request without a body, or without a query, has.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Nothing {}

/// A reply.
pub(crate) type Served = Answered<Reply>;

type Serve = dyn Fn(&mut Asked<'_>) -> Served + Send + Sync;

/// An operation.
pub(crate) struct Row {
    pub(crate) id: &'static str,
    pub(crate) method: &'static str,
    /// The path, with its parameter at its end.
    pub(crate) path: &'static str,
    /// The operation of the specification whose credentials it needs; `None` if it needs none.
    pub(crate) credentials: Option<Operation>,
    /// The statuses of a success, the usual one first.
    pub(crate) statuses: &'static [u16],
    /// `true` if its calls count under the rate limit.
    pub(crate) is_limited: bool,
    pub(crate) serve: Box<Serve>,
    #[cfg(feature = "schema")]
    pub(crate) schemas: Option<fn() -> [Value; 3]>,
}

impl Row {
    /// An operation of the specification.
    pub(crate) fn of(operation: Operation, serve: Box<Serve>) -> Self {
        Self {
            id: operation.as_str(),
            method: operation.method().as_str(),
            path: operation.path_template(),
            credentials: Some(operation),
            statuses: &[201],
            is_limited: operation.is_limited(),
            serve,
            #[cfg(feature = "schema")]
            schemas: None,
        }
    }

    /// An operation that reads a query.
    pub(crate) fn reads<Q: Input, D: Data>(operation: Operation, answer: Answer<Q, D>) -> Self {
        Self {
            #[cfg(feature = "schema")]
            schemas: Some(schemas::of::<Q, Nothing, D>),
            ..Self::of(operation, serve(read_query, answer))
        }
    }

    /// An operation that reads a body.
    pub(crate) fn takes<B: Input, D: Data>(operation: Operation, answer: Answer<B, D>) -> Self {
        Self {
            #[cfg(feature = "schema")]
            schemas: Some(schemas::of::<Nothing, B, D>),
            ..Self::of(operation, serve(|request| Ok(json::read(body(request)?)?), answer))
        }
    }

    /// The same with other statuses of success.
    pub(crate) fn with(self, statuses: &'static [u16]) -> Self {
        Self { statuses, ..self }
    }

    /// A companion: an operation beside the specification's sixteen at a method and a path, with the
    /// credentials of one of them.
    pub(crate) fn at(self, id: &'static str, place: &'static str) -> Self {
        let (method, path) = place.split_once(' ').unwrap_or_default();
        Self { id, method, path, is_limited: false, ..self }
    }

    /// The same without credentials.
    pub(crate) fn open(self) -> Self {
        Self { credentials: None, ..self }
    }
}

/// What an operation reads, and what it answers.
pub(crate) trait Input: DeserializeOwned + JsonSchema + 'static {}
impl<T: DeserializeOwned + JsonSchema + 'static> Input for T {}
pub(crate) trait Data: Serialize + JsonSchema + 'static {}
impl<T: Serialize + JsonSchema + 'static> Data for T {}
pub(crate) type Answer<I, D> = fn(&mut Asked<'_>, I) -> Answered<D>;

fn serve<I: Input, D: Data>(read: fn(&Request) -> Answered<I>, answer: Answer<I, D>) -> Box<Serve> {
    Box::new(move |asked| {
        let input = read(asked.request)?;
        let data = answer(asked, input)?;
        Ok(Reply::json(asked.status, &Success { status: "success", data }))
    })
}

fn read_query<Q: Input>(request: &Request) -> Answered<Q> {
    Ok(query::read(request.query())?)
}

/// The body of a request, an object. An absent one is empty.
pub(crate) fn body(request: &Request) -> Answered<Value> {
    // The core tells every problem of the text.
    let text = if request.body.is_empty() { "{}" } else { &request.body };
    let opaque: Opaque = text.parse().map_err(Refusal::from)?;
    let body = json::parse(opaque.as_str()).ok().filter(Value::is_object);
    body.ok_or_else(|| Fault::field("", "an object", opaque.as_str()))
}

/// The largest part of a list.
const MOST_ITEMS: u64 = 1_000;

/// A part of a list, from a place on.
pub(crate) fn part<T>(
    items: impl IntoIterator<Item = T>,
    offset: Option<u64>,
    limit: Option<u64>,
    state: &State,
) -> Vec<T> {
    let limit = limit.unwrap_or(state.switches.page_size.get()).min(MOST_ITEMS);
    let size = |number| usize::try_from(number).unwrap_or(usize::MAX);
    items.into_iter().skip(size(offset.unwrap_or_default())).take(size(limit)).collect()
}

/// A page of a list, from 1 on.
pub(crate) fn page<T>(
    items: impl IntoIterator<Item = T>,
    page: Option<NonZeroU64>,
    size: Option<u64>,
    state: &State,
) -> Vec<T> {
    let limit = size.unwrap_or(state.switches.page_size.get()).min(MOST_ITEMS);
    let before = page.map_or(0, |page| page.get().saturating_sub(1));
    part(items, Some(before.saturating_mul(limit)), Some(limit), state)
}
