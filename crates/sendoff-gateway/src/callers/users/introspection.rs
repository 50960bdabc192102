//! A server that knows the users of tokens, asked as RFC 7662 has it.
//!
//! A token is asked for once, and its answer is kept. Requests with the same token wait for the
//! same answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::http::header;
use hashlink::LruCache;
use tokio::sync::{OnceCell, Semaphore};

use super::token::Claims;
use super::{Asked, Asker, Before, Problem, Subject};
use crate::backend::fetch;
use crate::config::{self, Digest};
use crate::limits::store::lock;

/// The server, and its answers.
pub(super) struct Introspection {
    config: config::Introspection,
    asker: Asker,
    state: Mutex<State>,
    requests: Semaphore,
    /// Three quarters of them, for tokens that were not valid before: made-up ones leave the others a part.
    of_strangers: Semaphore,
}

struct State {
    known: Answers,
    unknown: Answers,
    /// The tokens that are being asked for.
    asked: HashMap<Digest, Arc<OnceCell<Asked<Subject>>>>,
}

/// Answers about tokens, each until a time. If there are too many, the oldest one goes.
type Answers = LruCache<Digest, (Asked<Subject>, Instant)>;

/// The maximum length of an answer, in bytes.
const ANSWER_BYTES: usize = 64 << 10;

impl Introspection {
    pub(super) fn new(config: config::Introspection, asker: Asker) -> Self {
        let state = State {
            known: LruCache::new(config.cache),
            unknown: LruCache::new(config.cache),
            asked: HashMap::new(),
        };
        let of_strangers = config.requests.saturating_sub(config.requests / 4);
        Self {
            asker,
            state: Mutex::new(state),
            requests: Semaphore::new(config.requests),
            of_strangers: Semaphore::new(of_strangers),
            config,
        }
    }

    fn known(&self, digest: &Digest) -> Option<Asked<Subject>> {
        let state = lock(&self.state);
        let all = [&state.known, &state.unknown].into_iter();
        let mut all = all.filter_map(|answers| answers.peek(digest));
        all.find(|(_, until)| *until > Instant::now()).map(|(found, _)| found.clone())
    }

    /// The user of a token, by the server's answer.
    pub(super) async fn find(&self, token: &str, before: Before<'_>) -> Asked<Subject> {
        let digest = Digest::of(token);
        if let Some(found) = self.known(&digest) {
            return found;
        }
        before()?;
        let cell = Arc::clone(lock(&self.state).asked.entry(digest).or_default());
        let found = cell.get_or_init(|| self.ask(token, digest)).await.clone();
        // A later call finds the answer among those that are kept.
        lock(&self.state).asked.remove(&digest);
        found
    }

    async fn ask(&self, token: &str, digest: Digest) -> Asked<Subject> {
        // An answer may have come since the caller looked.
        if let Some(found) = self.known(&digest) {
            return found;
        }
        let was_valid = lock(&self.state).known.contains_key(&digest);
        let of_strangers = (!was_valid).then(|| self.of_strangers.try_acquire()).transpose();
        let (Ok(_of_strangers), Ok(_request)) = (of_strangers, self.requests.try_acquire()) else {
            self.asker.count("introspection", "busy");
            return Err(Problem::Unavailable);
        };
        let claims = self.answer(token).await.map_err(|why| {
            self.asker.count("introspection", "failed");
            let environment = &self.asker.environment;
            tracing::warn!(environment, why, "a token cannot be introspected");
            Problem::Unavailable
        })?;
        self.asker.count("introspection", "answered");

        let (found, mut state) = (self.read(&claims), lock(&self.state));
        let (found, keep, answers) = match found {
            Ok((subject, keep)) => (Ok(subject), keep, &mut state.known),
            Err(problem) => (Err(problem), self.config.keep_unknown, &mut state.unknown),
        };
        if let Some(until) = Instant::now().checked_add(keep) {
            answers.insert(digest, (found.clone(), until));
        }
        found
    }

    async fn answer(&self, token: &str) -> Result<Claims, String> {
        let client = &self.asker.client;
        let mut request = client.post(&*self.config.url).timeout(self.config.timeout);
        if let Some(value) = &self.config.authorization {
            request = request.header(header::AUTHORIZATION, value.as_bytes());
        }
        let request = request
            .header(header::ACCEPT, "application/json")
            .form(&[("token", token), ("token_type_hint", "access_token")]);
        let body = fetch(request.send().await, ANSWER_BYTES).await?;
        let claims: Claims = serde_json::from_slice(&body)
            .map_err(|_| "the answer is no JSON object, or has a name twice".to_owned())?;
        claims.flag("active").ok_or_else(|| "the answer has no `active`".to_owned())?;
        Ok(claims)
    }

    /// The user of an answer, and how long it may be kept.
    fn read(&self, claims: &Claims) -> Asked<(Subject, Duration)> {
        if claims.flag("active") != Some(true) {
            return Err(Problem::Unknown);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        if claims.seconds("nbf")?.is_some_and(|begin| begin > now) {
            return Err(Problem::NotYetValid);
        }
        let left = claims.seconds("exp")?.map(|end| end - now);
        if left.is_some_and(|left| left <= 0.0) {
            return Err(Problem::Expired);
        }
        let left = left
            .and_then(|left| Duration::try_from_secs_f64(left).ok())
            .unwrap_or(self.config.keep);
        Ok((claims.subject(&self.config.claims)?, left.min(self.config.keep)))
    }
}
