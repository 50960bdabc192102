//! Redis servers with replicas, one of which can take over: a cluster, or one master that sentinels
//! watch.

use std::{
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use redis::{Cmd, Connection, FromRedisValue, RedisResult};

use super::{
    Folder,
    process::{Process, wait},
    redis::count_of,
};

/// The password of all servers.
const PASSWORD: &str = "of-the-nodes";

/// How long a server is silent until others replace it.
const SILENCE_MS: &str = "500";

/// The last slot of each master of a cluster.
const LAST_SLOTS: [u16; 3] = [5_460, 10_922, 16_383];

/// Servers of a test.
pub(crate) struct Nodes {
    nodes: Vec<Node>,
    /// The address of the first server, or of the master by its name.
    pub(crate) url: String,
    /// The key of a gateway's file with the others.
    pub(crate) others: String,
}

struct Node {
    process: Process,
    port: u16,
}

/// The ports of a server before it starts: its own, and that of a cluster's servers for each other.
type Place = [TcpListener; 2];

impl Nodes {
    /// Three masters, 0 to 2, and the replica of each, 3 to 5.
    pub(crate) fn cluster() -> Self {
        let (folder, places) = (Folder::new("nodes"), places(6));
        let line = |at: usize, is_myself: bool| {
            let (own, [port, bus], of) = (id(at), ports(&places[at]), at % 3);
            let begin = format!("{own} 127.0.0.1:{port}@{bus}");
            let myself = if is_myself { "myself," } else { "" };
            if at >= 3 {
                return format!("{begin} {myself}slave {} 0 0 {} connected\n", id(of), of + 1);
            }
            let first = of.checked_sub(1).map_or(0, |before| LAST_SLOTS[before] + 1);
            let last = LAST_SLOTS[at];
            format!("{begin} {myself}master - 0 0 {} connected {first}-{last}\n", at + 1)
        };
        for at in 0..6 {
            let lines: String = (0..6).map(|other| line(other, other == at)).collect();
            let name = format!("{at}/nodes.conf");
            folder.write(&name, format!("{lines}vars currentEpoch 3 lastVoteEpoch 0\n"));
        }
        let [one, two, three] = [0, 1, 2].map(|at| format!("127.0.0.1:{}", ports(&places[at])[0]));
        let url = format!("redis://:{PASSWORD}@{one}");
        let others = [two, three].map(|host| format!("redis://{host}"));
        let others = format!("store.others = {{ nodes = {others:?} }}");
        let timeout = ["--cluster-node-timeout", SILENCE_MS];
        let start = |(at, place): (usize, Place)| {
            let (own, bus) = (folder.0.join(at.to_string()), ports(&place)[1].to_string());
            let cluster = ["--cluster-enabled", "yes", "--cluster-port", &bus];
            start(place, &own.display().to_string(), &[&cluster[..], &timeout].concat())
        };
        let nodes = places.into_iter().enumerate().map(start).collect();
        let nodes = Self { nodes, url, others };
        for at in 0..6 {
            wait("the cluster's state", || nodes.says(at, "CLUSTER INFO", "cluster_state:ok"));
            wait("replication", || at < 3 || nodes.is_linked(at));
        }
        nodes
    }

    /// A master, 0, its replica, 1, and three sentinels, 2 to 4.
    pub(crate) fn sentinels() -> Self {
        let (folder, mut places) = (Folder::new("nodes"), places(5));
        let watching = places.split_off(2);
        let url = format!("redis://:{PASSWORD}@shop");
        let sentinels = watching.iter().map(|place| {
            let [port, _] = ports(place);
            let url = format!("redis://:{PASSWORD}@127.0.0.1:{port}");
            format!("{{ file = {:?} }}", folder.write(&format!("url-{port}"), url))
        });
        let sentinels = sentinels.collect::<Vec<_>>().join(", ");
        let others = format!("store.others = {{ sentinels = [{sentinels}] }}");
        let (master, at) = (ports(&places[0])[0].to_string(), folder.0.display().to_string());
        let replica = ["--replicaof", "127.0.0.1", &master];
        let of: [&[&str]; 2] = [&[], &replica];
        let mut nodes: Vec<_> =
            places.into_iter().zip(of).map(|(place, more)| start(place, &at, more)).collect();
        for place in watching {
            let [port, _] = ports(&place);
            let text = format!(
                "port {port}\nbind 127.0.0.1\nrequirepass {PASSWORD}\nsentinel sentinel-pass {PASSWORD}\n\
                 sentinel monitor shop 127.0.0.1 {master} 2\nsentinel auth-pass shop {PASSWORD}\n\
                 sentinel down-after-milliseconds shop {SILENCE_MS}\nsentinel failover-timeout shop 3000\n"
            );
            let file = folder.write(&format!("sentinel-{port}.conf"), text);
            let mut server = Command::new("redis-server");
            server.arg(&file).arg("--sentinel");
            nodes.push(listening(place, server));
        }
        let nodes = Self { nodes, url, others };
        wait("replication", || nodes.is_linked(1));
        for at in 2..5 {
            let knows = || nodes.says(at, "INFO sentinel", "slaves=1,sentinels=3");
            wait("a sentinel that knows all others", knows);
        }
        nodes
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

    /// `true` if a replica gets what its master writes.
    fn is_linked(&self, at: usize) -> bool {
        self.says(at, "INFO replication", "master_link_status:up")
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
        window.map_or(0, count_of)
    }

    /// Cuts a replica off its master: from now on it gets no write.
    pub(crate) fn cut(&self, replica: usize) {
        self.tell(replica, "CONFIG SET masterauth wrong");
        self.tell(replica, "CLIENT KILL TYPE master");
        let is_cut = || self.says(replica, "INFO replication", "master_link_status:down");
        wait("no replication", is_cut);
    }

    /// Ends the master of a replica's slots for them: the replica takes them over, and asks nobody.
    pub(crate) fn take_over(&self, replica: usize) {
        self.tell(replica, "CONFIG SET masterauth of-the-nodes");
        self.tell(replica, "CLUSTER FAILOVER TAKEOVER");
    }

    /// The process of a server.
    pub(crate) fn process(&mut self, at: usize) -> &mut Process {
        &mut self.nodes[at].process
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
}

/// The name of a cluster's server.
fn id(at: usize) -> String {
    format!("{:040x}", at + 1)
}

/// Free ports, which are held until the servers start.
fn places(count: usize) -> Vec<Place> {
    let place =
        || [(); 2].map(|()| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port"));
    std::iter::repeat_with(place).take(count).collect()
}

fn ports(place: &Place) -> [u16; 2] {
    place.each_ref().map(|held| held.local_addr().expect("an address").port())
}

/// Starts a server without persistence.
fn start(place: Place, folder: &str, more: &[&str]) -> Node {
    let mut server = Command::new("redis-server");
    let port = ports(&place)[0].to_string();
    server.args(["--port", &port, "--bind", "127.0.0.1", "--dir", folder, "--save", ""]);
    server.args(["--requirepass", PASSWORD, "--masterauth", PASSWORD]);
    server.args(["--repl-diskless-sync-delay", "0"]).args(more);
    listening(place, server)
}

fn listening(place: Place, mut server: Command) -> Node {
    let [port, _] = ports(&place);
    drop(place);
    let process = Process::start(server.stdout(Stdio::null()).stderr(Stdio::null()));
    wait("redis-server listens", || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok());
    Node { process, port }
}
