//! A Redis that tests can stop, freeze and move.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
};

use super::{
    Folder,
    process::{Process, wait},
};

/// A redis-server on a Unix socket, so that it needs no free port.
pub(crate) struct Redis {
    /// The one that new connections reach, and before it those that it took the place of.
    processes: Vec<Process>,
    folder: Folder,
    /// Every write is on the disk before its answer.
    is_durable: bool,
}

impl Redis {
    /// Without persistence.
    pub(crate) fn start() -> Self {
        Self::run(false)
    }

    /// With persistence, what it answered survives a crash.
    pub(crate) fn run(is_durable: bool) -> Self {
        let folder = Folder::new("redis");
        let redis = Self { processes: vec![serve(&folder, is_durable)], folder, is_durable };
        redis.connection();
        redis
    }

    /// Kills it, as in a crash.
    pub(crate) fn end(&mut self) {
        self.processes.clear();
    }

    pub(crate) fn start_again(&mut self) {
        self.processes.push(serve(&self.folder, self.is_durable));
        self.connection();
    }

    /// Moves the address to another process, as in a failover. Existing connections are silent: they are neither closed nor reset.
    pub(crate) fn move_away(&mut self) {
        self.signal("STOP");
        fs::remove_file(socket(&self.folder)).expect("its socket");
        self.start_again();
    }

    /// Sends it a signal, such as `STOP`, after which it hangs until `CONT`.
    pub(crate) fn signal(&self, name: &str) {
        self.processes.last().expect("it runs").signal(name);
    }

    pub(crate) fn url(&self) -> String {
        format!("redis+unix://{}", socket(&self.folder).display())
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
