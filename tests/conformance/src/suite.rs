//! A suite: calls and their expected results.

use std::{fs, path::Path};

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

/// One file of cases.
#[derive(Debug, Deserialize)]
pub(crate) struct Suite {
    pub(crate) suite: String,
    pub(crate) cases: Vec<Case>,
}

/// One call, and its expected result.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) call: String,
    pub(crate) args: Vec<Box<RawValue>>,
    /// Texts that the messages contain.
    #[serde(default)]
    pub(crate) says: Vec<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl Suite {
    pub(crate) fn read(file: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(file).map_err(|e| e.to_string())?;
        let suite: Self =
            serde_json::from_str(&text).map_err(|e| format!("expected a suite: {e}"))?;
        if suite.cases.is_empty() { Err("expected cases, found none".into()) } else { Ok(suite) }
    }
}

impl Case {
    /// The expected result in one of five forms, by its name:
    ///
    /// - `ok`: this answer; `accept`: any;
    /// - `finds`: an answer with a finding of this rule;
    /// - `permits`: the answer of `permits` with issues of code `rule` at these paths; without paths it is `{ok: true}`;
    /// - `err`: exactly its `issues`, by path and code, or else issues of any kind. Messages are for people.
    pub(crate) fn expected(&self) -> Result<(&'static str, &Value), String> {
        let forms = ["ok", "err", "accept", "finds", "permits"];
        let mut all = forms.into_iter().filter_map(|form| Some((form, self.rest.get(form)?)));
        match (all.next(), all.next()) {
            (Some(expected), None) => Ok(expected),
            _ => Err(format!("expected one of {forms:?} in the case")),
        }
    }

    /// What is expected in addition: `field` and `path` of a finding, or the `warns` of `signable`.
    pub(crate) fn also(&self, key: &str) -> Option<&Value> {
        self.rest.get(key)
    }
}
