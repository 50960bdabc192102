//! Metrics in the text format of Prometheus.

use std::{collections::HashSet, fmt, sync::Mutex};

use prometheus_client::{
    encoding::{EncodeMetric, text::encode},
    metrics::{
        TypedMetric, counter::Counter, family::Family, gauge::Gauge, histogram::Histogram,
        info::Info,
    },
    registry::Registry,
};

use crate::{
    limits::store::lock,
    observe::{log::Lost, recent::Recent},
};

/// The series of a metric, by the values of its labels.
pub(crate) struct Series<M, const N: usize> {
    labels: [&'static str; N],
    family: Family<Labels<N>, M, fn() -> M>,
    /// All of them.
    known: Mutex<HashSet<Labels<N>>>,
}

type Labels<const N: usize> = [(&'static str, String); N];

impl<M, const N: usize> Series<M, N>
where
    M: Clone + fmt::Debug + EncodeMetric + TypedMetric + Send + Sync + 'static,
{
    /// The series with these values. It begins with the first call.
    pub(crate) fn with(&self, values: [&str; N]) -> M {
        let mut values = values.into_iter().map(str::to_owned);
        let labels = self.labels.map(|label| (label, values.next().unwrap_or_default()));
        if let Some(metric) = self.family.get(&labels) {
            return M::clone(&metric);
        }
        let metric = self.family.get_or_create_owned(&labels);
        lock(&self.known).insert(labels);
        metric
    }

    /// Ends the series for whose values `keeps` is false.
    pub(crate) fn retain(&self, keeps: impl Fn([&str; N]) -> bool) {
        lock(&self.known).retain(|labels| {
            let is_kept = keeps(labels.each_ref().map(|(_, value)| value.as_str()));
            if !is_kept {
                self.family.remove(labels);
            }
            is_kept
        });
    }
}

/// Adds a metric.
fn add<M, const N: usize>(
    all: &mut Registry,
    name: &str,
    help: &str,
    labels: [&'static str; N],
    new: fn() -> M,
) -> Series<M, N>
where
    M: Clone + fmt::Debug + EncodeMetric + TypedMetric + Send + Sync + 'static,
{
    let family = Family::new_with_constructor(new);
    all.register(name, help, Family::clone(&family));
    Series { labels, family, known: Mutex::default() }
}

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
/// - `sendoff_spans_total{outcome}`: spans that were `recorded`, and how many of them were `sent` to the collector or `failed` on
///   the way. The others are in the queue, or were dropped because it was full
/// - `sendoff_store_up{environment}`: 1 if the shared store answers, 0 if not; absent without a store
/// - `sendoff_database_up`: 1 if the database of applications answers, 0 if not; absent without one
/// - `sendoff_database_unreadable{application, environment}`: 1 for each application whose rows cannot be read; it stays as it was
/// - `sendoff_database_applications`, `sendoff_database_users`: how many this process knows; absent without a database
///
/// The series of an application end with it.
pub(crate) struct Metrics {
    registry: Registry,
    log: Option<Lost>,
    pub(crate) requests: Series<Counter, 3>,
    pub(crate) durations: Series<Histogram, 2>,
    pub(crate) store_durations: Series<Histogram, 1>,
    pub(crate) backend_durations: Series<Histogram, 2>,
    pub(crate) refusals: Series<Counter, 4>,
    pub(crate) preflights: Series<Counter, 1>,
    pub(crate) running: Gauge,
    pub(crate) calls: Series<Counter, 4>,
    pub(crate) requests_refused: Series<Counter, 2>,
    pub(crate) undelivered: Series<Counter, 2>,
    pub(crate) connections: Series<Gauge, 1>,
    pub(crate) connections_refused: Series<Counter, 2>,
    pub(crate) connections_ended: Series<Counter, 2>,
    log_lines_lost: Counter,
    pub(crate) bundler: Series<Counter, 1>,
    pub(crate) certificates: Series<Gauge, 1>,
    pub(crate) spans: Series<Counter, 1>,
    pub(crate) users_asked: Series<Counter, 3>,
    pub(crate) store_up: Series<Gauge, 1>,
    pub(crate) database_up: Series<Gauge, 0>,
    pub(crate) database_unreadable: Series<Gauge, 2>,
    pub(crate) database_applications: Series<Gauge, 0>,
    pub(crate) database_users: Series<Gauge, 0>,
    /// The last refusals of each application.
    pub(crate) recent: Recent,
}

/// Buckets from half a millisecond: the core takes microseconds, a store or a bundler milliseconds, a backend up to seconds.
const SECONDS: [f64; 11] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0];

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    pub(crate) fn new(log: Option<Lost>) -> Self {
        let mut registry = Registry::with_prefix("sendoff");
        let version = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The version", version);
        let (running, lost) = (Gauge::default(), Counter::default());
        registry.register("requests_running", "Requests that run", Gauge::clone(&running));
        let help = "Lines of log that could not be written";
        registry.register("log_lines_lost", help, Counter::clone(&lost));

        let (all, of) = (&mut registry, "environment");
        let count: fn() -> Counter = Counter::default;
        let gauge: fn() -> Gauge = Gauge::default;
        let seconds: fn() -> Histogram = || Histogram::new(SECONDS);
        let (of_operation, by_reason) = ([of, "operation"], [of, "reason"]);
        let of_application = |last| [of, "application", "operation", last];
        let (request, store, backend) =
            ("request_duration_seconds", "store_duration_seconds", "backend_duration_seconds");
        let (expiry, asked) = ("certificate_expiry_timestamp_seconds", [of, "source", "outcome"]);
        let (answered, undelivered) = ("Answered requests", "Replies that did not arrive whole");
        let unreadable = [of, "application"];
        let (users, spans) = ("Requests to issuers and introspection", "Spans of requests");
        let (preflights, bundler) = ("Preflights of other origins", "Requests to the bundler");
        let (applications, known_users) = ("Applications known here", "Users known here");
        Self {
            requests: add(all, "requests", answered, [of, "operation", "status"], count),
            durations: add(all, request, "Time until a reply begins", of_operation, seconds),
            store_durations: add(all, store, "Waits for the store", [of], seconds),
            backend_durations: add(all, backend, "Waits for the backend", of_operation, seconds),
            refusals: add(all, "refusals", "Refused requests", of_application("reason"), count),
            preflights: add(all, "preflights", preflights, [of], count),
            running,
            calls: add(all, "calls", "Calls that count", of_application("verdict"), count),
            requests_refused: add(all, "requests_refused", "Without a slot", by_reason, count),
            undelivered: add(all, "undelivered", undelivered, by_reason, count),
            connections: add(all, "connections", "Open connections", [of], gauge),
            connections_refused: add(
                all,
                "connections_refused",
                "Closed at once",
                by_reason,
                count,
            ),
            connections_ended: add(
                all,
                "connections_ended",
                "Ended by the gateway",
                by_reason,
                count,
            ),
            log_lines_lost: lost,
            bundler: add(all, "bundler", bundler, ["outcome"], count),
            certificates: add(all, expiry, "Ends of certificates", [of], gauge),
            spans: add(all, "spans", spans, ["outcome"], count),
            users_asked: add(all, "users_asked", users, asked, count),
            store_up: add(all, "store_up", "Whether the store answers", [of], gauge),
            database_up: add(all, "database_up", "Whether the database answers", [], gauge),
            database_unreadable: add(
                all,
                "database_unreadable",
                "Unreadable rows",
                unreadable,
                gauge,
            ),
            database_applications: add(all, "database_applications", applications, [], gauge),
            database_users: add(all, "database_users", known_users, [], gauge),
            recent: Recent::default(),
            registry,
            log,
        }
    }

    /// Starts the counters of an environment at zero. Prometheus does not see the first event of a counter that begins with it.
    pub(crate) fn begin(&self, environment: &str) {
        for (family, reasons) in [
            (&self.requests_refused, &["total", "application", "user"][..]),
            (&self.connections_refused, &["total", "descriptors"]),
            (&self.connections_ended, &["head", "write", "malformed", "drain"]),
            (&self.undelivered, &["hung_up", "left", "backend"]),
        ] {
            reasons.iter().for_each(|reason| drop(family.with([environment, reason])));
        }
        for (family, outcomes) in [
            (&self.bundler, ["answered", "replaced", "refused"]),
            (&self.spans, ["recorded", "sent", "failed"]),
        ] {
            outcomes.iter().for_each(|outcome| drop(family.with([outcome])));
        }
        for outcome in ["answered", "failed"] {
            drop(self.users_asked.with([environment, "keys", outcome]));
            drop(self.users_asked.with([environment, "introspection", outcome]));
        }
        drop(self.users_asked.with([environment, "introspection", "busy"]));
        drop(self.preflights.with([environment]));
    }

    /// Ends the series of applications that an environment has not any more. Unknown callers have no application.
    pub(crate) fn keep(&self, environment: &str, applications: &HashSet<&str>) {
        let keeps = |of: &str, application: &str| {
            of != environment || application.is_empty() || applications.contains(application)
        };
        self.calls.retain(|[of, application, ..]| keeps(of, application));
        self.refusals.retain(|[of, application, ..]| keeps(of, application));
        self.recent.retain(keeps);
    }

    /// All metrics as text.
    pub(crate) fn text(&self) -> String {
        let lines = self.log.as_ref().map_or(0, Lost::lines);
        self.log_lines_lost.inc_by(lines.saturating_sub(self.log_lines_lost.get()));
        let mut text = String::new();
        // Writing to a String does not fail.
        encode(&mut text, &self.registry).unwrap_or_default();
        text
    }
}
