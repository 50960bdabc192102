//! Limits on how many: connections, descriptors and requests.

use std::{
    io::Write as _,
    net::Ipv4Addr,
    sync::mpsc,
    time::{Duration, Instant},
};

use axum::body::Bytes;
use h2::client::SendRequest;
use tokio::{
    io::AsyncReadExt as _,
    net::TcpStream,
    time::{sleep, timeout},
};

use super::connections::{ENDED, GET, REFUSED, connect_from, http2, is_served, request};
use crate::support::{
    Gateway, Launch, TOKEN, backend::Backend, client, config, reply::Reply, wire::PATIENCE,
};

const TRANSFER: &str = "/api/v1/nft/transfer";

/// Two addresses hold all places with replies that they do not read and connections without a byte.
#[tokio::test]
async fn places_that_only_wait_are_left_to_other_addresses() {
    // None of them may end because the machine is busy.
    let server =
        "connections = 8\nconnections_per_address = 4\nhead_ms = 600_000\nwrite_ms = 600_000";
    let gateway = Gateway::start(&config(r#""none""#, server, ""));
    let (mut unread, mut silent) = (Vec::new(), Vec::new());
    for attacker in [Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::new(127, 0, 0, 3)] {
        for _ in 0..2 {
            silent.push(connect_from(attacker, &gateway).await.expect("a place"));
            let (send, _) =
                http2(connect_from(attacker, &gateway).await.expect("a place"), 0).await;
            let mut send = send.ready().await.expect("a connection");
            let request = request(&gateway, "GET", "/api/v1/nowhere");
            let (reply, _) = send.send_request(request, true).expect("the bytes are written");
            unread.push((send, reply.await.expect("a head").into_body()));
        }
    }
    gateway.until("sendoff_connections{environment=\"sandbox\"}", 8).await;

    // One of the eight leaves its place, which each of these callers then leaves to the next.
    for _ in 0..20 {
        is_served(&gateway).await;
        gateway.until("sendoff_connections{environment=\"sandbox\"}", 7).await;
    }
    gateway.until(&format!("{ENDED}{{environment=\"sandbox\",reason=\"crowded\"}}"), 1).await;
    assert_eq!(
        gateway.metric(&format!("{REFUSED}{{environment=\"sandbox\",reason=\"total\"}}")).await,
        0
    );
}

/// 260 faulty connections from one address, at 256 descriptors.
#[tokio::test(flavor = "multi_thread")]
async fn one_address_cannot_block_others() {
    let file = config(r#""none""#, "", "");
    let mut gateway =
        Gateway::launch(&file, Launch { descriptors: Some(256), ..Launch::default() });
    let attacker = Ipv4Addr::new(127, 0, 0, 2);
    let mut held = Vec::new();
    for number in 0..260 {
        let Ok(mut stream) = connect_from(attacker, &gateway).await else { continue };
        match number % 3 {
            // Half a head, an idle HTTP/2 connection, and a caller that does not read.
            0 => drop(tokio::io::AsyncWriteExt::write_all(&mut stream, b"GET / HT").await),
            1 => {
                let handshake = h2::client::handshake(stream);
                if let Ok((send, connection)) = handshake.await {
                    tokio::spawn(connection);
                    held.push((None, Some(send)));
                }
                continue;
            }
            _ => drop(
                tokio::io::AsyncWriteExt::write_all(&mut stream, GET.repeat(100).as_bytes()).await,
            ),
        }
        held.push((Some(stream), None));
    }
    // The gateway counts a connection when it accepts it, which may be later.
    let counter = format!("{REFUSED}{{reason=\"address\"}}");
    let mut refused = gateway.metric(&counter).await;
    for _ in 0..100 {
        if refused > 200 {
            break;
        }
        sleep(Duration::from_millis(50)).await;
        refused = gateway.metric(&counter).await;
    }
    assert!(refused > 200, "{refused}");
    for _ in 0..20 {
        is_served(&gateway).await;
    }
    drop::<Vec<(Option<TcpStream>, Option<SendRequest<Bytes>>)>>(held);
    let log = gateway.stop();
    assert!(log.contains("too few file descriptors"), "{log}");
    assert_eq!(log.matches("connections are refused").count(), 1, "{log}");
}

/// Even if connections from many addresses use all places, the admin address answers.
#[tokio::test]
async fn the_admin_address_has_its_own_places() {
    // None of them ends by itself, however slow this machine is.
    let file = config(r#""none""#, "head_ms = 600_000", "");
    let gateway = Gateway::launch(&file, Launch { descriptors: Some(256), ..Launch::default() });
    let mut held = Vec::new();
    for number in 0..300_u16 {
        let [_, last] = number.to_be_bytes();
        held.push(
            connect_from(Ipv4Addr::new(127, 0, 1, last), &gateway).await.expect("it is accepted"),
        );
    }
    let open = "sendoff_connections{environment=\"sandbox\"}";
    let refused = format!("{REFUSED}{{reason=\"total\"}}");
    // The last of them are still in the listener's queue.
    let began = Instant::now();
    let mut taken = 0;
    while taken + gateway.metric(&refused).await < 300 {
        assert!(began.elapsed() < PATIENCE, "{taken} are open");
        taken = gateway.metric(open).await;
    }
    assert_eq!(taken + gateway.metric(&refused).await, 300);
    assert!((50..150).contains(&taken), "{taken}");
    assert_eq!(gateway.metric(&format!("{REFUSED}{{reason=\"descriptors\"}}")).await, 0);
    for path in ["/health", "/ready"] {
        assert!(!gateway.ask(path).await.is_empty());
    }
    // They are gone, and there is room again.
    drop(held);
    gateway.until(open, 0).await;
    is_served(&gateway).await;
}

/// The soft limit on descriptors is raised as far as the bounds need it, and not lowered.
#[tokio::test]
async fn the_soft_limit_on_descriptors_is_raised() {
    let file = config(r#""none""#, "connections = 300\nrequests = 100", "");
    for (soft, expected) in [(256, 464), (464, 464), (500, 500)] {
        let mut gateway =
            Gateway::launch(&file, Launch { soft_descriptors: Some(soft), ..Launch::default() });
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", gateway.id()))
            .expect("the limits of a process");
        let line =
            limits.lines().find_map(|line| line.strip_prefix("Max open files")).expect("a limit");
        assert_eq!(line.split_whitespace().next(), Some(expected.to_string().as_str()), "{soft}");
        is_served(&gateway).await;
        assert!(!gateway.stop().contains("too few file descriptors"), "{soft}");
    }
}

/// With few descriptors, a bound that is far below the other keeps at least one place.
#[tokio::test]
async fn few_descriptors_are_shared() {
    for (head, descriptors, connections, requests) in [
        ("connections = 1000\nrequests = 1", 256, 191, 1),
        ("connections = 1\nrequests = 1000", 256, 1, 191),
        ("", 66, 1, 1),
    ] {
        let file = config(r#""none""#, head, "");
        let launch = Launch { descriptors: Some(descriptors), ..Launch::default() };
        let mut gateway = Gateway::launch(&file, launch);
        if descriptors > 66 {
            is_served(&gateway).await;
        }
        let log = gateway.stop();
        assert!(log.contains(&format!(r#""connections":{connections},"#)), "{log}");
        assert!(log.contains(&format!(r#""requests":{requests},"#)), "{log}");
    }
    let launch = Launch { descriptors: Some(65), ..Launch::default() };
    let Err(why) = Gateway::try_launch(&config(r#""none""#, "", ""), launch) else {
        panic!("it starts")
    };
    assert!(why.contains("expected at least 66 file descriptors, found 65"), "{why}");
}

#[tokio::test]
async fn limits_on_connections_are_those_of_the_file() {
    let file = config(r#""none""#, "connections = 3\nconnections_per_address = 2", "");
    let gateway = Gateway::start(&file);
    let mut held = Vec::new();
    for (last, is_accepted) in [(2, true), (2, true), (2, false), (3, true), (3, false), (4, true)]
    {
        let mut stream =
            connect_from(Ipv4Addr::new(127, 0, 0, last), &gateway).await.expect("it is accepted");
        let end = timeout(Duration::from_millis(300), stream.read(&mut [0])).await;
        assert_eq!(end.is_err(), is_accepted, "127.0.0.{last}: {end:?}");
        held.push(stream);
    }
    assert_eq!(gateway.metric(&format!("{REFUSED}{{reason=\"address\"}}")).await, 1);
    assert_eq!(gateway.metric(&format!("{REFUSED}{{reason=\"total\"}}")).await, 1);
    // The first of the address that held two left its place to the last.
    let end = timeout(PATIENCE, held.remove(0).read(&mut [0])).await.expect("the connection ends");
    assert_eq!(end.unwrap_or(0), 0);
    held.clear();
    gateway.until("sendoff_connections{environment=\"sandbox\"}", 0).await;
    is_served(&gateway).await;
}

/// Requests above the limit on simultaneous requests get 503. They are neither counted nor carried out.
#[tokio::test]
async fn requests_above_the_limit_are_503() {
    let (go_on, may_go_on) = mpsc::channel::<()>();
    let may_go_on = std::sync::Arc::new(std::sync::Mutex::new(may_go_on));
    let backend = Backend::start(move |_, stream| {
        may_go_on.lock().expect("no panic").recv_timeout(PATIENCE).expect("the test continues");
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}")
            .expect("the bytes are written");
    });
    let policy = r#"{ limit = 100, window_ms = 86_400_000, midnight = "carry" }"#;
    let bounds = "requests = 2\nrequests_per_application = 2\nrequests_per_address = 2";
    let gateway =
        Gateway::start(&config(policy, bounds, &format!("upstream = \"{}\"", backend.url)));
    let call = || client().post(gateway.url(TRANSFER)).bearer_auth(TOKEN).body("{}").send();
    let (one, two) = (tokio::spawn(call()), tokio::spawn(call()));
    gateway.until("sendoff_calls_total{verdict=\"admitted\"}", 2).await;
    let reply = Reply::to(client().post(gateway.url(TRANSFER)).bearer_auth(TOKEN).body("{}")).await;
    assert_eq!(
        reply.refused(503, None),
        "too many requests run at once: the call was not carried out"
    );
    assert_eq!(reply.header("retry-after"), Some("1"));
    assert_eq!(gateway.metric("sendoff_calls_total{verdict=\"admitted\"}").await, 2);
    assert_eq!(gateway.metric("sendoff_requests_total{status=\"503\"}").await, 1);
    for _ in 0..2 {
        go_on.send(()).expect("the backend waits");
    }
    for call in [one, two] {
        assert_eq!(call.await.expect("no panic").expect("a reply").status(), 200);
    }
    // After the replies are read, another request is accepted.
    go_on.send(()).expect("the backend waits");
    assert_eq!(call().await.expect("a reply").status(), 200);
}
