//! Heads of requests: the check of a head, and the headers that the backend gets.

use axum::http::header::{self, Entry};
use axum::http::uri::Authority;
use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, request, response,
};
use sendoff::http::{Onward, Refusal};

use crate::config::Forwarded;

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
        .any(|name| Onward::Needed.names().names.contains(&name.as_str()))
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

    let is_dropped = |name: &&HeaderName| {
        // CGI and similar interfaces map `_` and `-` to the same name.
        let is_twin = name.as_str().contains('_');
        match Onward::of(name.as_str()) {
            Onward::OfTargets => true,
            Onward::OfProxies => forwarded == Forwarded::Drop || is_twin,
            Onward::Needed | Onward::HopByHop => is_twin,
            Onward::Other => is_twin && name.as_str().replace('_', "-") == "expect",
        }
    };
    for name in headers.keys().filter(is_dropped).cloned().collect::<Vec<_>>() {
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
    let hop_by_hop = Onward::HopByHop.names().names.iter().copied();
    for name in named.iter().map(String::as_str).chain(hop_by_hop) {
        headers.remove(name);
    }
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
