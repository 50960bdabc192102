//! Secrets. The file contains the name of an environment variable or of a file, or a digest, never the secret.

use std::{env, fmt, fs, path::PathBuf, str::FromStr, time::Instant};

use sendoff::http::Bearer;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sha2::{Digest as _, Sha256};

use super::value::{Form, HttpUrl, formed, http, unlike};

/// The SHA-256 of a key or a token. Only digests are kept in memory and compared, so neither a dump of the memory nor the
/// time of a comparison reveals the secret.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digest(…)")
    }
}

impl FromStr for Digest {
    type Err = String;

    /// Reads 64 hex digits. The digest of an empty text is refused: a shell prints it for a variable that is not set.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut bytes = [0; 32];
        let decoded = hex::decode_to_slice(text, &mut bytes);
        decoded.map_err(|_| unlike("a digest of 64 hex digits", text))?;

        let digest = Self(bytes);
        if digest == Self::of("") {
            return Err("expected the digest of a secret, found that of an empty text".into());
        }
        Ok(digest)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A key or a token, which can end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Its digest.
    pub digest: Digest,
    /// When it ends by the clock of the database, in milliseconds since 1970; `None` if it does not.
    pub ends_at: Option<i64>,
    /// The same by the clock of this process, which nobody sets.
    pub ends: Option<Instant>,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.digest, f)
    }
}

impl Key {
    /// `true` while it may be used.
    pub(crate) fn is_valid(&self) -> bool {
        self.ends.is_none_or(|ends| Instant::now() < ends)
    }
}

/// The place of a secret in a file: one of these.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Named {
    env: Option<String>,
    file: Option<PathBuf>,
    sha256: Option<String>,
}

/// The value of `{ env = "NAME" }`, or the content of `{ file = "PATH" }`.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret(pub(super) String);

impl Form for Secret {
    const EXPECTED: &'static str = "`{ env = \"NAME\" }` or `{ file = \"PATH\" }` with the secret";
    type Table = Named;

    fn of_text(text: &str) -> Result<Self, String> {
        Err(unlike(Self::EXPECTED, text))
    }

    fn of_table(named: Named) -> Result<Self, String> {
        match named {
            Named { env: Some(name), file: None, sha256: None } => variable(&name).map(Self),
            Named { env: None, file: Some(path), sha256: None } => content(&path).map(Self),
            _ => Err(format!("expected {}, found another table", Self::EXPECTED)),
        }
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        formed(deserializer)
    }
}

/// An address of HTTP, which is a secret or has none.
pub(super) struct SecretUrl(pub(super) String);

impl Form for SecretUrl {
    const EXPECTED: &'static str = "an address, or `{ env = \"NAME\" }` if it contains a secret";
    type Table = Named;

    fn of_text(text: &str) -> Result<Self, String> {
        HttpUrl::try_from(text.to_owned()).map(|HttpUrl(url)| Self(url))
    }

    fn of_table(named: Named) -> Result<Self, String> {
        let Secret(url) = Secret::of_table(named)?;
        let expected = "the secret to be an address such as `https://bundler.example`";
        http(&url).is_some().then(|| Self(url.clone())).ok_or_else(|| unlike(expected, &url))
    }
}

/// The token of an admin: its digest, and its length if that is known.
pub(super) struct Token {
    pub(super) digest: Digest,
    pub(super) length: Option<usize>,
}

impl Form for Token {
    const EXPECTED: &'static str =
        "`{ env = \"NAME\" }`, `{ file = \"PATH\" }` or `{ sha256 = \"64 hex digits\" }`";
    type Table = Named;

    fn of_text(text: &str) -> Result<Self, String> {
        Err(unlike(Self::EXPECTED, text))
    }

    fn of_table(named: Named) -> Result<Self, String> {
        if let Named { env: None, file: None, sha256: Some(digits) } = &named {
            return Ok(Self { digest: digits.parse()?, length: None });
        }
        let Secret(token) = Secret::of_table(named)?;
        if format!("Bearer {token}").parse::<Bearer>().is_err() {
            return Err("expected a token of letters, digits and -._~+/ and then only = (RFC 6750), found a character that no \
                        request can have there"
                .into());
        }
        Ok(Self { digest: Digest::of(&token), length: Some(token.chars().count()) })
    }
}

/// The value of a variable. It must not be empty, have white space at its ends, or have control characters: a line break that
/// a file or a shell left there would change the secret.
fn variable(name: &str) -> Result<String, String> {
    // Another text than a name may be the secret itself.
    let is_name =
        name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let named = if is_name {
        format!("the environment variable `{name}`")
    } else {
        "this environment variable".into()
    };
    clean(&named, env::var(name).unwrap_or_default())
}

/// The content of a file, as with [`variable`], but without the line break at its end.
fn content(path: &PathBuf) -> Result<String, String> {
    // The path may be the secret itself, so it is not shown.
    let content = fs::read_to_string(path).map_err(|error| {
        format!("expected a file with a secret, found none that can be read: {error}")
    })?;
    let line = content.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    clean("this file", line.unwrap_or(&content).to_owned())
}

fn clean(named: &str, value: String) -> Result<String, String> {
    let found = if value.is_empty() {
        "none"
    } else if value.trim() != value {
        "white space before or after it"
    } else if value.chars().any(char::is_control) {
        "a control character in it"
    } else {
        return Ok(value);
    };
    Err(format!("expected {named} to hold a secret, found {found}"))
}
