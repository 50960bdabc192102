//! Metrics in the text format of Prometheus.

mod labels;
mod registered;

use std::{fmt, time::Duration};

use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

use self::labels::{Call, Environment, Outcome, Reason, Refused, Request, Source, Timed};
use crate::{database::Place, recent::Recent};

/// All metrics.
///
/// - `sendoff_requests_total{environment, operation, status}`: answered requests; the operation is empty for unknown paths
/// - `sendoff_request_duration_seconds{environment, operation}`: the time until a reply begins
/// - `sendoff_store_duration_seconds{environment}`: the time that requests waited for the store
/// - `sendoff_backend_duration_seconds{environment, operation}`: the time until the backend's or the bundler's reply began
/// - `sendoff_refusals_total{environment, application, operation, reason}`: requests that the gateway refused, by the name of the
///   refusal; the application is empty for unknown callers, the operation for unknown paths
/// - `sendoff_preflights_total{environment}`: preflights of pages of other origins
/// - `sendoff_requests_running`: requests that run now
/// - `sendoff_calls_total{environment, application, operation, verdict}`: calls that count, `admitted`, `refused` or `undecided`
/// - `sendoff_requests_refused_total{environment, reason}`: requests answered with 503, because of the limit on all (`total`), or
///   the share of their `application` or of a `user`
/// - `sendoff_undelivered_total{environment, reason}`: replies that did not reach their caller whole: the caller `hung_up`
///   before the reply began or `left` during it, or the `backend` ended it early
/// - `sendoff_connections{environment}`: open connections
/// - `sendoff_connections_refused_total{environment, reason}`: connections closed at once, because of the limit on all (`total`)
///   or a lack of file `descriptors`
/// - `sendoff_connections_ended_total{environment, reason}`: connections that the gateway ended: `head` and `write` are limits
///   of time, `malformed` is invalid HTTP or TLS, `drain` is a stop
/// - `sendoff_log_lines_lost_total`: lines of log that could not be written
/// - `sendoff_bundler_total{outcome}`: `answered`, `replaced` by the file's limits, or `refused`
/// - `sendoff_build_info{version}`: always 1
/// - `sendoff_certificate_expiry_timestamp_seconds{environment}`: when the first certificate of the chain to expire does so, in
///   Unix time; absent without TLS
/// - `sendoff_spans_total{outcome}`: traced requests: `sent` to the collector, `failed` on the way, or `dropped` because the queue
///   was full
/// - `sendoff_store_up{environment}`: 1 if the shared store answers, 0 if not; absent without a store
/// - `sendoff_database_up`: 1 if the database of applications answers, 0 if not; absent without one
/// - `sendoff_database_unreadable{application, environment}`: 1 for each application whose rows cannot be read; it stays as it was
/// - `sendoff_database_applications`, `sendoff_database_users`: how many this process knows; absent without a database
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    durations: Family<Timed, Histogram, fn() -> Histogram>,
    store_durations: Family<Environment, Histogram, fn() -> Histogram>,
    backend_durations: Family<Timed, Histogram, fn() -> Histogram>,
    preflights: Family<Environment, Counter>,
    certificates: Family<Environment, Gauge>,
    calls: Family<Call, Counter>,
    refusals: Family<Refused, Counter>,
    running: Gauge,
    undelivered: Family<Reason, Counter>,
    connections: Family<Environment, Gauge>,
    refused: Family<Reason, Counter>,
    requests_refused: Family<Reason, Counter>,
    ended: Family<Reason, Counter>,
    bundler: Family<Outcome, Counter>,
    spans: Family<Outcome, Counter>,
    store_up: Family<Environment, Gauge>,
    users_asked: Family<Source, Counter>,
    database_up: Family<Vec<(&'static str, &'static str)>, Gauge>,
    database_applications: Family<Vec<(&'static str, &'static str)>, Gauge>,
    database_users: Family<Vec<(&'static str, &'static str)>, Gauge>,
    database_unreadable: Family<Vec<(&'static str, String)>, Gauge>,
    /// The last refusals of each application.
    pub(crate) recent: Recent,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    /// Starts the counters of an environment at zero. Prometheus does not see the first event of a counter that begins with it.
    pub(crate) fn begin(&self, environment: &str) {
        let families = [
            (&self.requests_refused, &["total", "application", "user"][..]),
            (&self.refused, &["total", "descriptors"]),
            (&self.ended, &["head", "write", "malformed", "drain"]),
            (&self.undelivered, &["hung_up", "left", "backend"]),
        ];
        for (family, reasons) in families {
            for reason in reasons {
                drop(family.get_or_create(&Reason { environment: environment.into(), reason }));
            }
        }

        let outcomes = [
            (&self.bundler, &["answered", "replaced", "refused"][..]),
            (&self.spans, &["sent", "failed", "dropped"]),
        ];
        for (family, outcomes) in outcomes {
            for outcome in outcomes {
                drop(family.get_or_create(&Outcome { outcome }));
            }
        }

        let asked = [("keys", "answered"), ("keys", "failed")].into_iter();
        let asked =
            asked.chain(["answered", "failed", "busy"].map(|outcome| ("introspection", outcome)));

        for (source, outcome) in asked {
            drop(self.users_asked.get_or_create(&Source {
                environment: environment.into(),
                source,
                outcome,
            }));
        }

        drop(self.preflights.get_or_create(&Environment { environment: environment.into() }));
    }

    pub(crate) fn request(
        &self,
        environment: &str,
        operation: &'static str,
        status: u16,
        took: Duration,
    ) {
        let environment = environment.to_owned();
        self.durations
            .get_or_create(&Timed { environment: environment.clone(), operation })
            .observe(took.as_secs_f64());
        self.requests.get_or_create(&Request { environment, operation, status }).inc();
    }

    /// Counts the times that a request waited for the store and for the backend.
    pub(crate) fn waited(
        &self,
        environment: &str,
        operation: &'static str,
        store: Option<Duration>,
        backend: Option<Duration>,
    ) {
        let environment = environment.to_owned();
        if let Some(store) = store {
            let of_store = Environment { environment: environment.clone() };
            self.store_durations.get_or_create(&of_store).observe(store.as_secs_f64());
        }
        if let Some(backend) = backend {
            self.backend_durations
                .get_or_create(&Timed { environment, operation })
                .observe(backend.as_secs_f64());
        }
    }

    pub(crate) fn call(
        &self,
        environment: &str,
        application: &str,
        operation: &'static str,
        verdict: &'static str,
    ) {
        let (environment, application) = (environment.into(), application.into());
        self.calls.get_or_create(&Call { environment, application, operation, verdict }).inc();
    }

    pub(crate) fn refused(
        &self,
        environment: &str,
        application: &str,
        operation: &'static str,
        reason: &'static str,
    ) {
        let (environment, application) = (environment.into(), application.into());
        self.refusals.get_or_create(&Refused { environment, application, operation, reason }).inc();
    }

    pub(crate) fn preflight(&self, environment: &str) {
        self.preflights.get_or_create(&Environment { environment: environment.into() }).inc();
    }

    /// Notes when an environment's certificate expires; `None` without one.
    pub(crate) fn certificate(&self, environment: &str, expires: Option<i64>) {
        let environment = Environment { environment: environment.into() };
        match expires {
            Some(expires) => drop(self.certificates.get_or_create(&environment).set(expires)),
            None => drop(self.certificates.remove(&environment)),
        }
    }

    pub(crate) fn running(&self, requests: usize) {
        self.running.set(requests.try_into().unwrap_or(i64::MAX));
    }

    pub(crate) fn request_refused(&self, environment: &str, reason: &'static str) {
        self.requests_refused
            .get_or_create(&Reason { environment: environment.into(), reason })
            .inc();
    }

    pub(crate) fn undelivered(&self, environment: &str, reason: &'static str) {
        self.undelivered.get_or_create(&Reason { environment: environment.into(), reason }).inc();
    }

    /// The gauge of an environment's open connections.
    pub(crate) fn connections(&self, environment: &str) -> Gauge {
        self.connections.get_or_create_owned(&Environment { environment: environment.into() })
    }

    pub(crate) fn connection_refused(&self, environment: &str, reason: &'static str) {
        self.refused.get_or_create(&Reason { environment: environment.into(), reason }).inc();
    }

    pub(crate) fn connection_ended(&self, environment: &str, reason: &'static str) {
        self.ended.get_or_create(&Reason { environment: environment.into(), reason }).inc();
    }

    pub(crate) fn bundler(&self, outcome: &'static str) {
        self.bundler.get_or_create(&Outcome { outcome }).inc();
    }

    pub(crate) fn traced(&self, outcome: &'static str, requests: usize) {
        self.spans
            .get_or_create(&Outcome { outcome })
            .inc_by(requests.try_into().unwrap_or(u64::MAX));
    }

    /// Counts a request to a source of users: `keys` or `introspection`.
    pub(crate) fn users_asked(
        &self,
        environment: &str,
        source: &'static str,
        outcome: &'static str,
    ) {
        self.users_asked
            .get_or_create(&Source { environment: environment.into(), source, outcome })
            .inc();
    }

    pub(crate) fn store_up(&self, environment: &str, is_up: bool) {
        self.store_up
            .get_or_create(&Environment { environment: environment.into() })
            .set(is_up.into());
    }

    /// Notes whether the database answers, and how many applications and users of it are known.
    pub(crate) fn database(&self, is_up: bool, (applications, users): (usize, usize)) {
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.database_up.get_or_create(&Vec::new()).set(is_up.into());
        self.database_applications.get_or_create(&Vec::new()).set(number(applications));
        self.database_users.get_or_create(&Vec::new()).set(number(users));
    }

    /// Notes which applications of the database cannot be read.
    pub(crate) fn unreadable(&self, places: Vec<Place>) {
        self.database_unreadable.clear();
        for Place { environment, application } in places {
            let labels = vec![("application", application), ("environment", environment)];
            self.database_unreadable.get_or_create(&labels).set(1);
        }
    }

    /// All metrics as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String does not fail.
        encode(&mut text, &self.registry).unwrap_or_default();
        text
    }
}
