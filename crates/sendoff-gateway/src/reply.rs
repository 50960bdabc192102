//! Bodies of replies on their way to a caller.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody as _},
    http::{Method, header},
    response::Response,
};
use http_body::Frame;

use crate::{activity::Running, metrics::Metrics};

/// The longest part that is given to a connection at once. Each part has its time to be read.
const PART_BYTES: usize = 16 << 10;

/// Returns a reply whose request runs until its last part is given to the connection. A reply that does not reach its caller
/// whole is counted: the caller `left`, or left a part unread for `most` (`stalled`), or the `backend` ended it early.
pub(crate) fn on_its_way(
    response: Response,
    method: &Method,
    mut running: Running,
    most: Duration,
    lost: (String, Arc<Metrics>),
) -> Response {
    let length = response.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    let has_body = method != Method::HEAD && !response.body().is_end_stream();
    running.is_unread(has_body);
    response.map(|body| {
        Body::new(Reply {
            body,
            part: Bytes::new(),
            length,
            is_over: !has_body,
            running,
            most,
            lost,
        })
    })
}

struct Reply {
    body: Body,
    /// The rest of a part that is longer than [`PART_BYTES`].
    part: Bytes,
    /// The number of bytes that are missing from the length in the head.
    length: Option<u64>,
    is_over: bool,
    running: Running,
    most: Duration,
    lost: (String, Arc<Metrics>),
}

impl Reply {
    /// Counts this reply as one that does not reach its caller whole.
    fn lose(&mut self, reason: &'static str) {
        self.is_over = true;
        let (environment, metrics) = &self.lost;
        metrics.undelivered(environment, reason);
    }

    /// The next part that is not empty; `None` at the end.
    fn poll_part(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, axum::Error>>> {
        while self.part.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                // Trailers are dropped.
                Some(Ok(frame)) => self.part = frame.into_data().unwrap_or_default(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let length = self.part.len().min(PART_BYTES);
        Poll::Ready(Some(Ok(self.part.split_to(length))))
    }
}

impl http_body::Body for Reply {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        // The connection has written the parts so far.
        self.running.is_unread(false);
        let part = ready!(self.poll_part(cx));
        match &part {
            Some(Ok(part)) => {
                self.running.is_unread(true);
                let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
                self.length = self.length.map(|left| left.saturating_sub(length));
                self.is_over = self.is_end_stream();
            }
            Some(Err(_)) => self.lose("backend"),
            None => self.is_over = true,
        }
        Poll::Ready(part.map(|part| part.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.part.is_empty() && (self.length == Some(0) || self.body.is_end_stream())
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        // The connection may keep a reply whose last part was given to it, until the caller reads
        // the part.
        if self.running.unread_for().is_some_and(|unread| unread >= self.most) {
            self.lose("stalled");
        } else if !self.is_over {
            self.lose("left");
        }
    }
}
