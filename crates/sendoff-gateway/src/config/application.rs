//! Applications and the chains, tokens and collections that are enabled for them.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use sendoff::{
    catalogue::{Catalogue, Disabling, ListedToken},
    estimate::{Fees, TransactionFees},
    rate_limit::Policy,
    user_op::Policies,
    value::{Address, ChainId, FeeAmount},
};

use super::{
    Key, Origins,
    listed::{Listed, catalogue},
};

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
}

impl Application {
    /// The policies and fees of a chain.
    pub(crate) fn chain(&self, id: &ChainId) -> Chain {
        let known = self.chains.iter().find(|chain| chain.id == *id);
        known.cloned().unwrap_or_else(|| Chain::plain(id.clone()))
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

/// A user with a token.
#[derive(Clone, Debug)]
pub struct User {
    /// The access token.
    pub token: Key,
    /// The smart wallet.
    pub user_swa: Address,
}

/// What the service knows, and what applications begin with.
#[derive(Clone, Debug)]
pub struct Known {
    /// The chains, tokens and collections of the file's lists, none of them enabled.
    pub catalogue: Catalogue,
    /// The policies and fees of its chains.
    pub chains: Vec<Chain>,
}

impl Known {
    /// What is in these lists. A chain of several lists is that of the first one.
    ///
    /// # Errors
    ///
    /// The problems of the catalogue.
    pub(super) fn new(lists: BTreeMap<String, super::listed::List>) -> Result<Self, String> {
        let mut seen = HashSet::new();
        let all = lists.into_values().flat_map(|list| list.chain);
        let listed: Vec<_> =
            all.filter(|one| seen.insert(one.id.clone())).map(Listed::off).collect();

        let catalogue = catalogue(Disabling::Never, &listed)?;
        Ok(Self { catalogue, chains: listed.iter().map(Chain::from).collect() })
    }
}
