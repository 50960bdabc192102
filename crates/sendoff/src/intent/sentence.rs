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
    let number = |key| moved.field(key).number().unwrap_or_default();
    let sends = || match number("value") {
        value if value.is_zero() => String::new(),
        value => fill(", and sends {}", &[&wei(value)]),
    };

    match moved.tag_of_details().unwrap_or_default() {
        "nft" => {
            let pieces = pieces(&moved.field("amount").to_text());
            let parts: &[&dyn WriteText] =
                &[moved.field("nftId"), &pieces, moved.field("collection"), from, to, &on];
            fill("NFT {}{} of the collection {} goes from {} to {} on {}.", parts)
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
mod tests {
    use super::super::{
        ContractCall, Intent, MoveArgument, RawTransaction, Transaction, Transactions,
    };
    use super::*;
    use crate::abi::{Value, encode};
    use crate::document::Typed;
    use alloc::{format, vec::Vec};
    use primitive_types::H160;

    const FROM: &str = "0x1111111111111111111111111111111111111111";
    const TO: &str = "0x2222222222222222222222222222222222222222";
    const TOKEN: &str = "0x3333333333333333333333333333333333333333";

    fn names() -> Names {
        r#"{
            "chains": [{ "caip2Id": "eip155:137", "name": "Polygon" }],
            "tokens": [
                { "caip2Id": "eip155:137", "tokenAddress": "", "symbol": "POL", "decimals": 18 },
                { "caip2Id": "eip155:137", "tokenAddress": "0x3333333333333333333333333333333333333333",
                  "symbol": "USDC", "decimals": 6 }
            ]
        }"#
        .parse()
        .unwrap()
    }

    fn address(byte: u8) -> Value<'static> {
        Value::Address(H160([byte; 20]))
    }

    fn uint(number: U256) -> Value<'static> {
        Value::Uint(number)
    }

    /// The sentence about a call of the contract `TOKEN`, from its selector on.
    fn said(selector: &str, values: &[Value<'_>], names: &Names) -> String {
        let data: Vec<u8> = [&hex::decode(selector).unwrap()[..], &encode(values)].concat();
        let (call, _) = ContractCall::decode(&data).unwrap();
        let transaction = Transaction {
            data: data.into(),
            from: FROM.parse().unwrap(),
            to: TOKEN.parse().unwrap(),
            value: "0x0".parse().unwrap(),
        };

        let list = Transactions::new(alloc::vec![transaction]).unwrap();
        let intent = Intent::RawTransaction(RawTransaction {
            caip2_id: "eip155:137".parse().unwrap(),
            transactions: list,
        });
        let moves = intent.moves(&FROM.parse().unwrap());
        let sentence = moves[0].sentence(&"eip155:137".parse().unwrap(), names);
        let start = format!("{FROM} calls {} of the contract {TOKEN} on ", call.signature());
        let (on, effect) = sentence.strip_prefix(&start).unwrap().split_once(": ").unwrap();

        assert_eq!(
            on,
            Known(&names.to_value()).chain(&"eip155:137".parse::<ChainId>().unwrap().to_value())
        );
        effect.into()
    }

    #[test]
    fn each_known_call_has_a_sentence_about_its_effect() {
        let (some, none) = (names(), Names::default());
        let (five, most) = (U256::from(5_000_000), U256::MAX);
        let (to, zero) = (address(0x22), U256::zero());
        let word = || Value::Uint(7.into());
        let two = |selector, number| (selector, alloc::vec![address(0x22), uint(number)]);
        for ((selector, values), known, unknown) in [
            (
                two("a9059cbb", five),
                "5 USDC (5000000 units) goes from FROM to TO.",
                "5000000 units goes from FROM to TO.",
            ),
            (
                ("23b872dd", alloc::vec![address(0x11), address(0x22), uint(five)]),
                "5 USDC (5000000 units) goes from FROM to TO.",
                "NFT 5000000, or 5000000 units, goes from FROM to TO.",
            ),
            (
                ("42842e0e", alloc::vec![address(0x11), address(0x22), uint(57.into())]),
                "NFT 57 goes from FROM to TO.",
                "NFT 57 goes from FROM to TO.",
            ),
            (
                two("095ea7b3", five),
                "TO may take 5 USDC (5000000 units).",
                "TO may take NFT 5000000, or 5000000 units.",
            ),
            (two("095ea7b3", zero), "TO may take nothing.", "TO may take NFT 0, or nothing."),
            (
                two("095ea7b3", U256::one() << 255),
                "TO may take an unlimited amount.",
                "TO may take NFT 57896044618658097711785492504343953926634992332820282019728792003956564819968, or an \
                unlimited amount.",
            ),
            (
                two("39509351", most),
                "TO may take more than before, by an unlimited amount.",
                "TO may take more than before, by an unlimited amount.",
            ),
            (
                two("a457c2d7", five),
                "TO may take less than before, by 5 USDC (5000000 units).",
                "TO may take less than before, by 5000000 units.",
            ),
            (
                ("a22cb465", alloc::vec![to, Value::Bool(true)]),
                "TO may take everything of FROM.",
                "TO may take everything of FROM.",
            ),
            (
                ("a22cb465", alloc::vec![address(0x22), Value::Bool(false)]),
                "TO may take nothing of FROM.",
                "TO may take nothing of FROM.",
            ),
            (
                (
                    "d505accf",
                    alloc::vec![
                        address(0x11),
                        address(0x22),
                        uint(five),
                        uint(9.into()),
                        uint(27.into()),
                        word(),
                        word()
                    ],
                ),
                "TO may take 5 USDC (5000000 units) of FROM, until 9 (Unix time).",
                "TO may take 5000000 units of FROM, until 9 (Unix time).",
            ),
            (
                (
                    "87517c45",
                    alloc::vec![
                        address(0x33),
                        address(0x22),
                        uint((U256::one() << 160) - 1),
                        uint(9.into())
                    ],
                ),
                "TO may take an unlimited amount of the token TOKEN, until 9 (Unix time).",
                "TO may take an unlimited amount of the token TOKEN, until 9 (Unix time).",
            ),
            (
                ("87517c45", alloc::vec![address(0x33), address(0x22), uint(five), uint(9.into())]),
                "TO may take 5 USDC (5000000 units) of the token TOKEN, until 9 (Unix time).",
                "TO may take 5000000 units of the token TOKEN, until 9 (Unix time).",
            ),
            (
                ("f2fde38b", alloc::vec![address(0x22)]),
                "TO becomes its owner.",
                "TO becomes its owner.",
            ),
            (("715018a6", alloc::vec![]), "it has no owner any more.", "it has no owner any more."),
            (
                ("3659cfe6", alloc::vec![address(0x22)]),
                "its code becomes that of TO.",
                "its code becomes that of TO.",
            ),
        ] {
            let full = |text: &str| {
                text.replace("FROM", FROM)
                    .replace("TOKEN", TOKEN)
                    .replace("TO ", &format!("{TO} "))
                    .replace("TO.", &format!("{TO}."))
            };
            assert_eq!(said(selector, &values, &some), full(known));
            assert_eq!(said(selector, &values, &none), full(unknown));
        }
    }

    #[test]
    fn each_template_names_arguments_that_its_function_has() {
        for (names, effect) in super::super::contract_function::effects() {
            for place in effect.split(['{', '}']).skip(1).step_by(2) {
                let name = place.split(':').next().unwrap();
                assert!(
                    name == "caller" || names.split(',').any(|known| known == name),
                    "{place} of {effect}"
                );
            }
        }
    }

    #[test]
    fn moves_that_programs_make_have_a_sentence() {
        let call = |function: &str, arguments: &[(&str, &str)]| {
            let argument = |(name, value): &(&str, &str)| MoveArgument {
                name: (*name).into(),
                value: (*value).into(),
            };
            let of = |text: &str| text.parse().unwrap();
            let arguments = arguments.iter().map(argument).collect();
            let (from, to) = (of(FROM), of(TOKEN));
            let one = Move::Function {
                from,
                to,
                value: "0x5".parse().unwrap(),
                function: function.into(),
                arguments,
            };
            one.sentence(&"eip155:1".parse().unwrap(), &Names::default())
        };
        let start = |function| {
            format!(
                "{FROM} calls {function} of the contract {TOKEN} on eip155:1, and sends 5 wei: "
            )
        };
        assert_eq!(
            call("f(bool)", &[("a", "true"), ("b", "2")]),
            start("f(bool)") + "a true, b 2."
        );
        let transfer = "transfer(address,uint256)";
        assert_eq!(
            call(transfer, &[("to", TO), ("amount", "x")]),
            start(transfer) + &format!("to {TO}, amount x.")
        );
    }
}
