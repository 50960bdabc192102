//! Identification of callers.

#[cfg(test)]
mod tests {
    mod timing;
}

use std::{collections::HashMap, sync::Arc, time::Instant};

use axum::http::{HeaderMap, HeaderName, header};
use sendoff::http::{Bearer, Operation, Refusal, Side};

use crate::{
    config::{Application, Digest, Key, User},
    head::value,
    users::{Before, Problem, Subject, Users},
};

/// The header of an application's key.
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The callers of an environment, by the digests of their credentials.
#[derive(Debug)]
pub(crate) struct Callers {
    applications: HashMap<String, Arc<Application>>,
    tokens: HashMap<Digest, Entry>,
    keys: HashMap<Digest, Entry>,
    server_keys: HashMap<Digest, Entry>,
    /// The users whose tokens are not in the file.
    users: Users,
}

/// An identified caller.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The application whose window counts the calls.
    pub(crate) application: Arc<Application>,
    /// The user of a token; `None` for a key.
    pub(crate) user: Option<Arc<User>>,
}

/// A credential and its caller.
#[derive(Debug)]
struct Entry {
    /// When it ends, by the clock of this process.
    ends: Option<Instant>,
    caller: Caller,
}

impl Entry {
    /// The entry of a credential, with its digest.
    fn of(key: Key, caller: Caller) -> (Digest, Self) {
        let ends = key.ends_ms.map(|ms| caller.application.clock.at(ms));
        (key.sha256, Self { ends, caller })
    }

    /// The caller, unless the credential has ended.
    fn now(&self) -> Option<Caller> {
        let is_valid = self.ends.is_none_or(|ends| Instant::now() < ends);
        is_valid.then(|| self.caller.clone())
    }
}

/// A caller that is not identified.
#[derive(Debug)]
pub(crate) struct Unidentified {
    pub(crate) refusal: Refusal,
    /// Why the token has no user, for the log.
    pub(crate) problem: Option<Problem>,
}

/// The credentials of a request, and the caller of its key.
struct Presented {
    operation: Operation,
    key: Option<String>,
    authorization: Option<String>,
    by_key: Option<Caller>,
    token: Option<Bearer>,
}

impl Callers {
    pub(crate) fn new(applications: &[Arc<Application>], users: Users) -> Self {
        let mut callers = Self {
            applications: HashMap::new(),
            tokens: HashMap::new(),
            keys: HashMap::new(),
            server_keys: HashMap::new(),
            users,
        };
        for application in applications {
            let caller = |user| Caller { application: Arc::clone(application), user };
            callers.keys.extend(application.keys.iter().map(|key| Entry::of(*key, caller(None))));
            callers
                .server_keys
                .extend(application.server_keys.iter().map(|key| Entry::of(*key, caller(None))));
            let users = application.users.iter();
            callers
                .tokens
                .extend(users.map(|user| Entry::of(user.token, caller(Some(Arc::clone(user))))));
            callers.applications.insert(application.name.clone(), Arc::clone(application));
        }

        callers
    }

    /// The sources of users, for the callers of the next configuration.
    pub(crate) fn users(&self) -> &Users {
        &self.users
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
        let presented = self.presented(operation, headers)?;
        let Some(token) = presented.token() else { return presented.caller(None) };
        let found = match self.tokens.get(&Digest::of(token)) {
            Some(entry) => entry.now().ok_or(Problem::Expired),
            None => {
                let subject = self.users.find(token, before).await;
                subject.and_then(|subject| self.user(token, subject))
            }
        };
        presented.with(found)
    }

    /// Reads the credentials of a request, and looks up its key.
    fn presented(
        &self,
        operation: Operation,
        headers: &HeaderMap,
    ) -> Result<Presented, Unidentified> {
        let (key, authorization) =
            (value(headers, &API_KEY), value(headers, &header::AUTHORIZATION));
        let mut presented = Presented { operation, key, authorization, by_key: None, token: None };
        let is_of_server = operation.side() == Side::Server;

        if let Some(key) = &presented.key {
            let keys = if is_of_server { &self.server_keys } else { &self.keys };
            let caller = keys.get(&Digest::of(key)).and_then(Entry::now);
            presented.by_key = Some(caller.ok_or_else(|| presented.unidentified(None))?);
        }

        // Beside a server key, the gateway does not read other schemes.
        let token = presented
            .authorization
            .as_deref()
            .filter(|value| !is_of_server || Bearer::is_scheme_of(value));
        if let Some(value) = token {
            let bearer =
                value.parse().map_err(|_| presented.unidentified(Some(Problem::Malformed)))?;
            presented.token = Some(bearer);
        }

        Ok(presented)
    }

    /// The caller with the claims of a token.
    fn user(
        &self,
        token: &str,
        Subject { application, wallet }: Subject,
    ) -> Result<Caller, Problem> {
        let application = self.applications.get(&application).ok_or(Problem::Application)?;
        let user = User { token: Key::lasting(Digest::of(token)), user_swa: wallet };
        Ok(Caller { application: Arc::clone(application), user: Some(Arc::new(user)) })
    }
}

impl Presented {
    fn token(&self) -> Option<&str> {
        self.token.as_ref().map(Bearer::token)
    }

    /// The caller, if the token has one.
    fn with(&self, found: Result<Caller, Problem>) -> Result<Caller, Unidentified> {
        match found {
            Ok(user) => self.caller(Some(user)),
            Err(Problem::Busy) => Err(Unidentified { refusal: Refusal::BUSY, problem: None }),
            Err(Problem::Unavailable) => Err(Unidentified {
                refusal: Refusal::USERS_LOST,
                problem: Some(Problem::Unavailable),
            }),
            Err(problem) => Err(self.unidentified(Some(problem))),
        }
    }

    /// The caller of a key and a token that are valid.
    fn caller(&self, by_token: Option<Caller>) -> Result<Caller, Unidentified> {
        let is_of_server = self.operation.side() == Side::Server;
        let caller = match (self.by_key.clone(), by_token) {
            (Some(key), Some(user)) if key.application.name != user.application.name => None,
            (Some(key), _) if is_of_server => Some(key),
            (Some(key), None) if self.operation.takes_key() => Some(key),
            (_, user) if !is_of_server => user,
            _ => None,
        };
        caller.ok_or_else(|| self.unidentified(None))
    }

    fn unidentified(&self, problem: Option<Problem>) -> Unidentified {
        let (authorization, key) = (self.authorization.as_deref(), self.key.as_deref());
        Unidentified { refusal: Refusal::unidentified(self.operation, authorization, key), problem }
    }
}
