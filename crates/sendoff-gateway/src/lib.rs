//! A host for Sendoff: HTTP in front of a wallet backend.
//!
//! [`config`] defines who may call and how often. `server` listens. For each request, `request` finds the operation, `callers`
//! identifies the caller, and `limits` counts the call. Then the core, the configuration or `backend` answers it. `observe` has
//! what an operator sees; the applications are in `database`, which `admin` changes. A module uses only those above it in the list.
//!
//! Most users need only the binary of the same name: `sendoff-gateway --config gateway.toml`.

pub mod config;

mod schema;
mod descriptors;
mod tls;
mod message;
mod limits;
mod observe;
mod database;
mod backend;
mod callers;
mod request;
mod service;
mod admin;
mod server;
mod sandbox;

pub use admin::describe;
pub use database::transfer::{Applications, export, import};
pub use observe::log::Log;
pub use sandbox::serve_sandbox;
pub use server::{check, serve};
