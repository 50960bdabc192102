//! Values of a file that have a form of their own. A text is not shown where it may be a secret.

use std::{
    fmt,
    marker::PhantomData,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Unexpected, Visitor, value::MapAccessDeserializer},
};

/// An integer from `LEAST` to `MOST`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole<const LEAST: i64, const MOST: i64>(i64);

/// A time in milliseconds, at least 1 and at most an hour.
pub(super) type Ms = Whole<1, 3_600_000>;

impl<const LEAST: i64, const MOST: i64> Whole<LEAST, MOST> {
    /// The number; `T` holds every number of these bounds.
    pub(super) fn to<T: TryFrom<i64> + Default>(self) -> T {
        T::try_from(self.0).unwrap_or_default()
    }

    pub(super) fn to_ms(self) -> Duration {
        Duration::from_millis(self.0.unsigned_abs())
    }
}

/// The number of a key, or another if the key is absent.
pub(super) fn or<T: TryFrom<i64> + Default, const LEAST: i64, const MOST: i64>(
    given: Option<Whole<LEAST, MOST>>,
    absent: T,
) -> T {
    given.map_or(absent, Whole::to)
}

/// The time of a key, or another if the key is absent.
pub(super) fn ms_or<const LEAST: i64, const MOST: i64>(
    given: Option<Whole<LEAST, MOST>>,
    absent: Duration,
) -> Duration {
    given.map_or(absent, Whole::to_ms)
}

impl<const LEAST: i64, const MOST: i64> Visitor<'_> for Whole<LEAST, MOST> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an integer from {LEAST} to {MOST}")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self, E> {
        let fits = (LEAST..=MOST).contains(&value).then_some(Self(value));
        fits.ok_or_else(|| E::invalid_value(Unexpected::Signed(value), &self))
    }
}

impl<'de, const LEAST: i64, const MOST: i64> Deserialize<'de> for Whole<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(Self(LEAST))
    }
}

/// A value that a file writes as a text, as a table or as an array.
pub(crate) trait Form: Sized {
    /// The value in the file, with an example.
    const EXPECTED: &'static str;
    type Table: for<'de> Deserialize<'de>;

    fn of_text(text: &str) -> Result<Self, String>;
    fn of_table(table: Self::Table) -> Result<Self, String>;

    fn of_list(_items: Vec<String>) -> Result<Self, String> {
        Err(format!("expected {}, found an array", Self::EXPECTED))
    }
}

/// Reads a value that has several forms.
pub(super) fn formed<'de, T: Form, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(Forms(PhantomData))
}

/// The same for an optional key.
pub(crate) fn some<'de, T: Form, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    formed(deserializer).map(Some)
}

struct Forms<T>(PhantomData<T>);

impl<'de, T: Form> Visitor<'de> for Forms<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::of_text(text).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::of_table(T::Table::deserialize(MapAccessDeserializer::new(map))?)
            .map_err(A::Error::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<T, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        T::of_list(all).map_err(A::Error::custom)
    }
}

/// The problem of a text that may be a secret.
pub(super) fn unlike(expected: &str, text: &str) -> String {
    format!("expected {expected}, found text of length {}", text.chars().count())
}

/// An address to listen on.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Listen(pub(super) SocketAddr);

impl TryFrom<String> for Listen {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let expected = "an IP address and a port, such as `127.0.0.1:8080` or `[::]:8080`";
        text.parse().map(Self).map_err(|_| unlike(expected, &text))
    }
}

/// An address of HTTP that paths can be put behind. It is no secret, so it has no place for one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct HttpUrl(pub(super) String);

impl TryFrom<String> for HttpUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let url = http(&text).filter(|url| {
            url.username().is_empty()
                && url.password().is_none()
                && url.query().is_none()
                && url.fragment().is_none()
        });
        let expected =
            "an address such as `https://wallet.example`, without a user, a password and a query";
        let url = url.ok_or_else(|| unlike(expected, &text))?;
        Ok(Self(url.as_str().trim_end_matches('/').to_owned()))
    }
}

pub(super) fn http(text: &str) -> Option<reqwest::Url> {
    reqwest::Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// `true` if requests to an address of HTTP arrive at `listen`.
pub(super) fn leads_to(url: &str, listen: SocketAddr) -> bool {
    let Some(url) = http(url) else { return false };
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let address = host.parse().ok().map(|address: IpAddr| address.to_canonical());
    let is_local = host == "localhost"
        || address.is_some_and(|address| address.is_loopback() || address.is_unspecified());
    let reached = listen.ip().to_canonical();
    url.port_or_known_default() == Some(listen.port())
        && (address == Some(reached)
            || (is_local
                && (reached.is_unspecified() || (host == "localhost" && reached.is_loopback()))))
}

/// The path of a PEM file. A path is shown where it cannot be read, so a key in its place is refused first.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct PemFile(pub(super) PathBuf);

impl TryFrom<String> for PemFile {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.contains("-----") {
            return Err("expected the path of a PEM file, found its content");
        }
        Ok(Self(text.into()))
    }
}
