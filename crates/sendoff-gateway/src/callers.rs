//! Identification of callers.

#[cfg(test)]
mod timing;

use std::{collections::HashMap, sync::Arc};

use axum::http::{HeaderMap, HeaderName, header};
use sendoff::service::{Bearer, Operation, Refusal, Side};

use crate::{
    config::{Application, Digest, User},
    head::value,
};

/// The header of an application's key.
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The callers of an environment, by the digests of their credentials.
#[derive(Debug)]
pub(crate) struct Callers {
    users: HashMap<Digest, Caller>,
    keys: HashMap<Digest, Caller>,
    server_keys: HashMap<Digest, Caller>,
}

/// An identified caller.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The application whose window counts the calls.
    pub(crate) application: Arc<Application>,
    /// The user of a token; `None` for a key.
    pub(crate) user: Option<Arc<User>>,
}

impl Callers {
    pub(crate) fn new(applications: Vec<Application>) -> Self {
        let mut callers = Self { users: HashMap::new(), keys: HashMap::new(), server_keys: HashMap::new() };
        for application in applications.into_iter().map(Arc::new) {
            let caller = |user| Caller { application: Arc::clone(&application), user };
            callers.keys.extend(application.keys.iter().map(|key| (*key, caller(None))));
            callers.server_keys.extend(application.server_keys.iter().map(|key| (*key, caller(None))));
            let users = application.users.iter().cloned().map(Arc::new);
            callers.users.extend(users.map(|user| (user.token, caller(Some(user)))));
        }
        callers
    }

    /// The caller of an operation.
    ///
    /// Server operations take an application's server key; a token beside it must be the same application's. Client operations
    /// take a user's token; a key beside it must be the same application's. The lists of networks and tokens take a key alone
    /// as well. The specification shows only the token of the estimate, and that the two lists are a key's.
    ///
    /// # Errors
    ///
    /// 401 ([`Refusal::unidentified`]). An unknown key and a key for another use have the same reply.
    pub(crate) fn identify(&self, operation: Operation, headers: &HeaderMap) -> Result<Caller, Refusal> {
        let (key, authorization) = (value(headers, &API_KEY), value(headers, &header::AUTHORIZATION));
        let (key, authorization) = (key.as_deref(), authorization.as_deref());
        let caller = self.caller(operation, key, authorization);
        caller.cloned().ok_or_else(|| Refusal::unidentified(operation, authorization, key))
    }

    fn caller(&self, operation: Operation, key: Option<&str>, authorization: Option<&str>) -> Option<&Caller> {
        let is_of_server = operation.side() == Side::Server;
        let keys = if is_of_server { &self.server_keys } else { &self.keys };
        let by_key = key.map(|key| keys.get(&Digest::of(key)).ok_or(Unknown)).transpose().ok()?;
        // Beside a server key, the gateway does not read other schemes.
        let token = authorization.filter(|value| !is_of_server || Bearer::is_scheme_of(value));
        let by_token = token.map(|token| self.user(token).ok_or(Unknown)).transpose().ok()?;
        match (by_key, by_token) {
            (Some(key), Some(user)) if key.application.name != user.application.name => None,
            (Some(key), _) if is_of_server => Some(key),
            (Some(key), None) if operation.takes_key() => Some(key),
            (_, user) if !is_of_server => user,
            _ => None,
        }
    }

    /// The user of the token in the value of an `Authorization` header.
    fn user(&self, authorization: &str) -> Option<&Caller> {
        let bearer: Bearer = authorization.parse().ok()?;
        self.users.get(&Digest::of(bearer.token()))
    }
}

/// An unknown credential.
struct Unknown;
