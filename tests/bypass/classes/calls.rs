//! The reply is honest, and the request does more than it seems: a page, an application or a copied address made it.

use serde_json::{Value, json};

use super::{ALL, Class, MOVES};
use crate::draft::{number, word};
use crate::{Attack, Case, Chance, Draft, Judgement, NFT, RAW, Reply, TOKEN};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "unlimited-approval",
        about: "A transaction of the batch lets a spender take any amount of a token.",
        seen: &[("BadgerDAO, 2021", "https://www.halborn.com/blog/post/explained-the-badgerdao-hack-december-2021")],
        refused_by: "warning `approval-unlimited`",
        kinds: &[RAW],
        make: |draft, chance| {
            let selector = chance.pick(&["095ea7b3", "39509351"]);
            let amount = match chance.below(3) {
                0 => "f".repeat(64),
                1 => format!("8{}", "0".repeat(63)),
                _ => format!("f{}", chance.digits(63)),
            };
            called(draft, chance, "approval-unlimited", |a| format!("{selector}{a}{amount}"))
        },
    },
    Class {
        name: "approval",
        about: "A transaction of the batch lets a spender take some amount of a token, or one NFT.",
        seen: &[
            ("BadgerDAO, 2021", "https://badger.com/news/badger-security-upgrades"),
            ("OpenSea, a fake listing", "https://github.com/ProjectOpenSea/opensea-sdk/issues/796"),
        ],
        refused_by: "warning `approval`",
        kinds: &[RAW],
        make: |draft, chance| {
            let selector = chance.pick(&["095ea7b3", "39509351"]);
            let amount = number(1 + (chance.number() >> 1));
            called(draft, chance, "approval", |a| format!("{selector}{a}{amount}"))
        },
    },
    Class {
        name: "approval-of-nft-zero",
        about: "`approve` with 0 looks like taking an approval back, and approves the NFT with the id 0.",
        seen: &[("ERC-721, `approve`", "https://eips.ethereum.org/EIPS/eip-721")],
        refused_by: "warning `approval-zero`",
        kinds: &[RAW],
        make: |draft, chance| called(draft, chance, "approval-zero", |a| format!("095ea7b3{a}{}", number(0))),
    },
    Class {
        name: "operator-for-all",
        about: "An operator may take every NFT of a collection.",
        seen: &[
            ("Brave #24268", "https://github.com/brave/brave-browser/issues/24268"),
            ("OpenSea phishing, 2022", "https://github.com/molly/web3-is-going-great/issues/158"),
        ],
        refused_by: "warning `operator-for-all`",
        kinds: &[RAW],
        make: |draft, chance| called(draft, chance, "operator-for-all", |a| format!("a22cb465{a}{}", number(1))),
    },
    Class {
        name: "permit-phishing",
        about: "A signed permission to take tokens is redeemed: ERC-2612, DAI or Permit2.",
        seen: &[
            (
                "SlowMist, 2023",
                "https://slowmist.medium.com/examining-permit-signatures-is-phishing-of-tokens-possible-via-off-chain-signatures-bfb5723a5e9",
            ),
            ("ERC-2612", "https://eips.ethereum.org/EIPS/eip-2612#security-considerations"),
        ],
        refused_by: "warning `permit`",
        kinds: &[RAW],
        make: |draft, chance| {
            let (owner, v) = (word(&chance.address()), number(27 + chance.number() % 2));
            let (r, s, amount) = (chance.digits(64), chance.digits(64), number(chance.number()));
            let way = chance.below(3);
            called(draft, chance, "permit", |a| match way {
                0 => format!("d505accf{owner}{a}{amount}{}{v}{r}{s}", "f".repeat(64)),
                1 => format!("8fcbaf0c{owner}{a}{}{}{}{v}{r}{s}", number(0), number(0), number(1)),
                _ => format!("87517c45{owner}{a}{:0>64}{}", "f".repeat(40), number(1 << 40)),
            })
        },
    },
    Class {
        name: "ownership-taken",
        about: "A contract gets another owner, another administrator or a new holder of a role.",
        seen: &[(
            "Radiant Capital, 2024",
            "https://onekey.so/blog/ecosystem/radiant-capital-s-50-m-mistake-when-hardware-wallets-blindly-signed-it-all-away",
        )],
        refused_by: "warning `ownership`",
        kinds: &[RAW],
        make: |draft, chance| {
            let role = chance.digits(64);
            let way = chance.below(4);
            called(draft, chance, "ownership", |a| match way {
                0 => format!("f2fde38b{a}"),
                1 => "715018a6".into(),
                2 => format!("2f2ff15d{role}{a}"),
                _ => format!("8f283970{a}"),
            })
        },
    },
    Class {
        name: "code-replaced",
        about: "The code behind a proxy is replaced.",
        seen: &[
            ("WazirX, 2024", "https://www.coinyield.org/postmortems/016_wazirx_india"),
            ("Bybit, Ackee", "https://ackee.xyz/blog/a-safe-native-solution-to-the-bybit-hack"),
        ],
        refused_by: "warning `upgrade`",
        kinds: &[RAW],
        make: |draft, chance| {
            let simple = chance.is_head();
            called(draft, chance, "upgrade", |a| {
                if simple { format!("3659cfe6{a}") } else { format!("4f1ef286{a}{}{}", number(64), number(0)) }
            })
        },
    },
    Class {
        name: "delegate-call",
        about: "A wallet is made to run foreign code as its own: `execTransaction` with operation 1, `execute` of a module.",
        seen: &[
            (
                "Bybit, 2025",
                "https://updraft.cyfrin.io/courses/advanced-web3-wallet-security/signer-advanced/case-study-bybit-hack",
            ),
            ("Bybit, SlowMist", "https://www.panewslab.com/en/articles/0ieex6mt"),
        ],
        refused_by: "warning `unknown-call`",
        kinds: &[RAW],
        make: |draft, chance| {
            let zeros = |count: usize| number(0).repeat(count);
            let way = chance.below(3);
            called(draft, chance, "unknown-call", |a| match way {
                0 => format!("6a761202{a}{}{}{}{}", number(0), number(320), number(1), zeros(8)),
                1 => format!("b61d27f6{a}{}{}{}", number(0), number(96), number(0)),
                _ => format!("e9ae5c53ff{}{}{}", "0".repeat(62), number(64), number(0)),
            })
        },
    },
    Class {
        name: "calls-inside-a-call",
        about: "Approvals hide inside `multicall`, `execute` or another call that carries calls.",
        seen: &[
            (
                "EIP-7702 batches, TokenPocket",
                "https://www.tokenpocket.pro/en/blog/eip-7702-batch-approval-scam-and-prevention-guide",
            ),
            ("Multicall, Verichains", "https://blog.verichains.io/p/address-spoofing-attack-the-combination"),
        ],
        refused_by: "warning `unknown-call`",
        kinds: &[RAW],
        make: |draft, chance| {
            let selector = chance.pick(&["ac9650d8", "5ae401dc", "34fcd5be", "8d80ff0a", "252dba42"]);
            called(draft, chance, "unknown-call", |a| {
                let inner = format!("095ea7b3{a}{}", "f".repeat(64));
                let head = format!("{}{}{}{}", number(32), number(1), number(32), number(68));
                format!("{selector}{head}{inner:0<192}")
            })
        },
    },
    Class {
        name: "bytes-behind-a-transfer",
        about: "Behind the arguments of a transfer stand bytes that the token reads, such as another sender.",
        seen: &[(
            "ERC-2771 with Multicall, OpenZeppelin 2023",
            "https://blog.openzeppelin.com/arbitrary-address-spoofing-vulnerability-erc2771context-multicall-public-disclosure",
        )],
        refused_by: "warning `unknown-call` beside what the arguments say",
        kinds: &[RAW],
        make: |draft, chance| {
            let count = 2 * (1 + chance.below(32));
            let tail = chance.digits(count);
            called(draft, chance, "unknown-call", |a| format!("a9059cbb{a}{}{tail}", number(1)))
        },
    },
    Class {
        name: "dirty-arguments",
        about: "The arguments of a transfer decode only leniently: dirty padding, or a byte too few.",
        seen: &[
            ("The short address attack, 2017", "https://ericrafaloff.com/analyzing-the-erc20-short-address-attack/"),
            ("Solidity #14766", "https://github.com/argotorg/solidity/issues/14766"),
        ],
        refused_by: "warning `unknown-call`",
        kinds: &[RAW],
        make: |draft, chance| {
            let dirt = format!("{:02x}", 1 + chance.below(255));
            let is_short = chance.is_head();
            called(draft, chance, "unknown-call", |a| {
                let transfer = format!("a9059cbb{a}{}", number(1));
                if is_short { transfer[..134].into() } else { format!("{}{dirt}{}", &transfer[..8], &transfer[10..]) }
            })
        },
    },
    Class {
        name: "recipient-zero",
        about: "The recipient is the zero address, from where nothing comes back.",
        seen: &[("OpenZeppelin #1752", "https://github.com/OpenZeppelin/openzeppelin-contracts/pull/1752")],
        refused_by: "warning `recipient-zero`",
        kinds: ALL,
        make: |draft, chance| received(draft, chance, "recipient-zero", |_| format!("0x{}", "0".repeat(40))),
    },
    Class {
        name: "recipient-is-the-token",
        about: "The recipient is the token's or the collection's own contract.",
        seen: &[
            ("MetaMask #9673", "https://github.com/MetaMask/metamask-extension/issues/9673"),
            ("Safe #409", "https://github.com/5afe/safe/issues/409"),
        ],
        refused_by: "warning `recipient-is-token`",
        kinds: ALL,
        make: |mut draft, chance| {
            if draft.kind == RAW {
                draft.set_transfers(1 + chance.below(3), chance);
                let mut other = draft.request.clone();
                let to = chance.address();
                let data = format!("0xa9059cbb{}{}", word(&to), number(1));
                other["details"]["transactions"][0] =
                    json!({ "from": draft.facts["userSWA"], "to": to, "data": data, "value": "0x0" });
                return requested(draft, other, "recipient-is-token", "details.transactions.0.data");
            }
            let key = if draft.kind == NFT { "collectionAddress" } else { "tokenAddress" };
            draft.request["details"][key] = chance.address().into();
            received(draft, chance, "recipient-is-token", |draft| {
                draft.request["details"][key].as_str().unwrap().to_owned()
            })
        },
    },
    Class {
        name: "recipient-is-the-service",
        about: "The recipient is a contract of the service: job manager, paymaster, EntryPoint or application.",
        seen: &[("Ledger Live #4699", "https://github.com/LedgerHQ/ledger-live-desktop/issues/4699")],
        refused_by: "warning `recipient-is-service`",
        kinds: ALL,
        make: |draft, chance| {
            let key = chance.pick(&["jobManager", "paymaster", "entryPoint", "clientSWA"]);
            received(draft, chance, "recipient-is-service", |draft| draft.place[key].as_str().unwrap().to_owned())
        },
    },
    Class {
        name: "address-poisoning",
        about: "The recipient has the first and last digits of a known address, copied from a poisoned history.",
        seen: &[
            ("$710,000 of WBTC, May 2024", "https://scamlens.org/en/blog/crypto-address-poisoning-attack"),
            ("Trezor's explanation", "https://trezor.io/support/a/address-poisoning-attacks?ref=the-bitpay-blog"),
        ],
        refused_by: "warning `recipient-look-alike`, with `known`",
        kinds: ALL,
        make: |mut draft, chance| {
            let (known, like) = look_alike(chance);
            draft.place["known"] = json!([chance.address(), known]);
            received(draft, chance, "recipient-look-alike", |_| like)
        },
    },
    Class {
        name: "poisoned-spender",
        about: "A spender, an operator, a new owner or a new implementation has the first and last digits of a known address.",
        seen: &[("Address poisoning", "https://smartcontractaudit.com/glossary/address-poisoning")],
        refused_by: "warning `recipient-look-alike`, with `known` or `wallets`",
        kinds: &[RAW],
        make: |mut draft, chance| {
            let (known, like) = look_alike(chance);
            draft.place[chance.pick(&["known", "wallets"])] = json!([known]);
            let (like, rest) = (word(&like), number(9));
            let (v, r) = (number(27), chance.digits(64));
            let way = chance.below(6);
            called(draft, chance, "recipient-look-alike", |a| match way {
                0 => format!("a22cb465{like}{}", number(1)),
                1 => format!("095ea7b3{like}{rest}"),
                2 => format!("d505accf{a}{like}{rest}{rest}{v}{r}{r}"),
                3 => format!("f2fde38b{like}"),
                4 => format!("2f2ff15d{r}{like}"),
                _ => format!("3659cfe6{like}"),
            })
        },
    },
    Class {
        name: "poisoned-own-address",
        about: "The recipient resembles one of the user's own wallets, as a poisoned history shows it.",
        seen: &[("Address poisoning, Stingray", "https://stingray.fi/glossary/address-poisoning/")],
        refused_by: "warning `recipient-look-alike`, with `wallets`",
        kinds: ALL,
        make: |mut draft, chance| {
            let (own, like) = look_alike(chance);
            draft.place["wallets"] = json!([chance.address(), own]);
            received(draft, chance, "recipient-look-alike", |_| like)
        },
    },
    Class {
        name: "alias-of-the-native-token",
        about: "The token is an address that some services take for the native token, and here is a contract.",
        seen: &[
            ("Gitcoin audit #670", "https://github.com/sherlock-audit/2023-09-Gitcoin-judging/issues/670"),
            ("reown #639", "https://github.com/reown-com/blockchain-api/pull/639"),
        ],
        refused_by: "warning `token-native-alias`",
        kinds: &[TOKEN],
        make: |draft, chance| {
            let mut other = draft.request.clone();
            let alias = chance.pick(&["e", "E", "0"]).repeat(40);
            other["details"]["tokenAddress"] = format!("0x{alias}").into();
            requested(draft, other, "token-native-alias", "details.tokenAddress")
        },
    },
    Class {
        name: "from-another-account",
        about: "A transaction of the batch is from an account that is not the user's.",
        seen: &[("Optimism Actions #503", "https://github.com/ethereum-optimism/actions/pull/503")],
        refused_by: "warning `foreign-from`, with `wallets`",
        kinds: &[RAW],
        make: |mut draft, chance| {
            let count = 1 + chance.below(3);
            draft.set_transfers(count, chance);
            draft.place["wallets"] = json!([draft.facts["userSWA"]]);
            let at = chance.below(count);
            let mut other = draft.request.clone();
            other["details"]["transactions"][at]["from"] = chance.address().into();
            requested(draft, other, "foreign-from", &format!("details.transactions.{at}.from"))
        },
    },
    Class {
        name: "signature-of-another-form",
        about: "It is not said whether the key signs the hash itself or a message with it.",
        seen: &[
            ("MetaMask #17491, eth_sign", "https://github.com/MetaMask/metamask-extension/issues/17491"),
            ("Brave #28463", "https://github.com/brave/brave-browser/issues/28463"),
        ],
        refused_by: "warning `signature-form`",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.place["version"] = chance.pick(&["0.8", "0.9"]).into();
            draft.place["signs"] = chance.pick(&["personal", "raw", "typedData"]).into();
            let mut place = draft.place.clone();
            place.as_object_mut().unwrap().remove("signs");
            let judgement = Judgement::warned("signature-form", "where.signs");
            draft.attacked(Attack { place: Some(place), ..Attack::default() }, judgement)
        },
    },
    Class {
        name: "rule-for-a-single-nft",
        about: "A request moves several pieces of an NFT of the standard for single ones.",
        seen: &[("ERC-721, transfers by id", "https://eips.ethereum.org/EIPS/eip-721")],
        refused_by: "the request's own rule, at `details.amount`",
        kinds: &[NFT],
        make: |mut draft, chance| {
            draft.request["details"]["nftType"] = "ERC721".into();
            draft.request["details"]["amount"] = "1".into();
            let mut other = draft.request.clone();
            other["details"]["amount"] = chance.amount().into();
            refused(draft, other, "details.amount")
        },
    },
    Class {
        name: "standard-in-another-spelling",
        about: "The standard of a single NFT is spelled so that the rule for it does not apply: `ERC-721`, `erc_721`.",
        seen: &[("MCP Go SDK #805, letter case", "https://github.com/modelcontextprotocol/go-sdk/issues/805")],
        refused_by: "the request's field, at `details.nftType`",
        kinds: &[NFT],
        make: |mut draft, chance| {
            draft.request["details"]["nftType"] = "ERC721".into();
            draft.request["details"]["amount"] = "1".into();
            let mut other = draft.request.clone();
            let spellings =
                ["ERC-721", "erc-721", "ERC_721", "erc721", "Erc721", "ERC--721", "e_r_c_7-2-1", "erc-1155"];
            other["details"]["nftType"] = chance.pick(&spellings).into();
            other["details"]["amount"] = chance.amount().into();
            refused(draft, other, "details.nftType")
        },
    },
    Class {
        name: "tip-above-the-cap",
        about: "The request's tip is above its cap: the operation cannot be what the person was shown.",
        seen: &[("ERC-4337, gas fees", "https://eips.ethereum.org/EIPS/eip-4337")],
        refused_by: "the request's own rule, at `gasDetails.maxPriorityFeePerGas`",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.set_ordinary_gas();
            let mut other = draft.request.clone();
            other["gasDetails"]["maxPriorityFeePerGas"] =
                format!("{:#x}", 0x7735_9401 + (chance.number() >> 20)).into();
            refused(draft, other, "gasDetails.maxPriorityFeePerGas")
        },
    },
    Class {
        name: "key-added-to-the-request",
        about: "The request has a key that nobody reads, and that a later version may obey.",
        seen: &[("BitGoJS #8233", "https://github.com/BitGo/BitGoJS/pull/8233")],
        refused_by: "the request is read strictly: unknown keys are refused",
        kinds: ALL,
        make: |draft, chance| {
            let mut other = draft.request.clone();
            let key = chance.pick(&["operation", "skipVerification", "recipients", "type "]);
            let place = chance.pick(&["", "/details"]);
            other.pointer_mut(place).unwrap()[key] = true.into();
            refused(draft, other, format!("{place}/{key}")[1..].replace('/', ".").as_str())
        },
    },
    Class {
        name: "recipient-with-a-wrong-checksum",
        about: "A digit of the recipient was changed in the form, and its checksum was not.",
        seen: &[
            ("EIP-55", "https://eips.ethereum.org/EIPS/eip-55"),
            ("viem #2651", "https://github.com/wevm/viem/issues/2651"),
        ],
        refused_by: "the request's address, at its path",
        kinds: MOVES,
        make: |mut draft, chance| {
            let address = laws::checksummed(&format!("0xabcdef{}", chance.digits(34)));
            draft.request["details"]["recipientWalletAddress"] = address.clone().into();
            let mut other = draft.request.clone();
            let case = if address.chars().nth(2) == Some('a') { 'A' } else { 'a' };
            let wrong = format!("0x{case}{}", &address[3..]);
            // Letters of one case alone have no checksum.
            let is_mixed = wrong[2..].contains(|c: char| c.is_ascii_lowercase())
                && wrong[2..].contains(|c: char| c.is_ascii_uppercase());
            let wrong = if is_mixed { wrong } else { format!("0xaB{}", "0".repeat(38)) };
            other["details"]["recipientWalletAddress"] = wrong.into();
            refused(draft, other, "details.recipientWalletAddress")
        },
    },
];

/// An address, and another one with its first and last four digits.
fn look_alike(chance: &mut Chance) -> (String, String) {
    let known = format!("0x{}", chance.digits(40));
    let like = format!("{}{}{}", &known[..6], chance.digits(32), &known[38..]);
    (known, like)
}

/// A batch of ordinary transfers, and the same batch with a call among them; `data` gets an address as its argument.
fn called(mut draft: Draft, chance: &mut Chance, code: &'static str, data: impl FnOnce(&str) -> String) -> Case {
    let count = 1 + chance.below(3);
    draft.set_transfers(count, chance);
    let at = chance.below(count);
    let mut other = draft.request.clone();
    let data = format!("0x{}", data(&word(&chance.address())));
    other["details"]["transactions"][at] =
        json!({ "from": draft.facts["userSWA"], "to": chance.address(), "data": data, "value": "0x0" });
    requested(draft, other, code, &format!("details.transactions.{at}.data"))
}

/// An ordinary transfer, and the same with another recipient.
fn received(mut draft: Draft, chance: &mut Chance, code: &'static str, to: impl FnOnce(&Draft) -> String) -> Case {
    if draft.kind != RAW {
        let mut other = draft.request.clone();
        other["details"]["recipientWalletAddress"] = to(&draft).into();
        return requested(draft, other, code, "details.recipientWalletAddress");
    }
    let count = 1 + chance.below(3);
    draft.set_transfers(count, chance);
    let (at, to) = (chance.below(count), to(&draft));
    let mut other = draft.request.clone();
    let transaction = &mut other["details"]["transactions"][at];
    let path = if chance.is_head() {
        transaction["data"] = "0x".into();
        transaction["to"] = to.into();
        format!("details.transactions.{at}.to")
    } else {
        transaction["data"] = format!("0xa9059cbb{}{}", word(&to), number(1)).into();
        format!("details.transactions.{at}.data")
    };
    requested(draft, other, code, &path)
}

/// Another request with the honest reply to it, which is warned of.
fn requested(draft: Draft, other: Value, code: &'static str, path: &str) -> Case {
    let reply = Some(Reply::Document(draft.reply_to(&other)));
    draft.attacked(Attack { request: Some(other), reply, ..Attack::default() }, Judgement::warned(code, path))
}

/// Another request, which is refused.
fn refused(draft: Draft, other: Value, path: &str) -> Case {
    draft.attacked(Attack { request: Some(other), ..Attack::default() }, Judgement::refused(path))
}
