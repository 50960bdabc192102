//! Callers that hang up. Each admitted call still has one line of log and one count.

use std::{io::Write as _, net::Shutdown, time::Duration};

use axum::http::Request;

use super::connections::Http2;
use crate::support::{
    Gateway,
    backend::Backend,
    config, requests,
    wire::{self, PATIENCE, connect},
};

const POLICY: &str = r#"{ limit = 100, window_ms = 86_400_000, midnight = "carry" }"#;
const TRANSFER: &str = "/api/v1/nft/transfer";
const ADMITTED: &str = "sendoff_calls_total{verdict=\"admitted\"}";

fn post() -> String {
    wire::post(TRANSFER, "content-length: 2") + "{}"
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_logged_if_its_caller_hangs_up_before_the_reply() {
    const CALLS: u64 = 5;
    let (backend, begun, go_on) = Backend::waiting();
    let mut gateway =
        Gateway::start(&config(POLICY, "", &format!("upstream.url = \"{}\"", backend.url)));
    for number in 0..CALLS {
        if number % 2 == 0 {
            let stream = connect(gateway.socket());
            wire::send(&stream, post());
            begun.recv_timeout(PATIENCE).expect("the backend has the call");
            drop(stream);
        } else {
            let mut connection = Http2::to(&gateway).await;
            let request = Request::post(gateway.url(TRANSFER));
            let (reply, _) = connection.send(request, false).await;
            tokio::task::block_in_place(|| begun.recv_timeout(PATIENCE))
                .expect("the backend has the call");
            // In one case the stream is reset, in the other the connection ends.
            if number == 1 {
                drop(reply);
                tokio::time::sleep(Duration::from_millis(100)).await;
            } else {
                connection.end();
            }
        }
    }
    gateway.until(ADMITTED, CALLS).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    for _ in 0..CALLS {
        go_on.send(()).expect("the backend waits");
    }
    gateway.until("sendoff_requests_total{operation=\"transferNft\"}", CALLS).await;
    assert_eq!(gateway.metric("sendoff_requests_total{status=\"200\"}").await, CALLS);
    assert_eq!(gateway.metric("sendoff_undelivered_total{reason=\"hung_up\"}").await, CALLS);
    assert_eq!(
        gateway.metric("sendoff_request_duration_seconds_count{operation=\"transferNft\"}").await,
        CALLS
    );
    let lines = requests(&gateway.stop());
    assert_eq!(lines.len(), 5, "{lines:?}");
    for line in lines {
        assert_eq!(
            (&line["status"], &line["operation"], &line["hung_up"]),
            (&200.into(), &"transferNft".into(), &true.into())
        );
        assert_eq!(line["application"], "shop");
    }
}

/// The caller hangs up in the middle of its body. The backend does not get a whole body, and the line has status 400.
#[tokio::test]
async fn a_call_is_logged_if_its_caller_hangs_up_during_the_body() {
    let backend = Backend::raw(|mut stream| drop(wire::rest(&mut stream)));
    let mut gateway = Gateway::start(&config(POLICY, "", &format!("upstream.url = \"{backend}\"")));
    for path in [TRANSFER, "/api/oc/v1/estimate"] {
        let stream = connect(gateway.socket());
        let fields = "content-length: 2\r\ncontent-type: application/json";
        wire::send(&stream, wire::post(path, fields) + "{");
        if path.ends_with("transfer") {
            gateway.until(ADMITTED, 1).await;
        }
        stream.shutdown(Shutdown::Both).expect("it is open");
    }
    gateway.until("sendoff_requests_total{status=\"400\"}", 2).await;
    assert_eq!(gateway.metric(ADMITTED).await, 1);
    assert_eq!(requests(&gateway.stop()).len(), 2);
}

/// The gateway stops while the backend does not answer. The call still has its line.
#[tokio::test]
async fn a_call_is_logged_if_the_gateway_stops_before_the_reply() {
    let (backend, begun, _go_on) = Backend::waiting();
    let mut gateway = Gateway::start(&config(
        POLICY,
        "bounds.drain_ms = 300",
        &format!("upstream.url = \"{}\"", backend.url),
    ));
    let gone = connect(gateway.socket());
    wire::send(&gone, post());
    begun.recv_timeout(PATIENCE).expect("the backend has the call");
    drop(gone);
    let mut stays = connect(gateway.socket());
    wire::send(&stays, post());
    begun.recv_timeout(PATIENCE).expect("the backend has the call");
    let log = gateway.stop();
    assert_eq!(wire::rest(&mut stays), "");
    let lines = requests(&log);
    assert_eq!(lines.len(), 2, "{log}");
    for line in lines {
        assert_eq!(
            (&line["status"], &line["operation"]),
            (&503.into(), &"transferNft".into()),
            "{log}"
        );
    }
}

#[tokio::test]
async fn replies_that_end_early_are_counted_by_reason() {
    let backend = Backend::raw(|mut stream| {
        let head = wire::head(&mut stream);
        let mut sent = stream.write_all(
            b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100000000\r\n\r\n",
        );
        while sent.is_ok() && !head.contains("x-request-id: broken") {
            sent = stream.write_all(&[b'a'; 65_536]);
        }
    });
    let gateway = Gateway::start(&config(POLICY, "", &format!("upstream.url = \"{backend}\"")));
    for (id, reason) in [("left", "left"), ("broken", "backend")] {
        let mut stream = connect(gateway.socket());
        wire::send(&stream, post().replace("host: a", &format!("host: a\r\nx-request-id: {id}")));
        if id == "left" {
            wire::head(&mut stream);
            drop(stream);
        } else {
            wire::rest(&mut stream);
        }
        gateway.until(&format!("sendoff_undelivered_total{{reason=\"{reason}\"}}"), 1).await;
    }
    assert_eq!(gateway.metric("sendoff_requests_total{status=\"200\"}").await, 2);
}
