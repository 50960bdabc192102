//! Traces: continued, passed on to the backend and the bundler, and posted to a collector that may
//! be dead.

use std::{
    io::BufReader,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::estimate;
use crate::support::{
    Gateway, TOKEN,
    backend::{Backend, OK},
    client, config,
    redis::Redis,
    reply::Reply,
    wire::{self, connect},
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";
const ORDERS: &str = "/api/v1/orders";

/// A real server that takes posts of spans.
struct Collector(Backend);

/// A span as it was posted.
#[derive(Debug)]
struct Posted(Value);

impl Collector {
    fn start() -> Self {
        Self(Backend::replying(OK))
    }

    fn key(&self, more: &str) -> String {
        format!("traces = {{ url = \"{}/v1/traces\", {more} }}", self.0.url)
    }

    /// The spans of the next post.
    fn spans(&self) -> Vec<Posted> {
        let post = self.0.received();
        assert_eq!(post.line(), "POST /v1/traces HTTP/1.1");
        assert_eq!(post.header("content-type"), Some("application/json"));
        let body: Value = serde_json::from_slice(&post.body).expect("JSON");
        let resource = &body["resourceSpans"][0];
        let of_resource = resource["resource"].to_string();
        assert!(of_resource.contains("\"sendoff-gateway\""), "{of_resource}");
        let spans = resource["scopeSpans"][0]["spans"].as_array().expect("spans");
        spans.iter().cloned().map(Posted).collect()
    }
}

impl Posted {
    fn text(&self, key: &str) -> &str {
        self.0[key].as_str().expect("text")
    }

    /// The value of an attribute as text.
    fn attribute(&self, key: &str) -> Option<&str> {
        let attributes = self.0["attributes"].as_array()?;
        let found = attributes.iter().find(|attribute| attribute["key"] == key)?;
        found["value"].as_object()?.values().next()?.as_str()
    }

    /// The nanoseconds between its start and its end.
    fn nanos(&self) -> u64 {
        let time = |key| self.text(key).parse::<u64>().expect("nanoseconds");
        time("endTimeUnixNano") - time("startTimeUnixNano")
    }
}

fn traceparent(flags: &str) -> String {
    format!("00-{TRACE}-{CALLER}-{flags}")
}

async fn ask(gateway: &Gateway, path: &str, headers: &[(&str, &str)]) -> Reply {
    Reply::to(
        headers
            .iter()
            .fold(gateway.get(path), |request, (name, value)| request.header(*name, *value)),
    )
    .await
}

#[tokio::test]
async fn a_trace_is_continued_through_the_backend() {
    let (collector, backend) = (Collector::start(), Backend::replying(OK));
    let file =
        config(r#""none""#, &collector.key(""), &format!("upstream.url = \"{}\"", backend.url));
    let mut gateway = Gateway::start(&file);
    let reply =
        ask(&gateway, ORDERS, &[("traceparent", &traceparent("01")), ("tracestate", "a=b")]).await;
    assert_eq!((reply.status.as_u16(), reply.header("x-request-id")), (200, Some(TRACE)));

    let spans = collector.spans();
    let [wait, request] = spans.as_slice() else { panic!("two spans: {spans:?}") };
    assert_eq!((request.text("traceId"), request.text("parentSpanId")), (TRACE, CALLER));
    assert_eq!(
        (request.text("name"), &request.0["kind"], &request.0["status"]["code"]),
        ("GET /api/v1/orders", &2.into(), &0.into())
    );
    for (key, value) in [
        ("http.request.method", "GET"),
        ("http.route", ORDERS),
        ("http.response.status_code", "200"),
        ("client.address", "127.0.0.1"),
        ("sendoff.operation", "orders"),
        ("sendoff.environment", "sandbox"),
        ("sendoff.application", "shop"),
        ("sendoff.trace_id", TRACE),
    ] {
        assert_eq!(request.attribute(key), Some(value), "{key}: {request:?}");
    }
    assert_eq!(
        (wait.text("name"), wait.text("parentSpanId"), &wait.0["kind"]),
        ("backend", request.text("spanId"), &3.into())
    );
    assert!(wait.nanos() > 0 && wait.nanos() <= request.nanos(), "{spans:?}");
    // The backend's own spans belong below the wait for it.
    let received = backend.received();
    assert_eq!(
        received.header("traceparent"),
        Some(format!("00-{TRACE}-{}-01", wait.text("spanId")).as_str())
    );
    assert_eq!(received.header("tracestate"), Some("a=b"));
    let log = gateway.stop();
    assert!(!format!("{spans:?}{log}").contains(TOKEN), "{spans:?}");
}

/// A trace begins here if the caller has none that is valid. What vendors added to it is not passed on.
#[tokio::test]
async fn a_new_trace_begins() {
    let (collector, backend, redis) = (Collector::start(), Backend::replying(OK), Redis::start());
    let store = format!(
        "store.url = \"{}\"\nstore.secret = {{ env = \"S\" }}\nstore.on_loss = \"refuse\"",
        redis.url()
    );
    let policy = "{ limit = 1, window_ms = 86400000, midnight = \"carry\" }";
    let file = config(
        policy,
        &format!(
            "{}\n{store}",
            collector.key("headers = { authorization = { env = \"AUTHORIZATION\" } }")
        ),
        &format!("upstream.url = \"{}\"", backend.url),
    );
    let gateway = Gateway::start_with(&file, &[("AUTHORIZATION", "Basic canary"), ("S", "secret")]);
    for value in
        ["", "00-0-0-0", &format!("00-{TRACE}-{CALLER}-zz"), &format!("ff-{TRACE}-{CALLER}-01")]
    {
        let reply = ask(&gateway, ORDERS, &[("traceparent", value), ("tracestate", "a=b")]).await;
        let trace = reply.header("x-request-id").expect("always").to_owned();
        let received = backend.received();
        let (passed, state) =
            (received.header("traceparent").expect("a trace"), received.header("tracestate"));
        assert!(
            trace.len() == 32 && trace != TRACE && passed.starts_with(&format!("00-{trace}-")),
            "{passed}"
        );
        assert!(passed.ends_with("-01") && state.is_none(), "{passed} {state:?}");
    }
    // The caller's own id names the request, and the trace has another one.
    let reply = ask(&gateway, ORDERS, &[("x-request-id", "mine")]).await;
    assert_eq!(reply.header("x-request-id"), Some("mine"));
    let unknown = Reply::to(client().get(gateway.url("/nowhere/demo-token"))).await;
    assert_eq!(unknown.status, 404);
    let call = || Reply::to(gateway.post("/api/v1/nft/transfer"));
    assert_eq!((call().await.status.as_u16(), call().await.status.as_u16()), (200, 429));

    let mut spans = Vec::new();
    while spans.iter().filter(|span: &&Posted| span.0["kind"] == 2).count() < 8 {
        spans.extend(collector.spans());
    }
    let requests: Vec<_> = spans.iter().filter(|span| span.0["kind"] == 2).collect();
    assert!(requests.iter().all(|span| span.text("parentSpanId").is_empty()), "{spans:?}");
    assert_eq!(requests[4].attribute("sendoff.trace_id"), Some("mine"));
    let (missing, admitted, limited) = (requests[5], requests[6], requests[7]);
    assert_eq!(
        (missing.text("name"), missing.attribute("error.type")),
        ("HTTP", Some("not-found"))
    );
    assert_eq!(
        (admitted.attribute("sendoff.verdict"), admitted.attribute("error.type")),
        (Some("admitted"), None)
    );
    assert_eq!(
        (limited.attribute("sendoff.verdict"), limited.attribute("error.type")),
        (Some("refused"), Some("rate-limited"))
    );
    assert!(spans.iter().any(|span| span.text("name") == "store"), "{spans:?}");
    assert!(!format!("{spans:?}").contains("demo-token"), "{spans:?}");
}

/// The bundler gets the trace, and a refusal for its fault is an error.
#[tokio::test]
async fn a_trace_is_continued_through_the_bundler() {
    let (collector, bundler) =
        (Collector::start(), Backend::replying("HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"));
    let keys = "entry_point = \"0x0000000071727De22E5E9d8BAf0edAc6f37da032\", on_loss = \"refuse\"";
    let file = config(
        r#""none""#,
        &collector.key(""),
        &format!("bundler = {{ url = \"{}\", {keys} }}", bundler.url),
    );
    let gateway = Gateway::start(&file);
    let request = gateway.estimate(estimate::request().to_string());
    let request = request.header("traceparent", traceparent("01"));
    assert_eq!(Reply::to(request).await.status, 502);
    let spans = collector.spans();
    let [wait, request] = spans.as_slice() else { panic!("two spans: {spans:?}") };
    assert_eq!(
        (&request.0["status"]["code"], request.attribute("error.type")),
        (&2.into(), Some("bundler-lost"))
    );
    assert_eq!(wait.text("name"), "bundler");
    let received = bundler.received();
    assert_eq!(
        received.header("traceparent"),
        Some(format!("00-{TRACE}-{}-01", wait.text("spanId")).as_str())
    );
}

/// Who calls decides neither that a trace is recorded nor that it is not.
#[tokio::test]
async fn the_flags_of_callers_are_not_believed() {
    for (one_in, caller, ours) in [(1_000_000, "01", "00"), (1, "00", "01")] {
        let (collector, backend) = (Collector::start(), Backend::replying(OK));
        let file = config(
            r#""none""#,
            &collector.key(&format!("one_in = {one_in}")),
            &format!("upstream.url = \"{}\"", backend.url),
        );
        let mut gateway = Gateway::start(&file);
        ask(&gateway, ORDERS, &[("traceparent", &traceparent(caller))]).await;
        let received = backend.received();
        let passed = received.header("traceparent").expect("a trace");
        let is_ours = passed.starts_with(&format!("00-{TRACE}-")) && !passed.contains(CALLER);
        assert!(is_ours && passed.ends_with(&format!("-{ours}")), "{passed}");
        gateway.stop();
        assert_eq!(collector.0.was_called(), ours == "01");
    }
}

/// A collector that hangs delays no call, and a stop does not wait for it.
#[tokio::test]
async fn a_dead_collector_costs_nothing() {
    const REQUESTS: u64 = 3_200;
    let hanging = Backend::raw(|_stream| std::thread::sleep(Duration::from_secs(60)));
    let mut gateway = Gateway::start(&config(
        r#""none""#,
        &format!("traces = {{ url = \"{hanging}/v1/traces\" }}"),
        "",
    ));
    let stream = connect(gateway.socket());
    let mut replies = BufReader::new(stream.try_clone().expect("the same connection"));
    let flood = "GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n".repeat(100);
    for _ in 0..REQUESTS / 100 {
        wire::send(&stream, &flood);
        for _ in 0..100 {
            assert!(wire::head(&mut replies).starts_with("HTTP/1.1 404 "));
            wire::until(&mut replies, "}}");
        }
    }
    let recorded = gateway.metric("sendoff_spans_total{outcome=\"recorded\"}").await;
    assert_eq!(recorded, REQUESTS);
    let began = Instant::now();
    gateway.stop();
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_collector_that_refuses_is_logged_and_counted() {
    let refusing =
        Backend::replying("HTTP/1.1 503 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    let traces = format!("traces = {{ url = \"{}/v1/traces\" }}", refusing.url);
    let mut gateway = Gateway::start(&config(r#""none""#, &traces, ""));
    ask(&gateway, "/nowhere", &[]).await;
    gateway.until("sendoff_spans_total{outcome=\"failed\"}", 1).await;
    let log = gateway.stop();
    assert!(log.contains("spans are lost: the collector does not take them"), "{log}");
}
