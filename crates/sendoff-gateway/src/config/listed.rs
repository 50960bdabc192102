//! Chains, tokens and collections as tables of a file: what the lists of a configuration have, and the applications that
//! `export` writes.

use sendoff::{
    catalogue::{
        Catalogue, CatalogueName, Disabling, KnownChain, KnownCollection, KnownToken, Net,
    },
    error::{Issue, IssueCode},
    user_op::Policies,
    value::{Address, ChainId, FeeAmount, TokenAddress},
};
use serde::{Deserialize, Serialize};

use super::{
    Chain,
    value::{Form, formed},
};

/// The chains of `[[list.NAME.chain]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    #[serde(default)]
    pub(super) chain: Vec<Listed>,
}

/// A chain with its tokens and collections.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listed {
    pub(super) id: ChainId,
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
    collections: Vec<ListedCollection>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedToken {
    name: CatalogueName,
    address: TokenAddress,
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    whitelisted: bool,
}

/// A collection: `{ address = "0x…", whitelisted = false }`, or the address alone.
#[derive(Clone, Debug, Serialize)]
struct ListedCollection {
    address: Address,
    #[serde(skip_serializing_if = "is_yes")]
    whitelisted: bool,
}

/// The table of a collection.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CollectionTable {
    address: Address,
    #[serde(default = "yes")]
    whitelisted: bool,
}

impl Form for ListedCollection {
    const EXPECTED: &'static str = "the address of a collection, or `{ address = \"0x…\" }`";
    type Table = CollectionTable;

    fn of_text(text: &str) -> Result<Self, String> {
        let address = text.parse().map_err(|error: sendoff::Error| error.to_string())?;
        Ok(Self { address, whitelisted: true })
    }

    fn of_table(CollectionTable { address, whitelisted }: CollectionTable) -> Result<Self, String> {
        Ok(Self { address, whitelisted })
    }
}

impl<'de> Deserialize<'de> for ListedCollection {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        formed(deserializer)
    }
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
        self.collections.iter_mut().for_each(|collection| collection.whitelisted = false);
        self
    }

    /// The chains of a catalogue, each with its policies and its fee.
    pub(crate) fn of(catalogue: &Catalogue, chains: &[Chain]) -> Vec<Self> {
        let listed = |known: &KnownChain| {
            let chain = chains.iter().find(|chain| chain.id == known.caip2_id);
            let policies = chain.map(|chain| &chain.policies);
            let tokens = catalogue.known_tokens().iter();
            let collections = catalogue.known_collections().iter();
            Self {
                id: known.caip2_id.clone(),
                name: known.name.clone(),
                net: known.net,
                enabled: known.enabled,
                gsn_enabled: policies.is_some_and(|policies| policies.gsn_enabled),
                sponsorship_enabled: policies.is_some_and(|policies| policies.sponsorship_enabled),
                transaction_fee: chain.and_then(Chain::fee).cloned(),
                tokens: tokens
                    .filter(|token| token.caip2_id == known.caip2_id)
                    .map(|token| ListedToken {
                        name: token.name.clone(),
                        address: token.token_address,
                        whitelisted: token.whitelisted,
                    })
                    .collect(),
                collections: collections
                    .filter(|one| one.caip2_id == known.caip2_id)
                    .map(|one| ListedCollection {
                        address: one.collection_address,
                        whitelisted: one.whitelisted,
                    })
                    .collect(),
            }
        };
        catalogue.known_chains().iter().map(listed).collect()
    }
}

impl From<&Listed> for Chain {
    fn from(listed: &Listed) -> Self {
        let policies = Policies {
            gsn_enabled: listed.gsn_enabled,
            sponsorship_enabled: listed.sponsorship_enabled,
        };
        Self::new(listed.id.clone(), policies, listed.transaction_fee)
    }
}

/// The catalogue of these chains. Its rules are the core's.
///
/// # Errors
///
/// The problems of the catalogue. The path of a rule is a place in the catalogue and not in the file; its message names the
/// entry.
pub(crate) fn catalogue(disable: Disabling, listed: &[Listed]) -> Result<Catalogue, String> {
    let chain = |one: &Listed| KnownChain {
        caip2_id: one.id.clone(),
        name: one.name.clone(),
        net: one.net,
        enabled: one.enabled,
    };
    let tokens = listed.iter().flat_map(|one| {
        one.tokens.iter().map(|token| KnownToken {
            caip2_id: one.id.clone(),
            token_address: token.address,
            name: token.name.clone(),
            whitelisted: token.whitelisted,
        })
    });
    let collections = listed.iter().flat_map(|one| {
        one.collections.iter().map(|collection| KnownCollection {
            caip2_id: one.id.clone(),
            collection_address: collection.address,
            whitelisted: collection.whitelisted,
        })
    });

    let chains = listed.iter().map(chain).collect();
    let made = Catalogue::new(disable, chains, tokens.collect(), collections.collect());
    made.map_err(|error| {
        let sentence = |issue: Issue| {
            if issue.code == IssueCode::Rule { issue.message } else { issue.to_string() }
        };
        error.into_issues().into_iter().map(sentence).collect::<Vec<_>>().join("; ")
    })
}
