//! Connections to the backend are used again, and never one that the backend is about to close.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use super::upstream::TRANSFER;
use crate::support::{
    Gateway,
    backend::Backend,
    config,
    wire::{self, head, header},
};

/// A backend that keeps connections open, and closes one that was idle for this long. It counts connections and requests.
struct Keeping {
    url: String,
    connections: Arc<AtomicUsize>,
    requests: Arc<AtomicUsize>,
}

impl Keeping {
    fn start(idle: Duration) -> Self {
        let (connections, requests) =
            (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let (opened, received) = (Arc::clone(&connections), Arc::clone(&requests));
        let url = Backend::raw(move |mut stream| {
            opened.fetch_add(1, Ordering::Relaxed);
            stream.set_read_timeout(Some(idle)).expect("a read timeout");
            while stream.peek(&mut [0]).is_ok_and(|length| length > 0) {
                head(&mut stream);
                stream.read_exact(&mut [0; 2]).expect("a body");
                received.fetch_add(1, Ordering::Relaxed);
                // The gateway may have ended.
                let _ended = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
            }
        });
        Self { url, connections, requests }
    }

    fn counts(&self) -> (usize, usize) {
        (self.connections.load(Ordering::Relaxed), self.requests.load(Ordering::Relaxed))
    }
}

/// Makes a call on a connection, and returns its status.
fn call(stream: &mut TcpStream) -> u16 {
    wire::send(stream, wire::post(TRANSFER, "content-length: 2") + "{}");
    let reply = head(stream);
    let length = header(&reply, "content-length").expect("a length").parse().expect("a number");
    stream.read_exact(&mut vec![0; length]).expect("a body");
    wire::statuses(&reply)[0]
}

/// As many connections as calls ran at once, and a few more where a call began before another one's connection was free.
#[test]
fn simultaneous_callers_share_connections() {
    for (callers, calls) in [(2, 300), (32, 40)] {
        let backend = Keeping::start(wire::PATIENCE);
        let environment = format!("upstream.url = \"{}\"", backend.url);
        let gateway = Gateway::start(&config(r#""none""#, "", &environment));
        let address = gateway.socket();
        thread::scope(|scope| {
            for _ in 0..callers {
                scope.spawn(|| {
                    let mut stream = wire::connect(address);
                    for _ in 0..calls {
                        assert_eq!(call(&mut stream), 200);
                    }
                });
            }
        });
        let (connections, requests) = backend.counts();
        assert_eq!(requests, callers * calls);
        assert!(connections <= callers * 2, "{connections} connections for {callers} callers");
    }
}

/// With `upstream.idle_ms` below the time of the backend, no call meets a connection that is about to close, at any pace of calls.
#[test]
fn a_backend_that_closes_idle_connections_loses_no_call() {
    let backend = Keeping::start(Duration::from_millis(1_200));
    let environment = format!("upstream.url = \"{}\"\nupstream.idle_ms = 400", backend.url);
    let gateway = Gateway::start(&config(r#""none""#, "", &environment));
    let address = gateway.socket();
    let (callers, calls) = (16_u64, 5);
    thread::scope(|scope| {
        for caller in 0..callers {
            scope.spawn(move || {
                let mut stream = wire::connect(address);
                for pause in 0..calls {
                    assert_eq!(call(&mut stream), 200);
                    thread::sleep(Duration::from_millis(1_180 + caller * 2 + pause * 4));
                }
            });
        }
    });
    assert_eq!(backend.counts().1, 80, "each call reaches the backend once");
}
