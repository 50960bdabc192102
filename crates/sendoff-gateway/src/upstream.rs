//! The wallet backend behind the gateway. Requests and replies are forwarded part by part.

use std::{error::Error as _, io};

use axum::{
    body::Body,
    http::{HeaderMap, Method, Request, Uri, header},
    response::Response,
};
use sendoff::service::{Refusal, TraceId};

use crate::{
    body::Bounded,
    config,
    connect::HttpClient,
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
    pub(crate) fn new(config: config::Upstream, client: HttpClient) -> Self {
        Self { config, client }
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
        let uri: Uri = format!("{}{target}", self.config.url).parse().map_err(|_| Refusal::LONG_TARGET)?;
        let (stop, pace) = (body.stop(), body.pace());
        // A request without a body is forwarded with neither a length nor chunks.
        let body = if body.is_absent() { Body::empty() } else { Body::from_stream(body.parts()) };
        let mut request = Request::new(body);
        (*request.method_mut(), *request.uri_mut(), *request.headers_mut()) = (method, uri, headers);
        let sent = pace.within(self.config.timeout, self.client.request(request)).await;
        if let Some(stop) = stop.get() {
            return Err((*stop).into());
        }
        let reply = match sent {
            // The gateway did not ask for another protocol.
            Some(Ok(reply)) if reply.status().is_informational() => {
                tracing::warn!(trace_id = trace_id.as_str(), "the backend's reply changes the protocol");
                return Err(Refusal::BACKEND_LOST);
            }
            Some(Ok(reply)) => reply,
            Some(Err(error)) => {
                if !error.is_connect() {
                    self.client.was_cut_off();
                }
                tracing::warn!(trace_id = trace_id.as_str(), %error, source = ?error.source(), "the backend does not answer");
                return Err(Refusal::BACKEND_LOST);
            }
            None => return Err(Refusal::BACKEND_LATE),
        };
        let (head, reply) = reply.into_parts();
        if head::words(&head.headers, &header::TRANSFER_ENCODING).iter().any(|coding| coding != "chunked") {
            let why = "the backend's reply has a transfer coding other than `chunked`";
            tracing::warn!(trace_id = trace_id.as_str(), why);
            return Err(Refusal::BACKEND_LOST);
        }
        let mut response = Response::new(Body::empty());
        *response.status_mut() = head.status;
        *response.headers_mut() = head.headers;
        drop_hop_by_hop(response.headers_mut());
        let trace_id = trace_id.clone();
        let timeout = self.config.timeout;
        // If the backend's reply ends early, so does this one: its head is already sent, and a part must not look whole.
        let parts = tokio_stream::StreamExt::timeout(reply.into_data_stream(), timeout);
        let parts = tokio_stream::StreamExt::map(parts, move |part| {
            let why = match part {
                Ok(Ok(bytes)) => return Ok(bytes),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "it stalled".to_owned(),
            };
            tracing::warn!(trace_id = trace_id.as_str(), why, "the backend's reply broke off");
            Err(io::Error::other(why))
        });
        *response.body_mut() = Body::from_stream(parts);
        Ok(response)
    }
}
