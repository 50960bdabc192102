//! Signing in: a pocket service believes everyone.

use sendoff::http::Refusal;

use super::create_wallets::check_room;
use super::prelude::*;
use crate::service::caller;
use crate::state::{FIRST_USER, Session, User};
use crate::time::rfc3339;

/// The identity of the first user.
const FIRST: &str = "first";

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ByToken {
    id_token: String,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ByUser {
    user_id: String,
    #[serde(rename = "auth_token")]
    _auth_token: String,
}

record! {
    pub(crate) Tokens(opened: (String, Session)) {
        auth_token: String = opened.0,
        message: &'static str = "success",
        refresh_auth_token: String = opened.1.refresh,
        device_token: String = opened.1.device,
    }

    pub(crate) Person(user: &User) {
        email: &'static str = "person@sandbox.invalid",
        user_id: String = user.id.clone(),
        created_at: String = rfc3339(user.created),
        freezed: &'static str = "false",
        freeze_reason: &'static str = "",
    }
}

/// Signs a user in by a token of an identity provider: the same text is the same user. It is not
/// checked.
pub(crate) fn by_token(asked: &mut Asked<'_>, body: ByToken) -> Answered<Tokens> {
    let user = user_of(asked.state, &body.id_token, asked.now)?;
    Ok(Tokens::new(asked.state.open_session(&user, asked.now)))
}

/// Signs a user in by an id of the application's own.
pub(crate) fn by_user(asked: &mut Asked<'_>, body: ByUser) -> Answered<Tokens> {
    let user = user_of(asked.state, &body.user_id, asked.now)?;
    Ok(Tokens::new(asked.state.open_session(&user, asked.now)))
}

/// The user of an identity; makes one for a new identity. `first` is the first user, who has a ledger
/// of its own.
pub(crate) fn user_of(state: &mut State, identity: &str, now: i64) -> Answered<String> {
    if identity == FIRST {
        return Ok(FIRST_USER.into());
    }
    let known = state.stable_id("identity", identity);
    if !state.users.contains_key(&known) {
        check_room(state, 1)?;
        state.add_user(known.clone(), false, now);
        state.endow(&known);
    }
    Ok(known)
}

/// Replaces the token of a session, expired or not, by its refresh token and its device token.
pub(crate) fn refresh(asked: &mut Asked<'_>, _: Nothing) -> Answered<Tokens> {
    let request = asked.request;
    let token = |name: &str| request.header(name).and_then(|value| value.strip_prefix("Bearer "));
    let old = token("authorization").ok_or(Refusal::MISSING_TOKEN)?;
    let session = asked.state.sessions.get(old).cloned().ok_or(Refusal::INVALID_TOKEN)?;
    let is_whole = token("x-refresh-authorization") == Some(session.refresh.as_str())
        && request.header("x-device-token") == Some(session.device.as_str());
    check(is_whole, Refusal::INVALID_TOKEN)?;
    asked.state.sessions.remove(old);
    Ok(Tokens::new(asked.state.open_session(&session.user, asked.now)))
}

/// The user of a token.
pub(crate) fn user(asked: &mut Asked<'_>, _: Nothing) -> Answered<Person> {
    Ok(Person::new(caller::user(asked.state, &asked.user)?))
}
