//! Stopping, without losing anybody.

use std::{
    io::Write as _,
    sync::{Arc, Mutex, mpsc},
    time::{Duration, Instant},
};

use crate::support::{
    Gateway, TOKEN,
    backend::Backend,
    config,
    wire::{self, connect, head, header, rest},
};

/// A backend that answers once it is told to; and how it is told.
fn waiting() -> (Backend, mpsc::Sender<()>) {
    let (go_on, may_go_on) = mpsc::channel::<()>();
    let may_go_on = Arc::new(Mutex::new(may_go_on));
    let backend = Backend::start(move |_, stream| {
        if may_go_on.lock().expect("one at a time").recv_timeout(wire::PATIENCE).is_ok() {
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}")
                .expect("it is taken");
        }
    });
    (backend, go_on)
}

fn post(length: usize) -> String {
    format!(
        "POST /api/v1/nft/transfer HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\ncontent-length: {length}\r\n\r\n"
    )
}

const GET: &str = "GET /api/v1/supported/networks HTTP/1.1\r\nhost: a\r\nauthorization: Bearer demo-token\r\n\r\n";

/// Waits until the gateway says that it is stopping.
async fn is_stopping(gateway: &Gateway) {
    let began = Instant::now();
    while gateway.ask("/ready").await != "stopping\n" {
        assert!(began.elapsed() < wire::PATIENCE, "it stays ready");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(gateway.ask("/health").await, "alive\n");
}

#[tokio::test]
async fn what_runs_is_answered() {
    let (backend, go_on) = waiting();
    let mut gateway = Gateway::start(&config(r#""none""#, "", &format!("upstream = \"{}\"", backend.url)));
    // One is with the backend, one is still being sent, one connection is between two requests, one has not begun.
    let mut running = connect(gateway.socket());
    running.write_all(post(0).as_bytes()).expect("it is taken");
    let mut sending = connect(gateway.socket());
    sending.write_all((post(2) + "{").as_bytes()).expect("it is taken");
    let mut kept = connect(gateway.socket());
    kept.write_all(GET.as_bytes()).expect("it is taken");
    assert_eq!(header(&head(&mut kept), "connection"), None);
    wire::until(&mut kept, "}]}}");
    let mut silent = connect(gateway.socket());

    gateway.terminate();
    is_stopping(&gateway).await;
    // Whoever still comes is answered, and told that it is the last time.
    for stream in [&mut kept, &mut connect(gateway.socket())] {
        stream.write_all(GET.as_bytes()).expect("it is taken");
        let reply = rest(stream);
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
        assert_eq!(header(&reply, "connection"), Some("close"), "{reply}");
    }
    assert_eq!(rest(&mut silent), "");
    // By now nobody is let in any more.
    sending.write_all(b"}").expect("it is taken");
    for stream in [&mut running, &mut sending] {
        go_on.send(()).expect("the backend waits");
        let reply = rest(stream);
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n") && reply.ends_with("{}"), "{reply}");
    }
    let (is_well, log) = gateway.ended(wire::PATIENCE);
    assert!(is_well, "{log}");
    assert!(log.lines().last().expect("a log").contains(r#""message":"stopped""#), "{log}");
}

/// Whoever does not come to an end is cut off, and the gateway ends well.
#[tokio::test]
async fn nobody_holds_it_up_for_ever() {
    let (backend, _go_on) = waiting();
    let mut gateway =
        Gateway::start(&config(r#""none""#, "drain_ms = 300", &format!("upstream = \"{}\"", backend.url)));
    let mut running = connect(gateway.socket());
    running.write_all(post(0).as_bytes()).expect("it is taken");
    let mut half = connect(gateway.socket());
    half.write_all(b"GET /api/v1/orders HTTP/1.1\r\nhost:").expect("it is taken");
    // It is in there once a request after it was answered.
    let mut last = connect(gateway.socket());
    last.write_all(GET.as_bytes()).expect("it is taken");
    head(&mut last);
    let log = gateway.stop();
    assert!(log.contains(r#""message":"stopped""#), "{log}");
    assert_eq!((rest(&mut running), rest(&mut half)), (String::new(), String::new()));
}

/// A person at a terminal stops it as well as a service manager does.
#[test]
fn an_interrupt_is_a_stop() {
    let mut gateway = Gateway::start(&config(r#""none""#, "", ""));
    gateway.signal("INT");
    let (is_well, log) = gateway.ended(wire::PATIENCE);
    assert!(is_well && log.contains(r#""message":"stopped""#), "{log}");
}
