//! A host for Sendoff: HTTP in front of a wallet backend.
//!
//! [`config`] defines who may call and how often. `server` listens. For each request, `request` finds the operation, `callers`
//! identifies the caller, and `limits` counts the call. Then the core, the configuration or `backend` answers it. `observe` has
//! what an operator sees; the applications are in `database`, which `admin` changes.
//!
//! Most users need only the binary of the same name: `sendoff-gateway --config gateway.toml`.

pub mod config;

mod admin;
mod backend;
mod callers;
mod database;
mod limits;
mod observe;
mod request;
mod sandbox;
mod server;
mod source;

pub use admin::describe;
pub use database::transfer::{Applications, export, import};
pub use observe::log::Log;
pub use sandbox::serve_sandbox;
pub use server::{check, serve};
pub use source::read;
