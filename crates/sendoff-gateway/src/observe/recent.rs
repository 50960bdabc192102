//! The last refusals of an application, in the memory of this process.

use std::collections::VecDeque;
use std::sync::Mutex;

use schemars::JsonSchema;
use serde::Serialize;

use crate::limits::store::lock;

/// How many refusals of an application are kept.
const MOST: usize = 20;

/// The last refusals of an application. A change of it forgets none.
#[derive(Default)]
pub(crate) struct Recent(Mutex<VecDeque<Refused>>);

/// A request that was refused. It has no credential, no path and no address.
#[derive(Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Refused {
    /// In milliseconds since 1970.
    pub(crate) at: u64,
    pub(crate) operation: &'static str,
    pub(crate) status: u16,
    /// The name of the refusal.
    pub(crate) reason: &'static str,
    /// The place of the first problem of the document; empty for a refusal of another kind.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(default)]
    pub(crate) issue: String,
    pub(crate) trace_id: String,
}

impl Recent {
    /// Notes a refusal, in the place of the oldest one if there are many.
    pub(crate) fn note(&self, refused: Refused) {
        let mut all = lock(&self.0);
        all.truncate(MOST.saturating_sub(1));
        all.push_front(refused);
    }

    /// The refusals, the last one first.
    pub(crate) fn all(&self) -> Vec<Refused> {
        lock(&self.0).iter().cloned().collect()
    }
}
