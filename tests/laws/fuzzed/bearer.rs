//! Tokens: the grammar of RFC 6750, claims, and no word of the secret in an error.

use base64ct::{Base64, Encoding as _};
use sendoff::http::Bearer;
use serde_json::Value;

/// The first byte chooses: a header as it is, or a token that is the base64 of the rest.
pub(super) fn check(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    if first % 2 == 0 {
        super::text(rest, header);
    } else {
        claims(rest);
    }
}

fn header(header: &str) {
    let is_scheme = header.len() > 6 && header.as_bytes()[..6].eq_ignore_ascii_case(b"bearer");
    let token = if is_scheme { header[6..].trim_start_matches(' ') } else { "" };
    let has_space = is_scheme && header.as_bytes()[6] == b' ';
    let body = token.trim_end_matches('=');
    let is_b64 = |c: char| c.is_ascii_alphanumeric() || "-._~+/".contains(c);
    let expected =
        has_space && !body.is_empty() && body.chars().all(is_b64) && header.len() <= 1 << 16;
    match header.parse::<Bearer>() {
        Ok(bearer) => {
            assert!(expected, "{header}");
            assert_eq!(bearer.token(), token);
            assert!(token.len() < 12 || !format!("{bearer:?}").contains(token));
        }
        Err(error) => {
            assert!(!expected || header.len() > 1 << 12, "{header}");
            // Our own sentences have words too: only what no word of them can be is looked for.
            let message = error.to_string();
            let (message, place) =
                message.split_once(" as character ").unwrap_or((&message, "1 of the token"));
            assert!(
                place.strip_suffix(" of the token").is_some_and(|at| at.parse::<usize>().is_ok()),
                "{place}"
            );
            let secret =
                header.as_bytes().windows(6).filter(|part| part.iter().any(u8::is_ascii_digit));
            for part in secret.filter_map(|part| std::str::from_utf8(part).ok()) {
                assert!(!message.contains(part), "{message}");
            }
        }
    }
}

/// Claims are those that serde_json reads.
fn claims(json: &[u8]) {
    let Ok(bearer) = format!("Bearer {}", Base64::encode_string(json)).parse::<Bearer>() else {
        return;
    };
    let Some(session) = bearer.session() else { return };
    let said: Value = serde_json::from_slice(json).unwrap();
    assert_eq!(said["type"], "ecdsa_uncompressed");
    assert_eq!(said["data"]["expire_at"].as_f64(), Some(session.expire_at as f64));
    assert_eq!(said["data"]["session_pub_key"], session.session_public_key.to_string());
    assert_eq!(
        (session.session_public_key.len(), session.session_public_key.as_slice()[0]),
        (65, 4)
    );
    assert_eq!(said["data_signature"].as_str().map(str::len), Some(132));
}
