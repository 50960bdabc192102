//! Secrets. The file contains the name of an environment variable or a digest, never the secret.

use std::{
    fmt, fs,
    str::FromStr,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use sendoff::http::Bearer;
use sha2::{Digest as _, Sha256};

use super::toml::Place;

/// The SHA-256 of a key or a token. Only digests are kept in memory and compared, so neither a dump of the memory nor the
/// time of a comparison reveals the secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of a secret.
    #[must_use]
    pub fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }

    /// `true` if both are the same. It takes the same time wherever they differ.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let differing =
            self.0.iter().zip(other.0).fold(0, |differing, (one, other)| differing | (one ^ other));
        std::hint::black_box(differing) == 0
    }

    /// The first 16 hex digits, which distinguish users in a log.
    pub(crate) fn start(&self) -> String {
        hex::encode(self.0).chars().take(16).collect()
    }
}

impl fmt::Display for Digest {
    /// Its 64 hex digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for Digest {
    type Err = hex::FromHexError;

    /// Reads 64 hex digits.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map(|()| Self(bytes))
    }
}

/// A key or a token, which can end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Its digest.
    pub digest: Digest,
    /// When it ends; `None` if it does not.
    pub ends: Option<SystemTime>,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.digest, f)
    }
}

impl Key {
    /// `true` while it may be used.
    pub(crate) fn is_valid(&self) -> bool {
        self.ends.is_none_or(|ends| SystemTime::now() < ends)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digest(…)")
    }
}

/// The source of environment variables: returns the value of a name.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The header of a credential, which decides what it may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Credential {
    /// A key in `x-api-key`.
    Key,
    /// A bearer token in `authorization`.
    Token,
}

impl Credential {
    /// The digest of a secret; `None` if no request could have it.
    fn digest(self, place: &Place<'_>, secret: &str) -> Option<Digest> {
        let (fits, expected) = match self {
            // Two headers are read as one with a comma.
            Self::Key => (
                secret.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b','),
                "visible ASCII characters without a comma",
            ),
            Self::Token => (
                format!("Bearer {secret}").parse::<Bearer>().is_ok(),
                "letters, digits and -._~+/ and then only = (RFC 6750)",
            ),
        };
        if !fits {
            place.push(format!(
                "expected a secret of {expected}, found a character that no request can have there"
            ));
        }

        fits.then(|| Digest::of(secret))
    }
}

/// The value of `{ env = "NAME" }`, or the content of `{ file = "PATH" }`.
pub(super) fn secret(place: &Place<'_>, variables: Variables<'_>) -> Option<String> {
    let mut table = place.table()?;
    let value = match (table.optional("env"), table.optional("file")) {
        (Some(name), None) => variable(&name, variables),
        (None, Some(path)) => content(&path),
        _ => {
            place.push("expected either `env` or `file`, found neither or both".into());
            None
        }
    };
    table.close();
    value
}

/// The digest of `{ env = "NAME" }` or `{ file = "PATH" }`, or that of `{ sha256 = "64 hex digits" }`; with `ends_ms`, it ends
/// at this time.
pub(super) fn key(
    place: &Place<'_>,
    credential: Credential,
    variables: Variables<'_>,
) -> Option<Key> {
    let mut table = place.table()?;
    let ends = table.or("ends_ms", None, |place| {
        let ms = place.integer(0..=8_640_000_000_000_000)?;
        UNIX_EPOCH.checked_add(Duration::from_millis(ms.unsigned_abs())).map(Some)
    });
    let digest = match (table.optional("env"), table.optional("file"), table.optional("sha256")) {
        (Some(name), None, None) => {
            variable(&name, variables).and_then(|secret| credential.digest(&name, &secret))
        }
        (None, Some(path), None) => {
            content(&path).and_then(|secret| credential.digest(&path, &secret))
        }
        (None, None, Some(digits)) => decoded(&digits),
        _ => {
            place.push("expected one of `env`, `file` and `sha256`, found none or several".into());
            None
        }
    };

    table.close();
    Some(Key { digest: digest?, ends: ends? })
}

fn decoded(digits: &Place<'_>) -> Option<Digest> {
    let text = digits.text()?;
    let Ok(digest) = text.parse() else { return digits.misformed("64 hex digits", text) };
    // A shell prints it for a variable that is not set.
    if digest == Digest::of("") {
        digits.push("expected the digest of a secret, found that of an empty text".into());
        return None;
    }
    Some(digest)
}

/// The value of a variable. It must not be empty, have white space at its ends, or have control characters: a line break that
/// a file or a shell left there would change the secret.
fn variable(name: &Place<'_>, variables: Variables<'_>) -> Option<String> {
    let text = name.text()?;
    // Another text than a name may be the secret itself.
    let is_name =
        text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let named = if is_name {
        format!("the environment variable `{text}`")
    } else {
        "this environment variable".into()
    };
    clean(name, &named, variables(text).unwrap_or_default())
}

/// The content of a file, as with [`variable`], but without the line break at its end.
fn content(path: &Place<'_>) -> Option<String> {
    let file = path.text()?;
    let content = match fs::read_to_string(file) {
        Ok(content) => content,
        // The path may be the secret itself, so it is not shown.
        Err(error) => {
            path.push(format!(
                "expected a file with a secret, found none that can be read: {error}"
            ));
            return None;
        }
    };
    let line = content.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    clean(path, "this file", line.unwrap_or(&content).to_owned())
}

/// A secret of fewer characters can be guessed.
const SHORT: usize = 16;

fn clean(place: &Place<'_>, named: &str, value: String) -> Option<String> {
    let found = if value.is_empty() {
        "none"
    } else if value.trim() != value {
        "white space before or after it"
    } else if value.chars().any(char::is_control) {
        "a control character in it"
    } else {
        let length = value.chars().count();
        if length < SHORT {
            place.warn(format!(
                "expected a secret of {SHORT} characters or more, found {length}: it can be guessed"
            ));
        }
        return Some(value);
    };
    place.push(format!("expected {named} to hold a secret, found {found}"));
    None
}
