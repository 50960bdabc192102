//! A Redis that tests can stop, freeze and move.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, Shutdown, TcpListener},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use super::{
    Folder,
    process::{Process, wait},
};

/// A redis-server on a Unix socket, so that it needs no free port.
pub(crate) struct Redis {
    process: Process,
    folder: Folder,
    /// Every write is on the disk before its answer.
    is_durable: bool,
}

impl Redis {
    /// Without persistence.
    pub(crate) fn start() -> Self {
        Self::run(false)
    }

    /// With persistence: what it answered survives a crash.
    pub(crate) fn durable() -> Self {
        Self::run(true)
    }

    fn run(is_durable: bool) -> Self {
        let folder = Folder::new("redis");
        let redis = Self { process: serve(&folder, is_durable), folder, is_durable };
        redis.connection();
        redis
    }

    /// Kills it, as in a crash.
    pub(crate) fn end(&mut self) {
        self.process.kill();
    }

    pub(crate) fn start_again(&mut self) {
        self.process = serve(&self.folder, self.is_durable);
        self.connection();
    }

    /// Sends it a signal, such as `STOP`, after which it hangs until `CONT`.
    pub(crate) fn signal(&self, name: &str) {
        self.process.signal(name);
    }

    pub(crate) fn socket(&self) -> PathBuf {
        socket(&self.folder)
    }

    pub(crate) fn url(&self) -> String {
        format!("redis+unix://{}", self.socket().display())
    }

    /// The keys of a gateway's file that has this store.
    pub(crate) fn store(&self, on_loss: &str) -> String {
        store(&self.url(), on_loss)
    }

    /// A connection to it, once it answers.
    pub(crate) fn connection(&self) -> redis::Connection {
        let client = redis::Client::open(self.url()).expect("an address");
        let mut connection = None;
        wait("redis-server answers", || {
            connection = client.get_connection().ok();
            // While it reads its files, it accepts connections and answers `LOADING`.
            connection.as_mut().is_some_and(|to| redis::cmd("PING").exec(to).is_ok())
        });
        connection.expect("it answers")
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        redis::cmd("KEYS").arg("*").query(&mut self.connection()).expect("keys")
    }

    /// How often it got a command.
    pub(crate) fn calls(&self, command: &str) -> usize {
        let asked = redis::cmd("INFO").arg("commandstats").query(&mut self.connection());
        let text: String = asked.expect("statistics");
        let begin = format!("cmdstat_{command}:calls=");
        let line = text.lines().find_map(|line| line.strip_prefix(&begin));
        line.and_then(|line| line.split(',').next()?.parse().ok()).unwrap_or_default()
    }

    /// The count of each window.
    pub(crate) fn windows(&self) -> Vec<usize> {
        let mut connection = self.connection();
        let window = |key| redis::cmd("GET").arg(key).query(&mut connection).expect("a value");
        self.keys().iter().map(window).map(count_of).collect()
    }

    /// The sum of the counts of all windows.
    pub(crate) fn count(&self) -> usize {
        self.windows().iter().sum()
    }
}

fn socket(folder: &Folder) -> PathBuf {
    folder.0.join("redis.sock")
}

fn serve(folder: &Folder, is_durable: bool) -> Process {
    let mut server = Command::new("redis-server");
    server.args(["--port", "0", "--save", "", "--unixsocket"]).arg(socket(folder));
    server.arg("--dir").arg(&folder.0);
    if is_durable {
        server.args(["--appendonly", "yes", "--appendfsync", "always"]);
    }
    Process::start(server.stdout(Stdio::null()).stderr(Stdio::null()))
}

/// The count of a window, which is stored with its beginning.
pub(crate) fn count_of(window: String) -> usize {
    window.split_once(' ').expect("two numbers").1.parse().expect("a count")
}

/// The keys of a gateway's file that has a store at this address. Every process has the variable.
pub(crate) fn store(url: &str, on_loss: &str) -> String {
    format!(
        "store.url = \"{url}\"\nstore.secret = {{ env = \"PATH\" }}\nstore.on_loss = \"{on_loss}\""
    )
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
