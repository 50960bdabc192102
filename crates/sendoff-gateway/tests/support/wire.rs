//! Bytes on a socket, for requests that HTTP clients do not send.

use std::{
    io::{ErrorKind, Read, Write as _},
    net::TcpStream,
    time::Duration,
};

/// The limit on waits. Every expected event happens much earlier.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a read timeout");
    stream
}

/// Sends bytes.
pub(crate) fn send(mut stream: &TcpStream, bytes: impl AsRef<[u8]>) {
    stream.write_all(bytes.as_ref()).expect("the bytes are written");
}

/// Sends bytes, and returns all bytes until the connection ends.
pub(crate) fn exchange(address: &str, bytes: impl AsRef<[u8]>) -> String {
    let mut stream = connect(address);
    send(&stream, bytes);
    rest(&mut stream)
}

/// Reads until the connection ends.
pub(crate) fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(length) => bytes.extend_from_slice(&part[..length]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!(
                "the connection did not end: {error}, after {:?}",
                String::from_utf8_lossy(&bytes)
            ),
        }
    }
    String::from_utf8(bytes).expect("text")
}

/// Reads up to and including an ending, and not one byte more. Who reads a lot gives a buffer.
pub(crate) fn until(stream: &mut impl Read, ending: &str) -> String {
    let mut bytes = Vec::new();
    while !bytes.ends_with(ending.as_bytes()) {
        let mut byte = [0];
        let read = stream.read(&mut byte).unwrap_or_else(|error| {
            panic!("expected `{ending}`: {error}, after {:?}", String::from_utf8_lossy(&bytes))
        });
        assert_eq!(
            read,
            1,
            "expected `{ending}`, found the end of {:?}",
            String::from_utf8_lossy(&bytes)
        );
        bytes.push(byte[0]);
    }
    String::from_utf8(bytes).expect("text")
}

/// Reads the head of a message.
pub(crate) fn head(stream: &mut impl Read) -> String {
    until(stream, "\r\n\r\n")
}

/// The value of a header in a head. Names are case-insensitive.
pub(crate) fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The statuses of pipelined replies.
pub(crate) fn statuses(replies: &str) -> Vec<u16> {
    let lines = replies.match_indices("HTTP/1.").map(|(at, _)| &replies[at + 9..at + 12]);
    lines.map(|status| status.parse().expect("a status")).collect()
}
