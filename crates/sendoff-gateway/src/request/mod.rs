//! One request: its head and body, its steps, and what the gateway answers itself.

pub(crate) mod account;
pub(crate) mod body;
pub(crate) mod cors;
pub(crate) mod envelope;
pub(crate) mod estimate;
pub(crate) mod forwarded;
pub(crate) mod gateway;
pub(crate) mod head;
pub(crate) mod playground;
pub(crate) mod supported;
