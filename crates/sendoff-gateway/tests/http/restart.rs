//! A restart under load loses nothing: by a second process on the same address, and by sockets of a
//! service manager.

use std::os::unix::net::UnixDatagram;

use crate::support::prelude::*;

/// Callers that call until they are told to stop. Half of them open a connection for each call.
struct Callers {
    is_over: Arc<AtomicBool>,
    /// A process closes a socket of its own: the kernel may reset what comes then.
    is_closing: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Callers {
    fn start(address: &str) -> Self {
        let [is_over, is_closing] = [false, false].map(AtomicBool::new).map(Arc::new);
        let answered = Arc::<AtomicUsize>::default();
        let call = |number: usize| {
            let (address, is_kept) = (address.to_owned(), number.is_multiple_of(2));
            let [is_over, is_closing] = [&is_over, &is_closing].map(Arc::clone);
            let answered = Arc::clone(&answered);
            thread::spawn(move || call(&address, is_kept, [&is_over, &is_closing], &answered))
        };
        Self { threads: (0..8).map(call).collect(), is_over, is_closing, answered }
    }

    /// Waits until a few more calls were answered than before.
    fn go_on(&self) {
        let before = self.answered.load(Ordering::Relaxed);
        wait("calls are answered", || self.answered.load(Ordering::Relaxed) > before + 40);
    }

    /// Ends the calls. All of them were answered.
    fn stop(self) {
        self.go_on();
        self.is_over.store(true, Ordering::Relaxed);
        self.threads.into_iter().for_each(|caller| caller.join().expect("no call is lost"));
    }
}

/// Calls, and opens a new connection when the gateway closes one after a reply.
fn call(
    address: &str,
    is_kept: bool,
    [is_over, is_closing]: [&AtomicBool; 2],
    answered: &AtomicUsize,
) {
    let connection = if is_kept { "keep-alive" } else { "close" };
    let ask = wire::get(NETWORKS, &format!("connection: {connection}"));
    while !is_over.load(Ordering::Relaxed) {
        let began = Instant::now();
        let mut stream = wire::connect(address);
        let mut may_end = is_closing.load(Ordering::Relaxed);
        while !is_over.load(Ordering::Relaxed) {
            wire::send(&stream, &ask);
            // A stop waits so long for the first request of a connection.
            may_end |= began.elapsed() > Duration::from_millis(250);
            let Some(reply) = reply(&mut stream) else {
                assert!(may_end, "a call without a reply");
                break;
            };
            answered.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(5));
            if reply.contains("connection: close") {
                break;
            }
            may_end = true;
        }
    }
}

/// `None` if the connection ended between two requests: by its end, or, if a request crossed that, by a reset. The kernel sends the
/// same reset for a connection that waits in a socket when the only process that has this socket closes it.
fn reply(stream: &mut TcpStream) -> Option<String> {
    let mut reply = Vec::new();
    while !reply.ends_with(b"}]}}") {
        let mut part = [0; 4096];
        let length = match stream.read(&mut part) {
            Err(error) if error.kind() == ErrorKind::ConnectionReset => 0,
            read => read.expect("a reply"),
        };
        if length == 0 {
            assert!(reply.is_empty(), "a part of a reply: {:?}", reply.escape_ascii());
            return None;
        }
        reply.extend_from_slice(&part[..length]);
    }
    Some(String::from_utf8(reply).expect("text"))
}

/// A configuration at a fixed address.
fn at(address: &str, head: &str) -> String {
    let file = config(UNLIMITED, &format!("bounds.shutdown_delay_ms = 200\n{head}"), "");
    file.replacen("listen = \"127.0.0.1:0\"", &format!("listen = \"{address}\""), 1)
}

/// One process after the other serves the same address. Only a connection that comes while the old one closes may be reset.
#[test]
fn a_second_process_on_the_same_address_takes_over() {
    let mut running = Gateway::start(&at("127.0.0.1:0", "reuse_port = true"));
    let address = running.socket().to_owned();
    let file = at(&address, "reuse_port = true");
    let callers = Callers::start(&address);
    for _ in 0..3 {
        callers.go_on();
        let mut old = std::mem::replace(&mut running, Gateway::start(&file));
        callers.is_closing.store(true, Ordering::Relaxed);
        let log = old.stop();
        callers.is_closing.store(false, Ordering::Relaxed);
        assert!(log.contains(r#""message":"stopped""#), "{log}");
    }
    callers.stop();

    // Without the key, an address has one process.
    let said = Gateway::refused(&at(&address, ""), Launch::default());
    assert!(said.contains(&format!("cannot listen on {address}")), "{said}");
}

/// The service manager keeps the socket: connections wait in it while no process runs.
#[test]
fn a_socket_of_a_service_manager_outlives_processes() {
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
        let callers = Callers::start(&address);
        for _ in 0..3 {
            callers.go_on();
            gateway.stop();
            let mut waiting = wire::connect(&address);
            wire::send(&waiting, wire::get(NETWORKS, "a: b"));
            gateway = start();
            assert_eq!(statuses(&head(&mut waiting)), [200]);
        }
        callers.stop();
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
