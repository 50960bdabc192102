//! Heads, bodies, addresses and identifiers of requests, and the envelope of replies.

pub(crate) mod body;
pub(crate) mod envelope;
pub(crate) mod forwarded;
pub(crate) mod head;
pub(crate) mod trace;
