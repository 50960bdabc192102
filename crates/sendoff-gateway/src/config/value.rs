//! Values of a file that have a form of their own. A text is not shown where it may be a secret.

use std::fmt;
use std::marker::PhantomData;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// Reads an integer from `LEAST` to `MOST`.
pub(crate) fn whole<'de, const LEAST: i64, const MOST: i64, T, D>(
    deserializer: D,
) -> Result<T, D::Error>
where
    T: TryFrom<i64, Error: fmt::Display>,
    D: Deserializer<'de>,
{
    let expected = format!("an integer from {LEAST} to {MOST}");
    let number = i64::deserialize(deserializer);
    let number = number
        .map_err(|_| D::Error::custom(format!("expected {expected}, found another value")))?;
    if !(LEAST..=MOST).contains(&number) {
        return Err(D::Error::invalid_value(Unexpected::Signed(number), &&*expected));
    }
    number.try_into().map_err(D::Error::custom)
}

/// Reads a time in milliseconds, at least one and at most an hour.
pub(super) fn ms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    ms_within::<1, 3_600_000, _>(deserializer)
}

/// Reads a time from `LEAST` to `MOST` milliseconds.
pub(super) fn ms_within<'de, const LEAST: i64, const MOST: i64, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Duration, D::Error> {
    whole::<LEAST, MOST, _, _>(deserializer).map(Duration::from_millis)
}

/// The time of a key that is absent.
pub(super) const fn millis<const MS: u64>() -> Duration {
    Duration::from_millis(MS)
}

/// The number of a key that is absent.
pub(super) fn default<const NUMBER: u16, T: From<u16>>() -> T {
    NUMBER.into()
}

/// A text, or a table in its place.
pub(crate) enum TextOr<T> {
    Text(String),
    Other(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TextOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either(PhantomData))
    }
}

// serde-untagged would say the line of the table, not that of the key.
struct Either<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Either<T> {
    type Value = TextOr<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, or a table in its place")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<TextOr<T>, E> {
        Ok(TextOr::Text(text.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<TextOr<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(TextOr::Other)
    }
}

/// The problem of a text that may be a secret.
pub(super) fn unlike(expected: &str, text: &str) -> String {
    format!("expected {expected}, found text of length {}", text.chars().count())
}

/// Reads a text by a function.
pub(super) fn read_as<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    read: impl FnOnce(String) -> Result<T, String>,
) -> Result<T, D::Error> {
    String::deserialize(deserializer).and_then(|text| read(text).map_err(D::Error::custom))
}

/// Reads an address to listen on.
pub(super) fn listen<'de, T: From<SocketAddr>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let expected = "an IP address and a port, such as `127.0.0.1:8080` or `[::]:8080`";
    read_as(deserializer, |text| {
        text.parse().map(SocketAddr::into).map_err(|_| unlike(expected, &text))
    })
}

/// Reads an address of HTTP before the paths, without a slash at its end. It is no secret, so it has no place for one.
pub(super) fn http_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    read_as(deserializer, public)
}

/// An address of HTTP that is no secret, without a slash at its end.
pub(super) fn public(text: String) -> Result<String, String> {
    let url = http(&text).filter(|url| {
        let credentials = (url.username(), url.password());
        credentials == ("", None) && (url.query(), url.fragment()) == (None, None)
    });
    let expected =
        "an address such as `https://wallet.example`, without a user, a password and a query";
    let url = url.ok_or_else(|| unlike(expected, &text))?;
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// `true` if requests to an address arrive at `listen`.
pub(super) fn leads_to(url: &str, listen: SocketAddr) -> bool {
    let Some(url) = http(url) else { return false };
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let address = host.parse().ok().map(|address: IpAddr| address.to_canonical());
    let is_local = host == "localhost"
        || address.is_some_and(|address| address.is_loopback() || address.is_unspecified());
    let reached = listen.ip().to_canonical();
    let reaches_local = reached.is_unspecified() || (host == "localhost" && reached.is_loopback());
    url.port_or_known_default() == Some(listen.port())
        && (address == Some(reached) || (is_local && reaches_local))
}

pub(super) fn http(text: &str) -> Option<reqwest::Url> {
    let url = reqwest::Url::parse(text).ok();
    url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// Reads the path of a PEM file. A path is shown where it cannot be read, so a key in its place is refused first.
pub(super) fn pem<'de, T: From<PathBuf>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    read_as(deserializer, |text| match text.contains("-----") {
        true => Err("expected the path of a PEM file, found its content".into()),
        false => Ok(PathBuf::from(text).into()),
    })
}

/// A certificate chain and its key.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The chain, PEM.
    #[serde(deserialize_with = "pem")]
    pub certificate: PathBuf,
    /// Its key, PEM.
    #[serde(deserialize_with = "pem")]
    pub key: PathBuf,
}
