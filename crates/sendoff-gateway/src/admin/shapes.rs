//! The shapes of the admin API: the parts of a request, each read by serde, and what is shown, which never has a key or a token.

use std::collections::BTreeMap;

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query};
use axum::http::{HeaderMap, HeaderName, request};
use schemars::JsonSchema;
use sendoff::catalogue::Catalogue;
use sendoff::error::IssueCode;
use sendoff::http::Side;
use sendoff::intent::Label;
use sendoff::value::{Address, ChainId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_path_to_error::Segment;

use super::api::Refused;
use crate::config::{Holder, Known, Limit, Origin, Sponsorship, whole};
use crate::database::{Change, Document, Entry, Key, Place};
use crate::limits::windows::Fill;
use crate::message::head::value;
use crate::observe::recent;
use crate::schema::limit;

/// The header with the key of a change, by which a repeated request is known.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The idempotency key of a change: 1 to 128 visible characters of ASCII.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<String, Refused> {
    let is_key = |key: &str| {
        (1..=128).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
    };
    let (code, found) = match value(headers, &IDEMPOTENCY_KEY) {
        Some(key) if is_key(&key) => return Ok(key),
        Some(_) => (IssueCode::Format, "another value"),
        None => (IssueCode::Missing, "none"),
    };
    let expected = "expected a key of 1 to 128 visible ASCII characters in this header";
    Err(Refused::wrong(IDEMPOTENCY_KEY.as_str(), code, format!("{expected}, found {found}")))
}

/// The parameters of a query: a part of a list, from after an item or from before a revision.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Asks {
    pub(super) environment: Option<String>,
    pub(super) after: String,
    pub(super) before: Option<i64>,
    /// The most items of the page.
    #[serde(deserialize_with = "whole::<1, 1_000, _, _>")]
    pub(super) limit: usize,
}

/// The most items of a page.
pub(super) const MOST_ITEMS: usize = 1_000;

impl Default for Asks {
    fn default() -> Self {
        Self { environment: None, after: String::new(), before: None, limit: 100 }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Asks {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut request::Parts, state: &S) -> Result<Self, Refused> {
        let query = Query::<Self>::from_request_parts(parts, state).await;
        let wrong = |rejection: QueryRejection| {
            Refused::wrong("query", IssueCode::Format, rejection.body_text())
        };
        query.map(|Query(asks)| asks).map_err(wrong)
    }
}

/// Reads a body of JSON. One without a byte is an empty object.
///
/// # Errors
///
/// The first problem of the body, with its path.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    let body = if body.is_empty() { b"{}" } else { body };
    // serde takes the items of an array for fields.
    if let Some(found) = other(body) {
        let message = format!("expected an object, found {found}");
        return Err(Refused::wrong("", IssueCode::Type, message));
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let keys = error.path().iter().filter_map(|segment| match segment {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } => Some(key.chars().take(64).collect()),
            Segment::Enum { .. } | Segment::Unknown => None,
        });
        let said = error.inner().to_string();
        let said = said.rsplit_once(" at line ").map_or(&*said, |(said, _)| said);
        // serde says the name of a field that is missing in its sentence alone.
        let missing = said.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
        let code = match missing {
            Some(_) => IssueCode::Missing,
            None if error.inner().is_data() => IssueCode::Format,
            None => IssueCode::Syntax,
        };
        let path = keys.chain(missing.map(Into::into)).collect::<Vec<_>>().join(".");
        Refused::wrong(&path, code, said.chars().take(256).collect())
    })?;
    let end = json.end();
    end.map_err(|error| Refused::wrong("", IssueCode::Syntax, error.to_string()))?;
    Ok(read)
}

/// The kind of a body that is no object; `None` for an object, and for a text that is no JSON.
fn other(body: &[u8]) -> Option<&'static str> {
    Some(match body.trim_ascii_start().first()? {
        b'[' => "an array",
        b'"' => "a text",
        b'-' | b'0'..=b'9' => "a number",
        b't' | b'f' => "a boolean",
        b'n' => "null",
        _ => return None,
    })
}

/// A body without a field.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Empty {}

/// A new application.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Draft {
    pub(super) environment: String,
    #[schemars(with = "String", length(min = 1, max = 40))]
    pub(super) name: Label,
    #[serde(rename = "clientSWA")]
    client_swa: Address,
    /// Its own limit; absent for that of its environment.
    #[schemars(default, schema_with = "limit")]
    policy: Option<Limit>,
    /// Its own pages; absent for those of its environment.
    origins: Option<Vec<Origin>>,
    /// Absent for `known` of the configuration.
    catalogue: Option<Catalogue>,
}

impl Draft {
    pub(super) fn document(self, known: Known) -> Document {
        let Self { name, client_swa, policy, origins, .. } = self;
        let catalogue = self.catalogue.unwrap_or(known.catalogue);
        let mut sponsorship = known.sponsorship;
        let chains = catalogue.known_chains();
        sponsorship.retain(|id, _| chains.iter().any(|chain| chain.caip2_id == *id));
        let keys = Vec::new();
        Document { name, policy, origins, client_swa, keys, catalogue, sponsorship }
    }
}

/// A new key of a side, or a token for the user of a wallet.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyDraft {
    side: Option<Side>,
    #[serde(rename = "userSWA")]
    user_swa: Option<Address>,
}

impl KeyDraft {
    pub(super) fn change(self) -> Result<Change, Refused> {
        let of = match (self.side, self.user_swa) {
            (Some(Side::Client), None) => Holder::Client,
            (Some(Side::Server), None) => Holder::Server,
            (None, Some(wallet)) => Holder::User(wallet),
            _ => {
                let expected = "expected either `side` or `userSWA`, found both or none";
                return Err(Refused::wrong("", IssueCode::Rule, expected.into()));
            }
        };
        Ok(Change::MakeKey(of))
    }
}

/// How long the old key may still be used: at most 90 days.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Overlap {
    #[serde(deserialize_with = "whole::<0, 7_776_000, _, _>")]
    #[schemars(range(max = 7_776_000))]
    pub(super) overlap_seconds: u32,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Session<'a> {
    /// The name of the admin.
    pub(super) name: &'a str,
    pub(super) environments: &'a [String],
    /// The version of the gateway.
    pub(super) version: &'a str,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Applications {
    pub(super) applications: Vec<Place>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Application<'a> {
    #[serde(flatten)]
    pub(super) place: Place,
    #[serde(rename = "clientSWA")]
    pub(super) client_swa: Address,
    pub(super) catalogue: &'a Catalogue,
    #[schemars(with = "BTreeMap<String, Sponsorship>")]
    pub(super) sponsorship: &'a BTreeMap<ChainId, Sponsorship>,
    pub(super) keys: Vec<Key>,
    /// The number of its users.
    pub(super) users: usize,
    /// Its own limit; absent for that of its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "limit")]
    pub(super) policy: Option<Limit>,
    /// Its own pages; absent for those of its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) origins: Option<&'a [Origin]>,
    pub(super) refusals: Vec<recent::Refused>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) window: Option<Fill>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Keys {
    pub(super) keys: Vec<Key>,
}

/// What the answer to a change has in addition.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the answer of a change is written with it")]
pub(super) struct Late {
    /// Why the change is in the database and not in service at this process; absent if it is in service.
    not_in_service: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Changes {
    pub(super) changes: Vec<Entry>,
}
