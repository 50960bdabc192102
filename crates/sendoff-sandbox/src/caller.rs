//! Who calls.

use alloc::string::String;

use sendoff::http::{Bearer, Operation, Refusal, Side};
use sendoff::rate_limit::{Admission, Cost, Verdict, admit, touch};
use sendoff::value::Word;

use crate::Request;
use crate::draw;
use crate::fault::{Coded, Fault};
use crate::route::Route;
use crate::state::State;

/// The caller of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The id of the user; empty for an application.
    pub(crate) user: String,
}

impl State {
    /// Identifies the caller by the rules of the core's hosts: a token for a client, a key for a server, and the two lists by the
    /// key alone.
    pub(crate) fn identify(
        &self,
        operation: Operation,
        request: &Request,
        now: i64,
    ) -> Result<Caller, Fault> {
        let authorization = request.header("authorization").filter(|value| !value.is_empty());
        let key = request.header("x-api-key");
        let unidentified = || Fault::from(Refusal::unidentified(operation, authorization, key));
        if request.has_twice("authorization") || request.has_twice("x-api-key") {
            return Err(unidentified());
        }
        if operation.side() == Side::Server {
            let is_known = key == Some(self.server_key.as_str()) && authorization.is_none();
            return if is_known { Ok(Caller { user: String::new() }) } else { Err(unidentified()) };
        }

        let is_ours = key == Some(self.client_key.as_str());
        let Some(authorization) = authorization else {
            let is_enough = is_ours && operation.takes_key();
            return if is_enough {
                Ok(Caller { user: String::new() })
            } else {
                Err(unidentified())
            };
        };
        if key.is_some() && !is_ours {
            return Err(unidentified());
        }
        let bearer: Bearer = authorization.parse().map_err(|_| unidentified())?;
        if let Some(session) = self.sessions.get(bearer.token()) {
            let caller = Caller { user: session.user.clone() };
            return if now < session.expires { Ok(caller) } else { Err(Coded::EXPIRED.into()) };
        }
        // The token of version 2, which a client makes itself with its session key.
        let session = bearer.session().ok_or_else(unidentified)?;
        let signer = key_address(session.session_public_key.as_slice());
        let user = self
            .users
            .values()
            .find(|user| !user.session_key.is_empty() && user.session_key == signer);
        let user = user.ok_or_else(unidentified)?;
        let ends = i64::try_from(session.expire_at).unwrap_or(i64::MAX).saturating_mul(1_000);
        if now < ends { Ok(Caller { user: user.id.clone() }) } else { Err(Coded::EXPIRED.into()) }
    }

    /// Counts a request of the application, whose client and server calls count together: a listed POST can be refused, every other can
    /// only begin the day.
    pub(crate) fn count(&mut self, route: &Route, now: i64) -> Result<(), Fault> {
        let scope = self.client_key.clone();
        let Some((policy, windows)) = &mut self.limits.0 else { return Ok(()) };
        let (before, now) = (windows.get(&scope).copied(), Self::time(now));
        if !route.is_limited() {
            windows.insert(scope, touch(policy, before, now));
            return Ok(());
        }
        let Admission { window, verdict } = admit(policy, before, now, Cost::ONE);
        windows.insert(scope, window);
        match verdict {
            Verdict::Admitted { .. } => Ok(()),
            Verdict::Refused { retry_after, .. } => Err(Refusal::rate_limited(retry_after).into()),
        }
    }
}

/// The address of an uncompressed public key: the last 20 bytes of the hash of its coordinates.
pub(crate) fn key_address(key: &[u8]) -> String {
    let [_, coordinates @ ..] = key else { return String::new() };
    draw::address(Word::keccak256(coordinates).into())
}
