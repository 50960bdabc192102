//! What an operator sees: logs, metrics, traces.

pub(crate) mod log;
pub(crate) mod metrics;
pub(crate) mod recent;
pub(crate) mod trace;
pub(crate) mod traces;
