//! The rules across the entries of a catalogue.

use alloc::{string::String, vec::Vec};

use super::{Catalogue, KnownChain, KnownCollection, KnownToken};
use crate::document::{Field, Items, Parts};
use crate::error::{IssueCode, Issues, Path};
use crate::first_equal::{Key, first_equal};
use crate::text::fill;
use crate::value::{Address, ChainId, TokenAddress, WriteText};

const CHAINS: Field<Catalogue, Items<KnownChain, { Catalogue::MOST_CHAINS }>> = Field::of("chains");
const TOKENS: Field<Catalogue, Items<KnownToken, { Catalogue::MOST_TOKENS }>> = Field::of("tokens");
const COLLECTIONS: Field<Catalogue, Items<KnownCollection, { Catalogue::MOST_COLLECTIONS }>> =
    Field::of("collections");
const CHAIN: Field<KnownChain, ChainId> = Field::of("caip2Id");
const TOKEN_CHAIN: Field<KnownToken, ChainId> = Field::of("caip2Id");
const TOKEN: Field<KnownToken, TokenAddress> = Field::of("tokenAddress");
const COLLECTION_CHAIN: Field<KnownCollection, ChainId> = Field::of("caip2Id");
const COLLECTION: Field<KnownCollection, Address> = Field::of("collectionAddress");

/// Checks the rules between the entries that could be read.
pub(super) fn check_parts<'a>(catalogue: Parts<'a, Catalogue>, at: &Path<'_>, issues: &mut Issues) {
    let chain = |entry: Option<Parts<'a, KnownChain>>| entry.and_then(|entry| entry.get(CHAIN));
    let token = |entry: Option<Parts<'a, KnownToken>>| Contract {
        chain: entry.and_then(|entry| entry.get(TOKEN_CHAIN)),
        address: entry.and_then(|entry| entry.get(TOKEN)).map(TokenAddress::contract),
    };
    let collection = |entry: Option<Parts<'a, KnownCollection>>| Contract {
        chain: entry.and_then(|entry| entry.get(COLLECTION_CHAIN)),
        address: entry.and_then(|entry| entry.get(COLLECTION)).map(Some),
    };

    let chains: Option<Vec<_>> = catalogue.get(CHAINS).map(|chains| chains.map(chain).collect());
    if let Some(chains) = &chains {
        check_chains(chains, &Path::Field(at, CHAINS.key()), issues);
    }

    // If the id of some chain could not be read, it is open whether an entry's chain is in the list.
    let chains: Option<Vec<_>> = chains.and_then(|chains| chains.into_iter().collect());
    let chains = chains.as_deref();
    let tokens: Vec<_> = catalogue.get(TOKENS).into_iter().flatten().map(token).collect();
    check_contracts(&tokens, chains, "token", &Path::Field(at, TOKENS.key()), issues);
    let entries = catalogue.get(COLLECTIONS).into_iter().flatten();
    let collections: Vec<_> = entries.map(collection).collect();
    check_contracts(
        &collections,
        chains,
        "collection",
        &Path::Field(at, COLLECTIONS.key()),
        issues,
    );
}

/// Each chain is of `eip155`, and in the list once.
fn check_chains(chains: &[Option<&ChainId>], at: &Path<'_>, issues: &mut Issues) {
    let read: Vec<_> = chains
        .iter()
        .enumerate()
        .filter_map(|(index, chain)| Some((index, (*chain)?.to_text())))
        .collect();
    for (index, chain) in chains.iter().enumerate() {
        check_namespace(*chain, &Path::Item(at, index), issues);
    }

    let keys: Vec<Key<'_>> = read.iter().map(|(_, text)| (0, None, &**text, None)).collect();
    for (index, text) in repeated(&keys).filter_map(|place| read.get(place)) {
        let message = fill("expected each chain once, found `{}` again", &[&text]);
        issues.push(&Path::Item(at, *index), IssueCode::Rule, message);
    }
}

/// A token or a collection, as far as it could be read.
struct Contract<'a> {
    chain: Option<&'a ChainId>,
    /// The address; `None` inside for the native token.
    address: Option<Option<&'a Address>>,
}

/// Each chain is of `eip155` and in `chains`, and each contract is in the list once on its chain.
fn check_contracts(
    contracts: &[Contract<'_>],
    chains: Option<&[&ChainId]>,
    what: &str,
    at: &Path<'_>,
    issues: &mut Issues,
) {
    for (index, contract) in contracts.iter().enumerate() {
        check_namespace(contract.chain, &Path::Item(at, index), issues);
    }

    let placed: Vec<_> = contracts
        .iter()
        .enumerate()
        .filter_map(|(index, contract)| Some((index, contract.chain?)))
        .collect();
    if let Some(chains) = chains {
        let ids: Vec<_> = placed.iter().map(|(_, chain)| *chain).collect();
        for ((index, chain), place) in placed.iter().zip(places(&ids, chains)) {
            if place.is_none() {
                let at = &Path::Item(at, *index);
                let message = fill("expected a chain of `chains`, found `{}`", &[&chain]);
                issues.push(&Path::Field(at, "caip2Id"), IssueCode::Rule, message);
            }
        }
    }

    let read: Vec<_> = contracts
        .iter()
        .enumerate()
        .filter_map(|(index, contract)| {
            let address = contract.address?;
            Some((
                index,
                contract.chain?.to_text(),
                address.map(|address| address.to_lowercase().to_text()),
                number(address),
            ))
        })
        .collect();
    let keys: Vec<Key<'_>> = read
        .iter()
        .map(|(_, chain, address, number)| (*number, None, &**chain, address.as_deref()))
        .collect();
    for (index, chain, address, _) in repeated(&keys).filter_map(|place| read.get(place)) {
        let found = address
            .as_ref()
            .map_or(String::from("the native token"), |address| fill("`{}`", &[&address]));
        let message = fill(
            "expected each {} once on its chain, found {} on `{}` again",
            &[&what, &found, &chain],
        );
        issues.push(&Path::Item(at, *index), IssueCode::Rule, message);
    }
}

/// The first bytes of an address as a number, which is compared faster than its text.
fn number(address: Option<&Address>) -> u64 {
    let first = address.and_then(|address| address.to_h160().0.first_chunk().copied());
    u64::from_be_bytes(first.unwrap_or_default())
}

/// The chain of an entry is of the namespace `eip155`.
pub(super) fn check_namespace(chain: Option<&ChainId>, at: &Path<'_>, issues: &mut Issues) {
    if let Some(chain) = chain.filter(|chain| !chain.is_eip155()) {
        let message = fill("expected a chain of the namespace `eip155`, found `{}`", &[&chain]);
        issues.push(&Path::Field(at, "caip2Id"), IssueCode::Rule, message);
    }
}

/// Returns for each id its place among the chains.
pub(super) fn places(ids: &[&ChainId], chains: &[&ChainId]) -> Vec<Option<usize>> {
    let texts: Vec<_> = chains.iter().chain(ids).map(|chain| chain.to_text()).collect();
    let keys: Vec<Key<'_>> = texts.iter().map(|text| (0, None, &**text, None)).collect();
    first_equal(&keys)
        .into_iter()
        .skip(chains.len())
        .map(|first| (first < chains.len()).then_some(first))
        .collect()
}

/// The places of keys that are equal to an earlier one.
fn repeated(keys: &[Key<'_>]) -> impl Iterator<Item = usize> {
    first_equal(keys)
        .into_iter()
        .enumerate()
        .filter(|(place, first)| place != first)
        .map(|(place, _)| place)
}
