//! The rules across the entries of a catalogue.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::{Catalogue, KnownChain, KnownCollection, KnownToken};
use crate::document::{Field, Items, Parts};
use crate::error::{IssueCode, Issues, Path};
use crate::text::fill;
use crate::value::{Address, ChainId, TokenAddress};

const CHAINS: Field<Catalogue, Items<KnownChain, 0, { Catalogue::MOST_CHAINS }>> =
    Field::of("chains");
const TOKENS: Field<Catalogue, Items<KnownToken, 0, { Catalogue::MOST_TOKENS }>> =
    Field::of("tokens");
const COLLECTIONS: Field<Catalogue, Items<KnownCollection, 0, { Catalogue::MOST_COLLECTIONS }>> =
    Field::of("collections");
const CHAIN: Field<KnownChain, ChainId> = Field::of("caip2Id");
const TOKEN_CHAIN: Field<KnownToken, ChainId> = Field::of("caip2Id");
const TOKEN: Field<KnownToken, TokenAddress> = Field::of("tokenAddress");
const COLLECTION_CHAIN: Field<KnownCollection, ChainId> = Field::of("caip2Id");
const COLLECTION: Field<KnownCollection, Address> = Field::of("collectionAddress");

/// Checks the rules between the entries that could be read.
pub(super) fn check_parts(catalogue: Parts<'_, Catalogue>, at: &Path<'_>, issues: &mut Issues) {
    let chains: Option<Vec<_>> = catalogue
        .items(CHAINS)
        .map(|chains| chains.into_iter().map(|chain| chain.get(CHAIN)).collect());
    let chains = chains.as_deref();
    let known = check_chains(chains.unwrap_or_default(), &Path::Field(at, CHAINS.path()), issues);

    // If the id of some chain could not be read, it is open whether an entry's chain is in the list.
    let is_whole = chains.is_some_and(|chains| chains.iter().all(Option::is_some));
    let chains = is_whole.then_some(known);
    let tokens = catalogue.items(TOKENS).unwrap_or_default().into_iter();
    let tokens = tokens.map(|token| (token.get(TOKEN_CHAIN), token.get(TOKEN)));
    let at_tokens = &Path::Field(at, TOKENS.path());
    check_contracts(&tokens.collect::<Vec<_>>(), chains.as_ref(), "token", at_tokens, issues);
    let collections = catalogue.items(COLLECTIONS).unwrap_or_default().into_iter();
    let collections = collections.map(|collection| {
        (collection.get(COLLECTION_CHAIN), collection.get(COLLECTION).map(TokenAddress::from))
    });
    let (collections, what) = (collections.collect::<Vec<_>>(), "collection");
    let at_collections = &Path::Field(at, COLLECTIONS.path());
    check_contracts(&collections, chains.as_ref(), what, at_collections, issues);
}

/// Each chain is of `eip155`, and in the list once. Returns those that could be read.
fn check_chains<'a>(
    chains: &'a [Option<ChainId>],
    at: &Path<'_>,
    issues: &mut Issues,
) -> BTreeSet<&'a ChainId> {
    let ids = || {
        let ids = chains.iter().enumerate();
        ids.filter_map(|(index, chain)| Some((Path::Item(at, index), chain.as_ref()?)))
    };
    ids().for_each(|(at, chain)| check_namespace(Some(chain), &at, issues));

    let mut seen = BTreeSet::new();
    for (at, chain) in ids().filter(|(_, chain)| !seen.insert(*chain)) {
        let message = fill("expected each chain once, found `{}` again", &[chain]);
        issues.push(&at, IssueCode::Rule, message);
    }
    seen
}

/// A token or a collection, as far as it could be read: its chain, and its address.
type Contract = (Option<ChainId>, Option<TokenAddress>);

/// Each chain is of `eip155` and in `chains`, and each contract is in the list once on its chain.
fn check_contracts(
    contracts: &[Contract],
    chains: Option<&BTreeSet<&ChainId>>,
    what: &str,
    at: &Path<'_>,
    issues: &mut Issues,
) {
    let placed = || {
        let contracts = contracts.iter().enumerate();
        contracts.filter_map(|(index, (chain, address))| {
            Some((Path::Item(at, index), chain.as_ref()?, *address))
        })
    };
    placed().for_each(|(at, chain, _)| check_namespace(Some(chain), &at, issues));

    for (at, chain, _) in placed() {
        if chains.is_some_and(|chains| !chains.contains(chain)) {
            let message = fill("expected a chain of `chains`, found `{}`", &[chain]);
            issues.push(&Path::Field(&at, "caip2Id"), IssueCode::Rule, message);
        }
    }

    let mut seen = BTreeSet::new();
    for (at, chain, address) in placed() {
        if let Some(address) = address
            && !seen.insert((chain, address))
        {
            let found = match address.contract() {
                Some(address) => fill("`{}`", &[&address.to_lowercase()]),
                None => "the native token".into(),
            };
            let template = "expected each {} once on its chain, found {} on `{}` again";
            let message = fill(template, &[&what, &found, chain]);
            issues.push(&at, IssueCode::Rule, message);
        }
    }
}

/// The chain of an entry is of the namespace `eip155`.
pub(super) fn check_namespace(chain: Option<&ChainId>, at: &Path<'_>, issues: &mut Issues) {
    if let Some(chain) = chain.filter(|chain| !chain.is_eip155()) {
        let message = fill("expected a chain of the namespace `eip155`, found `{}`", &[chain]);
        issues.push(&Path::Field(at, "caip2Id"), IssueCode::Rule, message);
    }
}
