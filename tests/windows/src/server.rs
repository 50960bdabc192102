//! A `redis-server` for the proof.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{self, Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use redis::{Client, Connection, ConnectionAddr, IntoConnectionInfo, RedisResult};

/// The durability of stored values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Nothing is kept.
    None,
    /// Every write is on the disk before its answer.
    EveryWrite,
}

/// A server with a socket in its own folder. Dropping it ends the server and removes the folder.
#[derive(Debug)]
pub struct Server {
    folder: PathBuf,
    durability: Durability,
    child: Child,
}

impl Server {
    /// Starts an empty server.
    #[must_use]
    pub fn start(durability: Durability) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("rate-windows-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder for redis-server");
        let child = spawn(&folder, durability);
        let server = Self { folder, durability, child };
        connect(&server.socket());
        server
    }

    /// The path of its socket.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        socket(&self.folder)
    }

    /// Kills it, as in a crash, and starts it again.
    pub fn crash(&mut self) {
        self.end();
        self.start_again();
    }

    /// Starts it again.
    pub fn start_again(&mut self) {
        self.child = spawn(&self.folder, self.durability);
        connect(&self.socket());
    }

    /// Sends it a signal, such as `STOP`, after which it hangs until `CONT`.
    pub fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").args(["-s", name]).arg(self.child.id().to_string()).status();
        assert!(sent.expect("kill is there").success());
    }

    /// Kills it, as in a crash.
    pub fn end(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn socket(folder: &Path) -> PathBuf {
    folder.join("redis.sock")
}

fn spawn(folder: &Path, durability: Durability) -> Child {
    let mut server = Command::new("redis-server");
    server
        .args(["--port", "0", "--save", "", "--unixsocket"])
        .arg(socket(folder))
        .arg("--dir")
        .arg(folder);
    if durability == Durability::EveryWrite {
        server.args(["--appendonly", "yes", "--appendfsync", "always"]);
    }
    server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    server.spawn().unwrap_or_else(|error| {
        let _ = fs::remove_dir_all(folder);
        panic!(
            "`redis-server` cannot be started: {error}; `cargo xtask setup` installs it on Debian as root"
        )
    })
}

/// Waits until the server at a socket answers, and returns a connection.
pub fn connect(socket: &Path) -> Connection {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        match try_connect(socket) {
            Ok(connection) => return connection,
            Err(error) => assert!(Instant::now() < until, "redis-server does not answer: {error}"),
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn try_connect(socket: &Path) -> RedisResult<Connection> {
    let at = ConnectionAddr::Unix(socket.into()).into_connection_info()?;
    let mut connection = Client::open(at)?.get_connection()?;
    // While it reads its files, it accepts connections and answers `LOADING`.
    redis::cmd("PING").exec(&mut connection)?;
    Ok(connection)
}
