//! Texts of the state with a form of their own: addresses in lower case, and maps by them.

use std::{borrow::Cow, collections::BTreeMap};

use sendoff::error::Error;
use sendoff::value::{Address, FeeAmount};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::number::of_units;

/// Amounts by their holder, or by `owner spender`.
pub(crate) type Amounts = BTreeMap<String, FeeAmount>;

/// An address as the ledger has it: in lower case.
pub(crate) fn lowered(address: &Address) -> String {
    address.to_lowercase().to_string()
}

fn spelled(text: &str) -> Result<String, Error> {
    text.parse().map(|address| lowered(&address))
}

/// The key of two addresses.
pub(crate) fn pair(owner: &str, other: &str) -> String {
    [owner, " ", other].concat()
}

fn spelled_pair(text: &str) -> Result<String, Error> {
    let (owner, other) = text.split_once(' ').unwrap_or((text, ""));
    Ok(pair(&spelled(owner)?, &spelled(other)?))
}

/// Reads an address.
pub(crate) fn lower<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Address::deserialize(from).map(|address| lowered(&address))
}

/// Reads an address; there may be none.
pub(crate) fn lower_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = Cow::<str>::deserialize(from)?;
    if text.is_empty() { Ok(String::new()) } else { spelled(&text).map_err(D::Error::custom) }
}

/// Reads pairs of addresses.
pub(crate) fn pairs<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let pairs = Vec::<String>::deserialize(from)?;
    pairs.iter().map(|pair| spelled_pair(pair)).collect::<Result<_, _>>().map_err(D::Error::custom)
}

/// Reads the price of a token.
pub(crate) fn price<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let price = String::deserialize(from)?;
    let expected = "expected a decimal with at most four places";
    let refused = || D::Error::custom(format!("{expected}, found `{price}`"));
    of_units(&price, 4).ok_or_else(refused).map(|_| price.clone())
}

/// Reads a map whose keys are spelled in one way, each of them once.
fn keyed<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
    key: fn(&str) -> Result<String, Error>,
) -> Result<BTreeMap<String, T>, D::Error> {
    let mut map = BTreeMap::new();
    for (name, value) in BTreeMap::<String, T>::deserialize(from)? {
        let name = key(&name).map_err(D::Error::custom)?;
        if map.contains_key(&name) {
            return Err(D::Error::custom(format!("expected each key once, found `{name}` again")));
        }
        map.insert(name, value);
    }
    Ok(map)
}

/// Reads a map by the decimals of NFTs.
pub(crate) fn by_id<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<String, T>, D::Error> {
    keyed(from, |id| id.parse::<FeeAmount>().map(|_| id.into()))
}

/// Reads amounts by the address of their holder.
pub(crate) fn by_holder<'de, D: Deserializer<'de>>(from: D) -> Result<Amounts, D::Error> {
    keyed(from, spelled)
}

/// Reads amounts by the addresses of their owner and of who may take them.
pub(crate) fn by_pair<'de, D: Deserializer<'de>>(from: D) -> Result<Amounts, D::Error> {
    keyed(from, spelled_pair)
}
