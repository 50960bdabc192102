//! The reply is honest, and the request does more than it seems: a page, an application or a copied
//! address made it.

use serde_json::{Value, json};

use super::source::*;
use super::{Class, of};
use crate::draft::{number, word};
use crate::{Case, Chance, Draft, Judgement, RAW};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "unlimited-approval",
        about: "A transaction of the batch lets a spender take any amount of a token.",
        seen: &[Page(
            "BadgerDAO, 2021",
            "www.halborn.com/blog/post/explained-the-badgerdao-hack-december-2021",
        )],
        refused_by: "warning `approval-unlimited`",
        cases: of(&[RAW], |draft, chance| {
            let selector = chance.pick(APPROVE);
            let amount = match chance.below(3) {
                0 => "f".repeat(64),
                1 => format!("8{}", "0".repeat(63)),
                _ => format!("f{}", chance.digits(63)),
            };
            called(draft, chance, "approval-unlimited", |a| format!("{selector}{a}{amount}"))
        }),
    },
    Class {
        name: "approval",
        about: "A transaction of the batch lets a spender take some amount of a token, or one NFT.",
        seen: &[
            Page("BadgerDAO, 2021", "badger.com/news/badger-security-upgrades"),
            Page("OpenSea, a fake listing", "github.com/ProjectOpenSea/opensea-sdk/issues/796"),
        ],
        refused_by: "warning `approval`",
        cases: of(&[RAW], |draft, chance| {
            let selector = chance.pick(APPROVE);
            let amount = number(1 + (chance.number() >> 1));
            called(draft, chance, "approval", |a| format!("{selector}{a}{amount}"))
        }),
    },
    Class {
        name: "approval-of-nft-zero",
        about: "`approve` with 0 looks like taking an approval back, and approves the NFT with the id 0.",
        seen: &[Eip("ERC-721, `approve`", "721")],
        refused_by: "warning `approval-zero`",
        cases: of(&[RAW], |draft, chance| {
            called(draft, chance, "approval-zero", |a| format!("095ea7b3{a}{}", number(0)))
        }),
    },
    Class {
        name: "operator-for-all",
        about: "An operator may take every NFT of a collection.",
        seen: &[
            BRAVE.issue(24268),
            Page("OpenSea phishing, 2022", "github.com/molly/web3-is-going-great/issues/158"),
        ],
        refused_by: "warning `operator-for-all`",
        cases: of(&[RAW], |draft, chance| {
            called(draft, chance, "operator-for-all", |a| format!("a22cb465{a}{}", number(1)))
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
        refused_by: "warning `permit`",
        cases: of(&[RAW], |draft, chance| {
            let (owner, v) = (word(&chance.address()), number(27 + chance.number() % 2));
            let (r, s, amount) = (chance.digits(64), chance.digits(64), number(chance.number()));
            let way = chance.below(3);
            called(draft, chance, "permit", |a| match way {
                0 => format!("d505accf{owner}{a}{amount}{}{v}{r}{s}", "f".repeat(64)),
                1 => format!("8fcbaf0c{owner}{a}{}{}{}{v}{r}{s}", number(0), number(0), number(1)),
                _ => format!("87517c45{owner}{a}{:0>64}{}", "f".repeat(40), number(1 << 40)),
            })
        }),
    },
    Class {
        name: "ownership-taken",
        about: "A contract gets another owner, another administrator or a new holder of a role.",
        seen: &[RADIANT],
        refused_by: "warning `ownership`",
        cases: of(&[RAW], |draft, chance| {
            let role = chance.digits(64);
            let way = chance.below(4);
            called(draft, chance, "ownership", |a| match way {
                0 => format!("f2fde38b{a}"),
                1 => "715018a6".into(),
                2 => format!("2f2ff15d{role}{a}"),
                _ => format!("8f283970{a}"),
            })
        }),
    },
    Class {
        name: "code-replaced",
        about: "The code behind a proxy is replaced.",
        seen: &[
            Page("WazirX, 2024", "www.coinyield.org/postmortems/016_wazirx_india"),
            Page("Bybit, Ackee", "ackee.xyz/blog/a-safe-native-solution-to-the-bybit-hack"),
        ],
        refused_by: "warning `upgrade`",
        cases: of(&[RAW], |draft, chance| {
            let way = chance.below(2);
            called(draft, chance, "upgrade", |a| match way {
                0 => format!("3659cfe6{a}"),
                _ => format!("4f1ef286{a}{}{}", number(64), number(0)),
            })
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
        refused_by: "warning `unknown-call`",
        cases: of(&[RAW], |draft, chance| {
            let zeros = |count: usize| number(0).repeat(count);
            let way = chance.below(3);
            called(draft, chance, "unknown-call", |a| match way {
                0 => format!("6a761202{a}{}{}{}{}", number(0), number(320), number(1), zeros(8)),
                1 => format!("b61d27f6{a}{}{}{}", number(0), number(96), number(0)),
                _ => format!("e9ae5c53ff{}{}{}", "0".repeat(62), number(64), number(0)),
            })
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
        refused_by: "warning `unknown-call`",
        cases: of(&[RAW], |draft, chance| {
            let selector = chance.word("ac9650d8 5ae401dc 34fcd5be 8d80ff0a 252dba42");
            called(draft, chance, "unknown-call", |a| {
                let inner = format!("095ea7b3{a}{}", "f".repeat(64));
                let head = [32, 1, 32, 68].map(number).concat();
                format!("{selector}{head}{inner:0<192}")
            })
        }),
    },
    Class {
        name: "bytes-behind-a-transfer",
        about: "Behind the arguments of a transfer stand bytes that the token reads, such as another sender.",
        seen: &[MULTICALL],
        refused_by: "warning `unknown-call` beside what the arguments say",
        cases: of(&[RAW], |draft, chance| {
            let count = 2 * (1 + chance.below(32));
            let tail = chance.digits(count);
            called(draft, chance, "unknown-call", |a| format!("a9059cbb{a}{}{tail}", number(1)))
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
        refused_by: "warning `unknown-call`",
        cases: of(&[RAW], |draft, chance| {
            let dirt = format!("{:02x}", 1 + chance.below(255));
            let is_short = chance.is_head();
            called(draft, chance, "unknown-call", |a| {
                let mut transfer = format!("a9059cbb{a}{}", number(1));
                if is_short {
                    transfer.truncate(134);
                } else {
                    transfer.replace_range(8..10, &dirt);
                }
                transfer
            })
        }),
    },
];

/// The functions that approve a spender, or more of an amount.
const APPROVE: &[&str] = &["095ea7b3", "39509351"];

/// A batch of ordinary transfers, and the same batch with a call among them; `data` gets an address as its argument.
pub(super) fn called(
    mut draft: Draft,
    chance: &mut Chance,
    code: &str,
    data: impl FnOnce(&str) -> String,
) -> Case {
    let at = draft.pick_transfer(1 + chance.below(3), chance);
    let data = format!("0x{}", data(&word(&chance.address())));
    calling(draft, at, &chance.address(), &data, code)
}

/// The same with this call of a contract at an index.
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
