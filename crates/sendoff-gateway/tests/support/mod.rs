//! A gateway as people start it: the binary, a file, a process of its own.

#![allow(dead_code, reason = "each test file is a program of its own, and uses what it needs")]

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

/// The addresses of the contracts and wallets in these tests.
pub const USER_SWA: &str = "0xb3950bBE24596c9e1097dC110701410257038293";
pub const TOKEN: &str = "demo-token";
pub const KEY: &str = "demo-key";
pub const SERVER_KEY: &str = "demo-server-key";

/// The environment `sandbox` of the example file, with another policy and what else a test wants, at any free port.
pub fn config(policy: &str, head: &str, environment: &str) -> String {
    let example = include_str!("../../gateway.toml");
    let (_, sandbox) = example.split_once("[environment.sandbox]\n").expect("the example has a sandbox");
    let sandbox: Vec<_> = sandbox
        .lines()
        .filter(|line| !["listen =", "policy =", "playground ="].iter().any(|key| line.starts_with(key)))
        .collect();
    let sandbox = sandbox.join("\n");
    format!(
        "admin = \"127.0.0.1:0\"\n{head}\n[environment.sandbox]\nlisten = \"127.0.0.1:0\"\npolicy = {policy}\n{environment}\n{sandbox}\n"
    )
}

/// A running gateway; it ends with this value.
pub struct Gateway {
    child: Child,
    /// The address of the environment `sandbox`.
    pub address: String,
    /// The address of health, readiness and metrics.
    pub admin: String,
    log: Option<thread::JoinHandle<String>>,
}

impl Gateway {
    /// Starts one with a file of this text.
    pub fn start(config: &str) -> Self {
        Self::try_start(config, &[]).unwrap_or_else(|why| panic!("the gateway does not start: {why}"))
    }

    /// Starts one; what it says where it ends at once.
    pub fn try_start(config: &str, variables: &[(&str, &str)]) -> Result<Self, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let file = std::env::temp_dir().join(format!("sendoff-gateway-{}-{number}.toml", std::process::id()));
        fs::write(&file, config).expect("the folder for temporary files can be written to");
        let mut command = Command::new(env!("CARGO_BIN_EXE_sendoff-gateway"));
        command.arg("--config").arg(&file).envs(variables.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
        let mut log = child.stderr.take().expect("piped");
        let log = thread::spawn(move || {
            let mut text = String::new();
            log.read_to_string(&mut text).map(|_| text).unwrap_or_default()
        });
        let (mut address, mut admin) = (None, None);
        for line in BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok) {
            match line.split_once(' ') {
                Some(("sandbox", at)) => address = Some(at.to_owned()),
                Some(("admin", at)) => admin = Some(at.to_owned()),
                _ => {}
            }
            if let (Some(address), Some(admin)) = (&address, &admin) {
                let (address, admin) = (address.clone(), admin.clone());
                return Ok(Self { child, address, admin, log: Some(log) });
            }
        }
        child.wait().expect("it ended");
        Err(log.join().expect("the reader of its log does not panic"))
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// `127.0.0.1:PORT`.
    pub fn socket(&self) -> &str {
        self.address.split_once("//").expect("an address has a scheme").1
    }

    /// Asks it to stop, as a service manager does.
    pub fn terminate(&self) {
        let killed = Command::new("kill").arg(self.child.id().to_string()).status();
        assert!(killed.expect("kill is there").success());
    }

    /// Ends it in the middle of whatever it does.
    pub fn kill(&mut self) {
        self.child.kill().expect("it is ours");
    }

    /// Waits until it has ended by itself: whether it says all is well, and its log.
    pub fn ended(&mut self, within: Duration) -> (bool, String) {
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
pub fn client() -> reqwest::Client {
    // Chosen once a process; the second time it is there already.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().expect("a client")
}
