//! The admin API: the applications of the database, read and changed. docs/schema/admin.json
//! describes it.

use std::{sync::Arc, time::Instant};

use axum::{
    Extension, Router,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use sendoff::{
    error::IssueCode,
    http::{Bearer, Refusal, TraceId},
};
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;

use super::{
    asked::{Asks, At, MOST_ITEMS, idempotency_key, wrong},
    body::Fields,
    guesses, read,
    refused::Refused,
    routes::routes,
    show,
};
use crate::{
    config::{Admin, Bounds, Chain, Config, Known},
    database::{ApplicationName, By, Change, Fault, Key, Order, Page, Place, directory::Directory},
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

type Replied = Result<Response, Refused>;

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
        admin.map(|admin| admin.name.clone()).ok_or_else(|| {
            guesses.count(peer.address());
            Refusal::INVALID_TOKEN
        })
    }

    fn directory(&self) -> &Directory {
        &self.process.directory
    }

    /// The whole body of a request, and the digest of the request.
    async fn body(&self, request: Request) -> Result<(Vec<u8>, String), Refused> {
        let (head, body) = request.into_parts();
        let bounded = Bounded::new(body, &head, &self.bounds);
        bounded.expect_room()?;
        let body = bounded.whole().await?;
        let mut digest = Sha256::new_with_prefix(format!("{} {}\n", head.method, head.uri));
        digest.update(&body);
        Ok((body.to_vec(), hex::encode(digest.finalize())))
    }

    /// Reads a change out of a request, makes it, and takes it into service before the reply.
    async fn change(
        &self,
        request: Request,
        read: impl FnOnce(Vec<u8>) -> Result<(Place, Change), Refusal>,
    ) -> Replied {
        let key = idempotency_key(request.headers())?;
        let asker = request.extensions().get::<Asker>().cloned();
        let Asker { name, address, trace_id } = asker.ok_or(Refused(Refusal::MISSING_TOKEN))?;
        let (body, digest) = self.body(request).await?;
        let (place, change) = read(body)?;
        if !self.environments.contains(&place.environment) {
            return Err(Fault::Absent.into());
        }

        let by = By { name: &name, address: &address, trace_id: &trace_id };
        let order = Order { by, key: &key, request: &digest };
        let directory = self.directory();
        let mut answer = directory.database.change(&order, &place, &change).await?;
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
type OfCredential = At<(String, String, String)>;

fn place((environment, application): (String, String)) -> Place {
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
    Ok(envelope::success(&show::known(&api.known)))
}

pub(super) async fn list(State(api): Shared, mut asks: Asks) -> Replied {
    let Some(environment) = asks.take("environment") else {
        let message = "expected the name of an environment, found none".into();
        return Err(wrong("environment", IssueCode::Missing, message));
    };
    let page = page(asks)?;
    let names = api.directory().database.names(&environment, page).await?;
    let of = |name| ApplicationName { environment: environment.clone(), name };
    let applications = names.into_iter().map(of).collect();
    Ok(envelope::success(&show::Applications { applications }))
}

/// The page of a list, from after a name or a digest.
fn page(mut asks: Asks) -> Result<Page<String>, Refused> {
    let page = Page { after: asks.take("after").unwrap_or_default(), size: asks.limit()? };
    asks.close()?;
    if page.after.contains('\0') {
        let message = "expected the last item of a page, found a control character".into();
        return Err(wrong("after", IssueCode::Format, message));
    }
    Ok(page)
}

pub(super) async fn application(State(api): Shared, At(at): OfApplication) -> Replied {
    let place = place(at);
    let directory = api.directory();
    let application = directory.find(&place).ok_or(Fault::Absent)?;
    let page = Page { after: String::new(), size: MOST_ITEMS };
    let keys = directory.database.credentials(&place, false, page).await?;
    let window = api.process.window(&place);
    let refusals = api.process.metrics.recent.of(&place.environment, &place.application);
    Ok(envelope::success(&show::application(&place, &application, keys, window, &refusals)))
}

pub(super) async fn keys(State(api): Shared, At(at): OfApplication, asks: Asks) -> Replied {
    let keys = credentials(&api, &place(at), asks, false).await?;
    Ok(envelope::success(&show::Keys { keys }))
}

pub(super) async fn users(State(api): Shared, At(at): OfApplication, asks: Asks) -> Replied {
    let users = credentials(&api, &place(at), asks, true).await?;
    Ok(envelope::success(&show::Users { users }))
}

async fn credentials(
    api: &Api,
    place: &Place,
    asks: Asks,
    are_users: bool,
) -> Result<Vec<Key>, Refused> {
    let directory = api.directory();
    directory.find(place).ok_or(Fault::Absent)?;
    Ok(directory.database.credentials(place, are_users, page(asks)?).await?)
}

pub(super) async fn whole_audit(State(api): Shared, asks: Asks) -> Replied {
    changes(&api, None, asks).await
}

pub(super) async fn audit(State(api): Shared, At(at): OfApplication, asks: Asks) -> Replied {
    changes(&api, Some(&place(at)), asks).await
}

async fn changes(api: &Api, of: Option<&Place>, mut asks: Asks) -> Replied {
    let page = Page { after: asks.number("before", i64::MAX, i64::MAX)?, size: asks.limit()? };
    asks.close()?;
    let entries = api.directory().database.audit(of, page).await?;
    let changes = entries.into_iter().map(show::Change::from).collect();
    Ok(envelope::success(&show::Changes { changes }))
}

pub(super) async fn make(State(api): Shared, request: Request) -> Replied {
    api.change(request, |body| read::draft(body, &api.known, &api.environments)).await
}

/// Makes a change of the application of a path.
async fn changed(
    api: &Api,
    at: (String, String),
    request: Request,
    read: impl FnOnce(&mut Fields) -> Option<Change>,
) -> Replied {
    api.change(request, |body| Ok((place(at), Fields::read(body, read)?))).await
}

pub(super) async fn alter(State(api): Shared, At(at): OfApplication, request: Request) -> Replied {
    changed(&api, at, request, read::alteration).await
}

pub(super) async fn remove(State(api): Shared, At(at): OfApplication, request: Request) -> Replied {
    changed(&api, at, request, |_| Some(Change::Remove)).await
}

pub(super) async fn make_key(
    State(api): Shared,
    At(at): OfApplication,
    request: Request,
) -> Replied {
    changed(&api, at, request, read::key).await
}

pub(super) async fn make_user(
    State(api): Shared,
    At(at): OfApplication,
    request: Request,
) -> Replied {
    changed(&api, at, request, read::user).await
}

pub(super) async fn rotate(
    State(api): Shared,
    At((environment, name, id)): OfCredential,
    request: Request,
) -> Replied {
    let read = |fields: &mut Fields| Some(Change::Rotate(id, read::overlap(fields)?));
    changed(&api, (environment, name), request, read).await
}

pub(super) async fn end(
    State(api): Shared,
    At((environment, name, id)): OfCredential,
    request: Request,
) -> Replied {
    changed(&api, (environment, name), request, |_| Some(Change::End(id))).await
}

pub(super) async fn step(State(api): Shared, At(at): OfApplication, request: Request) -> Replied {
    api.change(request, |body| Ok((place(at), read::step(body)?))).await
}

pub(super) async fn know(State(api): Shared, At(at): OfApplication, request: Request) -> Replied {
    changed(&api, at, request, read::know).await
}

pub(super) async fn sponsor(
    State(api): Shared,
    At((environment, name, id)): OfCredential,
    request: Request,
) -> Replied {
    api.change(request, |body| {
        let id = read::chain(&id)?;
        let (policies, fee) = Fields::read(body, read::sponsorship)?;
        let chain = Chain::new(id.clone(), policies, fee);
        Ok((place((environment, name)), Change::Sponsor(id, chain)))
    })
    .await
}
