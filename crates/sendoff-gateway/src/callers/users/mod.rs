//! Users whose tokens are not in the file: those of issuers of JSON Web Tokens, and those that a
//! server knows.

mod introspection;
mod keys;
mod token;
mod verifier;

use std::sync::Arc;

use sendoff::value::Address;
use serde::Serialize;

use self::introspection::Introspection;
use self::keys::Keys;
use self::token::Issued;
use crate::config::{self, Environment};
use crate::observe::metrics::METRICS;

/// The sources of an environment's users.
#[derive(Clone, Default)]
pub(crate) struct Users {
    issuers: Vec<Arc<Keys>>,
    introspection: Option<Arc<Introspection>>,
}

/// What asks other servers about the users of an environment.
#[derive(Clone)]
struct Asker {
    environment: String,
    client: reqwest::Client,
}

impl Asker {
    fn count(&self, source: &str, outcome: &str) {
        METRICS.users_asked.with([&self.environment, source, outcome]).inc();
    }
}

/// The user of a token.
#[derive(Clone)]
pub(crate) struct Subject {
    /// The name of the application.
    pub(crate) application: String,
    /// The smart wallet.
    pub(crate) wallet: Address,
}

/// Why a token has no user. The caller is not told, the log is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Problem {
    /// It is no JSON Web Token, or has a part that cannot be read.
    Malformed,
    /// It is signed by an algorithm that the file does not name.
    Algorithm,
    /// It is from another issuer.
    Issuer,
    /// It is for another audience.
    Audience,
    /// Its key is not among those of the issuer.
    Key,
    /// Its signature is wrong.
    Signature,
    /// It has ended.
    Expired,
    /// It has not begun.
    NotYetValid,
    /// A claim is absent, there twice, or of another type.
    Claims,
    /// It is for an application that its source may not name, or that is not there.
    Application,
    /// Nobody knows it.
    Unknown,
    /// Its source does not answer.
    Unavailable,
    /// Too many others wait for its source.
    Busy,
}

/// Called before another server is asked for a token; its error is the answer then.
pub(crate) type Before<'a> = &'a mut (dyn FnMut() -> Result<(), Problem> + Send);

/// The answer about a token.
type Asked<Answer> = Result<Answer, Problem>;

impl Users {
    /// The sources of an environment.
    ///
    /// # Errors
    ///
    /// A sentence about a file of keys that cannot be used.
    pub(crate) fn new(environment: &Environment, client: &reqwest::Client) -> Result<Self, String> {
        // This fails if it was installed before. It is installed nowhere else.
        let _installed = verifier::PROVIDER.install_default();
        let asker = Asker { environment: environment.name.clone(), client: client.clone() };
        let issuer = |config: &config::Issuer| {
            Keys::new(config.clone(), asker.clone()).map(Arc::new).map_err(|why| {
                let (environment, issuer) = (&environment.name, &config.name);
                format!(
                    "environment.{environment}.jwt: the keys of `{issuer}` cannot be used: {why}"
                )
            })
        };
        let issuers = environment.issuers.iter().map(issuer).collect::<Result<_, _>>()?;
        let introspection = environment.introspection.clone();
        let introspection = introspection.map(|config| Arc::new(Introspection::new(config, asker)));
        Ok(Self { issuers, introspection })
    }

    /// The user of a token. `before` is called before another server is asked.
    pub(crate) async fn find(&self, token: &str, before: Before<'_>) -> Asked<Subject> {
        match (self.issuer(token), &self.introspection) {
            (Ok(issuer), _) => issuer.subject_of(token, before).await,
            (Err(_), Some(introspection)) => introspection.find(token, before).await,
            (Err(problem), None) => Err(problem),
        }
    }

    /// The issuer that a token names.
    fn issuer(&self, token: &str) -> Result<&Arc<Keys>, Problem> {
        if self.issuers.is_empty() {
            return Err(Problem::Unknown);
        }
        let name = Issued::by(token).ok_or(Problem::Malformed)?;
        self.issuers.iter().find(|issuer| issuer.config.name == name).ok_or(Problem::Issuer)
    }
}
