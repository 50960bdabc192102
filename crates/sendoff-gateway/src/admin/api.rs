//! The admin API: the applications of the database, read and changed. docs/schema/admin.json
//! describes it.

use std::{sync::Arc, time::Instant};

use axum::{
    Extension, Router,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::Response,
    routing::{delete, get, post, put},
};
use sendoff::{
    error::IssueCode,
    http::{Bearer, Refusal, TraceId},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;

use super::{
    asked::{Asks, At, MOST_ITEMS, idempotency_key},
    body::refused,
    guesses, read,
    refused::Refused,
    show,
};
use crate::{
    body::Bounded,
    config::{Admin, Bounds, Config, Known},
    database::{Change, Fault, Kind, Order, Page, Place, directory::Directory},
    descriptors::ADMIN_REQUESTS,
    envelope,
    process::Process,
    slots::Peer,
    trace::{REQUEST_ID, request_id, trace_id},
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

/// The routes, if there is a database and somebody who may use them.
pub(super) fn router(process: &Arc<Process>, config: &Config) -> Option<Router> {
    process.directory.as_ref().filter(|_| !config.admins.is_empty())?;
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

    let one = "/applications/{environment}/{name}";
    let routes = Router::new()
        .route("/session", get(session))
        .route("/known", get(known))
        .route("/audit", get(whole_audit))
        .route("/applications", get(list).post(make))
        .route(one, get(application).patch(alter).delete(remove))
        .route(&format!("{one}/audit"), get(audit))
        .route(&format!("{one}/keys"), get(keys).post(make_key))
        .route(&format!("{one}/keys/{{id}}"), delete(end))
        .route(&format!("{one}/keys/{{id}}/rotate"), post(rotate))
        .route(&format!("{one}/users"), get(users).post(make_user))
        .route(&format!("{one}/users/{{id}}"), delete(end))
        .route(&format!("{one}/users/{{id}}/rotate"), post(rotate))
        .route(&format!("{one}/catalogue/steps"), post(step))
        .route(&format!("{one}/catalogue/known"), post(know))
        .route(&format!("{one}/sponsorship/{{caip2_id}}"), put(sponsor))
        .method_not_allowed_fallback(async || Refused(Refusal::WRONG_METHOD))
        .fallback(async || Refused(Refusal::NOT_FOUND))
        .with_state(Arc::clone(&api))
        .layer(from_fn_with_state(api, guard));

    Some(Router::new().nest("/admin/v1", routes))
}

type Replied = Result<Response, Refused>;

/// The name of the admin who asks.
#[derive(Clone)]
struct By(String);

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
            request.extensions_mut().insert(By(by.clone()));
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
        let value =
            crate::head::value(headers, &header::AUTHORIZATION).ok_or(Refusal::MISSING_TOKEN)?;
        let bearer = value.parse::<Bearer>().ok();
        let admin = bearer.and_then(|bearer| guesses::find(&self.admins, bearer.token()));
        admin.map(|admin| admin.name.clone()).ok_or_else(|| {
            guesses.count(peer.address());
            Refusal::INVALID_TOKEN
        })
    }

    fn directory(&self) -> Result<&Directory, Refused> {
        self.process.directory.as_ref().ok_or(Refused(Refusal::DATABASE_LOST))
    }

    /// The whole body of a request, and the digest of the request.
    async fn body(&self, request: Request) -> Result<(Vec<u8>, String), Refused> {
        let (head, body) = request.into_parts();
        let bounded = Bounded::new(body, &head, &self.bounds);
        bounded.expect_room()?;
        let body = bounded.whole().await?;
        let mut digest = Sha256::new_with_prefix(format!("{} {}\n", head.method, head.uri));
        digest.update(&body);
        Ok((body, hex::encode(digest.finalize())))
    }

    /// Reads a change out of a request, makes it, and takes it into service before the reply.
    async fn change(
        &self,
        request: Request,
        read: impl FnOnce(Vec<u8>) -> Result<(Place, Change), Refusal>,
    ) -> Replied {
        let key = idempotency_key(request.headers())?;
        let By(by) =
            request.extensions().get::<By>().cloned().ok_or(Refused(Refusal::MISSING_TOKEN))?;
        let (body, digest) = self.body(request).await?;
        let (place, change) = read(body)?;
        if !self.environments.contains(&place.environment) {
            return Err(Fault::Absent.into());
        }

        let order = Order { by: &by, key: &key, request: &digest };
        let directory = self.directory()?;
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

async fn session(State(api): Shared, Extension(By(by)): Extension<By>) -> Replied {
    let environments = &api.environments;
    Ok(envelope::success(
        &json!({ "name": by, "environments": environments, "version": env!("CARGO_PKG_VERSION") }),
    ))
}

async fn known(State(api): Shared) -> Replied {
    Ok(envelope::success(&show::known(&api.known)))
}

async fn list(State(api): Shared, asks: Asks) -> Replied {
    let Some(environment) = asks.get("environment") else {
        let message = "expected the name of an environment, found none".into();
        let issue = sendoff::error::Issue::new("environment".into(), IssueCode::Missing, message);
        return Err(Refused(refused(vec![issue])));
    };
    let page = Page { after: asks.get("after").unwrap_or_default().to_owned(), size: asks.size()? };
    let names = api.directory()?.database.names(environment, page).await?;
    let names: Vec<Value> =
        names.into_iter().map(|name| json!({ "environment": environment, "name": name })).collect();
    Ok(envelope::success(&json!({ "applications": names })))
}

async fn application(State(api): Shared, At(at): OfApplication) -> Replied {
    let place = place(at);
    let directory = api.directory()?;
    let application = directory.find(&place).ok_or(Fault::Absent)?;
    let page = Page { after: String::new(), size: MOST_ITEMS };
    let keys = directory.database.credentials(&place, false, page).await?;
    let window = api.process.window(&place);
    let refusals = api.process.metrics.recent.of(&place.environment, &place.application);
    Ok(envelope::success(&show::application(&place, &application, &keys, window, &refusals)))
}

async fn keys(State(api): Shared, At(at): OfApplication, asks: Asks) -> Replied {
    credentials(&api, &place(at), &asks, false).await
}

async fn users(State(api): Shared, At(at): OfApplication, asks: Asks) -> Replied {
    credentials(&api, &place(at), &asks, true).await
}

async fn credentials(api: &Api, place: &Place, asks: &Asks, are_users: bool) -> Replied {
    let directory = api.directory()?;
    directory.find(place).ok_or(Fault::Absent)?;
    let page = Page { after: asks.get("after").unwrap_or_default().to_owned(), size: asks.size()? };
    let found = directory.database.credentials(place, are_users, page).await?;
    let shown: Vec<_> = found.iter().map(show::key).collect();
    let list = if are_users { "users" } else { "keys" };
    Ok(envelope::success(&json!({ list: shown })))
}

async fn whole_audit(State(api): Shared, asks: Asks) -> Replied {
    changes(&api, None, &asks).await
}

async fn audit(State(api): Shared, At(at): OfApplication, asks: Asks) -> Replied {
    changes(&api, Some(&place(at)), &asks).await
}

async fn changes(api: &Api, of: Option<&Place>, asks: &Asks) -> Replied {
    let page = Page { after: asks.number("before", i64::MAX, i64::MAX)?, size: asks.size()? };
    let entries = api.directory()?.database.audit(of, page).await?;
    let shown: Vec<_> = entries.iter().map(show::entry).collect();
    Ok(envelope::success(&json!({ "changes": shown })))
}

async fn make(State(api): Shared, request: Request) -> Replied {
    api.change(request, |body| read::draft(body, &api.known, &api.environments)).await
}

async fn alter(State(api): Shared, At(at): OfApplication, request: Request) -> Replied {
    api.change(request, |body| Ok((place(at), read::alteration(body)?))).await
}

async fn remove(State(api): Shared, At(at): OfApplication, request: Request) -> Replied {
    api.change(request, |body| Ok((place(at), read::nothing(body, Change::Remove)?))).await
}

async fn make_key(State(api): Shared, At(at): OfApplication, request: Request) -> Replied {
    api.change(request, |body| Ok((place(at), read::key(body)?))).await
}

async fn make_user(State(api): Shared, At(at): OfApplication, request: Request) -> Replied {
    api.change(request, |body| {
        let wallet = read::wallet(body)?;
        Ok((place(at), Change::MakeCredential(Kind::User, Some(wallet))))
    })
    .await
}

async fn rotate(
    State(api): Shared,
    At((environment, name, id)): OfCredential,
    request: Request,
) -> Replied {
    api.change(request, |body| {
        let overlap = read::overlap(body)?;
        Ok((place((environment, name)), Change::Rotate(id, overlap)))
    })
    .await
}

async fn end(
    State(api): Shared,
    At((environment, name, id)): OfCredential,
    request: Request,
) -> Replied {
    api.change(request, |body| {
        Ok((place((environment, name)), read::nothing(body, Change::End(id))?))
    })
    .await
}

async fn step(State(api): Shared, At(at): OfApplication, request: Request) -> Replied {
    api.change(request, |body| Ok((place(at), read::step(body)?))).await
}

async fn know(State(api): Shared, At(at): OfApplication, request: Request) -> Replied {
    api.change(request, |body| Ok((place(at), read::know(body)?))).await
}

async fn sponsor(
    State(api): Shared,
    At((environment, name, id)): OfCredential,
    request: Request,
) -> Replied {
    api.change(request, |body| Ok((place((environment, name)), read::sponsorship(body, &id)?)))
        .await
}
