//! The files of `deploy`: the image's files run in a folder of their own, and the units of systemd
//! are valid.

use std::{
    fs,
    io::Read as _,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::support::{Folder, client, digest, reply::Reply, wire};

const BINARY: &str = env!("CARGO_BIN_EXE_sendoff-gateway");
const CONTAINERFILE: &str = include_str!("../../deploy/Containerfile");
const CONFIG: &str = include_str!("../../deploy/etc/gateway.toml");
const APPLICATIONS: &str = include_str!("../../deploy/etc/applications.toml");
const IN_IMAGE: &str = "/etc/sendoff/applications.toml";
const UNITS: [(&str, &str); 3] = [
    ("sendoff-gateway.service", include_str!("../../deploy/sendoff-gateway.service")),
    ("sendoff-gateway.socket", include_str!("../../deploy/sendoff-gateway.socket")),
    ("sendoff-gateway-admin.socket", include_str!("../../deploy/sendoff-gateway-admin.socket")),
];
const KEY: &str = "key-of-the-shop";

/// The certificates of authorities, where Debian and distroless have them.
const AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _status = self.0.wait();
    }
}

impl Running {
    /// Stops it with SIGTERM, and returns its log.
    fn stop(mut self) -> String {
        let sent = Command::new("kill").arg(self.0.id().to_string()).status();
        assert!(sent.expect("kill is there").success());
        let mut log = String::new();
        self.0.stderr.take().expect("piped").read_to_string(&mut log).expect("text");
        assert!(self.0.wait().expect("a child process").success(), "{log}");
        log
    }
}

/// The applications of the image, with the digests of keys.
fn applications() -> String {
    let applications = APPLICATIONS.replace("{ sha256 = \"SHOP_KEY\" }", &digest(KEY));
    applications.replace("{ sha256 = \"SHOP_SERVER_KEY\" }", &digest("server-key-of-the-shop"))
}

/// The configuration of the image at these addresses, without Redis, and with its applications in another file.
fn file(listen: &str, admin: &str, applications: &str) -> String {
    let file = CONFIG
        .replace("0.0.0.0:8080", listen)
        .replace("0.0.0.0:9090", admin)
        .replace(IN_IMAGE, applications);
    file.lines().filter(|line| !line.starts_with("store.")).collect::<Vec<_>>().join("\n")
}

fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|socket| socket.local_addr())
        .expect("a free port")
        .to_string()
}

/// Asks for the networks of the shop, until the gateway answers.
async fn networks(address: &str) -> Reply {
    let began = Instant::now();
    loop {
        let ask = client()
            .get(format!("http://{address}/api/v1/supported/networks"))
            .header("x-api-key", KEY);
        if let Ok(response) = ask.send().await {
            let (status, headers) = (response.status(), response.headers().clone());
            return Reply { status, headers, text: response.text().await.expect("a whole body") };
        }
        assert!(began.elapsed() < wire::PATIENCE, "the gateway does not answer");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The values of an instruction in the last stage of the Containerfile.
fn instructions(name: &str) -> Vec<&'static str> {
    let (_, last) = CONTAINERFILE.rsplit_once("\nFROM ").expect("stages");
    last.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).collect()
}

/// The words of `["a", "b"]`.
fn words(list: &str) -> Vec<String> {
    serde_json::from_str(list).expect("a list")
}

/// The libraries that a program loads, by the dynamic linker.
fn libraries(program: &str) -> Vec<String> {
    let output = Command::new("ldd").arg(program).output().expect("ldd is there");
    let text = String::from_utf8(output.stdout).expect("text");
    let path =
        |line: &str| line.split_whitespace().find(|word| word.starts_with('/')).map(str::to_owned);
    text.lines().filter_map(path).collect()
}

#[tokio::test]
async fn the_files_of_the_image_run_without_a_shell_and_without_rights() {
    let image = Folder::new("image");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for copy in instructions("COPY") {
        let (from, to) =
            copy.trim_start_matches("--from=build ").split_once(' ').expect("two paths");
        let from = if copy.starts_with("--from=build") {
            assert!(from.ends_with("/target/release/sendoff-gateway"), "{from}");
            PathBuf::from(BINARY)
        } else {
            root.join(from)
        };
        fs::copy(from, image.place(to)).expect("a file of the image");
    }
    // What the base image has: the C library, the only one that the program needs, and certificates
    // of authorities.
    for library in libraries(BINARY) {
        let name = Path::new(&library).file_name().and_then(|name| name.to_str()).expect("a name");
        let is_of_base =
            ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"].contains(&name);
        assert!(is_of_base, "{library} is not in distroless/cc");
        fs::copy(&library, image.place(&library)).expect("a library");
    }
    let (listen, admin) = (free_address(), free_address());
    let [config] = &words(instructions("CMD")[0])[1..] else {
        unreachable!("expected --config FILE")
    };
    image.write(config, &file(&listen, &admin, IN_IMAGE));
    image.write(IN_IMAGE, &applications());

    let [program] = &words(instructions("ENTRYPOINT")[0])[..] else {
        unreachable!("expected one program")
    };
    let start = |arguments: &[String]| {
        let mut command = Command::new("chroot");
        command
            .arg(format!("--userspec={}", instructions("USER")[0]))
            .arg(&image.0)
            .arg(program)
            .args(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let check = ["--check", "--config", config].map(str::to_owned);
    let checked = || start(&check).output().expect("chroot is there, and this is root");
    let said = String::from_utf8_lossy(&checked().stderr).into_owned();
    assert!(said.contains("no HTTP client"), "{said}");
    fs::copy(AUTHORITIES, image.place(AUTHORITIES)).expect("certificates");
    let said = checked();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));

    let running = Running(start(&words(instructions("CMD")[0])).spawn().expect("it starts"));
    let reply = networks(&listen).await;
    assert_eq!(
        (reply.status.as_u16(), &reply.json()["data"]["network"][0]["chain_id"]),
        (200, &"137".into())
    );
    let health = Reply::to(client().get(format!("http://{admin}/health"))).await;
    assert_eq!(health.text, "alive\n");
    let status =
        fs::read_to_string(format!("/proc/{}/status", running.0.id())).expect("Linux has it");
    assert!(status.contains("Uid:\t65532\t65532\t65532\t65532"), "{status}");
    let log = running.stop();
    assert!(log.contains("stopped"), "{log}");
}

/// `false` if a tool of systemd is not on this machine.
fn has(tool: &str) -> bool {
    let is_there = Command::new(tool).arg("--version").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        eprintln!(
            "{tool} is not on this machine (`apt-get install systemd`), so the units are not tested"
        );
    }
    is_there
}

#[test]
fn the_units_are_valid_and_leave_the_process_few_rights() {
    if !has("systemd-analyze") {
        return;
    }
    let folder = Folder::new("units");
    let paths: Vec<_> = UNITS
        .iter()
        .map(|(name, unit)| folder.write(name, &unit.replace("/usr/bin/sendoff-gateway", BINARY)))
        .collect();
    let verified =
        Command::new("systemd-analyze").arg("verify").args(&paths).output().expect("it is there");
    let said = String::from_utf8_lossy(&verified.stderr);
    let about_ours: Vec<_> = said.lines().filter(|line| line.contains("sendoff")).collect();
    assert!(about_ours.is_empty(), "{about_ours:?}");

    let rated = Command::new("systemd-analyze")
        .args(["security", "--offline=yes", "--threshold=20"])
        .arg(&paths[0])
        .output();
    let rated = rated.expect("it is there");
    assert!(rated.status.success(), "{}", String::from_utf8_lossy(&rated.stdout));
}

/// The value of a key in a unit.
fn value<'a>(unit: &'a str, key: &str) -> &'a str {
    unit.lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
        .expect("a key of the unit")
}

#[tokio::test]
async fn the_sockets_of_the_units_are_those_of_the_file() {
    if !has("systemd-socket-activate") {
        return;
    }
    let folder = Folder::new("sockets");
    let applications = folder.write("applications.toml", &applications());
    let [_, production, admin] = UNITS.map(|(_, unit)| unit);
    // The file has the units' addresses. Sockets with the units' names at other addresses take
    // their places.
    let addresses = [free_address(), free_address()];
    for (unit, key) in [(production, "listen"), (admin, "admin")] {
        let port = value(unit, "ListenStream").rsplit_once(':').expect("a port").1;
        assert!(CONFIG.contains(&format!("{key} = \"0.0.0.0:{port}\"")), "{port}");
    }
    let applications = applications.to_str().expect("text");
    let file = folder.write("gateway.toml", &file("0.0.0.0:8080", "0.0.0.0:9090", applications));

    let names = [production, admin].map(|unit| value(unit, "FileDescriptorName"));
    let mut command = Command::new("systemd-socket-activate");
    command.arg(format!("--fdname={}", names.join(":")));
    for address in &addresses {
        command.args(["-l", address]);
    }
    command.arg(BINARY).arg("--config").arg(file);
    let running =
        Running(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it is there"));
    assert_eq!(networks(&addresses[0]).await.status, 200);
    let ready = Reply::to(client().get(format!("http://{}/ready", addresses[1]))).await;
    assert_eq!(ready.text, "ready\n");
    let log = running.stop();
    assert!(log.contains("stopped"), "{log}");
}
