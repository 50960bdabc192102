//! The key of a window.

use alloc::string::String;

use crate::error::{Error, Issues, Path};
use crate::keccak::keccak256;
use crate::rate_limit::{Midnight, Policy};
use crate::text::fill;
use crate::value::{self, newtype};

/// The key of a caller's window: `sendoff:rw:v1:{environment.policy.caller}`.
///
/// `policy` is the part of a policy that changes the meaning of a window: its length, the day's offset and midnight.
/// The limit is left out, so that the count stays when the limit is raised. `caller` is 16 bytes in hex, a keyed hash
/// of the scope, so the store contains no API key. The braces keep all keys of a caller in one slot of a cluster.
///
/// ```
/// use sendoff::rate_limit::{Policy, redis::Key};
///
/// let policy = Policy::PRODUCTION;
/// let key = |environment, scope| Key::new(&policy, environment, scope, b"secret");
/// assert_ne!(key("production", "shop")?, key("sandbox", "shop")?);
/// assert_eq!(key("production", "shop")?.as_str().len(), 69);
/// assert!(key("no}brace", "shop").is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    text: String,
}

impl Key {
    /// Returns the key of a scope, the text that the host counts by; it is not empty. The environment's name is 1 to 32
    /// letters, digits, `-` or `_`. The secret is the host's: any bytes, the same in all processes.
    ///
    /// # Errors
    ///
    /// `format` at `environment` and at `scope`; `range` for text over 1 MiB.
    pub fn new(
        policy: &Policy,
        environment: &str,
        scope: &str,
        secret: &[u8],
    ) -> Result<Self, Error> {
        let mut issues = Issues::default();
        let environment =
            value::read(environment, &Path::Field(&Path::Root, "environment"), &mut issues);
        let scope = value::read(scope, &Path::Field(&Path::Root, "scope"), &mut issues);
        let (environment, scope) = issues.or(environment.zip(scope))?;
        Ok(Self::of(policy, &environment, &scope, secret))
    }

    pub(super) fn of(
        policy: &Policy,
        environment: &Environment,
        scope: &Scope,
        secret: &[u8],
    ) -> Self {
        // Keccak cannot be extended as SHA-2 can, so Keccak with the secret first is a keyed hash.
        let hash = keccak256(&[keccak256(&[secret]).as_slice(), scope.as_str().as_bytes()]);
        let caller = hash.first_chunk::<16>().map(const_hex::encode).unwrap_or_default();
        let midnight = if policy.midnight() == Midnight::Carry { "c" } else { "t" };
        let (length, offset) = (policy.window_ms(), policy.day_offset_minutes());
        let sign = if offset < 0 { "" } else { "+" };

        Self {
            text: fill(
                "sendoff:rw:v1:{{}.{}{}{}{}.{}}",
                &[&environment.as_str(), &length, &sign, &i64::from(offset), &midnight, &caller],
            ),
        }
    }

    /// The key's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

newtype! {
    /// The name of an environment.
    pub(super) struct Environment: "a name of 1 to 32 letters, digits, `-` or `_`",
        |text| {
            let plain = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_');
            (1..=32).contains(&text.len()) && text.bytes().all(plain)
        },
        pattern "^[-_a-zA-Z0-9]{1,32}$"
}

newtype! {
    /// The text that the host counts by.
    pub(super) struct Scope: "a scope, text that is not empty",
        |text| !text.is_empty(),
        schema |_| schemars::json_schema!({
            "type": "string",
            "description": <Self as value::Text>::EXPECTED,
            "minLength": 1,
        })
}
