//! Bearer tokens.

use alloc::string::String;
use core::{fmt, str::FromStr};

use base64ct::{Base64, Encoding};

use crate::document::{
    Integer, Is, MAX_SAFE, Node, Record, Row, Table, Valued, bounded, document, traits,
};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::text::fill;
use crate::value::{HexBytes, Signature};

/// The content of an `Authorization` header with the scheme `Bearer`: `{token, expireAt?, sessionPublicKey?}` in JSON.
///
/// [`FromStr`] reads the value of the header: the scheme in any letter case, one space or more, and a token of letters,
/// digits and `-._~+/` with `=` only at its end. Source: RFC 6750, section 2.1; RFC 9110, section 11.4.
///
/// **Nothing here is authenticated.** The token may state who signed it and when it ends. The signature is not
/// verified, and no clock is read.
///
/// The token is a secret. `Debug` leaves it out, no error shows a character of it, and there is no `Display`. Only
/// [`Bearer::token`] and JSON contain it.
///
/// ```
/// use sendoff::http::Bearer;
///
/// let bearer: Bearer = "Bearer mF_9.B5f-4.1JqM".parse()?;
/// assert_eq!(bearer.token(), "mF_9.B5f-4.1JqM");
/// assert!(bearer.session().is_none());
/// assert_eq!(format!("{bearer:?}"), "Bearer { session: None, .. }");
///
/// let error = "Bearer mF_9,B5f".parse::<Bearer>().unwrap_err();
/// assert_eq!(error.to_string(), "expected a token of letters, digits and `-._~+/` with `=` only at its end, \
///     found a character that tokens do not have as character 5 of the token");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bearer {
    /// The token: a secret.
    token: String,
    session: Option<Session>,
}

static BEARER: Table = Table::answer(
    "The content of an `Authorization` header with the scheme `Bearer`: `{token, expireAt?, sessionPublicKey?}` in \
         JSON.",
    &[Row::of::<String>("token", "The token: a secret."), Row::group::<Session>()],
);

impl Valued for Bearer {
    const IS: Is = Is::Record(&BEARER);

    fn record(&self) -> Record {
        Record::of(&BEARER).with(&self.token).with(&self.session)
    }
}

traits!(Bearer: serialize, schema);

impl Bearer {
    /// The token: a secret.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// `true` if the value of an `Authorization` header has the scheme `Bearer`; its token may be malformed.
    #[must_use]
    pub fn is_scheme_of(header: &str) -> bool {
        header.split(' ').next().is_some_and(|scheme| scheme.eq_ignore_ascii_case("Bearer"))
    }

    /// The token's claims about its session, if the token has the form of the live service.
    #[must_use]
    pub const fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }
}

document! {
    /// The claims of a token of the live service about its session. They are not verified.
    ///
    /// Such a token is base64 (standard alphabet, padded) of
    /// `{"type":"ecdsa_uncompressed","data":{"expire_at","session_pub_key"},"data_signature"}`, and may have more fields.
    /// It is not part of the specification; public SDKs of the service make it.
    ///
    /// ```
    /// use sendoff::http::Bearer;
    ///
    /// # let token = concat!(
    /// # "eyJ0eXBlIjoiZWNkc2FfdW5jb21wcmVzc2VkIiwiZGF0YSI6eyJleHBpcmVfYXQiOjE3NTAwMDU0MDAsInNlc3Npb25fcHViX2tl",
    /// # "eSI6IjB4MDQ3OWJlNjY3ZWY5ZGNiYmFjNTVhMDYyOTVjZTg3MGIwNzAyOWJmY2RiMmRjZTI4ZDk1OWYyODE1YjE2ZjgxNzk4NDgz",
    /// # "YWRhNzcyNmEzYzQ2NTVkYTRmYmZjMGUxMTA4YThmZDE3YjQ0OGE2ODU1NDE5OWM0N2QwOGZmYjEwZDRiOCJ9LCJkYXRhX3NpZ25h",
    /// # "dHVyZSI6IjB4MWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFi",
    /// # "MWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYjFiMWIxYiJ9",
    /// # );
    /// let bearer: Bearer = format!("Bearer {token}").parse()?;
    /// let session = bearer.session().ok_or("a token of another kind")?;
    /// assert_eq!(session.expire_at, 1_750_005_400);
    /// assert_eq!(session.session_public_key.len(), 65);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub struct Session: "the claims of a token, an object", open Ignored {
        /// When the token ends, in seconds since the epoch.
        "expireAt" => pub expire_at: u64 => Row::of::<Integer<0, MAX_SAFE>>("", ""),
        /// The session's public key on secp256k1: 65 bytes, `0x04` and the two coordinates (SEC 1, section 2.3.3).
        "sessionPublicKey" => pub session_public_key: HexBytes,
    }
}

impl Session {
    const KEY_BYTES: usize = 65;
    const UNCOMPRESSED: u8 = 4;

    /// Reads the claims; `None` for a token of another form.
    fn of(token: &str) -> Option<Self> {
        let json = Base64::decode_vec(token).ok()?;
        let mut issues = Issues::default();
        let node = Node::parse(core::str::from_utf8(&json).ok()?, &Path::Root, &mut issues)?;
        let data = node.get("data")?;
        let Integer(expire_at) = data.get("expire_at")?.read::<Integer<0, MAX_SAFE>>()?;
        let session_public_key = data.get("session_pub_key")?.read::<HexBytes>()?;
        let bytes = session_public_key.as_slice();
        let is_key = bytes.len() == Self::KEY_BYTES && bytes.first() == Some(&Self::UNCOMPRESSED);
        let is_signed = node.get("data_signature")?.read::<Signature>().is_some();
        let is_ours = node.get("type")?.as_text()? == "ecdsa_uncompressed"
            && is_key
            && is_signed
            && issues.is_empty();
        is_ours.then_some(Self { expire_at: expire_at.unsigned_abs(), session_public_key })
    }
}

impl FromStr for Bearer {
    type Err = Error;

    /// Reads the value of a header. Any other text is `format`; text over 1 MiB is `range`.
    fn from_str(header: &str) -> Result<Self, Error> {
        let mut issues = Issues::default();
        let header = bounded(header, &Path::Root, &mut issues);
        let token = header.and_then(|header| {
            token_of(header)
                .map_err(|message| issues.push(&Path::Root, IssueCode::Format, message))
                .ok()
        });
        issues.or(token).map(|token| Self { token: token.into(), session: Session::of(token) })
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bearer").field("session", &self.session).finish_non_exhaustive()
    }
}

/// Returns the token in the value of a header, or the problem of the value, without a character of it.
fn token_of(header: &str) -> Result<&str, String> {
    let (scheme, rest) = header.split_once(' ').unwrap_or((header, ""));
    if !scheme.eq_ignore_ascii_case("Bearer") {
        return Err(
            "expected the scheme `Bearer`, a space and a token, found a different scheme".into()
        );
    }

    let token = rest.trim_start_matches(' ');
    if token.is_empty() {
        return Err("expected a token after the scheme `Bearer`, found no token".into());
    }

    let is_b64 =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | '+' | '/');
    let unpadded = token.trim_end_matches('=');
    let odd = match unpadded.chars().zip(1_usize..).find(|(c, _)| !is_b64(*c)) {
        None if unpadded.is_empty() => Some(('=', 1)),
        odd => odd,
    };
    let Some((odd, at)) = odd else { return Ok(token) };

    let kind = match odd {
        ' ' => "a space",
        '=' => "`=`",
        _ if odd.is_control() => "a control character",
        _ if !odd.is_ascii() => "a character outside ASCII",
        _ => "a character that tokens do not have",
    };
    Err(fill(
        "expected a token of letters, digits and `-._~+/` with `=` only at its end, found {} as character {} of the token",
        &[&kind, &at],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::to_json;
    use alloc::{format, string::ToString};

    #[test]
    fn headers() {
        for (header, found) in [
            ("", "found a different scheme"),
            ("a", "found a different scheme"),
            (" Bearer a", "found a different scheme"),
            ("Basic a", "found a different scheme"),
            ("Bearer\ta", "found a different scheme"),
            ("Bearera", "found a different scheme"),
            ("Bearer", "found no token"),
            ("Bearer  ", "found no token"),
            ("Bearer a ", "found a space as character 2 of the token"),
            ("Bearer =", "found `=` as character 1 of the token"),
            ("Bearer a=b", "found `=` as character 2 of the token"),
            ("Bearer é", "found a character outside ASCII as character 1 of the token"),
            ("Bearer a\n", "found a control character as character 2 of the token"),
            (
                "Bearer a,Bearer b",
                "found a character that tokens do not have as character 2 of the token",
            ),
        ] {
            let error = header.parse::<Bearer>().unwrap_err();
            assert_eq!(error.issues()[0].code, IssueCode::Format);
            assert!(error.to_string().ends_with(found), "{header}: {error}");
        }

        let long = "a".repeat(1 << 20);
        assert_eq!(
            format!("Bearer {long}").parse::<Bearer>().unwrap_err().issues()[0].code,
            IssueCode::Range
        );
    }

    #[test]
    fn tokens_of_the_service_have_claims() {
        let (key, signature) =
            (format!("0x04{}", "aB".repeat(64)), format!("0x{}", "1c".repeat(65)));
        let bearer = |json: &str| -> Bearer {
            format!("Bearer {}", Base64::encode_string(json.as_bytes())).parse().unwrap()
        };
        let token = |data: &str| {
            format!(
                r#"{{"type":"ecdsa_uncompressed","data":{{{data}}},"data_signature":"{signature}"}}"#
            )
        };
        let data = format!(r#""expire_at":1750005400,"session_pub_key":"{key}""#);
        let treasury = format!(
            r#"{data},"user_swa":"0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906","acc_type":"CDA""#
        );

        for data in [&data, &treasury] {
            let bearer = bearer(&token(data));
            let session =
                Session { expire_at: 1_750_005_400, session_public_key: key.parse().unwrap() };
            assert_eq!(bearer.session(), Some(&session));
            let said = format!(r#""expireAt":1750005400,"sessionPublicKey":"{key}"}}"#);
            assert_eq!(to_json(&bearer), format!(r#"{{"token":"{}",{said}"#, bearer.token()));
            assert!(!format!("{bearer:?}").contains(bearer.token()));
        }

        let whole = token(&data);
        for other in [
            whole.replace("uncompressed", "compressed"),
            whole.replace("0x04", "0x02"),
            whole.replace("0x04aB", "0x04"),
            whole.replace("1750005400", "1750005400.5"),
            whole.replace("1750005400", "-1"),
            whole.replace("1750005400", "\"1750005400\""),
            whole.replace("data_signature", "signature"),
            whole.replace("0x1c", "0x"),
            whole.replace(r#"{"type""#, r#"{"type":"ecdsa_uncompressed","type""#),
            format!("{whole} {whole}"),
            "[]".into(),
        ] {
            let bearer = bearer(&other);
            assert_eq!(to_json(&bearer), format!(r#"{{"token":"{}"}}"#, bearer.token()), "{other}");
        }
    }
}
