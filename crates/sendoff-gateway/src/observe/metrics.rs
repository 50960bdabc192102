//! Metrics in the text format of Prometheus.

use std::collections::HashSet;
use std::fmt;
use std::sync::{LazyLock, Mutex};

use prometheus_client::encoding::EncodeMetric;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::TypedMetric;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use crate::limits::store::lock;
use crate::observe::log::lost;

/// The metrics of this process.
pub(crate) static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::new);

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
    let series = Series { labels, family: Family::clone(&family), known: Mutex::default() };
    // The registry ends the sentence.
    let help = help.trim().trim_end_matches('.');
    if labels.is_empty() {
        all.register(name, help, series.with([""; N]));
    } else {
        all.register(name, help, family);
    }
    series
}

const OF: &str = "environment";

const fn count(labels: &[&str]) -> usize {
    labels.len()
}

/// The type of all metrics, with a row for each: its help, its field, its kind, its name and its labels.
macro_rules! metrics {
    ($(#[doc = $help:literal] $field:ident: $kind:ident = $new:expr, $name:literal, $labels:expr;)*) => {
        /// All metrics. The series of an application end with it.
        pub(crate) struct Metrics {
            registry: Registry,
            $(#[doc = $help] pub(crate) $field: Series<$kind, { count(&$labels) }>,)*
        }

        impl Metrics {
            fn new() -> Self {
                let mut registry = Registry::with_prefix("sendoff");
                let version = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
                registry.register("build", "The version", version);
                $(let $field = add(&mut registry, $name, $help, $labels, $new);)*
                Self { registry, $($field),* }
            }
        }
    };
}

metrics! {
    /// Requests that run.
    running: Gauge = Gauge::default, "requests_running", [];
    /// Lines of log that could not be written.
    log_lines_lost: Counter = Counter::default, "log_lines_lost", [];
    /// Answered requests; the operation is empty for unknown paths.
    requests: Counter = Counter::default, "requests", [OF, "operation", "status"];
    /// The time until a reply begins.
    durations: Histogram = seconds, "request_duration_seconds", [OF, "operation"];
    /// The time that requests waited for the store.
    store_durations: Histogram = seconds, "store_duration_seconds", [OF];
    /// The time until the backend's or the bundler's reply began.
    backend_durations: Histogram = seconds, "backend_duration_seconds", [OF, "operation"];
    /// Refused requests, by the name of the refusal; the application is empty for unknown callers, the operation for unknown paths.
    refusals: Counter = Counter::default, "refusals", [OF, "application", "operation", "reason"];
    /// Preflights of pages of other origins.
    preflights: Counter = Counter::default, "preflights", [OF];
    /// Calls that count, `admitted`, `refused` or `undecided`.
    calls: Counter = Counter::default, "calls", [OF, "application", "operation", "verdict"];
    /// Requests answered with 503: the limit on all (`total`), or the share of their `application` or of a `user`.
    requests_refused: Counter = Counter::default, "requests_refused", [OF, "reason"];
    /// Replies that did not arrive whole: the caller `hung_up` before they began or `left` during them, or the `backend` ended them.
    undelivered: Counter = Counter::default, "undelivered", [OF, "reason"];
    /// Open connections.
    connections: Gauge = Gauge::default, "connections", [OF];
    /// Connections closed at once, because of the limit on all (`total`) or a lack of file `descriptors`.
    connections_refused: Counter = Counter::default, "connections_refused", [OF, "reason"];
    /// Connections that the gateway ended: `head` and `write` are limits of time, `malformed` is invalid HTTP or TLS, `drain` a stop.
    connections_ended: Counter = Counter::default, "connections_ended", [OF, "reason"];
    /// Questions to the bundler: `answered`, `replaced` by the limits of the file, or `refused`.
    bundler: Counter = Counter::default, "bundler", ["outcome"];
    /// When the first certificate of the chain to expire does so, in Unix time; absent without TLS.
    certificates: Gauge = Gauge::default, "certificate_expiry_timestamp_seconds", [OF];
    /// Spans that were `recorded`, and how many of them were `sent` to the collector or `failed` on the way.
    spans: Counter = Counter::default, "spans", ["outcome"];
    /// Questions to issuers and to servers of introspection.
    users_asked: Counter = Counter::default, "users_asked", [OF, "source", "outcome"];
    /// 1 if the shared store answers, 0 if not; absent without a store.
    store_up: Gauge = Gauge::default, "store_up", [OF];
    /// 1 if the database of applications answers, 0 if not.
    database_up: Gauge = Gauge::default, "database_up", [];
    /// 1 for each application that cannot be read; it stays as it was.
    database_unreadable: Gauge = Gauge::default, "database_unreadable", [OF, "application"];
    /// The applications that this process knows.
    database_applications: Gauge = Gauge::default, "database_applications", [];
    /// The users that this process knows.
    database_users: Gauge = Gauge::default, "database_users", [];
}

/// Buckets from half a millisecond: the core takes microseconds, a store or a bundler milliseconds, a backend up to seconds.
const SECONDS: [f64; 11] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0];

fn seconds() -> Histogram {
    Histogram::new(SECONDS)
}

impl Metrics {
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
        for (source, outcomes) in [
            ("introspection", &["answered", "failed", "busy"][..]),
            ("keys", &["answered", "failed"]),
        ] {
            let asked = &self.users_asked;
            outcomes.iter().for_each(|outcome| drop(asked.with([environment, source, outcome])));
        }
        drop(self.preflights.with([environment]));
    }

    /// Ends the series of applications that an environment has not any more. Unknown callers have no application.
    pub(crate) fn keep(&self, environment: &str, applications: &HashSet<&str>) {
        let keeps = |of: &str, application: &str| {
            of != environment || application.is_empty() || applications.contains(application)
        };
        self.calls.retain(|[of, application, ..]| keeps(of, application));
        self.refusals.retain(|[of, application, ..]| keeps(of, application));
    }

    /// All metrics as text.
    pub(crate) fn text(&self) -> String {
        let counted = self.log_lines_lost.with([]);
        counted.inc_by(lost().saturating_sub(counted.get()));
        let mut text = String::new();
        // Writing to a String does not fail.
        encode(&mut text, &self.registry).unwrap_or_default();
        text
    }
}
