//! What the admin API shows. It never has a key or a token.

use sendoff::rate_limit::{Policy, Verdict};
use serde_json::{Value, json};

use crate::{
    config::{Application, Known, Origins},
    database::{Entry, Place, StoredKey, shown_chain},
    recent::Refused,
};

/// How full the window of an application is.
#[derive(Debug)]
pub(crate) struct Fill {
    pub(crate) policy: Policy,
    /// What the next call would be told, or with a store what the last call of this process was told in this window.
    pub(crate) verdict: Option<Verdict>,
}

/// The catalogue of the file's lists, and the policies of its chains.
pub(super) fn known(known: &Known) -> Value {
    let chains: Vec<_> = known.chains.iter().map(shown_chain).collect();
    json!({ "catalogue": document(&known.catalogue), "sponsorship": chains })
}

/// An application: what it may use, its keys, its window and its last refusals.
pub(super) fn application(
    place: &Place,
    application: &Application,
    keys: &[StoredKey],
    window: Option<Fill>,
    refusals: &[Refused],
) -> Value {
    let chains: Vec<_> = application.chains.iter().map(shown_chain).collect();
    let mut shown = json!({
        "environment": place.environment,
        "name": place.application,
        "clientSWA": application.client_swa.to_string(),
        "catalogue": document(&application.offer.catalogue),
        "sponsorship": chains,
        "keys": keys.iter().map(key).collect::<Vec<_>>(),
        "users": application.users.len(),
        "refusals": refusals.iter().map(refusal).collect::<Vec<_>>(),
    });

    let Some(fields) = shown.as_object_mut() else { return shown };
    let policy = application
        .policy
        .as_ref()
        .map(|policy| policy.as_ref().map_or_else(|| "none".into(), document));

    fields.extend(policy.map(|policy| ("policy".to_owned(), policy)));
    let origins = application.origins.as_ref().map(|origins| match origins {
        Origins::Every => json!("*"),
        Origins::These(origins) => json!(origins),
    });

    fields.extend(origins.map(|origins| ("origins".to_owned(), origins)));
    fields.extend(window.map(|window| ("window".to_owned(), fill(&window))));

    shown
}

/// A key or a user's token.
pub(super) fn key(key: &StoredKey) -> Value {
    let mut shown = json!({ "id": key.id(), "kind": key.kind.to_string(), "madeAt": key.made_at });
    let Some(fields) = shown.as_object_mut() else { return shown };
    fields
        .extend(key.user_swa.as_ref().map(|wallet| ("userSWA".to_owned(), wallet.as_str().into())));
    fields.extend(key.ends_at.map(|ends| ("endsAt".to_owned(), ends.into())));
    shown
}

/// A row of the audit log.
pub(super) fn entry(entry: &Entry) -> Value {
    json!({
        "revision": entry.revision,
        "madeAt": entry.made_at,
        "by": entry.made_by,
        "environment": entry.place.environment,
        "application": entry.place.application,
        "action": entry.action,
        "about": entry.about,
    })
}

fn refusal(refused: &Refused) -> Value {
    let mut shown = json!({
        "at": refused.at,
        "operation": refused.operation,
        "status": refused.status,
        "reason": refused.reason,
        "traceId": refused.trace_id,
    });
    if let (Some(fields), false) = (shown.as_object_mut(), refused.issue.is_empty()) {
        fields.insert("issue".into(), refused.issue.as_str().into());
    }
    shown
}

fn fill(window: &Fill) -> Value {
    let mut shown = json!({ "policy": document(&window.policy) });
    if let (Some(fields), Some(verdict)) = (shown.as_object_mut(), &window.verdict) {
        fields.insert("next".into(), next(verdict));
    }
    shown
}

/// A verdict as the core writes it.
fn next(verdict: &Verdict) -> Value {
    match *verdict {
        Verdict::Admitted { phase, remaining, reset_after } => {
            json!({ "admitted": true, "phase": phase.as_str(), "remaining": remaining, "resetAfter": reset_after })
        }
        Verdict::Refused { phase, retry_after } => {
            json!({ "admitted": false, "phase": phase.as_str(), "retryAfter": retry_after })
        }
    }
}

/// A document of the core as the core writes it.
fn document(document: &impl ToString) -> Value {
    serde_json::from_str(&document.to_string()).unwrap_or_default()
}
