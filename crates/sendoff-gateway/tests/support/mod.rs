//! A gateway as a process: the binary with a configuration file.

#![allow(dead_code, reason = "each test program uses a part of this module")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "a panic is a failure of the test"
)]

pub(crate) mod admin;
pub(crate) mod backend;
pub(crate) mod issuer;
pub(crate) mod nodes;
pub(crate) mod postgres;
pub(crate) mod redis;
pub(crate) mod reply;
pub(crate) mod wire;

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    net::TcpListener,
    os::{fd::OwnedFd, unix::fs::PermissionsExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Once,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use reqwest::RequestBuilder;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The user's wallet and the credentials of the application `shop`.
pub(crate) const USER_SWA: &str = "0xb3950bBE24596c9e1097dC110701410257038293";
pub(crate) const TOKEN: &str = "demo-token";
pub(crate) const KEY: &str = "demo-key";
pub(crate) const SERVER_KEY: &str = "demo-server-key";

/// A configuration with the environment `sandbox` of the example, at a free port, with the policy and the further keys of a test; and
/// below it the applications of the example, which go to a file of their own ([`write`]).
pub(crate) fn config(policy: &str, head: &str, environment: &str) -> String {
    let example = include_str!("../../gateway.toml");
    let (_, deployment) = example
        .split_once("[environment.sandbox.deployment]\n")
        .expect("the example has a sandbox");
    let applications = include_str!("../../applications.toml");
    let at = applications.find("[[environment.sandbox.application]]").expect("an application");
    format!(
        "admin = \"127.0.0.1:0\"\n{head}\n[environment.sandbox]\nlisten = \"127.0.0.1:0\"\npolicy = {policy}\n{environment}\n\
         [environment.sandbox.deployment]\n{deployment}\n{}\n",
        &applications[at..]
    )
}

/// The text of a configuration without its tables of applications, and these.
pub(crate) fn split(text: &str) -> (String, String) {
    let (mut own, mut applications, mut is_application) = (String::new(), String::new(), false);
    for line in text.lines() {
        if line.starts_with('[') {
            is_application = line.starts_with("[[environment.") && line.contains(".application");
        }
        let text = if is_application { &mut applications } else { &mut own };
        text.push_str(line);
        text.push('\n');
    }
    (own, applications)
}

/// Writes a configuration to this file, and its applications to one beside it, which it names. In those, `{ env = "NAME" }` is the
/// digest of a variable.
pub(crate) fn write(file: &Path, text: &str, variables: &[(&str, &str)]) {
    let (own, applications) = split(text);
    let applications = variables.iter().fold(applications, |text, (name, value)| {
        text.replace(&format!("{{ env = \"{name}\" }}"), &digest(value))
    });
    let beside = file.with_extension("applications.toml");
    let named = if applications.is_empty() {
        String::new()
    } else {
        fs::write(&beside, applications).expect("the folder for temporary files can be written to");
        format!("applications = {beside:?}\n")
    };
    fs::write(file, named + &own).expect("the folder for temporary files can be written to");
}

/// The digest of a key or a token, as a file of applications has it.
pub(crate) fn digest(secret: &str) -> String {
    format!("{{ sha256 = \"{}\" }}", hex::encode(Sha256::digest(secret)))
}

/// A folder and a file in it, with one root certificate. To read those of this machine took a tenth of the time of all tests.
fn root_certificate() -> (&'static str, &'static str) {
    const FOLDER: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/roots");
    const FILE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/roots/root.pem");
    static WRITTEN: Once = Once::new();
    WRITTEN.call_once(|| {
        let root = rcgen::generate_simple_self_signed(["root".to_owned()]).expect("a certificate");
        // Other programs with tests write it too.
        let own = format!("{FILE}.{}", std::process::id());
        let written = fs::create_dir_all(FOLDER).and_then(|()| fs::write(&own, root.cert.pem()));
        written.and_then(|()| fs::rename(&own, FILE)).expect("cargo made the folder");
    });
    (FOLDER, FILE)
}

/// A new folder for the files of a test, which is removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("sendoff-{name}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("the folder for temporary files can be written to");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its owner");
        Self(path)
    }

    /// The path of a file in it, whose own folder is there.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        let path = self.0.join(name.trim_start_matches('/'));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        path
    }

    /// Writes a file, and returns its path.
    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.place(name);
        fs::write(&path, content).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// A running gateway. Dropping it ends the process.
pub(crate) struct Gateway {
    child: Child,
    /// The address of its last environment.
    pub(crate) address: String,
    /// The address of health, readiness and metrics.
    pub(crate) admin: String,
    /// The addresses of all environments, by their names.
    pub(crate) environments: Vec<(String, String)>,
    /// Its configuration file.
    pub(crate) file: PathBuf,
    log: Option<thread::JoinHandle<String>>,
    /// It asks the admin address, on a connection for each request.
    client: reqwest::Client,
}

/// The options of a start, in addition to the file.
#[derive(Default)]
pub(crate) struct Launch<'a> {
    pub(crate) variables: &'a [(&'a str, &'a str)],
    /// Its standard error. If absent, the log is read and returned at the end.
    pub(crate) log: Option<Stdio>,
    /// A socket that it inherits, with its name, as from a service manager.
    pub(crate) socket: Option<(&'a str, TcpListener)>,
    /// The limit on its file descriptors.
    pub(crate) descriptors: Option<u32>,
    /// The limit on its file descriptors that it may raise itself.
    pub(crate) soft_descriptors: Option<u32>,
}

impl Gateway {
    /// Starts a gateway with this configuration.
    pub(crate) fn start(config: &str) -> Self {
        Self::start_with(config, &[])
    }

    /// Starts a gateway without a limit in front of a backend, with the further keys of a test.
    pub(crate) fn in_front_of(backend: &str, head: &str) -> Self {
        Self::start(&config(r#""none""#, head, &format!("upstream.url = \"{backend}\"")))
    }

    pub(crate) fn start_with(config: &str, variables: &[(&str, &str)]) -> Self {
        Self::launch(config, Launch { variables, ..Launch::default() })
    }

    pub(crate) fn launch(config: &str, launch: Launch<'_>) -> Self {
        Self::try_launch(config, launch)
            .unwrap_or_else(|why| panic!("the gateway does not start: {why}"))
    }

    /// Starts a gateway, or returns its log if it does not start.
    pub(crate) fn try_start(config: &str, variables: &[(&str, &str)]) -> Result<Self, String> {
        Self::try_launch(config, Launch { variables, ..Launch::default() })
    }

    pub(crate) fn try_launch(config: &str, launch: Launch<'_>) -> Result<Self, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let file = std::env::temp_dir()
            .join(format!("sendoff-gateway-{}-{number}.toml", std::process::id()));
        let Launch { variables, log, socket, descriptors, soft_descriptors } = launch;
        write(&file, config, variables);
        let mut command = Command::new("sh");
        let limit = descriptors.map(|most| format!("ulimit -n {most} && ")).unwrap_or_default();
        let soft =
            soft_descriptors.map(|most| format!("ulimit -S -n {most} && ")).unwrap_or_default();
        let passed = socket.as_ref().map(|(name, _)| {
            format!("exec 3<&0 </dev/null && export LISTEN_FDS=1 LISTEN_PID=$$ LISTEN_FDNAMES={name} && ")
        });
        let passed = passed.unwrap_or_default();
        command.arg("-c").arg(format!("{limit}{soft}{passed}exec \"$0\" --config \"$1\""));
        command.stdin(socket.map_or_else(Stdio::null, |(_, socket)| OwnedFd::from(socket).into()));
        command.arg(env!("CARGO_BIN_EXE_sendoff-gateway")).arg(&file);
        let (folder, root) = root_certificate();
        command
            .env("SSL_CERT_DIR", folder)
            .env("SSL_CERT_FILE", root)
            .envs(variables.iter().copied());
        command.stdout(Stdio::piped()).stderr(log.unwrap_or_else(Stdio::piped));
        let mut child = command.spawn().expect("the binary starts");
        let log = child.stderr.take().map(|mut log| {
            thread::spawn(move || {
                let mut text = String::new();
                log.read_to_string(&mut text).map(|_| text).unwrap_or_default()
            })
        });
        let mut environments = Vec::new();
        for line in
            BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok)
        {
            let (name, at) = line.split_once(' ').expect("a name and an address");
            if name != "admin" {
                environments.push((name.to_owned(), at.to_owned()));
                continue;
            }
            // The admin address is printed last.
            let address = environments.last().expect("an environment").1.clone();
            let client = clients().pool_max_idle_per_host(0).build().expect("a client");
            return Ok(Self {
                child,
                address,
                admin: at.to_owned(),
                environments,
                file,
                log,
                client,
            });
        }
        child.wait().expect("a child process");
        Err(log
            .map(|log| log.join().expect("the reader of its log does not panic"))
            .unwrap_or_default())
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// `127.0.0.1:PORT`.
    pub(crate) fn socket(&self) -> &str {
        self.address.split_once("//").expect("an address has a scheme").1
    }

    /// A request of the user of `shop`.
    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        client().get(self.url(path)).bearer_auth(TOKEN)
    }

    /// As [`Self::get`].
    pub(crate) fn post(&self, path: &str) -> RequestBuilder {
        client().post(self.url(path)).bearer_auth(TOKEN)
    }

    /// An estimate for the user of `shop`.
    pub(crate) fn estimate(&self, body: impl Into<reqwest::Body>) -> RequestBuilder {
        self.post("/api/oc/v1/estimate").header("content-type", "application/json").body(body)
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends SIGTERM, as a service manager does.
    pub(crate) fn terminate(&self) {
        self.signal("TERM");
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").arg("-s").arg(name).arg(self.child.id().to_string()).status();
        assert!(sent.expect("kill is there").success());
    }

    /// The value of a metric, such as `sendoff_log_lines_lost_total` or `sendoff_calls_total{verdict="admitted"}`, summed
    /// over all other labels.
    pub(crate) async fn metric(&self, name: &str) -> u64 {
        let (name, label) = name.split_once('{').unwrap_or((name, ""));
        let label = label.trim_end_matches('}');
        let text = self.ask("/metrics").await;
        let lines = text
            .lines()
            .filter(|line| line.split(['{', ' ']).next() == Some(name) && line.contains(label));
        lines
            .map(|line| {
                line.rsplit(' ')
                    .next()
                    .and_then(|value| value.parse::<u64>().ok())
                    .expect("a count")
            })
            .sum()
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

    /// The reply of a path of the admin address.
    pub(crate) async fn ask(&self, path: &str) -> String {
        let began = Instant::now();
        loop {
            // With a short `bounds.head_ms` the gateway ends a connection on which a busy machine is slow to ask.
            match self.client.get(format!("{}{path}", self.admin)).send().await {
                Ok(answer) => return answer.text().await.expect("a text"),
                Err(error) => assert!(began.elapsed() < wire::PATIENCE, "{error:?}"),
            }
        }
    }

    /// Stops it with SIGTERM, and returns its log.
    pub(crate) fn stop(&mut self) -> String {
        self.terminate();
        let (succeeded, log) = self.ended(Duration::from_secs(10));
        assert!(succeeded, "{log}");
        log
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("a child process");
    }

    /// Waits until it has ended, and returns `true` for exit status 0, and its log.
    pub(crate) fn ended(&mut self, within: Duration) -> (bool, String) {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child process") {
                break status;
            }
            assert!(began.elapsed() < within, "the gateway did not end within {within:?}");
            thread::sleep(Duration::from_millis(10));
        };
        let log =
            self.log.take().map(|log| log.join().expect("the reader of its log does not panic"));
        (status.success(), log.unwrap_or_default())
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

/// The lines of a log that are about requests. Every line is JSON.
pub(crate) fn requests(log: &str) -> Vec<Value> {
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.filter(|line| line["message"] == "request").collect()
}

/// A client that follows no redirect and uses no proxy.
pub(crate) fn client() -> reqwest::Client {
    clients().build().expect("a client")
}

fn clients() -> reqwest::ClientBuilder {
    // This fails if it was called before, because a process chooses a provider once.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    // Without the machine's certificates: nothing here has one of them.
    let clients = reqwest::Client::builder().no_proxy().tls_certs_only([]);
    clients.redirect(reqwest::redirect::Policy::none())
}
