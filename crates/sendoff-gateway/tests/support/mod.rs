//! A gateway as people start it: the binary, a file, a process of its own.

#![allow(dead_code, reason = "each test program uses what it needs")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "a panic is a failure of the test"
)]

pub(crate) mod backend;
pub(crate) mod redis;
pub(crate) mod reply;
pub(crate) mod wire;

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

/// The addresses of the contracts and wallets in these tests.
pub(crate) const USER_SWA: &str = "0xb3950bBE24596c9e1097dC110701410257038293";
pub(crate) const TOKEN: &str = "demo-token";
pub(crate) const KEY: &str = "demo-key";
pub(crate) const SERVER_KEY: &str = "demo-server-key";

/// The environment `sandbox` of the example file, with another policy and what else a test wants, at any free port.
pub(crate) fn config(policy: &str, head: &str, environment: &str) -> String {
    let example = include_str!("../../gateway.toml");
    let (_, sandbox) = example.split_once("[environment.sandbox]\n").expect("the example has a sandbox");
    let sandbox: Vec<_> = sandbox
        .lines()
        .filter(|line| {
            !["listen =", "policy =", "rate_limit_fields =", "playground ="].iter().any(|key| line.starts_with(key))
        })
        .collect();
    let sandbox = sandbox.join("\n");
    format!(
        "admin = \"127.0.0.1:0\"\n{head}\n[environment.sandbox]\nlisten = \"127.0.0.1:0\"\npolicy = {policy}\n{environment}\n{sandbox}\n"
    )
}

/// A running gateway; it ends with this value.
pub(crate) struct Gateway {
    child: Child,
    /// The address of its environment, the last of several.
    pub(crate) address: String,
    /// The address of health, readiness and metrics.
    pub(crate) admin: String,
    /// The addresses of all environments, by their names.
    pub(crate) environments: Vec<(String, String)>,
    log: Option<thread::JoinHandle<String>>,
}

/// What a gateway is started with, beside its file.
#[derive(Default)]
pub(crate) struct Launch<'a> {
    pub(crate) variables: &'a [(&'a str, &'a str)],
    /// Its standard error; read to its end where it is absent.
    pub(crate) log: Option<Stdio>,
    /// The most file descriptors that it may open.
    pub(crate) descriptors: Option<u32>,
}

impl Gateway {
    /// Starts one with a file of this text.
    pub(crate) fn start(config: &str) -> Self {
        Self::start_with(config, &[])
    }

    pub(crate) fn start_with(config: &str, variables: &[(&str, &str)]) -> Self {
        Self::launch(config, Launch { variables, ..Launch::default() })
    }

    pub(crate) fn launch(config: &str, launch: Launch<'_>) -> Self {
        Self::try_launch(config, launch).unwrap_or_else(|why| panic!("the gateway does not start: {why}"))
    }

    /// Starts one; what it says where it ends at once.
    pub(crate) fn try_start(config: &str, variables: &[(&str, &str)]) -> Result<Self, String> {
        Self::try_launch(config, Launch { variables, ..Launch::default() })
    }

    fn try_launch(config: &str, launch: Launch<'_>) -> Result<Self, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let file = std::env::temp_dir().join(format!("sendoff-gateway-{}-{number}.toml", std::process::id()));
        fs::write(&file, config).expect("the folder for temporary files can be written to");
        let Launch { variables, log, descriptors } = launch;
        let mut command = Command::new("sh");
        let limit = descriptors.map(|most| format!("ulimit -n {most} && ")).unwrap_or_default();
        command.arg("-c").arg(format!("{limit}exec \"$0\" --config \"$1\""));
        command.arg(env!("CARGO_BIN_EXE_sendoff-gateway")).arg(&file).envs(variables.iter().copied());
        command.stdout(Stdio::piped()).stderr(log.unwrap_or_else(Stdio::piped));
        let mut child = command.spawn().expect("the binary starts");
        let log = child.stderr.take().map(|mut log| {
            thread::spawn(move || {
                let mut text = String::new();
                log.read_to_string(&mut text).map(|_| text).unwrap_or_default()
            })
        });
        let mut environments = Vec::new();
        for line in BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok) {
            let (name, at) = line.split_once(' ').expect("a name and an address");
            if name != "admin" {
                environments.push((name.to_owned(), at.to_owned()));
                continue;
            }
            // The last of all.
            let address = environments.last().expect("an environment").1.clone();
            return Ok(Self { child, address, admin: at.to_owned(), environments, log });
        }
        child.wait().expect("it ended");
        Err(log.map(|log| log.join().expect("the reader of its log does not panic")).unwrap_or_default())
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// `127.0.0.1:PORT`.
    pub(crate) fn socket(&self) -> &str {
        self.address.split_once("//").expect("an address has a scheme").1
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to stop, as a service manager does.
    pub(crate) fn terminate(&self) {
        self.signal("TERM");
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg("-s").arg(name).arg(self.child.id().to_string()).status();
        assert!(sent.expect("kill is there").success());
    }

    /// The value of a metric, such as `sendoff_log_lines_lost_total` or `sendoff_calls_total{verdict="admitted"}`, summed
    /// over all other labels.
    pub(crate) async fn metric(&self, name: &str) -> u64 {
        let (name, label) = name.split_once('{').unwrap_or((name, ""));
        let label = label.trim_end_matches('}');
        let text = self.ask("/metrics").await;
        let lines = text.lines().filter(|line| line.split(['{', ' ']).next() == Some(name) && line.contains(label));
        lines.map(|line| line.rsplit(' ').next().and_then(|value| value.parse::<u64>().ok()).expect("a count")).sum()
    }

    /// Waits until a metric has a value.
    pub(crate) async fn until(&self, name: &str, value: u64) {
        let began = Instant::now();
        loop {
            let found = self.metric(name).await;
            if found == value {
                return;
            }
            assert!(began.elapsed() < wire::PATIENCE, "{name}: expected {value}, found {found}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// What an address of health, readiness or metrics answers.
    pub(crate) async fn ask(&self, path: &str) -> String {
        let answer = client().get(format!("{}{path}", self.admin)).send().await.expect("an answer");
        answer.text().await.expect("a text")
    }

    /// Stops it as a service manager does, and gives its log.
    pub(crate) fn stop(&mut self) -> String {
        self.terminate();
        let (is_well, log) = self.ended(Duration::from_secs(10));
        assert!(is_well, "{log}");
        log
    }

    /// Ends it in the middle of whatever it does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it is ours");
    }

    /// Waits until it has ended by itself: whether it says all is well, and its log.
    pub(crate) fn ended(&mut self, within: Duration) -> (bool, String) {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                break status;
            }
            assert!(began.elapsed() < within, "the gateway did not end within {within:?}");
            thread::sleep(Duration::from_millis(10));
        };
        let log = self.log.take().map(|log| log.join().expect("the reader of its log does not panic"));
        (status.success(), log.unwrap_or_default())
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

/// A client that follows no redirect and asks no proxy.
pub(crate) fn client() -> reqwest::Client {
    // Chosen once a process; the second time it is there already.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().expect("a client")
}
