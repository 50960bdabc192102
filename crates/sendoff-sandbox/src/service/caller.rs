//! Who calls.

use sendoff::http::{Bearer, Operation, Refusal, Side};
use sendoff::rate_limit::{Admission, Cost, Time, Verdict, admit, touch};
use sendoff::value::Word;

use super::fault::{Answered, DATA, EXPIRED, Fault};
use crate::draw;
use crate::http::Request;
use crate::state::{State, User};

/// The id of the user who calls, empty for an application, by the rules of the core's hosts: a token
/// for a client, a key for a server, and the two lists by the key alone.
pub(crate) fn identify(
    state: &State,
    operation: Operation,
    request: &Request,
    now: i64,
) -> Answered<String> {
    let authorization = request.header("authorization").filter(|value| !value.is_empty());
    let key = request.header("x-api-key");
    let unidentified = || Fault::from(Refusal::unidentified(operation, authorization, key));
    if request.has_twice("authorization") || request.has_twice("x-api-key") {
        return Err(unidentified());
    }
    let is_ours = key == Some(state.client_key.as_str());
    let Some(authorization) = authorization else {
        let is_known = match operation.side() {
            Side::Server => key == Some(state.server_key.as_str()),
            Side::Client => is_ours && operation.takes_key(),
        };
        return if is_known { Ok(String::new()) } else { Err(unidentified()) };
    };
    if operation.side() == Side::Server || (key.is_some() && !is_ours) {
        return Err(unidentified());
    }

    let bearer: Bearer = authorization.parse().map_err(|_| unidentified())?;
    let (user, expires) = match state.sessions.get(bearer.token()) {
        Some(session) => (&session.user, session.expires),
        // The token of version 2, which a client makes itself with its session key.
        None => {
            let session = bearer.session().ok_or_else(unidentified)?;
            let signer = key_address(session.session_public_key.as_slice());
            let is_his = |user: &&User| !user.session_key.is_empty() && user.session_key == signer;
            let user = state.users.values().find(is_his).ok_or_else(unidentified)?;
            let ends = i64::try_from(session.expire_at).unwrap_or(i64::MAX);
            (&user.id, ends.saturating_mul(1_000))
        }
    };
    if now < expires { Ok(user.clone()) } else { Err((&EXPIRED).into()) }
}

/// Counts a request of the application, whose client and server calls count together: a listed POST
/// can be refused, every other can only begin the day.
pub(crate) fn count(state: &mut State, is_limited: bool, now: i64) -> Answered<()> {
    let Some(policy) = &state.limits else { return Ok(()) };
    let now = now.clamp(Time::MIN.as_ms(), Time::MAX.as_ms());
    let now = Time::from_ms(now).unwrap_or(Time::EPOCH);
    if !is_limited {
        state.window = Some(touch(policy, state.window, now));
        return Ok(());
    }
    let Admission { window, verdict } = admit(policy, state.window, now, Cost::ONE);
    state.window = Some(window);
    match verdict {
        Verdict::Admitted { .. } => Ok(()),
        Verdict::Refused { retry_after, .. } => Err(Refusal::rate_limited(retry_after).into()),
    }
}

/// A user that is known.
pub(crate) fn user<'a>(state: &'a State, id: &str) -> Answered<&'a User> {
    Ok(state.users.get(id).ok_or(&DATA)?)
}

/// The wallet of a user.
pub(crate) fn wallet(state: &State, id: &str) -> Answered<String> {
    Ok(user(state, id)?.wallet.clone())
}

/// The address of an uncompressed public key: the last 20 bytes of the hash of its coordinates.
pub(crate) fn key_address(key: &[u8]) -> String {
    let [_, coordinates @ ..] = key else { return String::new() };
    draw::address(Word::keccak256(coordinates).into())
}
