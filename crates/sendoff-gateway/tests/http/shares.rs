//! Shares of the requests that may run at once: no caller can take the slots of others.

use std::{
    io::Read as _,
    sync::mpsc,
    time::{Duration, Instant},
};

use axum::{body::Bytes, http::Request};
use h2::SendStream;
use tokio::time::sleep;

use super::connections::Http2;
use crate::support::{
    Gateway, KEY, TOKEN, USER_SWA,
    backend::Backend,
    client, config, digest,
    reply::Reply,
    requests,
    wire::{self, PATIENCE, connect},
};

const NETWORKS: &str = "/api/v1/supported/networks";
const ESTIMATE: &str = "/api/oc/v1/estimate";

/// A configuration with a second application, `game`.
fn two_applications(head: &str, environment: &str) -> String {
    let user = format!(
        "[[environment.sandbox.application.user]]\ntoken = {{ env = \"GAME\" }}\nuser_swa = \"{USER_SWA}\""
    );
    let game = format!(
        "[[environment.sandbox.application]]\nname = \"game\"\nclient_swa = \"{USER_SWA}\"\n{user}\n"
    );
    config(r#""none""#, head, environment) + &game
}

fn start(head: &str, environment: &str) -> Gateway {
    Gateway::start_with(&two_applications(head, environment), &[("GAME", "token-of-game")])
}

/// Requests on a connection whose bodies are on their way.
async fn open(gateway: &Gateway, requests: usize) -> Vec<SendStream<Bytes>> {
    let mut connection = Http2::to(gateway).await;
    let mut bodies = Vec::new();
    for _ in 0..requests {
        let request =
            Request::post(gateway.url(ESTIMATE)).header("content-type", "application/json");
        let (reply, mut body) = connection.send(request, true).await;
        body.send_data(Bytes::from_static(b"{"), false).expect("it is taken");
        tokio::spawn(reply);
        bodies.push(body);
    }
    bodies
}

/// The statuses of calls other than 200.
async fn refused(gateway: &Gateway, token: &str, calls: usize) -> Vec<u16> {
    let mut refused = Vec::new();
    for _ in 0..calls {
        let reply = Reply::to(client().get(gateway.url(NETWORKS)).bearer_auth(token)).await;
        if reply.status != 200 {
            refused.push(reply.status.as_u16());
        }
    }
    refused
}

/// One token, one address, the bounds of an empty file: eleven connections with a hundred slow bodies each.
#[tokio::test]
async fn slow_bodies_of_one_user_do_not_shut_out_another_application() {
    let gateway = start("", "");
    let mut held = Vec::new();
    for _ in 0..11 {
        held.push(open(&gateway, 100).await);
    }
    gateway
        .until(
            "sendoff_requests_refused_total{environment=\"sandbox\",reason=\"user\"}",
            1_100 - 64,
        )
        .await;
    assert_eq!(refused(&gateway, "token-of-game", 65).await, Vec::<u16>::new());
    assert_eq!(gateway.metric("sendoff_requests_refused_total{reason=\"total\"}").await, 0);
    // Other callers of the same application have slots too.
    let networks = client().get(gateway.url(NETWORKS)).header("x-api-key", KEY);
    assert_eq!(Reply::to(networks).await.status, 200);
}

/// Two hundred users of two applications call a slow backend: each application has a quarter of the slots, and a third is served.
#[tokio::test]
async fn two_applications_do_not_shut_out_a_third() {
    const USERS: usize = 100;
    let (backend, _begun, _ended) = slow();
    let mut file = config(
        r#""none""#,
        "bounds.requests = 64",
        &format!("upstream.url = \"{backend}\"\nupstream.ms = 60_000"),
    );
    for application in ["one", "two"] {
        file.push_str(&format!(
            "[[environment.sandbox.application]]\nname = \"{application}\"\nclient_swa = \"{USER_SWA}\"\n"
        ));
        for user in 0..USERS {
            let token = digest(&format!("{application}-{user}"));
            file.push_str(&format!(
                "[[environment.sandbox.application.user]]\ntoken = {token}\nuser_swa = \"0x{user:040x}\"\n"
            ));
        }
    }
    let gateway = Gateway::start(&file);
    let mut held = Vec::new();
    for application in ["one", "two"] {
        for user in 0..USERS {
            let stream = connect(gateway.socket());
            let call = wire::post("/api/v1/nft/transfer", "content-length: 0");
            wire::send(&stream, call.replace(TOKEN, &format!("{application}-{user}")));
            held.push(stream);
        }
    }
    gateway.until("sendoff_requests_refused_total{reason=\"application\"}", 200 - 32).await;
    gateway.until("sendoff_requests_running", 32).await;
    assert_eq!(refused(&gateway, TOKEN, 44).await, Vec::<u16>::new());
}

/// A backend that would answer after a minute, and reports when it has a request and when its connection has ended.
fn slow() -> (String, mpsc::Receiver<()>, mpsc::Receiver<Duration>) {
    let (begin, begun) = mpsc::channel();
    let (end, ended) = mpsc::channel();
    let url = Backend::raw(move |mut stream| {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            // A request may be cancelled before it is written.
            let Ok(1) = stream.read(&mut byte) else { return };
            head.extend_from_slice(&byte);
        }
        begin.send(()).expect("the test waits");
        let began = Instant::now();
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let _end = stream.read(&mut [0]);
        let _test_ended = end.send(began.elapsed());
    });
    (url, begun, ended)
}

/// A GET whose caller left before the reply is cancelled: its slot is free, and the backend's connection ends.
#[tokio::test(flavor = "multi_thread")]
async fn gets_of_callers_that_left_are_cancelled() {
    const CALLS: usize = 100;
    let (backend, begun, ended) = slow();
    let mut gateway = start("", &format!("upstream.url = \"{backend}\"\nupstream.ms = 60_000"));
    let mut connection = Http2::to(&gateway).await;
    for number in 0..CALLS {
        if number % 2 == 0 {
            let request = Request::get(gateway.url("/api/v1/orders"));
            let (reply, _) = connection.send(request, false).await;
            sleep(Duration::from_millis(4)).await;
            drop(reply);
        } else {
            let stream = connect(gateway.socket());
            wire::send(&stream, wire::get("/api/v1/orders", "a: b"));
        }
        if number % 10 == 0 {
            assert_eq!(refused(&gateway, TOKEN, 2).await, Vec::<u16>::new(), "{number}");
        }
    }
    connection.end();
    let began = begun.try_iter().count();
    for _ in 0..began {
        let took = tokio::task::block_in_place(|| ended.recv_timeout(PATIENCE))
            .expect("the backend's connection ends");
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
    assert!(began > 0);
    let mut orders = requests(&gateway.stop());
    orders.retain(|line| line["operation"] == "orders");
    // The others left before they were noticed at all.
    assert!((began..=CALLS).contains(&orders.len()), "{}", orders.len());
    assert!(
        orders.iter().all(|line| line["status"] == 499 && line["hung_up"] == true),
        "{orders:?}"
    );
}
