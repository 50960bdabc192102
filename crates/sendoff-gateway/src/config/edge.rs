//! The proxies in front of the gateway, and the collector of its traces.

use std::{fmt, net::IpAddr};

use axum::http::{HeaderName, HeaderValue};
use ipnet::IpNet;
use serde::{Deserialize, Deserializer, de::Error as _};

use super::{
    environment::secret_url,
    secret::{Named, Secret},
    value::{Form, Whole, formed, unlike},
};

/// The proxies that are trusted to name their callers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proxies {
    /// Their addresses.
    #[serde(rename = "addresses", deserialize_with = "networks")]
    pub networks: Vec<IpNet>,
    /// The header that they write. Any other header is the caller's own text.
    pub header: CallerHeader,
}

/// The header in which proxies name their callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallerHeader {
    /// `X-Forwarded-For`: addresses, each with or without a port.
    XForwardedFor,
    /// `Forwarded` (RFC 7239): elements with `for=`.
    Forwarded,
}

impl Proxies {
    /// `true` if an address is that of a trusted proxy.
    #[must_use]
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.networks.iter().any(|network| network.contains(&address))
    }
}

fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| network(text)).collect::<Result<_, _>>().map_err(D::Error::custom)
}

/// An address, or a network in CIDR notation. IPv4 addresses are written as such.
fn network(text: &str) -> Result<IpNet, String> {
    let address = text.parse::<IpAddr>().ok().map(IpNet::from);
    let network = address.or_else(|| text.parse().ok());
    let network =
        network.ok_or_else(|| unlike("an address or a network such as `10.0.0.0/8`", text))?;
    if network != network.trunc() {
        let expected = network.trunc();
        return Err(format!(
            "expected a network such as `{expected}`, found bits after its prefix"
        ));
    }
    if network.prefix_len() == 0 {
        return Err("expected the addresses of proxies, found every address".into());
    }
    Ok(network)
}

/// A collector of traces (OpenTelemetry, OTLP/HTTP).
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traces {
    /// The address to which spans are posted, such as `http://127.0.0.1:4318/v1/traces`. It may contain a key.
    #[serde(deserialize_with = "secret_url")]
    pub url: String,
    /// Headers of each post, such as `authorization`.
    #[serde(default, deserialize_with = "headers")]
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The name of this service in traces.
    #[serde(default = "service")]
    pub service: String,
    /// One request in this many is recorded, by chance. What its caller decided is not believed.
    #[serde(default = "every", deserialize_with = "one_in")]
    pub one_in: u32,
}

impl fmt::Debug for Traces {
    /// Omits the address and the headers, which may contain a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Traces")
            .field("service", &self.service)
            .field("one_in", &self.one_in)
            .finish_non_exhaustive()
    }
}

fn service() -> String {
    "sendoff-gateway".into()
}

const fn every() -> u32 {
    1
}

fn one_in<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    Whole::<1, 1_000_000>::deserialize(deserializer).map(Whole::to)
}

/// The value of a header, which may be a secret.
pub(super) struct HeaderText(pub(super) HeaderValue);

impl Form for HeaderText {
    const EXPECTED: &'static str = "the value of a header, or `{ env = \"NAME\" }` with one";
    type Table = Named;

    fn of_text(text: &str) -> Result<Self, String> {
        let mut value = HeaderValue::from_str(text).map_err(|_| unlike(Self::EXPECTED, text))?;
        value.set_sensitive(true);
        Ok(Self(value))
    }

    fn of_table(named: Named) -> Result<Self, String> {
        Self::of_text(&Secret::of_table(named)?.0)
    }
}

impl<'de> Deserialize<'de> for HeaderText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        formed(deserializer)
    }
}

fn headers<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(HeaderName, HeaderValue)>, D::Error> {
    let table = std::collections::BTreeMap::<String, HeaderText>::deserialize(deserializer)?;
    let header = |(name, HeaderText(value)): (String, HeaderText)| match name.parse() {
        Ok(name) => Ok((name, value)),
        Err(_) => Err(format!("expected the name of a header, found `{name}`")),
    };
    table.into_iter().map(header).collect::<Result<_, _>>().map_err(D::Error::custom)
}
