//! The admin address: health, readiness and metrics. It is for the operator.

use std::sync::{Arc, atomic::Ordering};

use axum::{
    Router,
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing::get,
};

use crate::process::Process;

/// The media type of OpenMetrics.
const METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The routes of the admin address.
pub(crate) fn router(process: &Arc<Process>) -> Router {
    let (ready, scraped) = (Arc::clone(process), Arc::clone(process));
    Router::new()
        .route("/health", get(async || plain(StatusCode::OK, "alive\n")))
        .route("/ready", get(async move || readiness(&ready)))
        .route("/metrics", get(async move || scrape(&scraped)))
}

fn readiness(process: &Process) -> Response {
    // A lost store does not affect readiness: every process has lost it.
    if process.is_draining.load(Ordering::Relaxed) {
        plain(StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
    } else {
        plain(StatusCode::OK, "ready\n")
    }
}

fn scrape(process: &Process) -> Response {
    let metrics = &process.metrics;
    metrics.running(process.slots.held());
    for (environment, store) in process.stores() {
        metrics.store_up(environment, store.is_up());
    }
    ([("content-type", METRICS)], metrics.text()).into_response()
}

fn plain(status: StatusCode, text: &'static str) -> Response {
    (status, text).into_response()
}
