//! Identification of callers.

pub(crate) mod book;
mod cors;
pub(crate) mod slots;
pub(crate) mod users;

#[cfg(test)]
mod tests {
    mod timing;
}

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use axum::http::{HeaderMap, HeaderName, header};
use sendoff::http::{Bearer, Operation, Refusal, Side};
use sendoff::value::Address;

use crate::callers::users::{Before, Problem, Subject, Users};
use crate::config::{Digest, Holder};
use crate::database::Application;
use crate::message::head::value;

/// The header of an application's key.
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The callers of an environment, by the digests of their credentials.
pub(crate) struct Callers {
    applications: HashMap<String, Arc<Application>>,
    credentials: HashMap<Digest, Entry>,
    /// The users whose tokens are not in the file.
    pub(crate) users: Users,
}

/// An identified caller.
#[derive(Clone)]
pub(crate) struct Caller {
    /// The application whose window counts the calls.
    pub(crate) application: Arc<Application>,
    /// The smart wallet of the user of a token; `None` for a key.
    pub(crate) wallet: Option<Address>,
    /// The start of the digest of the user's wallet, for the log; empty without a user.
    pub(crate) label: Arc<str>,
}

impl Caller {
    fn new(application: &Arc<Application>, wallet: Option<Address>) -> Self {
        let label = wallet.map(|wallet| Digest::of(&wallet.to_string()).start());
        let (application, label) = (Arc::clone(application), label.unwrap_or_default().into());
        Self { application, wallet, label }
    }
}

/// A credential and its caller.
struct Entry {
    of: Holder,
    /// When it ends, by the clock of this process.
    ends: Option<Instant>,
    caller: Caller,
}

impl Entry {
    /// The caller, unless the credential has ended.
    fn now(&self) -> Option<Caller> {
        let is_valid = self.ends.is_none_or(|ends| Instant::now() < ends);
        is_valid.then(|| self.caller.clone())
    }
}

/// A caller that is not identified.
pub(crate) struct Unidentified {
    pub(crate) refusal: Refusal,
    /// Why the token has no user, for the log.
    pub(crate) problem: Option<Problem>,
}

impl Callers {
    pub(crate) fn new(applications: &[Arc<Application>], users: Users) -> Self {
        let (mut by_name, mut credentials) = (HashMap::new(), HashMap::new());
        for application in applications {
            for key in &application.keys {
                let ends = key.ends_ms.map(|ms| application.clock.at(ms));
                let caller = Caller::new(application, key.of.wallet());
                credentials.insert(key.sha256, Entry { of: key.of, ends, caller });
            }
            by_name.insert(application.name.as_str().to_owned(), Arc::clone(application));
        }
        Self { applications: by_name, credentials, users }
    }

    /// The caller of an operation. `before` is called before another server is asked for the user.
    ///
    /// Server operations take an application's server key; a token beside it must be the same application's. Client operations
    /// take a user's token; a key beside it must be the same application's. The lists of networks and tokens take a key alone
    /// as well. The specification shows only the token of the estimate, and that the two lists are a key's.
    ///
    /// # Errors
    ///
    /// 401 ([`Refusal::unidentified`]). An unknown key and a key for another use have the same reply. 503 if the token's issuer
    /// does not answer, or `before` refuses.
    pub(crate) async fn identify(
        &self,
        operation: Operation,
        headers: &HeaderMap,
        before: Before<'_>,
    ) -> Result<Caller, Unidentified> {
        let (key, authorization) =
            (value(headers, &API_KEY), value(headers, &header::AUTHORIZATION));
        let (key, authorization) = (key.as_deref(), authorization.as_deref());
        let refused = |problem| {
            let refusal = match problem {
                Some(Problem::Busy) => Refusal::BUSY,
                Some(Problem::Unavailable) => Refusal::USERS_LOST,
                _ => Refusal::unidentified(operation, authorization, key),
            };
            Unidentified { refusal, problem }
        };

        let is_of_server = operation.side() == Side::Server;
        let side = if is_of_server { Holder::Server } else { Holder::Client };
        let of_key = |key| {
            let entry = self.credentials.get(&Digest::of(key));
            entry.filter(|entry| entry.of == side).and_then(Entry::now)
        };
        let by_key = key.map(|key| of_key(key).ok_or_else(|| refused(None))).transpose()?;

        // Beside a server key, the gateway does not read other schemes.
        let token = authorization.filter(|value| !is_of_server || Bearer::is_scheme_of(value));
        let by_token = match token.map(str::parse::<Bearer>) {
            None => None,
            Some(Err(_)) => return Err(refused(Some(Problem::Malformed))),
            Some(Ok(bearer)) => {
                let found = self.user(bearer.token(), before).await;
                Some(found.map_err(|problem| refused(Some(problem)))?)
            }
        };

        let caller = match (by_key, by_token) {
            (Some(key), Some(user)) if key.application.name != user.application.name => None,
            (Some(key), _) if is_of_server => Some(key),
            (Some(key), None) if operation.takes_key() => Some(key),
            (_, user) if !is_of_server => user,
            _ => None,
        };
        caller.ok_or_else(|| refused(None))
    }

    /// The caller with a token.
    async fn user(&self, token: &str, before: Before<'_>) -> Result<Caller, Problem> {
        let entry = self.credentials.get(&Digest::of(token));
        if let Some(entry) = entry.filter(|entry| entry.of.wallet().is_some()) {
            return entry.now().ok_or(Problem::Expired);
        }
        let Subject { application, wallet } = self.users.find(token, before).await?;
        let application = self.applications.get(&application).ok_or(Problem::Application)?;
        Ok(Caller::new(application, Some(wallet)))
    }
}
