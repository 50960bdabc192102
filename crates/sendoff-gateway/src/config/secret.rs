//! Secrets. The file contains the name of an environment variable or of a file, or a digest, never the secret.

use std::ops::Deref;
use std::path::PathBuf;
use std::{env, fmt, fs};

use sendoff::http::Bearer;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest as _, Sha256};

use super::value::{TextOr, http, public, unlike};

/// The SHA-256 of a key or a token. Only digests are kept in memory and compared, so neither a dump of the memory nor the
/// time of a comparison reveals the secret.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of a secret.
    pub(crate) fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }

    /// The first 16 hex digits, which distinguish keys and users in a log.
    pub(crate) fn start(&self) -> String {
        hex::encode(self.0).chars().take(16).collect()
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digest(…)")
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    /// Reads 64 hex digits. The digest of an empty text is refused: a shell prints it for a variable that is not set.
    fn try_from(text: String) -> Result<Self, String> {
        let mut bytes = [0; 32];
        let decoded = hex::decode_to_slice(&text, &mut bytes);
        decoded.map_err(|_| unlike("a digest of 64 hex digits", &text))?;

        let digest = Self(bytes);
        if digest == Self::of("") {
            return Err("expected the digest of a secret, found that of an empty text".into());
        }
        Ok(digest)
    }
}

impl From<Digest> for String {
    fn from(Digest(bytes): Digest) -> Self {
        hex::encode(bytes)
    }
}

/// The place of a secret: one of these.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "`{ env = \"NAME\" }` or `{ file = \"PATH\" }`")]
pub(super) struct Place {
    env: Option<String>,
    file: Option<PathBuf>,
    sha256: Option<Digest>,
}

const EXPECTED: &str = "`{ env = \"NAME\" }` or `{ file = \"PATH\" }` with the secret";

impl Place {
    fn secret(self) -> Result<String, String> {
        let Self { env, file, sha256 } = self;
        match (env, file, sha256) {
            (Some(name), None, None) => variable(&name),
            (None, Some(path), None) => content(&path),
            (env, file, sha256) => {
                let keys =
                    [env.map(|_| "`env`"), file.map(|_| "`file`"), sha256.map(|_| "`sha256`")];
                let found = keys.into_iter().flatten().collect::<Vec<_>>().join(" and ");
                let found = if found.is_empty() { "no key" } else { &found };
                Err(format!("expected {EXPECTED}, found a table with {found}"))
            }
        }
    }
}

/// A secret, or a text that can contain one. It is not shown.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Text")]
pub struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl Deref for Secret {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl TryFrom<Text> for Secret {
    type Error = String;

    fn try_from(Text { text, is_shown }: Text) -> Result<Self, String> {
        if is_shown { Err(unlike(EXPECTED, &text)) } else { Ok(text) }
    }
}

/// A text of the file, or a secret that it names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "TextOr<Place>")]
pub struct Text {
    pub(crate) text: Secret,
    is_shown: bool,
}

impl TryFrom<TextOr<Place>> for Text {
    type Error = String;

    fn try_from(found: TextOr<Place>) -> Result<Self, String> {
        let (text, is_shown) = match found {
            TextOr::Text(text) => (text, true),
            TextOr::Other(place) => (place.secret()?, false),
        };
        Ok(Self { text: Secret(text), is_shown })
    }
}

impl Text {
    /// The text of an address, which has a password only if it comes from elsewhere.
    pub(super) fn without_password(&self) -> Result<&str, String> {
        let (_, rest) = self.text.split_once("://").unwrap_or_default();
        let (user, _) = rest.rsplit_once('@').unwrap_or_default();
        if self.is_shown && (user.contains(':') || rest.contains("password=")) {
            return Err("expected an address with a password as `{ env = \"NAME\" }`, found a \
                        password in the file"
                .into());
        }
        Ok(&self.text)
    }
}

/// Reads an address of HTTP, which is a secret or has none.
pub(super) fn secret_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
    let Text { text, is_shown } = Text::deserialize(deserializer)?;
    let url = if is_shown {
        public(text.0).map(Secret)
    } else if http(&text).is_some() {
        Ok(text)
    } else {
        Err(unlike("the secret to be an address such as `https://bundler.example`", &text))
    };
    url.map_err(D::Error::custom)
}

/// The token of an admin: its digest, and its length if that is known.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "TextOr<Place>")]
pub struct Token {
    pub(crate) digest: Digest,
    pub(super) length: Option<usize>,
}

impl TryFrom<TextOr<Place>> for Token {
    type Error = String;

    fn try_from(found: TextOr<Place>) -> Result<Self, String> {
        if let TextOr::Other(Place { env: None, file: None, sha256: Some(digest) }) = found {
            return Ok(Self { digest, length: None });
        }
        let token = Secret::try_from(Text::try_from(found)?)?;
        if format!("Bearer {}", &*token).parse::<Bearer>().is_err() {
            return Err(
                "expected a token of letters, digits and -._~+/ and then only = (RFC 6750), \
                        found a character that no request can have there"
                    .into(),
            );
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
