//! Bytes on a socket, for requests that HTTP clients do not send.

use std::{
    io::{ErrorKind, Read, Write as _},
    net::TcpStream,
};

use super::{Gateway, TOKEN, process::PATIENCE, reply::envelope};

pub(crate) fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a read timeout");
    stream
}

/// A connection on which these bytes are sent.
pub(crate) fn open(gateway: &Gateway, bytes: impl AsRef<[u8]>) -> TcpStream {
    let stream = connect(gateway.socket());
    send(&stream, bytes);
    stream
}

/// The head of a request of the user of `shop` with these fields, each but the last one with its end of line.
pub(crate) fn request(method: &str, path: &str, fields: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\n{fields}\r\n\r\n"
    )
}

/// As [`request`].
pub(crate) fn post(path: &str, fields: &str) -> String {
    request("POST", path, fields)
}

/// As [`request`].
pub(crate) fn get(path: &str, fields: &str) -> String {
    request("GET", path, fields)
}

/// Sends bytes.
pub(crate) fn send(mut stream: &TcpStream, bytes: impl AsRef<[u8]>) {
    stream.write_all(bytes.as_ref()).expect("the bytes are written");
}

/// Sends bytes, and returns all bytes until the connection ends.
pub(crate) fn exchange(gateway: &Gateway, bytes: impl AsRef<[u8]>) -> String {
    rest(&mut open(gateway, bytes))
}

/// Reads until the connection ends.
pub(crate) fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Err(error) if error.kind() != ErrorKind::ConnectionReset => {
            panic!("the connection did not end: {error}, after {:?}", bytes.escape_ascii())
        }
        _ => String::from_utf8(bytes).expect("text"),
    }
}

/// Reads up to and including an ending, and not one byte more. Who reads a lot gives a buffer.
pub(crate) fn until(stream: &mut impl Read, ending: &str) -> String {
    let mut bytes = Vec::new();
    while !bytes.ends_with(ending.as_bytes()) {
        let mut byte = [0];
        if let Err(error) = stream.read_exact(&mut byte) {
            panic!("expected `{ending}`: {error}, after {:?}", bytes.escape_ascii());
        }
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

/// Checks that a reply has an envelope with this status, and returns its message.
pub(crate) fn refused(reply: &str, status: u16) -> String {
    assert_eq!(statuses(reply), [status], "{reply}");
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
    envelope(body, status, None, header(head, "x-request-id").expect("x-request-id"))
}

/// The statuses of pipelined replies.
pub(crate) fn statuses(replies: &str) -> Vec<u16> {
    let lines = replies.match_indices("HTTP/1.").map(|(at, _)| &replies[at + 9..at + 12]);
    lines.map(|status| status.parse().expect("a status")).collect()
}
