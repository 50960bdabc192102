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

use super::Chain;

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

    /// A chain of a catalogue, with the policies and the fee that it has.
    pub(crate) fn new(known: &KnownChain, catalogue: &Catalogue, chain: &Chain) -> Self {
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
            gsn_enabled: chain.policies.gsn_enabled,
            sponsorship_enabled: chain.policies.sponsorship_enabled,
            transaction_fee: chain.fee().copied(),
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

    /// The catalogue of these chains. Its rules are the core's.
    ///
    /// # Errors
    ///
    /// The problems of the catalogue. The path of a rule is a place in the catalogue and not in the file; its message names the
    /// entry.
    pub(crate) fn catalogue(all: &[Self], disable: Disabling) -> Result<Catalogue, String> {
        let (mut chains, mut tokens, mut collections) = (Vec::new(), Vec::new(), Vec::new());
        for Self { id, name, net, enabled, .. } in all {
            let (caip2_id, name) = (id.clone(), name.clone());
            chains.push(KnownChain { caip2_id, name, net: *net, enabled: *enabled });
        }
        for one in all {
            tokens.extend(one.tokens.iter().map(|token| KnownToken {
                caip2_id: one.id.clone(),
                token_address: token.address,
                name: token.name.clone(),
                whitelisted: token.whitelisted,
            }));
            for (addresses, whitelisted) in
                [(&one.collections, true), (&one.known_collections, false)]
            {
                collections.extend(addresses.iter().map(|address| KnownCollection {
                    caip2_id: one.id.clone(),
                    collection_address: *address,
                    whitelisted,
                }));
            }
        }
        Catalogue::new(disable, chains, tokens, collections).map_err(|error| {
            let sentence = |issue: Issue| match issue.code {
                IssueCode::Rule => issue.message,
                _ => issue.to_string(),
            };
            error.into_issues().into_iter().map(sentence).collect::<Vec<_>>().join("; ")
        })
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
