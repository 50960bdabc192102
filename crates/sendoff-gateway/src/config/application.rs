//! Applications and the chains, tokens and collections that are enabled for them.

use std::collections::HashSet;

use sendoff::{
    estimate::{Fees, TransactionFees},
    user_op::Policies,
    value::{Address, ChainId, TokenAddress},
};

use super::{
    secret::{Credential, Digest, Variables, digest},
    toml::Place,
};

/// An application: its keys, its users, and its enabled chains.
#[derive(Clone, Debug)]
pub struct Application {
    /// Its name in logs, and the scope of its rate window.
    pub name: String,
    /// Its smart wallet.
    pub client_swa: Address,
    /// Its API keys of the client side.
    pub keys: Vec<Digest>,
    /// Its API keys of the server side.
    pub server_keys: Vec<Digest>,
    /// The enabled chains, in the order of the file.
    pub chains: Vec<Chain>,
    /// Its users.
    pub users: Vec<User>,
}

/// A chain that is enabled for an application.
#[derive(Clone, Debug)]
pub struct Chain {
    /// CAIP-2.
    pub id: ChainId,
    /// Its name for people.
    pub name: String,
    /// Its policies.
    pub policies: Policies,
    /// The fees of a transfer on it.
    pub fees: Fees,
    /// The whitelisted tokens.
    pub tokens: Vec<Token>,
    /// The whitelisted collections.
    pub collections: Vec<Address>,
}

/// A whitelisted token.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its name for people.
    pub name: String,
    /// Its contract; empty for the chain's own token.
    pub address: TokenAddress,
}

/// A user with a token.
#[derive(Clone, Debug)]
pub struct User {
    /// The digest of the access token.
    pub token: Digest,
    /// The smart wallet.
    pub user_swa: Address,
}

pub(super) fn application(place: &Place<'_>, variables: Variables<'_>) -> Option<Application> {
    let mut table = place.table()?;
    let name = table.required("name").and_then(|place| plain(&place));
    let client_swa = table.required("client_swa").and_then(|place| place.parsed());
    let keys = all(table.list("keys"), |place| digest(place, Credential::Key, variables));
    let server_keys = all(table.list("server_keys"), |place| digest(place, Credential::Key, variables));
    let chains = all(table.list("chain"), chain);
    let users = all(table.list("user"), |place| user(place, variables));
    table.close();
    let chains: Vec<Chain> = chains?;
    let mut ids = HashSet::new();
    for chain in &chains {
        if !ids.insert(&chain.id) {
            place.push(format!("expected each chain once, found `{}` again", chain.id));
        }
    }
    let (client_swa, keys, server_keys) = (client_swa?, keys?, server_keys?);
    Some(Application { name: name?, client_swa, keys, server_keys, chains, users: users? })
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

fn chain(place: &Place<'_>) -> Option<Chain> {
    let mut table = place.table()?;
    let id: Option<ChainId> = table.required("id").and_then(|place| place.parsed());
    let name = table.required("name").and_then(|place| plain(&place));
    let gsn_enabled = table.or("gsn_enabled", false, Place::flag);
    let sponsorship_enabled = table.or("sponsorship_enabled", false, Place::flag);
    let fee = table.or("transaction_fee", None, |place| place.parsed().map(Some));
    let tokens = all(table.list("tokens"), token);
    let collections = all(table.list("collections"), |place| place.parsed());
    table.close();
    let id = id?;
    let transaction_fees = fee?.map(|fee| vec![(id.clone(), fee)]).unwrap_or_default();
    Some(Chain {
        id,
        name: name?,
        policies: Policies { gsn_enabled: gsn_enabled?, sponsorship_enabled: sponsorship_enabled? },
        fees: Fees {
            approx_transaction_fees_in_usdt: String::new(),
            transaction_fees: TransactionFees::new(transaction_fees).unwrap_or_default(),
        },
        tokens: tokens?,
        collections: collections?,
    })
}

fn token(place: &Place<'_>) -> Option<Token> {
    let mut table = place.table()?;
    let name = table.required("name").and_then(|place| plain(&place));
    let address = table.required("address").and_then(|place| place.parsed());
    table.close();
    Some(Token { name: name?, address: address? })
}

fn user(place: &Place<'_>, variables: Variables<'_>) -> Option<User> {
    let mut table = place.table()?;
    let token = table.required("token").and_then(|place| digest(&place, Credential::Token, variables));
    let user_swa = table.required("user_swa").and_then(|place| place.parsed());
    table.close();
    Some(User { token: token?, user_swa: user_swa? })
}
