//! The proxies in front of the gateway, and the collector of its traces.

use std::collections::BTreeMap;
use std::net::IpAddr;

use ipnet::IpNet;
use serde::Deserialize;

use super::secret::{Secret, Text, secret_url};
use super::value::{default, unlike, whole};

/// The proxies that are trusted to name their callers in `X-Forwarded-For`. Any other header is the caller's own text.
#[derive(Clone, Debug, Deserialize)]
pub struct Proxies(pub Vec<Network>);

impl Proxies {
    /// `true` if an address is that of a trusted proxy.
    pub(crate) fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|Network(network)| network.contains(&address))
    }
}

/// An address, or a network in CIDR notation. IPv4 addresses are written as such.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Network(IpNet);

impl TryFrom<String> for Network {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let address = text.parse::<IpAddr>().ok().map(IpNet::from);
        let network = address.or_else(|| text.parse().ok());
        let network =
            network.ok_or_else(|| unlike("an address or a network such as `10.0.0.0/8`", &text))?;
        let expected = network.trunc();
        if network != expected {
            return Err(format!(
                "expected a network such as `{expected}`, found bits after its prefix"
            ));
        }
        if network.prefix_len() == 0 {
            return Err("expected the addresses of proxies, found every address".into());
        }
        Ok(Self(network))
    }
}

/// A collector of traces (OpenTelemetry, OTLP/HTTP).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traces {
    /// The address to which spans are posted, such as `http://127.0.0.1:4318/v1/traces`. It may contain a key.
    #[serde(deserialize_with = "secret_url")]
    pub url: Secret,
    /// Headers of each post, such as `authorization`.
    #[serde(default)]
    pub headers: BTreeMap<String, Text>,
    /// The name of this service in traces.
    #[serde(default = "service")]
    pub service: String,
    /// One request in this many is recorded, by chance. What its caller decided is not believed.
    #[serde(default = "default::<1, _>", deserialize_with = "whole::<1, 1_000_000, _, _>")]
    pub one_in: u32,
}

fn service() -> String {
    "sendoff-gateway".into()
}
