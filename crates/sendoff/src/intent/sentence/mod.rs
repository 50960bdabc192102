//! Sentences about moves, for people who are about to sign.

use alloc::string::String;

use primitive_types::U256;

use super::contract_function::effect_of;
use super::moves::{arguments, with_suffix};
use super::names::{Standard, counted};
use super::{Approved, ContractCall, ContractCallKind, IntentType, Known, Move, Names};
use crate::document::{Typed, Value};
use crate::text::cut;
use crate::value::{Address, ChainId, FeeAmount, Text, WriteText, fill};

impl Move {
    /// Returns one sentence about the move of an intent on a chain, such as `NFT 56 of the collection 0x… goes to 0x… on
    /// eip155:80002, on behalf of your wallet at the service, 0x….`
    ///
    /// ```
    /// use sendoff::intent::{IntentType, Move, Names};
    ///
    /// let (from, to) = ("0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906", "0xEc186DB52Cb079380E9Ed11740859d5a45e1B831");
    /// let token = Move::Token { from: from.parse()?, to: to.parse()?, contract: to.parse()?, amount: "1500".parse()? };
    /// let sentence = token.sentence(IntentType::TokenTransfer, &"eip155:80002".parse()?, &Names::default());
    /// let service = format!("on behalf of your wallet at the service, {from}");
    /// assert_eq!(sentence, format!("1500 units of the token {to} go to {to} on eip155:80002, {service}."));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[must_use]
    pub fn sentence(&self, intent: IntentType, chain: &ChainId, names: &Names) -> String {
        let (chain, names) = (chain.to_value(), Known::of(&names.to_value()));
        sentence(&self.to_value(), Wallet::of(intent), &chain, &names)
    }
}

/// The wallet that `from` of a move is.
#[derive(Clone, Copy, PartialEq, Eq)]
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

    /// The wallet in the moves of details with this tag.
    pub(crate) fn of_tag(tag: &str) -> Self {
        if tag == IntentType::RawTransaction.as_str() { Self::OnChain } else { Self::AtService }
    }
}

/// The sentence about a value of [`Move`].
pub(crate) fn sentence(moved: &Value, wallet: Wallet, chain: &Value, names: &Known) -> String {
    let said = Said { chain, names, moved };
    let text = match (moved.tag_of_details().unwrap_or_default(), wallet) {
        ("nft", _) => said.filled(
            "NFT {nftId}{amount:pieces} of the collection {collection:named} goes to {to} on {chain}, {from:wallet}.",
        ),
        ("token", _) => said.filled(
            "{amount:units} of the token {contract}{amount:go units} to {to} on {chain}, {from:wallet}.",
        ),
        ("native", Wallet::AtService) => {
            said.filled("{amount:coins}{amount:go coins} to {to} on {chain}, {from:wallet}.")
        }
        ("native", Wallet::OnChain) => {
            said.filled("{amount:coins}{amount:go coins} from {from} to {to} on {chain}.")
        }
        ("function", _) => said.filled(FUNCTION).map(|text| text + "."),
        _ => match with_suffix(moved) {
            Some((moved, length)) => {
                let text = Said { moved: &moved, ..said }.filled(FUNCTION);
                text.map(|text| fill("{}; {}.", &[&text, &attribution(length)]))
            }
            None => said.filled(
                "{from} calls {to:named} on {chain} with {data:bytes} whose meaning is not known \
                here{value:sends}{data:contains}.",
            ),
        },
    };
    text.unwrap_or_default()
}

const FUNCTION: &str = "{from} calls {function} of the contract {to:named} on {chain}{value:sends}: {arguments:effect}";

/// What a suffix of this length is.
pub(crate) fn attribution(length: usize) -> String {
    let length = fill("{}", &[&length]);
    fill("{} behind the call name an application (ERC-8021)", &[&counted(&length, "byte")])
}

/// The effect of a call, for people, without the end of its sentence.
pub(crate) fn effect(
    call: &ContractCall,
    caller: &Value,
    contract: &Value,
    chain: &Value,
    names: &Known,
) -> String {
    let scope = Scope { chain, names, contract };
    Called { scope, caller, arguments: &arguments(call) }.effect(call.signature())
}

/// What calls in data give that is not known here; empty if there are none.
pub(crate) fn contents(calls: impl Iterator<Item = ContractCall>, chain: &Value) -> String {
    const MOST: usize = 3;

    let names = Known::default();
    let (caller, contract) = (Value::text("the caller".into()), Value::Unread);
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
        let effect = effect(&call, &caller, &contract, chain, &names);
        text.push_str(&fill("{}{}: {}", &[&before, &given, &effect]));
    }
    text
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

/// Fills in the places of a template, such as `{to}` or `{amount:units}`. `None` if a part is.
fn filled(template: &str, part: &dyn Fn(&str, &str) -> Option<String>) -> Option<String> {
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, behind)) = cut(rest, b'{')
        && let Some((place, behind)) = cut(behind, b'}')
    {
        text.push_str(before);
        let (name, form) = cut(place, b':').unwrap_or((place, ""));
        text.push_str(&part(name, form)?);
        rest = behind;
    }
    text.push_str(rest);
    Some(text)
}

/// What is said about a move.
#[derive(Clone, Copy)]
struct Said<'a> {
    chain: &'a Value,
    names: &'a Known,
    moved: &'a Value,
}

impl Said<'_> {
    fn filled(self, template: &str) -> Option<String> {
        filled(template, &|name, form| self.part(name, form))
    }

    fn part(self, name: &str, form: &str) -> Option<String> {
        let Self { chain, names, moved } = self;
        if name == "chain" {
            return Some(names.chain(chain));
        }

        let value = moved.field(name);
        let text = value.to_text();
        Some(match form {
            "named" => names.collection(chain, value),
            "wallet" => fill("on behalf of your wallet at the service, {}", &[&text]),
            "sends" if value.number().is_zero() => String::new(),
            "sends" => fill(", and sends {}", &[&names.coins(value.number(), chain)]),
            "contains" => {
                let data = value.bytes();
                let calls = ContractCall::read_loosely(data).into_iter();
                match &*contents(calls.chain(ContractCall::within(data)), chain) {
                    "" => String::new(),
                    contents => fill("; the data contains {}", &[&contents]),
                }
            }
            "effect" => {
                let scope = Scope { chain, names, contract: moved.field("to") };
                let called =
                    Called { scope, caller: moved.field("from"), arguments: value.items() };
                called.effect(moved.field("function").as_text())
            }
            form => Scope { chain, names, contract: moved.field("contract") }.form(&text, form)?,
        })
    }
}

/// What is said about the call of a known function.
struct Called<'a> {
    scope: Scope<'a>,
    caller: &'a Value,
    arguments: &'a [Value],
}

impl Called<'_> {
    /// The effect of the function with this signature; the arguments where it is not known, or they are not those of it.
    fn effect(&self, signature: &str) -> String {
        let effect = effect_of(signature);
        let effect = effect.and_then(|effect| filled(effect, &|name, form| self.part(name, form)));
        effect.unwrap_or_else(|| listed(self.arguments))
    }

    fn part(&self, name: &str, form: &str) -> Option<String> {
        let value = match name {
            "caller" => self.caller,
            name => argument(self.arguments, name)?,
        };
        if form == "allowance of token" {
            let token = Address::parse(argument(self.arguments, "token")?.as_text()).ok()?;
            let scope = Scope { contract: &Value::Address(token), ..self.scope };
            return scope.form(value.as_text(), form);
        }
        self.scope.form(&value.to_text(), form)
    }
}

/// Where values are said: the chain, the contract that numbers are of, and the caller's names.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) chain: &'a Value,
    pub(super) names: &'a Known,
    pub(super) contract: &'a Value,
}

impl Scope<'_> {
    /// A value in the form of its place. `None` if it is of another kind.
    pub(super) fn form(self, text: &str, form: &str) -> Option<String> {
        let number = || FeeAmount::parse(text).ok().map(|number| number.value());
        let bytes = || text.strip_prefix("0x").map(|digits| digits.len() / 2);
        let is_zero = text == "0";

        Some(match form {
            "" => text.into(),
            "bytes" => counted(&fill("{}", &[&bytes()?]), "byte"),
            "pieces" if text == "1" => String::new(),
            "pieces" => fill(" ({} pieces)", &[&text]),
            "units" => self.units(number()?),
            "coins" => self.names.coins(number()?, self.chain),
            "units or NFT" => self.or_nft(text, self.units(number()?)),
            "allowance" => self.allowance(number()?, U256::MAX),
            "allowance or NFT" => self.or_nft(text, self.allowance(number()?, U256::MAX)),
            "allowance of token" => self.allowance(number()?, U256::MAX >> 96),
            "endless" if is_zero => String::new(),
            "endless" => ", with no end".into(),
            "expiry" if is_zero => "can be used without end".into(),
            "deadline" | "expiry" => fill("must be used before {} (Unix time)", &[&text]),
            "expiration" if is_zero => "in this block only".into(),
            "expiration" => fill("until {} (Unix time)", &[&text]),
            form => match form.strip_prefix("go ") {
                Some(form) => verb(&self.form(text, form)?).into(),
                None => {
                    let (yes, no) = cut(form, b'|')?;
                    (if text == "true" { yes } else { no }).into()
                }
            },
        })
    }

    fn units(self, amount: U256) -> String {
        self.names.units(amount, self.chain, self.contract)
    }

    /// A number that is an amount of a token or the id of an NFT: both, unless the names tell which one.
    fn or_nft(self, number: &str, amount: String) -> String {
        match self.names.standard(self.chain, self.contract) {
            Some(Standard::Token) => amount,
            Some(Standard::Collection) => fill("NFT {}", &[&number]),
            None => fill("NFT {}, or {}", &[&number, &amount]),
        }
    }

    /// An allowance of a function whose largest number is `most`.
    fn allowance(self, amount: U256, most: U256) -> String {
        if amount.is_zero() {
            "nothing".into()
        } else if amount > most >> 1 {
            "an unlimited amount".into()
        } else if Approved::UpTo(amount).is_unlimited() {
            // All that a token with fewer bits has; with others it is a number like any.
            fill("an unlimited amount, {}", &[&self.units(amount)])
        } else {
            self.units(amount)
        }
    }
}

/// The verb behind what moves, in its number.
fn verb(moved: &str) -> &'static str {
    let nft = moved.strip_prefix("NFT ");
    match nft.map(|number| (number, cut(number, b','))) {
        Some((_, None)) => " goes",
        Some((_, Some(("1", _)))) => ", goes",
        Some(_) => ", go",
        None => {
            let (number, unit) = cut(moved, b' ').unwrap_or_default();
            // `1 unit`, and `0.5 of the chain's coin`.
            if number == "1" || unit.starts_with("of ") { " goes" } else { " go" }
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
