//! Keys and users of applications, the clock that ends keys, and what applications can enable.

use std::{
    collections::{BTreeMap, HashSet},
    time::{Duration, Instant},
};

use sendoff::{catalogue::Disabling, value::Address};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use super::{Digest, Listed, listed::List};

/// A key or a token. Times are by the clock of the database, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Its digest.
    pub sha256: Digest,
    /// When it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_ms: Option<i64>,
    /// When it ends; `None` if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_ms: Option<i64>,
}

impl Key {
    /// A key that does not end.
    #[must_use]
    pub const fn lasting(sha256: Digest) -> Self {
        Self { sha256, made_ms: None, ends_ms: None }
    }
}

/// A user with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct User {
    /// The access token.
    pub token: Key,
    /// The smart wallet.
    pub user_swa: Address,
}

/// The same moment by the clock of the database and by that of this process, which nobody sets.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    of_database: i64,
    of_process: Instant,
}

impl Clock {
    /// The clock of a database whose time is now, in milliseconds since 1970.
    #[must_use]
    pub fn new(of_database: i64) -> Self {
        Self { of_database, of_process: Instant::now() }
    }

    /// A moment of the database by the clock of this process.
    #[must_use]
    pub fn at(self, ms: i64) -> Instant {
        let left = Duration::from_millis(ms.saturating_sub(self.of_database).max(0).unsigned_abs());
        // An end that no clock reaches is a century away.
        let century = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        self.of_process.checked_add(left.min(century)).unwrap_or(self.of_process)
    }
}

/// What applications can enable: the chains of the file's lists, nothing of them enabled.
#[derive(Clone, Debug, Default)]
pub struct Known(pub(crate) Vec<Listed>);

impl Known {
    /// Reads the lists of a file. A chain of several lists is that of the first one.
    pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let lists = BTreeMap::<String, List>::deserialize(deserializer)?;
        let mut seen = HashSet::new();
        let all = lists.into_values().flat_map(|list| list.chain);
        let first = all.filter(|one| seen.insert(one.id.clone()));
        let known = Self(first.map(Listed::off).collect());
        Listed::catalogue(&known.0, Disabling::Never).map_err(D::Error::custom)?;
        Ok(known)
    }
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
