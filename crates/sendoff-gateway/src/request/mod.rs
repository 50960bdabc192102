//! One request: its steps, its account, and what the gateway answers itself.

pub(crate) mod account;
pub(crate) mod estimate;
pub(crate) mod gateway;
pub(crate) mod playground;
pub(crate) mod supported;
