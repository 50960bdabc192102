//! Who calls.

#[cfg(test)]
mod timing;

use std::{collections::HashMap, sync::Arc};

use axum::http::{HeaderMap, HeaderName, header};
use sendoff::service::{Bearer, Operation, Refusal, Side};

use crate::config::{Application, Digest, User};

/// The header of an application's key.
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Everybody who may call an environment, by what they show.
#[derive(Debug)]
pub(crate) struct Callers {
    users: HashMap<Digest, Caller>,
    keys: HashMap<Digest, Caller>,
    server_keys: HashMap<Digest, Caller>,
}

/// An identified caller.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// Whose calls are counted.
    pub(crate) application: Arc<Application>,
    /// Whose token it is; none for a key.
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
    /// 401 ([`Refusal::unidentified`]). It is the same for a key that nobody has and one that has another use.
    pub(crate) fn identify(&self, operation: Operation, headers: &HeaderMap) -> Result<Caller, Refusal> {
        let (key, authorization) = (value(headers, &API_KEY), value(headers, &header::AUTHORIZATION));
        let (key, authorization) = (key.as_deref(), authorization.as_deref());
        let caller = self.caller(operation, key, authorization);
        caller.cloned().ok_or_else(|| Refusal::unidentified(operation, authorization, key))
    }

    fn caller(&self, operation: Operation, key: Option<&str>, authorization: Option<&str>) -> Option<&Caller> {
        let is_of_server = operation.side() == Side::Server;
        let keys = if is_of_server { &self.server_keys } else { &self.keys };
        let by_key = key.map(|key| keys.get(&Digest::of(key)).ok_or(Nobody)).transpose().ok()?;
        // Beside a server key other schemes are not the gateway's.
        let token = authorization.filter(|value| !is_of_server || Bearer::is_scheme_of(value));
        let by_token = token.map(|token| self.user(token).ok_or(Nobody)).transpose().ok()?;
        match (by_key, by_token) {
            (Some(key), Some(user)) if key.application.name != user.application.name => None,
            (Some(key), _) if is_of_server => Some(key),
            (Some(key), None) if operation.takes_key() => Some(key),
            (_, user) if !is_of_server => user,
            _ => None,
        }
    }

    /// Whose token the value of an `Authorization` header has.
    fn user(&self, authorization: &str) -> Option<&Caller> {
        let bearer: Bearer = authorization.parse().ok()?;
        self.users.get(&Digest::of(bearer.token()))
    }
}

/// Who shows what nobody has.
struct Nobody;

/// The value of a header, its values as one list where there are several (RFC 9110, section 5.3).
fn value(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let values: Vec<_> = headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    (!values.is_empty()).then(|| values.join(", "))
}
