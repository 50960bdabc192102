//! Callers of HTTP/2 that leave replies unread: they give no flow-control window, and keep the
//! connection alive.

use std::{
    net::Ipv4Addr,
    time::{Duration, Instant},
};

use axum::{
    body::Bytes,
    http::{Request, Response},
};
use h2::{RecvStream, client::SendRequest};
use tokio::{task::JoinHandle, time::timeout};

use super::{
    connections::{connect_from, http2, is_served, request},
    gone::waiting,
};
use crate::support::{Gateway, config, wire::PATIENCE};

const WRITE: &str = "sendoff_connections_ended_total{environment=\"sandbox\",reason=\"write\"}";
const STALLED: &str = "sendoff_undelivered_total{environment=\"sandbox\",reason=\"stalled\"}";
const OPEN: &str = "sendoff_connections{environment=\"sandbox\"}";

/// A connection without a window, a request on it, and the head of the reply.
struct Unread {
    send: SendRequest<Bytes>,
    ended: JoinHandle<()>,
    _reply: Response<RecvStream>,
}

async fn unread(gateway: &Gateway, request: Request<()>) -> Unread {
    let stream = connect_from(Ipv4Addr::LOCALHOST, gateway).await.expect("a place");
    let (send, ended) = http2(stream, 0).await;
    let mut send = send.ready().await.expect("a connection");
    let (reply, _) = send.send_request(request, true).expect("the bytes are written");
    Unread { send, ended, _reply: reply.await.expect("a head") }
}

/// The replies that the gateway makes itself have their time to be read too.
#[tokio::test]
async fn an_unread_reply_ends_its_connection() {
    let gateway = Gateway::start(&config(r#""none""#, "write_ms = 300", ""));
    let with_token = |method, path| request(&gateway, method, path);
    let without = |path| Request::get(gateway.url(path)).body(()).expect("a request");
    let requests = [
        (without("/api/v1/supported/networks"), 401),
        (without("/nowhere"), 404),
        (with_token("GET", "/api/v1/supported/networks"), 200),
        (with_token("GET", "/api/v1/portfolio"), 501),
        (with_token("POST", "/api/oc/v1/estimate"), 400),
        (with_token("PUT", "/api/v1/portfolio"), 405),
    ];
    for (number, (request, status)) in (1..).zip(requests) {
        let began = Instant::now();
        let unread = unread(&gateway, request).await;
        assert_eq!(unread._reply.status(), status);
        timeout(PATIENCE, unread.ended).await.expect("the connection ends").expect("no panic");
        assert!(began.elapsed() > Duration::from_millis(300), "{:?}", began.elapsed());
        gateway.until(WRITE, number).await;
        gateway.until(STALLED, number).await;
    }
    gateway.until(OPEN, 0).await;
}

/// As many as may connect, and each with several requests.
#[tokio::test]
async fn connections_with_unread_replies_do_not_shut_others_out() {
    let gateway = Gateway::start(&config(
        r#""none""#,
        "write_ms = 300\nconnections = 64\nconnections_per_address = 64",
        "",
    ));
    let mut held = Vec::new();
    for _ in 0..64 {
        let mut unread = unread(&gateway, request(&gateway, "GET", "/nowhere")).await;
        for _ in 0..3 {
            let sent = unread.send.send_request(request(&gateway, "GET", "/nowhere"), true);
            held.push((None, sent.ok()));
        }
        held.push((Some(unread), None));
    }
    gateway.until(OPEN, 0).await;
    assert_eq!(gateway.metric(WRITE).await, 64);
    for _ in 0..30 {
        is_served(&gateway).await;
    }
}

/// Beside a running request only the unread stream is reset: a load balancer has many callers on one connection.
#[tokio::test(flavor = "multi_thread")]
async fn an_unread_stream_is_reset_beside_a_running_one() {
    let (backend, begun, go_on) = waiting();
    let gateway = Gateway::start(&config(
        r#""none""#,
        "write_ms = 300",
        &format!("upstream = \"{}\"", backend.url),
    ));
    let mut unread = unread(&gateway, request(&gateway, "GET", "/nowhere")).await;
    let (running, _) = unread
        .send
        .send_request(request(&gateway, "POST", "/api/v1/nft/transfer"), true)
        .expect("it is taken");
    tokio::task::block_in_place(|| begun.recv_timeout(PATIENCE)).expect("the backend has the call");
    let mut body = unread._reply.into_body();
    let reset = timeout(PATIENCE, body.data()).await.expect("the stream ends").expect("an error");
    let error = reset.expect_err("no data");
    assert!(error.is_reset(), "{error:?}");
    gateway.until(STALLED, 1).await;
    go_on.send(()).expect("the backend waits");
    assert_eq!(running.await.expect("a head").status(), 201);
    drop(body);
}

/// A stop does not wait for replies that are not read.
#[tokio::test]
async fn a_stop_does_not_wait_for_unread_replies() {
    let file =
        config(r#""none""#, "write_ms = 60_000\ndrain_ms = 60_000\nshutdown_delay_ms = 1", "");
    let mut gateway = Gateway::start(&file);
    let mut held = Vec::new();
    for _ in 0..16 {
        held.push(unread(&gateway, request(&gateway, "GET", "/nowhere")).await);
    }
    let began = Instant::now();
    gateway.terminate();
    let (succeeded, log) = gateway.ended(PATIENCE);
    assert!(succeeded && began.elapsed() < Duration::from_secs(4), "{:?} {log}", began.elapsed());
    assert!(!log.contains("did not end in time"), "{log}");
    drop(held);
}
