//! The display model of a move: labelled values, as wallets that follow ERC-7730 show them.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::contract_function::{ContractFunction, FUNCTIONS};
use super::names::NATIVE;
use super::{ContractCallKind, Known, Move, Names, moves, sentence};
use crate::document::{Typed, Value, answer};
use crate::value::{Address, ChainId, FeeAmount, Text, WriteText, fill, keyword};

answer! {
    /// A move as a wallet shows it: what it is for, in a word and in a sentence, and each value with its label.
    ///
    /// Source: ERC-7730, whose formatters answer this model. It is made from the move itself, without a descriptor file.
    ///
    /// ```
    /// use sendoff::intent::{Move, Names};
    ///
    /// let (from, to) = ("0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906", "0xEc186DB52Cb079380E9Ed11740859d5a45e1B831");
    /// let native = Move::Native { from: from.parse()?, to: to.parse()?, amount: "1500".parse()? };
    /// let model = native.display(&"eip155:80002".parse()?, &Names::default(), 0);
    /// assert_eq!((&*model.intent, &*model.fields[0].value), ("Send", "1500 wei"));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct DisplayModel {
        /// What the move is for, such as `Send`.
        "intent" => pub intent: String,
        /// The sentence about the move.
        "interpolatedIntent" => pub interpolated_intent: String,
        /// Its values, in the order in which a person reads them.
        "fields" => pub fields: Vec<DisplayField>,
    }
}

answer! {
    /// A value of a move, for people.
    pub struct DisplayField {
        /// The label.
        "label" => pub label: String,
        /// The value in words.
        "value" => pub value: String,
        /// The path of the raw value from the root of the call's description, such as `moves.0.to`.
        "path" => pub path: String,
        /// The format.
        "format" => pub format: DisplayFormat,
    }
}

keyword! {
    /// The format of a value, by ERC-7730's names.
    ///
    /// ```
    /// use sendoff::intent::DisplayFormat;
    ///
    /// assert_eq!(DisplayFormat::TokenAmount.as_str(), "tokenAmount");
    /// ```
    pub enum DisplayFormat: "the format of a value, such as `tokenAmount`", non_exhaustive {
        /// An address.
        "addressName" => AddressName,
        /// An amount of a token.
        "tokenAmount" => TokenAmount,
        /// An amount of the chain's native token.
        "amount" => Amount,
        /// An NFT.
        "nftName" => NftName,
        /// A time, in seconds since the epoch.
        "date" => Date,
        /// One of a few words.
        "enum" => Enum,
        /// The data of another call.
        "calldata" => Calldata,
        /// The value as it is.
        "raw" => Raw,
    }
}

impl Move {
    /// Returns the display model of the move, the one with this index in its list.
    #[must_use]
    pub fn display(&self, chain: &ChainId, names: &Names, index: usize) -> DisplayModel {
        display(&self.to_value(), &chain.to_value(), &Known::of(&names.to_value()), index)
    }
}

/// Returns the display models of the moves of an intent with these details, in order, for the account `user`.
pub(crate) fn display_all(details: &Value, user: &Value, names: &Known) -> Vec<DisplayModel> {
    let chain = details.field("caip2Id");
    moves(details, user)
        .iter()
        .enumerate()
        .map(|(at, moved)| display(moved, chain, names, at))
        .collect()
}

/// The display model of a value of [`Move`].
fn display(moved: &Value, chain: &Value, names: &Known, index: usize) -> DisplayModel {
    let mut fields = Fields { chain, names, index, list: Vec::new() };
    let intent = fill_in(moved, &mut fields);
    fields.list.push(DisplayField {
        label: "Network".into(),
        value: names.chain(chain),
        path: "chain".into(),
        format: DisplayFormat::Raw,
    });

    let interpolated_intent = sentence(moved, chain, names);
    DisplayModel { intent: intent.into(), interpolated_intent, fields: fields.list }
}

/// Adds the fields of a move, and returns what it is for.
fn fill_in(moved: &Value, fields: &mut Fields<'_>) -> &'static str {
    let number = |key| moved.field(key).number();
    match moved.tag_of_details().unwrap_or_default() {
        "nft" => {
            fields.add("NFT", moved.field("nftId").to_text(), "nftId", DisplayFormat::NftName);
            if number("amount") != U256::one() {
                fields.add("Pieces", moved.field("amount").to_text(), "amount", DisplayFormat::Raw);
            }
            fields
                .addresses(moved, &[("Collection", "collection"), ("From", "from"), ("To", "to")]);
            "Send NFT"
        }
        "token" => {
            let amount = fields.units(number("amount"), moved.field("contract"));
            fields.add("Amount", amount, "amount", DisplayFormat::TokenAmount);
            fields.addresses(moved, &[("Token", "contract"), ("From", "from"), ("To", "to")]);
            "Send"
        }
        "native" => {
            fields.wei("Amount", number("amount"), "amount");
            fields.addresses(moved, &[("From", "from"), ("To", "to")]);
            "Send"
        }
        "function" => {
            let function = moved.field("function").to_text();
            let known = FUNCTIONS.iter().find(|known| known.signature == function);
            fields.addresses(moved, &[("Contract", "to"), ("Caller", "from")]);
            let arguments: Vec<_> =
                moved.field("arguments").items().iter().map(argument_of).collect();
            for at in 0..arguments.len() {
                fields.argument(known, at, &arguments, moved.field("to"));
            }
            fields.sent(number("value"));
            known.map_or("Call a contract", ContractFunction::intent)
        }
        _ => {
            fields.addresses(moved, &[("Contract", "to"), ("Caller", "from")]);
            let bytes = moved.field("data").bytes().len();
            fields.add("Data", fill("{} bytes", &[&bytes]), "data", DisplayFormat::Calldata);
            fields.sent(number("value"));
            "Call a contract"
        }
    }
}

/// The name and the value of an argument.
fn argument_of(argument: &Value) -> (String, String) {
    (argument.field("name").to_text(), argument.field("value").to_text())
}

impl ContractFunction {
    /// What the function is for.
    fn intent(&self) -> &'static str {
        match self.kind {
            ContractCallKind::Transfer if self.effect().starts_with("NFT {id") => "Send NFT",
            ContractCallKind::Transfer if self.effect().starts_with("the NFTs") => "Send NFTs",
            ContractCallKind::Transfer => "Send",
            ContractCallKind::Approval => "Approve",
            ContractCallKind::ApprovalForAll => "Manage operator rights",
            ContractCallKind::Reduction => "Lower an approval",
            ContractCallKind::Permit => "Approve by signature",
            ContractCallKind::Ownership => "Change control",
            ContractCallKind::Upgrade => "Upgrade the contract",
        }
    }

    /// The form of an argument in the sentence about the effect; none if the sentence does not contain it.
    fn form(&self, name: &str) -> Option<&'static str> {
        let places = self.effect().split(['{', '}']).skip(1).step_by(2);
        let mut forms = places.map(|place| place.split_once(':').unwrap_or((place, "")));
        forms.find(|(known, _)| *known == name).map(|(_, form)| form)
    }

    /// The type of the argument at an index.
    fn type_at(&self, at: usize) -> &'static str {
        self.types().nth(at).unwrap_or_default()
    }
}

/// The fields so far.
struct Fields<'a> {
    chain: &'a Value,
    names: &'a Known,
    index: usize,
    list: Vec<DisplayField>,
}

impl Fields<'_> {
    fn add(&mut self, label: &str, value: String, part: &str, format: DisplayFormat) {
        let path = fill("moves.{}.{}", &[&self.index, &part]);
        self.list.push(DisplayField { label: label.into(), value, path, format });
    }

    fn addresses(&mut self, moved: &Value, rows: &[(&str, &str)]) {
        for (label, part) in rows {
            let address = moved.field(part).checksummed();
            let value = match *label {
                "Collection" | "Contract" => self.names.collection(self.chain, &address),
                _ => address.to_text(),
            };
            self.add(label, value, part, DisplayFormat::AddressName);
        }
    }

    fn wei(&mut self, label: &str, amount: U256, part: &str) {
        let value = self.names.amount(amount, self.chain, NATIVE, "wei");
        self.add(label, value, part, DisplayFormat::Amount);
    }

    /// Adds the native token that is sent along, unless it is none.
    fn sent(&mut self, value: U256) {
        if !value.is_zero() {
            self.wei("Sent along", value, "value");
        }
    }

    fn units(&self, amount: U256, token: &Value) -> String {
        self.names.amount(amount, self.chain, token, "units")
    }

    /// Adds an argument of a function of a contract.
    fn argument(
        &mut self,
        known: Option<&ContractFunction>,
        at: usize,
        all: &[(String, String)],
        contract: &Value,
    ) {
        let Some((name, value)) = all.get(at) else { return };
        let form = known.and_then(|known| known.form(name)).unwrap_or_default();
        let kind = known.map_or("", |known| known.type_at(at));
        let number = FeeAmount::parse(value).ok().map(|number| number.value());
        let is_token = self.names.knows(self.chain, contract);

        let (value, format) = match (form, kind, number) {
            ("units", _, Some(number)) => {
                (self.units(number, contract), DisplayFormat::TokenAmount)
            }
            ("units or NFT", _, Some(number)) if is_token => {
                (self.units(number, contract), DisplayFormat::TokenAmount)
            }
            ("allowance", _, Some(number)) => self.allowance(number, contract, 255),
            ("allowance or NFT", _, Some(number)) if is_token || number.bits() > 255 => {
                self.allowance(number, contract, 255)
            }
            ("allowance of token", _, Some(number)) => {
                let token = all.iter().find(|(name, _)| name == "token");
                let token = token.and_then(|(_, token)| Address::parse(token).ok());
                let token = token.map_or_else(|| contract.clone(), Value::Address);
                self.allowance(number, &token, 159)
            }
            (choice, "bool", _) => {
                let (yes, no) = choice.split_once('|').unwrap_or(("true", "false"));
                (if value == "true" { yes } else { no }.into(), DisplayFormat::Enum)
            }
            (_, "address", _) => (value.clone(), DisplayFormat::AddressName),
            (_, "bytes", _) => (value.clone(), DisplayFormat::Calldata),
            _ if name == "id" => (value.clone(), DisplayFormat::NftName),
            _ if ["deadline", "expiry", "expiration"].contains(&&**name) => {
                (fill("{} (Unix time)", &[value]), DisplayFormat::Date)
            }
            _ => (value.clone(), DisplayFormat::Raw),
        };
        let path = fill("arguments.{}.value", &[&at]);
        self.add(&labelled(name, format), value, &path, format);
    }

    /// An allowance with this highest bit is as good as unlimited: no token has such a supply.
    fn allowance(
        &self,
        amount: U256,
        token: &Value,
        highest_bit: usize,
    ) -> (String, DisplayFormat) {
        let value = if amount.bits() > highest_bit {
            "Unlimited".into()
        } else {
            self.units(amount, token)
        };
        (value, DisplayFormat::TokenAmount)
    }
}

/// The label of an argument: its name, in words.
fn labelled(name: &str, format: DisplayFormat) -> String {
    match (name, format) {
        ("value", DisplayFormat::TokenAmount) => "Amount".into(),
        ("value", _) => "Amount or NFT".into(),
        ("id", _) => "NFT".into(),
        ("ids", _) => "NFTs".into(),
        ("v" | "r" | "s", _) => fill("Signature, {}", &[&name]),
        _ => {
            let words = name.replace('_', " ");
            let (initial, rest) = words.split_at_checked(1).unwrap_or(("", &words));
            [&initial.to_ascii_uppercase(), rest].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::MoveArgument;
    use crate::value::decimal;
    use alloc::format;

    const TO: &str = "0x2222222222222222222222222222222222222222";

    #[test]
    fn an_argument_has_the_format_of_its_form() {
        let names: Names = r#"{"tokens":[{"caip2Id":"eip155:1","tokenAddress":
            "0x3333333333333333333333333333333333333333","symbol":"USDC","decimals":6}]}"#
            .parse()
            .unwrap();
        let shown = |function: &str, arguments: &[(&str, &str)], names: &Names| {
            let argument = |(name, value): &(&str, &str)| MoveArgument {
                name: (*name).into(),
                value: (*value).into(),
            };
            let one = Move::Function {
                from: "0x1111111111111111111111111111111111111111".parse().unwrap(),
                to: "0x3333333333333333333333333333333333333333".parse().unwrap(),
                value: "0x0".parse().unwrap(),
                function: function.into(),
                arguments: arguments.iter().map(argument).collect(),
            };
            let model = one.display(&"eip155:1".parse().unwrap(), names, 3);
            let line = |field: DisplayField| {
                format!("{} {} {} {}", field.label, field.value, field.path, field.format)
            };
            let fields = model.fields.into_iter().skip(2).map(line).collect::<Vec<_>>();
            (model.intent, fields)
        };
        let network = "Network eip155:1 chain raw";
        let spender = format!("Spender {TO} moves.3.arguments.0.value addressName");
        let most = decimal(U256::MAX);
        for (value, names, expected) in [
            (
                "5000000",
                &names,
                "Amount 5 USDC (5000000 units) moves.3.arguments.1.value tokenAmount",
            ),
            (&most, &names, "Amount Unlimited moves.3.arguments.1.value tokenAmount"),
            (&most, &Names::default(), "Amount Unlimited moves.3.arguments.1.value tokenAmount"),
            ("57", &Names::default(), "Amount or NFT 57 moves.3.arguments.1.value raw"),
        ] {
            let approve =
                shown("approve(address,uint256)", &[("spender", TO), ("value", value)], names);
            assert_eq!(
                approve,
                ("Approve".into(), [&spender, expected, network].map(Into::into).into())
            );
        }
        let (intent, fields) = shown(
            "setApprovalForAll(address,bool)",
            &[("operator", TO), ("approved", "true")],
            &names,
        );
        assert_eq!(
            (&*intent, &*fields[1]),
            ("Manage operator rights", "Approved everything moves.3.arguments.1.value enum")
        );
        let (intent, fields) = shown(
            "safeTransferFrom(address,address,uint256)",
            &[("from", TO), ("to", TO), ("id", "57")],
            &names,
        );
        assert_eq!(
            (&*intent, &*fields[2]),
            ("Send NFT", "NFT 57 moves.3.arguments.2.value nftName")
        );
        assert_eq!(
            shown("f()", &[("new_owner", TO)], &names),
            (
                "Call a contract".into(),
                [&*format!("New owner {TO} moves.3.arguments.0.value raw"), network]
                    .map(Into::into)
                    .into()
            )
        );
    }
}
