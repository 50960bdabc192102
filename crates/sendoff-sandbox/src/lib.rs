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
//! use sendoff_sandbox::{Request, State, answer};
//! use serde_json::Value;
//!
//! let mut state = State::start("{}")?;
//! let mut transfer = Request::default();
//! (transfer.method, transfer.target) = ("POST".into(), "/api/v1/transfer/tokens/execute".into());
//! transfer.headers = vec![("authorization".into(), "Bearer sandbox-token".into())];
//! transfer.body = r#"{"network_name":"POLYGON","token_address":"","quantity":"0.1",
//!     "recipient_address":"0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B"}"#.into();
//! let accepted = answer(&mut state, &transfer, 1_750_000_000_000).body;
//! let accepted: Value = serde_json::from_str(&accepted)?;
//! let id = accepted["data"]["orderId"].as_str().unwrap();
//!
//! let mut orders = Request { method: "GET".into(), body: String::new(), ..transfer.clone() };
//! orders.target = format!("/api/v1/orders?order_id={id}");
//! let later: Value = serde_json::from_str(&answer(&mut state, &orders, 1_750_000_005_000).body)?;
//! assert_eq!(later["data"]["jobs"][0]["status"], "SUCCESS");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

// Each uses only those above it, as `cargo xtask test laws` checks.
// Texts and numbers.
mod json;
mod number;
mod draw;
mod time;
mod http;
mod spelled;
mod switches;
// The ledger and its contracts.
mod ledger;
mod action;
mod contract;
mod view;
mod order;
// All that the service knows.
mod operation;
mod state;
// What happens to operations and orders.
mod bundler;
// Who asks, and what is answered.
mod service;
// How it lies.
mod lie;
mod start;
mod call;

pub use call::call;
pub use http::{Delivery, Reply, Request};
pub use lie::{Lie, On, lies};
#[cfg(feature = "schema")]
#[doc(hidden)]
pub use service::payloads;
pub use state::State;

use sendoff::http::{Trace, TraceId};

use self::service::envelope::failure;

/// Answers a request at a time, in milliseconds since the epoch.
///
/// Before it, orders whose time has come end, and operations are executed. Every request gets a
/// reply.
pub fn answer(state: &mut State, request: &Request, now: i64) -> Reply {
    state.requests = state.requests.saturating_add(1);
    bundler::block::advance(state, now);
    let Some(trace) = trace(state, request) else { return Reply::text(500, String::new()) };
    lie::lied(state, request, now, &trace).unwrap_or_else(|unknown| {
        failure(state.switches.error_status, 400, None, &unknown, trace.as_str())
    })
}

/// The trace id of a request: its own, or a draw.
fn trace(state: &State, request: &Request) -> Option<TraceId> {
    let own = Trace::read(request.header("traceparent"), request.header("x-request-id")).trace_id;
    let drawn = draw::digits(&draw::draw(&state.seed, "trace", state.requests));
    own.or_else(|| drawn.get(..32)?.parse().ok())
}
