//! A host for Sendoff: HTTP in front of a wallet backend.
//!
//! A request goes one way: [`config`] says who may call and how often; `gateway` names the operation, `callers` the caller,
//! `limits` counts the call; then the core answers it (`estimate`), the configuration does (`supported`), or the backend
//! (`upstream`). Every error is answered in the service's error envelope (`envelope`).
//!
//! The binary of the same name is all that most need: `sendoff-gateway --config gateway.toml`.

pub mod config;

mod account;
mod body;
mod bundler;
mod callers;
mod connect;
mod envelope;
mod estimate;
mod gateway;
mod guarded;
mod head;
mod limits;
mod listener;
mod log;
mod metrics;
mod places;
mod playground;
mod redis;
mod reply;
mod server;
mod stream;
mod supported;
mod tls;
mod trace;
mod upstream;

pub use log::{Line, Log};
pub use server::serve;
