//! The call data decodes in more than one way, or only in part.

use alloy_primitives::hex;

use super::source::*;
use super::{ALL, CALL_DATA, Class, of, replaced};
use crate::draft::number;
use crate::{Case, Chance, Draft, RAW};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "bytes-behind-the-call",
        about: "Behind the call data stand bytes that a decoder ignores and a contract reads.",
        seen: &[MULTICALL],
        cases: of(ALL, |draft, chance| {
            let count = 1 + chance.below(64);
            let tail = if chance.is_head() { "00".repeat(count) } else { chance.digits(2 * count) };
            altered(draft, |digits| digits.push_str(&tail))
        }),
    },
    Class {
        name: "call-cut-short",
        about: "Bytes are missing at the end, which a lenient decoder fills with zeros.",
        seen: &[
            Page(
                "The short address attack, 2017",
                "vessenes.com/the-erc20-short-address-attack-explained/",
            ),
            Page("An analysis of it", "ericrafaloff.com/analyzing-the-erc20-short-address-attack/"),
        ],
        cases: of(ALL, |draft, chance| {
            let count = 2 * (1 + chance.below(300));
            altered(draft, |digits| digits.truncate(digits.len() - count))
        }),
    },
    Class {
        name: "dirty-padding",
        about: "Bytes in front of an address or behind a selector are not zero, which some decoders ignore.",
        seen: &[SOLIDITY.issue(14766), SOLIDITY.pull(5815)],
        cases: of(ALL, |draft, chance| {
            // Behind the selector, in front of the job manager and of the three accounts, behind the inner call.
            let end = call_data(&draft).len() / 2 - 1;
            let at = chance.pick(&[4, 32, 0xc4, 0xe4, 0x104, end - 28]) + chance.below(12);
            overwritten(draft, at, &format!("{:02x}", 1 + chance.below(255)))
        }),
    },
    Class {
        name: "offset-elsewhere",
        about: "An offset points to another place than where an encoder puts it, so that two readers see two values.",
        seen: &[
            SOLIDITY.issue(11240),
            Project("Uniswap v4-periphery", "Uniswap/v4-periphery").pull(346),
            Project("Vyper", "vyperlang/vyper").issue(1602),
        ],
        cases: of(ALL, |draft, chance| {
            // The word of the bytes' offset, and those of the four dynamic arguments of the inner
            // call.
            let at = chance.pick(&[0x60, 0x124, 0x144, 0x164, 0x184]);
            let moved = 32 * (1 + chance.below(8) as u64);
            let offset = u64::from_str_radix(&call_data(&draft)[2 + 2 * at..][..64], 16).unwrap();
            let back = offset.wrapping_sub(moved) & 0xffff_ffff;
            let other = if chance.is_head() { offset + moved } else { back };
            overwritten(draft, at, &number(other))
        }),
    },
    Class {
        name: "another-function",
        about: "The account or the job manager is called by another function.",
        seen: &[BITGO.pull(9008)],
        cases: of(ALL, |draft, chance| {
            let selector = chance.word("b61d27f6 6a761202 8fa61ac0 51945447 34fcd5be 00000000");
            overwritten(draft, if chance.is_head() { 0 } else { 0xa0 }, selector)
        }),
    },
    Class {
        name: "value-sent-along",
        about: "The account sends the native token along with the call of the job manager.",
        seen: &[SAFE_INTERFACE.issue(1800)],
        cases: of(ALL, |draft, chance| {
            overwritten(draft, 0x40, &number(1 + (chance.number() >> 1)))
        }),
    },
    Class {
        name: "ambiguous-transaction",
        about: "A transaction inside the call data is JSON that two readers read differently: a key twice, another key, a space.",
        seen: &[BISHOP_FOX, MCP_GO.issue(805)],
        cases: of(&[RAW], ambiguous_transaction),
    },
];

/// The digits of the honest call data, with `0x`.
fn call_data(draft: &Draft) -> String {
    draft.reply()["data"]["userOps"]["callData"].as_str().unwrap().to_owned()
}

/// The honest reply with its call data changed.
fn altered(draft: Draft, change: impl FnOnce(&mut String)) -> Case {
    let mut digits = call_data(&draft);
    change(&mut digits);
    replaced(draft, CALL_DATA, digits)
}

/// The same with other bytes at an index.
fn overwritten(draft: Draft, at: usize, other: &str) -> Case {
    let start = 2 + 2 * at;
    altered(draft, |digits| digits.replace_range(start..start + other.len(), other))
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
    let at = json.find(before).unwrap() + if before == "{" { 1 } else { 0 };
    let other = format!("{}{inserted}{}", &json[..at], &json[at..]);
    let padded = |text: &str| {
        let length = text.len().div_ceil(32) * 64;
        format!("{:064x}{:0<length$}", text.len(), hex::encode(text))
    };
    let (was, is) = (padded(&json), padded(&other));
    altered(draft, |digits| {
        assert!(digits.contains(&was), "the JSON of a transaction is in the call data");
        *digits = digits.replacen(&was, &is, 1);
    })
}
