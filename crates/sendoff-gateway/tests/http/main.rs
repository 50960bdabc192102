//! Tests of the gateway over HTTP: requests to the binary, from correct and faulty callers, with
//! correct and faulty backends.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a panic is a failure of the test"
)]

#[path = "../support/mod.rs"]
mod support;

mod admin;
mod bounds;
mod broken;
mod bundler;
mod config;
mod cors;
mod database;
mod deploy;
mod estimate;
mod forwarded;
mod gone;
mod http_2;
mod introspection;
mod limits;
mod log;
mod monitoring;
mod observe;
mod operator;
mod places;
mod proxies;
mod refusals;
mod restart;
mod reuse;
mod sandbox;
mod secrets;
mod shares;
mod stop;
mod store;
mod supported;
mod targets;
mod tls;
mod traces;
mod upstream;
mod users;
