//! A host for Sendoff: HTTP in front of a wallet backend.
//!
//! [`config`] defines who may call and how often. For each request, `gateway` finds the operation,
//! `callers` identifies the caller, and `windows` counts the call. Then the core (`estimate`), the
//! configuration (`supported`) or the backend (`upstream`) answers it. Every error reply has the
//! service's error envelope (`envelope`).
//!
//! Most users need only the binary of the same name: `sendoff-gateway --config gateway.toml`.

pub mod config;

mod account;
mod admin;
mod body;
mod book;
mod bundler;
mod callers;
mod cors;
mod database;
mod descriptors;
mod envelope;
mod estimate;
mod fetch;
mod forwarded;
mod gateway;
mod head;
mod listener;
mod log;
mod metrics;
mod parts;
mod playground;
mod process;
mod recent;
mod redis;
mod sandbox;
mod server;
mod shares;
mod slots;
mod sockets;
mod source;
mod state;
mod store;
mod supported;
mod tls;
mod trace;
mod traces;
mod upstream;
mod users;
mod windows;

pub use admin::describe;
pub use database::transfer::{Applications, export, import};
pub use log::Log;
pub use sandbox::serve_sandbox;
pub use server::{check, serve};
pub use source::Source;
