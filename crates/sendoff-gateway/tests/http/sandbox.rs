//! The pocket service as a process.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// A process, its address, and what it says when it cannot start.
struct Process {
    child: Child,
    address: String,
}

impl Process {
    fn start(state: Option<&Path>) -> Result<Self, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sendoff-gateway"));
        command.args(["--sandbox", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(state) = state {
            command.arg("--state").arg(state);
        }
        let mut child =
            command.spawn().expect("a process, its pipes, its socket and a folder can be used");
        let mut line = String::new();
        BufReader::new(
            child.stdout.take().expect("a process, its pipes, its socket and a folder can be used"),
        )
        .read_line(&mut line)
        .expect("a process, its pipes, its socket and a folder can be used");
        let Some(address) = line.strip_prefix("sandbox ") else {
            let mut why = String::new();
            child
                .stderr
                .take()
                .expect("a process, its pipes, its socket and a folder can be used")
                .read_to_string(&mut why)
                .expect("a process, its pipes, its socket and a folder can be used");
            child.wait().expect("a process, its pipes, its socket and a folder can be used");
            return Err(why);
        };
        Ok(Self { child, address: address.trim().into() })
    }

    /// The reply to a request, as it came.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address)
            .expect("a process, its pipes, its socket and a folder can be used");
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n"
        );
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .expect("a process, its pipes, its socket and a folder can be used");
        let mut reply = Vec::new();
        // A reply that is cut ends with an error.
        drop(stream.read_to_end(&mut reply));
        String::from_utf8(reply).expect("a process, its pipes, its socket and a folder can be used")
    }

    /// Ends it as a service manager does.
    fn stop(mut self) {
        let pid = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &pid])
                .status()
                .expect("a process, its pipes, its socket and a folder can be used")
                .success()
        );
        assert!(
            self.child
                .wait()
                .expect("a process, its pipes, its socket and a folder can be used")
                .success()
        );
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
    let process =
        Process::start(None).expect("a process, its pipes, its socket and a folder can be used");
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
fn a_state_in_a_file_has_one_owner_and_goes_on() {
    let folder: PathBuf =
        std::env::temp_dir().join(format!("sendoff-sandbox-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a process, its pipes, its socket and a folder can be used");
    let file = folder.join("state.json");
    let first = Process::start(Some(&file))
        .expect("a process, its pipes, its socket and a folder can be used");
    first.ask("POST", "/api/v1/transfer/tokens/execute", TOKEN, TRANSFER);
    let Err(why) = Process::start(Some(&file)) else { panic!("two owners") };
    assert!(why.contains("another process owns"), "{why}");
    first.stop();

    let second = Process::start(Some(&file))
        .expect("a process, its pipes, its socket and a folder can be used");
    let orders = second.ask("GET", "/api/v1/orders", TOKEN, "");
    assert!(orders.contains("\"total\":1"), "{orders}");
    let link = folder.join("link.json");
    std::os::unix::fs::symlink(&file, &link)
        .expect("a process, its pipes, its socket and a folder can be used");
    let Err(why) = Process::start(Some(&link)) else { panic!("two owners by a link") };
    assert!(why.contains("another process owns"), "{why}");
    second.stop();

    fs::write(&file, "{}").expect("a process, its pipes, its socket and a folder can be used");
    let Err(why) = Process::start(Some(&file)) else { panic!("no state") };
    assert!(why.contains("expected the profile"), "{why}");
    fs::remove_dir_all(&folder).expect("a process, its pipes, its socket and a folder can be used");
}
