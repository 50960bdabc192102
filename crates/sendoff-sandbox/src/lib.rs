//! The pocket service: a whole cross-chain wallet service as a pure function.
//!
//! [`answer`] takes a [`State`], a [`Request`] as data and the time, and returns a [`Reply`] as
//! data. It reads no clock, rolls no dice and does no I/O: the same requests at the same times get
//! the same replies, byte for byte. The state is one value, which can be saved as JSON and loaded
//! again.
//!
//! It answers all sixteen operations of the specification, and the companions by which a caller
//! follows an order. Paths, credentials, refusals, limits and the catalogue are those of the core.
//! The specification does not show the payloads of fifteen operations; they come from a profile of
//! the live service, `okto-v1`. Behind them is a ledger of tokens and NFTs, and before it a bundler
//! with an EntryPoint (`/rpc`), so a transfer can be followed from the estimate to the receipt.
//!
//! It lies on demand: a request with the header `x-sandbox-lie` gets a reply that is wrong in that
//! way ([`lies`]).
//!
//! ```
//! use sendoff_sandbox::{Json, Request, State, answer};
//!
//! let mut state = State::start("{}")?;
//! let mut transfer = Request::default();
//! (transfer.method, transfer.target) = ("POST".into(), "/api/v1/transfer/tokens/execute".into());
//! transfer.headers = vec![("authorization".into(), "Bearer sandbox-token".into())];
//! transfer.body = r#"{"network_name":"POLYGON","token_address":"","quantity":"0.1",
//!     "recipient_address":"0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B"}"#.into();
//! let accepted = Json::parse(&answer(&mut state, &transfer, 1_750_000_000_000).body).unwrap();
//! let id = accepted.at("data.orderId").and_then(Json::as_text).unwrap();
//!
//! let mut orders = Request { method: "GET".into(), body: String::new(), ..transfer.clone() };
//! orders.target = format!("/api/v1/orders?order_id={id}");
//! let later = Json::parse(&answer(&mut state, &orders, 1_750_000_005_000).body).unwrap();
//! assert_eq!(later.at("data.jobs.0.status").and_then(Json::as_text), Some("SUCCESS"));
//! # Ok::<(), sendoff::error::Error>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod text;
mod json;
mod map;
mod numbers;
mod misfit;
mod record;
mod field;
mod http;
mod draw;
mod time;
mod units;
mod ledger;
mod contract;
mod order;
mod profile;
mod lie;
mod state;
mod world;
mod entry_point;
mod signed;
mod fault;
mod route;
mod form;
mod network;
mod view;
mod caller;
mod rpc;
mod v1;
mod page;
mod portfolio;
mod history;
mod explorer;
mod session;
mod intents;
mod serve;
mod texts;

pub use http::{Delivery, Reply, Request};
pub use json::Json;
pub use lie::{Lie, On, lies};
#[doc(hidden)]
pub use route::{payloads, requests};
pub use state::State;
pub use texts::call;

use alloc::{string::String, vec::Vec};

use sendoff::http::{Operation, Trace, TraceId};

use self::fault::Fault;
use self::route::{Companion, Named, Route};
use self::serve::{body, serve};
use self::signed::Judge;

/// Answers a request at a time, in milliseconds since the epoch.
///
/// Before it, orders whose time has come end, and operations are executed. Every request gets a reply.
///
/// Signatures are checked if the crate has its feature `signature`. Without it a signature counts if it has the form of one, and a
/// reply that depends on one says so: it has the header `x-sandbox-unchecked: signature`.
pub fn answer(state: &mut State, request: &Request, now: i64) -> Reply {
    #[cfg(feature = "signature")]
    let judge: Option<Judge<'_>> = Some(&signed::is_right);
    #[cfg(not(feature = "signature"))]
    let judge = None;
    answer_judged(state, request, now, judge)
}

/// The user operation that a request sends.
fn sent(route: &Route, request: &Request) -> Option<Json> {
    match route.named {
        Named::Companion(Companion::Execute) => body(route, request).ok(),
        Named::Companion(Companion::Rpc) => {
            let call =
                Json::parse(&request.body).filter(|call| call.text("method") == rpc::SEND)?;
            call.at("params.0").cloned()
        }
        _ => None,
    }
}

/// The header of a reply that depends on a signature of which only the form was checked.
const UNCHECKED: &str = "x-sandbox-unchecked";

/// The same, with a judgement about each signature that decides the answer. Without one its form is checked.
fn answer_judged(
    state: &mut State,
    request: &Request,
    now: i64,
    judge: Option<Judge<'_>>,
) -> Reply {
    state.requests = state.requests.saturating_add(1);
    state.advance(now);
    let Some(trace) = trace(state, request) else { return Reply::text(500, String::new()) };

    let route = Route::find(&request.method, &request.target);
    let (mut lies, most) = match lie::chosen(state, request, route.as_ref().ok()) {
        Ok(chosen) => chosen,
        Err(unknown) => {
            let body =
                fault::envelope(state.switches.error_status, 400, None, &unknown, trace.as_str());
            return Reply::json(400, &body);
        }
    };
    let is_unchecked =
        judge.is_none() && route.as_ref().is_ok_and(|route| sent(route, request).is_some());
    let judge = judge.unwrap_or(&signed::has_form);
    let mut reply = lied(state, route, request, now, (&mut lies, most), &trace, judge);
    if is_unchecked {
        reply.set_header(UNCHECKED, "signature");
    }
    if !lies.is_empty() {
        let names: Vec<_> = lies.iter().map(|lie| lie.name).collect();
        reply.set_header(lie::TOLD, &text::joined(&names, ","));
    }
    reply
}

/// The reply to a request with its lies, of which those stay that were told.
fn lied(
    state: &mut State,
    route: Result<Route, Fault>,
    request: &Request,
    now: i64,
    (lies, mut most): (&mut Vec<&'static Lie>, usize),
    trace: &TraceId,
    judge: Judge<'_>,
) -> Reply {
    let instead = |lie: &&'static Lie| Some((*lie, lie.instead(trace.as_str())?));
    if let Some((lie, reply)) = lies.iter().take(most).find_map(instead) {
        lies.retain(|other| other.name == lie.name);
        return reply;
    }
    let before = [state.orders.len(), state.operations.len()];
    let is_estimate =
        route.as_ref().is_ok_and(|route| route.named == Named::Specified(Operation::Estimate));
    let mut reply = match route.and_then(|route| serve(state, &route, request, now, judge)) {
        Ok(reply) => reply,
        Err(fault) => fault.reply(trace, state.switches.error_status),
    };

    let is_estimate = is_estimate && reply.status == 200;
    // Where the oldest were forgotten to make room, nothing is known of the places.
    let is_same = state.orders.len() >= before[0] && state.operations.len() >= before[1];
    lies.retain(|lie| {
        if most == 0 {
            return false;
        }
        let honest = reply.clone();
        let is_decided = is_same && lie.decide(state, before);
        if is_estimate {
            retell(state, request, now, lie, &mut reply);
        }
        lie.tell(request, &mut reply, trace.as_str());
        let is_told = is_decided || reply != honest;
        most = most.saturating_sub(usize::from(is_told));
        is_told
    });
    reply
}

/// Replaces an estimate by that of a lie.
fn retell(state: &State, request: &Request, now: i64, lie: &Lie, reply: &mut Reply) {
    let Ok(caller) = state.identify(Operation::Estimate, request, now) else { return };
    let Some(json) = Json::parse(&request.body) else { return };
    let Ok(facts) = state.facts(&caller.user, &json) else { return };
    if let Some(lied) = lie::retold(lie, &reply.body, &json, &facts) {
        reply.body = lied;
    }
}

/// The trace id of a request: its own, or a draw.
fn trace(state: &State, request: &Request) -> Option<TraceId> {
    let own = Trace::read(request.header("traceparent"), request.header("x-request-id")).trace_id;
    own.or_else(|| {
        let drawn = draw::hex(&draw::draw(&state.seed, "trace", state.requests));
        drawn.get(2..34)?.parse().ok()
    })
}

/// Compares a reply with the profile's table of fields. Returns a sentence for each difference; none for an operation without a
/// table, and for an error.
///
/// ```
/// use sendoff_sandbox::{Request, State, answer, check_reply};
///
/// let mut state = State::start("{}")?;
/// let (method, target) = ("GET".into(), "/api/v1/supported/networks".into());
/// let headers = vec![("x-api-key".into(), "sandbox-client-key".into())];
/// let request = Request { method, target, headers, body: String::new() };
/// let reply = answer(&mut state, &request, 0);
/// assert_eq!(check_reply(&request, &reply), Vec::<String>::new());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[must_use]
pub fn check_reply(request: &Request, reply: &Reply) -> Vec<String> {
    let route = Route::find(&request.method, &request.target).ok();
    let Some(payload) = route.and_then(|route| profile::payload(route.name())) else {
        return Vec::new();
    };
    if reply.status >= 400 {
        return Vec::new();
    }
    let Some(body) = Json::parse(&reply.body) else { return Vec::from(["expected JSON".into()]) };
    let mut sentences: Vec<String> = profile::check(payload.reply, &body)
        .iter()
        .map(|problem| alloc::format!("{problem}"))
        .collect();
    if !payload.statuses.contains(&reply.status) {
        sentences.push(alloc::format!(
            "expected the status {:?}, found {}",
            payload.statuses,
            reply.status
        ));
    }
    sentences
}
