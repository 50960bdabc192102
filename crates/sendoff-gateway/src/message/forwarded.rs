//! The address of a caller behind proxies.
//!
//! Each proxy appends the address of its own caller to `X-Forwarded-For`. Read from the right, an entry is
//! believed as long as a trusted proxy wrote it: the first address that is not a trusted proxy is
//! the caller's.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, HeaderName};

use crate::config::Proxies;

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
        let mut caller = peer;

        for value in headers.get_all(X_FORWARDED_FOR).iter().rev() {
            // A proxy may have appended to a value that is not text.
            let Ok(value) = value.to_str() else { return caller };
            for entry in value.rsplit(',') {
                if !self.contain(caller) {
                    return caller;
                }
                let Some(address) = node(entry.trim()) else { return caller };
                caller = address.to_canonical();
            }
        }

        caller
    }
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

    fn caller(peer: &str, values: &[&str]) -> String {
        let networks = ["10.0.0.0/8", "2001:db8::/32"]
            .map(|text| text.to_owned().try_into().unwrap())
            .to_vec();
        let headers =
            values.iter().map(|value| (X_FORWARDED_FOR, value.parse().unwrap())).collect();
        Proxies(networks).caller(peer.parse().unwrap(), &headers).to_string()
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
            (PEER, &["\"203.0.113.7, 192.0.2.1"], "192.0.2.1"),
            ("192.0.2.99", &["192.0.2.1, 10.0.0.2"], "192.0.2.99"),
        ] {
            assert_eq!(caller(peer, values), address, "{peer} {values:?}");
        }
    }
}
