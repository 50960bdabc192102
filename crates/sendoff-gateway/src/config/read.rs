//! The tables of a file, with one function for each. A function continues after a problem, so that
//! all problems are found.

use std::{
    collections::HashSet, net::SocketAddr, ops::RangeInclusive, path::PathBuf, sync::Arc,
    time::Duration,
};

use sendoff::rate_limit::Policy;

use super::{
    Application, Bounds, Config, Environment, Forwarded, Upstream,
    application::{Lists, application},
    cors::cors,
    database::{admins, database},
    deployment::{bundler, deployment},
    proxies::proxies,
    secret::Variables,
    store::store,
    toml::{Place, Table},
    traces::traces,
    url::{leads_to, url},
    users,
};

pub(super) fn config(mut file: Table<'_>, variables: Variables<'_>) -> Option<Config> {
    let admin = file.or("admin", None, |place| address(place).map(Some));
    let proxies = file.or("proxies", None, |place| proxies(place).map(Some));
    let traces = file.or("traces", None, |place| traces(place, variables).map(Some));
    let lists = Lists::read(&mut file);
    let database = file.or("database", None, |place| database(place, variables).map(Some));
    let has_address = matches!((&database, &admin), (None | Some(Some(_)), None | Some(Some(_))));
    let admins = admins(&mut file, has_address, variables);
    let dashboard = file.or("dashboard", None, |place| place.text().map(|path| Some(path.into())));
    let reuse_port = file.or("reuse_port", false, Place::flag);
    let is_in_file = matches!(database, Some(None));
    let known = lists.known(&file, !is_in_file);
    let bounds = bounds(&mut file);

    let environments = file.required("environment").and_then(|place| place.table()).map(|table| {
        if table.entries().is_empty() {
            table.push("production", "expected an environment, found none".into());
        }
        table
            .entries()
            .into_iter()
            .map(|(name, place)| environment(name, &place, &lists, is_in_file, variables))
            .collect::<Vec<_>>()
    });

    let applications =
        environments.iter().flatten().flatten().flat_map(|environment| &environment.applications);
    let of_environments =
        environments.iter().flatten().flatten().map(|environment| environment.policy);
    let limits =
        of_environments.chain(applications.filter_map(|application| application.policy)).flatten();
    let store = store(&mut file, limits.map(|policy| policy.limit()).max(), variables);

    file.close();
    let environments = environments?.into_iter().collect::<Option<_>>()?;
    let (admin, reuse_port, bounds, store) = (admin?, reuse_port?, bounds?, store?);
    let (proxies, traces, known) = (proxies?, traces?, known?);
    let (database, admins, dashboard) = (database?, admins?, dashboard?);

    Some(Config {
        admin,
        reuse_port,
        proxies,
        traces,
        bounds,
        store,
        database,
        admins,
        dashboard,
        known,
        environments,
        warnings: Vec::new(),
    })
}

/// Reads the applications of a file that has nothing else, but for lists of chains that they share.
pub(super) fn applications(
    mut file: Table<'_>,
    variables: Variables<'_>,
) -> Option<Vec<(String, Arc<Application>)>> {
    let lists = Lists::read(&mut file);
    let environments = file.or("environment", Vec::new(), |place| Some(place.table()?.entries()));
    file.close();

    let of = |(name, place): (&str, Place<'_>)| {
        let mut table = place.table()?;
        let applications = of_environment(&mut table, &place, &lists, variables);
        table.close();
        let named = |application| (name.to_owned(), application);
        Some(applications?.into_iter().map(named).collect::<Vec<_>>())
    };
    let all: Vec<_> = environments?.into_iter().map(of).collect();
    Some(all.into_iter().collect::<Option<Vec<_>>>()?.concat())
}

/// Reads the applications of an environment.
fn of_environment(
    table: &mut Table<'_>,
    place: &Place<'_>,
    lists: &Lists,
    variables: Variables<'_>,
) -> Option<Vec<Arc<Application>>> {
    let applications: Vec<_> = table
        .list("application")?
        .iter()
        .map(|place| application(place, lists, variables).map(Arc::new))
        .collect();
    refuse_duplicates(applications.iter().flatten().map(Arc::as_ref), place);
    applications.into_iter().collect()
}

fn bounds(file: &mut Table<'_>) -> Option<Bounds> {
    let default = Bounds::default();
    let body_bytes = size(file, "body_bytes", default.body_bytes, 1..=1 << 20);
    // The HTTP library needs 8 KiB.
    let head_bytes = size(file, "head_bytes", default.head_bytes, 8 << 10..=1 << 20);
    let head = milliseconds(file, "head_ms", default.head);
    let body = milliseconds(file, "body_ms", default.body);
    let body_total = milliseconds(file, "body_total_ms", default.body_total);
    let write = milliseconds(file, "write_ms", default.write);
    let connections = count(file, "connections", default.connections);
    let requests = count(file, "requests", default.requests);
    // A quarter for an application at most, so that three of them leave room.
    let quarter = requests.unwrap_or(default.requests).div_ceil(4);
    let most = i64::try_from(quarter).unwrap_or(i64::MAX);
    let requests_per_application = size(file, "requests_per_application", quarter, 1..=most);
    let requests_per_user = size(file, "requests_per_user", quarter.div_ceil(4), 1..=most);
    let shutdown_delay = file.or("shutdown_delay_ms", default.shutdown_delay, |place| {
        place.integer(0..=3_600_000).map(ms)
    });
    let drain = milliseconds(file, "drain_ms", default.drain);

    Some(Bounds {
        body_bytes: body_bytes?,
        head_bytes: head_bytes?,
        head: head?,
        body: body?,
        body_total: body_total?,
        write: write?,
        connections: connections?,
        requests: requests?,
        requests_per_application: requests_per_application?,
        requests_per_user: requests_per_user?,
        shutdown_delay: shutdown_delay?,
        drain: drain?,
    })
}

fn size(
    table: &mut Table<'_>,
    key: &'static str,
    absent: usize,
    range: RangeInclusive<i64>,
) -> Option<usize> {
    table.or(key, absent, |place| usize::try_from(place.integer(range)?).ok())
}

pub(super) fn count(table: &mut Table<'_>, key: &'static str, absent: usize) -> Option<usize> {
    size(table, key, absent, 1..=1_000_000)
}

pub(super) fn milliseconds(
    table: &mut Table<'_>,
    key: &'static str,
    absent: Duration,
) -> Option<Duration> {
    table.or(key, absent, |place| place.integer(1..=3_600_000).map(ms))
}

pub(super) fn ms(ms: i64) -> Duration {
    Duration::from_millis(ms.unsigned_abs())
}

/// Reads an environment. If its applications are not in the file, their names are not known here.
fn environment(
    name: &str,
    place: &Place<'_>,
    lists: &Lists,
    is_in_file: bool,
    variables: Variables<'_>,
) -> Option<Environment> {
    // The name is part of keys in the store, and the core checks it.
    let checked = sendoff::rate_limit::SharedLimiter::new(Policy::PRODUCTION, name, b"").map(drop);
    if let Err(error) = &checked {
        // Its only issue concerns the name.
        error.issues().iter().for_each(|issue| place.push(issue.message.clone()));
    }

    if name == "admin" {
        place.push(
            "expected a name other than `admin`, which is the address for health and metrics"
                .into(),
        );
    }

    let mut table = place.table()?;
    let listen = table.required("listen").and_then(|place| address(&place));
    let tls = table.or("tls", None, |place| {
        let mut table = place.table()?;
        let certificate = table.required("certificate").and_then(|place| pem_file(&place));
        let key = table.required("key").and_then(|place| pem_file(&place));
        table.close();
        Some(Some((certificate?, key?)))
    });

    let policy = table.required("policy").and_then(|place| policy(&place));
    let rate_limit_fields = table.or("rate_limit_fields", false, Place::flag);
    let upstream = upstream(&mut table, listen);
    let bundler = table.or("bundler", None, |place| bundler(place, variables).map(Some));
    let cors = table.or("cors", None, |place| cors(place).map(Some));
    let playground =
        table.or("playground", None, |place| place.text().map(|path| Some(path.into())));
    let deployment = table.required("deployment").and_then(|place| deployment(&place));

    let applications = of_environment(&mut table, place, lists, variables);
    if matches!(cors, Some(None))
        && applications.iter().flatten().any(|application| application.origins.is_some())
    {
        place.push("expected `cors` beside an application with `origins`, found none".into());
    }

    let known: Option<&Vec<Arc<Application>>> = applications.as_ref().filter(|_| is_in_file);
    let names: Option<Vec<_>> = known.map(|applications| {
        applications.iter().map(|application| application.name.as_str()).collect()
    });
    let issuers = users::issuers(&mut table, names.as_deref());
    let introspection = table.or("introspection", None, |place| {
        users::introspection(place, names.as_deref(), variables).map(Some)
    });

    table.close();
    Some(Environment {
        name: name.into(),
        listen: listen?,
        tls: tls?,
        policy: policy?,
        rate_limit_fields: rate_limit_fields?,
        upstream: upstream?,
        bundler: bundler?,
        cors: cors?,
        playground: playground?,
        deployment: deployment?,
        applications: applications?,
        issuers: issuers?,
        introspection: introspection?,
    })
}

/// Reads the backend of an environment at `listen`.
fn upstream(table: &mut Table<'_>, listen: Option<SocketAddr>) -> Option<Option<Upstream>> {
    let Some(place) = table.optional("upstream") else {
        for key in ["upstream_ms", "upstream_idle_ms", "forwarded"] {
            if let Some(place) = table.optional(key) {
                place.push("expected an `upstream` beside it, found none".into());
            }
        }
        return Some(None);
    };

    let url = url(&place);
    if url.as_deref().zip(listen).is_some_and(|(url, listen)| leads_to(url, listen)) {
        place.push("expected the address of a backend, found that of this environment".into());
    }

    let timeout = milliseconds(table, "upstream_ms", ms(30_000));
    let idle = milliseconds(table, "upstream_idle_ms", ms(4_000));
    let forwarded = table.or("forwarded", Forwarded::Drop, |place| {
        one_of(place, &[("drop", Forwarded::Drop), ("keep", Forwarded::Keep)])
    });

    Some(Some(Upstream { url: url?, timeout: timeout?, idle: idle?, forwarded: forwarded? }))
}

/// Reports applications with the same name, key or token, which could not be distinguished.
fn refuse_duplicates<'a>(applications: impl Iterator<Item = &'a Application>, place: &Place<'_>) {
    let (mut names, mut digests) = (HashSet::new(), HashSet::new());
    for Application { name, keys, server_keys, users, .. } in applications {
        if !names.insert(name) {
            place.push(format!("expected each application once, found `{name}` again"));
        }
        let secrets =
            keys.iter().chain(server_keys).copied().chain(users.iter().map(|user| user.token));
        if secrets.filter(|key| !digests.insert(key.digest)).count() > 0 {
            place.push(format!("a key or token of `{name}` is used twice"));
        }
    }
}

/// `production`, `none`, or the policy itself.
pub(super) fn policy(place: &Place<'_>) -> Option<Option<Policy>> {
    if !place.is_table() {
        return one_of(place, &[("production", Some(Policy::PRODUCTION)), ("none", None)]);
    }

    let mut table = place.table()?;
    let limit = table.required("limit").and_then(|place| place.integer(1..=(1 << 21) - 1));
    let window_ms = table.required("window_ms").and_then(|place| place.integer(1_000..=86_400_000));
    let offset = table.or("day_offset_minutes", 0, |place| place.integer(-720..=840));
    let midnight = table.or("midnight", Default::default(), Place::parsed);
    let hold_ms =
        table.or("hold_ms", None, |place| place.integer(0..=8_640_000_000_000_000).map(Some));

    table.close();
    let (limit, window_ms) = (u32::try_from(limit?).ok()?, window_ms?.unsigned_abs());
    let policy = Policy::new(limit, Duration::from_millis(window_ms)).and_then(|policy| {
        let policy = policy.with_midnight(midnight.unwrap_or_default());
        policy.with_day_offset_minutes(
            offset.and_then(|minutes| i16::try_from(minutes).ok()).unwrap_or_default(),
        )
    });

    let policy = policy.and_then(|policy| match hold_ms {
        Some(Some(hold_ms)) => policy.with_hold(Duration::from_millis(hold_ms.unsigned_abs())),
        _ => Ok(policy),
    });
    policy.map_err(|error| place.push(format!("{error}"))).ok().map(Some)
}

/// An address to listen on.
fn address(place: &Place<'_>) -> Option<SocketAddr> {
    let text = place.text()?;
    let expected = "an IP address and a port, such as `127.0.0.1:8080` or `[::]:8080`";
    text.parse().ok().or_else(|| place.misformed(expected, text))
}

pub(super) fn one_of<T: Copy>(place: &Place<'_>, words: &[(&str, T)]) -> Option<T> {
    let text = place.text()?;
    words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).or_else(|| {
        let words: Vec<_> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        place.misformed(&words.join(" or "), text)
    })
}

/// The path of a PEM file. A path is shown where it cannot be read, so a key in its place is refused first.
fn pem_file(place: &Place<'_>) -> Option<PathBuf> {
    let text = place.text()?;
    if text.contains("-----") {
        place.push("expected the path of a PEM file, found its content".into());
        return None;
    }
    Some(text.into())
}
