//! JSON Web Tokens of users.

use std::sync::Arc;

use jsonwebtoken::{
    DecodingKey, Header, Validation, dangerous::insecure_decode_claims, decode, decode_header,
    errors::ErrorKind,
};
use serde::Deserialize;

use super::{Asked, Before, Problem, Subject, claims::Claims, keys::Keys};
use crate::config;

/// An issuer with its keys.
#[derive(Clone, Debug)]
pub(super) struct Issuer {
    pub(super) config: config::Issuer,
    pub(super) keys: Arc<Keys>,
}

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

impl Issuer {
    /// The user of a token.
    pub(super) async fn find(&self, token: &str, before: Before<'_>) -> Asked<Subject> {
        let header = self.header(token)?;
        let key = self.keys.find(header.kid.as_deref(), header.alg, before).await?;
        self.subject(token, &header, &key)
    }

    fn header(&self, token: &str) -> Asked<Header> {
        let header = decode_header(token).map_err(|_| Problem::Malformed)?;
        // Extensions that must be understood (RFC 7515, section 4.1.11). None is.
        if header.crit.is_some() {
            return Err(Problem::Malformed);
        }
        if !self.config.algorithms.contains(&header.alg) {
            return Err(Problem::Algorithm);
        }
        Ok(header)
    }

    fn subject(&self, token: &str, header: &Header, key: &DecodingKey) -> Asked<Subject> {
        let mut rules = Validation::new(header.alg);
        rules.set_required_spec_claims(&["exp", "iss", "aud"]);
        rules.set_issuer(&[&self.config.name]);
        rules.set_audience(&[&self.config.audience]);
        rules.validate_nbf = true;
        rules.leeway = self.config.skew.as_secs();
        let read =
            decode::<Claims>(token, key, &rules).map_err(|error| Problem::from(error.kind()))?;
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
