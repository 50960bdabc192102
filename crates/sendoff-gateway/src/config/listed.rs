//! Chains, tokens and collections as tables: those of a configuration's lists, and those of an application in a file and in the
//! database.

use sendoff::{
    catalogue::{
        Catalogue, CatalogueName, Disabling, KnownChain, KnownCollection, KnownToken, Net,
    },
    error::{Issue, IssueCode},
    user_op::Policies,
    value::{Address, ChainId, FeeAmount, TokenAddress},
};
use serde::{Deserialize, Serialize};

/// The chains of `[[list.NAME.chain]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    #[serde(default)]
    pub(super) chain: Vec<Listed>,
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
    pub(super) fn off(mut self) -> Self {
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
