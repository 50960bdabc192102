//! The display model of a move: labelled values, as wallets that follow ERC-7730 show them.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::contract_function::{ContractFunction, Form};
use super::names::{Standard, counted};
use super::sentence::{Setting, contents};
use super::{ContractCall, ContractCallKind, Intent, Move, MoveArgument, Names, Wallet, sentence};
use crate::document::document;
use crate::value::{Address, ChainId, Quantity, WriteText, fill, keyword};

document! {
    /// A move as a wallet shows it: what it is for, in a word and in a sentence, and each value with its label.
    ///
    /// Source: ERC-7730, whose formatters answer this model. It is made from the move itself, without a descriptor file.
    ///
    /// ```
    /// use sendoff::intent::{Intent, TokenTransfer};
    ///
    /// let (from, to) = ("0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906", "0xEc186DB52Cb079380E9Ed11740859d5a45e1B831");
    /// let intent = Intent::TokenTransfer(TokenTransfer {
    ///     caip2_id: "eip155:80002".parse()?,
    ///     recipient_wallet_address: to.parse()?,
    ///     token_address: "".parse()?,
    ///     amount: "1500".parse()?,
    /// });
    /// let names = r#"{"tokens":[{"caip2Id":"eip155:80002","tokenAddress":"","symbol":"POL","decimals":18}]}"#.parse()?;
    /// let model = &intent.display(&from.parse()?, &names)[0];
    /// assert_eq!((&*model.intent, &*model.fields[0].value), ("Send", "0.0000000000000015 POL (1500 wei)"));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct DisplayModel: "", open Ignored, displayed by nobody {
        /// What the move is for, such as `Send`.
        "intent" => pub intent: String,
        /// The sentence about the move.
        "interpolatedIntent" => pub interpolated_intent: String,
        /// Its values, in the order in which a person reads them.
        "fields" => pub fields: Vec<DisplayField>,
    }
}

document! {
    /// A value of a move, for people.
    pub struct DisplayField: "", open Ignored, displayed by nobody {
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

impl Intent {
    /// The display models of its moves, in order, for the account `user`.
    #[must_use]
    pub fn display(&self, user: &Address, names: &Names) -> Vec<DisplayModel> {
        let wallet = Wallet::of(self.kind());
        let moves = self.moves(user);
        let models = moves.iter().enumerate();
        models.map(|(at, moved)| display(moved, wallet, self.chain(), names, at)).collect()
    }
}

/// The display model of a move.
fn display(
    moved: &Move,
    wallet: Wallet,
    chain: &ChainId,
    names: &Names,
    index: usize,
) -> DisplayModel {
    let mut fields = Fields { wallet, chain, names, index, is_data: false, list: Vec::new() };
    let intent = fill_in(moved, &mut fields);
    fields.list.push(DisplayField {
        label: "Network".into(),
        value: names.chain(chain),
        path: "chain".into(),
        format: DisplayFormat::Raw,
    });

    let interpolated_intent = sentence(moved, wallet, chain, names);
    DisplayModel { intent: intent.into(), interpolated_intent, fields: fields.list }
}

/// Adds the fields of a move, and returns what it is for.
fn fill_in(moved: &Move, fields: &mut Fields<'_>) -> &'static str {
    match moved {
        Move::Nft { from, to, collection, nft_id, amount, standard: _ } => {
            fields.add("NFT", nft_id.to_text(), "nftId", DisplayFormat::NftName);
            if amount.value() != U256::one() {
                fields.add("Pieces", amount.to_text(), "amount", DisplayFormat::Raw);
            }
            fields.contract("Collection", collection, "collection");
            fields.parties(from, to);
            "Send NFT"
        }
        Move::Token { from, to, contract, amount } => {
            let amount = fields.names.units(amount.value(), fields.chain, Some(contract));
            fields.add("Amount", amount.text, "amount", DisplayFormat::TokenAmount);
            fields.address("Token", contract, "contract");
            fields.parties(from, to);
            "Send"
        }
        Move::Native { from, to, amount } => {
            fields.coins("Amount", amount.value(), "amount");
            fields.parties(from, to);
            "Send"
        }
        Move::Function { from, to, value, function, arguments } => {
            let known = ContractFunction::signed(function);
            fields.contract("Contract", to, "to");
            fields.address("Caller", from, "from");

            let (chain, names) = (fields.chain, fields.names);
            let setting = Setting { chain, names, contract: Some(to), arguments };
            for (at, argument) in arguments.iter().enumerate() {
                let form = known.map_or(Form::Plain, |known| known.form(&argument.name));
                fields.argument(at, argument, form, setting);
            }
            fields.sent(value);
            known.map_or("Call a contract", ContractFunction::intent)
        }
        Move::Call { from, to, value, data } => {
            if let Some((function, length)) = moved.with_suffix() {
                fields.is_data = true;
                let intent = fill_in(&function, fields);
                let value = fill("{} (ERC-8021)", &[&counted(length, "byte")]);
                fields.add("Attribution", value, "data", DisplayFormat::Calldata);
                return intent;
            }

            fields.contract("Contract", to, "to");
            fields.address("Caller", from, "from");
            let data = data.as_slice();
            fields.add("Data", counted(data.len(), "byte"), "data", DisplayFormat::Calldata);
            let contents = contents(ContractCall::in_unknown(data), fields.chain);
            if !contents.is_empty() {
                fields.add("Data contains", contents, "data", DisplayFormat::Calldata);
            }
            fields.sent(value);
            "Call a contract"
        }
    }
}

impl ContractFunction {
    /// What the function is for.
    fn intent(&self) -> &'static str {
        let has = |form| self.arguments.iter().any(|(_, known)| *known == form);
        match self.kind {
            ContractCallKind::Transfer if has(Form::Nft) => "Send NFT",
            ContractCallKind::Transfer if has(Form::Nfts) => "Send NFTs",
            ContractCallKind::Transfer => "Send",
            ContractCallKind::Approval => "Approve",
            ContractCallKind::ApprovalForAll => "Manage operator rights",
            ContractCallKind::Reduction => "Lower an approval",
            ContractCallKind::Permit => "Approve by signature",
            ContractCallKind::Ownership => "Change control",
            ContractCallKind::Upgrade => "Upgrade the contract",
        }
    }
}

/// The fields so far.
struct Fields<'a> {
    wallet: Wallet,
    chain: &'a ChainId,
    names: &'a Names,
    index: usize,
    /// The arguments are parts of the data of an unknown call.
    is_data: bool,
    list: Vec<DisplayField>,
}

impl Fields<'_> {
    fn add(&mut self, label: &str, value: String, part: &str, format: DisplayFormat) {
        let path = fill("moves.{}.{}", &[&self.index, &part]);
        self.list.push(DisplayField { label: label.into(), value, path, format });
    }

    fn address(&mut self, label: &str, address: &Address, part: &str) {
        self.add(label, address.to_checksum(), part, DisplayFormat::AddressName);
    }

    /// Adds a contract, with its name.
    fn contract(&mut self, label: &str, contract: &Address, part: &str) {
        let value = self.names.collection(self.chain, &contract.to_checksummed());
        self.add(label, value, part, DisplayFormat::AddressName);
    }

    fn parties(&mut self, from: &Address, to: &Address) {
        let label = match self.wallet {
            Wallet::AtService => "Your wallet at the service",
            Wallet::OnChain => "From",
        };
        self.address(label, from, "from");
        self.address("To", to, "to");
    }

    fn coins(&mut self, label: &str, amount: U256, part: &str) {
        let value = self.names.coins(amount, self.chain).text;
        self.add(label, value, part, DisplayFormat::Amount);
    }

    /// Adds the native token that is sent along, unless it is none.
    fn sent(&mut self, value: &Quantity) {
        if !value.value().is_zero() {
            self.coins("Sent along", value.value(), "value");
        }
    }

    /// Adds an argument of a function.
    fn argument(&mut self, at: usize, argument: &MoveArgument, form: Form, setting: Setting<'_>) {
        let MoveArgument { name, value } = argument;
        let (label, format) = match form {
            Form::Units | Form::AllowanceOrNft => {
                match self.names.standard(self.chain, setting.contract) {
                    None => ("Amount or NFT", DisplayFormat::Raw),
                    Some(Standard::Collection) => ("NFT", DisplayFormat::NftName),
                    Some(Standard::Token) => ("Amount", DisplayFormat::TokenAmount),
                }
            }
            Form::Nft => ("NFT", DisplayFormat::NftName),
            Form::Allowance | Form::AllowanceOfToken | Form::PermitAmount => {
                ("Amount", DisplayFormat::TokenAmount)
            }
            Form::Nfts => ("NFTs", DisplayFormat::Raw),
            Form::Deadline | Form::Expiry => ("Signature", DisplayFormat::Date),
            Form::Expiration => ("Allowed", DisplayFormat::Date),
            Form::Approved | Form::PermitAll => ("", DisplayFormat::Enum),
            Form::Address | Form::Empowered => ("", DisplayFormat::AddressName),
            Form::Bytes => ("", DisplayFormat::Calldata),
            Form::Plain | Form::Pieces | Form::SignaturePart => ("", DisplayFormat::Raw),
        };
        let label = match (label, form) {
            ("", Form::SignaturePart) => fill("Signature, {}", &[name]),
            ("", _) => in_words(name),
            (label, _) => label.into(),
        };
        let words = match (form, format) {
            (Form::Bytes | Form::Pieces, _) | (_, DisplayFormat::NftName) => None,
            // As in the sentence.
            _ => setting.words(value, form),
        };
        let value = words.map_or_else(|| value.clone(), |words| [&*words.text, words.end].concat());
        let path = if self.is_data { "data".into() } else { fill("arguments.{}.value", &[&at]) };
        self.add(&label, value, &path, format);
    }
}

/// The name of an argument as a label.
fn in_words(name: &str) -> String {
    let words = name.replace('_', " ");
    let (initial, rest) = words.split_at_checked(1).unwrap_or(("", &words));
    [&initial.to_ascii_uppercase(), rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    const FROM: &str = "0x1111111111111111111111111111111111111111";
    const TO: &str = "0x2222222222222222222222222222222222222222";
    const TOKEN: &str = "0x3333333333333333333333333333333333333333";

    #[test]
    fn a_function_that_a_program_makes_has_its_arguments_as_they_are() {
        let model = |function: &str, arguments: &[(&str, &str)]| {
            let argument = |(name, value): &(&str, &str)| MoveArgument {
                name: (*name).into(),
                value: (*value).into(),
            };
            let of = |text: &str| text.parse().unwrap();
            let one = Move::Function {
                from: of(FROM),
                to: of(TOKEN),
                value: "0x5".parse().unwrap(),
                function: function.into(),
                arguments: arguments.iter().map(argument).collect(),
            };
            display(&one, Wallet::OnChain, &"eip155:1".parse().unwrap(), &Names::default(), 3)
        };

        for (function, [first, second]) in
            [("f(bool)", ["a", "new_owner"]), ("transfer(address,uint256)", ["amount", "to"])]
        {
            let value = "0.000000000000000005 of the chain's coin (5 wei)";
            let call = format!("{FROM} calls {function} of the contract {TOKEN} on eip155:1");
            let sentence = model(function, &[(first, "x"), (second, TO)]).interpolated_intent;
            assert_eq!(sentence, format!("{call}, and sends {value}: {first} x, {second} {TO}."));
        }

        let model = model("f()", &[("new_owner", TO)]);
        let field = model.fields.iter().find(|field| field.label == "New owner").unwrap();
        let shown = (&*field.value, &*field.path, field.format);
        assert_eq!(shown, (TO, "moves.3.arguments.0.value", DisplayFormat::Raw));
        assert_eq!(model.intent, "Call a contract");
    }
}
