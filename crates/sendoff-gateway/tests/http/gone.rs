//! Callers that hang up. Each admitted call still has one line of log and one count.

use crate::support::{
    http_2::{Http2, is_served},
    prelude::*,
};

const ADMITTED: &str = "sendoff_calls_total{verdict=\"admitted\"}";

fn post() -> String {
    wire::post(TRANSFER, "content-length: 2") + "{}"
}

fn gateway(head: &str, backend: &str) -> Gateway {
    Gateway::start(&config(DAILY, head, &format!("upstream.url = \"{backend}\"")))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_logged_if_its_caller_hangs_up_before_the_reply() {
    let (backend, begun, go_on) = Backend::waiting();
    let mut gateway = gateway("", &backend.url);
    let has_call = || tokio::task::block_in_place(|| happened(&begun));
    for number in 0..5 {
        if number % 2 == 0 {
            let stream = wire::open(&gateway, post());
            has_call();
            drop(stream);
            continue;
        }
        let connection = Http2::to(&gateway).await;
        let (reply, _) = connection.send(Request::post(gateway.url(TRANSFER)), false).await;
        has_call();
        // In one case the stream is reset, in the other the connection ends.
        if number == 1 {
            drop(reply);
            // The connection is served until it has the reset.
            connection.get(gateway.url(NETWORKS), ("a", "b")).await;
        } else {
            connection.end();
        }
    }
    gateway.until(ADMITTED, 5).await;
    gateway.until("sendoff_connections{environment=\"sandbox\"}", 0).await;
    for _ in 0..5 {
        go_on.send(()).expect("the backend waits");
    }
    for metric in [
        "sendoff_requests_total{operation=\"transferNft\",status=\"200\"}",
        "sendoff_undelivered_total{reason=\"hung_up\"}",
        "sendoff_request_duration_seconds_count{operation=\"transferNft\"}",
    ] {
        gateway.until(metric, 5).await;
    }
    let mut lines = requests(&gateway.stop());
    lines.retain(|line| line["operation"] == "transferNft");
    assert_eq!(lines.len(), 5, "{lines:?}");
    for line in lines {
        let found = [&line["status"], &line["hung_up"], &line["application"]];
        assert_eq!(found, [&json!(200), &json!(true), &json!("shop")]);
    }
}

/// The caller hangs up in the middle of its body. The backend does not get a whole body, and the line has status 400.
#[tokio::test]
async fn a_call_is_logged_if_its_caller_hangs_up_during_the_body() {
    let mut gateway = gateway("", &Backend::silent());
    for path in [TRANSFER, ESTIMATE] {
        let fields = "content-length: 2\r\ncontent-type: application/json";
        let stream = wire::open(&gateway, wire::post(path, fields) + "{");
        if path == TRANSFER {
            gateway.until(ADMITTED, 1).await;
        }
        stream.shutdown(Shutdown::Both).expect("it is open");
    }
    gateway.until("sendoff_requests_total{status=\"400\"}", 2).await;
    assert_eq!(gateway.metric(ADMITTED).await, 1);
    assert_eq!(requests(&gateway.stop()).len(), 2);
}

/// The gateway stops while the backend does not answer: after `bounds.drain_ms` the calls are closed, and still have their lines.
#[tokio::test]
async fn a_call_is_logged_if_the_gateway_stops_before_the_reply() {
    let (backend, begun, _go_on) = Backend::waiting();
    let mut gateway = gateway("bounds.drain_ms = 300", &backend.url);
    let mut streams = [(); 2].map(|()| wire::open(&gateway, post()));
    let mut half = wire::open(&gateway, "GET /api/v1/orders HTTP/1.1\r\nhost:");
    for _ in 0..2 {
        happened(&begun);
    }
    // One caller is gone, one stays.
    streams[0].shutdown(Shutdown::Both).expect("it is open");
    let log = gateway.stop();
    assert!(log.contains(r#""message":"stopped""#), "{log}");
    assert_eq!([rest(&mut streams[1]), rest(&mut half)], ["", ""]);
    let lines = requests(&log);
    assert_eq!(lines.len(), 2, "{log}");
    for line in lines {
        let found = [&line["status"], &line["operation"]];
        assert_eq!(found, [&json!(503), &json!("transferNft")], "{log}");
    }
}

/// The backend ends early, the caller leaves, or the caller stays and does not read.
#[tokio::test]
async fn replies_that_end_early_are_counted_by_reason() {
    let broken = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\na";
    let broken = Backend::replying(broken).url;
    let (endless, _begun, ended) = Backend::reporting(|stream| {
        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n");
        while sent.is_ok() {
            sent = stream.write_all(&[b'a'; 65_536]);
        }
    });
    for (backend, reason, stays) in
        [(&broken, "backend", false), (&endless, "left", false), (&endless, "left", true)]
    {
        let gateway = gateway("bounds.write_ms = 300", backend);
        let mut stream = wire::open(&gateway, post());
        head(&mut stream);
        if reason == "backend" {
            rest(&mut stream);
        } else if stays {
            let late = "sendoff_connections_ended_total{environment=\"sandbox\",reason=\"write\"}";
            gateway.until(late, 1).await;
        }
        drop(stream);
        gateway.until(&format!("sendoff_undelivered_total{{reason=\"{reason}\"}}"), 1).await;
        assert_eq!(gateway.metric("sendoff_requests_total{status=\"200\"}").await, 1);
        if reason == "left" {
            happened(&ended);
        }
        is_served(&gateway).await;
    }
}
