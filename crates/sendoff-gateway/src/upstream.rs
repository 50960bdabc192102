//! The wallet backend behind the gateway: what is sent on, and what comes back, both part by part.

use std::{error::Error as _, io};

use axum::{
    body::Body,
    http::{HeaderMap, Method, StatusCode, header},
    response::Response,
};
use sendoff::service::TraceId;

use crate::{
    body::Bounded,
    config,
    envelope::Failure,
    trace::{REQUEST_ID, request_id},
};

/// The wallet backend.
#[derive(Debug)]
pub(crate) struct Upstream {
    config: config::Upstream,
    client: reqwest::Client,
}

/// What concerns one connection only (RFC 9110, section 7.6.1), and `proxy-authorization`, which is for this hop.
const HOP_BY_HOP: [&str; 9] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

impl Upstream {
    pub(crate) fn new(config: config::Upstream, client: reqwest::Client) -> Self {
        Self { config, client }
    }

    /// Sends a request on, and answers with its reply.
    ///
    /// # Errors
    ///
    /// 504 where the reply does not begin in time, 502 where there is none or it is no HTTP; and what is wrong with the
    /// request's own body.
    pub(crate) async fn forward(
        &self,
        method: Method,
        target: &str,
        mut headers: HeaderMap,
        body: Bounded,
        trace_id: &TraceId,
    ) -> Result<Response, Failure> {
        drop_hop_by_hop(&mut headers);
        // The client writes the backend's own, and whoever sent the body was told to go on already.
        headers.remove(header::HOST);
        headers.remove(header::EXPECT);
        if let Some(id) = request_id(&headers, trace_id) {
            headers.insert(REQUEST_ID, id);
        }
        let (stop, most, pace) = (body.stop(), body.most(), body.pace());
        if method == Method::GET {
            headers.remove(header::CONTENT_LENGTH);
        }
        let mut request = self.client.request(method.clone(), format!("{}{target}", self.config.url)).headers(headers);
        if method != Method::GET {
            request = request.body(reqwest::Body::wrap_stream(body.parts()));
        }
        let sent = pace.within(self.config.timeout, request.send()).await;
        if let Some(stop) = stop.get() {
            return Err(stop.into_failure(most));
        }
        let reply = match sent {
            // Nobody asked for another protocol.
            Some(Ok(reply)) if reply.status().is_informational() => {
                return Err(lost(StatusCode::BAD_GATEWAY, "the backend does not answer the request"));
            }
            Some(Ok(reply)) => reply,
            Some(Err(error)) => {
                let error = error.without_url();
                tracing::warn!(trace_id = trace_id.as_str(), %error, source = ?error.source(), "the backend does not answer");
                return Err(lost(StatusCode::BAD_GATEWAY, "the backend does not answer"));
            }
            None => return Err(lost(StatusCode::GATEWAY_TIMEOUT, "the backend does not answer in time")),
        };
        let mut response = Response::new(Body::empty());
        *response.status_mut() = reply.status();
        *response.headers_mut() = reply.headers().clone();
        drop_hop_by_hop(response.headers_mut());
        let trace_id = trace_id.clone();
        let timeout = self.config.timeout;
        // A reply that breaks off is broken off here too: its head is gone already, and half of it must not look whole.
        let parts = tokio_stream::StreamExt::timeout(reply.bytes_stream(), timeout);
        let parts = tokio_stream::StreamExt::map(parts, move |part| {
            let why = match part {
                Ok(Ok(bytes)) => return Ok(bytes),
                Ok(Err(error)) => error.without_url().to_string(),
                Err(_) => "it stalled".to_owned(),
            };
            tracing::warn!(trace_id = trace_id.as_str(), why, "the backend's reply broke off");
            Err(io::Error::other(why))
        });
        *response.body_mut() = Body::from_stream(parts);
        Ok(response)
    }
}

fn lost(status: StatusCode, message: &str) -> Failure {
    Failure::new(status, message).with_code("ER-TECH-0006")
}

fn drop_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<String> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(|name| name.trim().to_ascii_lowercase()))
        .collect();
    for name in named.iter().map(String::as_str).chain(HOP_BY_HOP) {
        headers.remove(name);
    }
}
