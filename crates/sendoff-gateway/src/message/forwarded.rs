//! The address of a caller behind proxies.
//!
//! Each proxy appends the address of its own caller to a header. Read from the right, an entry is
//! believed as long as a trusted proxy wrote it: the first address that is not a trusted proxy is
//! the caller's.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, header};

use crate::config::{CallerHeader, Proxies};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address of a request's caller: an IPv4 address, or the /64 network of IPv6 that one subscriber has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(IpAddr);

impl Peer {
    /// The caller at the other end of a connection, or the one whom trusted proxies there name.
    pub(crate) fn new(end: IpAddr, proxies: Option<&Proxies>, headers: &HeaderMap) -> Self {
        let caller = proxies.map_or(end, |proxies| proxies.caller(end, headers));
        Self(match caller.to_canonical() {
            IpAddr::V4(address) => address.into(),
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        })
    }

    pub(crate) const fn address(&self) -> IpAddr {
        self.0
    }
}

impl Proxies {
    /// The address of the caller of a request that came from `peer`.
    fn caller(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let (name, address_of): (_, fn(&str) -> Option<IpAddr>) = match self.header {
            CallerHeader::XForwardedFor => (X_FORWARDED_FOR, node),
            CallerHeader::Forwarded => (header::FORWARDED, element),
        };
        let mut caller = peer;

        for value in headers.get_all(name).iter().rev() {
            // A proxy may have appended to a value that is not text.
            let Ok(value) = value.to_str() else { return caller };
            for entry in from_the_right(value) {
                if !self.contain(caller) {
                    return caller;
                }
                let Some(address) = address_of(entry.trim()) else { return caller };
                caller = address.to_canonical();
            }
        }

        caller
    }
}

/// The entries of a list, the last one first. A comma in quotes does not separate. Quotes are counted from the right, so that a
/// caller's quote that never ends does not reach what proxies append.
fn from_the_right(list: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    list.rsplit(move |character| {
        is_quoted ^= character == '"';
        character == ',' && !is_quoted
    })
}

/// The address in an element of `Forwarded`; `None` for an obfuscated name or another spelling.
fn element(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
    let unquoted = value.strip_prefix('"').map_or(Some(value), |value| value.strip_suffix('"'));
    node(unquoted?)
}

/// An address with or without a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`.
fn node(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().filter(|address: &IpAddr| address.is_ipv6() || bare == text);
    address.or_else(|| text.parse().ok().map(|address: SocketAddr| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: &str = "10.0.0.1";

    fn caller(header: CallerHeader, peer: &str, values: &[&str]) -> String {
        let networks = ["10.0.0.0/8", "2001:db8::/32"]
            .map(|text| text.to_owned().try_into().unwrap())
            .to_vec();
        let name = match header {
            CallerHeader::XForwardedFor => X_FORWARDED_FOR,
            CallerHeader::Forwarded => header::FORWARDED,
        };
        let headers = values.iter().map(|value| (name.clone(), value.parse().unwrap())).collect();
        Proxies { networks, header }.caller(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn x_forwarded_for_is_read_from_the_right() {
        for (peer, values, address) in [
            ("192.0.2.9", &["192.0.2.1"][..], "192.0.2.9"),
            (PEER, &[], PEER),
            (PEER, &["192.0.2.1"], "192.0.2.1"),
            ("::ffff:10.0.0.1", &["192.0.2.1"], "192.0.2.1"),
            (PEER, &["203.0.113.7, 192.0.2.1"], "192.0.2.1"),
            (PEER, &["192.0.2.1, 10.0.0.2,10.9.9.9"], "192.0.2.1"),
            (PEER, &["203.0.113.7", "192.0.2.1", "10.0.0.2"], "192.0.2.1"),
            (PEER, &["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            (PEER, &["192.0.2.1:4711"], "192.0.2.1"),
            (PEER, &["[2001:db9::1]:4711"], "2001:db9::1"),
            (PEER, &["2001:db9::1"], "2001:db9::1"),
            (PEER, &["192.0.2.1, 2001:db8::9"], "192.0.2.1"),
            (PEER, &["::ffff:192.0.2.1"], "192.0.2.1"),
            // Nothing to the left of another text is believed.
            (PEER, &["192.0.2.1, unknown"], PEER),
            (PEER, &["192.0.2.1, , 10.0.0.2"], "10.0.0.2"),
            (PEER, &[""], PEER),
            (PEER, &["[192.0.2.1]"], PEER),
            (PEER, &["for=192.0.2.1"], PEER),
        ] {
            assert_eq!(
                caller(CallerHeader::XForwardedFor, peer, values),
                address,
                "{peer} {values:?}"
            );
        }
    }

    #[test]
    fn forwarded_is_read_from_the_right() {
        for (values, address) in [
            (&["for=192.0.2.1"][..], "192.0.2.1"),
            (&["For=192.0.2.1;proto=https;by=203.0.113.43"], "192.0.2.1"),
            (&["for=203.0.113.7, for=192.0.2.1;by=10.0.0.1, for=10.0.0.9"], "192.0.2.1"),
            (&["for=\"[2001:db9::1]:4711\""], "2001:db9::1"),
            (&["proto=http;for=\"192.0.2.1:80\""], "192.0.2.1"),
            (&["for=203.0.113.7", "for=192.0.2.1"], "192.0.2.1"),
            (&["for=192.0.2.1, for=unknown"], PEER),
            (&["for=192.0.2.1, for=_hidden"], PEER),
            (&["for=192.0.2.1, proto=http"], PEER),
            (&["192.0.2.1"], PEER),
            // A caller's quote that never ends.
            (&["for=\"203.0.113.7, for=192.0.2.1"], "192.0.2.1"),
            (&["for=\"203.0.113.7, for=\"[2001:db9::1]\""], "2001:db9::1"),
            (&["for=\"192.0.2.1\\\", for=10.0.0.9"], "10.0.0.9"),
            (&["host=\"a, for=203.0.113.7, for=192.0.2.1\", for=10.0.0.9"], "10.0.0.9"),
        ] {
            assert_eq!(caller(CallerHeader::Forwarded, PEER, values), address, "{values:?}");
            let untrusted = caller(CallerHeader::Forwarded, "192.0.2.99", values);
            assert_eq!(untrusted, "192.0.2.99", "{values:?}");
        }
    }
}
