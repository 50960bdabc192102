//! The board and the alert rules for operators: every metric and every label that they name exists
//! on a gateway that was called.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::estimate;
use crate::support::{
    Gateway, TOKEN, USER_SWA, backend::Backend, client, config, redis::Redis, reply::Reply,
};

/// The labels of each metric, with their values.
type Metrics = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// A metric of an expression, with the labels of its selector and the values that must be equal.
#[derive(Debug)]
struct Selected {
    metric: String,
    labels: Vec<(String, Option<String>)>,
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("monitoring").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).expect("the file is there")
}

/// The metrics of a gateway with every part: TLS, a store, a backend, a bundler, traces.
async fn scraped() -> Metrics {
    let (mut redis, backend) = (
        Redis::start(),
        Backend::replying("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}"),
    );
    let folder =
        std::env::temp_dir().join(format!("sendoff-gateway-monitoring-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let pair = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    for (name, text) in
        [("certificate", pair.cert.pem()), ("key", pair.signing_key.serialize_pem())]
    {
        std::fs::write(folder.join(name), text).expect("the folder can be written to");
    }
    let folder = folder.display();
    let head = format!(
        "store = \"{}\"\nstore_secret = {{ env = \"S\" }}\non_store_loss = \"refuse\"",
        redis.url()
    );
    let environment = format!(
        "tls = {{ certificate = \"{folder}/certificate\", key = \"{folder}/key\" }}\nupstream = \"{}\"",
        backend.url
    );
    let policy = "{ limit = 1, window_ms = 86400000, midnight = \"carry\" }";
    let game =
        "[[environment.sandbox.application]]\nname = \"game\"\nserver_keys = [{ env = \"S\" }]\n";
    let game = format!("{game}client_swa = \"{USER_SWA}\"\n");
    let jwt = format!(
        "[[environment.sandbox.jwt]]\nissuer = \"i\"\naudience = \"a\"\nalgorithms = [\"ES256\"]\nkeys = \"{}\"\nwallet_claim = \"w\"\napplications = [\"shop\"]\n",
        backend.url
    );
    let file = config(policy, &head, &environment) + &game + &jwt;
    let gateway = Gateway::start_with(&file, &[("S", "secret")]);

    drop(client());
    let trusted = reqwest::Certificate::from_der(pair.cert.der()).expect("a certificate");
    let address = gateway.socket().parse().expect("an address");
    let tls = reqwest::Client::builder()
        .no_proxy()
        .tls_certs_only([trusted])
        .resolve("localhost", address);
    let (tls, port) =
        (tls.build().expect("a client"), gateway.socket().rsplit(':').next().expect("a port"));
    let url = |path: &str| format!("https://localhost:{port}{path}");
    let estimate = tls.post(url("/api/oc/v1/estimate")).header("content-type", "application/json");
    Reply::to(estimate.bearer_auth(TOKEN).body(estimate::request().to_string())).await;
    // The last one names the issuer, whose keys cannot be read.
    for token in [TOKEN, TOKEN, "nobody-s", "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJpIn0.AA"] {
        Reply::to(tls.post(url("/api/v1/nft/transfer")).bearer_auth(token)).await;
    }
    redis.stop();
    let lost = Reply::to(tls.post(url("/s2s/api/v1/wallet")).header("x-api-key", "secret")).await;
    assert_eq!(lost.status, 503);
    read(&gateway.ask("/metrics").await)
}

fn read(text: &str) -> Metrics {
    let mut metrics = Metrics::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (series, _) = line.rsplit_once(' ').expect("a value");
        let (name, labels) = series.split_once('{').unwrap_or((series, ""));
        let known = metrics.entry(name.to_owned()).or_default();
        for pair in labels.trim_end_matches('}').split(',').filter(|pair| !pair.is_empty()) {
            let (label, value) = pair.split_once('=').expect("a label");
            known.entry(label.to_owned()).or_default().insert(value.trim_matches('"').to_owned());
        }
    }
    metrics
}

/// The metrics in an expression of PromQL.
fn selected(expression: &str) -> Vec<Selected> {
    let starts = expression.match_indices("sendoff_").map(|(at, _)| &expression[at..]);
    let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    starts
        .map(|rest| {
            let end = rest.find(|character| !is_name(character)).unwrap_or(rest.len());
            let selector = rest[end..]
                .strip_prefix('{')
                .and_then(|selector| selector.split_once('}'))
                .map(|(inner, _)| inner);
            let matchers =
                selector.unwrap_or_default().split(',').filter(|matcher| !matcher.is_empty());
            let labels = matchers.map(|matcher| {
                let name: String =
                    matcher.trim().chars().take_while(|character| is_name(*character)).collect();
                let rest = matcher.trim()[name.len()..].to_owned();
                let equal = rest.strip_prefix('=').filter(|rest| rest.starts_with('"'));
                (name, equal.map(|value| value.trim_matches('"').to_owned()))
            });
            Selected { metric: rest[..end].to_owned(), labels: labels.collect() }
        })
        .collect()
}

/// The labels that an expression keeps, and those that texts name.
fn kept(expression: &str, texts: &[&str]) -> BTreeSet<String> {
    let by = expression.split("by (").skip(1).filter_map(|rest| rest.split_once(')'));
    let by = by.flat_map(|(labels, _)| labels.split(',').map(|label| label.trim().to_owned()));
    let named = texts
        .iter()
        .flat_map(|text| text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")));
    let named = named.map(|(label, _)| label.trim().trim_start_matches("$labels.").to_owned());
    by.chain(named).collect()
}

/// Checks an expression and the texts beside it.
fn check(metrics: &Metrics, expression: &str, texts: &[&str]) {
    let found = selected(expression);
    assert!(!found.is_empty(), "no metric of the gateway: {expression}");
    for Selected { metric, labels } in &found {
        assert!(metrics.contains_key(metric), "{metric} does not exist: {expression}");
        let known = &metrics[metric];
        for (label, value) in labels {
            assert!(known.contains_key(label), "{metric} has no label {label}: {expression}");
            let values = &known[label];
            assert!(
                value.as_ref().is_none_or(|value| values.contains(value)),
                "{metric}: {label} {value:?} of {values:?}"
            );
        }
        for label in kept(expression, texts) {
            assert!(
                known.contains_key(&label),
                "{metric} has no label {label}: {expression} {texts:?}"
            );
        }
    }
}

/// Each rule: its expression and its summary.
fn rules(alerts: &str) -> Vec<(&str, &str)> {
    let of = |key| {
        alerts
            .lines()
            .filter_map(|line| line.trim().strip_prefix(key))
            .map(str::trim)
            .collect::<Vec<_>>()
    };
    let (expressions, summaries) = (of("expr:"), of("summary:"));
    assert_eq!(
        (expressions.len(), alerts.matches("- alert:").count()),
        (summaries.len(), summaries.len())
    );
    expressions.into_iter().zip(summaries).collect()
}

#[tokio::test]
async fn metrics_of_the_board_and_the_rules_exist() {
    let metrics = scraped().await;
    let alerts = text("alerts.yml");
    let rules = rules(&alerts);
    assert!(rules.len() >= 10, "{rules:?}");
    for (expression, summary) in rules {
        check(&metrics, expression, &[summary]);
    }
    let runbook = include_str!("../../../../docs/operate.md");
    for name in alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")) {
        assert!(
            runbook.contains(&format!("\n### {name}\n")),
            "docs/operate.md has no section {name}"
        );
    }

    let board: Value = serde_json::from_str(&text("grafana.json")).expect("JSON");
    let variables = board["templating"]["list"].as_array().expect("variables");
    for query in variables.iter().filter_map(|variable| variable["query"]["query"].as_str()) {
        let inner = query
            .strip_prefix("label_values(")
            .and_then(|query| query.strip_suffix(')'))
            .expect("a query");
        let (metric, label) = inner.split_once(", ").expect("a metric and a label");
        assert!(metrics[metric].contains_key(label), "{query}");
    }
    let panels = board["panels"].as_array().expect("panels");
    let targets: Vec<_> =
        panels.iter().filter_map(|panel| panel["targets"].as_array()).flatten().collect();
    assert!(targets.len() >= 20, "{}", targets.len());
    for target in targets {
        let (expression, legend) = (
            target["expr"].as_str().expect("text"),
            target["legendFormat"].as_str().expect("text"),
        );
        check(&metrics, expression, &[legend]);
    }
}

/// What does not exist is noticed.
#[test]
fn unknown_metrics_and_labels_are_noticed() {
    let metrics = read(
        "sendoff_calls_total{environment=\"a\",verdict=\"admitted\"} 1\nsendoff_requests_running 0\n",
    );
    check(
        &metrics,
        "sum by (environment) (rate(sendoff_calls_total{verdict=\"admitted\"}[5m]))",
        &["{{environment}}"],
    );
    for (expression, text) in [
        ("sendoff_call_total", ""),
        ("up == 0", ""),
        ("sendoff_calls_total{verdicts=\"admitted\"}", ""),
        ("sendoff_calls_total{verdict=\"admit\"}", ""),
        ("sum by (application) (sendoff_calls_total)", ""),
        ("sendoff_calls_total", "{{ $labels.application }}"),
        ("sendoff_requests_running", "{{environment}}"),
    ] {
        let checked = std::panic::catch_unwind(|| check(&metrics, expression, &[text]));
        assert!(checked.is_err(), "{expression} {text}");
    }
}

/// Prometheus accepts the rules, where its tool is installed.
#[test]
fn promtool_accepts_the_rules() {
    match Command::new("promtool").args(["check", "rules"]).arg(file("alerts.yml")).output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.contains("SUCCESS"), "{said}");
        }
        Err(error) => eprintln!(
            "promtool is not installed ({error}): the rules are checked by the other test only"
        ),
    }
}
