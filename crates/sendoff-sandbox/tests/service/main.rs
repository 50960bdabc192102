//! The pocket service from its callers' side.

mod calls;
mod laws;
mod lies;
mod operations;
mod rpc;
