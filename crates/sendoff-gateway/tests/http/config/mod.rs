//! The configuration file: valid files, and the problems of invalid ones.

mod binary;
mod lists;
mod useless;
mod wrong_keys;

use std::time::Duration;

use sendoff::rate_limit::{Midnight, Policy};
use sendoff_gateway::config::{Config, Forwarded, Store};

use crate::support::{Gateway, config as sandbox};

const EXAMPLE: &str = include_str!("../../../gateway.toml");

/// A value for every environment variable.
fn set(name: &str) -> Option<String> {
    Some(format!("the-value-of-{name}"))
}

/// The problems of a file, as they are printed.
fn problems(text: &str) -> Vec<String> {
    problems_with(text, &set)
}

fn problems_with(text: &str, variables: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let problems = Config::read(text, variables).expect_err("an invalid file");
    problems.iter().map(ToString::to_string).collect()
}

/// The example with the keys that are commented out.
fn whole() -> String {
    let hidden = [
        "proxies",
        "traces",
        "tls",
        "upstream",
        "upstream_ms",
        "forwarded",
        "bundler",
        "cors",
        "playground",
        "policy",
    ];
    hidden.iter().chain(&["origins", "lists"]).fold(EXAMPLE.to_owned(), |file, key| {
        let hidden = format!("\n# {key} = ");
        assert!(file.contains(&hidden), "{key}");
        file.replacen(&hidden, &format!("\n{key} = "), 1)
    })
}

#[test]
fn the_example_is_valid() {
    let config = Config::read(EXAMPLE, &set).expect("the example reads");
    let names: Vec<_> =
        config.environments.iter().map(|environment| environment.name.as_str()).collect();
    assert_eq!(names, ["production", "sandbox"]);
    assert_eq!(config.environments[0].policy, Some(Policy::PRODUCTION));
    assert_eq!(config.environments[1].policy.map(|policy| policy.limit()), Some(5));
    assert!(matches!(config.store, Store::Memory));
}

#[test]
fn the_example_with_all_keys_is_valid() {
    let redis = "store = \"redis://127.0.0.1:6379\"\nstore_secret = { env = \"S\" }\non_store_loss = \"local\"\n";
    let whole = whole().replacen("store = \"memory\"", redis, 1);
    let config = Config::read(&whole, &set).unwrap_or_else(|problems| panic!("{problems:?}"));
    let production = &config.environments[0];
    assert!(production.bundler.is_some() && production.playground.is_some());
    assert_eq!(production.tls, Some(("certificate.pem".into(), "key.pem".into())));
    let upstream = production.upstream.as_ref().expect("a backend");
    assert_eq!(
        (upstream.url.as_str(), upstream.forwarded),
        ("http://127.0.0.1:8081", Forwarded::Drop)
    );
    let Store::Redis(store) = &config.store else { panic!("{:?}", config.store) };
    assert_eq!(
        (store.url.as_str(), store.secret.as_str()),
        ("redis://127.0.0.1:6379", "the-value-of-S")
    );
    let shown = format!("{config:?}");
    assert!(!shown.contains("the-value-of") && !shown.contains("127.0.0.1:4337"), "{shown}");
    for kept in [
        "RedisStore { on_loss: Local, lease: 1, .. }",
        "Bundler { timeout: 2s, on_loss: File, .. }",
        "[Digest(…)]",
    ] {
        assert!(shown.contains(kept), "{kept}: {shown}");
    }
}

/// Each key of a policy has its effect.
#[test]
fn policies_are_those_of_the_file() {
    let file = EXAMPLE.replacen(
        "limit = 5, window_ms = 10000, day_offset_minutes = 0, midnight = \"truncate\", hold_ms = 10000",
        "limit = 7, window_ms = 20000, day_offset_minutes = 330, midnight = \"carry\", hold_ms = 60000",
        1,
    );
    let config = Config::read(&file, &set).expect("it reads");
    let policy = Policy::new(7, Duration::from_secs(20));
    let policy = policy.and_then(|policy| {
        policy.with_midnight(Midnight::Carry).with_hold(Duration::from_secs(60))
    });
    let policy = policy.and_then(|policy| policy.with_day_offset_minutes(330)).expect("a policy");
    assert_eq!(config.environments[1].policy, Some(policy));
}

/// A lease takes as many calls as the file says, and never more than the limit allows.
#[test]
fn leases_are_within_the_limit() {
    for (lease, batch) in [(1, None), (2, Some(2)), (5, Some(5)), (6, Some(5)), (1_500, Some(5))] {
        let redis = format!(
            "store = \"redis://127.0.0.1\"\nstore_secret = {{ env = \"S\" }}\non_store_loss = \"local\"\nlease = {lease}"
        );
        let config = Config::read(&EXAMPLE.replacen("store = \"memory\"", &redis, 1), &set)
            .expect("it reads");
        let (Store::Redis(store), Some(policy)) = (&config.store, config.environments[1].policy)
        else {
            panic!("{config:?}")
        };
        assert_eq!(
            store.batch(&policy),
            batch.map(|calls| policy.cost(calls).expect("within the limit")),
            "{lease}"
        );
    }
}

/// All keys except the environments are optional, and many keys in them.
#[test]
fn absent_keys_have_defaults() {
    let file = r#"
[environment.a]
listen = "[::1]:1"
policy = "none"
deployment = { job_manager = "0x7F1E1e98Dde775Fae0d340D3E5D28004Db58A0d3", paymaster = "0xB0E2BD2EFb99F982F8cCB8e6737A572B3B0eCE11", gas_limits = { call = "0x1", verification = "0x1", pre_verification = "0x1", paymaster_verification = "0x1", paymaster_post_op = "0x1" } }
"#;
    let config = Config::read(file, &set).expect("it reads");
    assert_eq!((config.admin, config.bounds.body_bytes), (None, 1 << 20));
    let bounds = &config.bounds;
    for bound in [bounds.head, bounds.body, bounds.write, bounds.drain] {
        assert_eq!(bound.as_secs(), 10);
    }
    assert_eq!((bounds.body_total.as_secs(), bounds.shutdown_delay.as_millis()), (60, 500));
    assert_eq!((bounds.connections, bounds.requests, bounds.head_bytes), (4_096, 1_024, 32_768));
    assert_eq!((bounds.requests_per_application, bounds.requests_per_user), (256, 64));
    let few = Config::read(&format!("requests = 10{file}"), &set).expect("it reads").bounds;
    assert_eq!((few.requests_per_application, few.requests_per_user), (3, 1));
    let environment = &config.environments[0];
    assert!(
        environment.policy.is_none()
            && environment.upstream.is_none()
            && environment.bundler.is_none()
    );
    assert!(
        environment.applications.is_empty()
            && environment.tls.is_none()
            && !environment.rate_limit_fields
    );
}

#[test]
fn all_problems_of_a_file_are_named() {
    let file = EXAMPLE
        .replacen("admin = \"127.0.0.1:9090\"", "admin = 1\nmore = 2", 1)
        .replacen("body_ms = 10000", "body_ms = 0", 1)
        .replacen(
            "store = \"memory\"",
            "store = { env = \"MISSING\" }\non_store_loss = \"hope\"\nlease = 0",
            1,
        )
        .replacen("listen = \"127.0.0.1:8080\"", "", 1)
        .replacen("client_swa = \"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA\"", "", 1)
        .replacen("id = \"eip155:137\"", "id = 1", 1)
        .replacen(
            "limit = 5, window_ms = 10000, day_offset_minutes = 0",
            "window_ms = 1, day_offset_minutes = 9999",
            1,
        )
        .replacen(
            "\nuser_swa = \"0xb3950bBE24596c9e1097dC110701410257038293\"",
            "\nuser_swa = \"0xb3950bBE24596c9e1097dC110701410257038294\"",
            1,
        );
    let problems = problems_with(&file, &|name| {
        (name != "MISSING" && name != "SHOP_KEY").then(|| name.to_owned())
    });
    let paths: Vec<_> =
        problems.iter().map(|problem| problem.split(": ").nth(1).expect("a path")).collect();
    assert_eq!(
        paths,
        [
            "store_secret",
            "admin",
            "more",
            "body_ms",
            "store.env",
            "on_store_loss",
            "lease",
            "environment.production.listen",
            "environment.production.application.0.client_swa",
            "environment.production.application.0.keys.0.env",
            "environment.production.application.0.chain.0.id",
            "environment.sandbox.policy.day_offset_minutes",
            "environment.sandbox.policy.limit",
            "environment.sandbox.policy.window_ms",
            "environment.sandbox.application.0.user.0.user_swa",
        ],
        "{problems:#?}"
    );
}

#[test]
fn invalid_toml() {
    for (file, line) in [
        ("a = ", 1),
        ("\n\n[a", 3),
        ("a = \n\nb = 1", 1),
        ("a = 1\na = 2", 2),
        ("a = \"\u{1}\"", 1),
        ("\n= 1", 2),
    ] {
        let problems = problems(file);
        assert!(problems[0].starts_with(&format!("line {line}: not TOML: ")), "{problems:?}");
    }
    assert_eq!(problems(""), ["line 1: environment: expected a value, found none"]);
    assert_eq!(
        problems("[environment]"),
        ["line 1: environment.production: expected an environment, found none"]
    );
    assert_eq!(
        problems("environment = 1"),
        ["line 1: environment: expected a table, found a TOML integer"]
    );
}

#[test]
fn problems_of_a_store_are_named() {
    let with = |store: &str| EXAMPLE.replacen("store = \"memory\"", store, 1);
    let all = "store_secret = { env = \"A\" }\non_store_loss = \"refuse\"";
    for (store, paths) in [
        ("store = 1".to_owned(), vec!["on_store_loss", "store", "store_secret"]),
        ("store = \"redis://127.0.0.1\"".to_owned(), vec!["on_store_loss", "store_secret"]),
        (format!("store = \"memcached://127.0.0.1\"\n{all}"), vec!["store"]),
        (format!("store = \"redis://[\"\n{all}"), vec!["store"]),
        (format!("store = {{ env = \"A\" }}\n{all}"), vec!["store"]),
        (format!("store = {{ env = \"MISSING\" }}\n{all}"), vec!["store.env"]),
        (format!("store = \"redis://127.0.0.1\"\n{all}\nlease = 2097152"), vec!["lease"]),
        (format!("store = \"redis://a:secret@127.0.0.1\"\n{all}"), vec!["store"]),
        (format!("store = \"redis://:secret@127.0.0.1\"\n{all}"), vec!["store"]),
        (format!("store = \"rediss://127.0.0.1#insecure\"\n{all}"), vec!["store"]),
        (format!("store = \"rediss://127.0.0.1/0#\"\n{all}"), vec!["store"]),
        (format!("store = \"redis+cluster://:secret@127.0.0.1\"\n{all}"), vec!["store"]),
        (format!("store = \"redis+cluster://127.0.0.1,\"\n{all}"), vec!["store"]),
        (format!("store = \"redis+sentinel://127.0.0.1\"\n{all}"), vec!["store"]),
        (
            format!("store = \"redis+sentinel://127.0.0.1/m?sentinel_password=secret\"\n{all}"),
            vec!["store"],
        ),
        (
            format!("store = \"redis://127.0.0.1\"\n{all}\nstore_replicas = 17"),
            vec!["store_replicas"],
        ),
    ] {
        let problems = problems_with(&with(&store), &|name| {
            (name != "MISSING").then(|| format!("the-value-of-{name}"))
        });
        let mut found: Vec<_> =
            problems.iter().map(|problem| problem.split(": ").nth(1).expect("a path")).collect();
        found.sort_unstable();
        assert_eq!(found, paths, "{store}: {problems:?}");
        assert!(!format!("{problems:?}").contains("the-value-of"), "{problems:?}");
    }
}

/// A cluster's nodes and a master's sentinels stand in one address, which a variable can hold with its passwords.
#[test]
fn a_store_of_many_servers_is_read() {
    let all = "store_secret = { env = \"S\" }\non_store_loss = \"refuse\"\nstore_replicas = 2";
    let with =
        |store: &str| EXAMPLE.replacen("store = \"memory\"", &format!("store = {store}\n{all}"), 1);
    for url in [
        "redis+cluster://10.0.0.1,10.0.0.2:7000",
        "rediss+sentinel://10.0.0.1,10.0.0.2:5000/mymaster",
    ] {
        let config = Config::read(&with(&format!("\"{url}\"")), &set).expect("it reads");
        let Store::Redis(store) = &config.store else { panic!("{config:?}") };
        assert_eq!((store.url.as_str(), store.replicas), (url, 2));
    }
    let url = "redis+sentinel://:p@10.0.0.1/m?sentinel_password=q";
    let variables = |name: &str| if name == "STORE" { Some(url.into()) } else { set(name) };
    Config::read(&with("{ env = \"STORE\" }"), &variables).expect("it reads");
    let expected = "store: expected addresses of a cluster such as `redis+cluster://10.0.0.1:6379,10.0.0.2:6379`, found text of length 20";
    let problems = problems(&with("\"redis+cluster://a,,b\""));
    assert!(matches!(&problems[..], [problem] if problem.ends_with(expected)), "{problems:?}");
}

/// A line break that a file or a shell left in a variable would change the secret.
#[test]
fn secrets_with_stray_white_space_are_refused() {
    for value in ["secret\n", "\nsecret", " secret", "secret\t", "sec\nret", "secret\u{7f}"] {
        let problems = problems_with(EXAMPLE, &|name| {
            Some(if name == "SHOP_KEY" { value.into() } else { name.into() })
        });
        assert_eq!(problems.len(), 1, "{value:?}: {problems:?}");
        let start = "environment.production.application.0.keys.0.env: expected the environment variable `SHOP_KEY`";
        assert!(problems[0].contains(start) && !problems[0].contains("sec\n"), "{problems:?}");
    }
    let is_key = |name: &str| name != "SHOP_USER_TOKEN";
    assert!(
        Config::read(EXAMPLE, &|name| Some(format!(
            "{name}{}",
            if is_key(name) { " of two words" } else { "" }
        )))
        .is_ok()
    );
}

/// What this thread has had of a processor, however busy the machine is.
fn processor_time() -> Duration {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has it");
    let first = times.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(first.expect("nanoseconds"))
}

#[test]
fn ten_thousand_problems_are_found_within_three_seconds() {
    let keys: String = (0..5_000).map(|key| format!("key-{key} = 1\n")).collect();
    let chain = "[[environment.production.application.chain]]\nid = \"eip155:1\"\nname = \"A\"\n";
    let file = format!("{keys}{EXAMPLE}").replacen(
        "[[environment.production.application.user]]",
        &format!("{}[[environment.production.application.user]]", chain.repeat(5_001)),
        1,
    );
    let began = processor_time();
    let found = problems(&file);
    assert_eq!(found.len(), 10_000);
    assert!(found[4_999].starts_with("line 5000: key-4999"), "{}", found[4_999]);
    let took = processor_time() - began;
    assert!(took < Duration::from_secs(3), "{took:?}");
}

/// Duplicate keys, tokens, chains and names are refused, also in a file with other problems. The message does not show a
/// secret.
#[test]
fn duplicates_are_refused() {
    let twice = EXAMPLE.replacen(
        "server_keys = [{ env = \"SHOP_SERVER_KEY\" }]",
        "server_keys = [{ env = \"SHOP_KEY\" }]",
        1,
    );
    let shared = "environment.production: a key or token of `shop` is used twice";
    assert!(problems(&twice)[0].ends_with(shared));
    let worse = twice.replacen("policy = \"production\"", "policy = \"\"", 1);
    assert_eq!(problems(&worse).len(), 2);
    // Different variables with the same value.
    let same = problems_with(EXAMPLE, &|_| Some("one".into()));
    assert!(same[0].ends_with(shared), "{same:?}");
    // Two environments may use the same key.
    let digest =
        "{ sha256 = \"c48a01f49fd0f2cc404bc3cbbc80e91457a3d41bb429a695243de4c61794155c\" }";
    assert!(Config::read(&EXAMPLE.replacen("{ env = \"SHOP_KEY\" }", digest, 1), &set).is_ok());
    let chains = EXAMPLE.replacen("[[environment.production.application.user]]", "[[environment.production.application.chain]]\nid = \"eip155:137\"\nname = \"A\"\n[[environment.production.application.user]]", 1);
    assert!(problems(&chains)[0].ends_with("expected each chain once, found `eip155:137` again"));
    let names = EXAMPLE.replacen("[environment.sandbox]\n", "[[environment.production.application]]\nname = \"shop\"\nclient_swa = \"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA\"\n[environment.sandbox]\n", 1);
    assert!(problems(&names)[0].ends_with("expected each application once, found `shop` again"));
}
