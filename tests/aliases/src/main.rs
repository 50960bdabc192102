//! A host on axum with a handler for each operation. `aliases guarded` counts by the core before
//! them, `aliases` does not count.
//!
//! It prints its address, then a line for each call: `counted ID OPERATION` and
//! `reached ID OPERATION`.

use std::{
    env,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, Version},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::any,
};
use sendoff::{
    http::{OPERATIONS, Refusal, find},
    rate_limit::{Cost, Policy, RateLimiter, Time},
};
use tokio::net::TcpListener;

type Limiter = Arc<Mutex<RateLimiter>>;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut app = Router::new();
    for row in OPERATIONS {
        let handler = move |headers: HeaderMap| async move {
            println!("reached {} {}", id(&headers), row.id)
        };
        // A path template is axum's own form.
        app = app.route(row.path, any(handler));
    }
    if env::args().nth(1).as_deref() == Some("guarded") {
        let policy = Policy::new(1_000, Duration::from_secs(300)).expect("a policy");
        app = app.layer(middleware::from_fn_with_state(
            Limiter::new(Mutex::new(RateLimiter::new(policy))),
            guard,
        ));
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    println!("{}", listener.local_addr().expect("an address"));
    axum::serve(listener, app).await.expect("it serves");
}

/// Counts a call under its id and operation. What is no operation passes, as a host's own routes do.
async fn guard(State(limiter): State<Limiter>, request: Request, next: Next) -> Response {
    let target = match (request.version(), request.uri().path_and_query()) {
        // HTTP/2 has no request line: its pseudo-headers are put together to an absolute address.
        (Version::HTTP_2, Some(target)) => target.to_string(),
        _ => request.uri().to_string(),
    };
    let operation = match find(request.method().as_str(), &target) {
        Ok(found) => found.operation,
        Err(Refusal::NOT_FOUND) => return next.run(request).await,
        Err(refusal) => {
            return StatusCode::from_u16(refusal.status()).expect("a status").into_response();
        }
    };
    if operation.is_limited() {
        // All calls are in one window.
        let now = Time::from_ms(0).expect("a time");
        let scope = format!("{} {operation}", id(request.headers()));
        if !limiter.lock().expect("no panic").admit(&scope, now, Cost::ONE).is_admitted() {
            return StatusCode::TOO_MANY_REQUESTS.into_response();
        }
        println!("counted {scope}");
    }
    next.run(request).await
}

fn id(headers: &HeaderMap) -> &str {
    headers.get("x-request-id").and_then(|id| id.to_str().ok()).unwrap_or_default()
}
