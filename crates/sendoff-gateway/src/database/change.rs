//! The changes of an application, judged by the core.

use std::time::Duration;

use ring::rand::{SecureRandom as _, SystemRandom};
use schemars::JsonSchema;
use sendoff::catalogue::{
    Catalogue, CatalogueStep, KnownChain, KnownCollection, KnownToken, advance,
};
use sendoff::error::{Error, Issue, IssueCode};
use sendoff::value::{Address, ChainId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use serde_with::rust::double_option;

use super::document::{Document, Place};
use super::{Asked, Fault};
use crate::config::{self, Digest, Holder, Limit, Origin, Sponsorship};
use crate::schema;

/// The most keys of an application.
const MOST_KEYS: usize = 64;

/// A change of an application.
pub(crate) enum Change {
    /// Makes it.
    Make(Box<Document>),
    /// Gives it another wallet, limit or list of pages.
    Alter(Alteration),
    /// Takes it away, with all that it has.
    Remove,
    /// Makes a key or a token.
    MakeKey(Holder),
    /// Makes another key or token in the place of this one, which ends after the overlap.
    Rotate(String, Duration),
    /// Ends a key or a token.
    End(String),
    /// A step of its catalogue.
    Step(CatalogueStep),
    /// Adds what its catalogue does not know yet, with nothing enabled.
    Know(More),
    /// The policies and the fee of one of its chains.
    Sponsor(ChainId, Sponsorship),
}

/// What an application has from now on; absent for what stays, `null` for what its environment has.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Alteration {
    #[serde(rename = "clientSWA")]
    client_swa: Option<Address>,
    #[serde(default, with = "double_option")]
    #[schemars(schema_with = "schema::limit_or_null")]
    policy: Option<Option<Limit>>,
    #[serde(default, with = "double_option")]
    #[schemars(schema_with = "schema::origins_or_null")]
    origins: Option<Option<Vec<Origin>>>,
}

/// What a catalogue does not know yet.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct More {
    #[serde(default)]
    chains: Vec<KnownChain>,
    #[serde(default)]
    tokens: Vec<KnownToken>,
    #[serde(default)]
    collections: Vec<KnownCollection>,
}

/// A change that answers nothing but that it was made.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Nothing {}

/// Whether a step changed something.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Changed {
    pub(crate) changed: bool,
}

/// A key or a token, without its text.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Key {
    /// The first 16 hex digits of its digest.
    #[schemars(regex(pattern = "^[0-9a-f]{16}$"))]
    pub(crate) id: String,
    #[schemars(extend("enum" = ["client", "server", "user"]))]
    pub(crate) kind: &'static str,
    /// In milliseconds since 1970.
    pub(crate) made_at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ends_at: Option<i64>,
    #[serde(rename = "userSWA", skip_serializing_if = "Option::is_none")]
    pub(crate) user_swa: Option<Address>,
}

impl Key {
    pub(crate) fn of(key: &config::Key) -> Self {
        Self {
            id: key.sha256.start(),
            kind: key.of.as_str(),
            made_at: key.made_ms.unwrap_or_default(),
            ends_at: key.ends_ms,
            user_swa: key.of.wallet(),
        }
    }
}

/// A new key or token.
#[derive(Serialize, JsonSchema)]
pub(crate) struct NewKey {
    #[serde(flatten)]
    pub(crate) key: Key,
    /// The id of the one that it replaces, which ends at `endsAt`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) replaces: Option<String>,
    /// The key or token. It is shown once: a repeated request has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) secret: Option<String>,
}

/// The answer to a change.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// An object.
    pub(crate) data: Value,
    /// What the audit log has beside the request, an object; `None` if nothing changed.
    pub(super) about: Option<Value>,
    /// A new key or token, which is not kept.
    pub(crate) secret: Option<String>,
    /// `true` if it is the answer of an earlier request, without its secret.
    pub(crate) is_repeated: bool,
}

impl Answer {
    pub(super) fn new(status: u16, data: Value, about: Option<Value>) -> Self {
        Self { status, data, about, secret: None, is_repeated: false }
    }

    fn plain(about: Value) -> Self {
        Self::new(200, json!(Nothing {}), Some(about))
    }

    fn changed(changed: bool, about: Value) -> Self {
        Self::new(200, json!(Changed { changed }), changed.then_some(about))
    }
}

/// Applies a change to the document of a place, and returns the next one; `None` if there is none.
pub(super) fn apply(
    found: Option<Result<String, String>>,
    place: &Place,
    change: &Change,
    now: i64,
) -> Asked<(Option<String>, Answer)> {
    let unreadable = |why: String| refuse("", place.unreadable(&why));
    let mut document = match (found, change) {
        (None, Change::Make(document)) => (**document).clone(),
        (Some(_), Change::Make(_)) => {
            let Place { environment, name } = place;
            let expected = format!("expected a name that no application of `{environment}` has");
            return Err(refuse("name", format!("{expected}, found `{name}`")));
        }
        (None, _) => return Err(Fault::Absent),
        (Some(_), Change::Remove) => return Ok((None, Answer::plain(json!({})))),
        // What can be taken away needs no reader.
        (Some(text), Change::End(id)) => {
            let mut document = text
                .and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
            let document = document.as_mut().map_err(|why| unreadable(why.clone()))?;
            let ended = ended(document, id, now).ok_or(Fault::Absent)?;
            let kind = ended.get("of").and_then(Value::as_str).unwrap_or("user");
            let answer = Answer::plain(json!({ "id": id, "kind": kind }));
            return Ok((Some(document.to_string()), answer));
        }
        (Some(text), _) => text.and_then(|text| Document::read(&text)).map_err(unreadable)?,
    };

    let answer = document.change(place, change, now)?;
    // It is read again, as every process will.
    let text = serde_json::to_string(&document);
    let text = text.map_err(|error| unreadable(error.to_string()))?;
    Document::read(&text).map_err(unreadable)?;
    Ok((Some(text), answer))
}

/// Takes a key or a token that has not ended out of the JSON of a document.
fn ended(document: &mut Value, id: &str, now: i64) -> Option<Value> {
    let keys = document.get_mut("keys")?.as_array_mut()?;
    let at = keys.iter().position(|key| {
        let has_ended = key["ends_ms"].as_i64().is_some_and(|ends| ends <= now);
        key["sha256"].as_str().is_some_and(|digest| digest.starts_with(id)) && !has_ended
    })?;
    (id.len() == 16).then(|| keys.remove(at))
}

impl Document {
    fn made(&mut self, place: &Place, now: i64) -> Asked<Answer> {
        for key in &mut self.keys {
            key.made_ms.get_or_insert(now);
        }
        self.expect_few_keys()?;
        let ids: Vec<_> = self.keys.iter().map(|key| key.sha256.start()).collect();
        let about = json!({
            "clientSWA": self.client_swa, "policy": self.policy, "origins": self.origins,
            "catalogue": self.catalogue, "credentials": ids,
        });
        Ok(Answer::new(201, json!(place), Some(about)))
    }

    fn change(&mut self, place: &Place, change: &Change, now: i64) -> Asked<Answer> {
        match change {
            Change::Make(_) => self.made(place, now),
            Change::Alter(to) => self.alter(to),
            Change::MakeKey(of) => self.make_key(*of, None, now),
            Change::Rotate(id, overlap) => self.rotate(id, *overlap, now),
            Change::Step(step) => {
                let progress = advance(self.catalogue.clone(), step).map_err(|error| {
                    // The document of the request is the step.
                    moved(error, |path| path.strip_prefix("step.").map(str::to_owned))
                })?;
                self.catalogue = progress.catalogue;
                Ok(Answer::changed(progress.changed, json!({})))
            }
            Change::Know(more) => self.know(more),
            Change::Sponsor(id, sponsorship) => {
                if !self.catalogue.known_chains().iter().any(|chain| chain.caip2_id == *id) {
                    let expected = "expected a chain of `chains`";
                    return Err(refuse("caip2Id", format!("{expected}, found `{id}`")));
                }
                self.sponsorship.insert(id.clone(), sponsorship.clone());
                self.sponsorship.retain(|_, set| *set != Sponsorship::default());
                Ok(Answer::plain(json!({ "caip2Id": id })))
            }
            // These need no reader.
            Change::Remove | Change::End(_) => Err(Fault::Absent),
        }
    }

    fn alter(&mut self, Alteration { client_swa, policy, origins }: &Alteration) -> Asked<Answer> {
        if client_swa.is_none() && policy.is_none() && origins.is_none() {
            let expected =
                "expected `clientSWA`, `policy` or `origins`, found none: nothing to change";
            return Err(refuse("", expected.into()));
        }
        self.client_swa = client_swa.unwrap_or(self.client_swa);
        self.policy = policy.unwrap_or(self.policy);
        self.origins = origins.clone().unwrap_or_else(|| self.origins.take());
        Ok(Answer::plain(json!({})))
    }

    /// Makes a key or a token, in the place of another one that ends. Those that have ended are swept.
    fn make_key(&mut self, of: Holder, replaced: Option<(&str, i64)>, now: i64) -> Asked<Answer> {
        let secret = secret(of)?;
        let sha256 = Digest::of(&secret);
        let key = config::Key { sha256, of, made_ms: Some(now), ends_ms: None };
        self.keys.retain(|key| key.ends_ms.is_none_or(|ends| ends > now));
        self.keys.push(key);
        self.expect_few_keys()?;

        let ends_at = replaced.map(|(_, ends)| ends);
        let key = Key { ends_at, ..Key::of(&key) };
        let replaces = replaced.map(|(id, _)| id.to_owned());
        let data = json!(NewKey { key, replaces, secret: None });
        Ok(Answer { secret: Some(secret), ..Answer::new(201, data.clone(), Some(data)) })
    }

    fn expect_few_keys(&self) -> Asked<()> {
        if self.keys.len().saturating_sub(self.users()) <= MOST_KEYS {
            return Ok(());
        }
        Err(refuse("", format!("expected at most {MOST_KEYS} keys of an application, found more")))
    }

    fn rotate(&mut self, id: &str, overlap: Duration, now: i64) -> Asked<Answer> {
        let is_it = |key: &&mut config::Key| {
            key.sha256.start() == id && key.ends_ms.is_none_or(|ends| ends > now)
        };
        let key = self.keys.iter_mut().find(is_it).ok_or(Fault::Absent)?;
        let overlap = i64::try_from(overlap.as_millis()).unwrap_or(i64::MAX);
        let ends = now.saturating_add(overlap);
        let ends = key.ends_ms.map_or(ends, |earlier| ends.min(earlier));
        key.ends_ms = Some(ends);
        let of = key.of;
        self.make_key(of, Some((id, ends)), now)
    }

    /// Adds what the catalogue does not know yet. Nothing of it is enabled.
    fn know(&mut self, More { chains, tokens, collections }: &More) -> Asked<Answer> {
        let known = &self.catalogue;
        let before = (known.known_chains(), known.known_tokens(), known.known_collections());
        let mut chains = [before.0, chains].concat();
        let mut tokens = [before.1, tokens].concat();
        let mut collections = [before.2, collections].concat();
        chains.iter_mut().skip(before.0.len()).for_each(|one| one.enabled = false);
        tokens.iter_mut().skip(before.1.len()).for_each(|one| one.whitelisted = false);
        collections.iter_mut().skip(before.2.len()).for_each(|one| one.whitelisted = false);
        let made = Catalogue::new(known.disable(), chains, tokens, collections);
        // The items of the request are at the ends of the catalogue's lists.
        let made = made.map_err(|error| {
            moved(error, |path| {
                let mut keys = path.splitn(3, '.');
                let (list, index) = (keys.next()?, keys.next()?.parse::<usize>().ok()?);
                let before = match list {
                    "chains" => before.0.len(),
                    "tokens" => before.1.len(),
                    _ => before.2.len(),
                };
                let field = keys.next().map(|field| format!(".{field}")).unwrap_or_default();
                Some(format!("{list}.{}{field}", index.checked_sub(before)?))
            })
        })?;
        let added = made.to_string() != known.to_string();
        self.catalogue = made;
        // The audit log has the lists that the request does not have.
        Ok(Answer::changed(added, json!({ "chains": [], "tokens": [], "collections": [] })))
    }
}

/// A new secret with 256 random bits. Its start tells a scanner of leaked secrets what it is.
fn secret(of: Holder) -> Asked<String> {
    let mut bytes = [0; 32];
    let filled = SystemRandom::new().fill(&mut bytes);
    filled.map_err(|_| Fault::Lost("the system gives no random bytes".into()))?;
    Ok(format!("sendoff_{}_{}", of.as_str(), hex::encode(bytes)))
}

pub(super) fn refuse(path: &str, message: String) -> Fault {
    Fault::Refused(Issue::new(path.into(), IssueCode::Rule, message).into())
}

/// An error of the core, whose paths are moved to those of the request.
fn moved(error: Error, to: impl Fn(&str) -> Option<String>) -> Fault {
    let mut issues = error.into_issues().into_iter().map(|issue| {
        let path = to(&issue.path).unwrap_or_else(|| issue.path.clone());
        Issue { path, ..issue }
    });
    let Some(first) = issues.next() else { return Fault::Absent };
    let mut moved = Error::from(first);
    moved.extend(issues);
    Fault::Refused(moved)
}
