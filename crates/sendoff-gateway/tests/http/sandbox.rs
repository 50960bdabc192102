//! The pocket service as a process.

use crate::support::{
    prelude::*,
    wire::{connect, send},
};

/// The pocket service, and its address.
struct Pocket {
    process: Process,
    address: String,
}

impl Pocket {
    /// Starts it with these files, or returns what it says when it cannot start.
    fn at(address: &str, files: &[(&str, &PathBuf)]) -> Result<Self, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sendoff-gateway"));
        command.args(["--sandbox", address]).stdout(Stdio::piped()).stderr(Stdio::piped());
        for (flag, file) in files {
            command.arg(flag).arg(file);
        }
        let mut process = Process::start(&mut command);
        let mut line = String::new();
        let stdout = process.0.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        match line.strip_prefix("sandbox ") {
            Some(address) => Ok(Self { process, address: address.trim().into() }),
            None => Err(read_to_string(process.0.stderr.take().expect("piped")).expect("text")),
        }
    }

    fn start(files: &[(&str, &PathBuf)]) -> Self {
        Self::at("127.0.0.1:0", files).expect("it starts")
    }

    /// The reply to a request, as it came.
    fn ask(&self, line: &str, headers: &str, body: impl AsRef<[u8]>) -> String {
        let body = body.as_ref();
        let length = body.len();
        let head = format!(
            "{line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n"
        );
        let mut stream = connect(&self.address);
        send(&stream, [head.as_bytes(), body].concat());
        rest(&mut stream)
    }

    fn transfer(&self) -> String {
        self.ask("POST /api/v1/transfer/tokens/execute", BEARER, BODY)
    }

    fn orders(&self) -> String {
        self.ask("GET /api/v1/orders", BEARER, "")
    }

    /// Ends it as a service manager does.
    fn stop(mut self) {
        self.process.signal("TERM");
        assert!(self.process.ended().success());
    }
}

const BEARER: &str = "authorization: Bearer sandbox-token\r\n";
const BODY: &str = r#"{"network_name":"POLYGON","token_address":"","quantity":"0.1","recipient_address":"0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B"}"#;

#[test]
fn the_pocket_service_answers_and_lies() {
    let process = Pocket::start(&[]);
    let order = process.transfer();
    assert!(order.starts_with("HTTP/1.1 201 ") && order.contains("\"orderId\""), "{order}");
    let portfolio = |headers: &str| process.ask("GET /api/v1/portfolio", headers, "");
    assert!(portfolio(BEARER).contains("\"token_name\":\"POL\""));
    assert_eq!(statuses(&portfolio("")), [401]);

    let lie = |name: &str| portfolio(&format!("{BEARER}x-sandbox-lie: {name}\r\n"));
    let half = lie("half-a-body");
    assert!(half.contains("x-sandbox-lied: half-a-body") && !half.contains("]}}"), "{half}");
    let unknown = lie("white");
    assert!(statuses(&unknown) == [400] && unknown.contains("no lie `white`"), "{unknown}");
    process.stop();
}

#[test]
fn a_body_that_cannot_be_read_is_refused_in_the_envelope() {
    let process = Pocket::start(&[]);
    for (body, status, said) in
        [(vec![0x22, 0xff, 0x22], 400, "UTF-8"), (vec![b' '; (2 << 20) + 1], 413, "2097152")]
    {
        let reply = process.ask("POST /api/v1/transfer/tokens/execute", BEARER, body);
        let code = format!(r#"{{"status":"error","error":{{"code":{status},"#);
        for part in [said, &format!("HTTP/1.1 {status} "), &code, "trace_id"] {
            assert!(reply.contains(part), "{part}: {reply}");
        }
    }
}

#[test]
fn an_address_that_others_reach_is_warned_about() {
    for (address, is_warned) in [("0.0.0.0:0", true), ("127.0.0.1:0", false)] {
        let mut pocket = Pocket::at(address, &[]).expect("it starts");
        pocket.process.kill();
        let said = read_to_string(pocket.process.0.stderr.take().expect("piped")).expect("text");
        assert_eq!(said.starts_with("warning: 0.0.0.0:"), is_warned, "{said}");
    }
}

#[test]
fn a_state_in_a_file_goes_on_with_the_options_of_the_package() {
    let folder = Folder::new("options");
    let (options, state) = (folder.0.join("options.json"), folder.0.join("state.json"));
    let (given, kept) = (("--options", &options), ("--state", &state));
    let lies = r#"{"seed":"gate","delays":{"start":0,"end":0},"lies":{"seed":"","every":1,"names":["list-doubled"]}}"#;
    fs::write(&options, lies).expect("the folder is there");
    let first = Pocket::start(&[given, kept]);
    let text = fs::read_to_string(&state).expect("it is written at the start");
    assert!(text.contains("okto-v1"), "{text}");
    first.transfer();
    let orders = first.orders();
    for (part, is_there) in [
        ("x-sandbox-lied: list-doubled", true),
        ("\"status\":\"SUCCESS\"", true),
        ("RUNNING", false),
    ] {
        assert_eq!(orders.contains(part), is_there, "{orders}");
    }
    first.stop();

    // A service manager starts it again with the same flags, or without the options: the state goes on.
    for files in [&[kept, given][..], &[kept]] {
        let again = Pocket::start(files);
        let orders = again.orders();
        assert!(orders.contains("\"total\":1"), "{orders}");
        again.stop();
    }
}

#[test]
fn what_it_cannot_start_with_is_named() {
    let folder = Folder::new("refused");
    let [state, link, other] = ["state", "link", "other"].map(|name| folder.0.join(name));
    let (nowhere, missing) = (folder.0.join("missing/state"), folder.0.join("options"));
    let _owner = Pocket::start(&[("--state", &state)]);
    std::os::unix::fs::symlink(&state, &link).expect("a link");
    let seed = folder.write("seed.json", r#"{"seed":"gate"}"#);
    Pocket::start(&[("--state", &other), ("--options", &seed)]).stop();
    let delays = folder.write("delays.json", r#"{"seed":"gate","delays":{"end":9}}"#);
    let no_profile = folder.write("no-profile.json", "{}");
    let comma = folder.write("comma.json", "{\n  \"seed\": \"a\",\n}");
    // The tests may run as root, for whom no folder is read-only.
    folder.place("other.new/file");
    let unwritable = |file: &Path| format!("\nthe state cannot be written to {}: ", file.display());
    // The other wrong options are tests of the pocket service.
    for (files, named) in [
        (&[("--state", &state)][..], &["another process owns"][..]),
        (&[("--state", &link)], &["another process owns"]),
        (&[("--state", &no_profile)], &["expected the profile"]),
        (&[("--state", &other)], &[&unwritable(&other)]),
        (&[("--state", &nowhere)], &[&unwritable(&nowhere)]),
        // Options that a state does not have are not ignored.
        (&[("--options", &delays), ("--state", &other)], &["other", "delays.json", "`delays`"]),
        (&[("--options", &comma)], &["comma.json: ", "line 3"]),
        (&[("--options", &missing)], &["options: No such file"]),
        (&[("--options", &seed), ("--options", &seed)], &["usage: "]),
        (&[("--option", &seed)], &["usage: "]),
    ] {
        let why = Pocket::at("127.0.0.1:0", files).err().expect("it does not start");
        let why = format!("\n{why}");
        assert!(named.iter().all(|name| why.contains(name)), "{named:?}: {why}");
    }
}
