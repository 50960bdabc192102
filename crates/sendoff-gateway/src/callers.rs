//! Who calls.

use std::{collections::HashMap, sync::Arc};

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use sendoff::service::{Bearer, Operation, Side};

use crate::{
    config::{Application, Digest, User},
    envelope::Failure,
};

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
    /// Server operations take an application's server key; a token beside it must be the same application's. Client operations take a user's token; a key beside it must be
    /// the same application's. The lists of networks and tokens take a key alone as well. The specification shows only the
    /// token of the estimate, and that the two lists are a key's.
    ///
    /// # Errors
    ///
    /// 401 with the scheme that is wanted. It is the same for a key that nobody has and one that has another use.
    pub(crate) fn identify(&self, operation: Operation, headers: &HeaderMap) -> Result<Caller, Failure> {
        let key = one(headers, &API_KEY).map_err(|found| key_failure(&found).with_code("ER-TECH-0007"))?;
        if operation.side() == Side::Server {
            let key = key.ok_or_else(|| key_failure("none").with_code("ER-TECH-0007"))?;
            let caller = self.server_keys.get(&Digest::of(key));
            let caller = caller.ok_or_else(|| key_failure("another").with_code("OAU_401"))?;
            self.expect_theirs(caller, headers)?;
            return Ok(caller.clone());
        }
        let by_key = match key {
            Some(key) => match self.keys.get(&Digest::of(key)) {
                Some(caller) => Some(caller),
                None => return Err(key_failure("another").with_code("ER-TECH-0007")),
            },
            None => None,
        };
        let takes_key = matches!(operation, Operation::SupportedNetworks | Operation::SupportedTokens);
        let authorization = authorization(headers)?;
        match (authorization, by_key) {
            (None, Some(caller)) if takes_key => Ok(caller.clone()),
            (None, _) => Err(token_failure("Bearer", "expected the header `authorization`, found none")),
            (Some(value), by_key) => {
                let bearer: Bearer =
                    value.parse().map_err(|error| token_failure("Bearer", &format!("authorization: {error}")))?;
                let caller = self.users.get(&Digest::of(bearer.token()));
                let is_theirs =
                    |caller: &&Caller| by_key.is_none_or(|by_key| by_key.application.name == caller.application.name);
                caller.filter(is_theirs).cloned().ok_or_else(invalid_token)
            }
        }
    }

    /// A token beside a server key, which the backend sees too: it must be the same application's. Other schemes are not the
    /// gateway's.
    fn expect_theirs(&self, caller: &Caller, headers: &HeaderMap) -> Result<(), Failure> {
        let is_bearer =
            |value: &&str| value.split(' ').next().is_some_and(|scheme| scheme.eq_ignore_ascii_case("Bearer"));
        let Some(value) = authorization(headers)?.filter(is_bearer) else { return Ok(()) };
        let bearer: Bearer = value.parse().map_err(|_| invalid_token())?;
        let user = self.users.get(&Digest::of(bearer.token()));
        let is_theirs = user.is_some_and(|user| user.application.name == caller.application.name);
        is_theirs.then_some(()).ok_or_else(invalid_token)
    }
}

fn authorization(headers: &HeaderMap) -> Result<Option<&str>, Failure> {
    one(headers, &header::AUTHORIZATION).map_err(|found| {
        token_failure("Bearer", &format!("expected one value of the header `authorization`, found {found}"))
    })
}

fn invalid_token() -> Failure {
    token_failure(r#"Bearer error="invalid_token""#, "expected a token that is valid here, found another")
}

/// The one value of a header; else what was found in its place.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, String> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| "characters outside of ASCII".into()),
        (Some(_), Some(_)) => Err("several".into()),
    }
}

fn token_failure(challenge: &'static str, message: &str) -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, message)
        .with_code("ER-TECH-0007")
        .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge))
}

/// No scheme is registered for keys in a header of their own; every 401 needs a challenge (RFC 9110, 15.5.2).
fn key_failure(found: &str) -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, format!("expected a valid key in the header `x-api-key`, found {found}"))
        .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("ApiKey"))
}
