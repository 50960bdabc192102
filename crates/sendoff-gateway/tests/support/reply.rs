//! A reply with its whole body.

use reqwest::{RequestBuilder, header::HeaderMap};
use serde_json::Value;

/// A reply.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) async fn to(request: RequestBuilder) -> Self {
        Self::of(request.send().await.expect("a reply")).await
    }

    pub(crate) async fn of(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Self { status, headers, text: response.text().await.expect("a whole body") }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The data of a success.
    pub(crate) fn data(&self) -> Value {
        let reply = self.json();
        assert_eq!(reply["status"], "success", "{} {reply}", self.status);
        assert_eq!(self.header("content-type"), Some("application/json"));
        reply["data"].clone()
    }

    /// Checks that this is an error reply with exactly the fields of an envelope, and returns its message.
    pub(crate) fn refused(&self, status: u16, error_code: Option<&str>) -> String {
        assert_eq!(self.status, status, "{}", self.text);
        assert_eq!(self.header("content-type"), Some("application/json"));
        envelope(&self.text, status, error_code, self.header("x-request-id").expect("x-request-id"))
    }

    /// The paths and codes of the problems in an error reply.
    pub(crate) fn issues(&self) -> Vec<(String, String)> {
        let reply = self.json();
        let issues = reply["error"]["details"]["issues"].as_array().expect("issues");
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        issues.iter().map(|issue| (text(&issue["path"]), text(&issue["code"]))).collect()
    }

    /// The calls left in the window and the seconds until it ends; `None` without the field `RateLimit`.
    pub(crate) fn window(&self) -> Option<(u64, u64)> {
        let (remaining, seconds) =
            self.header("ratelimit")?.strip_prefix(r#""sendoff";r="#)?.split_once(";t=")?;
        Some((remaining.parse().expect("a count"), seconds.parse().expect("seconds")))
    }

    /// The calls left in the window.
    pub(crate) fn left(&self) -> Option<u64> {
        self.window().map(|(left, _)| left)
    }
}

/// Checks an envelope with this trace id, and returns its message.
pub(crate) fn envelope(
    text: &str,
    status: u16,
    error_code: Option<&str>,
    trace_id: &str,
) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let error = &value["error"];
    assert_eq!((&value["status"], &error["code"]), (&"error".into(), &status.into()), "{text}");
    assert_eq!(error["errorCode"].as_str(), error_code, "{text}");
    assert_eq!(error["trace_id"], trace_id, "{text}");
    let known = ["code", "errorCode", "message", "trace_id", "details"];
    let mut keys = error.as_object().expect("an object").keys();
    assert!(keys.all(|key| known.contains(&key.as_str())), "{text}");
    error["message"].as_str().expect("a message").to_owned()
}
