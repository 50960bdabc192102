//! The parts of applications: keys and users, the clock that ends keys, and chains, tokens and collections as tables, which lists of
//! a configuration have too.

use std::{
    collections::{BTreeMap, HashSet},
    time::{Duration, Instant},
};

use sendoff::{
    catalogue::{
        Catalogue, CatalogueName, Disabling, KnownChain, KnownCollection, KnownToken, Net,
    },
    error::{Issue, IssueCode},
    user_op::Policies,
    value::{Address, ChainId, FeeAmount, TokenAddress},
};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use super::Digest;

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

/// The chains of `[[list.NAME.chain]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    chain: Vec<Listed>,
}

/// A chain with its tokens and collections.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listed {
    pub(crate) id: ChainId,
    name: CatalogueName,
    #[serde(default = "main_net")]
    net: Net,
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    enabled: bool,
    #[serde(default)]
    gsn_enabled: bool,
    #[serde(default)]
    sponsorship_enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_fee: Option<FeeAmount>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tokens: Vec<ListedToken>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    collections: Vec<Address>,
    /// Those that are not whitelisted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    known_collections: Vec<Address>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedToken {
    name: CatalogueName,
    address: TokenAddress,
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    whitelisted: bool,
}

const fn main_net() -> Net {
    Net::Main
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out a reference")]
const fn is_yes(flag: &bool) -> bool {
    *flag
}

impl Listed {
    /// The same, with nothing enabled.
    fn off(mut self) -> Self {
        self.enabled = false;
        self.tokens.iter_mut().for_each(|token| token.whitelisted = false);
        self.known_collections.splice(0..0, self.collections.drain(..));
        self
    }

    /// A chain of a catalogue, with the policies and the fee that it had before.
    pub(crate) fn new(known: &KnownChain, catalogue: &Catalogue, before: Option<&Self>) -> Self {
        let id = &known.caip2_id;
        let tokens = catalogue.known_tokens().iter().filter(|token| token.caip2_id == *id);
        let token = |token: &KnownToken| ListedToken {
            name: token.name.clone(),
            address: token.token_address,
            whitelisted: token.whitelisted,
        };
        let all = catalogue.known_collections().iter().filter(|one| one.caip2_id == *id);
        let (collections, others): (Vec<_>, Vec<_>) = all.partition(|one| one.whitelisted);
        let addresses = |all: Vec<&KnownCollection>| {
            all.into_iter().map(|one| one.collection_address).collect()
        };
        Self {
            id: id.clone(),
            name: known.name.clone(),
            net: known.net,
            enabled: known.enabled,
            gsn_enabled: before.is_some_and(|before| before.gsn_enabled),
            sponsorship_enabled: before.is_some_and(|before| before.sponsorship_enabled),
            transaction_fee: before.and_then(|before| before.transaction_fee),
            tokens: tokens.map(token).collect(),
            collections: addresses(collections),
            known_collections: addresses(others),
        }
    }

    /// Gives it these policies and this fee.
    pub(crate) fn sponsor(&mut self, policies: &Policies, fee: Option<FeeAmount>) {
        self.gsn_enabled = policies.gsn_enabled;
        self.sponsorship_enabled = policies.sponsorship_enabled;
        self.transaction_fee = fee;
    }

    /// Its policies.
    pub(crate) const fn policies(&self) -> Policies {
        let Self { gsn_enabled, sponsorship_enabled, .. } = *self;
        Policies { gsn_enabled, sponsorship_enabled }
    }

    /// `true` for a chain without policies and without a fee.
    pub(crate) const fn is_plain(&self) -> bool {
        !self.gsn_enabled && !self.sponsorship_enabled && self.transaction_fee.is_none()
    }

    /// The fee of a transfer.
    pub(crate) const fn fee(&self) -> Option<FeeAmount> {
        self.transaction_fee
    }

    /// The catalogue of these chains. Its rules are the core's.
    ///
    /// # Errors
    ///
    /// The problems of the catalogue. The path of a rule is a place in the catalogue and not in the file; its message names the
    /// entry.
    pub(crate) fn catalogue(all: &[Self], disable: Disabling) -> Result<Catalogue, String> {
        let chains = all.iter().map(|one| KnownChain {
            caip2_id: one.id.clone(),
            name: one.name.clone(),
            net: one.net,
            enabled: one.enabled,
        });
        let tokens = all.iter().flat_map(|one| {
            one.tokens.iter().map(|token| KnownToken {
                caip2_id: one.id.clone(),
                token_address: token.address,
                name: token.name.clone(),
                whitelisted: token.whitelisted,
            })
        });
        let collections = all.iter().flat_map(|one| {
            let whitelisted = one.collections.iter().map(|address| (*address, true));
            let all = whitelisted.chain(one.known_collections.iter().map(|other| (*other, false)));
            all.map(|(collection_address, whitelisted)| KnownCollection {
                caip2_id: one.id.clone(),
                collection_address,
                whitelisted,
            })
        });
        Catalogue::new(disable, chains.collect(), tokens.collect(), collections.collect()).map_err(
            |error| {
                let sentence = |issue: Issue| match issue.code {
                    IssueCode::Rule => issue.message,
                    _ => issue.to_string(),
                };
                error.into_issues().into_iter().map(sentence).collect::<Vec<_>>().join("; ")
            },
        )
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
