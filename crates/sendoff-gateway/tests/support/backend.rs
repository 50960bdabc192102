//! A server of a test's own making, which says what it wants to.

use std::{
    io::{Read as _, Write as _},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::mpsc,
    thread,
};

use super::wire;

/// A server that handles each connection in a thread of its own, and tells what was asked.
pub(crate) struct Backend {
    pub(crate) url: String,
    asked: mpsc::Receiver<Asked>,
}

/// A request as it stood on the wire.
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Backend {
    /// A server that reads a request of a connection, and leaves the rest to the test.
    pub(crate) fn start(answer: impl Fn(&Asked, &mut TcpStream) + Clone + Send + 'static) -> Self {
        let (tell, asked) = mpsc::channel();
        let url = Self::raw(move |mut stream| {
            let head = wire::head(&mut stream);
            let body = body(&head, &mut stream);
            let request = Asked { head, body };
            answer(&request, &mut stream);
            let _nobody_asks = tell.send(request);
        });
        Self { url, asked }
    }

    /// A server that answers every request with these bytes.
    pub(crate) fn saying(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::start(move |_, stream| {
            // Whoever has heard enough goes away.
            let _gone = stream.write_all(&bytes);
        })
    }

    /// The address of a server that does as it likes with a connection.
    pub(crate) fn raw(serve: impl Fn(TcpStream) + Clone + Send + 'static) -> String {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let serve = serve.clone();
                thread::spawn(move || serve(stream));
            }
        });
        url
    }

    /// The next request that was answered.
    pub(crate) fn asked(&self) -> Asked {
        self.asked.recv_timeout(wire::PATIENCE).expect("the backend is asked")
    }

    pub(crate) fn was_asked(&self) -> bool {
        self.asked.try_recv().is_ok()
    }
}

impl Asked {
    pub(crate) fn line(&self) -> &str {
        self.head.lines().next().expect("a request line")
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        wire::header(&self.head, name)
    }
}

/// The body of a request with this head.
fn body(head: &str, stream: &mut TcpStream) -> Vec<u8> {
    let mut body = Vec::new();
    if let Some(length) = wire::header(head, "content-length") {
        body.resize(length.parse().expect("a length"), 0);
        let _broken_off = stream.read_exact(&mut body);
    } else if wire::header(head, "transfer-encoding").is_some() {
        while let length @ 1.. = chunk(stream) {
            let start = body.len();
            body.resize(start + length, 0);
            stream.read_exact(&mut body[start..]).expect("a chunk");
            wire::until(stream, "\r\n");
        }
        wire::until(stream, "\r\n");
    }
    body
}

fn chunk(stream: &mut TcpStream) -> usize {
    usize::from_str_radix(wire::until(stream, "\r\n").trim_end(), 16).expect("the length of a chunk")
}
