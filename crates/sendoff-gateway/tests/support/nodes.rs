//! Redis servers with replicas, one of which can take over: a cluster, or one master that sentinels
//! watch.

use std::{
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::Folder;
use redis::{Cmd, Connection, FromRedisValue, RedisResult};

/// The password of all servers.
const PASSWORD: &str = "of-the-nodes";

/// How long a server is silent until others replace it.
const SILENCE_MS: u64 = 500;

const PATIENCE: Duration = Duration::from_secs(20);

/// The last slot of each master of a cluster.
const LAST_SLOTS: [u16; 3] = [5_460, 10_922, 16_383];

/// Servers of a test, in a folder of their own.
pub(crate) struct Nodes {
    _folder: Folder,
    nodes: Vec<Node>,
    url: String,
}

struct Node {
    child: Child,
    port: u16,
}

/// A server before it starts.
struct Place {
    port: u16,
    /// A cluster's servers use the port that is 10,000 higher too.
    held: Vec<TcpListener>,
}

impl Nodes {
    /// Three masters, 0 to 2, and the replica of each, 3 to 5.
    pub(crate) fn cluster() -> Self {
        let (folder, places) = (Folder::new("nodes"), places(6));
        let address =
            |at: usize| format!("127.0.0.1:{0}@{1}", places[at].port, places[at].port + 10_000);
        let line = |at: usize, is_myself: bool| {
            let (own, myself, of) = (id(at), if is_myself { "myself," } else { "" }, at % 3);
            if at >= 3 {
                return format!(
                    "{own} {} {myself}slave {} 0 0 {} connected\n",
                    address(at),
                    id(of),
                    of + 1
                );
            }
            let first = of.checked_sub(1).map_or(0, |before| LAST_SLOTS[before] + 1);
            format!(
                "{own} {} {myself}master - 0 0 {} connected {first}-{}\n",
                address(at),
                at + 1,
                LAST_SLOTS[at]
            )
        };
        for at in 0..6 {
            let lines: String = (0..6).map(|other| line(other, other == at)).collect();
            let name = format!("{at}/nodes.conf");
            folder.write(&name, &format!("{lines}vars currentEpoch 3 lastVoteEpoch 0\n"));
        }
        let hosts: Vec<_> =
            places[..3].iter().map(|place| format!("127.0.0.1:{}", place.port)).collect();
        let url = format!("redis+cluster://:{PASSWORD}@{}", hosts.join(","));
        let timeout = SILENCE_MS.to_string();
        let cluster = ["--cluster-enabled", "yes", "--cluster-node-timeout", &timeout];
        let start = |(at, place): (usize, Place)| {
            let own = folder.0.join(at.to_string());
            start(place, &own.display().to_string(), &cluster)
        };
        let nodes = places.into_iter().enumerate().map(start).collect();
        let nodes = Self { _folder: folder, nodes, url };
        for at in 0..6 {
            nodes.until(
                || nodes.says(at, "CLUSTER INFO", "cluster_state:ok"),
                "the cluster's state",
            );
            nodes.until(
                || at < 3 || nodes.says(at, "INFO replication", "master_link_status:up"),
                "replication",
            );
        }
        nodes
    }

    /// A master, 0, its replica, 1, and three sentinels, 2 to 4.
    pub(crate) fn sentinels() -> Self {
        let (folder, mut places) = (Folder::new("nodes"), places(5));
        let watching = places.split_off(2);
        let hosts: Vec<_> =
            watching.iter().map(|place| format!("127.0.0.1:{}", place.port)).collect();
        let url = format!(
            "redis+sentinel://:{PASSWORD}@{}/shop?sentinel_password={PASSWORD}",
            hosts.join(",")
        );
        let (master, at) = (places[0].port.to_string(), folder.0.display().to_string());
        let replica = ["--replicaof", "127.0.0.1", &master];
        let of: [&[&str]; 2] = [&[], &replica];
        let mut nodes: Vec<_> =
            places.into_iter().zip(of).map(|(place, more)| start(place, &at, more)).collect();
        for place in watching {
            let text = format!(
                "port {}\nbind 127.0.0.1\nrequirepass {PASSWORD}\nsentinel sentinel-pass {PASSWORD}\n\
                 sentinel monitor shop 127.0.0.1 {master} 2\nsentinel auth-pass shop {PASSWORD}\n\
                 sentinel down-after-milliseconds shop {SILENCE_MS}\nsentinel failover-timeout shop 3000\n",
                place.port
            );
            let file = folder.write(&format!("sentinel-{}.conf", place.port), &text);
            let mut server = Command::new("redis-server");
            server.arg(&file).arg("--sentinel");
            nodes.push(listening(place, server));
        }
        let nodes = Self { _folder: folder, nodes, url };
        nodes.until(|| nodes.says(1, "INFO replication", "master_link_status:up"), "replication");
        for at in 2..5 {
            let knows = || nodes.says(at, "INFO sentinel", "slaves=1,sentinels=3");
            nodes.until(knows, "a sentinel that knows all others");
        }
        nodes
    }

    /// The address of all, for a gateway.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// A connection to one server; none if it does not answer.
    pub(crate) fn connect(&self, at: usize) -> RedisResult<Connection> {
        let url = format!("redis://:{PASSWORD}@127.0.0.1:{}", self.nodes[at].port);
        let connection =
            redis::Client::open(url)?.get_connection_with_timeout(Duration::from_secs(1))?;
        connection.set_read_timeout(Some(Duration::from_secs(5)))?;
        Ok(connection)
    }

    /// The answer of one server to a command, in words.
    pub(crate) fn ask<T: FromRedisValue>(&self, at: usize, command: &str) -> RedisResult<T> {
        let words: Vec<_> = command.split(' ').collect();
        Cmd::new().arg(words).query(&mut self.connect(at)?)
    }

    pub(crate) fn tell(&self, at: usize, command: &str) {
        self.ask::<redis::Value>(at, command)
            .unwrap_or_else(|error| panic!("{at}: {command}: {error}"));
    }

    /// `true` if a server's answer contains a text.
    pub(crate) fn says(&self, at: usize, command: &str, text: &str) -> bool {
        self.ask::<String>(at, command).is_ok_and(|answer| answer.contains(text))
    }

    pub(crate) fn is_master(&self, at: usize) -> bool {
        self.says(at, "INFO replication", "role:master")
    }

    /// The first master of a key in a cluster.
    pub(crate) fn master_of(&self, key: &str) -> usize {
        let slot = self.slot_of(key);
        LAST_SLOTS.iter().position(|last| slot <= *last).expect("a slot has a master")
    }

    pub(crate) fn slot_of(&self, key: &str) -> u16 {
        self.ask(0, &format!("CLUSTER KEYSLOT {key}")).expect("a slot")
    }

    /// How many calls a server has counted in a window.
    pub(crate) fn count(&self, at: usize, key: &str) -> usize {
        let mut connection = self.connect(at).expect("a connection");
        // A replica of a cluster answers then, too. A server alone refuses the command.
        let _also: RedisResult<()> = redis::cmd("READONLY").exec(&mut connection);
        let window: Option<String> =
            redis::cmd("GET").arg(key).query(&mut connection).expect("a value");
        window.map_or(0, |window| {
            window.split_once(' ').expect("two numbers").1.parse().expect("a count")
        })
    }

    /// Cuts a replica off its master: from now on it gets no write.
    pub(crate) fn cut(&self, replica: usize) {
        self.tell(replica, "CONFIG SET masterauth wrong");
        self.tell(replica, "CLIENT KILL TYPE master");
        self.until(
            || self.says(replica, "INFO replication", "master_link_status:down"),
            "no replication",
        );
    }

    /// Ends the master of a replica's slots for them: the replica takes them over, and asks nobody.
    pub(crate) fn take_over(&self, replica: usize) {
        self.tell(replica, "CONFIG SET masterauth of-the-nodes");
        self.tell(replica, "CLUSTER FAILOVER TAKEOVER");
    }

    pub(crate) fn kill(&mut self, at: usize) {
        self.nodes[at].child.kill().expect("a child process");
        self.nodes[at].child.wait().expect("a child process");
    }

    /// Stops the process, like a machine that hangs.
    pub(crate) fn freeze(&self, at: usize) {
        self.signal(at, "STOP");
    }

    pub(crate) fn thaw(&self, at: usize) {
        self.signal(at, "CONT");
    }

    fn signal(&self, at: usize, name: &str) {
        let sent = Command::new("kill")
            .arg("-s")
            .arg(name)
            .arg(self.nodes[at].child.id().to_string())
            .status();
        assert!(sent.expect("kill is there").success());
    }

    /// Moves a slot with one key to another master, with some time in which it is in both.
    pub(crate) fn migrate(&self, key: &str, from: usize, to: usize, pause: Duration) {
        let (slot, port) = (self.slot_of(key), self.nodes[to].port);
        let [from_id, to_id] = [from, to].map(id);
        self.tell(to, &format!("CLUSTER SETSLOT {slot} IMPORTING {from_id}"));
        self.tell(from, &format!("CLUSTER SETSLOT {slot} MIGRATING {to_id}"));
        thread::sleep(pause);
        self.tell(from, &format!("MIGRATE 127.0.0.1 {port} {key} 0 5000 AUTH {PASSWORD}"));
        thread::sleep(pause);
        for at in [to, from] {
            self.tell(at, &format!("CLUSTER SETSLOT {slot} NODE {to_id}"));
        }
    }

    pub(crate) fn until(&self, is_so: impl Fn() -> bool, what: &str) {
        let began = Instant::now();
        while !is_so() {
            assert!(began.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        for Node { child, .. } in &mut self.nodes {
            // SIGKILL ends a frozen process too.
            let _ended = child.kill();
            let _status = child.wait();
        }
    }
}

/// The name of a cluster's server.
fn id(at: usize) -> String {
    format!("{:040x}", at + 1)
}

/// Places with free ports, which are held until the servers start.
fn places(count: usize) -> Vec<Place> {
    let place = || loop {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let bus = port
            .checked_add(10_000)
            .and_then(|bus| TcpListener::bind((Ipv4Addr::LOCALHOST, bus)).ok());
        if let Some(bus) = bus {
            return Place { port, held: vec![listener, bus] };
        }
    };
    std::iter::repeat_with(place).take(count).collect()
}

/// Starts a server without persistence.
fn start(place: Place, folder: &str, more: &[&str]) -> Node {
    let mut server = Command::new("redis-server");
    let port = place.port.to_string();
    server.args([
        "--port",
        &port,
        "--bind",
        "127.0.0.1",
        "--dir",
        folder,
        "--save",
        "",
        "--appendonly",
        "no",
    ]);
    server
        .args([
            "--requirepass",
            PASSWORD,
            "--masterauth",
            PASSWORD,
            "--repl-diskless-sync-delay",
            "0",
        ])
        .args(more);
    listening(place, server)
}

fn listening(Place { port, held }: Place, mut server: Command) -> Node {
    drop(held);
    let child = server.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let child =
        child.expect("redis-server is needed: `cargo xtask setup` installs it where it can");
    let began = Instant::now();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        assert!(began.elapsed() < PATIENCE, "redis-server does not listen");
        thread::sleep(Duration::from_millis(5));
    }
    Node { child, port }
}
