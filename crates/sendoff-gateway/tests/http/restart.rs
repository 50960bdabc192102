//! A restart under load loses nothing: by a second process on the same address, and by sockets of a
//! service manager.

use std::os::unix::net::UnixDatagram;

use crate::support::{clients, load::Load, prelude::*};

/// Callers that call until they are told to stop. Every other one opens a connection for each call, and none of its calls is lost, but where
/// a process closes a socket of its own: the kernel resets what waits in it. A kept connection may end between two calls.
fn callers(address: &str, is_closing: &Arc<AtomicBool>) -> Load<()> {
    let fresh = clients().pool_max_idle_per_host(0).build().expect("a client");
    let clients = [client(), fresh];
    let (url, is_closing) = (format!("http://{address}{NETWORKS}"), Arc::clone(is_closing));
    Load::start(8, Duration::from_millis(5), usize::MAX, move |caller, _| {
        let is_kept = caller.is_multiple_of(2);
        let call = clients[usize::from(!is_kept)].get(&url).bearer_auth(TOKEN);
        let is_closing = Arc::clone(&is_closing);
        async move {
            let may_end = is_kept || is_closing.load(Ordering::Relaxed);
            match call.send().await {
                Ok(reply) => drop(Reply::of(reply).await.data()),
                Err(error) => assert!(may_end && !error.is_connect(), "{error:?}"),
            }
        }
    })
}

/// Waits until a few more calls have ended than before.
fn go_on(callers: &Load<()>) {
    let before = callers.ended();
    wait("calls are answered", || callers.ended() > before + 40);
}

/// A configuration at a fixed address.
fn at(address: &str, head: &str) -> String {
    let file = config(UNLIMITED, &format!("bounds.shutdown_delay_ms = 200\n{head}"), "");
    file.replacen("listen = \"127.0.0.1:0\"", &format!("listen = \"{address}\""), 1)
}

/// One process after the other serves the same address. Only a connection that comes while the old one closes may be reset.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_process_on_the_same_address_takes_over() {
    let mut running = Gateway::start(&at("127.0.0.1:0", "reuse_port = true"));
    let address = running.socket().to_owned();
    let file = at(&address, "reuse_port = true");
    let is_closing = Arc::default();
    let callers = callers(&address, &is_closing);
    for _ in 0..3 {
        go_on(&callers);
        let mut old = std::mem::replace(&mut running, Gateway::start(&file));
        is_closing.store(true, Ordering::Relaxed);
        let log = old.stop();
        is_closing.store(false, Ordering::Relaxed);
        assert!(log.contains(r#""message":"stopped""#), "{log}");
    }
    go_on(&callers);
    callers.over().await;

    // Without the key, an address has one process.
    let said = Gateway::refused(&at(&address, ""), Launch::default());
    assert!(said.contains(&format!("cannot listen on {address}")), "{said}");
}

/// The service manager keeps the socket: connections wait in it while no process runs.
#[tokio::test(flavor = "multi_thread")]
async fn a_socket_of_a_service_manager_outlives_processes() {
    for (name, listen) in [("sandbox", "127.0.0.1:0"), ("other", "")] {
        let socket = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = socket.local_addr().expect("an address").to_string();
        // The socket is found by its name, or by its address.
        let file = at(if listen.is_empty() { &address } else { listen }, "");
        let start = || {
            let passed = socket.try_clone().expect("a descriptor");
            Gateway::launch(&file, Launch { socket: Some((name, passed)), ..Launch::default() })
        };
        let mut gateway = start();
        assert_eq!(gateway.socket(), address);
        let callers = callers(&address, &Arc::default());
        for _ in 0..3 {
            go_on(&callers);
            gateway.stop();
            let mut waiting = wire::connect(&address);
            wire::send(&waiting, wire::get(NETWORKS, "a: b"));
            gateway = start();
            assert_eq!(statuses(&head(&mut waiting)), [200]);
        }
        go_on(&callers);
        callers.over().await;
    }
}

#[test]
fn a_socket_without_a_use_is_refused() {
    let socket = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let launch = Launch { socket: Some(("other", socket)), ..Launch::default() };
    let said = Gateway::refused(&config(UNLIMITED, "", ""), launch);
    let expected = "expected a socket for each address of the file, found `other` on 127.0.0.1:";
    assert!(said.contains(expected), "{said}");
}

/// The service manager is told when the gateway serves and when it stops.
#[tokio::test]
async fn the_service_manager_is_notified() {
    let folder = Folder::new("notify");
    let path = folder.place("socket");
    let manager = UnixDatagram::bind(&path).expect("a socket");
    manager.set_read_timeout(Some(PATIENCE)).expect("a read timeout");
    let next = || {
        let mut message = [0; 256];
        let length = manager.recv(&mut message).expect("a message");
        String::from_utf8(message[..length].to_vec()).expect("text")
    };
    let variables = [("NOTIFY_SOCKET", path.to_str().expect("text"))];
    let mut gateway = Gateway::start_with(&config(UNLIMITED, "", ""), &variables);
    assert_eq!(next(), "READY=1\n");
    gateway.stop();
    assert_eq!(next(), "STOPPING=1\n");
}
