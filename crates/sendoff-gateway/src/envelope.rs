//! What is answered when something is wrong: the service's error envelope, always.

use axum::{
    body::Body,
    http::{
        HeaderValue, StatusCode,
        header::{self, HeaderName},
    },
    response::Response,
};
use sendoff::{
    error::{Error, Issue},
    service::TraceId,
};
use serde::Serialize;

/// How many problems a reply shows; a body of 1 MiB can have a hundred thousand.
const MAX_ISSUES: usize = 100;

/// How many characters of a problem's path it shows: a key can be as long as a body.
const MAX_PATH: usize = 256;

/// An error reply before it has its trace id.
///
/// `errorCode` is one of the service's own, and only where one is known for the cause; the service has none for most.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    error_code: Option<&'static str>,
    message: String,
    issues: Vec<Issue>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, error_code: None, message: message.into(), issues: Vec::new(), headers: Vec::new() }
    }

    pub(crate) fn with_code(self, error_code: &'static str) -> Self {
        Self { error_code: Some(error_code), ..self }
    }

    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// A body that cannot be read: every problem of it, up to [`MAX_ISSUES`].
    pub(crate) fn body(error: Error) -> Self {
        let mut issues = error.into_issues();
        let message = if issues.len() > MAX_ISSUES {
            let count = issues.len();
            issues.truncate(MAX_ISSUES);
            format!("the body cannot be read: error.details.issues has {MAX_ISSUES} of its {count} problems")
        } else {
            "the body cannot be read: error.details.issues has every problem of it".into()
        };
        for issue in &mut issues {
            shorten(&mut issue.path, MAX_PATH);
        }
        Self { issues, ..Self::new(StatusCode::BAD_REQUEST, message).with_code("ER-TECH-0016") }
    }

    pub(crate) fn into_response(self, trace_id: &TraceId) -> Response {
        let Self { status, error_code, message, issues, headers } = self;
        let details = (!issues.is_empty()).then_some(Details { issues: &issues });
        let code = status.as_u16();
        let error = ErrorPart { code, error_code, message: &message, trace_id: trace_id.as_str(), details };
        let mut response = json(status, &Envelope { status: "error", error });
        response.headers_mut().extend(headers);
        response
    }
}

/// Cuts a text off, with an ellipsis instead of the rest.
fn shorten(text: &mut String, most: usize) {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
}

/// A success reply.
pub(crate) fn success<T: Serialize>(data: &T) -> Response {
    #[derive(Serialize)]
    struct Success<'a, T> {
        status: &'static str,
        data: &'a T,
    }
    json(StatusCode::OK, &Success { status: "success", data })
}

/// A reply of JSON.
pub(crate) fn json<T: Serialize>(status: StatusCode, body: &T) -> Response {
    // Nothing that is sent here has a map with keys that are no text, so it always has JSON.
    let body = serde_json::to_vec(body).unwrap_or_default();
    text(status, body)
}

/// A reply of JSON that is text already.
pub(crate) fn text(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[derive(Serialize)]
struct Envelope<'a> {
    status: &'static str,
    error: ErrorPart<'a>,
}

#[derive(Serialize)]
struct ErrorPart<'a> {
    code: u16,
    #[serde(rename = "errorCode", skip_serializing_if = "Option::is_none")]
    error_code: Option<&'static str>,
    message: &'a str,
    trace_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Details<'a>>,
}

#[derive(Serialize)]
struct Details<'a> {
    issues: &'a [Issue],
}
