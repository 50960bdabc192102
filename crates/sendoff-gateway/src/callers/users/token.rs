//! JSON Web Tokens of users, and the claims about a user.

use std::collections::HashMap;
use std::sync::Arc;

use jsonwebtoken::dangerous::insecure_decode_claims;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode, decode_header};
use sendoff::value::Address;
use serde::Deserialize;
use serde_json::Value;
use serde_with::rust::maps_duplicate_key_is_error;

use super::keys::Keys;
use super::{Asked, Before, Problem, Subject};
use crate::config;

/// The claim of the issuer, before the signature is checked. It selects the issuer whose keys and rules are used.
#[derive(Deserialize)]
pub(super) struct Issued {
    iss: String,
}

impl Issued {
    /// Reads a text in the form of a JSON Web Token; `None` for another text.
    pub(super) fn by(token: &str) -> Option<String> {
        // Its length has the limit of heads.
        let is_jwt = token.bytes().filter(|byte| *byte == b'.').count() == 2;
        let issued: Issued = is_jwt.then(|| insecure_decode_claims(token).ok()).flatten()?;
        Some(issued.iss)
    }
}

impl Keys {
    /// The user of a token of this issuer.
    pub(super) async fn subject_of(
        self: &Arc<Self>,
        token: &str,
        before: Before<'_>,
    ) -> Asked<Subject> {
        let header = decode_header(token).map_err(|_| Problem::Malformed)?;
        // Extensions that must be understood (RFC 7515, section 4.1.11). None is.
        if header.crit.is_some() {
            return Err(Problem::Malformed);
        }
        if !self.config.algorithms.contains(&header.alg) {
            return Err(Problem::Algorithm);
        }
        let key = self.find(header.kid.as_deref(), header.alg, before).await?;

        let mut rules = Validation::new(header.alg);
        rules.set_required_spec_claims(&["exp", "iss", "aud"]);
        rules.set_issuer(&[&self.config.name]);
        rules.set_audience(&[&self.config.audience]);
        rules.validate_nbf = true;
        rules.leeway = self.config.skew.as_secs();
        let read = decode::<Claims>(token, &key, &rules);
        let read = read.map_err(|error| Problem::from(error.kind()))?;
        read.claims.subject(&self.config.claims)
    }
}

impl From<&ErrorKind> for Problem {
    fn from(kind: &ErrorKind) -> Self {
        match kind {
            ErrorKind::InvalidSignature => Self::Signature,
            ErrorKind::ExpiredSignature => Self::Expired,
            ErrorKind::ImmatureSignature => Self::NotYetValid,
            ErrorKind::InvalidIssuer => Self::Issuer,
            ErrorKind::InvalidAudience => Self::Audience,
            ErrorKind::MissingRequiredClaim(_)
            | ErrorKind::InvalidClaimFormat(_)
            | ErrorKind::Json(_) => Self::Claims,
            ErrorKind::InvalidAlgorithm => Self::Algorithm,
            _ => Self::Malformed,
        }
    }
}

/// The members of a JSON object. A name that is there twice is a problem, because two readers could use two values.
#[derive(Deserialize)]
pub(super) struct Claims(
    #[serde(deserialize_with = "maps_duplicate_key_is_error::deserialize")] HashMap<String, Value>,
);

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
