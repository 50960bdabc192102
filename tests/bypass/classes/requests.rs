//! The reply is honest, and the request is not what the person wants: its recipient, or another
//! field.

use serde_json::{Value, json};

use super::calls::{called, calling, warned};
use super::source::*;
use super::{ALL, Class, MOVES, TO, mixed, of};
use crate::draft::{remove, transfer, with};
use crate::{Case, Chance, Draft, Judgement, NFT, RAW, TOKEN};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "recipient-zero",
        about: "The recipient is the zero address, from where nothing comes back.",
        seen: &[Project("OpenZeppelin", "OpenZeppelin/openzeppelin-contracts").pull(1752)],
        cases: of(ALL, |draft, chance| {
            let zero = format!("0x{}", "0".repeat(40));
            received(draft, chance, "recipient-zero", zero)
        }),
    },
    Class {
        name: "recipient-is-the-token",
        about: "The recipient is the token's or the collection's own contract.",
        seen: &[METAMASK.issue(9673), Project("Safe", "5afe/safe").issue(409)],
        cases: of(ALL, |mut draft, chance| {
            if draft.kind == RAW {
                draft.set_transfers(1 + chance.below(3), chance);
                let to = chance.address();
                let data = transfer(&to, 1);
                return calling(draft, 0, &to, &data, "recipient-is-token");
            }
            let key = if draft.kind == NFT { "collectionAddress" } else { "tokenAddress" };
            let token = chance.address();
            draft.request["details"][key] = token.clone().into();
            received(draft, chance, "recipient-is-token", token)
        }),
    },
    Class {
        name: "recipient-is-the-service",
        about: "The recipient is a contract of the service: job manager, paymaster, EntryPoint or application.",
        seen: &[Project("Ledger Live", "LedgerHQ/ledger-live-desktop").issue(4699)],
        cases: of(ALL, |draft, chance| {
            let key = chance.pick(&["jobManager", "paymaster", "entryPoint", "clientSWA"]);
            let to = draft.place[key].as_str().unwrap().to_owned();
            received(draft, chance, "recipient-is-service", to)
        }),
    },
    Class {
        name: "address-poisoning",
        about: "The recipient has the first and last digits of a known address, copied from a poisoned history.",
        seen: &[
            Page(
                "$710,000 of WBTC, May 2024",
                "scamlens.org/en/blog/crypto-address-poisoning-attack",
            ),
            Page(
                "Trezor's explanation",
                "trezor.io/support/a/address-poisoning-attacks?ref=the-bitpay-blog",
            ),
        ],
        cases: of(ALL, |draft, chance| poisoned(draft, chance, "known")),
    },
    Class {
        name: "poisoned-spender",
        about: "A spender, an operator, a new owner or a new implementation has the first and last digits of a known address.",
        seen: &[Page("Address poisoning", "smartcontractaudit.com/glossary/address-poisoning")],
        cases: of(&[RAW], |mut draft, chance| {
            let (known, like) = look_alike(chance);
            draft.place[chance.pick(&["known", "wallets"])] = json!([known]);
            let ways = "a22cb465 A 1 | 095ea7b3 A 9 | d505accf 9 A 9 9 1b R R | f2fde38b A | \
                2f2ff15d R A | 3659cfe6 A";
            called(draft, chance, "recipient-look-alike", &ways.replace('A', &like[2..]))
        }),
    },
    Class {
        name: "poisoned-own-address",
        about: "The recipient resembles one of the user's own wallets, as a poisoned history shows it.",
        seen: &[Page("Address poisoning, Stingray", "stingray.fi/glossary/address-poisoning/")],
        cases: of(ALL, |draft, chance| poisoned(draft, chance, "wallets")),
    },
    Class {
        name: "alias-of-the-native-token",
        about: "The token is an address that some services take for the native token, and here is a contract.",
        seen: &[
            Project("Gitcoin audit", "sherlock-audit/2023-09-Gitcoin-judging").issue(670),
            Project("reown", "reown-com/blockchain-api").pull(639),
        ],
        cases: of(&[TOKEN], |draft, chance| {
            let alias = format!("0x{}", chance.pick(&["e", "E", "0"]).repeat(40));
            requested(draft, "token-native-alias", "details.tokenAddress", alias)
        }),
    },
    Class {
        name: "from-another-account",
        about: "A transaction of the batch is from an account that is not the user's.",
        seen: &[ACTIONS.pull(503)],
        cases: of(&[RAW], |mut draft, chance| {
            let at = draft.pick_transfer(1 + chance.below(3), chance);
            draft.place["wallets"] = json!([draft.facts["userSWA"]]);
            let path = format!("details.transactions.{at}.from");
            requested(draft, "foreign-from", &path, chance.address())
        }),
    },
    Class {
        name: "signature-of-another-form",
        about: "It is not said whether the key signs the hash itself or a message with it.",
        seen: &[METAMASK.issue(17491), BRAVE.issue(28463)],
        cases: of(ALL, |mut draft, chance| {
            draft.place["version"] = chance.pick(&["0.8", "0.9"]).into();
            draft.place["signs"] = chance.pick(&["personal", "raw", "typedData"]).into();
            let mut place = draft.place.clone();
            remove(&mut place, "signs");
            let judgement = Judgement::warned("signature-form", "where.signs");
            draft.attacked(json!({ "where": place }), judgement)
        }),
    },
    Class {
        name: "rule-for-a-single-nft",
        about: "A request moves several pieces of an NFT of the standard for single ones.",
        seen: &[Eip("ERC-721, transfers by id", "721")],
        cases: of(&[NFT], |mut draft, chance| {
            draft.set_single_nft();
            refused(draft, "details.amount", chance.amount())
        }),
    },
    Class {
        name: "standard-in-another-spelling",
        about: "The standard of a single NFT is spelled so that the rule for it does not apply: `ERC-721`, `erc_721`.",
        seen: &[MCP_GO.issue(805)],
        cases: of(&[NFT], |mut draft, chance| {
            draft.set_single_nft();
            let spellings = "ERC-721 erc-721 ERC_721 erc721 Erc721 ERC--721 e_r_c_7-2-1 erc-1155";
            let other = with(draft.request.clone(), "details.nftType", chance.word(spellings));
            let other = with(other, "details.amount", chance.amount());
            draft.attacked(json!({ "request": other }), Judgement::refused("details.nftType"))
        }),
    },
    Class {
        name: "tip-above-the-cap",
        about: "The request's tip is above its cap: the operation cannot be what the person was shown.",
        seen: &[Eip("ERC-4337, gas fees", "4337")],
        cases: of(ALL, |mut draft, chance| {
            draft.set_ordinary_gas();
            let tip = format!("{:#x}", 0x7735_9401 + (chance.number() >> 20));
            refused(draft, "gasDetails.maxPriorityFeePerGas", tip)
        }),
    },
    Class {
        name: "key-added-to-the-request",
        about: "The request has a key that nobody reads, and that a later version may obey.",
        seen: &[BITGO.pull(8233)],
        cases: of(ALL, |draft, chance| {
            let key = chance.pick(&["operation", "skipVerification", "recipients", "type "]);
            refused(draft, &format!("{}{key}", chance.pick(&["", "details."])), true)
        }),
    },
    Class {
        name: "recipient-with-a-wrong-checksum",
        about: "A digit of the recipient was changed in the form, and its checksum was not.",
        seen: &[Eip("EIP-55", "55"), VIEM.issue(2651)],
        cases: of(MOVES, |mut draft, chance| {
            let address = laws::checksummed(&format!("0xabcdef{}", chance.digits(34)));
            draft.request["details"][TO] = address.clone().into();
            let mut wrong = address;
            let first = if wrong[2..].starts_with('a') { "A" } else { "a" };
            wrong.replace_range(2..3, first);
            refused(draft, &format!("details.{TO}"), mixed(wrong))
        }),
    },
];

/// An address, and another one with its first and last four digits.
fn look_alike(chance: &mut Chance) -> (String, String) {
    let known = chance.hex(40);
    let like = format!("{}{}{}", &known[..6], chance.digits(32), &known[38..]);
    (known, like)
}

/// A recipient that resembles an address of this list.
fn poisoned(mut draft: Draft, chance: &mut Chance, list: &str) -> Case {
    let (known, like) = look_alike(chance);
    draft.place[list] = json!([chance.address(), known]);
    received(draft, chance, "recipient-look-alike", like)
}

/// An ordinary transfer, and the same with another recipient.
fn received(mut draft: Draft, chance: &mut Chance, code: &str, to: String) -> Case {
    if draft.kind != RAW {
        return requested(draft, code, &format!("details.{TO}"), to);
    }
    let at = draft.pick_transfer(1 + chance.below(3), chance);
    let mut other = draft.request.clone();
    let transaction = &mut other["details"]["transactions"][at];
    let field = if chance.is_head() {
        transaction["data"] = "0x".into();
        transaction["to"] = to.into();
        "to"
    } else {
        transaction["data"] = transfer(&to, 1).into();
        "data"
    };
    warned(draft, other, code, &format!("details.transactions.{at}.{field}"))
}

/// A request with another value at a path, which is warned of.
fn requested(draft: Draft, code: &str, path: &str, value: impl Into<Value>) -> Case {
    let other = with(draft.request.clone(), path, value);
    warned(draft, other, code, path)
}

/// A request with another value at a path, which is refused.
fn refused(draft: Draft, path: &str, value: impl Into<Value>) -> Case {
    let other = with(draft.request.clone(), path, value);
    draft.attacked(json!({ "request": other }), Judgement::refused(path))
}
