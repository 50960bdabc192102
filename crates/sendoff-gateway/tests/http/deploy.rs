//! The files of `deploy`: the image's files run in a folder of their own, and the units of systemd
//! are valid.

use crate::support::prelude::*;

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

/// The certificates of authorities, where Debian and distroless have them.
const AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// Starts a gateway, asks for its networks and for the text of an admin path until it answers, and stops it.
async fn runs(command: &mut Command, addresses: &[String; 2], admin: (&str, &str)) {
    let mut running = Process::start(command.stdout(Stdio::null()).stderr(Stdio::piped()));
    let [listen, at] = addresses;
    wait("it listens", || addresses.iter().all(|address| TcpStream::connect(address).is_ok()));
    let networks = client().get(format!("http://{listen}{NETWORKS}")).header(CLIENT.0, CLIENT.1);
    assert_eq!(Reply::to(networks).await.data()["network"][0]["chain_id"], "137");
    let text = Reply::to(client().get(format!("http://{at}{}", admin.0))).await.text;
    assert_eq!(text, admin.1);
    if command.get_program() == "chroot" {
        assert_eq!(running.proc("status", "Uid:"), "65532\t65532\t65532\t65532");
    }
    running.signal("TERM");
    let log = read_to_string(running.0.stderr.take().expect("piped")).expect("text");
    assert!(running.ended().success() && log.contains("stopped"), "{log}");
}

/// The applications of the image, with the digests of keys.
fn applications() -> String {
    let applications = APPLICATIONS.replace("SHOP_KEY", &sha256(KEY));
    applications.replace("SHOP_SERVER_KEY", &sha256(SERVER_KEY))
}

/// The configuration of the image at these addresses, without Redis, and with its applications in another file.
fn file([listen, admin]: [&str; 2], applications: &str) -> String {
    let file = CONFIG
        .replace("0.0.0.0:8080", listen)
        .replace("0.0.0.0:9090", admin)
        .replace(IN_IMAGE, applications);
    file.lines().filter(|line| !line.starts_with("store.")).collect::<Vec<_>>().join("\n")
}

/// The values of an instruction in the last stage of the Containerfile.
fn instructions(name: &str) -> Vec<&'static str> {
    let (_, last) = CONTAINERFILE.rsplit_once("\nFROM ").expect("stages");
    last.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).collect()
}

/// The words of the first value of an instruction, `["a", "b"]`.
fn words(name: &str) -> Vec<String> {
    serde_json::from_str(instructions(name)[0]).expect("a list")
}

/// The libraries that a program loads, by the dynamic linker.
fn libraries(program: &str) -> Vec<String> {
    let (_, text) = said(Command::new("ldd").arg(program));
    text.split_whitespace().filter(|word| word.starts_with('/')).map(str::to_owned).collect()
}

#[tokio::test]
async fn the_files_of_the_image_run_without_a_shell_and_without_rights() {
    let image = Folder::new("image");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for copy in instructions("COPY") {
        let is_built = copy.starts_with("--from=build ");
        let (from, to) =
            copy.trim_start_matches("--from=build ").split_once(' ').expect("two paths");
        assert!(!is_built || from.ends_with("/target/release/sendoff-gateway"), "{from}");
        let from = if is_built { PathBuf::from(BINARY) } else { root.join(from) };
        fs::copy(from, image.place(to)).expect("a file of the image");
    }
    // What the base image has: the C library, the only one that the program needs, and certificates
    // of authorities.
    for library in libraries(BINARY) {
        let (_, name) = library.rsplit_once('/').expect("a path");
        let of_base = ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"];
        assert!(of_base.contains(&name), "{library} is not in distroless/cc");
        fs::copy(&library, image.place(&library)).expect("a library");
    }
    let addresses = [free(), free()];
    let (arguments, program) = (words("CMD"), words("ENTRYPOINT"));
    let [_, config] = &arguments[..] else { unreachable!("expected --config FILE") };
    let [program] = &program[..] else { unreachable!("expected one program") };
    image.write(config, file(addresses.each_ref().map(|address| &**address), IN_IMAGE));
    image.write(IN_IMAGE, applications());

    let start = |check: &[&str]| {
        let mut command = Command::new("chroot");
        command.arg(format!("--userspec={}", instructions("USER")[0])).arg(&image.0);
        command.arg(program).args(check).args(&arguments);
        command
    };
    let checked = || said(&mut start(&["--check"]));
    let (_, why) = checked();
    assert!(why.contains("no HTTP client"), "{why}");
    fs::copy(AUTHORITIES, image.place(AUTHORITIES)).expect("certificates");
    let (is_valid, why) = checked();
    assert!(is_valid, "{why}");

    runs(&mut start(&[]), &addresses, ("/health", "alive\n")).await;
}

/// `false` if a tool of systemd is not on this machine.
fn has(tool: &str) -> bool {
    let is_there = Command::new(tool).arg("--version").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        eprintln!("{tool} is not on this machine (`apt-get install systemd`): nothing is tested");
    }
    is_there
}

#[test]
fn the_units_are_valid_and_leave_the_process_few_rights() {
    if !has("systemd-analyze") {
        return;
    }
    let folder = Folder::new("units");
    let own = |unit: &str| unit.replace("/usr/bin/sendoff-gateway", BINARY);
    let paths = UNITS.map(|(name, unit)| folder.write(name, own(unit)));
    let analyze = |arguments: &[&str], paths: &[PathBuf]| {
        said(Command::new("systemd-analyze").args(arguments).args(paths))
    };
    let (_, verified) = analyze(&["verify"], &paths);
    assert!(!verified.contains("sendoff"), "{verified}");
    let (is_safe, rated) = analyze(&["security", "--offline=yes", "--threshold=20"], &paths[..1]);
    assert!(is_safe, "{rated}");
}

/// The value of a key in a unit.
fn value<'a>(unit: &'a str, key: &str) -> &'a str {
    let mut lines = unit.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    lines.next().expect("a key of the unit")
}

#[tokio::test]
async fn the_sockets_of_the_units_are_those_of_the_file() {
    if !has("systemd-socket-activate") {
        return;
    }
    let folder = Folder::new("sockets");
    let applications = folder.write("applications.toml", applications());
    let [_, production, admin] = UNITS.map(|(_, unit)| unit);
    // The file has the units' addresses. Sockets with the units' names at other addresses take
    // their places.
    for (unit, key) in [(production, "listen"), (admin, "admin")] {
        let port = value(unit, "ListenStream").rsplit_once(':').expect("a port").1;
        assert!(CONFIG.contains(&format!("{key} = \"0.0.0.0:{port}\"")), "{port}");
    }
    let applications = applications.to_str().expect("text");
    let file = folder.write("gateway.toml", file(["0.0.0.0:8080", "0.0.0.0:9090"], applications));

    let names = [production, admin].map(|unit| value(unit, "FileDescriptorName"));
    let addresses = [free(), free()];
    let mut command = Command::new("systemd-socket-activate");
    command.arg(format!("--fdname={}", names.join(":")));
    for address in &addresses {
        command.args(["-l", address]);
    }
    command.arg(BINARY).arg("--config").arg(file);
    runs(&mut command, &addresses, ("/ready", "ready\n")).await;
}
