//! The gateway over HTTP: real requests to the real binary, from callers and backends that mean well and that do not.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a panic is a failure of the test"
)]

#[path = "../support/mod.rs"]
mod support;

mod bounds;
mod bundler;
mod callers;
mod config;
mod connections;
mod estimate;
mod gone;
mod http_2;
mod limits;
mod log;
mod observe;
mod refusals;
mod secrets;
mod stop;
mod store;
mod supported;
mod targets;
mod tls;
mod upstream;
