//! The call data decodes in more than one way, or only in part.

use super::{ALL, Class};
use crate::{Case, Chance, Draft, Judgement, RAW};

const PATH: &str = "data.userOps.callData";

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "bytes-behind-the-call",
        about: "Behind the call data stand bytes that a decoder ignores and a contract reads.",
        seen: &[(
            "ERC-2771 with Multicall, OpenZeppelin 2023",
            "https://blog.openzeppelin.com/arbitrary-address-spoofing-vulnerability-erc2771context-multicall-public-disclosure",
        )],
        refused_by: "`call-data`: no trailing bytes",
        kinds: ALL,
        make: |draft, chance| {
            let count = 1 + chance.below(64);
            let tail = if chance.is_head() { "00".repeat(count) } else { chance.digits(2 * count) };
            altered(draft, |bytes| bytes.extend(tail.as_bytes()))
        },
    },
    Class {
        name: "call-cut-short",
        about: "Bytes are missing at the end, which a lenient decoder fills with zeros.",
        seen: &[
            (
                "The short address attack, 2017",
                "https://vessenes.com/the-erc20-short-address-attack-explained/",
            ),
            (
                "An analysis of it",
                "https://ericrafaloff.com/analyzing-the-erc20-short-address-attack/",
            ),
        ],
        refused_by: "`call-data`: the whole length",
        kinds: ALL,
        make: |draft, chance| {
            let count = 2 * (1 + chance.below(300));
            altered(draft, |bytes| bytes.truncate(bytes.len() - count))
        },
    },
    Class {
        name: "dirty-padding",
        about: "Bytes in front of an address or behind a selector are not zero, which some decoders ignore.",
        seen: &[
            ("Solidity #14766", "https://github.com/argotorg/solidity/issues/14766"),
            ("Solidity #5815", "https://github.com/argotorg/solidity/pull/5815"),
        ],
        refused_by: "`call-data`: padding is zero",
        kinds: ALL,
        make: |draft, chance| {
            // Behind the selector, in front of the job manager and of the three accounts, behind
            // the inner call.
            let end =
                (draft.reply()["data"]["userOps"]["callData"].as_str().unwrap().len() - 2) / 2;
            let at = match chance.below(6) {
                0 => 4 + chance.below(28),
                1 => 32 + chance.below(12),
                2 => 0xc4 + chance.below(12),
                3 => 0xe4 + chance.below(12),
                4 => 0x104 + chance.below(12),
                _ => end - 28 + chance.below(28),
            };
            let other = 1 + chance.below(255);
            altered(draft, |bytes| {
                bytes.splice(2 + 2 * at..4 + 2 * at, format!("{other:02x}").bytes());
            })
        },
    },
    Class {
        name: "offset-elsewhere",
        about: "An offset points to another place than where an encoder puts it, so that two readers see two values.",
        seen: &[
            ("Solidity #11240", "https://github.com/argotorg/solidity/issues/11240"),
            ("Uniswap v4-periphery #346", "https://github.com/Uniswap/v4-periphery/pull/346"),
            ("Vyper #1602", "https://github.com/vyperlang/vyper/issues/1602"),
        ],
        refused_by: "`call-data`: canonical offsets",
        kinds: ALL,
        make: |draft, chance| {
            // The word of the bytes' offset, and those of the four dynamic arguments of the inner
            // call.
            let at = chance.pick(&[0x60, 0x124, 0x144, 0x164, 0x184]);
            let moved = 32 * (1 + chance.below(8));
            altered(draft, |bytes| {
                let word = 2 + 2 * at..2 + 2 * at + 64;
                let value =
                    usize::from_str_radix(std::str::from_utf8(&bytes[word.clone()]).unwrap(), 16)
                        .unwrap();
                let value = if chance.is_head() {
                    value + moved
                } else {
                    value.wrapping_sub(moved) & 0xffff_ffff
                };
                bytes.splice(word, format!("{value:064x}").bytes());
            })
        },
    },
    Class {
        name: "another-function",
        about: "The account or the job manager is called by another function.",
        seen: &[("BitGoJS #9008", "https://github.com/BitGo/BitGoJS/pull/9008")],
        refused_by: "`call-data`: the two selectors",
        kinds: ALL,
        make: |draft, chance| {
            let selector = chance
                .pick(&["b61d27f6", "6a761202", "8fa61ac0", "51945447", "34fcd5be", "00000000"]);
            let at = if chance.is_head() { 0 } else { 0xa0 };
            altered(draft, |bytes| {
                bytes.splice(2 + 2 * at..10 + 2 * at, selector.bytes());
            })
        },
    },
    Class {
        name: "value-sent-along",
        about: "The account sends the native token along with the call of the job manager.",
        seen: &[(
            "Empty calls with a refund, Safe interface #1800",
            "https://github.com/5afe/safe-react/issues/1800",
        )],
        refused_by: "`call-data`: the value is zero",
        kinds: ALL,
        make: |draft, chance| {
            let value = format!("{:064x}", 1 + (chance.number() >> 1));
            altered(draft, |bytes| {
                bytes.splice(2 + 2 * 0x40..2 + 2 * 0x60, value.bytes());
            })
        },
    },
    Class {
        name: "ambiguous-transaction",
        about: "A transaction inside the call data is JSON that two readers read differently: a key twice, another key, a space.",
        seen: &[
            (
                "Bishop Fox, JSON interoperability",
                "https://bishopfox.com/blog/json-interoperability-vulnerabilities",
            ),
            ("MCP Go SDK #805", "https://github.com/modelcontextprotocol/go-sdk/issues/805"),
        ],
        refused_by: "`call-data`: each key once, no other key, no white space",
        kinds: &[RAW],
        make: ambiguous_transaction,
    },
];

/// The honest reply with its call data changed; the digits are ASCII, with `0x`.
fn altered(draft: Draft, change: impl FnOnce(&mut Vec<u8>)) -> Case {
    let mut reply = draft.reply();
    let at = &mut reply["data"]["userOps"]["callData"];
    let mut digits = at.as_str().unwrap().as_bytes().to_vec();
    change(&mut digits);
    *at = String::from_utf8(digits).unwrap().into();
    draft.replied(reply, Judgement::refused(PATH))
}

/// Puts text into the JSON of the first transaction, at the cost of its padding.
fn ambiguous_transaction(mut draft: Draft, chance: &mut Chance) -> Case {
    let (before, inserted) = chance.pick(&[
        ("{", " "),
        (",\"from\"", "\n"),
        ("\"value\"", "\"value\":\"0x0\","),
        ("\"to\"", "\"To\":\"0x\","),
        ("\"data\"", "\"gas\":\"0x\","),
    ]);
    draft.set_transfers(1 + chance.below(2), chance);
    // The padded length stays if the JSON ends early in its last word.
    let mut json;
    loop {
        let count = 2 * (1 + chance.below(32));
        let data = format!("0x{}", chance.digits(count));
        let transaction = &mut draft.request["details"]["transactions"][0];
        transaction["data"] = data.into();
        // The order of the keys in call data.
        let field = |key: &str| format!("\"{key}\":{}", transaction[key]);
        json = format!("{{{}}}", ["data", "from", "to", "value"].map(field).join(","));
        if (1..=32 - inserted.len()).contains(&(json.len() % 32)) {
            break;
        }
    }
    let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    let at = json.find(before).unwrap() + if before == "{" { 1 } else { 0 };
    let other = format!("{}{inserted}{}", &json[..at], &json[at..]);
    let padded = |text: &str| {
        let length = text.len().div_ceil(32) * 64;
        format!("{:064x}{:0<length$}", text.len(), hex(text))
    };
    let (was, is) = (padded(&json), padded(&other));
    altered(draft, |bytes| {
        let digits = String::from_utf8(bytes.clone()).unwrap();
        assert!(digits.contains(&was), "the JSON of a transaction is in the call data");
        *bytes = digits.replacen(&was, &is, 1).into_bytes();
    })
}
