//! Addresses of HTTP in a file.

use std::net::{IpAddr, SocketAddr};

use super::{
    secret::{Variables, secret},
    toml::Place,
};

/// An address of HTTP that paths can be put behind. It is no secret, so it has no place for one.
pub(super) fn url(place: &Place<'_>) -> Option<String> {
    let text = place.text()?;
    let url = http(text).filter(|url| {
        url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    });
    let expected =
        "an address such as `https://wallet.example`, without a user, a password and a query";
    url.map_or_else(
        || place.misformed(expected, text),
        |url| Some(url.as_str().trim_end_matches('/').to_owned()),
    )
}

/// An HTTP address that is secret.
pub(super) fn secret_url(place: &Place<'_>, variables: Variables<'_>) -> Option<String> {
    let url = secret(place, variables)?;
    if http(&url).is_none() {
        return place
            .misformed("the variable to hold an address such as `https://bundler.example`", &url);
    }
    Some(url)
}

fn http(text: &str) -> Option<reqwest::Url> {
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
