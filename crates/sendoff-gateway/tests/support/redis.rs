//! A Redis that tests can stop, freeze and move.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, Shutdown, TcpListener},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// A redis-server without persistence, on a Unix socket, so that it needs no free port.
pub(crate) struct Redis {
    child: Child,
    socket: PathBuf,
}

impl Redis {
    pub(crate) fn start() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let socket = std::env::temp_dir()
            .join(format!("sendoff-cluster-{}-{number}.sock", std::process::id()));
        Self { child: Self::spawn(&socket), socket }
    }

    fn spawn(socket: &Path) -> Child {
        let mut server = Command::new("redis-server");
        server
            .args(["--save", "", "--appendonly", "no", "--port", "0", "--unixsocket"])
            .arg(socket);
        let child = server.stdout(Stdio::null()).spawn();
        let child =
            child.expect("redis-server is needed: `cargo xtask setup` installs it where it can");
        let began = Instant::now();
        while UnixStream::connect(socket).is_err() {
            assert!(began.elapsed() < Duration::from_secs(10), "redis-server does not listen");
            thread::sleep(Duration::from_millis(5));
        }
        child
    }

    pub(crate) fn url(&self) -> String {
        format!("redis+unix://{}", self.socket.display())
    }

    pub(crate) fn stop(&mut self) {
        self.child.kill().expect("a child process");
        self.child.wait().expect("a child process");
    }

    pub(crate) fn start_again(&mut self) {
        self.child = Self::spawn(&self.socket);
    }

    /// Stops the process with SIGSTOP, like a machine that hangs: connections stay open, and nothing is answered.
    pub(crate) fn freeze(&self) {
        self.signal("STOP");
    }

    /// Continues the process.
    pub(crate) fn thaw(&self) {
        self.signal("CONT");
    }

    fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").arg("-s").arg(name).arg(self.child.id().to_string()).status();
        assert!(sent.expect("kill is there").success());
    }

    /// The file of its socket.
    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    pub(crate) fn connection(&self) -> redis::Connection {
        let client = redis::Client::open(self.url()).expect("an address");
        client.get_connection().expect("a connection")
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        redis::cmd("KEYS").arg("*").query(&mut self.connection()).expect("keys")
    }

    /// How often it got a command.
    pub(crate) fn calls(&self, command: &str) -> usize {
        let text: String = redis::cmd("INFO")
            .arg("commandstats")
            .query(&mut self.connection())
            .expect("statistics");
        let line =
            text.lines().find_map(|line| line.strip_prefix(&format!("cmdstat_{command}:calls=")));
        line.and_then(|line| line.split(',').next()?.parse().ok()).unwrap_or_default()
    }

    /// The sum of the counts of all windows.
    pub(crate) fn count(&self) -> usize {
        let (mut connection, keys) = (self.connection(), self.keys());
        let windows = keys.iter().map(|key| {
            redis::cmd("GET").arg(key).query::<String>(&mut connection).expect("a value")
        });
        windows
            .map(|window| {
                window.split_once(' ').expect("two numbers").1.parse::<usize>().expect("a count")
            })
            .sum()
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // SIGKILL ends a frozen process too.
        let _ended = self.child.kill();
        let _status = self.child.wait();
        let _removed = std::fs::remove_file(&self.socket);
    }
}

/// An address of a store, which can move, as in a failover, or be slow. After a move existing connections are silent: they are
/// neither closed nor reset.
#[derive(Clone)]
pub(crate) struct Relay {
    pub(crate) url: String,
    /// The target of new connections, and the number of moves so far.
    to: Arc<Mutex<(usize, PathBuf)>>,
    delay_ms: Arc<AtomicU64>,
}

impl Relay {
    pub(crate) fn start(socket: &Path) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let url = format!("redis://{}", listener.local_addr().expect("an address"));
        let to = Arc::new(Mutex::new((0, socket.to_owned())));
        let relay = Self { url, to, delay_ms: Arc::default() };
        let served = relay.clone();
        thread::spawn(move || {
            for caller in listener.incoming().map_while(Result::ok) {
                let (number, socket) = served.to.lock().expect("no panic").clone();
                // A stopped store accepts no connection.
                let Ok(store) = UnixStream::connect(socket) else { continue };
                let (back, from_store) =
                    (caller.try_clone().expect("a socket"), store.try_clone().expect("a socket"));
                let (there, here) = (served.clone(), served.clone());
                thread::spawn(move || {
                    there.pass(number, &caller, &store);
                    let _ended = store.shutdown(Shutdown::Both);
                });
                thread::spawn(move || {
                    here.pass(number, &from_store, &back);
                    if here.is_at(number) {
                        let _ended = back.shutdown(Shutdown::Both);
                    }
                });
            }
        });
        relay
    }

    /// Passes bytes on, as long as the store has not moved.
    fn pass(&self, number: usize, mut from: impl Read, mut into: impl Write) {
        let mut part = [0; 4096];
        while let Ok(length @ 1..) = from.read(&mut part) {
            thread::sleep(Duration::from_millis(self.delay_ms.load(Ordering::Relaxed)));
            if self.is_at(number) && into.write_all(&part[..length]).is_err() {
                return;
            }
        }
    }

    fn is_at(&self, number: usize) -> bool {
        self.to.lock().expect("no panic").0 == number
    }

    /// Moves new connections to another store.
    pub(crate) fn move_to(&self, socket: &Path) {
        let mut to = self.to.lock().expect("no panic");
        *to = (to.0 + 1, socket.to_owned());
    }

    /// Makes both ways slower.
    pub(crate) fn delay(&self, ms: u64) {
        self.delay_ms.store(ms / 2, Ordering::Relaxed);
    }
}
