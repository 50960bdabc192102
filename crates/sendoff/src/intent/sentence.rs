//! Sentences about moves, for people who are about to sign.

use alloc::string::String;

use primitive_types::U256;

use super::contract_function::{ContractFunction, Form};
use super::moves::arguments;
use super::names::{Standard, Words, counted};
use super::{Approved, ContractCall, ContractCallKind, IntentType, Move, MoveArgument, Names};
use crate::value::{Address, ChainId, FeeAmount, Quantity, Text, WriteText, decimal, fill};

/// The wallet that `from` of a move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wallet {
    /// The user's wallet at the service, which is on the service's chain. The service takes the assets from another one.
    AtService,
    /// The wallet that holds the assets, on their chain.
    OnChain,
}

impl Wallet {
    pub(crate) const fn of(intent: IntentType) -> Self {
        match intent {
            IntentType::NftTransfer | IntentType::TokenTransfer => Self::AtService,
            IntentType::RawTransaction => Self::OnChain,
        }
    }
}

/// One sentence about a move, such as `NFT 56 of the collection 0x… goes to 0x… on eip155:80002, on behalf of your wallet at the
/// service, 0x….`
pub(crate) fn sentence(moved: &Move, wallet: Wallet, chain: &ChainId, names: &Names) -> String {
    let on = names.chain(chain);
    let behalf = |from: &Address| fill("on behalf of your wallet at the service, {}", &[from]);
    match moved {
        Move::Nft { from, to, collection, nft_id, amount, standard: _ } => {
            let pieces = pieces(&amount.to_text());
            let collection = names.collection(chain, collection);
            let template = "NFT {}{} of the collection {} goes to {} on {}, {}.";
            fill(template, &[nft_id, &pieces, &collection, to, &on, &behalf(from)])
        }
        Move::Token { from, to, contract, amount } => {
            let units = names.units(amount.value(), chain, Some(contract));
            let template = "{} of the token {}{} to {} on {}, {}.";
            fill(template, &[&units.text, contract, &units.go, to, &on, &behalf(from)])
        }
        Move::Native { from, to, amount } => {
            let coins = names.coins(amount.value(), chain);
            let (coins, go) = (&coins.text, coins.go);
            match wallet {
                Wallet::AtService => {
                    fill("{}{} to {} on {}, {}.", &[coins, &go, to, &on, &behalf(from)])
                }
                Wallet::OnChain => fill("{}{} from {} to {} on {}.", &[coins, &go, from, to, &on]),
            }
        }
        Move::Function { from, to, value, function, arguments } => {
            let setting = Setting { chain, names, contract: Some(to), arguments };
            let effect = setting.effect(function, &from.to_text());
            let sends = sends(value, chain, names);
            let template = "{} calls {} of the contract {} on {}{}: {}.";
            fill(template, &[from, function, &names.collection(chain, to), &on, &sends, &effect])
        }
        Move::Call { from, to, value, data } => {
            if let Some((function, length)) = moved.with_suffix() {
                let text = sentence(&function, wallet, chain, names);
                let text = text.strip_suffix('.').unwrap_or(&text);
                return fill("{}; {}.", &[&text, &attribution(length)]);
            }

            let length = counted(data.as_slice().len(), "byte");
            let contents = match &*contents(ContractCall::in_unknown(data.as_slice()), chain) {
                "" => String::new(),
                contents => fill("; the data contains {}", &[&contents]),
            };
            let (contract, sends) = (names.collection(chain, to), sends(value, chain, names));
            let template = "{} calls {} on {} with {} whose meaning is not known here{}{}.";
            fill(template, &[from, &contract, &on, &length, &sends, &contents])
        }
    }
}

/// The number of pieces of an NFT, unless it is one.
fn pieces(amount: &str) -> String {
    if amount == "1" { String::new() } else { fill(" ({} pieces)", &[&amount]) }
}

/// What a call sends along, unless it is nothing.
fn sends(value: &Quantity, chain: &ChainId, names: &Names) -> String {
    if value.value().is_zero() {
        String::new()
    } else {
        fill(", and sends {}", &[&names.coins(value.value(), chain).text])
    }
}

/// What a suffix of this length is.
pub(crate) fn attribution(length: usize) -> String {
    fill("{} behind the call name an application (ERC-8021)", &[&counted(length, "byte")])
}

/// The effect of a call, for people, without the end of its sentence.
pub(crate) fn effect(
    call: &ContractCall,
    caller: &str,
    contract: Option<&Address>,
    chain: &ChainId,
    names: &Names,
) -> String {
    let arguments = &arguments(call);
    Setting { chain, names, contract, arguments }.effect(call.signature(), caller)
}

/// What calls in data give that is not known here; empty if there are none.
pub(crate) fn contents(calls: impl Iterator<Item = ContractCall>, chain: &ChainId) -> String {
    const MOST: usize = 3;

    let names = Names::default();
    let mut text = String::new();
    for (at, call) in calls.filter(ContractCall::is_power).enumerate() {
        let before = if at == 0 { "" } else { "; and " };
        if at == MOST {
            text.push_str("; and more");
            break;
        }
        let given = match call.kind() {
            ContractCallKind::Ownership => "a change of control",
            ContractCallKind::Upgrade => "an upgrade",
            _ => "an approval",
        };
        let effect = effect(&call, "the caller", None, chain, &names);
        text.push_str(&fill("{}{}: {}", &[&before, &given, &effect]));
    }
    text
}

/// A call of a function: its arguments, the contract that they are for, and the caller's names.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) chain: &'a ChainId,
    pub(super) names: &'a Names,
    pub(super) contract: Option<&'a Address>,
    pub(super) arguments: &'a [MoveArgument],
}

impl Setting<'_> {
    /// The effect of the function with this signature; the arguments where it is not known, or they are not those of it.
    fn effect(self, signature: &str, caller: &str) -> String {
        let known = ContractFunction::signed(signature);
        known.and_then(|known| self.filled(known, caller)).unwrap_or_else(|| self.listed())
    }

    /// The sentence of a function with its places filled in. `None` if an argument is missing, or of another kind.
    fn filled(self, function: &ContractFunction, caller: &str) -> Option<String> {
        let (mut text, mut rest) = (String::new(), function.effect);
        while let Some((before, behind)) = rest.split_once('{')
            && let Some((place, behind)) = behind.split_once('}')
        {
            text.push_str(before);
            let (name, part) = place.split_once(':').unwrap_or((place, ""));
            if name == "caller" {
                text.push_str(caller);
            } else {
                let words = self.words(self.argument(name)?, function.form(name))?;
                text.push_str(match part {
                    "go" => words.go,
                    "end" => words.end,
                    _ => &words.text,
                });
            }
            rest = behind;
        }
        text.push_str(rest);
        Some(text)
    }

    /// The arguments with their names.
    fn listed(self) -> String {
        let mut list = String::new();
        for MoveArgument { name, value } in self.arguments {
            let before = if list.is_empty() { "" } else { ", " };
            list.push_str(&fill("{}{} {}", &[&before, name, value]));
        }
        list
    }

    fn argument(&self, name: &str) -> Option<&str> {
        let argument = self.arguments.iter().find(|argument| argument.name == name);
        argument.map(|argument| &*argument.value)
    }

    /// What people read for a value. `None` if it is of another kind.
    pub(super) fn words(self, value: &str, form: Form) -> Option<Words> {
        let number = || FeeAmount::parse(value).ok().map(|number| number.value());
        let endless = |is_endless| if is_endless { ", with no end" } else { "" };
        let (is_zero, is_true) = (value == "0", value == "true");

        let text = match form {
            Form::Plain
            | Form::Address
            | Form::Empowered
            | Form::Nft
            | Form::Nfts
            | Form::SignaturePart => value.into(),
            Form::Pieces => pieces(value),
            Form::Bytes => counted(value.strip_prefix("0x")?.len() / 2, "byte"),
            Form::Units => {
                let number = number()?;
                let units = self.names.units(number, self.chain, self.contract);
                return Some(self.or_nft(number, units));
            }
            Form::AllowanceOrNft => {
                let number = number()?;
                return Some(self.or_nft(number, self.allowance(number, 256).into()));
            }
            Form::Allowance => self.allowance(number()?, 256),
            Form::AllowanceOfToken => {
                let token = Address::parse(self.argument("token")?).ok()?;
                Setting { contract: Some(&token), ..self }.allowance(number()?, 160)
            }
            Form::PermitAmount => {
                let text = self.allowance(number()?, 256);
                return Some(Words { end: endless(!is_zero), ..text.into() });
            }
            Form::PermitAll => {
                let text = if is_true { "an unlimited amount" } else { "nothing" };
                return Some(Words { text: text.into(), go: "", end: endless(is_true) });
            }
            Form::Approved => (if is_true { "everything" } else { "nothing" }).into(),
            Form::Expiry if is_zero => "can be used without end".into(),
            Form::Deadline | Form::Expiry => fill("must be used before {} (Unix time)", &[&value]),
            Form::Expiration if is_zero => "in this block only".into(),
            Form::Expiration => fill("until {} (Unix time)", &[&value]),
        };
        Some(text.into())
    }

    /// A number that is an amount of a token or the id of an NFT: both, unless the names tell which one.
    fn or_nft(self, number: U256, amount: Words) -> Words {
        let nft = fill("NFT {}", &[&decimal(number)]);
        match self.names.standard(self.chain, self.contract) {
            Some(Standard::Token) => amount,
            Some(Standard::Collection) => Words::moving(nft, true),
            None => {
                let go = if number == U256::one() { ", goes" } else { ", go" };
                Words { go, ..fill("{}, or {}", &[&nft, &amount.text]).into() }
            }
        }
    }

    /// An allowance of a function whose numbers have so many bits.
    fn allowance(self, amount: U256, bits: usize) -> String {
        let units = || self.names.units(amount, self.chain, self.contract).text;
        if amount.is_zero() {
            "nothing".into()
        } else if amount.bits() >= bits {
            "an unlimited amount".into()
        } else if Approved::UpTo(amount).is_unlimited() {
            // All that a token with fewer bits has; with others it is a number like any.
            fill("an unlimited amount, {}", &[&units()])
        } else {
            units()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::intent::contract_function::FUNCTIONS;

    #[test]
    fn each_template_names_arguments_that_its_function_has() {
        for function in FUNCTIONS {
            for place in function.effect.split(['{', '}']).skip(1).step_by(2) {
                let (name, part) = place.split_once(':').unwrap_or((place, ""));
                let is_known = name == "caller" || function.names().any(|known| known == name);
                assert!(is_known && ["", "go", "end"].contains(&part), "{place} of {function:?}");
            }
        }
    }
}
