//! Applications and the chains, tokens and collections that are enabled for them.

use std::collections::{HashMap, HashSet};

use sendoff::{
    catalogue::{Catalogue, CatalogueName, Disabling, KnownChain, KnownCollection, KnownToken, ListedToken, Net},
    error::IssueCode,
    estimate::{Fees, TransactionFees},
    rate_limit::Policy,
    user_op::Policies,
    value::{Address, ChainId, TokenAddress},
};

use super::{
    Origins,
    cors::origins,
    read::policy,
    secret::{Credential, Digest, Variables, digest},
    toml::{Place, Table},
};

/// An application: its keys, its users, and its enabled chains.
#[derive(Clone, Debug)]
pub struct Application {
    /// Its name in logs, and the scope of its rate window.
    pub name: String,
    /// Its limit, or else its environment's; `None` if it has none.
    pub policy: Option<Policy>,
    /// The pages that may call for it, instead of its environment's.
    pub origins: Option<Origins>,
    /// Its smart wallet.
    pub client_swa: Address,
    /// Its API keys of the client side.
    pub keys: Vec<Digest>,
    /// Its API keys of the server side.
    pub server_keys: Vec<Digest>,
    /// The chains, tokens and collections that it may use. All chains of the file are enabled, and what the file lists for
    /// them is whitelisted.
    pub catalogue: Catalogue,
    /// The answer to the question for its tokens.
    pub tokens: Vec<ListedToken>,
    /// The policies and fees of each chain of the catalogue.
    pub chains: Vec<Chain>,
    /// Its users.
    pub users: Vec<User>,
}

/// The policies and fees of a chain.
#[derive(Clone, Debug)]
pub struct Chain {
    /// CAIP-2.
    pub id: ChainId,
    /// Its policies.
    pub policies: Policies,
    /// The fees of a transfer on it.
    pub fees: Fees,
}

/// A user with a token.
#[derive(Clone, Debug)]
pub struct User {
    /// The digest of the access token.
    pub token: Digest,
    /// The smart wallet.
    pub user_swa: Address,
}

/// Reads an application of an environment with this policy.
pub(super) fn application(
    place: &Place<'_>,
    of_environment: Option<Policy>,
    lists: &Lists,
    variables: Variables<'_>,
) -> Option<Application> {
    let mut table = place.table()?;
    let name = table.required("name").and_then(|place| plain(&place));
    let policy = table.or("policy", of_environment, policy);
    let origins = table.or("origins", None, |place| origins(place).map(Some));
    let client_swa = table.required("client_swa").and_then(|place| place.parsed());
    let keys = all(table.list("keys"), |place| digest(place, Credential::Key, variables));
    let server_keys = all(table.list("server_keys"), |place| digest(place, Credential::Key, variables));
    let shared = all(table.list("lists"), |place| lists.named(place));
    let chains = all(table.list("chain"), chain);
    let users = all(table.list("user"), |place| user(place, variables));
    table.close();
    let chains = shared?.into_iter().flatten().chain(chains?).collect();
    let (catalogue, chains) = catalogue(place, chains)?;
    let (client_swa, keys, server_keys) = (client_swa?, keys?, server_keys?);
    let tokens = catalogue.tokens();
    let (name, policy, origins, users) = (name?, policy?, origins?, users?);
    Some(Application { name, policy, origins, client_swa, keys, server_keys, catalogue, tokens, chains, users })
}

/// Makes the catalogue of the listed chains.
fn catalogue(place: &Place<'_>, listed: Vec<Listed>) -> Option<(Catalogue, Vec<Chain>)> {
    // The core's error has at most 1,000 issues; a file's problems are all told.
    let mut ids = HashSet::new();
    for one in listed.iter().filter(|one| !ids.insert(&one.chain.id)) {
        place.push(format!("expected each chain once, found `{}` again", one.chain.id));
    }
    if ids.len() < listed.len() {
        return None;
    }

    let (mut known, mut tokens, mut collections, mut chains) = (vec![], vec![], vec![], vec![]);
    for mut one in listed {
        known.push(one.known);
        tokens.append(&mut one.tokens);
        collections.append(&mut one.collections);
        chains.push(one.chain);
    }

    match Catalogue::new(Disabling::Never, known, tokens, collections) {
        Ok(catalogue) => Some((catalogue, chains)),
        Err(error) => {
            for issue in error.into_issues() {
                // The path of a rule is a place in the catalogue and not in the file; its message names the entry.
                place.push(if issue.code == IssueCode::Rule { issue.message } else { issue.to_string() });
            }
            None
        }
    }
}

/// The lists of chains that applications share, by their names. A list with a problem is `None`.
pub(super) struct Lists(HashMap<String, Option<Vec<Listed>>>);

impl Lists {
    /// Reads `[[list.NAME.chain]]`.
    pub(super) fn read(file: &mut Table<'_>) -> Self {
        let table = file.optional("list").and_then(|place| place.table());
        let entries = table.map(|table| table.entries()).unwrap_or_default();
        let list = |(name, place): (&str, Place<'_>)| (name.to_owned(), list(&place));
        Self(entries.into_iter().map(list).collect())
    }

    /// The chains of a list.
    fn named(&self, place: &Place<'_>) -> Option<Vec<Listed>> {
        let name = place.text()?;
        let known = self.0.get(name);
        known.map_or_else(|| place.misformed("the name of a list of this file", name), Clone::clone)
    }
}

fn list(place: &Place<'_>) -> Option<Vec<Listed>> {
    let mut table = place.table()?;
    let chains = all(table.list("chain"), chain);
    table.close();
    chains
}

/// A chain of the file.
#[derive(Clone)]
struct Listed {
    known: KnownChain,
    tokens: Vec<KnownToken>,
    collections: Vec<KnownCollection>,
    chain: Chain,
}

/// Reads every item, even after an item with problems.
fn all<'a, T>(items: Option<Vec<Place<'a>>>, read: impl Fn(&Place<'a>) -> Option<T>) -> Option<Vec<T>> {
    items?.iter().map(read).collect::<Vec<_>>().into_iter().collect()
}

/// Reads a name that is short enough for a line of log and has no control characters.
fn plain(place: &Place<'_>) -> Option<String> {
    let text = place.text()?;
    let fits = (1..=64).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if !fits {
        return place.misformed("a name of 1 to 64 characters, none of them a control character", text);
    }
    Some(text.into())
}

/// Reads the name of a chain or a token, which has the bounds of [`plain`].
fn name_of(place: &Place<'_>) -> Option<CatalogueName> {
    plain(place)?.parse().ok()
}

fn chain(place: &Place<'_>) -> Option<Listed> {
    let mut table = place.table()?;
    let id: Option<ChainId> = table.required("id").and_then(|place| place.parsed());
    let name = table.required("name").and_then(|place| name_of(&place));
    let net = table.or("net", Net::Main, Place::parsed);
    let gsn_enabled = table.or("gsn_enabled", false, Place::flag);
    let sponsorship_enabled = table.or("sponsorship_enabled", false, Place::flag);
    let fee = table.or("transaction_fee", None, |place| place.parsed().map(Some));
    let tokens = all(table.list("tokens"), token);
    let collections: Option<Vec<Address>> = all(table.list("collections"), |place| place.parsed());
    table.close();

    let id = id?;
    let transaction_fees = fee?.map(|fee| vec![(id.clone(), fee)]).unwrap_or_default();
    let collections = collections?.into_iter().map(|collection_address| KnownCollection {
        caip2_id: id.clone(),
        collection_address,
        whitelisted: true,
    });
    let tokens = tokens?.into_iter().map(|(name, token_address)| KnownToken {
        caip2_id: id.clone(),
        token_address,
        name,
        whitelisted: true,
    });
    Some(Listed {
        collections: collections.collect(),
        tokens: tokens.collect(),
        known: KnownChain { caip2_id: id.clone(), name: name?, net: net?, enabled: true },
        chain: Chain {
            id,
            policies: Policies { gsn_enabled: gsn_enabled?, sponsorship_enabled: sponsorship_enabled? },
            fees: Fees {
                approx_transaction_fees_in_usdt: String::new(),
                transaction_fees: TransactionFees::new(transaction_fees).unwrap_or_default(),
            },
        },
    })
}

/// Reads the name and the address of a token.
fn token(place: &Place<'_>) -> Option<(CatalogueName, TokenAddress)> {
    let mut table = place.table()?;
    let name = table.required("name").and_then(|place| name_of(&place));
    let address = table.required("address").and_then(|place| place.parsed());
    table.close();
    Some((name?, address?))
}

fn user(place: &Place<'_>, variables: Variables<'_>) -> Option<User> {
    let mut table = place.table()?;
    let token = table.required("token").and_then(|place| digest(&place, Credential::Token, variables));
    let user_swa = table.required("user_swa").and_then(|place| place.parsed());
    table.close();
    Some(User { token: token?, user_swa: user_swa? })
}
