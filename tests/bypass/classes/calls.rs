//! The reply is honest, and the request does more than it seems: a page, an application or a copied
//! address made it.

use serde_json::{Value, json};

use super::source::*;
use super::{Class, of};
use crate::draft::{number, transfer, word};
use crate::{Case, Chance, Draft, Judgement, RAW};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "unlimited-approval",
        about: "A transaction of the batch lets a spender take any amount of a token.",
        seen: &[Page(
            "BadgerDAO, 2021",
            "www.halborn.com/blog/post/explained-the-badgerdao-hack-december-2021",
        )],
        cases: of(&[RAW], |draft, chance| {
            let ways = "095ea7b3 A M | 095ea7b3 A U | 39509351 A M | 39509351 A U";
            called(draft, chance, "approval-unlimited", ways)
        }),
    },
    Class {
        name: "approval",
        about: "A transaction of the batch lets a spender take some amount of a token, or one NFT.",
        seen: &[
            Page("BadgerDAO, 2021", "badger.com/news/badger-security-upgrades"),
            Page("OpenSea, a fake listing", "github.com/ProjectOpenSea/opensea-sdk/issues/796"),
        ],
        cases: of(&[RAW], |draft, chance| {
            called(draft, chance, "approval", "095ea7b3 A N | 39509351 A N")
        }),
    },
    Class {
        name: "approval-of-nft-zero",
        about: "`approve` with 0 looks like taking an approval back, and approves the NFT with the id 0.",
        seen: &[Eip("ERC-721, `approve`", "721")],
        cases: of(&[RAW], |draft, chance| called(draft, chance, "approval-zero", "095ea7b3 A 0")),
    },
    Class {
        name: "operator-for-all",
        about: "An operator may take every NFT of a collection.",
        seen: &[
            BRAVE.issue(24268),
            Page("OpenSea phishing, 2022", "github.com/molly/web3-is-going-great/issues/158"),
        ],
        cases: of(&[RAW], |draft, chance| {
            called(draft, chance, "operator-for-all", "a22cb465 A 1")
        }),
    },
    Class {
        name: "permit-phishing",
        about: "A signed permission to take tokens is redeemed: ERC-2612, DAI or Permit2.",
        seen: &[
            Page(
                "SlowMist, 2023",
                "slowmist.medium.com/examining-permit-signatures-is-phishing-of-tokens-possible-via-off-chain-signatures-bfb5723a5e9",
            ),
            Eip("ERC-2612", "2612#security-considerations"),
        ],
        cases: of(&[RAW], |draft, chance| {
            let ways = "d505accf A A N M 1b R R | 8fcbaf0c A A 0 0 1 1c R R | \
                87517c45 A A ffffffffffffffffffffffffffffffffffffffff 10000000000";
            called(draft, chance, "permit", ways)
        }),
    },
    Class {
        name: "ownership-taken",
        about: "A contract gets another owner, another administrator or a new holder of a role.",
        seen: &[RADIANT],
        cases: of(&[RAW], |draft, chance| {
            let ways = "f2fde38b A | 715018a6 | 2f2ff15d R A | 8f283970 A";
            called(draft, chance, "ownership", ways)
        }),
    },
    Class {
        name: "code-replaced",
        about: "The code behind a proxy is replaced.",
        seen: &[
            Page("WazirX, 2024", "www.coinyield.org/postmortems/016_wazirx_india"),
            Page("Bybit, Ackee", "ackee.xyz/blog/a-safe-native-solution-to-the-bybit-hack"),
        ],
        cases: of(&[RAW], |draft, chance| {
            called(draft, chance, "upgrade", "3659cfe6 A | 4f1ef286 A 40 0")
        }),
    },
    Class {
        name: "delegate-call",
        about: "A wallet is made to run foreign code as its own: `execTransaction` with operation 1, `execute` of a module.",
        seen: &[
            Page(
                "Bybit, 2025",
                "updraft.cyfrin.io/courses/advanced-web3-wallet-security/signer-advanced/case-study-bybit-hack",
            ),
            Page("Bybit, SlowMist", "www.panewslab.com/en/articles/0ieex6mt"),
        ],
        cases: of(&[RAW], |draft, chance| {
            let mode = format!("ff{}", "0".repeat(62));
            let safe = "6a761202 A 0 140 1 0 0 0 0 0 0 0 0";
            let ways = format!("{safe} | b61d27f6 A 0 60 0 | e9ae5c53 {mode} 40 0");
            called(draft, chance, "unknown-call", &ways)
        }),
    },
    Class {
        name: "calls-inside-a-call",
        about: "Approvals hide inside `multicall`, `execute` or another call that carries calls.",
        seen: &[
            Page(
                "EIP-7702 batches, TokenPocket",
                "www.tokenpocket.pro/en/blog/eip-7702-batch-approval-scam-and-prevention-guide",
            ),
            Page(
                "Multicall, Verichains",
                "blog.verichains.io/p/address-spoofing-attack-the-combination",
            ),
        ],
        cases: of(&[RAW], |draft, chance| {
            let selector = chance.word("ac9650d8 5ae401dc 34fcd5be 8d80ff0a 252dba42");
            let inner = format!("095ea7b3{}{}", word(&chance.address()), "f".repeat(64));
            let data = format!("{selector} 20 1 20 44 {inner:0<192}");
            called(draft, chance, "unknown-call", &data)
        }),
    },
    Class {
        name: "bytes-behind-a-transfer",
        about: "Behind the arguments of a transfer stand bytes that the token reads, such as another sender.",
        seen: &[MULTICALL],
        cases: of(&[RAW], |draft, chance| {
            let count = 2 * (1 + chance.below(32));
            let data = transfer(&chance.address(), 1) + &chance.digits(count);
            called_with(draft, chance, "unknown-call", &data)
        }),
    },
    Class {
        name: "dirty-arguments",
        about: "The arguments of a transfer decode only leniently: dirty padding, or a byte too few.",
        seen: &[
            Page(
                "The short address attack, 2017",
                "ericrafaloff.com/analyzing-the-erc20-short-address-attack/",
            ),
            SOLIDITY.issue(14766),
        ],
        cases: of(&[RAW], |draft, chance| {
            let mut data = transfer(&chance.address(), 1);
            if chance.is_head() {
                data.truncate(136);
            } else {
                data.replace_range(10..12, &format!("{:02x}", 1 + chance.below(255)));
            }
            called_with(draft, chance, "unknown-call", &data)
        }),
    },
];

/// A batch of ordinary transfers, and the same batch with a call among them in one of these ways: a selector, and words in hex. A word
/// can be `A`, an address; `N`, a number; `M`, the most; `U`, at least its half; or `R`, any.
pub(super) fn called(draft: Draft, chance: &mut Chance, code: &str, ways: &str) -> Case {
    let way = chance.pick(&ways.split(" | ").collect::<Vec<_>>());
    let (selector, words) = way.split_at(8);
    let mut data = format!("0x{selector}");
    for given in words.split_whitespace() {
        data += &match given {
            "A" => word(&chance.address()),
            "N" => number(1 + (chance.number() >> 1)),
            "M" => "f".repeat(64),
            "U" => format!("{:x}{}", 8 + chance.below(8), chance.digits(63)),
            "R" => chance.digits(64),
            digits => format!("{digits:0>64}"),
        };
    }
    called_with(draft, chance, code, &data)
}

/// The same with this data.
fn called_with(mut draft: Draft, chance: &mut Chance, code: &str, data: &str) -> Case {
    let at = draft.pick_transfer(1 + chance.below(3), chance);
    calling(draft, at, &chance.address(), data, code)
}

/// The same with this call of a contract at an index of the batch.
pub(super) fn calling(draft: Draft, at: usize, to: &str, data: &str, code: &str) -> Case {
    let mut other = draft.request.clone();
    other["details"]["transactions"][at] = draft.transaction(to, data, "0x0");
    warned(draft, other, code, &format!("details.transactions.{at}.data"))
}

/// Another request with the honest reply to it, which is warned of.
pub(super) fn warned(draft: Draft, other: Value, code: &str, path: &str) -> Case {
    let reply = draft.reply_to(&other);
    let attack = json!({ "request": other, "reply": reply });
    draft.attacked(attack, Judgement::warned(code, path))
}
