//! A backend that records each call that it carries out, and then answers as a test demands.

use crate::support::{backend, prelude::*};

/// The backend's behaviour after it has carried out a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It answers after 10 ms.
    #[default]
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
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The process that forwarded it.
    pub(crate) process: String,
    /// The token of its caller.
    pub(crate) token: String,
}

#[derive(Clone, Default)]
pub(crate) struct Backend {
    pub(crate) url: String,
    calls: Arc<Mutex<HashMap<String, Vec<Call>>>>,
    answer: Arc<Mutex<Answer>>,
}

impl Backend {
    pub(crate) fn start() -> Self {
        let backend = Self::default();
        let served = backend.clone();
        let url = backend::Backend::keeping(move |call, stream| served.serve(call, stream));
        Self { url, ..backend }
    }

    pub(crate) fn answers(&self, answer: Answer) {
        *self.answer.lock().expect("no panic") = answer;
    }

    /// The calls that were carried out, by their ids.
    pub(crate) fn calls(&self) -> HashMap<String, Vec<Call>> {
        self.calls.lock().expect("no panic").clone()
    }

    /// Carries out a request that came whole. Returns `false` at the end of its connection.
    fn serve(&self, request: &Received, stream: &mut TcpStream) -> bool {
        let process = request.line().split('/').nth(1).expect("each process has a folder");
        let value = |name| request.header(name).expect("each call has one").to_owned();
        let call = Call { process: process.to_owned(), token: value("authorization") };
        let mut calls = self.calls.lock().expect("no panic");
        calls.entry(value("x-request-id")).or_default().push(call);
        drop(calls);
        let whole = "HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\n{}";
        let answer = *self.answer.lock().expect("no panic");
        let (ms, reply, is_kept) = match answer {
            Answer::Well => (10, whole, true),
            Answer::Late => (300, whole, true),
            Answer::Never => (5_000, "", false),
            Answer::Close => (0, "", false),
            Answer::Invalid => (0, "HTTP/1.1 well\r\n\r\n", false),
            Answer::Part => (0, "HTTP/1.1 201 Created\r\ncontent-length: 900\r\n\r\n{", false),
        };
        thread::sleep(Duration::from_millis(ms));
        stream.write_all(reply.as_bytes()).is_ok() && is_kept
    }
}
