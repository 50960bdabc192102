//! Connections to the backend are used again, and never one that the backend is about to close.

use crate::support::{load::Load, prelude::*};

/// A backend that keeps connections open, and closes one that was idle for this long, of which the gateway learns late: what it
/// sends there is lost. It counts connections and requests.
fn keeping(idle: Duration) -> (String, Arc<[AtomicUsize; 2]>) {
    let counts = Arc::<[AtomicUsize; 2]>::default();
    let counted = Arc::clone(&counts);
    let url = Backend::raw(move |mut stream| {
        counted[0].fetch_add(1, Ordering::Relaxed);
        stream.set_read_timeout(Some(idle)).expect("a read timeout");
        Backend::serve(&mut stream, |_, stream| {
            counted[1].fetch_add(1, Ordering::Relaxed);
            // The gateway may have ended.
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").is_ok()
        });
        stream.set_read_timeout(Some(PATIENCE)).expect("a read timeout");
        let _lost = stream.read(&mut [0]);
    });
    (url, counts)
}

/// Calls of many callers, each on a connection of its own, with a pause after each call. All are answered.
async fn calls(gateway: &Gateway, callers: usize, calls: usize, pauses: &'static [u64]) {
    let clients: Vec<_> = (0..callers).map(|_| client()).collect();
    let url = gateway.url(TRANSFER);
    let load = Load::start(callers, Duration::ZERO, calls, move |caller, number| {
        let call = clients[caller].post(&url).bearer_auth(TOKEN).body("{}");
        async move {
            assert_eq!(Reply::to(call).await.status, 200);
            sleep(Duration::from_millis(pauses[number % pauses.len()])).await;
        }
    });
    load.all().await;
}

/// As many connections as calls ran at once, and a few more where a call began before another one's connection was free.
#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_callers_share_connections() {
    for (callers, all) in [(2, 600), (32, 1_280)] {
        let (backend, counts) = keeping(PATIENCE);
        calls(&Gateway::in_front_of(&backend, ""), callers, all, &[0]).await;
        let [connections, requests] = counts.each_ref().map(|count| count.load(Ordering::Relaxed));
        assert_eq!(requests, all);
        assert!(connections <= callers * 2, "{connections} connections for {callers} callers");
    }
}

/// With `upstream.idle_ms` below the time of the backend, no call meets a connection that is about to close, at any pace of calls.
#[tokio::test(flavor = "multi_thread")]
async fn a_backend_that_closes_idle_connections_loses_no_call() {
    let (backend, counts) = keeping(Duration::from_millis(1_200));
    let environment = format!("upstream.url = \"{backend}\"\nupstream.idle_ms = 200");
    calls(&Gateway::plain("", &environment), 8, 48, &[1_300, 50, 150, 250, 600, 0]).await;
    assert_eq!(counts[1].load(Ordering::Relaxed), 48, "each call reaches the backend once");
}
