//! The admin API: the applications of the database, read and changed. docs/schema/admin.json
//! describes it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use sendoff::error::{Error, Issue, IssueCode};
use sendoff::http::{Bearer, Refusal};
use sendoff::rate_limit::{Cost, Policy, RateLimiter, Verdict};
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;

use super::routes::routes;
use super::shapes::{self, Asks, Draft, idempotency_key};
use crate::config::{self, Config, Digest};
use crate::database::{Application, By, Change, Fault, Key, Order, Place};
use crate::descriptors::ADMIN_REQUESTS;
use crate::limits::store::lock;
use crate::limits::windows::now;
use crate::message::body::Bounded;
use crate::message::envelope;
use crate::message::forwarded::Peer;
use crate::message::head::value;
use crate::message::trace::{REQUEST_ID, request_id, trace_id};
use crate::service::Service;

/// Whether a reply repeats an earlier one.
const REPEATED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The admin API under one configuration.
pub(super) struct Api {
    service: Arc<Service>,
    /// The wrong credentials of the last minute, by address.
    guesses: Mutex<RateLimiter>,
    /// The names of the environments.
    pub(super) environments: Vec<String>,
    config: Config,
    /// A permit for each request, which may wait for the database.
    places: Semaphore,
}

/// The routes, if there is somebody who may use them.
pub(super) fn router(service: &Arc<Service>, config: &Config) -> Option<Router> {
    if config.admins.is_empty() {
        return None;
    }
    #[expect(clippy::unwrap_used, reason = "a limit and a length that policies may have")]
    let guesses = Policy::new(MOST_GUESSES, WINDOW).unwrap();
    let api = Arc::new(Api {
        service: Arc::clone(service),
        guesses: Mutex::new(RateLimiter::new(guesses)),
        environments: config.environments.iter().map(|known| known.name.clone()).collect(),
        config: config.clone(),
        places: Semaphore::new(ADMIN_REQUESTS),
    });

    let routes = routes().into_iter();
    let routes = routes
        .fold(Router::new(), |all, route| all.route(route.path, route.serve))
        .fallback(async || StatusCode::NOT_FOUND)
        .with_state(Arc::clone(&api))
        .layer(from_fn_with_state(api, guard));

    Some(Router::new().nest("/admin/v1", routes))
}

pub(super) type Replied = Result<Response, Refused>;

/// Lets admins pass, and gives every refusal its envelope. Each request has a line in the log.
async fn guard(
    State(api): State<Arc<Api>>,
    Extension(peer): Extension<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let (began, method) = (Instant::now(), request.method().clone());
    let trace_id = trace_id(request.headers(), None);
    let request_id = request_id(request.headers(), &trace_id);
    // No name of an application or of a key has such a character, and a database need not take it.
    let has_nul = request.uri().path().contains("%00");
    let place = api.places.try_acquire().map_err(|_| Refusal::BUSY);
    let identified = place.and_then(|place| Ok((api.identify(&peer, request.headers())?, place)));
    let (address, mut by) = (peer.address().to_string(), String::new());
    let mut response = match identified {
        Ok(_) if has_nul => Refused(Refusal::NOT_FOUND).into_response(),
        Ok((name, _place)) => {
            by.clone_from(&name);
            let (address, trace_id) = (address.clone(), trace_id.to_string());
            request.extensions_mut().insert(By { name, address, trace_id });
            next.run(request).await
        }
        Err(refusal) => Refused(refusal).into_response(),
    };

    let refused = response.extensions_mut().remove::<Refused>().map(|Refused(refusal)| refusal);
    // A request for which no route is there, or whose path cannot be read.
    let refused = refused.or_else(|| match response.status() {
        StatusCode::NOT_FOUND => Some(Refusal::NOT_FOUND),
        StatusCode::METHOD_NOT_ALLOWED => Some(Refusal::WRONG_METHOD),
        StatusCode::BAD_REQUEST => Some(Refusal::BAD_TARGET),
        _ => None,
    });
    if let Some(refusal) = &refused {
        // A router says which methods are allowed.
        let allow = response.headers_mut().remove(header::ALLOW);
        response = envelope::refused(refusal, &trace_id);
        response.headers_mut().extend(allow.map(|allow| (header::ALLOW, allow)));
    }
    let reason = refused.as_ref().map(Refusal::as_str).unwrap_or_default();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.extend(request_id.map(|id| (REQUEST_ID, id)));
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    let status = response.status().as_u16();
    tracing::info!(%trace_id, by, address, method = method.as_str(), status, reason, micros, "admin");
    response
}

impl Api {
    /// The name of the admin whose token a request has. Who guesses too often has to wait.
    fn identify(&self, peer: &Peer, headers: &HeaderMap) -> Result<String, Refusal> {
        let (address, mut guesses) = (peer.address().to_string(), lock(&self.guesses));
        if let Verdict::Refused { retry_after, .. } = guesses.peek(&address, now(), Cost::ONE) {
            return Err(Refusal::rate_limited(retry_after));
        }
        let value = value(headers, &header::AUTHORIZATION).ok_or(Refusal::MISSING_TOKEN)?;
        let digest = value.parse::<Bearer>().ok().map(|bearer| Digest::of(bearer.token()));
        let admin = self.config.admins.iter().find(|admin| Some(admin.token.digest) == digest);
        admin.map(|admin| admin.name.to_string()).ok_or_else(|| {
            if guesses.len() >= ADDRESSES {
                *guesses = RateLimiter::new(*guesses.policy());
            }
            let _counted = guesses.admit(&address, now(), Cost::ONE);
            Refusal::INVALID_TOKEN
        })
    }

    fn find(&self, place: &Place) -> Result<Arc<Application>, Fault> {
        lock(&self.service.directory.known).applications.get(place).cloned().ok_or(Fault::Absent)
    }

    /// Reads a change out of a request, makes it, and takes it into service before the reply.
    pub(super) async fn change<T: DeserializeOwned>(
        &self,
        action: &'static str,
        request: Request,
        read: impl FnOnce(T) -> Result<(Place, Change), Refused>,
    ) -> Replied {
        let key = idempotency_key(request.headers())?;
        let by = request.extensions().get::<By>().cloned().ok_or(Refusal::MISSING_TOKEN)?;
        let (head, body) = request.into_parts();
        let bounded = Bounded::new(body, &self.config.bounds);
        bounded.expect_room()?;
        let body = bounded.whole().await?;
        let mut digest = Sha256::new_with_prefix(format!("{} {}\n", head.method, head.uri));
        digest.update(&body);
        let request = hex::encode(digest.finalize());
        let (place, change) = read(shapes::read(&body)?)?;
        if !self.environments.contains(&place.environment) {
            return Err(Fault::Absent.into());
        }

        let about = serde_json::from_slice(&body).unwrap_or_default();
        let order = Order { by, action, key, request, about };
        let directory = &self.service.directory;
        let mut answer = directory.database.change(order, &place, &change).await?;
        // The change is made: if the database is lost now, this process learns of it later.
        let followed = self.service.follow().await;
        let unreadable = || lock(&directory.known).unreadable.get(&place).cloned();
        let why = followed.err().map(|fault| fault.as_text()).or_else(unreadable);
        if let Some(data) = answer.data.as_object_mut() {
            data.extend(answer.secret.map(|secret| ("secret".to_owned(), secret.into())));
            data.extend(why.map(|why| ("notInService".to_owned(), why.into())));
        }
        let mut response = envelope::success(&answer.data);
        *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
        if answer.is_repeated {
            response.headers_mut().insert(REPEATED, HeaderValue::from_static("true"));
        }
        Ok(response)
    }
}

type Shared = State<Arc<Api>>;

pub(super) async fn session(State(api): Shared, Extension(by): Extension<By>) -> Replied {
    Ok(envelope::success(&shapes::Session {
        name: &by.name,
        environments: &api.environments,
        version: env!("CARGO_PKG_VERSION"),
    }))
}

pub(super) async fn known(State(api): Shared) -> Replied {
    Ok(envelope::success(&api.config.known))
}

pub(super) async fn list(State(api): Shared, asks: Asks) -> Replied {
    let missing = "expected the name of an environment, found none".into();
    let missing = Refused::wrong("environment", IssueCode::Missing, missing);
    let environment = asks.environment.clone().ok_or(missing)?;
    let names = api.service.directory.names(&environment, &asks.after, asks.limit);
    let of = |name| Place { environment: environment.clone(), name };
    let applications = names.into_iter().map(of).collect();
    Ok(envelope::success(&shapes::Applications { applications }))
}

pub(super) async fn application(State(api): Shared, Path(place): Path<Place>) -> Replied {
    let application = api.find(&place)?;
    Ok(envelope::success(&shapes::Application {
        window: api.service.window(&place),
        refusals: application.refusals.all(),
        place,
        client_swa: application.client_swa,
        catalogue: &application.catalogue,
        sponsorship: &application.sponsorship,
        keys: page(&application, &Asks::default(), |key| key.of.wallet().is_none()),
        users: application.users(),
        policy: application.policy,
        origins: application.origins.as_deref(),
    }))
}

pub(super) async fn keys(State(api): Shared, Path(at): Path<Place>, asks: Asks) -> Replied {
    let application = api.find(&at)?;
    Ok(envelope::success(&shapes::Keys { keys: page(&application, &asks, |_| true) }))
}

/// A page of these keys and tokens, in the order of their ids.
fn page(application: &Application, asks: &Asks, has: impl Fn(&config::Key) -> bool) -> Vec<Key> {
    let all = application.keys.iter().filter(|key| has(key)).map(Key::of);
    let mut page: Vec<_> = all.filter(|key| key.id > asks.after).collect();
    page.sort_by(|one, other| one.id.cmp(&other.id));
    page.truncate(asks.limit);
    page
}

/// The changes of an application, or of all.
pub(super) async fn audit(
    State(api): Shared,
    at: Option<Path<(String, String)>>,
    asks: Asks,
) -> Replied {
    let of = at.map(|Path((environment, name))| Place { environment, name });
    let before = asks.before.unwrap_or(i64::MAX);
    let changes = api.service.directory.database.audit(of.as_ref(), before, asks.limit).await?;
    Ok(envelope::success(&shapes::Changes { changes }))
}

pub(super) fn make(api: &Api, (): (), draft: Draft) -> Result<(Place, Change), Refused> {
    let (environment, known) = (draft.environment.clone(), api.environments.join(", "));
    if !api.environments.contains(&environment) {
        let found: String = environment.chars().take(64).collect();
        let expected = format!("expected an environment of the configuration ({known})");
        let message = format!("{expected}, found `{found}`");
        return Err(Refused::wrong("environment", IssueCode::Rule, message));
    }
    let place = Place { environment, name: draft.name.as_str().to_owned() };
    Ok((place, Change::Make(Box::new(draft.document(api.config.known.clone())))))
}

/// How many wrong credentials an address may send in a minute. After more, every credential of that address is refused for a
/// minute, a right one too.
const MOST_GUESSES: u32 = 10;
const WINDOW: Duration = Duration::from_secs(60);

/// The most addresses that are remembered.
const ADDRESSES: usize = 65_536;

/// A refusal on its way to the guard of the API, which knows the trace id.
#[derive(Clone)]
pub(super) struct Refused(pub(super) Refusal);

impl Refused {
    /// The refusal of a request with one problem.
    pub(super) fn wrong(path: &str, code: IssueCode, message: String) -> Self {
        Self(Error::from(Issue::new(path.into(), code, message)).into())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut response = Response::default();
        response.extensions_mut().insert(self);
        response
    }
}

impl<T: Into<Refusal>> From<T> for Refused {
    fn from(refusal: T) -> Self {
        Self(refusal.into())
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(error) => error.into(),
            Fault::Absent => Self::ABSENT,
            Fault::Lost(why) => {
                tracing::error!(why, "the database does not do what an admin asks for");
                Self::DATABASE_LOST
            }
        }
    }
}
