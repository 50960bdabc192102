//! Sentences about moves, for people who are about to sign.

use alloc::string::String;

use primitive_types::U256;

use super::contract_function::effect_of;
use super::moves::arguments;
use super::names::{Standard, counted};
use super::{
    Approved, ContractCall, ContractCallKind, IntentType, Known, Move, MoveArgument, Names,
};
use crate::text::cut;
use crate::value::{Address, Amount, ChainId, FeeAmount, Quantity, Text, WriteText, fill};

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
        sentence(self, Wallet::of(intent), chain, &Known::of(names))
    }
}

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

/// The sentence about a move.
pub(crate) fn sentence(moved: &Move, wallet: Wallet, chain: &ChainId, names: &Known) -> String {
    let on = names.chain(chain);
    let behalf = |from: &Address| fill("on behalf of your wallet at the service, {}", &[from]);
    match moved {
        Move::Nft { from, to, collection, nft_id, amount, standard: _ } => {
            let pieces = pieces(amount);
            let collection = names.collection(chain, collection);
            fill(
                "NFT {}{} of the collection {} goes to {} on {}, {}.",
                &[nft_id, &pieces, &collection, to, &on, &behalf(from)],
            )
        }
        Move::Token { from, to, contract, amount } => {
            let units = names.units(amount.value(), chain, Some(contract));
            fill(
                "{} of the token {}{} to {} on {}, {}.",
                &[&units, contract, &verb(&units), to, &on, &behalf(from)],
            )
        }
        Move::Native { from, to, amount } => {
            let coins = names.coins(amount.value(), chain);
            let verb = verb(&coins);
            match wallet {
                Wallet::AtService => {
                    fill("{}{} to {} on {}, {}.", &[&coins, &verb, to, &on, &behalf(from)])
                }
                Wallet::OnChain => {
                    fill("{}{} from {} to {} on {}.", &[&coins, &verb, from, to, &on])
                }
            }
        }
        Move::Function { from, to, value, function, arguments } => {
            let setting = Setting { chain, names, contract: Some(to) };
            let effect = Called { setting, caller: &from.to_text(), arguments }.effect(function);
            let sends = sends(value, chain, names);
            fill(
                "{} calls {} of the contract {} on {}{}: {}.",
                &[from, function, &names.collection(chain, to), &on, &sends, &effect],
            )
        }
        Move::Call { from, to, value, data } => {
            if let Some((function, length)) = moved.with_suffix() {
                let text = sentence(&function, wallet, chain, names);
                let text = text.strip_suffix('.').unwrap_or(&text);
                return fill("{}; {}.", &[&text, &attribution(length)]);
            }

            let data = data.as_slice();
            let length = counted(&fill("{}", &[&data.len()]), "byte");
            let calls = ContractCall::read_loosely(data).into_iter();
            let contents = match &*contents(calls.chain(ContractCall::within(data)), chain) {
                "" => String::new(),
                contents => fill("; the data contains {}", &[&contents]),
            };
            fill(
                "{} calls {} on {} with {} whose meaning is not known here{}{}.",
                &[
                    from,
                    &names.collection(chain, to),
                    &on,
                    &length,
                    &sends(value, chain, names),
                    &contents,
                ],
            )
        }
    }
}

/// The number of pieces of an NFT, unless it is one.
fn pieces(amount: &Amount) -> String {
    if amount.value() == U256::one() { String::new() } else { fill(" ({} pieces)", &[amount]) }
}

/// What a call sends along, unless it is nothing.
fn sends(value: &Quantity, chain: &ChainId, names: &Known) -> String {
    if value.value().is_zero() {
        String::new()
    } else {
        fill(", and sends {}", &[&names.coins(value.value(), chain)])
    }
}

/// What a suffix of this length is.
pub(crate) fn attribution(length: usize) -> String {
    let length = fill("{}", &[&length]);
    fill("{} behind the call name an application (ERC-8021)", &[&counted(&length, "byte")])
}

/// The effect of a call, for people, without the end of its sentence.
pub(crate) fn effect(
    call: &ContractCall,
    caller: &str,
    contract: Option<&Address>,
    chain: &ChainId,
    names: &Known,
) -> String {
    let setting = Setting { chain, names, contract };
    Called { setting, caller, arguments: &arguments(call) }.effect(call.signature())
}

/// What calls in data give that is not known here; empty if there are none.
pub(crate) fn contents(calls: impl Iterator<Item = ContractCall>, chain: &ChainId) -> String {
    const MOST: usize = 3;

    let names = Known::default();
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

/// Returns arguments with their names.
fn listed(arguments: &[MoveArgument]) -> String {
    let mut list = String::new();
    for MoveArgument { name, value } in arguments {
        let before = if list.is_empty() { "" } else { ", " };
        list.push_str(&fill("{}{} {}", &[&before, name, value]));
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

/// What is said about the call of a known function.
struct Called<'a> {
    setting: Setting<'a>,
    caller: &'a str,
    arguments: &'a [MoveArgument],
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
            let token = Address::parse(argument(self.arguments, "token")?).ok()?;
            return Setting { contract: Some(&token), ..self.setting }.form(value, form);
        }
        self.setting.form(value, form)
    }
}

/// Where values are said: the chain, the contract that numbers are of, and the caller's names.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) chain: &'a ChainId,
    pub(super) names: &'a Known,
    pub(super) contract: Option<&'a Address>,
}

impl Setting<'_> {
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
            "allowance" => self.allowance(number()?, 256),
            "allowance or NFT" => self.or_nft(text, self.allowance(number()?, 256)),
            "allowance of token" => self.allowance(number()?, 160),
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

    /// An allowance of a function whose numbers have so many bits.
    fn allowance(self, amount: U256, bits: usize) -> String {
        if amount.is_zero() {
            "nothing".into()
        } else if amount.bits() >= bits {
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
fn argument<'a>(arguments: &'a [MoveArgument], name: &str) -> Option<&'a str> {
    arguments.iter().find(|argument| argument.name == name).map(|argument| &*argument.value)
}

#[cfg(test)]
mod tests;
