//! Applications and the chains, tokens and collections that are enabled for them.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use sendoff::{
    catalogue::{
        Catalogue, CatalogueName, Disabling, KnownChain, KnownCollection, KnownToken, ListedToken,
        Net,
    },
    error::{Error, IssueCode},
    estimate::{Fees, TransactionFees},
    rate_limit::Policy,
    user_op::Policies,
    value::{Address, ChainId, FeeAmount, TokenAddress},
};

use super::{
    Origins,
    cors::origins,
    read::policy,
    secret::{Credential, Key, Variables, key},
    toml::{Place, Table},
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

/// Reads an application.
pub(super) fn application(
    place: &Place<'_>,
    lists: &Lists,
    variables: Variables<'_>,
) -> Option<Application> {
    let mut table = place.table()?;
    let name = table.required("name").and_then(|place| plain(&place));
    let policy = table.or("policy", None, |place| policy(place).map(Some));
    let origins = table.or("origins", None, |place| origins(place).map(Some));
    let client_swa = table.required("client_swa").and_then(|place| place.parsed());
    let keys = all(table.list("keys"), |place| key(place, Credential::Key, variables));
    let server_keys =
        all(table.list("server_keys"), |place| key(place, Credential::Key, variables));
    let disable = table.or("disable", Disabling::Never, Place::parsed);
    let shared = all(table.list("lists"), |place| lists.named(place));
    let chains = all(table.list("chain"), chain);
    let users = all(table.list("user"), |place| user(place, variables));

    table.close();
    let chains: Vec<_> = shared?.into_iter().flatten().chain(chains?).collect();
    // The core's error has at most 1,000 issues; a file's problems are all told.
    let mut ids = HashSet::new();

    for one in chains.iter().filter(|one| !ids.insert(&one.chain.id)) {
        place.push(format!("expected each chain once, found `{}` again", one.chain.id));
    }
    if ids.len() < chains.len() {
        return None;
    }

    let catalogue = catalogue(&|message| place.push(message), disable?, &chains)?;
    let chains = chains.into_iter().map(|listed| listed.chain).collect();
    let (client_swa, keys, server_keys) = (client_swa?, keys?, server_keys?);
    let (name, policy, origins, users) = (name?, policy?, origins?, users?);
    let offer = Arc::new(catalogue.into());

    Some(Application { name, policy, origins, client_swa, keys, server_keys, offer, chains, users })
}

/// Makes the catalogue of the listed chains. Its rules are the core's.
fn catalogue(push: &dyn Fn(String), disable: Disabling, listed: &[Listed]) -> Option<Catalogue> {
    let chains = listed.iter().map(|one| one.known.clone()).collect();
    let tokens = listed.iter().flat_map(|one| one.tokens.iter().cloned()).collect();
    let collections = listed.iter().flat_map(|one| one.collections.iter().cloned()).collect();

    let made = Catalogue::new(disable, chains, tokens, collections);
    let refused = |error: Error| {
        for issue in error.into_issues() {
            // The path of a rule is a place in the catalogue and not in the file; its message names
            // the entry.
            push(if issue.code == IssueCode::Rule { issue.message } else { issue.to_string() });
        }
    };
    made.map_err(refused).ok()
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

    /// The catalogue of all lists, with nothing enabled: what an application of the database can enable. A chain of several
    /// lists is that of the first one.
    pub(super) fn known(&self, place: &Table<'_>, has_database: bool) -> Option<Known> {
        let mut names: Vec<_> = self.0.iter().filter(|_| has_database).collect();
        names.sort_by_key(|(name, _)| *name);
        let mut seen = HashSet::new();
        let listed = names.into_iter().filter_map(|(_, list)| list.as_ref()).flatten();
        let listed: Vec<_> =
            listed.filter(|one| seen.insert(&one.known.caip2_id)).map(Listed::off).collect();

        let push = |message| place.push("list", message);
        let catalogue = catalogue(&push, Disabling::Never, &listed)?;
        Some(Known { catalogue, chains: listed.into_iter().map(|one| one.chain).collect() })
    }

    /// The chains of a list.
    fn named(&self, place: &Place<'_>) -> Option<Vec<Listed>> {
        let name = place.text()?;
        let known = self.0.get(name);
        known.map_or_else(|| place.misformed("the name of a list of this file", name), Clone::clone)
    }
}

/// What the service knows, and what applications of the database begin with.
#[derive(Clone, Debug)]
pub struct Known {
    /// The chains, tokens and collections of the file's lists, none of them enabled.
    pub catalogue: Catalogue,
    /// The policies and fees of its chains.
    pub chains: Vec<Chain>,
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

impl Listed {
    /// The same, with nothing enabled.
    fn off(&self) -> Self {
        let mut off = self.clone();
        off.known.enabled = false;
        off.tokens.iter_mut().for_each(|token| token.whitelisted = false);
        off.collections.iter_mut().for_each(|collection| collection.whitelisted = false);
        off
    }
}

/// Reads every item, even after an item with problems.
pub(super) fn all<'a, T>(
    items: Option<Vec<Place<'a>>>,
    read: impl Fn(&Place<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    items?.iter().map(read).collect::<Vec<_>>().into_iter().collect()
}

/// Reads a name that is short enough for a line of log and has no control characters.
pub(super) fn plain(place: &Place<'_>) -> Option<String> {
    let text = place.text()?;
    let fits = (1..=64).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if !fits {
        return place
            .misformed("a name of 1 to 64 characters, none of them a control character", text);
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
    let enabled = table.or("enabled", true, Place::flag);
    let gsn_enabled = table.or("gsn_enabled", false, Place::flag);
    let sponsorship_enabled = table.or("sponsorship_enabled", false, Place::flag);
    let fee = table.or("transaction_fee", None, |place| place.parsed().map(Some));
    let tokens = all(table.list("tokens"), token);
    let collections = all(table.list("collections"), collection);
    table.close();

    let id = id?;
    let collections = collections?.into_iter().map(|(collection_address, whitelisted)| {
        KnownCollection { caip2_id: id.clone(), collection_address, whitelisted }
    });
    let tokens = tokens?.into_iter().map(|(name, token_address, whitelisted)| KnownToken {
        caip2_id: id.clone(),
        token_address,
        name,
        whitelisted,
    });
    let policies =
        Policies { gsn_enabled: gsn_enabled?, sponsorship_enabled: sponsorship_enabled? };
    Some(Listed {
        collections: collections.collect(),
        tokens: tokens.collect(),
        known: KnownChain { caip2_id: id.clone(), name: name?, net: net?, enabled: enabled? },
        chain: Chain::new(id, policies, fee?),
    })
}

/// Reads the name and the address of a token, and whether it is whitelisted.
fn token(place: &Place<'_>) -> Option<(CatalogueName, TokenAddress, bool)> {
    let mut table = place.table()?;
    let name = table.required("name").and_then(|place| name_of(&place));
    let address = table.required("address").and_then(|place| place.parsed());
    let whitelisted = table.or("whitelisted", true, Place::flag);
    table.close();
    Some((name?, address?, whitelisted?))
}

/// Reads the address of a whitelisted collection, or `{ address = "…", whitelisted = false }`.
fn collection(place: &Place<'_>) -> Option<(Address, bool)> {
    if !place.is_table() {
        return place.parsed().map(|address| (address, true));
    }
    let mut table = place.table()?;
    let address = table.required("address").and_then(|place| place.parsed());
    let whitelisted = table.or("whitelisted", true, Place::flag);
    table.close();
    Some((address?, whitelisted?))
}

fn user(place: &Place<'_>, variables: Variables<'_>) -> Option<Arc<User>> {
    let mut table = place.table()?;
    let token = table.required("token").and_then(|place| key(&place, Credential::Token, variables));
    let user_swa = table.required("user_swa").and_then(|place| place.parsed());
    table.close();
    Some(Arc::new(User { token: token?, user_swa: user_swa? }))
}
