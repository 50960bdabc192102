//! Sentences about moves, for people who are about to sign.

use alloc::string::String;

use primitive_types::U256;

use super::contract_function::effect_of;
use super::{Known, Move, Names};
use crate::document::{Typed, Value};
use crate::text::cut;
use crate::value::{Address, ChainId, FeeAmount, Text, TokenAddress, WriteText, fill};

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
        sentence(&self.to_value(), &chain.to_value(), Known(&names.to_value()))
    }
}

/// The sentence about a value of [`Move`].
pub(crate) fn sentence(moved: &Value, chain: &Value, names: Known<'_>) -> String {
    let on = names.chain(chain);
    let native = Value::TokenAddress(TokenAddress::NATIVE);
    let wei = |amount| names.amount(amount, chain, &native, "wei");
    let [from, to] = ["from", "to"].map(|key| moved.field(key));
    let number = |key| moved.field(key).number();
    let sends = || match number("value") {
        value if value.is_zero() => String::new(),
        value => fill(", and sends {}", &[&wei(value)]),
    };

    match moved.tag_of_details().unwrap_or_default() {
        "nft" => {
            let pieces = pieces(&moved.field("amount").to_text());
            let (nft, collection) = (moved.field("nftId"), moved.field("collection"));
            fill(
                "NFT {}{} of the collection {} goes from {} to {} on {}.",
                &[nft, &pieces, collection, from, to, &on],
            )
        }
        "token" => {
            let contract = moved.field("contract");
            let amount = names.amount(number("amount"), chain, &token_at(contract), "units");
            fill(
                "{} of the token {} goes from {} to {} on {}.",
                &[&amount, contract, from, to, &on],
            )
        }
        "native" => fill("{} goes from {} to {} on {}.", &[&wei(number("amount")), from, to, &on]),
        "function" => {
            let (function, arguments) = (moved.field("function"), moved.field("arguments").items());
            let effect = effect_of(&function.to_text()).and_then(|effect| {
                Effect { chain, names, caller: from, contract: to, arguments }.described(effect)
            });
            let effect = effect.unwrap_or_else(|| listed(arguments));
            fill(
                "{} calls {} of the contract {} on {}{}: {}.",
                &[from, function, to, &on, &sends(), &effect],
            )
        }
        _ => {
            let bytes = moved.field("data").bytes().len();
            fill(
                "{} calls {} on {} with {} bytes whose meaning is not known here{}.",
                &[from, to, &on, &bytes, &sends()],
            )
        }
    }
}

/// The token at a contract.
pub(super) fn token_at(contract: &Value) -> Value {
    if let Value::Address(contract) = contract {
        Value::TokenAddress((*contract).into())
    } else {
        Value::Unread
    }
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

/// Returns the number of pieces of an NFT, in decimal, unless it is one.
fn pieces(amount: &str) -> String {
    if amount == "1" { String::new() } else { fill(" ({} pieces)", &[&amount]) }
}

/// The effect of a call with its arguments.
struct Effect<'a> {
    chain: &'a Value,
    names: Known<'a>,
    caller: &'a Value,
    contract: &'a Value,
    arguments: &'a [Value],
}

impl Effect<'_> {
    /// Fills in the places of a template, such as `{to}` or `{amount:units}`. `None` if an argument is not what the
    /// function has.
    fn described(&self, template: &str) -> Option<String> {
        let (mut text, mut rest) = (String::new(), template);
        while let Some((before, behind)) = cut(rest, b'{')
            && let Some((place, behind)) = cut(behind, b'}')
        {
            text.push_str(before);
            text.push_str(&self.filled(place)?);
            rest = behind;
        }
        text.push_str(rest);
        Some(text)
    }

    fn filled(&self, place: &str) -> Option<String> {
        let (name, form) = cut(place, b':').unwrap_or((place, ""));
        if name == "caller" {
            return Some(self.caller.to_text());
        }

        let text = self.argument(name)?;
        let number = || FeeAmount::parse(text).ok().map(|number| number.value());
        let contract = &token_at(self.contract);

        Some(match form {
            "" => text.into(),
            "bytes" => fill("{} bytes", &[&(text.strip_prefix("0x")?.len() / 2)]),
            "pieces" => pieces(text),
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
                let token = Address::parse(self.argument("token")?).ok()?;
                self.allowance(number()?, &Value::TokenAddress(token.into()), 159)
            }
            choice => {
                let (yes, no) = cut(choice, b'|')?;
                (if text == "true" { yes } else { no }).into()
            }
        })
    }

    fn argument(&self, name: &str) -> Option<&str> {
        let is_it = |argument: &&Value| matches!(argument.field("name"), Value::Text(known) if **known == *name);
        let found = self.arguments.iter().find(is_it)?;
        if let Value::Text(text) = found.field("value") { Some(text) } else { None }
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

#[cfg(test)]
mod tests;
