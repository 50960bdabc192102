//! A stop loses no request.

use std::{
    net::TcpStream,
    time::{Duration, Instant},
};

use crate::support::{
    Gateway,
    backend::Backend,
    config,
    wire::{self, connect, head, header, rest},
};

fn post(length: usize) -> String {
    wire::post("/api/v1/nft/transfer", &format!("content-length: {length}"))
}

fn get() -> String {
    wire::get("/api/v1/supported/networks", "a: b")
}

/// Waits until readiness reports that the gateway is stopping.
async fn is_stopping(gateway: &Gateway) {
    let began = Instant::now();
    while gateway.ask("/ready").await != "stopping\n" {
        assert!(began.elapsed() < wire::PATIENCE, "the gateway is still ready");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(gateway.ask("/health").await, "alive\n");
}

#[tokio::test]
async fn running_requests_are_answered() {
    let (backend, _begun, go_on) = Backend::waiting();
    let mut gateway = Gateway::in_front_of(&backend.url, "");
    // One request waits for the backend, one is being sent, one connection is between two requests,
    // one has sent nothing.
    let mut running = connect(gateway.socket());
    wire::send(&running, post(0));
    let mut sending = connect(gateway.socket());
    wire::send(&sending, post(2) + "{");
    let mut kept = connect(gateway.socket());
    wire::send(&kept, get());
    assert_eq!(header(&head(&mut kept), "connection"), None);
    wire::until(&mut kept, "}]}}");
    let mut silent = connect(gateway.socket());

    gateway.terminate();
    is_stopping(&gateway).await;
    // New requests are answered with `connection: close`.
    for stream in [&mut kept, &mut connect(gateway.socket())] {
        wire::send(stream, get());
        let reply = rest(stream);
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
        assert_eq!(header(&reply, "connection"), Some("close"), "{reply}");
    }
    assert_eq!(rest(&mut silent), "");
    // By now no connection is accepted.
    wire::send(&sending, b"}");
    for stream in [&mut running, &mut sending] {
        go_on.send(()).expect("the backend waits");
        let reply = rest(stream);
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n") && reply.ends_with("{}"), "{reply}");
    }
    let (succeeded, log) = gateway.ended(wire::PATIENCE);
    assert!(succeeded, "{log}");
    assert!(log.lines().last().expect("a log").contains(r#""message":"stopped""#), "{log}");
}

/// Calls that do not end in time are closed, and the gateway exits with status 0.
#[tokio::test]
async fn a_stop_ends_in_time() {
    let (backend, _begun, _go_on) = Backend::waiting();
    let mut gateway = Gateway::in_front_of(&backend.url, "bounds.drain_ms = 300");
    let mut running = connect(gateway.socket());
    wire::send(&running, post(0));
    let mut half = connect(gateway.socket());
    wire::send(&half, b"GET /api/v1/orders HTTP/1.1\r\nhost:");
    // The half request has arrived when a later request is answered.
    let mut last = connect(gateway.socket());
    wire::send(&last, get());
    head(&mut last);
    let log = gateway.stop();
    assert!(log.contains(r#""message":"stopped""#), "{log}");
    assert_eq!((rest(&mut running), rest(&mut half)), (String::new(), String::new()));
}

/// The admin address closes last, and reports until then that the gateway is stopping.
#[tokio::test]
async fn the_admin_address_closes_last() {
    let (backend, _begun, go_on) = Backend::waiting();
    let mut gateway = Gateway::in_front_of(&backend.url, "bounds.shutdown_delay_ms = 1");
    let mut running = connect(gateway.socket());
    wire::send(&running, post(0));
    gateway.until("sendoff_connections{environment=\"sandbox\"}", 1).await;
    gateway.terminate();
    let began = Instant::now();
    while TcpStream::connect(gateway.socket()).is_ok() {
        assert!(began.elapsed() < wire::PATIENCE, "the gateway still listens");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for _ in 0..10 {
        assert_eq!(gateway.ask("/ready").await, "stopping\n");
        assert_eq!(gateway.ask("/health").await, "alive\n");
        assert_eq!(gateway.metric("sendoff_connections{environment=\"sandbox\"}").await, 1);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    go_on.send(()).expect("the backend waits");
    assert!(rest(&mut running).ends_with("{}"));
    let (succeeded, log) = gateway.ended(wire::PATIENCE);
    assert!(succeeded, "{log}");
}

/// A stopping gateway accepts connections until `bounds.shutdown_delay_ms` has passed, so that load balancers see its readiness first.
#[tokio::test]
async fn connections_are_accepted_during_the_shutdown_delay() {
    let mut gateway = Gateway::start(&config(r#""none""#, "bounds.shutdown_delay_ms = 2000", ""));
    // Before the signal: on a busy machine, the answer about readiness takes its time.
    let began = Instant::now();
    gateway.terminate();
    is_stopping(&gateway).await;
    while began.elapsed() < Duration::from_millis(1_500) {
        let reply = wire::exchange(gateway.socket(), get());
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (succeeded, log) = gateway.ended(wire::PATIENCE);
    assert!(succeeded, "{log}");
}

#[tokio::test]
async fn sigint_and_sigquit_stop_the_gateway_and_other_signals_have_no_effect() {
    for last in ["INT", "QUIT"] {
        let mut gateway = Gateway::start(&config(r#""none""#, "", ""));
        for name in ["USR1", "USR2", "PIPE"] {
            gateway.signal(name);
            tokio::time::sleep(Duration::from_millis(50)).await;
            assert_eq!(gateway.ask("/ready").await, "ready\n", "SIG{name}");
        }
        gateway.signal(last);
        let (succeeded, log) = gateway.ended(wire::PATIENCE);
        assert!(succeeded && log.contains(r#""message":"stopped""#), "{log}");
        for name in ["SIGUSR1", "SIGUSR2"] {
            assert!(log.contains(&format!(r#""signal":"{name}""#)), "{log}");
        }
    }
}
