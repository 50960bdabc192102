//! The wallet backend behind the gateway. Requests and replies are forwarded part by part.

use std::{
    error::Error as _,
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, Method, Request, Uri},
    response::Response,
};
use http_body::Frame;
use sendoff::http::{Refusal, TraceId};
use tokio::time::{Sleep, sleep};

use crate::{
    body::Bounded,
    config,
    connect::{HttpClient, http_client},
    head::{self, drop_hop_by_hop},
    trace::{REQUEST_ID, request_id},
};

/// The wallet backend.
#[derive(Debug)]
pub(crate) struct Upstream {
    config: config::Upstream,
    client: HttpClient,
}

impl Upstream {
    /// # Errors
    ///
    /// A sentence if the certificates of this machine cannot be used.
    pub(crate) fn new(config: config::Upstream) -> Result<Self, String> {
        Ok(Self { client: http_client(config.idle)?, config })
    }

    /// Forwards a request, and returns the backend's reply.
    ///
    /// # Errors
    ///
    /// 504 if the reply does not begin in time, 502 if there is no reply or it is not HTTP, and the refusals of the request's
    /// body.
    pub(crate) async fn forward(
        &self,
        method: Method,
        target: &str,
        mut headers: HeaderMap,
        body: Bounded,
        trace_id: &TraceId,
    ) -> Result<Response, Refusal> {
        head::for_the_backend(&mut headers, self.config.forwarded);
        if let Some(id) = request_id(&headers, trace_id) {
            headers.insert(REQUEST_ID, id);
        }

        let uri: Uri =
            format!("{}{target}", self.config.url).parse().map_err(|_| Refusal::LONG_TARGET)?;
        let (stop, waits) = (body.stop(), body.waits_for_backend());
        // A request without a body is forwarded with neither a length nor chunks.
        let body = if body.is_absent() { Body::empty() } else { Body::from_stream(body.parts()) };
        let mut request = Request::new(body);

        (*request.method_mut(), *request.uri_mut(), *request.headers_mut()) =
            (method, uri, headers);
        waits.start();

        let sent = waits.within(self.config.timeout, self.client.request(request)).await;
        if let Some(stop) = stop.get() {
            return Err((*stop).into());
        }

        let reply = match sent {
            // The gateway did not ask for another protocol.
            Some(Ok(reply)) if reply.status().is_informational() => {
                tracing::warn!(
                    trace_id = trace_id.as_str(),
                    "the backend's reply changes the protocol"
                );
                return Err(Refusal::BACKEND_LOST);
            }
            Some(Ok(reply)) => reply.map(Body::new),
            Some(Err(error)) => {
                tracing::warn!(trace_id = trace_id.as_str(), %error, source = ?error.source(), "the backend does not answer");
                return Err(Refusal::BACKEND_LOST);
            }
            None => return Err(Refusal::BACKEND_LATE),
        };

        let (mut head, reply) = reply.into_parts();
        if !head::is_framed_once(&mut head) {
            let why = "the backend's reply has a transfer coding other than `chunked`";
            tracing::warn!(trace_id = trace_id.as_str(), why);
            return Err(Refusal::BACKEND_LOST);
        }

        drop_hop_by_hop(&mut head.headers);
        let (trace_id, timeout) = (trace_id.clone(), self.config.timeout);

        Ok(Response::from_parts(head, Body::new(Parts { reply, timeout, late: None, trace_id })))
    }
}

/// The body of the backend's reply. If it ends early, so does the caller's reply: its head is already sent, and a part must not
/// look whole.
struct Parts {
    reply: Body,
    /// How long the backend may take for a part.
    timeout: Duration,
    /// The end of the time for the next part, while the gateway waits for it.
    late: Option<Pin<Box<Sleep>>>,
    trace_id: TraceId,
}

impl http_body::Body for Parts {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let timeout = self.timeout;
        let why = match Pin::new(&mut self.reply).poll_frame(cx) {
            Poll::Ready(part) => {
                self.late = None;
                match part {
                    Some(Err(error)) => error.to_string(),
                    part => return Poll::Ready(part.map(|part| part.map_err(io::Error::other))),
                }
            }
            Poll::Pending => {
                ready!(self.late.get_or_insert_with(|| Box::pin(sleep(timeout))).as_mut().poll(cx));
                "it stalled".to_owned()
            }
        };

        tracing::warn!(trace_id = self.trace_id.as_str(), why, "the backend's reply broke off");
        Poll::Ready(Some(Err(io::Error::other(why))))
    }

    fn is_end_stream(&self) -> bool {
        self.reply.is_end_stream()
    }
}
