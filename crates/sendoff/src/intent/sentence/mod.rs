//! Sentences about moves, for people who are about to sign.

use alloc::string::String;

use primitive_types::U256;

use super::contract_function::effect_of;
use super::names::NATIVE;
use super::{Known, Move, Names};
use crate::document::{Typed, Value};
use crate::text::cut;
use crate::value::{Address, ChainId, FeeAmount, Text, WriteText, fill};

impl Move {
    /// Returns one sentence about the move on a chain, such as `NFT 56 of the collection 0x… goes from 0x… to 0x… on
    /// eip155:80002.`
    ///
    /// ```
    /// use sendoff::intent::{Move, Names};
    ///
    /// let (from, to) = ("0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906", "0xEc186DB52Cb079380E9Ed11740859d5a45e1B831");
    /// let native = Move::Native { from: from.parse()?, to: to.parse()?, amount: "1500".parse()? };
    /// let sentence = native.sentence(&"eip155:80002".parse()?, &Names::default());
    /// assert_eq!(sentence, format!("1500 wei goes from {from} to {to} on eip155:80002."));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[must_use]
    pub fn sentence(&self, chain: &ChainId, names: &Names) -> String {
        sentence(&self.to_value(), &chain.to_value(), &Known::of(&names.to_value()))
    }
}

/// The sentences about moves, by their kinds. A place is a field and how it is said.
static SENTENCES: [(&str, &str); 5] = [
    (
        "nft",
        "NFT {nftId}{amount:pieces} of the collection {collection:named} goes from {from} to {to} on {chain}.",
    ),
    ("token", "{amount:units} of the token {contract} goes from {from} to {to} on {chain}."),
    ("native", "{amount:wei} goes from {from} to {to} on {chain}."),
    (
        "function",
        "{from} calls {function} of the contract {to:named} on {chain}{value:sends}: {arguments:effect}.",
    ),
    (
        "call",
        "{from} calls {to} on {chain} with {data:bytes} whose meaning is not known here{value:sends}.",
    ),
];

/// The sentence about a value of [`Move`].
pub(crate) fn sentence(moved: &Value, chain: &Value, names: &Known) -> String {
    let kind = moved.tag_of_details().unwrap_or_default();
    let known = SENTENCES.iter().find(|(known, _)| *known == kind);
    let said = Said { chain, names, moved, arguments: None };
    known.and_then(|(_, template)| said.filled(template)).unwrap_or_default()
}

/// Returns arguments with their names.
fn listed(arguments: &[Value]) -> String {
    let mut list = String::new();
    for argument in arguments {
        let before = if list.is_empty() { "" } else { ", " };
        list.push_str(&fill(
            "{}{} {}",
            &[&before, argument.field("name"), argument.field("value")],
        ));
    }
    list
}

/// What is said about a move, or about the arguments of its call.
struct Said<'a> {
    chain: &'a Value,
    names: &'a Known,
    moved: &'a Value,
    /// The arguments, where the places are those of a call.
    arguments: Option<&'a [Value]>,
}

impl Said<'_> {
    /// Fills in the places of a template, such as `{to}` or `{amount:units}`. `None` if an argument is not what the
    /// function has.
    fn filled(&self, template: &str) -> Option<String> {
        let (mut text, mut rest) = (String::new(), template);
        while let Some((before, behind)) = cut(rest, b'{')
            && let Some((place, behind)) = cut(behind, b'}')
        {
            text.push_str(before);
            let (name, form) = cut(place, b':').unwrap_or((place, ""));
            text.push_str(&self.part(name, form)?);
            rest = behind;
        }
        text.push_str(rest);
        Some(text)
    }

    fn part(&self, name: &str, form: &str) -> Option<String> {
        let value = match (name, self.arguments) {
            ("chain", _) => return Some(self.names.chain(self.chain)),
            ("caller", _) => self.moved.field("from"),
            (_, Some(arguments)) => argument(arguments, name)?,
            (_, None) => self.moved.field(name),
        };
        let text = value.to_text();
        let number = || FeeAmount::parse(&text).ok().map(|number| number.value());
        let contract = if self.arguments.is_some() { "to" } else { "contract" };
        let contract = self.moved.field(contract);

        Some(match form {
            "" => text,
            "bytes" => fill("{} bytes", &[&(text.strip_prefix("0x")?.len() / 2)]),
            "named" => self.names.collection(self.chain, value),
            "pieces" if text == "1" => String::new(),
            "pieces" => fill(" ({} pieces)", &[&text]),
            "wei" => self.wei(number()?),
            "sends" if value.number().is_zero() => String::new(),
            "sends" => fill(", and sends {}", &[&self.wei(value.number())]),
            "effect" => {
                let said = Said { arguments: Some(value.items()), ..*self };
                let effect = effect_of(self.moved.field("function").as_text());
                let effect = effect.and_then(|effect| said.filled(effect));
                effect.unwrap_or_else(|| listed(value.items()))
            }
            "units" => self.units(number()?, contract),
            "units or NFT" if self.names.knows(self.chain, contract) => {
                self.units(number()?, contract)
            }
            "units or NFT" => fill("NFT {}, or {} units,", &[&text, &text]),
            "allowance" => self.allowance(number()?, contract, 255),
            "allowance or NFT" if self.names.knows(self.chain, contract) => {
                self.allowance(number()?, contract, 255)
            }
            "allowance or NFT" => {
                fill("NFT {}, or {}", &[&text, &self.allowance(number()?, contract, 255)])
            }
            "allowance of token" => {
                let token = argument(self.arguments?, "token")?.as_text();
                let token = Address::parse(token).ok()?;
                self.allowance(number()?, &Value::Address(token), 159)
            }
            choice => {
                let (yes, no) = cut(choice, b'|')?;
                (if text == "true" { yes } else { no }).into()
            }
        })
    }

    fn wei(&self, amount: U256) -> String {
        self.names.amount(amount, self.chain, NATIVE, "wei")
    }

    fn units(&self, amount: U256, token: &Value) -> String {
        self.names.amount(amount, self.chain, token, "units")
    }

    /// An allowance with this highest bit is as good as unlimited: no token has such a supply.
    fn allowance(&self, amount: U256, token: &Value, highest_bit: usize) -> String {
        if amount.is_zero() {
            "nothing".into()
        } else if amount.bits() > highest_bit {
            "an unlimited amount".into()
        } else {
            self.units(amount, token)
        }
    }
}

/// The value of an argument.
fn argument<'a>(arguments: &'a [Value], name: &str) -> Option<&'a Value> {
    let found = arguments.iter().find(|argument| argument.field("name").as_text() == name);
    found.map(|argument| argument.field("value"))
}

#[cfg(test)]
mod tests;
