//! Applications and the chains, tokens and collections that are enabled for them.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use sendoff::{
    catalogue::{Catalogue, Disabling, ListedToken},
    estimate::{Fees, TransactionFees},
    rate_limit::Policy,
    user_op::Policies,
    value::{Address, ChainId, FeeAmount},
};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use super::{Digest, Listed, Origins, listed::List};

/// An application: its keys, its users, and its enabled chains.
#[derive(Clone, Debug)]
pub struct Application {
    /// Its name in logs, and the scope of its rate window.
    pub name: String,
    /// Its own limit, `Some(None)` for none; `None` if it has its environment's.
    pub policy: Option<Option<Policy>>,
    /// The pages that may call for it, instead of its environment's.
    pub origins: Option<Origins>,
    /// Its smart wallet.
    pub client_swa: Address,
    /// Its API keys of the client side.
    pub keys: Vec<Key>,
    /// Its API keys of the server side.
    pub server_keys: Vec<Key>,
    /// What it may use.
    pub offer: Arc<Offer>,
    /// The policies and fees of chains. Others have no policy and no fee.
    pub chains: Vec<Chain>,
    /// Its users.
    pub users: Vec<Arc<User>>,
    /// The clock that ends its keys and tokens.
    pub clock: Clock,
}

impl Application {
    /// The policies and fees of a chain.
    pub(crate) fn chain(&self, id: &ChainId) -> Chain {
        let known = self.chains.iter().find(|chain| chain.id == *id);
        known.cloned().unwrap_or_else(|| Chain::plain(id.clone()))
    }
}

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

/// The chains, tokens and collections that an application may use. Applications with equal ones share it.
#[derive(Debug)]
pub struct Offer {
    /// The catalogue, whose rules are the core's.
    pub catalogue: Catalogue,
    /// The answer to the question for its tokens.
    pub tokens: Vec<ListedToken>,
}

impl From<Catalogue> for Offer {
    fn from(catalogue: Catalogue) -> Self {
        Self { tokens: catalogue.tokens(), catalogue }
    }
}

/// The policies and fees of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// CAIP-2.
    pub id: ChainId,
    /// Its policies.
    pub policies: Policies,
    /// The fees of a transfer on it.
    pub fees: Fees,
}

impl Chain {
    /// A chain without policies and without a fee.
    #[must_use]
    pub fn plain(id: ChainId) -> Self {
        Self::new(id, Policies { gsn_enabled: false, sponsorship_enabled: false }, None)
    }

    /// A chain with these policies and this fee of a transfer.
    #[must_use]
    pub fn new(id: ChainId, policies: Policies, fee: Option<FeeAmount>) -> Self {
        let fee = fee.map(|fee| vec![(id.clone(), fee)]).unwrap_or_default();
        let transaction_fees = TransactionFees::new(fee).unwrap_or_default();
        Self {
            id,
            policies,
            fees: Fees { approx_transaction_fees_in_usdt: String::new(), transaction_fees },
        }
    }

    /// The fee of a transfer.
    #[must_use]
    pub fn fee(&self) -> Option<&FeeAmount> {
        self.fees.transaction_fees.as_slice().first().map(|(_, fee)| fee)
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
