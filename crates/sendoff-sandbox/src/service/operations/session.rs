//! The sessions of version 2, and the keys of a user.

use sendoff::value::HexBytes;

use super::prelude::*;
use super::sign_in::user_of;
use crate::draw::{digits, draw, hex};
use crate::service::caller::key_address;
use crate::state::User;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Body {
    auth_data: AuthData,
    session_data: SessionData,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AuthData {
    id_token: String,
    #[serde(rename = "provider")]
    _provider: String,
}

#[derive(Deserialize, JsonSchema)]
struct SessionData {
    #[serde(rename = "sessionPk")]
    #[schemars(regex(pattern = "^0x04[0-9a-fA-F]{128}$"))]
    session_pk: String,
    #[serde(rename = "nonce")]
    _nonce: Option<String>,
    #[serde(rename = "clientSWA")]
    _client_swa: Option<String>,
}

record! {
    pub(crate) Opened(user: &User, client_swa: String, now: i64) {
        #[serde(rename = "userSWA")]
        user_swa: String = user.swa.clone(),
        nonce: String = hex(&draw(&user.id, "nonce", 0)),
        #[serde(rename = "clientSWA")]
        client_swa: String = client_swa,
        /// A session key lives for ten days by default.
        #[serde(rename = "sessionExpiry")]
        session_expiry: i64 = now.div_euclid(1_000).saturating_add(864_000),
    }

    #[serde(rename_all = "camelCase")]
    pub(crate) Keys(state: &State, user: &User) {
        user_id: String = user.id.clone(),
        #[serde(rename = "userSWA")]
        user_swa: String = user.swa.clone(),
        ecdsa_public_key: String = format!("0x04{}{}", key(user, "ecdsa x"), key(user, "ecdsa y")),
        eddsa_public_key: String = format!("0x{}", key(user, "eddsa")),
        ecdsa_key_id: String = state.stable_id("ecdsa key", &user.id),
        eddsa_key_id: String = state.stable_id("eddsa key", &user.id),
    }

    pub(crate) Verified(state: &State, user: &User, client_swa: String) {
        user_id: String = user.id.clone(),
        client_id: String = state.stable_id("client", &client_swa),
        user_swa: String = user.swa.clone(),
        client_swa: String = client_swa,
        is_session_added: bool = true,
    }
}

fn key(user: &User, purpose: &str) -> String {
    digits(&draw(&user.id, purpose, 0))
}

/// Opens a session: its key signs tokens and operations from now on.
pub(crate) fn open(asked: &mut Asked<'_>, body: Body) -> Answered<Opened> {
    let state = &mut *asked.state;
    let found = &body.session_data.session_pk;
    let key = found.parse::<HexBytes>().ok();
    let is_key = |key: &HexBytes| key.len() == 65 && key.as_slice().first() == Some(&4);
    let key = key.filter(is_key).ok_or_else(|| {
        let expected = "an uncompressed public key, `0x04` and 64 bytes";
        Fault::field("sessionData.sessionPk", expected, found)
    })?;
    let id = user_of(state, &body.auth_data.id_token, asked.now)?;
    let client_swa = state.deployment.client_swa.to_string();
    let user = state.users.get_mut(&id).ok_or(&INTERNAL)?;
    user.session_key = key_address(key.as_slice());
    Ok(Opened::new(user, client_swa, asked.now))
}

/// The keys of a user, which the service keeps.
pub(crate) fn keys(asked: &mut Asked<'_>, _: Nothing) -> Answered<Keys> {
    Ok(Keys::new(asked.state, user(asked.state, &asked.user)?))
}

/// The session of a token.
pub(crate) fn verify(asked: &mut Asked<'_>, _: Nothing) -> Answered<Verified> {
    let client_swa = asked.state.deployment.client_swa.to_string();
    Ok(Verified::new(asked.state, user(asked.state, &asked.user)?, client_swa))
}
