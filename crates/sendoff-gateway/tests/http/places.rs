//! Limits on how many: connections, descriptors and requests.

use crate::support::http_2::{connect_from, is_served};
use crate::support::prelude::*;

/// Even if connections from many addresses use all places, the admin address answers.
#[tokio::test]
async fn the_admin_address_has_its_own_places() {
    // None of them ends by itself, however slow this machine is.
    let gateway = Gateway::plain("bounds.head_ms = 600_000\nbounds.connections = 100", "");
    let mut held = Vec::new();
    for number in 0..300_u16 {
        let [_, last] = number.to_be_bytes();
        held.push(connect_from([127, 0, 1, last], gateway.socket()).await.expect("a place"));
    }
    let open = "sendoff_connections{environment=\"sandbox\"}";
    let refused = |reason: &str| format!("sendoff_connections_refused_total{{reason={reason:?}}}");
    // The last of them are still in the listener's queue.
    gateway.until(&refused("total"), 200).await;
    gateway.until(open, 100).await;
    assert_eq!(gateway.metric(&refused("descriptors")).await, 0);
    for path in ["/health", "/ready"] {
        assert!(!gateway.ask(path).await.is_empty());
    }
    // They are gone, and there is room again.
    drop(held);
    gateway.until(open, 0).await;
    is_served(&gateway).await;
}

/// The soft limit on descriptors is raised as far as the bounds need it, and not lowered. A process that may not open as many does
/// not start, and names the keys.
#[tokio::test]
async fn the_soft_limit_on_descriptors_is_raised_as_far_as_it_may_be() {
    let file = config(UNLIMITED, "bounds.connections = 300\nbounds.requests = 100", "");
    for (soft, expected) in [(256, "528"), (528, "528"), (600, "600")] {
        let shell = &*format!("ulimit -S -n {soft};");
        let gateway = Gateway::launch(&file, Launch { shell, ..Launch::default() });
        let limits = gateway.process.proc("limits", "Max open files");
        assert_eq!(limits.split_whitespace().next(), Some(expected), "{soft}");
        is_served(&gateway).await;
    }
    let why = Gateway::refused(&file, Launch { shell: "ulimit -n 256;", ..Launch::default() });
    let expected = "expected 528 file descriptors for `connections` (300), `requests` (100) and 128 others, found 256 (ulimit -n): \
                    raise the limit, or lower the keys";
    assert!(why.contains(expected), "{why}");
}

/// Requests above the limit on simultaneous requests get 503. They are neither counted nor carried out.
#[tokio::test]
async fn requests_above_the_limit_are_503() {
    let (backend, _begun, go_on) = Backend::waiting();
    let gateway = &Gateway::start(&config(DAILY, "bounds.requests = 32", &backend.key()));
    let admitted = "sendoff_calls_total{verdict=\"admitted\"}";
    let above = async || {
        gateway.until(admitted, 2).await;
        let reply = gateway.post(TRANSFER).await;
        let message = "too many requests run at once: the call was not carried out";
        assert_eq!(reply.refused(503, None), message);
        assert_eq!(reply.header("retry-after"), Some("1"));
        assert_eq!(gateway.metric(admitted).await, 2);
        assert_eq!(gateway.metric("sendoff_requests_total{status=\"503\"}").await, 1);
        for _ in 0..3 {
            go_on.send(()).expect("the backend waits");
        }
    };
    let (one, two, ()) = tokio::join!(gateway.post(TRANSFER), gateway.post(TRANSFER), above());
    // After the replies are read, another request is accepted.
    assert_eq!([one.status, two.status, gateway.post(TRANSFER).await.status], [200; 3]);
}
