//! Traces: continued, passed on to the backend and the bundler, and posted to a collector that may
//! be dead.

use super::{bundler, estimate, log::flood};
use crate::support::prelude::*;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

/// A real server that takes posts of spans.
struct Collector(Backend);

impl Collector {
    fn start() -> Self {
        Self(Backend::replying(OK))
    }

    fn key(&self, more: &str) -> String {
        format!("traces = {{ url = \"{}/v1/traces\", {more} }}", self.0.url)
    }

    /// The spans of the next post.
    fn spans(&self) -> Vec<Value> {
        let post = self.0.received();
        assert_eq!(post.line(), "POST /v1/traces HTTP/1.1");
        assert_eq!(post.header("content-type"), Some("application/json"));
        let body: Value = serde_json::from_slice(&post.body).expect("JSON");
        let resource = &body["resourceSpans"][0];
        let of_resource = resource["resource"].to_string();
        assert!(of_resource.contains("\"sendoff-gateway\""), "{of_resource}");
        resource["scopeSpans"][0]["spans"].as_array().expect("spans").clone()
    }
}

/// The value of an attribute of a span as text.
fn attribute<'a>(span: &'a Value, key: &str) -> Option<&'a str> {
    let attributes = span["attributes"].as_array()?;
    let found = attributes.iter().find(|attribute| attribute["key"] == key)?;
    found["value"].as_object()?.values().next()?.as_str()
}

/// The nanoseconds between the start and the end of a span.
fn nanos(span: &Value) -> u64 {
    let time = |key: &str| span[key].as_str().and_then(|time| time.parse::<u64>().ok());
    time("endTimeUnixNano").expect("an end") - time("startTimeUnixNano").expect("a start")
}

fn traceparent(flags: &str) -> String {
    format!("00-{TRACE}-{CALLER}-{flags}")
}

/// The reply to a user with these headers of a trace.
async fn ask(gateway: &Gateway, headers: &[(&str, &str)]) -> Reply {
    gateway.call("GET /api/v1/orders", &[&[USER], headers].concat(), "").await
}

#[tokio::test]
async fn a_trace_is_continued_through_the_backend() {
    let (collector, backend) = (Collector::start(), Backend::replying(OK));
    let mut gateway = Gateway::in_front_of(&backend.url, &collector.key(""));
    let headers = [("traceparent", &*traceparent("01")), ("tracestate", "a=b")];
    let reply = ask(&gateway, &headers).await;
    assert_eq!((reply.status, reply.header("x-request-id")), (200, Some(TRACE)));

    let spans = collector.spans();
    let [wait, request] = spans.as_slice() else { panic!("two spans: {spans:?}") };
    let found = ["traceId", "parentSpanId", "name"].map(|key| &request[key]);
    assert_eq!(found, [TRACE, CALLER, "GET /api/v1/orders"], "{spans:?}");
    assert_eq!((&wait["name"], &wait["parentSpanId"]), (&json!("backend"), &request["spanId"]));
    assert_eq!([&request["kind"], &request["status"]["code"], &wait["kind"]], [2, 0, 3]);
    let attributes = format!(
        "http.request.method=GET http.route={ORDERS} http.response.status_code=200 client.address=127.0.0.1 \
         sendoff.operation=orders sendoff.environment=sandbox sendoff.application=shop sendoff.trace_id={TRACE}"
    );
    for (key, value) in attributes.split(' ').filter_map(|attribute| attribute.split_once('=')) {
        assert_eq!(attribute(request, key), Some(value), "{key}: {request:?}");
    }
    assert!(nanos(wait) > 0 && nanos(wait) <= nanos(request), "{spans:?}");
    // The backend's own spans belong below the wait for it.
    let received = backend.received();
    let passed = format!("00-{TRACE}-{}-01", wait["spanId"].as_str().expect("an id"));
    assert_eq!(received.header("traceparent"), Some(&*passed));
    assert_eq!(received.header("tracestate"), Some("a=b"));
    let log = gateway.stop();
    assert!(!format!("{spans:?}{log}").contains(TOKEN), "{spans:?}");
}

/// A trace begins here if the caller has none that is valid. What vendors added to it is not passed on.
#[tokio::test]
async fn a_new_trace_begins() {
    let (collector, backend, redis) = (Collector::start(), Backend::replying(OK), Redis::start());
    let head = collector.key("headers = { authorization = { env = \"AUTHORIZATION\" } }");
    let head = format!("{head}\n{}", redis.store("refuse"));
    let file = config(&DAILY.replace("= 5", "= 1"), &head, &backend.key());
    let gateway = Gateway::start_with(&file, &[("AUTHORIZATION", "Basic canary")]);
    for value in
        ["", "00-0-0-0", &format!("00-{TRACE}-{CALLER}-zz"), &format!("ff-{TRACE}-{CALLER}-01")]
    {
        let reply = ask(&gateway, &[("traceparent", value), ("tracestate", "a=b")]).await;
        let trace = reply.header("x-request-id").expect("always").to_owned();
        let received = backend.received();
        let passed = received.header("traceparent").expect("a trace");
        assert!(trace.len() == 32 && trace != TRACE, "{trace}");
        assert!(passed.starts_with(&format!("00-{trace}-")) && passed.ends_with("-01"), "{passed}");
        assert_eq!(received.header("tracestate"), None);
    }
    // The caller's own id names the request, and the trace has another one.
    let reply = ask(&gateway, &[("x-request-id", "mine")]).await;
    assert_eq!(reply.header("x-request-id"), Some("mine"));
    for (line, headers, status) in [
        ("GET /nowhere/demo-token", &[][..], 404),
        ("POST /api/v1/nft/transfer", &[USER], 200),
        ("POST /api/v1/nft/transfer", &[USER], 429),
    ] {
        assert_eq!(gateway.call(line, headers, "").await.status, status);
    }

    let mut spans = Vec::new();
    let is_request = |span: &&Value| span["kind"] == 2;
    while spans.iter().filter(is_request).count() < 8 {
        spans.extend(collector.spans());
    }
    let requests: Vec<_> = spans.iter().filter(is_request).collect();
    assert!(requests.iter().all(|span| span["parentSpanId"] == ""), "{spans:?}");
    assert_eq!(requests[5]["name"], "HTTP");
    for (number, key, value) in [
        (4, "sendoff.trace_id", Some("mine")),
        (5, "error.type", Some("not-found")),
        (6, "sendoff.verdict", Some("admitted")),
        (6, "error.type", None),
        (7, "sendoff.verdict", Some("refused")),
        (7, "error.type", Some("rate-limited")),
    ] {
        assert_eq!(attribute(requests[number], key), value, "{number} {key}");
    }
    assert!(spans.iter().any(|span| span["name"] == "store"), "{spans:?}");
    assert!(!format!("{spans:?}").contains("demo-token"), "{spans:?}");
}

/// The bundler gets the trace, and a refusal for its fault is an error.
#[tokio::test]
async fn a_trace_is_continued_through_the_bundler() {
    let (collector, bundler) =
        (Collector::start(), Backend::replying("HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"));
    let gateway = bundler::gateway(&collector.key(""), &bundler.url, "refuse", 10_000);
    let (parent, json) = (traceparent("01"), ("content-type", "application/json"));
    let headers = [USER, json, ("traceparent", &*parent)];
    let body = estimate::request().to_string();
    assert_eq!(gateway.call("POST /api/oc/v1/estimate", &headers, body).await.status, 502);
    let spans = collector.spans();
    let [wait, request] = spans.as_slice() else { panic!("two spans: {spans:?}") };
    assert_eq!((&request["status"]["code"], &wait["name"]), (&json!(2), &json!("bundler")));
    assert_eq!(attribute(request, "error.type"), Some("bundler-lost"));
    let passed = format!("00-{TRACE}-{}-01", wait["spanId"].as_str().expect("an id"));
    assert_eq!(bundler.received().header("traceparent"), Some(&*passed));
}

/// Who calls decides neither that a trace is recorded nor that it is not.
#[tokio::test]
async fn the_flags_of_callers_are_not_believed() {
    for (one_in, caller, ours) in [(1_000_000, "01", "00"), (1, "00", "01")] {
        let (collector, backend) = (Collector::start(), Backend::replying(OK));
        let traces = collector.key(&format!("one_in = {one_in}"));
        let mut gateway = Gateway::in_front_of(&backend.url, &traces);
        ask(&gateway, &[("traceparent", &traceparent(caller))]).await;
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
    let traces = format!("traces = {{ url = \"{}/v1/traces\" }}", Backend::silent());
    let mut gateway = Gateway::plain(&traces, "");
    flood(&gateway, 3_200, "");
    assert_eq!(gateway.metric("sendoff_spans_total{outcome=\"recorded\"}").await, 3_200);
    let began = Instant::now();
    gateway.stop();
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_collector_that_refuses_is_logged_and_counted() {
    let refusing = Collector(Backend::replying(OK.replacen("200 OK", "503 No", 1)));
    let mut gateway = Gateway::plain(&refusing.key(""), "");
    assert_eq!(gateway.get("/nowhere").await.status, 404);
    gateway.until("sendoff_spans_total{outcome=\"failed\"}", 1).await;
    let log = gateway.stop();
    assert!(log.contains("spans are lost: the collector does not take them"), "{log}");
}
