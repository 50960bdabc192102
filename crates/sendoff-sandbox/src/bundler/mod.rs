//! The bundler and the EntryPoint: what happens to a user operation.
//!
//! The checks are those of the published EntryPoint, in its order and with its reasons, and those
//! that bundlers make before it.

mod error;
pub(crate) mod gas;
mod nonces;
mod validate;
pub(crate) mod submit;
pub(crate) mod block;
mod receipt;
pub(crate) mod rpc;
