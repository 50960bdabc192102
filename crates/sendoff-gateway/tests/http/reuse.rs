//! Connections to the backend are used again, and never one that the backend is about to close.

use crate::support::prelude::*;

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
fn calls(gateway: &Gateway, callers: usize, calls: usize, pause: impl Fn(usize) -> u64 + Sync) {
    let (post, pause) = (wire::post(TRANSFER, "content-length: 2") + "{}", &pause);
    thread::scope(|scope| {
        for _ in 0..callers {
            let post = &post;
            scope.spawn(move || {
                let mut stream = wire::connect(gateway.socket());
                for call in 0..calls {
                    wire::send(&stream, post);
                    assert_eq!(statuses(&head(&mut stream)), [200]);
                    wire::until(&mut stream, "{}");
                    thread::sleep(Duration::from_millis(pause(call)));
                }
            });
        }
    });
}

/// As many connections as calls ran at once, and a few more where a call began before another one's connection was free.
#[test]
fn simultaneous_callers_share_connections() {
    for (callers, each) in [(2, 300), (32, 40)] {
        let (backend, counts) = keeping(PATIENCE);
        calls(&Gateway::in_front_of(&backend, ""), callers, each, |_| 0);
        let [connections, requests] = counts.each_ref().map(|count| count.load(Ordering::Relaxed));
        assert_eq!(requests, callers * each);
        assert!(connections <= callers * 2, "{connections} connections for {callers} callers");
    }
}

/// With `upstream.idle_ms` below the time of the backend, no call meets a connection that is about to close, at any pace of calls.
#[test]
fn a_backend_that_closes_idle_connections_loses_no_call() {
    let (backend, counts) = keeping(Duration::from_millis(1_200));
    let environment = format!("upstream.url = \"{backend}\"\nupstream.idle_ms = 200");
    let paces = [1_300, 50, 150, 250, 600, 0];
    calls(&Gateway::plain("", &environment), 8, 6, |call| paces[call]);
    assert_eq!(counts[1].load(Ordering::Relaxed), 48, "each call reaches the backend once");
}
