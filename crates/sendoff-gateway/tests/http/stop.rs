//! A stop loses no request.

use crate::support::{
    prelude::*,
    wire::{connect, open},
};

fn post(length: usize) -> String {
    wire::post(TRANSFER, &format!("content-length: {length}"))
}

fn get() -> String {
    wire::get(NETWORKS, "a: b")
}

/// Waits until readiness reports that the gateway is stopping.
async fn is_stopping(gateway: &Gateway) {
    until("it is stopping", async || gateway.ask("/ready").await == "stopping\n").await;
    assert_eq!(gateway.ask("/health").await, "alive\n");
}

/// Connections are accepted until `bounds.shutdown_delay_ms` has passed, so that load balancers see the readiness first.
#[tokio::test]
async fn running_requests_are_answered() {
    let (backend, _begun, go_on) = Backend::waiting();
    let mut gateway = Gateway::in_front_of(&backend.url, "bounds.shutdown_delay_ms = 2000");
    // One request waits for the backend, one is being sent, one connection is between two requests, one has sent nothing.
    let mut running = open(&gateway, post(0));
    let mut sending = open(&gateway, post(2) + "{");
    let mut kept = open(&gateway, get());
    assert_eq!(header(&head(&mut kept), "connection"), None);
    wire::until(&mut kept, "}]}}");
    let mut silent = connect(gateway.socket());

    // Before the signal: on a busy machine, the answer about readiness takes its time.
    let began = Instant::now();
    gateway.process.signal("TERM");
    is_stopping(&gateway).await;
    // New requests are answered with `connection: close`.
    for stream in [&mut kept, &mut connect(gateway.socket())] {
        wire::send(stream, get());
        let reply = rest(stream);
        assert_eq!((statuses(&reply), header(&reply, "connection")), (vec![200], Some("close")));
    }
    while began.elapsed() < Duration::from_millis(1_500) {
        assert_eq!(statuses(&exchange(&gateway, get())), [200]);
    }
    assert_eq!(rest(&mut silent), "");
    // No connection is accepted. The admin address closes last, and reports until then that the gateway is stopping.
    wait("it listens no more", || TcpStream::connect(gateway.socket()).is_err());
    gateway.until("sendoff_connections{environment=\"sandbox\"}", 2).await;
    is_stopping(&gateway).await;
    wire::send(&sending, b"}");
    for stream in [&mut running, &mut sending] {
        go_on.send(()).expect("the backend waits");
        let reply = rest(stream);
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n") && reply.ends_with("{}"), "{reply}");
    }
    let (succeeded, log) = gateway.ended();
    let last = log.lines().last().expect("a log");
    assert!(succeeded && last.contains(r#""message":"stopped""#), "{log}");
}

#[tokio::test]
async fn sigint_and_sigquit_stop_the_gateway_and_other_signals_have_no_effect() {
    for last in ["INT", "QUIT"] {
        let mut gateway = Gateway::plain("", "");
        for name in ["HUP", "USR1", "USR2", "PIPE"] {
            gateway.process.signal(name);
            assert_eq!(gateway.ask("/ready").await, "ready\n", "SIG{name}");
        }
        gateway.process.signal(last);
        let (succeeded, log) = gateway.ended();
        assert!(succeeded && log.contains(r#""message":"stopped""#), "{log}");
        for name in ["SIGUSR1", "SIGUSR2"] {
            assert!(log.contains(&format!(r#""signal":"{name}""#)), "{log}");
        }
    }
}
