//! A backend that records each call that it carries out, and then answers as a test demands.

use std::{
    collections::HashMap,
    net::Ipv4Addr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU8, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    time::sleep,
};

/// The backend's behaviour after it has carried out a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Answer {
    /// It answers after 10 ms.
    Well,
    /// It answers after 300 ms.
    Late,
    /// It answers nothing for longer than the gateway waits.
    Never,
    /// It closes the connection.
    Close,
    /// It answers with invalid HTTP.
    Invalid,
    /// It answers with a part of the declared length.
    Part,
}

impl Answer {
    pub(crate) const ALL: [Self; 6] =
        [Self::Well, Self::Late, Self::Never, Self::Close, Self::Invalid, Self::Part];
}

/// A call that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The process that forwarded it.
    pub(crate) process: String,
    /// The token of its caller.
    pub(crate) token: String,
}

#[derive(Clone)]
pub(crate) struct Backend {
    pub(crate) url: String,
    calls: Arc<Mutex<HashMap<String, Vec<Call>>>>,
    answer: Arc<AtomicU8>,
}

impl Backend {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let backend = Self { url, calls: Arc::default(), answer: Arc::default() };
        let served = backend.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let backend = served.clone();
                tokio::spawn(async move { backend.serve(stream).await });
            }
        });
        backend
    }

    pub(crate) fn answers(&self, answer: Answer) {
        self.answer.store(answer as u8, Ordering::Relaxed);
    }

    /// The calls that were carried out, by their ids.
    pub(crate) fn calls(&self) -> HashMap<String, Vec<Call>> {
        self.calls.lock().expect("no panic").clone()
    }

    /// Serves a connection until either side ends it.
    async fn serve(&self, stream: TcpStream) -> Option<()> {
        let mut stream = BufReader::new(stream);
        loop {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                if stream.read_until(b'\n', &mut head).await.ok()? == 0 {
                    return None;
                }
            }
            let head = String::from_utf8(head).expect("a head is text");
            self.read_body(&head, &mut stream).await?;
            let target = head.split(' ').nth(1).expect("a target");
            let process = target.split('/').nth(1).expect("each process has a folder").to_owned();
            let token =
                header(&head, "authorization").expect("each call has one").replace("Bearer ", "");
            let id = header(&head, "x-request-id").expect("each call has one").to_owned();
            self.calls
                .lock()
                .expect("no panic")
                .entry(id)
                .or_default()
                .push(Call { process, token });
            match Answer::ALL[usize::from(self.answer.load(Ordering::Relaxed))] {
                Answer::Well => sleep(Duration::from_millis(10)).await,
                Answer::Late => sleep(Duration::from_millis(300)).await,
                Answer::Never => {
                    sleep(Duration::from_secs(5)).await;
                    return None;
                }
                Answer::Close => return None,
                Answer::Invalid => return stream.write_all(b"HTTP/1.1 well\r\n\r\n").await.ok(),
                Answer::Part => {
                    return stream
                        .write_all(b"HTTP/1.1 201 Created\r\ncontent-length: 900\r\n\r\n{")
                        .await
                        .ok();
                }
            }
            stream.write_all(b"HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\n{}").await.ok()?;
        }
    }

    /// Reads the body; `None` if it is not whole. Such a call is not carried out.
    async fn read_body(&self, head: &str, stream: &mut BufReader<TcpStream>) -> Option<()> {
        if let Some(length) = header(head, "content-length") {
            let mut body = vec![0; length.parse().expect("a length")];
            stream.read_exact(&mut body).await.ok()?;
        } else if header(head, "transfer-encoding").is_some() {
            loop {
                let mut line = String::new();
                stream.read_line(&mut line).await.ok().filter(|length| *length > 0)?;
                let length =
                    usize::from_str_radix(line.trim_end(), 16).expect("the length of a chunk");
                let mut chunk = vec![0; length + 2];
                stream.read_exact(&mut chunk).await.ok()?;
                if length == 0 {
                    break;
                }
            }
        }
        Some(())
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}
