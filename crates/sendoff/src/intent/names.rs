//! Names of chains, tokens and collections that the caller knows.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::{Label, TokenSymbol};
use crate::document::{Fields, Node, Read, Reading, Valued as _, document, read_part};
use crate::error::{Issues, Path};
use crate::value::{
    Address, ChainId, TokenAddress, WriteText, bounded, conversions, decimal, fill,
};

document! {
    /// Names of chains, tokens and collections that the caller knows. Sentences show them beside the raw values and never
    /// instead of them, because they are the caller's own and not signed. Where the same chain, token or collection has
    /// entries that differ, sentences show none of them.
    ///
    /// ```
    /// use sendoff::intent::Names;
    ///
    /// let names: Names = r#"{
    ///     "chains": [{ "caip2Id": "eip155:80002", "name": "Polygon Amoy" }],
    ///     "tokens": [{ "caip2Id": "eip155:80002", "tokenAddress": "", "symbol": "POL", "decimals": 18 }]
    /// }"#.parse()?;
    /// assert_eq!(names.tokens[0].decimals.value(), 18);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Default)]
    pub struct Names: "names, an object of `chains`, `tokens` and `collections`" {
        /// Names of chains.
        "chains" => pub chains: Vec<ChainName> = Vec::new(),
        /// Symbols and decimals of tokens.
        "tokens" => pub tokens: Vec<TokenName> = Vec::new(),
        /// Names of collections.
        "collections" => pub collections: Vec<CollectionName> = Vec::new(),
    }
}

document! {
    /// The name of a chain.
    pub struct ChainName: "a chain's name, an object of `caip2Id` and `name`" {
        /// The chain.
        "caip2Id" => pub chain: ChainId,
        /// Its name.
        "name" => pub name: Label,
    }
}

document! {
    /// The symbol of a token, and the number of decimals of its amounts.
    pub struct TokenName: "a token's symbol, an object of `caip2Id`, `tokenAddress`, `symbol` and `decimals`" {
        /// The chain.
        "caip2Id" => pub chain: ChainId,
        /// The token's contract; empty for the native token.
        "tokenAddress" => pub token: TokenAddress,
        /// Its symbol.
        "symbol" => pub symbol: TokenSymbol,
        /// The number of decimals of its amounts, 0 to 77.
        "decimals" => pub decimals: Decimals,
    }
}

document! {
    /// The name of a collection.
    pub struct CollectionName: "a collection's name, an object of `caip2Id`, `collectionAddress` and `name`" {
        /// The chain.
        "caip2Id" => pub chain: ChainId,
        /// The contract of the collection.
        "collectionAddress" => pub collection: Address,
        /// Its name.
        "name" => pub name: Label,
    }
}

bounded! {
    /// The number of decimals of a token's amounts: 0 to 77, one less than the digits of 2^256−1.
    ///
    /// ```
    /// use sendoff::intent::Decimals;
    ///
    /// assert_eq!(Decimals::new(18).map(Decimals::value), Ok(18));
    /// assert!(Decimals::new(78).is_err());
    /// ```
    pub struct Decimals: "decimals, an integer from 0 to 77", 0, 77
}

impl Decimals {
    /// The number of places; it is small.
    pub(super) fn places(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// Names of a program that may have entries of strangers: an entry with a label that is none is left out.
pub(crate) struct ShownNames(pub(crate) Names);

impl Read for ShownNames {
    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let names = read_part(node, &Names::IS, Reading::Labels, at, issues);
        let mut lists = Fields::of(&names);
        Some(Self(Names {
            chains: lists.meanings()?,
            tokens: lists.meanings()?,
            collections: lists.meanings()?,
        }))
    }

    fn of_text(text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        Self::read(&Node::parse(text, at, issues)?, at, issues)
    }
}

impl Names {
    /// The label of a chain.
    fn of_chain(&self, chain: &ChainId) -> Option<&str> {
        let entries = self.chains.iter().filter(|entry| entry.chain == *chain);
        only(entries.map(|entry| entry.name.as_str()))
    }

    /// The label of the collection at a contract.
    fn of_collection(&self, chain: &ChainId, contract: &Address) -> Option<&str> {
        let is_meant =
            |entry: &&CollectionName| entry.collection == *contract && entry.chain == *chain;
        only(self.collections.iter().filter(is_meant).map(|entry| entry.name.as_str()))
    }

    /// The label and the decimals of the token at a contract. A chain is its own native token.
    fn of_token(&self, chain: &ChainId, contract: Option<&Address>) -> Option<Labelled<'_>> {
        let is_meant =
            |entry: &&TokenName| entry.token.contract() == contract && entry.chain == *chain;
        only(self.tokens.iter().filter(is_meant).map(|entry| Labelled {
            label: entry.symbol.as_str(),
            decimals: entry.decimals.places(),
        }))
    }

    /// A chain for people: its name with its id, or the id alone.
    pub(crate) fn chain(&self, chain: &ChainId) -> String {
        match self.of_chain(chain) {
            Some(label) => fill("{} ({})", &[&label, chain]),
            None => chain.to_text(),
        }
    }

    /// A collection for people: its name with its address, or the address alone.
    pub(super) fn collection(&self, chain: &ChainId, collection: &Address) -> String {
        match self.of_collection(chain, collection) {
            Some(label) => fill("{} ({})", &[&label, collection]),
            None => collection.to_text(),
        }
    }

    /// What the number in a call of this contract is, as far as its names tell.
    pub(super) fn standard(&self, chain: &ChainId, contract: Option<&Address>) -> Option<Standard> {
        match (self.of_token(chain, contract), self.of_collection(chain, contract?)) {
            (Some(_), None) => Some(Standard::Token),
            (None, Some(_)) => Some(Standard::Collection),
            _ => None,
        }
    }

    /// An amount of a token for people: in its unit with its symbol and the raw number, or the raw number alone.
    pub(super) fn units(&self, amount: U256, chain: &ChainId, contract: Option<&Address>) -> Words {
        let (raw, is_one) = (counted(amount, "unit"), amount == U256::one());
        match contract.and_then(|contract| self.of_token(chain, Some(contract))) {
            Some(known) => known.amount(amount, &raw),
            None => Words::moving(raw, is_one),
        }
    }

    /// An amount of a chain's coin for people. Without a name it has 18 decimals, as on every EVM chain.
    pub(crate) fn coins(&self, amount: U256, chain: &ChainId) -> Words {
        let is_evm = chain.is_eip155();
        let raw =
            if is_evm { fill("{} wei", &[&decimal(amount)]) } else { counted(amount, "unit") };

        match self.of_token(chain, None) {
            Some(known) => known.amount(amount, &raw),
            None if is_evm => {
                let coins = shifted(amount, 18);
                Words::moving(fill("{} of the chain's coin ({})", &[&coins, &raw]), true)
            }
            None => {
                let text = fill("{} of the chain's coin", &[&raw]);
                Words::moving(text, amount == U256::one())
            }
        }
    }
}

/// What a number in a call of a contract is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standard {
    /// An amount of a token.
    Token,
    /// The id of an NFT.
    Collection,
}

/// A value in words.
pub(crate) struct Words {
    pub(crate) text: String,
    /// The verb of what moves, with what is before it.
    pub(super) go: &'static str,
    /// What is said of the end of an allowance.
    pub(super) end: &'static str,
}

conversions! {
    String => Words: |text| Self { text, go: "", end: "" };
}

impl Words {
    pub(super) fn moving(text: String, is_one: bool) -> Self {
        Self { go: if is_one { " goes" } else { " go" }, ..text.into() }
    }
}

/// A number of things: `1 unit`, `2 units`.
pub(crate) fn counted(number: impl Into<U256>, thing: &str) -> String {
    let number = number.into();
    let end = if number == U256::one() { "" } else { "s" };
    fill("{} {}{}", &[&decimal(number), &thing, &end])
}

/// What entries say, if there are some and all say the same.
fn only<T: PartialEq>(mut entries: impl Iterator<Item = T>) -> Option<T> {
    let first = entries.next()?;
    entries.all(|entry| entry == first).then_some(first)
}

/// A label, and the decimals of a token.
#[derive(PartialEq, Eq)]
struct Labelled<'n> {
    label: &'n str,
    decimals: usize,
}

impl Labelled<'_> {
    /// An amount in this token's unit, and as it is.
    fn amount(&self, amount: U256, raw: &str) -> Words {
        let shifted = shifted(amount, self.decimals);
        let text = fill("{} {} ({})", &[&shifted, &self.label, &raw]);
        Words::moving(text, shifted == "1")
    }
}

/// A number with the point before its last digits.
fn shifted(value: U256, places: usize) -> String {
    let number = decimal(value);
    let zeros = "0".repeat(places.saturating_add(1).saturating_sub(number.len()));
    let digits = [zeros, number].concat();
    let (whole, fraction) =
        digits.split_at_checked(digits.len().saturating_sub(places)).unwrap_or((&digits, ""));
    match fraction.trim_end_matches('0') {
        "" => whole.into(),
        fraction => fill("{}.{}", &[&whole, &fraction]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::read_document;
    use alloc::format;

    /// Vectors have the others.
    #[test]
    fn amounts_have_the_unit_of_their_token() {
        let tiny = format!("0.{}1 T (1 unit)", "0".repeat(76));
        for (decimals, amount, expected) in [
            (0, 1_234_567_890, "1234567890 T (1234567890 units)"),
            (6, 0, "0 T (0 units)"),
            (6, 1_234_567_890, "1234.56789 T (1234567890 units)"),
            (77, 1, &tiny),
        ] {
            let token =
                "0x00000000000000000000000000000000000000a1".parse::<TokenAddress>().unwrap();
            let (chain, symbol) = (ChainId::of_eip155(1), "T".parse().unwrap());
            let name =
                TokenName { chain: chain.clone(), token, symbol, decimals: Decimals(decimals) };
            let known = Names { tokens: [name].into(), ..Names::default() };
            let said = known.units(U256::from(amount), &chain, token.contract());
            assert_eq!(said.text, expected);
        }
        let said = Names::default().coins(U256::from(7), &"solana:1".parse().unwrap());
        assert_eq!(said.text, "7 units of the chain's coin");
    }

    #[test]
    fn labels_of_strangers_are_left_out() {
        let ShownNames(known) = read_document(
            r#"{
            "chains": [
                { "caip2Id": "eip155:1", "name": "Base\u2024 Fee 0 ETH" },
                { "caip2Id": "eip155:10", "name": "" }, { "caip2Id": "eip155:10", "name": "Optimism" },
                { "caip2Id": "eip155:137", "name": "Polygon" }, { "caip2Id": "eip155:137", "name": "Polygon" },
                { "caip2Id": "eip155:8453", "name": "Base" }, { "caip2Id": "eip155:8453", "name": "Basis" }
            ],
            "tokens": [
                { "caip2Id": "eip155:1", "tokenAddress": "", "symbol": "1000", "decimals": 18 },
                { "caip2Id": "eip155:10", "tokenAddress": "", "symbol": "ETH", "decimals": 18 },
                { "caip2Id": "eip155:10", "tokenAddress": "", "symbol": "ETH", "decimals": 6 }
            ],
            "collections": [
                { "caip2Id": "eip155:1", "collectionAddress": "0x00000000000000000000000000000000000000a1", "name": "Cats" },
                { "caip2Id": "eip155:1", "collectionAddress": "0x00000000000000000000000000000000000000A1", "name": "Cats" }
            ]
        }"#,
        )
        .unwrap();

        let chain = ChainId::of_eip155;
        let chains = [1, 10, 137, 8453].map(|number| known.chain(&chain(number)));
        assert_eq!(
            chains,
            ["eip155:1", "Optimism (eip155:10)", "Polygon (eip155:137)", "eip155:8453"]
        );
        let coins = [1, 10].map(|number| known.coins(U256::from(5), &chain(number)).text);
        assert!(coins.iter().all(|coins| coins.contains("of the chain's coin")), "{coins:?}");

        let cats: Address = "0x00000000000000000000000000000000000000a1".parse().unwrap();
        let named = known.collection(&chain(1), &cats);
        assert_eq!(named, "Cats (0x00000000000000000000000000000000000000a1)");
    }
}
