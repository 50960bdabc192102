//! Logging in: a pocket service believes everyone.

use alloc::string::String;

use sendoff::error::IssueCode;
use sendoff::http::Refusal;
use sendoff::value::HexBytes;

use crate::caller::key_address;
use crate::fault::{Coded, Fault};
use crate::record::row;
use crate::state::{FIRST_USER, State};
use crate::{Json, Request, draw, time};

/// The identity of the first user.
const FIRST: &str = "first";

impl State {
    /// Logs a user in by a token of an identity provider: the same text is the same user. It is not checked.
    pub(crate) fn authenticate(&mut self, identity: &str, now: i64) -> Result<Json, Fault> {
        let user = self.user_of(identity, now)?;
        Ok(self.tokens(&user, now))
    }

    /// The user of an identity; makes one for a new identity. `first` is the first user, who has a ledger of its own.
    fn user_of(&mut self, identity: &str, now: i64) -> Result<String, Fault> {
        if identity == FIRST {
            return Ok(FIRST_USER.into());
        }
        let known = self.stable_id("identity", identity);
        if self.users.contains_key(&known) {
            return Ok(known);
        }
        self.check_users(1)?;
        self.add_user(known.clone(), false, now);
        self.endow(&known);
        Ok(known)
    }

    fn tokens(&mut self, user: &str, now: i64) -> Json {
        let token = self.open_session(user, now);
        let session = self.sessions.get(&token);
        let (refresh, device) =
            session.map_or(("", ""), |session| (&session.refresh, &session.device));
        row(
            "auth_token message refresh_auth_token device_token",
            &[&token, &"success", &refresh, &device],
        )
    }

    /// Replaces the token of a session, expired or not, by its refresh token and its device token.
    pub(crate) fn refresh(&mut self, request: &Request, now: i64) -> Result<Json, Fault> {
        let token =
            |name: &str| request.header(name).and_then(|value| value.strip_prefix("Bearer "));
        let old = token("authorization").ok_or(Refusal::MISSING_TOKEN)?;
        let session = self.sessions.get(old).cloned().ok_or(Refusal::INVALID_TOKEN)?;
        let is_whole = token("x-refresh-authorization") == Some(session.refresh.as_str())
            && request.header("x-device-token") == Some(session.device.as_str());
        if !is_whole {
            return Err(Refusal::INVALID_TOKEN.into());
        }
        self.sessions.remove(old);
        Ok(self.tokens(&session.user, now))
    }

    /// The user of a session.
    pub(crate) fn user_from_token(&self, user: &str) -> Result<Json, Fault> {
        let user = self.users.get(user).ok_or(Coded::DATA)?;
        Ok(row(
            "email user_id created_at freezed freeze_reason",
            &[&"person@sandbox.invalid", &user.id, &time::rfc3339(user.created), &"false", &""],
        ))
    }

    /// Opens a session of version 2: its key signs tokens and operations from now on.
    pub(crate) fn open_key_session(&mut self, body: &Json, now: i64) -> Result<Json, Fault> {
        let text = |path: &str| body.at(path).and_then(Json::as_text).unwrap_or_default();
        let key = text("sessionData.sessionPk").parse::<HexBytes>().ok();
        let key = key
            .filter(|key| key.len() == 65 && key.as_slice().first() == Some(&4))
            .ok_or_else(|| {
                let (path, expected) =
                    ("sessionData.sessionPk", "an uncompressed public key, `0x04` and 64 bytes");
                Fault::of_problem(path, IssueCode::Format, expected, Some(text(path)))
            })?;
        let id = self.user_of(text("authData.idToken"), now)?;
        let client_swa = self.deployment.client_swa.clone();
        let user = self.users.get_mut(&id).ok_or(Coded::INTERNAL)?;
        user.session_key = key_address(key.as_slice());
        // A session key lives for ten days by default.
        let expiry = now.div_euclid(1_000).saturating_add(864_000);
        Ok(row(
            "userSWA nonce clientSWA sessionExpiry",
            &[&user.swa, &draw::hex(&draw::draw(&id, "nonce", 0)), &client_swa, &expiry],
        ))
    }
}
