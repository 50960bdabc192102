//! HTTP as data.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A request: `{method, target, headers, body}` in JSON; `headers` and `body` may be absent. The
/// keys of `headers` are names; their letter case does not matter.
///
/// ```
/// use sendoff_sandbox::Request;
///
/// let text = r#"{"method":"GET","target":"/api/v1/orders","headers":{"X-Api-Key":"k"}}"#;
/// let request: Request = serde_json::from_str(text)?;
/// assert_eq!(request.header("x-api-key"), Some("k"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Request {
    /// The method, such as `POST`.
    pub method: String,
    /// The path and the query.
    pub target: String,
    /// Names and values.
    #[serde(default, serialize_with = "as_map", deserialize_with = "of_map")]
    pub headers: Vec<(String, String)>,
    /// The body, which may be empty.
    #[serde(default)]
    pub body: String,
}

impl Request {
    /// The value of a header; of several, the first.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// `true` if there are several headers of a name.
    pub(crate) fn has_twice(&self, name: &str) -> bool {
        self.all(name).nth(1).is_some()
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let of_name =
            self.headers.iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name));
        of_name.map(|(_, value)| value.as_str())
    }

    /// The text behind the path.
    pub(crate) fn query(&self) -> &str {
        self.target.split_once('?').map_or("", |(_, query)| query)
    }
}

/// How a host delivers a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Names in lower case, and values.
    #[serde(serialize_with = "as_map")]
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
    pub(crate) fn json(status: u16, body: &impl Serialize) -> Self {
        Self::text(status, serde_json::to_string(body).unwrap_or_default())
    }

    pub(crate) fn text(status: u16, body: String) -> Self {
        let headers = vec![("content-type".into(), "application/json".into())];
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
}

fn as_map<S: Serializer>(headers: &[(String, String)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(headers.iter().map(|(name, value)| (name, value)))
}

fn of_map<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, String)>, D::Error> {
    Ok(BTreeMap::deserialize(from)?.into_iter().collect())
}
