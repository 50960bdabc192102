//! Reads changes out of the bodies of requests. Catalogues, steps and policies are read by the
//! core.

use std::time::Duration;

use sendoff::{
    catalogue::{Catalogue, CatalogueName, CatalogueStep, Disabling},
    error::{Error, Issue, IssueCode},
    http::Refusal,
    rate_limit::Policy,
    user_op::Policies,
    value::{Address, ChainId},
};
use serde_json::Value;

use super::body::{Fields, refused, shown};
use crate::{
    config::{Chain, Known, Origins, read_origin},
    database::{Alteration, Change, Draft, Kind, Place},
};

/// The longest overlap of an old key and its new one: 90 days.
const MOST_SECONDS: u64 = 90 * 24 * 60 * 60;

/// Reads a new application.
pub(super) fn draft(
    body: Vec<u8>,
    known: &Known,
    environments: &[String],
) -> Result<(Place, Change), Refusal> {
    let mut fields = Fields::read(body)?;
    let environment = fields.text::<String>("environment");
    if let Some(name) = environment.as_ref().filter(|name| !environments.contains(name)) {
        let (all, found) = (environments.join(", "), shown(name));
        let message =
            format!("expected an environment of the configuration ({all}), found {found}");
        fields.push("environment", IssueCode::Rule, message);
    }
    let name = fields.text::<CatalogueName>("name");
    let client_swa = fields.text::<Address>("clientSWA");
    let policy = fields.optional("policy").map(|value| policy(&mut fields, &value));
    let origins = fields.optional("origins").map(|value| origins(&mut fields, &value));
    let disable = match fields.optional("disable") {
        Some(value) => fields.parsed::<Disabling>("disable", &value),
        None => Some(Disabling::Never),
    };
    let catalogue = match fields.optional("catalogue") {
        Some(value) => fields.document::<Catalogue>("catalogue", &value),
        None => disable.and_then(|disable| begun(known, disable)),
    };

    let made = (|| {
        let draft = Draft {
            client_swa: client_swa?,
            policy: whole(policy)?,
            origins: whole(origins)?,
            catalogue: catalogue?,
            chains: known.chains.clone(),
            credentials: Vec::new(),
        };
        let place = Place { environment: environment?, application: name?.as_str().to_owned() };
        Some((place, Change::Make(Box::new(draft))))
    })();
    fields.close(made)
}

/// Reads what an application has from now on. `null` is what its environment has.
pub(super) fn alteration(body: Vec<u8>) -> Result<Change, Refusal> {
    let mut fields = Fields::read(body)?;
    let client_swa =
        fields.optional("clientSWA").map(|value| fields.parsed::<Address>("clientSWA", &value));
    let policy = fields.optional("policy").map(|value| {
        if value.is_null() { Some(None) } else { policy(&mut fields, &value).map(Some) }
    });
    let origins = fields.optional("origins").map(|value| {
        if value.is_null() { Some(None) } else { origins(&mut fields, &value).map(Some) }
    });
    let made = (|| {
        Some(Change::Alter(Alteration {
            client_swa: whole(client_swa)?,
            policy: whole(policy)?,
            origins: whole(origins)?,
        }))
    })();
    fields.close(made)
}

/// The value of an optional field, if it was read.
fn whole<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    match read {
        None => Some(None),
        Some(value) => value.map(Some),
    }
}

/// What the service knows, with nothing enabled.
fn begun(known: &Known, disable: Disabling) -> Option<Catalogue> {
    let Known { catalogue, .. } = known;
    let (chains, tokens) = (catalogue.known_chains().to_vec(), catalogue.known_tokens().to_vec());
    Catalogue::new(disable, chains, tokens, catalogue.known_collections().to_vec()).ok()
}

/// Reads `production`, `none`, or a policy.
fn policy(fields: &mut Fields, value: &Value) -> Option<Option<Policy>> {
    match value.as_str() {
        Some("production") => Some(Some(Policy::PRODUCTION)),
        Some("none") => Some(None),
        Some(text) => {
            let message =
                format!("expected `production`, `none` or a policy, found {}", shown(text));
            fields.push("policy", IssueCode::Format, message);
            None
        }
        None => fields.document("policy", value).map(Some),
    }
}

/// Reads `*`, or an array of origins.
fn origins(fields: &mut Fields, value: &Value) -> Option<Origins> {
    if value.as_str() == Some("*") {
        return Some(Origins::Every);
    }

    let Some(items) = value.as_array() else {
        fields.wrong("origins", "`*` or an array of origins", value);
        return None;
    };
    let mut read = |(at, item): (usize, &Value)| {
        let path = format!("origins.{at}");
        let Some(text) = item.as_str() else {
            fields.wrong(&path, "a text", item);
            return None;
        };
        read_origin(text).map_err(|why| fields.push(&path, IssueCode::Format, why)).ok()
    };

    let all: Vec<_> = items.iter().enumerate().map(&mut read).collect();
    all.into_iter().collect::<Option<_>>().map(Origins::These)
}

/// Reads a body without fields.
pub(super) fn nothing(body: Vec<u8>, change: Change) -> Result<Change, Refusal> {
    Fields::read(body)?.close(Some(change))
}

/// Reads the side of a new key.
pub(super) fn key(body: Vec<u8>) -> Result<Change, Refusal> {
    let mut fields = Fields::read(body)?;
    let kind = fields.text::<Kind>("side");
    if kind == Some(Kind::User) {
        fields.push(
            "side",
            IssueCode::Format,
            "expected `client` or `server`, found `user`".into(),
        );
    }
    fields.close(kind.map(|kind| Change::MakeCredential(kind, None)))
}

/// Reads the wallet of a new user.
pub(super) fn wallet(body: Vec<u8>) -> Result<Address, Refusal> {
    let mut fields = Fields::read(body)?;
    let wallet = fields.text("userSWA");
    fields.close(wallet)
}

/// Reads how long the old key may still be used.
pub(super) fn overlap(body: Vec<u8>) -> Result<Duration, Refusal> {
    let mut fields = Fields::read(body)?;
    let seconds = fields.required("overlapSeconds").and_then(|value| {
        let seconds = value.as_u64().filter(|seconds| *seconds <= MOST_SECONDS);
        if seconds.is_none() {
            let message = format!(
                "expected an integer from 0 to {MOST_SECONDS}, found {}",
                shown(&value.to_string())
            );
            fields.push("overlapSeconds", IssueCode::Range, message);
        }
        seconds
    });
    fields.close(seconds.map(Duration::from_secs))
}

/// Reads a step of a catalogue.
pub(super) fn step(body: Vec<u8>) -> Result<Change, Refusal> {
    let text = String::from_utf8(body).map_err(|_| Refusal::NOT_UTF8)?;
    Ok(Change::Step(text.parse::<CatalogueStep>()?))
}

/// Reads what a catalogue does not know yet. Nothing of it is enabled.
pub(super) fn know(body: Vec<u8>) -> Result<Change, Refusal> {
    let mut fields = Fields::read(body)?;
    let (chains, tokens, collections) =
        (fields.documents("chains"), fields.documents("tokens"), fields.documents("collections"));
    let known =
        chains.zip(tokens).zip(collections).map(|((mut chains, mut tokens), mut collections)| {
            chains
                .iter_mut()
                .for_each(|chain: &mut sendoff::catalogue::KnownChain| chain.enabled = false);
            tokens
                .iter_mut()
                .for_each(|token: &mut sendoff::catalogue::KnownToken| token.whitelisted = false);
            let off = |collection: &mut sendoff::catalogue::KnownCollection| {
                collection.whitelisted = false
            };
            collections.iter_mut().for_each(off);
            Change::Know(chains, tokens, collections)
        });
    fields.close(known)
}

/// Reads the policies and the fee of a chain.
pub(super) fn sponsorship(body: Vec<u8>, id: &str) -> Result<Change, Refusal> {
    let at_path = |error: Error| {
        let issues = error.into_issues().into_iter();
        refused(issues.map(|issue| Issue { path: "caip2Id".into(), ..issue }).collect())
    };
    let id: ChainId = id.parse().map_err(at_path)?;
    let mut fields = Fields::read(body)?;
    let gsn_enabled = fields.flag("gsnEnabled", false);
    let sponsorship_enabled = fields.flag("sponsorshipEnabled", false);

    let fee = match fields.optional("transactionFee") {
        Some(value) => fields.parsed("transactionFee", &value).map(Some),
        None => Some(None),
    };
    let chain = (|| {
        let policies =
            Policies { gsn_enabled: gsn_enabled?, sponsorship_enabled: sponsorship_enabled? };
        Some(Change::Sponsor(id.clone(), Chain::new(id, policies, fee?)))
    })();

    fields.close(chain)
}
