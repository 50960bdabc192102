//! The last refusals of each application, in the memory of this process.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use schemars::JsonSchema;
use serde::Serialize;

use crate::limits::store::lock;

/// How many refusals of an application are kept.
const MOST: usize = 20;

/// The last refusals, by environment and application.
#[derive(Default)]
pub(crate) struct Recent(Mutex<HashMap<(String, String), VecDeque<Refused>>>);

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
    pub(crate) fn note(&self, environment: &str, application: &str, refused: Refused) {
        let mut all = lock(&self.0);
        let of = all.entry((environment.to_owned(), application.to_owned())).or_default();
        of.truncate(MOST.saturating_sub(1));
        of.push_front(refused);
    }

    /// Forgets the applications for which `keeps` is false.
    pub(crate) fn retain(&self, keeps: impl Fn(&str, &str) -> bool) {
        lock(&self.0).retain(|(environment, application), _| keeps(environment, application));
    }

    /// The refusals of an application, the last one first.
    pub(crate) fn of(&self, environment: &str, application: &str) -> Vec<Refused> {
        let all = lock(&self.0);
        let of = all.get(&(environment.to_owned(), application.to_owned()));
        of.map(|of| of.iter().cloned().collect()).unwrap_or_default()
    }
}
