//! Heads of requests: the check of a head, and the headers that the backend gets.

use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version,
    header::{self, Entry},
    request, response,
    uri::Authority,
};
use sendoff::http::Refusal;

use crate::config::Forwarded;

/// Headers of one connection (RFC 9110, section 7.6.1), and `proxy-authorization`, which is for this hop.
const HOP_BY_HOP: [&str; 9] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Headers that the backend needs to identify callers, read bodies and trace calls. `connection` must not name them, because
/// the gateway would drop them.
const FOR_THE_BACKEND: [&str; 16] = [
    "accept",
    "accept-encoding",
    "authorization",
    "cache-control",
    "content-encoding",
    "content-language",
    "content-length",
    "content-type",
    "cookie",
    "date",
    "host",
    "traceparent",
    "tracestate",
    "user-agent",
    "x-api-key",
    "x-request-id",
];

/// The headers in which proxies name and identify their callers. A backend trusts its proxy, which is the gateway.
const OF_PROXIES: [&str; 18] = [
    "cf-connecting-ip",
    "cf-connecting-ipv6",
    "cf-pseudo-ipv4",
    "client-ip",
    "fastly-client-ip",
    "forwarded",
    "remote-addr",
    "remote-user",
    "true-client-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-real-ip",
    "x-remote-addr",
    "x-remote-ip",
    "x-remote-user",
    "x-source-ip",
    "x-true-client-ip",
    "x-webauth-user",
];

/// How the other such names begin.
const OF_PROXIES_BEGIN: [&str; 15] = [
    "proxy-client-",
    "ssl-client-",
    "wl-proxy-",
    "x-amzn-oidc-",
    "x-auth-request-",
    "x-authenticated-",
    "x-azure-",
    "x-client-cert",
    "x-consumer-",
    "x-envoy-",
    "x-forwarded",
    "x-goog-",
    "x-ms-client-",
    "x-original-",
    "x-ssl-",
];

/// Headers that some backends use as the target, the host or the method, instead of the one that was checked; and `proxy`, which
/// CGI programs use as an address (httpoxy).
const OF_TARGETS: [&str; 11] = [
    "proxy",
    "x-host",
    "x-http-host-override",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-original-host",
    "x-original-method",
    "x-original-path",
    "x-original-uri",
    "x-original-url",
];

/// How the other such names begin.
const OF_TARGETS_BEGIN: [&str; 1] = ["x-rewrite-"];

/// Refuses a head that two readers could understand differently.
///
/// # Errors
///
/// 400 for zero or several `host` in HTTP/1.1, different lengths, a `connection` that names a header for the backend, and a
/// GET with a body. 501 for a transfer coding other than `chunked`.
pub(crate) fn check(head: &request::Parts) -> Result<(), Refusal> {
    let mut hosts = head.headers.get_all(header::HOST).iter();
    let host = hosts.next();

    if hosts.next().is_some() || (host.is_none() && head.version == Version::HTTP_11) {
        return Err(Refusal::BAD_HOST);
    }

    let host = host.map(|host| String::from_utf8_lossy(host.as_bytes()));
    let authority = head.uri.authority().map(|authority| authority.as_str().into());
    if let Some(found) = host.into_iter().chain(authority).find(|found| !is_authority(found)) {
        return Err(Refusal::bad_authority(&found));
    }

    let mut lengths = head.headers.get_all(header::CONTENT_LENGTH).iter();
    let length = lengths.next();

    if lengths.any(|other| Some(other) != length) {
        return Err(Refusal::BAD_LENGTH);
    }
    if words(&head.headers, &header::CONNECTION)
        .iter()
        .any(|name| FOR_THE_BACKEND.contains(&name.as_str()))
    {
        return Err(Refusal::BAD_CONNECTION);
    }

    let codings = words(&head.headers, &header::TRANSFER_ENCODING);
    if !codings.is_empty() && codings != ["chunked"] {
        return Err(Refusal::TRANSFER_CODING);
    }

    // A backend that does not read the body would read it as the next request.
    let has_body = !codings.is_empty() || length.is_some_and(|length| length != "0");
    if head.method == Method::GET && has_body {
        return Err(Refusal::BODY_OF_GET);
    }

    Ok(())
}

/// `true` for a host with or without a port (RFC 9112, section 3.2).
fn is_authority(text: &str) -> bool {
    let authority = text.parse::<Authority>().ok();
    let port = authority.as_ref().and_then(|authority| text.strip_prefix(authority.host()));
    port.is_some_and(|port| {
        let digits = port.strip_prefix(':').unwrap_or(port);
        digits.len() <= 5 && digits.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Leaves one framing in the head of a backend's reply: no length beside `chunked` (RFC 9112, section 6.3), and none where there
/// is no body (RFC 9110, section 8.6). Returns `false` for another transfer coding.
pub(crate) fn is_framed_once(head: &mut response::Parts) -> bool {
    let codings = words(&head.headers, &header::TRANSFER_ENCODING);
    let has_no_body = [StatusCode::NO_CONTENT, StatusCode::NOT_MODIFIED].contains(&head.status);
    if has_no_body || !codings.is_empty() {
        head.headers.remove(header::CONTENT_LENGTH);
    }
    codings.is_empty() || codings == ["chunked"]
}

/// Changes the headers of a request to those for the backend: without headers of this connection and of proxies, and with at
/// most one `content-length` and one `cookie`.
pub(crate) fn for_the_backend(headers: &mut HeaderMap, forwarded: Forwarded) {
    drop_hop_by_hop(headers);
    // The client writes the backend's `host`, and the caller already has its `100 Continue`.
    headers.remove(header::HOST);
    headers.remove(header::EXPECT);

    let names: Vec<HeaderName> =
        headers.keys().filter(|name| is_dropped(name.as_str(), forwarded)).cloned().collect();
    for name in names {
        headers.remove(name);
    }
    if let Some(length) = headers.get(header::CONTENT_LENGTH).cloned() {
        headers.insert(header::CONTENT_LENGTH, length);
    }

    // HTTP/2 may split a cookie into several headers, and HTTP/1 has one (RFC 9113, section 8.2.3).
    if let Entry::Occupied(mut cookies) = headers.entry(header::COOKIE) {
        let whole = cookies.iter().map(HeaderValue::as_bytes).collect::<Vec<_>>().join(&b"; "[..]);
        if let Ok(whole) = HeaderValue::from_bytes(&whole) {
            cookies.insert(whole);
        }
    }
}

/// Drops the headers of one connection from a request or a reply.
pub(crate) fn drop_hop_by_hop(headers: &mut HeaderMap) {
    let named = words(headers, &header::CONNECTION);
    for name in named.iter().map(String::as_str).chain(HOP_BY_HOP) {
        headers.remove(name);
    }
}

fn is_dropped(name: &str, forwarded: Forwarded) -> bool {
    // CGI and similar interfaces map `_` and `-` to the same name.
    let plain = name.replace('_', "-");
    let is_twin = plain != name;
    let is_one_of = |names: &[&str], beginnings: &[&str]| {
        names.contains(&plain.as_str()) || beginnings.iter().any(|begin| plain.starts_with(begin))
    };
    is_one_of(&OF_TARGETS, &OF_TARGETS_BEGIN)
        || (is_one_of(&OF_PROXIES, &OF_PROXIES_BEGIN) && (forwarded == Forwarded::Drop || is_twin))
        || (is_twin && (is_one_of(&FOR_THE_BACKEND, &["expect"]) || is_one_of(&HOP_BY_HOP, &[])))
}

/// The value of a header. Several values become one list (RFC 9110, section 5.3), which is no valid value of a header that
/// has one: a request with two tokens or two content types is refused.
pub(crate) fn value(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let values: Vec<_> = headers
        .get_all(name)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()))
        .collect();
    (!values.is_empty()).then(|| values.join(", "))
}

/// The words of a header that is a list, in lower case. Values that are not text are ignored.
pub(crate) fn words(headers: &HeaderMap, name: &HeaderName) -> Vec<String> {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let words =
        values.flat_map(|value| value.split(',').map(|word| word.trim().to_ascii_lowercase()));
    words.filter(|word| !word.is_empty()).collect()
}
