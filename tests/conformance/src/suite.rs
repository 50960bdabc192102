//! A suite: calls and their expected results.

use std::{collections::BTreeSet, fs, path::Path};

use serde::{Deserialize, Deserializer};
use serde_json::{Value, value::RawValue};

/// One file of cases.
#[derive(Debug, Deserialize)]
pub(crate) struct Suite {
    pub(crate) suite: String,
    pub(crate) cases: Vec<Case>,
}

/// One call, and its expected result in one of five forms.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) call: String,
    pub(crate) args: Vec<Box<RawValue>>,
    #[serde(default, deserialize_with = "present")]
    ok: Option<Value>,
    err: Option<Refusal>,
    accept: Option<bool>,
    pub(crate) finds: Option<String>,
    permits: Option<BTreeSet<String>>,
    /// In addition to `finds`: the field that the finding names, and its path.
    pub(crate) field: Option<String>,
    pub(crate) path: Option<String>,
    /// In addition to `ok`: the warnings of `signable`, each once.
    pub(crate) warns: Option<BTreeSet<Issue>>,
    /// Texts that the messages contain.
    #[serde(default)]
    pub(crate) says: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Refusal {
    issues: Option<BTreeSet<Issue>>,
}

/// The parts of an issue that vectors compare. Messages are for people.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Issue {
    pub(crate) path: String,
    pub(crate) code: String,
}

/// The expected result of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected<'a> {
    /// This answer.
    Ok(&'a Value),
    /// Any answer.
    Accept,
    /// An answer with a finding of this rule.
    Finds(&'a str),
    /// The answer of `permits` with issues of code `rule` at these paths; without paths it is `{ok: true}`.
    Permits(&'a BTreeSet<String>),
    /// Exactly these issues.
    Issues(&'a BTreeSet<Issue>),
    /// Issues of any kind.
    Err,
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
    pub(crate) fn expected<'a>(&'a self) -> Result<Expected<'a>, String> {
        let issues =
            |refusal: &'a Refusal| refusal.issues.as_ref().map_or(Expected::Err, Expected::Issues);
        let all = [
            self.ok.as_ref().map(Expected::Ok),
            self.err.as_ref().map(issues),
            self.accept.filter(|accept| *accept).map(|_| Expected::Accept),
            self.finds.as_deref().map(Expected::Finds),
            self.permits.as_ref().map(Expected::Permits),
        ];
        let [Some(expected)] = all.into_iter().filter(Option::is_some).collect::<Vec<_>>()[..]
        else {
            let forms = "`ok`, `err`, `accept: true`, `finds` and `permits`";
            return Err(format!("expected one of {forms} in the case"));
        };
        Ok(expected)
    }
}

/// Distinguishes `ok: null`, which expects null, from an absent `ok`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
