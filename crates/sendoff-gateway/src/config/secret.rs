//! Secrets. The file contains the name of an environment variable or a digest, never the secret.

use std::fmt;

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
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digest(…)")
    }
}

/// The source of environment variables: returns the value of a name.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The value of `{ env = "NAME" }`.
pub(super) fn secret(place: &Place<'_>, variables: Variables<'_>) -> Option<String> {
    let mut table = place.table()?;
    let value = table.required("env").and_then(|name| variable(&name, variables));
    table.close();
    value
}

/// The digest of `{ env = "NAME" }`, or that of `{ sha256 = "64 hex digits" }`.
pub(super) fn digest(place: &Place<'_>, variables: Variables<'_>) -> Option<Digest> {
    let mut table = place.table()?;
    let digest = match (table.optional("env"), table.optional("sha256")) {
        (Some(name), None) => variable(&name, variables).map(|secret| Digest::of(&secret)),
        (None, Some(digits)) => digits.text().and_then(|text| {
            let mut bytes = [0; 32];
            match hex::decode_to_slice(text, &mut bytes) {
                Ok(()) => Some(Digest(bytes)),
                Err(_) => digits.misformed("64 hex digits", text),
            }
        }),
        _ => {
            place.push("expected either `env` or `sha256`, found neither or both".into());
            None
        }
    };
    table.close();
    digest
}

/// The value of a variable. It must not be empty, have white space at its ends, or have control characters: a line break that
/// a file or a shell left there would change the secret.
fn variable(name: &Place<'_>, variables: Variables<'_>) -> Option<String> {
    let text = name.text()?;
    let value = variables(text).filter(|value| !value.is_empty());
    let found = match &value {
        None => "none",
        Some(value) if value.trim() != value => "white space before or after it",
        Some(value) if value.chars().any(char::is_control) => "a control character in it",
        Some(_) => return value,
    };
    // Another text than a name may be the secret itself.
    let is_name = text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let named = if is_name { format!("the environment variable `{text}`") } else { "this environment variable".into() };
    name.push(format!("expected {named} to hold a secret, found {found}"));
    None
}
