//! Limits on how many: connections, descriptors and requests.

use std::{net::Ipv4Addr, time::Instant};

use super::connections::{REFUSED, connect_from, is_served};
use crate::support::{Gateway, Launch, backend::Backend, config, reply::Reply, wire::PATIENCE};

/// Even if connections from many addresses use all places, the admin address answers.
#[tokio::test]
async fn the_admin_address_has_its_own_places() {
    // None of them ends by itself, however slow this machine is.
    let gateway = Gateway::start(&config(
        r#""none""#,
        "bounds.head_ms = 600_000\nbounds.connections = 100",
        "",
    ));
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
    assert_eq!(taken, 100);
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
    let file = config(r#""none""#, "bounds.connections = 300\nbounds.requests = 100", "");
    for (soft, expected) in [(256, 528), (528, 528), (600, 600)] {
        let mut gateway =
            Gateway::launch(&file, Launch { soft_descriptors: Some(soft), ..Launch::default() });
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", gateway.id()))
            .expect("the limits of a process");
        let line =
            limits.lines().find_map(|line| line.strip_prefix("Max open files")).expect("a limit");
        assert_eq!(line.split_whitespace().next(), Some(expected.to_string().as_str()), "{soft}");
        is_served(&gateway).await;
        gateway.stop();
    }
}

/// A process that may not open as many descriptors does not start, and names the keys.
#[tokio::test]
async fn too_few_descriptors_are_refused() {
    let launch = Launch { descriptors: Some(256), ..Launch::default() };
    let Err(why) =
        Gateway::try_launch(&config(r#""none""#, "bounds.connections = 300", ""), launch)
    else {
        panic!("it starts")
    };
    let expected = "expected 1452 file descriptors for `connections` (300), `requests` (1024) and 128 others, found 256 (ulimit -n): \
                    raise the limit, or lower the keys";
    assert!(why.contains(expected), "{why}");
}

/// Requests above the limit on simultaneous requests get 503. They are neither counted nor carried out.
#[tokio::test]
async fn requests_above_the_limit_are_503() {
    let (backend, _begun, go_on) = Backend::waiting();
    let policy = r#"{ limit = 100, window_ms = 86_400_000, midnight = "carry" }"#;
    let bounds = "bounds.requests = 8\nbounds.requests_per_user = 2";
    let gateway =
        Gateway::start(&config(policy, bounds, &format!("upstream.url = \"{}\"", backend.url)));
    let call = || gateway.post("/api/v1/nft/transfer").body("{}").send();
    let (one, two) = (tokio::spawn(call()), tokio::spawn(call()));
    gateway.until("sendoff_calls_total{verdict=\"admitted\"}", 2).await;
    let reply = Reply::to(gateway.post("/api/v1/nft/transfer").body("{}")).await;
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
