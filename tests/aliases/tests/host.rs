//! The host starts, and prints what reached a handler.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Command, Stdio},
};

#[test]
fn a_call_is_printed_and_answered() {
    let mut host =
        Command::new(env!("CARGO_BIN_EXE_aliases")).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(host.stdout.take().unwrap()).lines();

    let address = lines.next().unwrap().unwrap();
    let mut stream = TcpStream::connect(&address).unwrap();
    let head = format!(
        "GET /api/v1/orders HTTP/1.1\r\nhost: {address}\r\nx-request-id: 7\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();

    let line = lines.next().unwrap().unwrap();
    host.kill().unwrap();
    host.wait().unwrap();
    assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
    assert!(line.starts_with("reached 7 "), "{line}");
}
