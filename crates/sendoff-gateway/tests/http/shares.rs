//! Shares of the requests that may run at once: no caller can take the slots of others.

use h2::SendStream;
use tokio::task::block_in_place;

use crate::support::{backend::stall, http_2::Http2, prelude::*};

/// A gateway with a second application, `game`.
fn start(head: &str, environment: &str) -> Gateway {
    let game = application("game", "") + &user("token-of-game", USER_SWA);
    Gateway::start(&(config(UNLIMITED, head, environment) + &game))
}

/// Requests on a connection whose bodies are on their way.
async fn open(gateway: &Gateway, requests: usize) -> Vec<SendStream<Bytes>> {
    let connection = Http2::to(gateway).await;
    let mut bodies = Vec::new();
    for _ in 0..requests {
        let json = ("content-type", "application/json");
        let request = Request::post(gateway.url(ESTIMATE)).header(json.0, json.1);
        let (reply, mut body) = connection.send(request, true).await;
        body.send_data(Bytes::from_static(b"{"), false).expect("it is taken");
        tokio::spawn(reply);
        bodies.push(body);
    }
    bodies
}

/// All of these calls are served.
async fn are_served(gateway: &Gateway, token: &str, calls: usize) {
    let bearer = format!("Bearer {token}");
    for call in 0..calls {
        let line = "GET /api/v1/supported/networks";
        let reply = gateway.call(line, &[("authorization", &bearer)], "").await;
        assert_eq!(reply.status, 200, "call {call}: {}", reply.text);
    }
}

/// One token, one address, the bounds of an empty file: eleven connections with a hundred slow bodies each.
#[tokio::test]
async fn slow_bodies_of_one_user_do_not_shut_out_another_application() {
    let gateway = start("", "");
    let mut held = Vec::new();
    for _ in 0..11 {
        held.push(open(&gateway, 100).await);
    }
    let refused = |reason: &str| format!("sendoff_requests_refused_total{{reason=\"{reason}\"}}");
    gateway.until(&refused("user"), 1_100 - 64).await;
    are_served(&gateway, "token-of-game", 65).await;
    assert_eq!(gateway.metric(&refused("total")).await, 0);
    // Other callers of the same application have slots too.
    assert_eq!(gateway.call("GET /api/v1/supported/networks", &[CLIENT], "").await.status, 200);
}

/// Two hundred users of two applications call a slow backend: each application has a quarter of the slots, and a third is served.
#[tokio::test]
async fn two_applications_do_not_shut_out_a_third() {
    let (backend, _begun, _ended) = Backend::reporting(stall);
    let tokens_of = |name| (0..100).map(move |user| format!("{name}-{user}"));
    let tokens: Vec<_> = ["one", "two"].into_iter().flat_map(tokens_of).collect();
    let environment = format!("upstream.url = \"{backend}\"\nupstream.ms = 60_000");
    let mut file = config(UNLIMITED, "bounds.requests = 64", &environment);
    for (number, token) in tokens.iter().enumerate() {
        if number % 100 == 0 {
            file += &application(&token[..3], "");
        }
        file += &user(token, &format!("0x{number:040x}"));
    }
    let gateway = Gateway::start(&file);
    let call = wire::post(TRANSFER, "content-length: 0");
    let call = |token: &String| wire::open(&gateway, call.replace(TOKEN, token));
    let _held: Vec<_> = tokens.iter().map(call).collect();
    gateway.until("sendoff_requests_refused_total{reason=\"application\"}", 200 - 32).await;
    gateway.until("sendoff_requests_running", 32).await;
    are_served(&gateway, TOKEN, 44).await;
}

/// A GET whose caller left before the reply is cancelled: its slot is free, and the backend's connection ends.
#[tokio::test(flavor = "multi_thread")]
async fn gets_of_callers_that_left_are_cancelled() {
    let (backend, begun, ended) = Backend::reporting(stall);
    // Longer than the test has patience, and two slots for the user.
    let environment = format!("upstream.url = \"{backend}\"\nupstream.ms = 60_000");
    let mut gateway = start("bounds.requests = 32", &environment);
    let connection = Http2::to(&gateway).await;
    for number in 0..6 {
        if number % 2 == 0 {
            let (reply, _) = connection.send(Request::get(gateway.url(ORDERS)), false).await;
            block_in_place(|| happened(&begun));
            drop(reply);
        } else {
            let stream = wire::open(&gateway, wire::get(ORDERS, "a: b"));
            block_in_place(|| happened(&begun));
            drop(stream);
        }
        block_in_place(|| happened(&ended));
    }
    gateway.until("sendoff_requests_running", 0).await;
    let mut orders = requests(&gateway.stop());
    orders.retain(|line| line["operation"] == "orders");
    let is_gone = |line: &Value| line["status"] == 499 && line["hung_up"] == true;
    assert!(orders.len() == 6 && orders.iter().all(is_gone), "{orders:?}");
}
