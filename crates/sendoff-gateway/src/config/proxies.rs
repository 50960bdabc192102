//! The proxies in front of the gateway, which name the caller in a header.

use std::net::IpAddr;

use ipnet::IpNet;

use super::{read::one_of, toml::Place};

/// The proxies that are trusted to name their callers.
#[derive(Clone, Debug)]
pub struct Proxies {
    /// Their addresses.
    pub networks: Vec<IpNet>,
    /// The header that they write. Any other header is the caller's own text.
    pub header: CallerHeader,
}

/// The header in which proxies name their callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Reads `{ addresses = ["10.0.0.0/8"], header = "x-forwarded-for" }`.
pub(super) fn proxies(place: &Place<'_>) -> Option<Proxies> {
    let mut table = place.table()?;
    let networks = table.required("addresses").and_then(|place| {
        let items = place.items()?;
        items.iter().map(network).collect::<Vec<_>>().into_iter().collect::<Option<Vec<_>>>()
    });
    let header = table.required("header").and_then(|place| {
        one_of(
            &place,
            &[
                ("x-forwarded-for", CallerHeader::XForwardedFor),
                ("forwarded", CallerHeader::Forwarded),
            ],
        )
    });
    table.close();
    Some(Proxies { networks: networks?, header: header? })
}

/// An address, or a network in CIDR notation. IPv4 addresses are written as such.
fn network(place: &Place<'_>) -> Option<IpNet> {
    let text = place.text()?;
    let address = text.parse::<IpAddr>().ok().map(IpNet::from);
    let Some(network) = address.or_else(|| text.parse().ok()) else {
        return place.misformed("an address or a network such as `10.0.0.0/8`", text);
    };
    if network != network.trunc() {
        place.push(format!(
            "expected a network such as `{}`, found bits after its prefix",
            network.trunc()
        ));
        return None;
    }
    if network.prefix_len() == 0 {
        place.push("expected the addresses of proxies, found every address".into());
        return None;
    }
    Some(network)
}
