//! What an operator sees: logs, metrics, traces.

pub(crate) mod log;
pub(crate) mod metrics;
pub(crate) mod recent;
pub(crate) mod traces;

use serde::Serialize;
use serde_json::Value;

/// The name of a variant, as logs, metrics and secrets have it.
pub(crate) fn word(variant: &impl Serialize) -> String {
    match serde_json::to_value(variant) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}
