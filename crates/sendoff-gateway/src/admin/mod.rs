//! The admin address: health, readiness, metrics, and the admin API. It is for the operator.

mod api;
mod routes;
mod shapes;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use tower_http::set_header::SetResponseHeaderLayer;

pub use self::routes::describe;
use crate::config::Config;
use crate::limits::store::lock;
use crate::observe::metrics::METRICS;
use crate::request::playground;
use crate::service::Service;

/// The media type of OpenMetrics.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The path of the dashboard.
const DASHBOARD: &str = "/playground/dashboard.html";

/// The routes of the admin address under a configuration.
///
/// # Errors
///
/// A sentence if the folder of the dashboard does not exist.
pub(crate) fn router(service: &Arc<Service>, config: &Config) -> Result<Router, String> {
    let (ready, scraped) = (Arc::clone(service), Arc::clone(service));
    let router = Router::new()
        .route("/health", get(async || "alive\n"))
        .route(
            "/ready",
            get(async move || match ready.is_draining.load(Ordering::Relaxed) {
                // A lost store does not affect readiness: every process has lost it.
                true => (StatusCode::SERVICE_UNAVAILABLE, "stopping\n"),
                false => (StatusCode::OK, "ready\n"),
            }),
        )
        .route("/metrics", get(async move || scrape(&scraped)));
    let router = router.merge(api::router(service, config).unwrap_or_default());
    let Some(folder) = &config.dashboard else { return Ok(router) };
    let pages = playground::routes(folder, async || (StatusCode::NOT_FOUND, "not found\n"))?;
    let router =
        router.merge(pages).route("/dashboard", get(async || Redirect::temporary(DASHBOARD)));
    // No page of another origin may frame the dashboard, and no browser guesses a type.
    let header = |name, value| {
        let name = HeaderName::from_static(name);
        SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
    };
    let router = router.layer(header("x-content-type-options", "nosniff"));
    Ok(router.layer(header("x-frame-options", "DENY")))
}

fn scrape(service: &Service) -> impl IntoResponse + use<> {
    let metrics = &*METRICS;
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    metrics.running.with([]).set(number(service.slots.held()));
    for (environment, store) in service.stores() {
        metrics.store_up.with([environment]).set(store.is_up().into());
    }
    let directory = &service.directory;
    let known = lock(&directory.known);
    let users = known.applications.values().map(|application| application.users()).sum();
    metrics.database_up.with([]).set(directory.is_up.load(Ordering::Relaxed).into());
    metrics.database_applications.with([]).set(number(known.applications.len()));
    metrics.database_users.with([]).set(number(users));
    metrics.database_unreadable.retain(|_| false);
    for place in known.unreadable.keys() {
        metrics.database_unreadable.with([&place.environment, &place.name]).set(1);
    }
    ([("content-type", OPEN_METRICS)], metrics.text())
}
