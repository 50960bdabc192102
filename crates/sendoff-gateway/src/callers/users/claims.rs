//! The claims of a token about its user.

use std::{collections::HashMap, fmt};

use sendoff::value::Address;
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, Visitor},
};
use serde_json::Value;

use super::{Problem, Subject};
use crate::config;

/// The members of a JSON object. A name that is there twice is a problem, because two readers could use two values.
#[derive(Debug)]
pub(super) struct Claims(HashMap<String, Value>);

impl<'de> Deserialize<'de> for Claims {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Claims;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object without duplicate names")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Claims, A::Error> {
        let mut members = HashMap::new();
        while let Some((name, value)) = map.next_entry()? {
            if members.insert(name, value).is_some() {
                return Err(A::Error::custom("a duplicate name"));
            }
        }
        Ok(Claims(members))
    }
}

impl Claims {
    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.0.get(name).and_then(Value::as_bool)
    }

    /// A time in seconds since the epoch; `Err` for another value than a number.
    pub(super) fn seconds(&self, name: &str) -> Result<Option<f64>, Problem> {
        self.0.get(name).map(|value| value.as_f64().ok_or(Problem::Claims)).transpose()
    }

    /// The user with these claims.
    pub(super) fn subject(&self, rules: &config::Claims) -> Result<Subject, Problem> {
        let wallet: Option<Address> = self.text(&rules.wallet).and_then(|text| text.parse().ok());
        let wallet = wallet.ok_or(Problem::Claims)?;
        let application = match &rules.application {
            Some(claim) => self.text(claim).ok_or(Problem::Claims)?,
            None => rules.applications.first().map(String::as_str).unwrap_or_default(),
        };
        if !rules.applications.iter().any(|name| name == application) {
            return Err(Problem::Application);
        }
        Ok(Subject { application: application.to_owned(), wallet })
    }
}
