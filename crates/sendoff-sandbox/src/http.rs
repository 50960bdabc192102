//! HTTP as data.

use alloc::{string::String, vec::Vec};

use crate::Json;
use crate::json::object;

/// A request: `{method, target, headers, body}` in JSON. The keys of `headers` are names; their letter case does not matter.
///
/// ```
/// use sendoff_sandbox::{Json, Request};
///
/// let request = Json::parse(r#"{"method":"GET","target":"/api/v1/orders","headers":{"X-Api-Key":"k"}}"#).unwrap();
/// let request = Request::from_json(&request).unwrap();
/// assert_eq!(request.header("x-api-key"), Some("k"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Request {
    /// The method, such as `POST`.
    pub method: String,
    /// The path and the query.
    pub target: String,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// The body, which may be empty.
    pub body: String,
}

impl Request {
    /// Reads a request. `headers` and `body` may be absent. Returns `None` for another form.
    #[must_use]
    pub fn from_json(json: &Json) -> Option<Self> {
        let text = |key| json.get(key).map_or(Some(""), Json::as_text).map(String::from);
        let headers = match json.get("headers") {
            None => Vec::new(),
            Some(Json::Object(headers)) => {
                let header =
                    |(name, value): &(String, Json)| Some((name.clone(), value.as_text()?.into()));
                headers.iter().map(header).collect::<Option<_>>()?
            }
            Some(_) => return None,
        };
        let method = json.get("method")?.as_text()?.into();
        let target = json.get("target")?.as_text()?.into();
        Some(Self { method, target, headers, body: text("body")? })
    }

    /// The value of a header; of several, the first.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// `true` if there are several headers of a name.
    pub(crate) fn has_twice(&self, name: &str) -> bool {
        let mut of_name = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        of_name.nth(1).is_some()
    }

    /// The parameter of the query with this name, percent-decoded.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        let (_, query) = self.target.split_once('?')?;
        let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| unescape(value))
    }
}

/// Decodes percent escapes and `+`. A broken escape stays as it is, and so does a text whose bytes are not UTF-8.
pub(crate) fn unescape(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'%', [high, low, more @ ..])
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                let digit = |digit: &u8| {
                    char::from(*digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
                };
                bytes.push(digit(high).unwrap_or_default() << 4 | digit(low).unwrap_or_default());
                rest = more;
            }
            (b'+', _) => bytes.push(b' '),
            (other, _) => bytes.push(*other),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.into())
}

/// How a host delivers a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// As it is.
    #[default]
    Whole,
    /// The first half of the body; then the connection breaks.
    Half,
    /// Not at all: the connection stays open until the caller gives up.
    Never,
}

/// A reply: `{status, headers, body, delivery, delayMs}` in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
    /// How a host delivers it.
    pub delivery: Delivery,
    /// The milliseconds that a host waits before it.
    pub delay_ms: u64,
}

impl Reply {
    /// A reply with a JSON body.
    pub(crate) fn json(status: u16, body: &Json) -> Self {
        Self::text(status, body.to_json())
    }

    pub(crate) fn text(status: u16, body: String) -> Self {
        let headers = alloc::vec![("content-type".into(), "application/json".into())];
        Self { status, headers, body, delivery: Delivery::Whole, delay_ms: 0 }
    }

    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a header.
    pub(crate) fn set_header(&mut self, name: &str, value: &str) {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.into(), value.into()));
    }

    /// The reply as JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let headers =
            self.headers.iter().map(|(name, value)| (name.clone(), value.into())).collect();
        let delivery = match self.delivery {
            Delivery::Whole => "whole",
            Delivery::Half => "half",
            Delivery::Never => "never",
        };
        object([
            ("status", u64::from(self.status).into()),
            ("headers", Json::Object(headers)),
            ("body", (&self.body).into()),
            ("delivery", delivery.into()),
            ("delayMs", self.delay_ms.into()),
        ])
    }
}
