//! The names of metrics, with their help and units.

use prometheus_client::{
    metrics::{family::Family, gauge::Gauge, histogram::Histogram, info::Info},
    registry::{Registry, Unit},
};

use super::Metrics;
use crate::{log::Log, recent::Recent};

/// Buckets from half a millisecond: the core takes microseconds, a store or a bundler milliseconds, a backend up to seconds.
const SECONDS: [f64; 11] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0];

impl Metrics {
    pub(crate) fn new(log: &Log) -> Self {
        let mut registry = Registry::with_prefix("sendoff");
        let (requests, calls, bundler, store_up) =
            (Family::default(), Family::default(), Family::default(), Family::default());
        let (undelivered, connections, refused, requests_refused, ended) = (
            Family::default(),
            Family::default(),
            Family::default(),
            Family::default(),
            Family::default(),
        );
        let histogram: fn() -> Histogram = || Histogram::new(SECONDS);
        let durations = Family::new_with_constructor(histogram);
        let store_durations = Family::new_with_constructor(histogram);
        let backend_durations = Family::new_with_constructor(histogram);

        registry.register("requests", "Answered requests", Family::clone(&requests));
        let help = "Time until a reply begins";

        registry.register_with_unit(
            "request_duration",
            help,
            Unit::Seconds,
            Family::clone(&durations),
        );
        let help = "Time that requests waited for the store";

        registry.register_with_unit(
            "store_duration",
            help,
            Unit::Seconds,
            Family::clone(&store_durations),
        );
        let help = "Time until the backend's or the bundler's reply began";

        registry.register_with_unit(
            "backend_duration",
            help,
            Unit::Seconds,
            Family::clone(&backend_durations),
        );
        let (preflights, certificates) = (Family::default(), Family::default());

        registry.register(
            "preflights",
            "Preflights of pages of other origins",
            Family::clone(&preflights),
        );
        let help = "When the first certificate of the chain to expire does so";

        registry.register_with_unit(
            "certificate_expiry_timestamp",
            help,
            Unit::Seconds,
            Family::clone(&certificates),
        );
        let (refusals, running) = (Family::default(), Gauge::default());

        registry.register(
            "refusals",
            "Requests that the gateway refused",
            Family::clone(&refusals),
        );
        registry.register("requests_running", "Requests that run", Gauge::clone(&running));
        registry.register(
            "build",
            "The version",
            Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]),
        );
        registry.register("calls", "Calls that count, by verdict", Family::clone(&calls));

        let help = "Requests for which a limit left no slot";
        registry.register("requests_refused", help, Family::clone(&requests_refused));
        registry.register(
            "undelivered",
            "Replies that did not reach their caller whole",
            Family::clone(&undelivered),
        );
        registry.register("connections", "Open connections", Family::clone(&connections));
        registry.register(
            "connections_refused",
            "Connections closed at once",
            Family::clone(&refused),
        );
        registry.register(
            "connections_ended",
            "Connections that the gateway ended",
            Family::clone(&ended),
        );
        registry.register("log_lines_lost", "Lines of log that could not be written", log.lost());
        registry.register("bundler", "Results of requests to the bundler", Family::clone(&bundler));
        registry.register(
            "store_up",
            "Whether the shared store of rate windows answers",
            Family::clone(&store_up),
        );

        let spans = Family::default();

        registry.register("spans", "Traced requests", Family::clone(&spans));

        let users_asked = Family::default();
        let help = "Requests to issuers for their keys, and for introspection of a token";

        registry.register("users_asked", help, Family::clone(&users_asked));
        // Families, so that a process without a database has none of them.
        let (database_up, database_applications, database_users) =
            (Family::default(), Family::default(), Family::default());

        registry.register(
            "database_up",
            "Whether the database answers",
            Family::clone(&database_up),
        );
        let help = "Applications of the database that this process knows";

        registry.register("database_applications", help, Family::clone(&database_applications));
        let help = "Users of the database that this process knows";

        registry.register("database_users", help, Family::clone(&database_users));
        let database_unreadable = Family::default();
        let help = "Applications whose rows cannot be read";

        registry.register("database_unreadable", help, Family::clone(&database_unreadable));
        Self {
            registry,
            requests,
            durations,
            store_durations,
            backend_durations,
            preflights,
            certificates,
            calls,
            refusals,
            running,
            undelivered,
            connections,
            refused,
            requests_refused,
            ended,
            bundler,
            spans,
            store_up,
            users_asked,
            database_up,
            database_applications,
            database_users,
            database_unreadable,
            recent: Recent::default(),
        }
    }
}
