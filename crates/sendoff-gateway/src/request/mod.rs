//! One request: its steps, its account, and what the gateway answers itself.

pub(crate) mod account;
pub(crate) mod answers;
pub(crate) mod gateway;
pub(crate) mod playground;
