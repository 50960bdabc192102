//! The sessions of version 2, and the keys of a user.

use schemars::JsonSchema;
use sendoff::value::HexBytes;
use serde::{Deserialize, Serialize};

use super::sign_in::user_of;
use crate::draw::{digits, draw, hex};
use crate::service::asked::{Asked, Nothing};
use crate::service::caller::{key_address, user};
use crate::service::fault::{Fault, INTERNAL};

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

#[derive(Serialize, JsonSchema)]
pub(crate) struct Opened {
    #[serde(rename = "userSWA")]
    user_swa: String,
    nonce: String,
    #[serde(rename = "clientSWA")]
    client_swa: String,
    #[serde(rename = "sessionExpiry")]
    session_expiry: i64,
}

/// Opens a session: its key signs tokens and operations from now on.
pub(crate) fn open(asked: &mut Asked<'_>, body: Body) -> Result<Opened, Fault> {
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
    Ok(Opened {
        user_swa: user.swa.clone(),
        nonce: hex(&draw(&id, "nonce", 0)),
        client_swa,
        // A session key lives for ten days by default.
        session_expiry: asked.now.div_euclid(1_000).saturating_add(864_000),
    })
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Keys {
    user_id: String,
    #[serde(rename = "userSWA")]
    user_swa: String,
    ecdsa_public_key: String,
    eddsa_public_key: String,
    ecdsa_key_id: String,
    eddsa_key_id: String,
}

/// The keys of a user, which the service keeps.
pub(crate) fn keys(asked: &mut Asked<'_>, _: Nothing) -> Result<Keys, Fault> {
    let (state, user) = (&*asked.state, user(asked.state, &asked.user)?);
    let key = |purpose| digits(&draw(&user.id, purpose, 0));
    Ok(Keys {
        user_id: user.id.clone(),
        user_swa: user.swa.clone(),
        ecdsa_public_key: format!("0x04{}{}", key("ecdsa x"), key("ecdsa y")),
        eddsa_public_key: format!("0x{}", key("eddsa")),
        ecdsa_key_id: state.stable_id("ecdsa key", &user.id),
        eddsa_key_id: state.stable_id("eddsa key", &user.id),
    })
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Verified {
    user_id: String,
    client_id: String,
    user_swa: String,
    client_swa: String,
    is_session_added: bool,
}

/// The session of a token.
pub(crate) fn verify(asked: &mut Asked<'_>, _: Nothing) -> Result<Verified, Fault> {
    let (state, user) = (&*asked.state, user(asked.state, &asked.user)?);
    let client_swa = state.deployment.client_swa.to_string();
    Ok(Verified {
        user_id: user.id.clone(),
        client_id: state.stable_id("client", &client_swa),
        user_swa: user.swa.clone(),
        client_swa,
        is_session_added: true,
    })
}
