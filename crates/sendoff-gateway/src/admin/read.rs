//! Reads changes out of the bodies of requests. Catalogues, steps and policies are read by the
//! core.

use std::time::Duration;

use sendoff::{
    catalogue::{Catalogue, CatalogueStep, Disabling, KnownChain, KnownCollection, KnownToken},
    error::{Error, Issue, IssueCode},
    http::Refusal,
    intent::Label,
    rate_limit::Policy,
    user_op::Policies,
    value::{Address, ChainId, FeeAmount},
};
use serde_json::{json, value::RawValue};

use super::body::{
    Fields, Kind as Of, document, flag, integer, issue, of_type, reference, refused, shown, text,
};
use crate::{
    config::{Known, Origins, read_origin},
    database::{Alteration, Change, Draft, Kind, Place},
};

/// The longest overlap of an old key and its new one: 90 days.
const MOST_SECONDS: u64 = 90 * 24 * 60 * 60;

pub(super) fn wallet() -> Of<Address> {
    text(json!({ "type": "string", "pattern": "^0x[0-9a-fA-F]{40}$" }))
}

/// `production`, `none`, or a policy.
pub(super) fn policy() -> Of<Option<Policy>> {
    let words = json!({ "type": "string", "enum": ["production", "none"] });
    Of::new(json!({ "oneOf": [words, reference("Policy")] }), |value| match serde_json::from_str::<
        String,
    >(value.get())
    .as_deref()
    {
        Ok("production") => Ok(Some(Policy::PRODUCTION)),
        Ok("none") => Ok(None),
        Ok(text) => {
            let found = shown(text);
            let message = format!("expected `production`, `none` or a policy, found {found}");
            Err(issue(IssueCode::Format, message))
        }
        Err(_) => value.get().parse().map(Some).map_err(Error::into_issues),
    })
}

/// `*`, or an array of origins.
pub(super) fn origins() -> Of<Origins> {
    let each = text::<Origin>(json!({ "type": "string" })).list();
    let schema = json!({ "oneOf": [{ "type": "string", "const": "*" }, { "type": "array", "items": { "type": "string" } }] });
    Of::new(schema, move |value| {
        if value.get() == "\"*\"" {
            return Ok(Origins::Every);
        }
        of_type::<Vec<Box<RawValue>>>(value, "`*` or an array of origins")?;
        let origins = each.read(value)?;
        Ok(Origins::These(origins.into_iter().map(|Origin(text)| text).collect()))
    })
}

struct Origin(String);

impl std::str::FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        read_origin(text).map(Self)
    }
}

/// A new application.
pub(super) struct NewApplication {
    pub(super) environment: Option<String>,
    name: Option<Label>,
    client_swa: Option<Address>,
    policy: Option<Option<Option<Policy>>>,
    origins: Option<Option<Origins>>,
    disable: Option<Option<Disabling>>,
    catalogue: Option<Option<Catalogue>>,
}

/// Reads the fields of a new application.
pub(super) fn application(fields: &mut Fields) -> NewApplication {
    let name = json!({ "type": "string", "minLength": 1, "maxLength": 40 });
    let disable = json!({ "type": "string", "enum": ["never", "allowed"] });
    NewApplication {
        environment: fields.required("environment", text(json!({ "type": "string" }))),
        name: fields.required("name", text(name)),
        client_swa: fields.required("clientSWA", wallet()),
        policy: fields.optional("policy", policy()),
        origins: fields.optional("origins", origins()),
        disable: fields.optional("disable", text(disable)),
        catalogue: fields.optional("catalogue", document("Catalogue")),
    }
}

/// Reads a new application of one of these environments.
pub(super) fn draft(
    body: Vec<u8>,
    known: &Known,
    environments: &[String],
) -> Result<(Place, Change), Refusal> {
    Fields::read(body, |fields| {
        let new = application(fields);
        let environment = new.environment?;
        if !environments.contains(&environment) {
            let (all, found) = (environments.join(", "), shown(&environment));
            let message =
                format!("expected an environment of the configuration ({all}), found {found}");
            fields.push("environment", IssueCode::Rule, message);
        }

        let catalogue = match new.catalogue? {
            Some(catalogue) => catalogue,
            None => begun(known, new.disable?.unwrap_or(Disabling::Never))?,
        };
        let draft = Draft {
            client_swa: new.client_swa?,
            policy: new.policy?,
            origins: new.origins?,
            catalogue,
            chains: known.chains.clone(),
            credentials: Vec::new(),
        };
        let place = Place { environment, application: new.name?.as_str().to_owned() };
        Some((place, Change::Make(Box::new(draft))))
    })
}

/// Reads what an application has from now on. `null` is what its environment has.
pub(super) fn alteration(fields: &mut Fields) -> Option<Change> {
    let client_swa = fields.optional("clientSWA", wallet());
    let policy = fields.optional("policy", policy().or_null());
    let origins = fields.optional("origins", origins().or_null());
    Some(Change::Alter(Alteration { client_swa: client_swa?, policy: policy?, origins: origins? }))
}

/// What the service knows, with nothing enabled.
fn begun(known: &Known, disable: Disabling) -> Option<Catalogue> {
    let Known { catalogue, .. } = known;
    let (chains, tokens) = (catalogue.known_chains().to_vec(), catalogue.known_tokens().to_vec());
    Catalogue::new(disable, chains, tokens, catalogue.known_collections().to_vec()).ok()
}

/// Reads the side of a new key.
pub(super) fn key(fields: &mut Fields) -> Option<Change> {
    let sides =
        Of::new(json!({ "type": "string", "enum": ["client", "server"] }), |value: &RawValue| {
            match of_type::<String>(value, "a text")?.as_str() {
                "client" => Ok(Kind::Client),
                "server" => Ok(Kind::Server),
                other => {
                    let message = format!("expected `client` or `server`, found {}", shown(other));
                    Err(issue(IssueCode::Format, message))
                }
            }
        });
    fields.required("side", sides).map(|kind| Change::MakeCredential(kind, None))
}

/// Reads the wallet of a new user.
pub(super) fn user(fields: &mut Fields) -> Option<Change> {
    let wallet = fields.required("userSWA", wallet());
    wallet.map(|wallet| Change::MakeCredential(Kind::User, Some(wallet)))
}

/// Reads how long the old key may still be used.
pub(super) fn overlap(fields: &mut Fields) -> Option<Duration> {
    fields.required("overlapSeconds", integer(MOST_SECONDS)).map(Duration::from_secs)
}

/// Reads a step of a catalogue.
pub(super) fn step(body: Vec<u8>) -> Result<Change, Refusal> {
    let text = String::from_utf8(body).map_err(|_| Refusal::NOT_UTF8)?;
    Ok(Change::Step(text.parse::<CatalogueStep>()?))
}

/// Reads what a catalogue does not know yet. Nothing of it is enabled.
pub(super) fn know(fields: &mut Fields) -> Option<Change> {
    let chains = fields.optional("chains", document::<KnownChain>("KnownChain").list());
    let tokens = fields.optional("tokens", document::<KnownToken>("KnownToken").list());
    let collections =
        fields.optional("collections", document::<KnownCollection>("KnownCollection").list());

    let mut chains = chains?.unwrap_or_default();
    let (mut tokens, mut collections) =
        (tokens?.unwrap_or_default(), collections?.unwrap_or_default());
    chains.iter_mut().for_each(|chain| chain.enabled = false);
    tokens.iter_mut().for_each(|token| token.whitelisted = false);
    collections.iter_mut().for_each(|collection| collection.whitelisted = false);
    Some(Change::Know(chains, tokens, collections))
}

/// Reads the policies and the fee of a chain.
pub(super) fn sponsorship(fields: &mut Fields) -> Option<(Policies, Option<FeeAmount>)> {
    let gsn_enabled = fields.optional("gsnEnabled", flag());
    let sponsorship_enabled = fields.optional("sponsorshipEnabled", flag());
    let fee = fields.optional("transactionFee", text(json!({ "type": "string" })));
    let policies = Policies {
        gsn_enabled: gsn_enabled?.unwrap_or(false),
        sponsorship_enabled: sponsorship_enabled?.unwrap_or(false),
    };
    Some((policies, fee?))
}

/// Reads a chain of a path.
pub(super) fn chain(id: &str) -> Result<ChainId, Refusal> {
    id.parse().map_err(|error: Error| {
        let issues = error.into_issues().into_iter();
        refused(issues.map(|issue| Issue { path: "caip2Id".into(), ..issue }).collect())
    })
}
