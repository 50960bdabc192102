//! The parts of applications: keys and users, the clock that ends keys, and what they may use.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use sendoff::catalogue::{Catalogue, Disabling};
use sendoff::user_op::Policies;
use sendoff::value::{Address, ChainId, FeeAmount};
use serde::{Deserialize, Serialize};

use super::Digest;

/// A key, or the token of a user. Times are by the clock of the database, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Its digest.
    pub sha256: Digest,
    /// Who has it.
    pub of: Holder,
    /// When it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_ms: Option<i64>,
    /// When it ends; `None` if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_ms: Option<i64>,
}

/// Who has a key or a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Holder {
    /// The client side of the application.
    Client,
    /// Its server side.
    Server,
    /// The user of this smart wallet.
    User(Address),
}

impl Holder {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
            Self::User(_) => "user",
        }
    }

    /// The wallet of a user.
    pub(crate) const fn wallet(self) -> Option<Address> {
        match self {
            Self::User(wallet) => Some(wallet),
            Self::Client | Self::Server => None,
        }
    }
}

/// The same moment by the clock of the database and by that of this process, which nobody sets.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    of_database: i64,
    of_process: Instant,
}

impl Clock {
    /// The clock of a database whose time is now, in milliseconds since 1970.
    pub(crate) fn new(of_database: i64) -> Self {
        Self { of_database, of_process: Instant::now() }
    }

    /// A moment of the database by the clock of this process.
    pub(crate) fn at(self, ms: i64) -> Instant {
        let left = Duration::from_millis(ms.saturating_sub(self.of_database).max(0).unsigned_abs());
        // An end that no clock reaches is a century away.
        let century = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        self.of_process.checked_add(left.min(century)).unwrap_or(self.of_process)
    }
}

/// Who pays for transfers on a chain, and what they cost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Sponsorship {
    gsn_enabled: bool,
    sponsorship_enabled: bool,
    /// The fee of a transfer in the smallest unit of the chain's token; absent if replies have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) transaction_fee: Option<FeeAmount>,
}

impl Sponsorship {
    pub(crate) const fn policies(&self) -> Policies {
        let Self { gsn_enabled, sponsorship_enabled, .. } = *self;
        Policies { gsn_enabled, sponsorship_enabled }
    }
}

/// What a new application has, unless it is made with a catalogue of its own.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(!default)]
pub struct Known {
    pub(crate) catalogue: Catalogue,
    #[schemars(with = "BTreeMap<String, Sponsorship>")]
    pub(crate) sponsorship: BTreeMap<ChainId, Sponsorship>,
}

impl Default for Known {
    fn default() -> Self {
        Self { catalogue: no_chains(), sponsorship: BTreeMap::new() }
    }
}

/// The catalogue of an application that may use nothing.
pub(crate) fn no_chains() -> Catalogue {
    #[expect(clippy::unwrap_used, reason = "no entry breaks a rule")]
    Catalogue::new(Disabling::Never, Vec::new(), Vec::new(), Vec::new()).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the clock of this process says, a key ends when the database says so.
    #[test]
    fn the_clock_of_the_database_ends_keys() {
        for of_database in [0, 1_000, 1_900_000_000_000] {
            let clock = Clock::new(of_database);
            let left = |ms: i64| clock.at(of_database.saturating_add(ms)) - clock.of_process;
            assert_eq!(left(1_500), Duration::from_millis(1_500));
            assert_eq!((left(0), left(-5)), (Duration::ZERO, Duration::ZERO));
            assert!(left(i64::MAX) > Duration::from_secs(1 << 30));
        }
    }
}
