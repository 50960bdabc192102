//! A list of tokens or chains is hostile, such as the service's own: what a person reads beside an
//! amount is from it.

use serde_json::{Value, json};

use super::source::*;
use super::{ALL, Class, of};
use crate::{Case, Chance, Draft, Judgement};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "sentence-in-a-symbol",
        about: "A symbol goes on with the sentence that shows it: another amount, another recipient, a bracket, a link.",
        seen: &[TOKENS.issue(31), Project("Leather", "leather-io/extension").issue(5589)],
        cases: of(ALL, |draft, chance| {
            let address = chance.address();
            let symbol = match chance.below(6) {
                0 => &format!("USDC (1000000 units) of the token {address}"),
                1 => "USDC) go to you. (",
                2 => "USDC to you",
                3 => &address[..16],
                4 => "USDC【1000000】",
                _ => "claim-at-usdc.example",
            };
            symbol_named(draft, chance, symbol)
        }),
    },
    Class {
        name: "hidden-in-a-symbol",
        about: "A symbol has invisible characters, or some that turn the direction of the text behind it.",
        seen: &[METAMASK.pull(37056), BRAVE.issue(24816)],
        cases: of(ALL, |draft, chance| {
            let mut symbol = String::from("USDC");
            symbol.insert(chance.below(symbol.len() + 1), chance.char(HIDDEN));
            symbol_named(draft, chance, &symbol)
        }),
    },
    Class {
        name: "sentence-in-a-chain-name",
        about: "The name of a chain ends the sentence and starts another one, or names another chain.",
        seen: &[
            Page("EIP-3085, discussion", "github.com/ethereum/EIPs/issues/3086"),
            Project("MetaMask Mobile", "MetaMask/metamask-mobile").pull(8572),
        ],
        cases: of(ALL, |draft, chance| {
            let name = match chance.below(6) {
                0 => "Base (eip155:8453)".into(),
                1 => "Base. Fee: 0 on".into(),
                2 => "Base, free".into(),
                3 => format!("Base{} Fee 0 ETH", chance.char(TERMINALS)),
                4 => format!("Base{}", " ".repeat(2 + chance.below(9))),
                _ => format!("Ba{}se", chance.char(HIDDEN)),
            };
            let hostile = json!({ "caip2Id": draft.request["details"]["caip2Id"], "name": name });
            let (chains, _) =
                among(chance, hostile, |chain| json!({ "caip2Id": chain, "name": "Base" }));
            draft.attacked(json!({ "names": { "chains": chains } }), Judgement::Unchanged)
        }),
    },
    Class {
        name: "decimals-out-of-range",
        about: "The decimals of a list make an amount another number: too many, negative, no integer, a text.",
        seen: &[TOKENS.issue(31)],
        cases: of(ALL, |draft, chance| {
            let decimals = match chance.below(4) {
                0 => json!(78 + chance.below(200)),
                1 => json!(-1),
                2 => json!(17.5),
                _ => json!("18"),
            };
            let (names, at) = token_named(&draft, chance, "decimals", decimals);
            draft.attacked(names, Judgement::refused(&format!("names.tokens.{at}.decimals")))
        }),
    },
];

const HIDDEN: &str = "\u{ad}\u{34f}\u{115f}\u{200b}\u{200f}\u{202e}\u{2066}\u{2800}\u{3164}\u{fe0f}\u{feff}\u{e0001}";

/// Characters that end a sentence in some script.
const TERMINALS: &str =
    ".!?\u{589}\u{61f}\u{6d4}\u{964}\u{2024}\u{203c}\u{3002}\u{fe52}\u{ff0e}\u{ff61}";

fn symbol_named(draft: Draft, chance: &mut Chance, symbol: &str) -> Case {
    let (names, _) = token_named(&draft, chance, "symbol", symbol.into());
    draft.attacked(names, Judgement::Unchanged)
}

/// A list with honest tokens, and at an index one for a token of the request or the chain's own with this value.
fn token_named(draft: &Draft, chance: &mut Chance, key: &str, value: Value) -> (Value, usize) {
    let token = |chain: Value, address: Value| json!({ "caip2Id": chain, "tokenAddress": address, "symbol": "USDC", "decimals": 6 });
    let details = &draft.request["details"];
    let address = details.get("tokenAddress").cloned().unwrap_or("".into());
    let mut hostile = token(details["caip2Id"].clone(), address);
    hostile[key] = value;
    let (tokens, at) = among(chance, hostile, |chain| token(chain.into(), "".into()));
    (json!({ "names": { "tokens": tokens } }), at)
}

/// A hostile entry among up to two of other chains, and its index.
fn among(
    chance: &mut Chance,
    hostile: Value,
    entry: impl Fn(String) -> Value,
) -> (Vec<Value>, usize) {
    let mut entries: Vec<_> = (0..chance.below(3)).map(|_| entry(chance.chain())).collect();
    let at = chance.below(entries.len() + 1);
    entries.insert(at, hostile);
    (entries, at)
}
