//! The admin API: the applications of the database, read and changed. docs/schema/admin.json
//! describes it.

use std::{sync::Arc, time::Instant};

use axum::{
    Extension, Router,
    body::Bytes,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use sendoff::{
    catalogue::Disabling,
    error::IssueCode,
    http::{Bearer, Refusal, TraceId},
};
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;

use super::{
    guesses,
    refused::Refused,
    request::{self, Asks, At, Draft, idempotency_key},
    routes::routes,
    show,
};
use crate::{
    config::{Admin, Application, Bounds, Chain, Config, Known, Listed},
    database::{ApplicationName, By, Change, Fault, Key, Kind, Order, Place, directory::Directory},
    observe::trace::{REQUEST_ID, request_id, trace_id},
    request::{body::Bounded, envelope, forwarded::Peer},
    server::{descriptors::ADMIN_REQUESTS, process::Process},
};

/// Whether a reply repeats an earlier one.
const REPEATED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The admin API under one configuration.
#[derive(Debug)]
pub(super) struct Api {
    pub(super) process: Arc<Process>,
    pub(super) admins: Vec<Admin>,
    pub(super) known: Known,
    /// The names of the environments.
    pub(super) environments: Vec<String>,
    pub(super) bounds: Bounds,
    /// A permit for each request, which may wait for the database.
    places: Semaphore,
}

/// The routes, if there is somebody who may use them.
pub(super) fn router(process: &Arc<Process>, config: &Config) -> Option<Router> {
    if config.admins.is_empty() {
        return None;
    }
    let api = Arc::new(Api {
        process: Arc::clone(process),
        admins: config.admins.clone(),
        known: config.known.clone(),
        environments: config
            .environments
            .iter()
            .map(|environment| environment.name.clone())
            .collect(),
        bounds: config.bounds.clone(),
        places: Semaphore::new(ADMIN_REQUESTS),
    });

    let routes = routes().into_iter();
    let routes = routes
        .fold(Router::new(), |all, route| all.route(route.path, route.serve))
        .method_not_allowed_fallback(async || Refused(Refusal::WRONG_METHOD))
        .fallback(async || Refused(Refusal::NOT_FOUND))
        .with_state(Arc::clone(&api))
        .layer(from_fn_with_state(api, guard));

    Some(Router::new().nest("/admin/v1", routes))
}

pub(super) type Replied = Result<Response, Refused>;

/// Who asks: the name of an admin, their address, and the trace id of the request.
#[derive(Clone)]
pub(super) struct Asker {
    name: String,
    address: String,
    trace_id: String,
}

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
    let place = api.places.try_acquire().map_err(|_| Refusal::BUSY);
    let identified = place.and_then(|place| Ok((api.identify(&peer, request.headers())?, place)));
    let (mut response, by) = match identified {
        Ok((by, _place)) => {
            request.extensions_mut().insert(Asker {
                name: by.clone(),
                address: peer.address().to_string(),
                trace_id: trace_id.to_string(),
            });
            (next.run(request).await, by)
        }
        Err(refusal) => {
            (axum::response::IntoResponse::into_response(Refused(refusal)), String::new())
        }
    };

    let mut reason = "";
    if let Some(Refused(refusal)) = response.extensions_mut().remove::<Refused>() {
        reason = refusal.as_str();
        response = enveloped(&response, &refusal, &trace_id);
    }
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.extend(request_id.map(|id| (REQUEST_ID, id)));
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    let (status, address) = (response.status().as_u16(), peer.address());
    tracing::info!(%trace_id, by, %address, method = method.as_str(), status, reason, micros, "admin");
    response
}

/// A refusal in its envelope, with the `allow` of a router's reply.
fn enveloped(of_router: &Response, refusal: &Refusal, trace_id: &TraceId) -> Response {
    let mut response = envelope::refused(refusal, trace_id);
    if let Some(allow) = of_router.headers().get(header::ALLOW) {
        response.headers_mut().insert(header::ALLOW, allow.clone());
    }
    response
}

impl Api {
    /// The name of the admin whose token a request has. Who guesses too often has to wait.
    fn identify(&self, peer: &Peer, headers: &HeaderMap) -> Result<String, Refusal> {
        let guesses = &self.process.guesses;
        if let Some(seconds) = guesses.wait(peer.address()) {
            return Err(Refusal::rate_limited(seconds));
        }
        let value = crate::request::head::value(headers, &header::AUTHORIZATION)
            .ok_or(Refusal::MISSING_TOKEN)?;
        let bearer = value.parse::<Bearer>().ok();
        let admin = bearer.and_then(|bearer| guesses::find(&self.admins, bearer.token()));
        admin.map(|admin| admin.name.to_string()).ok_or_else(|| {
            guesses.count(peer.address());
            Refusal::INVALID_TOKEN
        })
    }

    fn directory(&self) -> &Directory {
        &self.process.directory
    }

    /// The whole body of a request, and the digest of the request.
    async fn body(&self, request: Request) -> Result<(Bytes, String), Refused> {
        let (head, body) = request.into_parts();
        let bounded = Bounded::new(body, &head, &self.bounds);
        bounded.expect_room()?;
        let body = bounded.whole().await?;
        let mut digest = Sha256::new_with_prefix(format!("{} {}\n", head.method, head.uri));
        digest.update(&body);
        Ok((body, hex::encode(digest.finalize())))
    }

    /// Reads a change out of a request, makes it, and takes it into service before the reply.
    pub(super) async fn change<T: DeserializeOwned>(
        &self,
        request: Request,
        read: impl FnOnce(T) -> Result<(Place, Change), Refusal>,
    ) -> Replied {
        let key = idempotency_key(request.headers())?;
        let asker = request.extensions().get::<Asker>().cloned();
        let Asker { name, address, trace_id } = asker.ok_or(Refused(Refusal::MISSING_TOKEN))?;
        let (body, digest) = self.body(request).await?;
        let (place, change) = read(request::read(&body)?)?;
        if !self.environments.contains(&place.environment) {
            return Err(Fault::Absent.into());
        }

        let by = By { name: &name, address: &address, trace_id: &trace_id };
        let about = serde_json::from_slice(&body).unwrap_or_default();
        let order = Order { by, key: &key, request: &digest, about };
        let directory = self.directory();
        let mut answer = directory.database.change(order, &place, &change).await?;
        // The change is made: if the database is lost now, this process learns of it later.
        let followed = self.process.follow().await;
        let why =
            followed.err().map(|fault| fault.as_text()).or_else(|| directory.outdated(&place));
        answer.data.extend(why.map(|why| ("notInService".to_owned(), why.into())));
        let mut response = envelope::success(&answer.data);
        *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
        if answer.is_repeated {
            response.headers_mut().insert(REPEATED, HeaderValue::from_static("true"));
        }
        Ok(response)
    }
}

type Shared = State<Arc<Api>>;
type OfApplication = At<(String, String)>;

pub(super) fn place((environment, application): (String, String)) -> Place {
    Place { environment, application }
}

pub(super) async fn session(State(api): Shared, Extension(asker): Extension<Asker>) -> Replied {
    Ok(envelope::success(&show::Session {
        name: &asker.name,
        environments: &api.environments,
        version: env!("CARGO_PKG_VERSION"),
    }))
}

pub(super) async fn known(State(api): Shared) -> Replied {
    let Known(known) = &api.known;
    let catalogue = Listed::catalogue(known, Disabling::Never).map_err(|_| Refusal::FAILED)?;
    let sponsorship = known.iter().map(|one| (&Chain::from(one)).into()).collect();
    Ok(envelope::success(&show::Known { catalogue, sponsorship }))
}

pub(super) async fn list(State(api): Shared, asks: Asks) -> Replied {
    let missing = "expected the name of an environment, found none".into();
    let missing = Refused::wrong("environment", IssueCode::Missing, missing);
    let environment = asks.environment.ok_or(missing)?;
    let names = api.directory().names(&environment, &asks.after, asks.limit);
    let of = |name| ApplicationName { environment: environment.clone(), name };
    let applications = names.into_iter().map(of).collect();
    Ok(envelope::success(&show::Applications { applications }))
}

pub(super) async fn application(State(api): Shared, At(at): OfApplication) -> Replied {
    let place = place(at);
    let application = api.directory().find(&place).ok_or(Fault::Absent)?;
    let (keys, window) = (keys_of(&application, &Asks::all()), api.process.window(&place));
    let refusals = api.process.metrics.recent.of(&place.environment, &place.application);
    let shown = show::Application::new(&place, &application, keys, window, refusals);
    Ok(envelope::success(&shown))
}

pub(super) async fn keys(State(api): Shared, At(at): OfApplication, asks: Asks) -> Replied {
    let application = api.directory().find(&place(at)).ok_or(Fault::Absent)?;
    Ok(envelope::success(&show::Keys { keys: keys_of(&application, &asks) }))
}

pub(super) async fn users(State(api): Shared, At(at): OfApplication, asks: Asks) -> Replied {
    let application = api.directory().find(&place(at)).ok_or(Fault::Absent)?;
    let all = application.users.iter();
    let all = all.map(|user| Key::of(Kind::User, &user.token, Some(user.user_swa)));
    Ok(envelope::success(&show::Users { users: part(all, &asks) }))
}

fn keys_of(application: &Application, asks: &Asks) -> Vec<Key> {
    let keys = application.keys.iter().map(|key| Key::of(Kind::Client, key, None));
    let server_keys = application.server_keys.iter();
    part(keys.chain(server_keys.map(|key| Key::of(Kind::Server, key, None))), asks)
}

/// A page of keys or tokens, in the order of their ids.
fn part(all: impl Iterator<Item = Key>, asks: &Asks) -> Vec<Key> {
    let mut part: Vec<_> = all.filter(|key| key.id > asks.after).collect();
    part.sort_by(|one, other| one.id.cmp(&other.id));
    part.truncate(asks.limit);
    part
}

pub(super) async fn whole_audit(State(api): Shared, asks: Asks) -> Replied {
    changes(&api, None, &asks).await
}

pub(super) async fn audit(State(api): Shared, At(at): OfApplication, asks: Asks) -> Replied {
    changes(&api, Some(&place(at)), &asks).await
}

async fn changes(api: &Api, of: Option<&Place>, asks: &Asks) -> Replied {
    let changes = api.directory().database.audit(of, asks.before, asks.limit).await?;
    Ok(envelope::success(&show::Changes { changes }))
}

pub(super) async fn make(State(api): Shared, request: Request) -> Replied {
    api.change(request, |draft: Draft| {
        let environment = draft.environment.clone();
        if !api.environments.contains(&environment) {
            let found: String = environment.chars().take(64).collect();
            let message = format!(
                "expected an environment of the configuration ({}), found `{found}`",
                api.environments.join(", ")
            );
            return Err(Refused::wrong("environment", IssueCode::Rule, message).0);
        }
        let place = Place { environment, application: draft.name.as_str().to_owned() };
        Ok((place, Change::Make(Box::new(draft.document(&api.known)))))
    })
    .await
}
