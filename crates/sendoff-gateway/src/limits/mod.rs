//! Rate windows, in memory or in a shared store.

pub(crate) mod redis;
pub(crate) mod store;
pub(crate) mod windows;
