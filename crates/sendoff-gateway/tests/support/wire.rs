//! Bytes on a socket, as nobody's HTTP client would send them.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

/// Longer than anything takes here; who waits for so long waits in vain.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).expect("somebody listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket has a time limit");
    stream
}

/// What is answered to these bytes until the connection ends.
pub(crate) fn exchange(address: &str, bytes: impl AsRef<[u8]>) -> String {
    let mut stream = connect(address);
    stream.write_all(bytes.as_ref()).expect("it is taken");
    rest(&mut stream)
}

/// What comes until the connection ends.
pub(crate) fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(length) => bytes.extend_from_slice(&part[..length]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("the connection did not end: {error}, after {:?}", String::from_utf8_lossy(&bytes)),
        }
    }
    String::from_utf8(bytes).expect("text")
}

/// What comes until and with an ending.
pub(crate) fn until(stream: &mut TcpStream, ending: &str) -> String {
    let mut bytes = Vec::new();
    while !bytes.ends_with(ending.as_bytes()) {
        let mut byte = [0];
        let read = stream.read(&mut byte).unwrap_or_else(|error| {
            panic!("expected `{ending}`: {error}, after {:?}", String::from_utf8_lossy(&bytes))
        });
        assert_eq!(read, 1, "expected `{ending}`, found the end of {:?}", String::from_utf8_lossy(&bytes));
        bytes.push(byte[0]);
    }
    String::from_utf8(bytes).expect("text")
}

/// The head of what comes.
pub(crate) fn head(stream: &mut TcpStream) -> String {
    until(stream, "\r\n\r\n")
}

/// The value of a header in a head; its name is looked for in lower case.
pub(crate) fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The bodies of pipelined replies, each of which is JSON with a length.
pub(crate) fn statuses(replies: &str) -> Vec<u16> {
    let lines = replies.match_indices("HTTP/1.").map(|(at, _)| &replies[at + 9..at + 12]);
    lines.map(|status| status.parse().expect("a status")).collect()
}
