//! The reply is honest, and the request is not what the person wants: its recipient, or another
//! field.

use serde_json::{Value, json};

use super::calls::{called, requested};
use super::{ALL, Class, MOVES};
use crate::draft::{number, word};
use crate::{Attack, Case, Chance, Draft, Judgement, NFT, RAW, TOKEN};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "recipient-zero",
        about: "The recipient is the zero address, from where nothing comes back.",
        seen: &[(
            "OpenZeppelin #1752",
            "https://github.com/OpenZeppelin/openzeppelin-contracts/pull/1752",
        )],
        refused_by: "warning `recipient-zero`",
        kinds: ALL,
        make: |draft, chance| {
            received(draft, chance, "recipient-zero", |_| format!("0x{}", "0".repeat(40)))
        },
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
                other["details"]["transactions"][0] = json!({ "from": draft.facts["userSWA"], "to": to, "data": data, "value": "0x0" });
                return requested(
                    draft,
                    other,
                    "recipient-is-token",
                    "details.transactions.0.data",
                );
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
        seen: &[(
            "Ledger Live #4699",
            "https://github.com/LedgerHQ/ledger-live-desktop/issues/4699",
        )],
        refused_by: "warning `recipient-is-service`",
        kinds: ALL,
        make: |draft, chance| {
            let key = chance.pick(&["jobManager", "paymaster", "entryPoint", "clientSWA"]);
            received(draft, chance, "recipient-is-service", |draft| {
                draft.place[key].as_str().unwrap().to_owned()
            })
        },
    },
    Class {
        name: "address-poisoning",
        about: "The recipient has the first and last digits of a known address, copied from a poisoned history.",
        seen: &[
            (
                "$710,000 of WBTC, May 2024",
                "https://scamlens.org/en/blog/crypto-address-poisoning-attack",
            ),
            (
                "Trezor's explanation",
                "https://trezor.io/support/a/address-poisoning-attacks?ref=the-bitpay-blog",
            ),
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
            (
                "Gitcoin audit #670",
                "https://github.com/sherlock-audit/2023-09-Gitcoin-judging/issues/670",
            ),
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
            (
                "MetaMask #17491, eth_sign",
                "https://github.com/MetaMask/metamask-extension/issues/17491",
            ),
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
        seen: &[(
            "MCP Go SDK #805, letter case",
            "https://github.com/modelcontextprotocol/go-sdk/issues/805",
        )],
        refused_by: "the request's field, at `details.nftType`",
        kinds: &[NFT],
        make: |mut draft, chance| {
            draft.request["details"]["nftType"] = "ERC721".into();
            draft.request["details"]["amount"] = "1".into();
            let mut other = draft.request.clone();
            let spellings = [
                "ERC-721",
                "erc-721",
                "ERC_721",
                "erc721",
                "Erc721",
                "ERC--721",
                "e_r_c_7-2-1",
                "erc-1155",
            ];
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

/// An ordinary transfer, and the same with another recipient.
fn received(
    mut draft: Draft,
    chance: &mut Chance,
    code: &'static str,
    to: impl FnOnce(&Draft) -> String,
) -> Case {
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

/// Another request, which is refused.
fn refused(draft: Draft, other: Value, path: &str) -> Case {
    draft.attacked(Attack { request: Some(other), ..Attack::default() }, Judgement::refused(path))
}
