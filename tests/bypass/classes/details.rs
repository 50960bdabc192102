//! The reply makes another transfer than the requested one.

use serde_json::{Value, json};

use super::lie::{
    FACES, Face, PAYLOAD, any_field, any_field_of, lie, raw_bytes, raw_lie, swapped_data, transfer,
};
use super::{ALL, Class, MOVES};
use crate::draft::word;
use crate::{Judgement, NFT, RAW, TOKEN};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "recipient-swapped",
        about: "The transfer goes to another recipient.",
        seen: &[
            ("BitGoJS #1236", "https://github.com/BitGo/BitGoJS/pull/1236"),
            ("Optimism Actions #434", "https://github.com/ethereum-optimism/actions/pull/434"),
        ],
        refused_by: "`call-data` or `payload`, field `recipientWalletAddress`",
        kinds: MOVES,
        make: |draft, chance| {
            let thief = chance.address();
            lie(draft, chance, FACES, "recipientWalletAddress", |details| {
                details["recipientWalletAddress"] = thief.into();
            })
        },
    },
    Class {
        name: "recipient-inside-a-batch",
        about: "The batch looks right from outside, and one transaction inside it has another recipient.",
        seen: &[("BitGoJS #8771", "https://github.com/BitGo/BitGoJS/pull/8771")],
        refused_by: "`call-data` or `payload`, field `transactions.N.to`",
        kinds: &[RAW],
        make: |mut draft, chance| {
            let count = 2 + chance.below(3);
            draft.set_transfers(count, chance);
            let (at, thief) = (chance.below(count), chance.address());
            lie(draft, chance, FACES, &format!("transactions.{at}.to"), |details| {
                details["transactions"][at]["to"] = thief.into();
            })
        },
    },
    Class {
        name: "recipient-inside-the-data",
        about: "The contract is right, and the recipient among the arguments of its `transfer` is another.",
        seen: &[
            ("BitGoJS #8767", "https://github.com/BitGo/BitGoJS/pull/8767"),
            ("Optimism Actions #524", "https://github.com/ethereum-optimism/actions/pull/524"),
        ],
        refused_by: "`call-data` or `payload`, field `transactions.N.data`",
        kinds: &[RAW],
        make: |draft, chance| {
            let [asked, made] = [chance.address(), chance.address()].map(|to| transfer(&to));
            swapped_data(draft, chance, asked, made)
        },
    },
    Class {
        name: "recipient-ignored-by-the-encoder",
        about: "The reply echoes the recipient, and its bytes have a fixed address of the service instead.",
        seen: &[
            ("Optimism Actions #444", "https://github.com/ethereum-optimism/actions/issues/444"),
            ("BitGoJS #1276", "https://github.com/BitGo/BitGoJS/pull/1276"),
        ],
        refused_by: "`call-data`, field `recipientWalletAddress`",
        kinds: MOVES,
        make: |draft, chance| {
            let fixed = draft.facts[chance.pick(&["jobManager", "clientSWA", "paymaster"])].clone();
            lie(draft, chance, &[Face::Bytes], "recipientWalletAddress", |details| {
                details["recipientWalletAddress"] = fixed;
            })
        },
    },
    Class {
        name: "amounts-with-the-same-sum",
        about: "Amounts move between the transactions of a batch, and their sum stays.",
        seen: &[
            ("BitGoJS #8772", "https://github.com/BitGo/BitGoJS/pull/8772"),
            ("BitGoJS #5887", "https://github.com/BitGo/BitGoJS/pull/5887"),
        ],
        refused_by: "`call-data` or `payload`, field `transactions.N.value`",
        kinds: &[RAW],
        make: |mut draft, chance| {
            draft.set_transfers(2 + chance.below(2), chance);
            let (value, moved) =
                (1_000_000 + (chance.number() >> 8), 1 + chance.number() % 1_000_000);
            for at in 0..2 {
                draft.request["details"]["transactions"][at]["value"] =
                    format!("{value:#x}").into();
            }
            lie(draft, chance, FACES, "transactions.0.value", |details| {
                details["transactions"][0]["value"] = format!("{:#x}", value - moved).into();
                details["transactions"][1]["value"] = format!("{:#x}", value + moved).into();
            })
        },
    },
    Class {
        name: "transaction-added",
        about: "The batch has one transaction more than the request.",
        seen: &[
            ("BitGoJS #2700", "https://github.com/BitGo/BitGoJS/pull/2700"),
            ("EIP-7702 batches, SlowMist", "https://defy.club/?p=19928"),
        ],
        refused_by: "`call-data` or `payload`, field `transactions`",
        kinds: &[RAW],
        make: |mut draft, chance| {
            draft.set_transfers(1 + chance.below(3), chance);
            let mut more = draft.clone();
            more.set_transfers(1, chance);
            let added = more.request["details"]["transactions"][0].take();
            let at = chance.below(2);
            lie(draft, chance, FACES, "transactions", |details| {
                details["transactions"].as_array_mut().unwrap().insert(at, added);
            })
        },
    },
    Class {
        name: "transaction-left-out",
        about: "A transaction of the batch is missing, such as the one that takes an approval back.",
        seen: &[("BitGoJS #8883", "https://github.com/BitGo/BitGoJS/pull/8883")],
        refused_by: "`call-data` or `payload`, field `transactions`",
        kinds: &[RAW],
        make: |mut draft, chance| {
            let count = 2 + chance.below(3);
            draft.set_transfers(count, chance);
            let at = chance.below(count);
            lie(draft, chance, FACES, "transactions", |details| {
                details["transactions"].as_array_mut().unwrap().remove(at);
            })
        },
    },
    Class {
        name: "transactions-reordered",
        about: "The transactions of a batch come in another order.",
        seen: &[("ERC-7821, batch execution", "https://eips.ethereum.org/EIPS/eip-7821")],
        refused_by: "`call-data` or `payload`, field `transactions.N.to`",
        kinds: &[RAW],
        make: |mut draft, chance| {
            draft.set_transfers(2 + chance.below(2), chance);
            lie(draft, chance, FACES, "transactions.0.to", |details| {
                details["transactions"].as_array_mut().unwrap().swap(0, 1);
            })
        },
    },
    Class {
        name: "amount-changed",
        about: "The transfer has another amount.",
        seen: &[("BitGoJS #8767", "https://github.com/BitGo/BitGoJS/pull/8767")],
        refused_by: "`call-data` or `payload`, field `amount` or `transactions.N.value`",
        kinds: ALL,
        make: |mut draft, chance| {
            if draft.kind == RAW {
                draft.set_transfers(1 + chance.below(3), chance);
                let value = chance.quantity();
                return lie(draft, chance, FACES, "transactions.0.value", |details| {
                    details["transactions"][0]["value"] = value.into();
                });
            }
            if draft.kind == NFT {
                draft.request["details"]["nftType"] = "ERC1155".into();
            }
            let amount = chance.amount();
            lie(draft, chance, FACES, "amount", |details| details["amount"] = amount.into())
        },
    },
    Class {
        name: "token-swapped",
        about: "Another token or collection is moved.",
        seen: &[("BitGoJS #5750", "https://github.com/BitGo/BitGoJS/pull/5750")],
        refused_by: "`call-data` or `payload`, field `tokenAddress`, `collectionAddress` or `transactions.N.to`",
        kinds: ALL,
        make: |mut draft, chance| {
            let other = chance.address();
            if draft.kind == RAW {
                draft.set_transfers(2, chance);
                let at = chance.below(2);
                return lie(draft, chance, FACES, &format!("transactions.{at}.to"), |details| {
                    details["transactions"][at]["to"] = other.into();
                });
            }
            let key = if draft.kind == NFT { "collectionAddress" } else { "tokenAddress" };
            lie(draft, chance, FACES, key, |details| details[key] = other.into())
        },
    },
    Class {
        name: "native-for-token",
        about: "The native token is moved in the place of a token, with the same digits.",
        seen: &[(
            "Arbitrum bridge #1270",
            "https://github.com/OffchainLabs/arbitrum-token-bridge/pull/1270",
        )],
        refused_by: "`call-data` or `payload`, field `tokenAddress`",
        kinds: &[TOKEN],
        make: |mut draft, chance| {
            let (token, native) = (Value::from(chance.address()), Value::from(""));
            let (asked, made) = if chance.is_head() { (token, native) } else { (native, token) };
            draft.request["details"]["tokenAddress"] = asked;
            lie(draft, chance, FACES, "tokenAddress", |details| details["tokenAddress"] = made)
        },
    },
    Class {
        name: "nft-swapped",
        about: "Another NFT of the same collection is moved.",
        seen: &[("ERC-721, transfers by id", "https://eips.ethereum.org/EIPS/eip-721")],
        refused_by: "`call-data` or `payload`, field `nftId`",
        kinds: &[NFT],
        make: |draft, chance| {
            let other = if chance.is_head() { chance.uuid() } else { chance.amount() };
            lie(draft, chance, FACES, "nftId", |details| details["nftId"] = other.into())
        },
    },
    Class {
        name: "nft-id-in-another-base",
        about: "The id has the same digits in another base, or the same number with other digits: `16`, `0x16`, `0x10`.",
        seen: &[
            ("skandha #167", "https://github.com/etherspot/skandha/issues/167"),
            ("Biconomy bundler #786", "https://github.com/bcnmy/bundler/pull/786"),
        ],
        refused_by: "`call-data` or `payload`, field `nftId`: ids are compared as text",
        kinds: &[NFT],
        make: |mut draft, chance| {
            let id = 10 + chance.number() % 1_000_000;
            draft.request["details"]["nftId"] = id.to_string().into();
            let other = if chance.is_head() { format!("0x{id}") } else { format!("{id:#x}") };
            lie(draft, chance, FACES, "nftId", |details| details["nftId"] = other.into())
        },
    },
    Class {
        name: "nft-standard-swapped",
        about: "The reply moves the NFT by another standard, whose rule for the amount differs.",
        seen: &[("ERC-1155, amounts", "https://eips.ethereum.org/EIPS/eip-1155")],
        refused_by: "`call-data` or `payload`, field `nftType`",
        kinds: &[NFT],
        make: |mut draft, chance| {
            draft.request["details"]["amount"] = "1".into();
            let standards = ["ERC721", "ERC1155"];
            let at = chance.below(2);
            draft.request["details"]["nftType"] = standards[at].into();
            lie(draft, chance, FACES, "nftType", |details| {
                details["nftType"] = standards[1 - at].into()
            })
        },
    },
    Class {
        name: "chain-swapped",
        about: "The transfer is made on another chain, where the recipient may be another person.",
        seen: &[(
            "Optimism and Wintermute, 2022",
            "https://plaid-cement-e44.notion.site/A-Message-to-the-Community-from-the-Optimism-Foundation-f49b913bb0974d8a854a8bdd409a9dd6",
        )],
        refused_by: "`call-data` or `payload`, field `caip2Id`",
        kinds: ALL,
        make: |draft, chance| {
            let chain = format!("eip155:1{}", chance.number() >> 32);
            lie(draft, chance, FACES, "caip2Id", |details| details["caip2Id"] = chain.into())
        },
    },
    Class {
        name: "field-that-nobody-compared",
        about: "Any one field of the intent differs, such as a hidden refund that a display leaves out.",
        seen: &[
            ("Safe interface #1800", "https://github.com/5afe/safe-react/issues/1800"),
            (
                "Safe transaction service #74",
                "https://github.com/safe-global/safe-transaction-service/issues/74",
            ),
        ],
        refused_by: "`call-data` or `payload`, with the field's name",
        kinds: ALL,
        make: any_field,
    },
    Class {
        name: "shown-right-signed-wrong",
        about: "All that is shown is right, and the bytes to sign do something else.",
        seen: &[
            (
                "Bybit, 2025",
                "https://hextrust.com/resources-collection/the-bybit-crypto-hack---an-analysis-by-hex-trust",
            ),
            (
                "Radiant Capital, 2024",
                "https://onekey.so/blog/ecosystem/radiant-capital-s-50-m-mistake-when-hardware-wallets-blindly-signed-it-all-away",
            ),
        ],
        refused_by: "`call-data`: the bytes are decoded, and compared with the request",
        kinds: ALL,
        make: |draft, chance| any_field_of(draft, chance, &[Face::Bytes]),
    },
    Class {
        name: "signed-right-shown-wrong",
        about: "The bytes are right, and the readable part of the reply describes something else.",
        seen: &[(
            "WazirX, 2024",
            "https://defi.io/feed/cointelegraph/liminal-blames-compromised-wazirx-devices-for-hack-claims-ui-not-responsible",
        )],
        refused_by: "`payload`, with the field's name",
        kinds: ALL,
        make: |draft, chance| any_field_of(draft, chance, &[Face::Plain]),
    },
    Class {
        name: "approval-for-transfer",
        about: "The bytes approve a spender in the place of the transfer.",
        seen: &[("BitGoJS #9008", "https://github.com/BitGo/BitGoJS/pull/9008")],
        refused_by: "`call-data`, field `intent.type` or `transactions.N.data`",
        kinds: ALL,
        make: |draft, chance| {
            let spender = word(&chance.address());
            let approval = match draft.kind {
                NFT => format!("0xa22cb465{spender}{:064x}", 1),
                _ => format!("0x095ea7b3{spender}{}", "f".repeat(64)),
            };
            if draft.kind == RAW {
                let asked = transfer(&chance.address());
                return swapped_data(draft, chance, asked, approval);
            }
            raw_bytes(draft, &approval)
        },
    },
    Class {
        name: "type-from-the-server",
        about: "The reply has another type, and a client that takes the type from it compares by the wrong rules.",
        seen: &[("BitGoJS #1425", "https://github.com/BitGo/BitGoJS/pull/1425")],
        refused_by: "`intent-type`",
        kinds: ALL,
        make: |draft, chance| {
            let lie = if draft.kind == RAW {
                let other = json!({
                    "type": TOKEN, "jobId": draft.request["jobId"], "gasDetails": draft.request["gasDetails"],
                    "paymasterData": draft.request["paymasterData"], "details": {
                        "caip2Id": draft.request["details"]["caip2Id"], "recipientWalletAddress": chance.address(),
                        "tokenAddress": "", "amount": chance.amount(),
                    },
                });
                draft.reply_to(&other)
            } else {
                raw_lie(&draft, "0x")
            };
            draft.replied(lie, Judgement::refused("data.callData.intentType"))
        },
    },
    Class {
        name: "type-without-rules",
        about: "The reply has a type for which a client knows no rules, and lets it pass.",
        seen: &[
            ("BitGoJS #9059", "https://github.com/BitGo/BitGoJS/pull/9059"),
            ("BitGoJS #8703", "https://github.com/BitGo/BitGoJS/pull/8703"),
        ],
        refused_by: "`intent-type`: what is not known is refused",
        kinds: ALL,
        make: |draft, chance| {
            let mut altered = draft.reply();
            let kinds =
                ["customTx", "enableToken", "defiApprove", "NFT_MINT", "raw_transaction", ""];
            altered["data"]["callData"]["intentType"] = chance.pick(&kinds).into();
            draft.replied(altered, Judgement::refused("data.callData.intentType"))
        },
    },
    Class {
        name: "nothing-to-compare",
        about: "The reply leaves out what it would be compared by: an empty payload, an empty list, none at all.",
        seen: &[
            ("BitGoJS #8924", "https://github.com/BitGo/BitGoJS/pull/8924"),
            ("BitGoJS #9071", "https://github.com/BitGo/BitGoJS/pull/9071"),
        ],
        refused_by: "`payload` or `shape`: a field that a rule needs is missing",
        kinds: ALL,
        make: |draft, chance| {
            let mut altered = draft.reply();
            let call_data = altered["data"]["callData"].as_object_mut().unwrap();
            let path = match chance.below(4) {
                0 => {
                    call_data["payload"] = json!({});
                    "data.callData.payload.caip2Id"
                }
                1 => {
                    call_data["payload"] = json!([]);
                    PAYLOAD
                }
                2 => {
                    call_data["payload"] = Value::Null;
                    PAYLOAD
                }
                _ => {
                    call_data.remove("payload");
                    PAYLOAD
                }
            };
            draft.replied(altered, Judgement::refused(path))
        },
    },
    Class {
        name: "key-added-to-the-intent",
        about: "The payload has one key more, which another reader understands, such as a delegate call.",
        seen: &[(
            "Bybit, `operation` 0 and 1",
            "https://updraft.cyfrin.io/courses/advanced-web3-wallet-security/signer-advanced/case-study-bybit-hack",
        )],
        refused_by: "`payload`, at the key",
        kinds: ALL,
        make: |draft, chance| {
            let mut altered = draft.reply();
            let key =
                chance.pick(&["operation", "delegate", "refundReceiver", "gasToken", "recipient"]);
            let mut payload = &mut altered["data"]["callData"]["payload"];
            let mut path = PAYLOAD.to_owned();
            if draft.kind == RAW && chance.is_head() {
                payload = &mut payload["transactions"][0];
                path += ".transactions.0";
            }
            payload[key] = if chance.is_head() { json!(1) } else { chance.address().into() };
            draft.replied(altered, Judgement::refused(&format!("{path}.{key}")))
        },
    },
];
