//! A backend whose replies a test defines.

use std::{
    io::{Read as _, Write as _},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::{Arc, Mutex, mpsc},
    thread,
};

use super::{process::PATIENCE, wire};

/// A reply that ends its connection.
pub(crate) const OK: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}";

/// A reply with this status and body, which ends its connection.
pub(crate) fn replied(status: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
}

/// A server with a thread for each connection. It records the requests.
pub(crate) struct Backend {
    pub(crate) url: String,
    received: mpsc::Receiver<Received>,
}

/// A request as it was on the wire.
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Backend {
    /// A server that reads one request of a connection, and calls `answer`.
    pub(crate) fn start(
        answer: impl Fn(&Received, &mut TcpStream) + Clone + Send + 'static,
    ) -> Self {
        let (send, received) = mpsc::channel();
        let url = Self::raw(move |mut stream| {
            let head = wire::head(&mut stream);
            let body = body(&head, &mut stream).unwrap_or_default();
            let request = Received { head, body };
            answer(&request, &mut stream);
            let _test_ended = send.send(request);
        });
        Self { url, received }
    }

    /// A server that answers every request with these bytes.
    pub(crate) fn replying(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        // The gateway may have closed the connection.
        Self::start(move |_, stream| drop(stream.write_all(&bytes)))
    }

    /// A server that reports each request, and answers it when the test lets it go on.
    pub(crate) fn waiting() -> (Self, mpsc::Receiver<()>, mpsc::Sender<()>) {
        let (begin, begun) = mpsc::channel();
        let (go_on, may_go_on) = mpsc::channel::<()>();
        let may_go_on = Arc::new(Mutex::new(may_go_on));
        let backend = Self::start(move |_, stream| {
            let _test_ended = begin.send(());
            if may_go_on.lock().expect("no panic").recv_timeout(PATIENCE).is_ok() {
                // The gateway may have closed the connection.
                let _closed = stream.write_all(OK.as_bytes());
            }
        });
        (backend, begun, go_on)
    }

    /// The address of a server that reads heads, when it has one, and what came of `serve` at the end of its connection.
    pub(crate) fn reporting<T: Send + 'static>(
        serve: impl Fn(&mut TcpStream) -> T + Clone + Send + 'static,
    ) -> (String, mpsc::Receiver<()>, mpsc::Receiver<T>) {
        let ((begin, begun), (end, ended)) = (mpsc::channel(), mpsc::channel());
        let url = Self::raw(move |mut stream| {
            wire::head(&mut stream);
            let _test_ended = begin.send(());
            let outcome = serve(&mut stream);
            drop(stream);
            let _test_ended = end.send(outcome);
        });
        (url, begun, ended)
    }

    /// The address of a server that calls `serve` for each connection.
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

    /// The address of a server that serves each connection as [`Self::serve`].
    pub(crate) fn keeping(
        answer: impl Fn(&Received, &mut TcpStream) -> bool + Clone + Send + 'static,
    ) -> String {
        Self::raw(move |mut stream| Self::serve(&mut stream, &answer))
    }

    /// Reads one request of a connection after the other, as long as they come whole and `answer` returns `true`.
    pub(crate) fn serve(
        stream: &mut TcpStream,
        answer: impl Fn(&Received, &mut TcpStream) -> bool,
    ) {
        while stream.peek(&mut [0]).is_ok_and(|length| length > 0) {
            let head = wire::head(stream);
            let Some(body) = body(&head, stream) else { return };
            if !answer(&Received { head, body }, stream) {
                return;
            }
        }
    }

    /// The address of a server that reads all, and answers nothing.
    pub(crate) fn silent() -> String {
        Self::raw(|mut stream| stall(&mut stream))
    }

    /// The key of an environment that has this backend.
    pub(crate) fn key(&self) -> String {
        format!("upstream.url = \"{}\"", self.url)
    }

    /// The next answered request.
    pub(crate) fn received(&self) -> Received {
        happened(&self.received)
    }

    pub(crate) fn was_called(&self) -> bool {
        self.received.try_recv().is_ok()
    }
}

/// What a server reports within the patience of a test.
pub(crate) fn happened<T>(what: &mpsc::Receiver<T>) -> T {
    what.recv_timeout(PATIENCE).expect("the backend has it")
}

/// Keeps a connection open, and sends nothing, until the other side closes it.
pub(crate) fn stall(stream: &mut TcpStream) {
    let _end = stream.read_to_end(&mut Vec::new());
}

/// The address of a server that sends these bytes, and then no more.
pub(crate) fn stalling(bytes: &'static str) -> String {
    let sends = move |_: &Received, stream: &mut TcpStream| {
        wire::send(stream, bytes);
        stall(stream);
    };
    Backend::start(sends).url
}

/// An address at which nobody listens.
pub(crate) fn free() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("an address").to_string()
}

impl Received {
    pub(crate) fn line(&self) -> &str {
        self.head.lines().next().expect("a request line")
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        wire::header(&self.head, name)
    }
}

/// The body of a request with this head; `None` if it is not whole.
pub(crate) fn body(head: &str, stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut read = |length| {
        let mut bytes = vec![0; length];
        stream.read_exact(&mut bytes).is_ok().then_some(bytes)
    };
    if let Some(length) = wire::header(head, "content-length") {
        return read(length.parse().expect("a length"));
    }
    let mut body = Vec::new();
    while wire::header(head, "transfer-encoding").is_some() {
        let mut line = Vec::new();
        while !line.ends_with(b"\r\n") {
            line.extend(read(1)?);
        }
        let length = usize::from_str_radix(str::from_utf8(&line).ok()?.trim_end(), 16).ok()?;
        let chunk = read(length + 2)?;
        if length == 0 {
            break;
        }
        body.extend_from_slice(&chunk[..length]);
    }
    Some(body)
}
