//! The pocket service as a process.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::support::{Folder, wire};

const IT_RUNS: &str = "a process, its pipes, its socket and a folder can be used";

/// A process, its address, and what it says when it cannot start.
struct Process {
    child: Child,
    address: String,
}

impl Process {
    fn start(files: &[(&str, &Path)]) -> Result<Self, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sendoff-gateway"));
        command.args(["--sandbox", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        for (flag, file) in files {
            command.arg(flag).arg(file);
        }
        let mut child = command.spawn().expect(IT_RUNS);
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect(IT_RUNS)).read_line(&mut line).expect(IT_RUNS);
        let Some(address) = line.strip_prefix("sandbox ") else {
            let mut why = String::new();
            child.stderr.take().expect(IT_RUNS).read_to_string(&mut why).expect(IT_RUNS);
            child.wait().expect(IT_RUNS);
            return Err(why);
        };
        Ok(Self { child, address: address.trim().into() })
    }

    /// The reply to a request, as it came.
    fn ask(&self, method: &str, path: &str, headers: &str, body: impl AsRef<[u8]>) -> String {
        let body = body.as_ref();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n"
        );
        wire::exchange(&self.address, [head.as_bytes(), body].concat())
    }

    /// Ends it as a service manager does.
    fn stop(mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect(IT_RUNS).success());
        assert!(self.child.wait().expect(IT_RUNS).success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

const TOKEN: &str = "authorization: Bearer sandbox-token\r\n";
const TRANSFER: &str = r#"{"network_name":"POLYGON","token_address":"","quantity":"0.1","recipient_address":"0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B"}"#;

#[test]
fn the_pocket_service_answers_and_lies() {
    let process = Process::start(&[]).expect(IT_RUNS);
    let order = process.ask("POST", "/api/v1/transfer/tokens/execute", TOKEN, TRANSFER);
    assert!(order.starts_with("HTTP/1.1 201 ") && order.contains("\"orderId\""), "{order}");
    let portfolio = process.ask("GET", "/api/v1/portfolio", TOKEN, "");
    assert!(portfolio.contains("\"token_name\":\"POL\""), "{portfolio}");
    assert!(process.ask("GET", "/api/v1/portfolio", "", "").starts_with("HTTP/1.1 401 "));

    let half = process.ask(
        "GET",
        "/api/v1/portfolio",
        &format!("{TOKEN}x-sandbox-lie: half-a-body\r\n"),
        "",
    );
    assert!(half.contains("x-sandbox-lied: half-a-body") && !half.contains("]}}"), "{half}");
    let unknown =
        process.ask("GET", "/api/v1/portfolio", &format!("{TOKEN}x-sandbox-lie: white\r\n"), "");
    assert!(
        unknown.starts_with("HTTP/1.1 400 ") && unknown.contains("no lie `white`"),
        "{unknown}"
    );
    process.stop();
}

#[test]
fn a_body_that_cannot_be_read_is_refused_in_the_envelope() {
    let process = Process::start(&[]).expect("the process starts");
    let path = "/api/v1/transfer/tokens/execute";
    for (body, status, said) in
        [(vec![0x22, 0xff, 0x22], 400, "UTF-8"), (vec![b' '; (2 << 20) + 1], 413, "2097152")]
    {
        let reply = process.ask("POST", path, TOKEN, body);
        assert!(reply.contains(said), "{reply}");
        assert!(reply.starts_with(&format!("HTTP/1.1 {status} ")), "{reply}");
        let code = format!(r#"{{"status":"error","error":{{"code":{status},"#);
        assert!(reply.contains(&code) && reply.contains("trace_id"), "{reply}");
    }
    process.stop();
}

#[test]
fn an_address_that_others_reach_is_warned_about() {
    for (address, is_warned) in [("0.0.0.0:0", true), ("127.0.0.1:0", false)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sendoff-gateway"))
            .args(["--sandbox", address])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the process starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("it listens");
        child.kill().expect("it runs");
        let output = child.wait_with_output().expect("it ended");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said.starts_with("warning: 0.0.0.0:"), is_warned, "{said}");
    }
}

#[test]
fn a_state_in_a_file_has_one_owner_and_goes_on() {
    let folder = Folder::new("owner");
    let file = folder.0.join("state.json");
    let first = Process::start(&[("--state", &file)]).expect(IT_RUNS);
    first.ask("POST", "/api/v1/transfer/tokens/execute", TOKEN, TRANSFER);
    let Err(why) = Process::start(&[("--state", &file)]) else { panic!("two owners") };
    assert!(why.contains("another process owns"), "{why}");
    first.stop();

    let second = Process::start(&[("--state", &file)]).expect(IT_RUNS);
    let orders = second.ask("GET", "/api/v1/orders", TOKEN, "");
    assert!(orders.contains("\"total\":1"), "{orders}");
    let link = folder.0.join("link.json");
    std::os::unix::fs::symlink(&file, &link).expect(IT_RUNS);
    let Err(why) = Process::start(&[("--state", &link)]) else { panic!("two owners by a link") };
    assert!(why.contains("another process owns"), "{why}");
    second.stop();

    fs::write(&file, "{}").expect(IT_RUNS);
    let Err(why) = Process::start(&[("--state", &file)]) else { panic!("no state") };
    assert!(why.contains("expected the profile"), "{why}");
}

/// A signed operation of the first user, as it was recorded.
fn operation() -> String {
    let record = include_str!("../../../sendoff-sandbox/tests/record.json");
    let record: Vec<serde_json::Value> = serde_json::from_str(record).expect("the record is JSON");
    let bodies = record.iter().filter_map(|row| row.pointer("/request/body")?.as_str());
    bodies.map(String::from).find(|body| body.contains("eth_sendUserOperation")).expect("one sends")
}

#[test]
fn what_was_accepted_and_lost_can_be_sent_again_after_a_restart() {
    let folder = Folder::new("lost");
    let (file, options) = (folder.0.join("state.json"), folder.0.join("options.json"));
    fs::write(&options, r#"{"delays":{"block":0}}"#).expect("the folder is there");
    let flags = [("--state", file.as_path()), ("--options", options.as_path())];
    let send = |process: &Process| {
        process.ask("POST", "/rpc", "x-sandbox-lie: accepted-and-lost\r\n", operation())
    };
    let hash = |reply: &str| {
        let (_, hash) = reply.split_once(r#""result":""#).unwrap_or_else(|| panic!("{reply}"));
        String::from(hash.trim_end_matches(['"', '}']))
    };
    let first = Process::start(&flags).expect("it starts");
    let lost = send(&first);
    let receipt = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"eth_getUserOperationReceipt","params":["{}"]}}"#,
        hash(&lost)
    );
    assert!(lost.contains("x-sandbox-lied: accepted-and-lost"), "{lost}");
    assert!(first.ask("POST", "/rpc", "", &receipt).contains(r#""result":null"#));
    first.stop();

    let second = Process::start(&flags).expect("it goes on");
    assert!(second.ask("POST", "/rpc", "", &receipt).contains(r#""result":null"#));
    let kept = send(&second);
    assert!(hash(&kept) == hash(&lost) && !kept.contains("x-sandbox-lied"), "{kept}");
    let executed = second.ask("POST", "/rpc", "", &receipt);
    assert!(executed.contains(r#""success":true"#), "{executed}");
    second.stop();
}

#[test]
fn options_are_those_of_the_package() {
    let folder = Folder::new("options");
    let (options, state) = (folder.0.join("options.json"), folder.0.join("state.json"));
    let (given, kept) = (("--options", options.as_path()), ("--state", state.as_path()));
    let write = |text: &str| fs::write(&options, text).expect("the folder is there");
    write(
        r#"{"seed":"gate","delays":{"start":0,"end":0},"lies":{"seed":"","every":1,"names":["list-doubled"]}}"#,
    );
    let first = Process::start(&[given, kept]).expect("the options are right");
    first.ask("POST", "/api/v1/transfer/tokens/execute", TOKEN, TRANSFER);
    let orders = first.ask("GET", "/api/v1/orders", TOKEN, "");
    assert!(orders.contains("x-sandbox-lied: list-doubled"), "{orders}");
    assert!(orders.contains("\"status\":\"SUCCESS\"") && !orders.contains("RUNNING"), "{orders}");
    first.stop();

    // A service manager starts it again with the same flags: the state goes on. Options that it does not have are not ignored.
    let again = Process::start(&[kept, given]).expect("the options are those of the state");
    assert!(again.ask("GET", "/api/v1/orders", TOKEN, "").contains("\"total\":1"));
    again.stop();
    write(r#"{"seed":"gate","delays":{"end":9}}"#);
    let Err(why) = Process::start(&[given, kept]) else { panic!("ignored") };
    for named in ["state.json", "options.json", "`delays`"] {
        assert!(why.contains(named), "{why}");
    }

    // The other wrong options are tests of the pocket service.
    write("{\n  \"seed\": \"a\",\n}");
    let Err(why) = Process::start(&[given]) else { panic!("accepted") };
    assert!(why.contains("options.json: ") && why.contains("line 3"), "{why}");
    fs::remove_file(&options).expect("it was written");
    let Err(why) = Process::start(&[given]) else { panic!("no file") };
    assert!(why.contains("options.json: No such file"), "{why}");
    for flags in [vec![given, given], vec![("--option", options.as_path())]] {
        let Err(why) = Process::start(&flags) else { panic!("accepted: {flags:?}") };
        assert!(why.contains("usage: "), "{why}");
    }
}

#[test]
fn a_state_that_cannot_be_written_is_refused_at_the_start() {
    let folder = Folder::new("unwritable");
    let there = folder.0.join("state.json");
    Process::start(&[("--state", &there)]).expect("the folder is there");
    let text = fs::read_to_string(&there).expect("it is written at the start");
    assert!(text.contains("okto-v1"), "{text}");

    // The tests may run as root, for whom no folder is read-only.
    fs::create_dir(folder.0.join("state.json.new")).expect("the folder is there");
    let missing = folder.0.join("missing").join("state.json");
    for file in [&there, &missing] {
        let Err(why) = Process::start(&[("--state", file)]) else { panic!("{}", file.display()) };
        let begin = format!("the state cannot be written to {}: ", file.display());
        assert!(why.starts_with(&begin), "{why}");
    }
}
