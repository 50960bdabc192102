//! Users whose tokens are not in the file: those of an issuer of JSON Web Tokens, and those that a
//! server knows.

use std::{collections::HashSet, path::PathBuf, time::Duration};

use axum::http::HeaderValue;
use jsonwebtoken::Algorithm;

use super::{
    read::{count, milliseconds, ms},
    secret::{Variables, secret},
    toml::{Place, Table},
    url::url,
};

/// An issuer of JSON Web Tokens (RFC 7519) for users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// The claim `iss` of its tokens.
    pub name: String,
    /// The value that the claim `aud` must contain.
    pub audience: String,
    /// The algorithms of its signatures. All of them have a public key.
    pub algorithms: Vec<Algorithm>,
    /// Its public keys.
    pub keys: KeySet,
    /// How far its clock may differ from the gateway's.
    pub skew: Duration,
    /// The claims about a user.
    pub claims: Claims,
}

/// The public keys of an issuer, as a JSON Web Key Set (RFC 7517).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySet {
    /// Where it is.
    pub source: KeySource,
    /// How long a request for it may take.
    pub timeout: Duration,
    /// How long it is used before it is read again.
    pub refresh: Duration,
    /// The least time between two reads for a key that is not in it.
    pub retry: Duration,
}

/// The place of a key set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// An address.
    Url(String),
    /// A file.
    File(PathBuf),
}

/// A server that knows the users of opaque tokens (RFC 7662).
#[derive(Clone, PartialEq, Eq)]
pub struct Introspection {
    /// Its address, which may contain a secret.
    pub url: String,
    /// The value of `authorization` in requests to it.
    pub authorization: Option<HeaderValue>,
    /// How long it may take.
    pub timeout: Duration,
    /// The maximum number of requests to it at once.
    pub requests: usize,
    /// The number of tokens whose answers are kept, and the number of unknown tokens.
    pub cache: usize,
    /// How long an answer about a known token is kept.
    pub keep: Duration,
    /// How long a token is known as unknown.
    pub keep_unknown: Duration,
    /// The claims about a user.
    pub claims: Claims,
}

impl std::fmt::Debug for Introspection {
    /// Omits the address and the header.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Introspection").field("claims", &self.claims).finish_non_exhaustive()
    }
}

/// The claims that contain a user's wallet and application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The claim with the user's smart wallet.
    pub wallet: String,
    /// The applications whose users are named here. Others are refused.
    pub applications: Vec<String>,
    /// The claim with the application; `None` if there is only one.
    pub application: Option<String>,
}

/// The algorithms that can be named. The others have a secret, which the issuer would have to share.
const ALGORITHMS: [(&str, Algorithm); 9] = [
    ("ES256", Algorithm::ES256),
    ("ES384", Algorithm::ES384),
    ("EdDSA", Algorithm::EdDSA),
    ("PS256", Algorithm::PS256),
    ("PS384", Algorithm::PS384),
    ("PS512", Algorithm::PS512),
    ("RS256", Algorithm::RS256),
    ("RS384", Algorithm::RS384),
    ("RS512", Algorithm::RS512),
];

/// The largest difference of clocks that can be allowed, in milliseconds.
const MOST_SKEW_MS: i64 = 300_000;

/// Reads the issuers of an environment with applications of these names; `None` if those could not be read.
pub(super) fn issuers(environment: &mut Table<'_>, names: Option<&[&str]>) -> Option<Vec<Issuer>> {
    let mut seen = HashSet::new();
    let read = |place: &Place<'_>| {
        let issuer = issuer(place, names)?;
        if !seen.insert(issuer.name.clone()) {
            place.push(format!("expected each issuer once, found `{}` again", issuer.name));
        }
        Some(issuer)
    };
    let issuers: Vec<_> = environment.list("jwt")?.iter().map(read).collect();
    issuers.into_iter().collect()
}

fn issuer(place: &Place<'_>, names: Option<&[&str]>) -> Option<Issuer> {
    let mut table = place.table()?;
    let name = table.required("issuer").and_then(|place| filled(&place));
    let audience = table.required("audience").and_then(|place| filled(&place));
    let algorithms = table.required("algorithms").and_then(|place| algorithms(&place));
    let source = table.required("keys").and_then(|place| key_source(&place));
    let timeout = milliseconds(&mut table, "ms", ms(2_000));
    let refresh = milliseconds(&mut table, "refresh_ms", ms(300_000));
    let retry = milliseconds(&mut table, "retry_ms", ms(10_000));
    let skew = table.or("skew_ms", ms(30_000), |place| place.integer(0..=MOST_SKEW_MS).map(ms));
    let claims = claims(&mut table, names);
    table.close();

    let keys = KeySet { source: source?, timeout: timeout?, refresh: refresh?, retry: retry? };
    Some(Issuer {
        name: name?,
        audience: audience?,
        algorithms: algorithms?,
        keys,
        skew: skew?,
        claims: claims?,
    })
}

/// Reads a server of introspection, as [`issuers`].
pub(super) fn introspection(
    place: &Place<'_>,
    names: Option<&[&str]>,
    variables: Variables<'_>,
) -> Option<Introspection> {
    let mut table = place.table()?;
    let url = table.required("url").and_then(|place| url(&place));
    let authorization = table.or("authorization", None, |place| {
        let secret = secret(place, variables)?;
        let Ok(mut value) = HeaderValue::from_str(&secret) else {
            return place.misformed("the value of the header `authorization`", &secret);
        };
        value.set_sensitive(true);
        Some(Some(value))
    });
    let timeout = milliseconds(&mut table, "ms", ms(1_000));
    let requests = count(&mut table, "requests", 64);
    let cache = count(&mut table, "cache", 10_000);
    let keep = milliseconds(&mut table, "keep_ms", ms(60_000));
    let keep_unknown = milliseconds(&mut table, "keep_unknown_ms", ms(5_000));
    let claims = claims(&mut table, names);
    table.close();

    Some(Introspection {
        url: url?,
        authorization: authorization?,
        timeout: timeout?,
        requests: requests?,
        cache: cache?,
        keep: keep?,
        keep_unknown: keep_unknown?,
        claims: claims?,
    })
}

fn algorithms(place: &Place<'_>) -> Option<Vec<Algorithm>> {
    let items = place.items()?;
    if items.is_empty() {
        place.push("expected the names of algorithms such as `ES256`, found none".into());
        return None;
    }
    // Every item is read, even after an item with problems.
    let read: Vec<_> = items.iter().map(algorithm).collect();
    read.into_iter().collect()
}

fn algorithm(place: &Place<'_>) -> Option<Algorithm> {
    let text = place.text()?;
    let found = ALGORITHMS.iter().find(|(name, _)| *name == text).map(|(_, algorithm)| *algorithm);
    found.or_else(|| {
        let names: Vec<_> = ALGORITHMS.iter().map(|(name, _)| *name).collect();
        place.misformed(&format!("an algorithm with a public key ({})", names.join(", ")), text)
    })
}

/// An address, or `{ file = "PATH" }`.
fn key_source(place: &Place<'_>) -> Option<KeySource> {
    if !place.is_table() {
        return url(place).map(KeySource::Url);
    }
    let mut table = place.table()?;
    let path = table.required("file").and_then(|place| {
        let path = filled(&place)?;
        Some(path)
    });
    table.close();
    path.map(|path| KeySource::File(path.into()))
}

fn claims(table: &mut Table<'_>, names: Option<&[&str]>) -> Option<Claims> {
    let wallet = table.required("wallet_claim").and_then(|place| filled(&place));
    let applications = table.required("applications").and_then(|place| {
        let found: Vec<_> = place.items()?.iter().map(|place| application(place, names)).collect();
        if found.is_empty() {
            place.push("expected the names of applications, found none".into());
        }
        found.into_iter().collect::<Option<Vec<_>>>().filter(|found| !found.is_empty())
    });

    let application = table.or("application_claim", None, |place| filled(place).map(Some));
    let (applications, application) = (applications?, application?);

    if applications.len() > 1 && application.is_none() {
        table.push(
            "application_claim",
            "expected the claim that contains the application, found none".into(),
        );
        return None;
    }

    Some(Claims { wallet: wallet?, applications, application })
}

fn application(place: &Place<'_>, names: Option<&[&str]>) -> Option<String> {
    let name = filled(place)?;
    if names.is_some_and(|names| !names.contains(&name.as_str())) {
        return place.misformed("the name of an application of this environment", &name);
    }
    Some(name)
}

fn filled(place: &Place<'_>) -> Option<String> {
    let text = place.text()?;
    if text.is_empty() {
        return place.misformed("a text that is not empty", text);
    }
    Some(text.to_owned())
}
