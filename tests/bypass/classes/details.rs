//! The reply makes another transfer than the requested one.

use serde_json::{Value, json};

use super::source::*;
use super::{ALL, CALL_DATA, Class, MOVES, PAYLOAD, TO, left_out, of, replaced};
use crate::draft::{at, number, remove, transfer, with, word};
use crate::{Case, Chance, Draft, Judgement, NFT, RAW, TOKEN};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "recipient-swapped",
        about: "The transfer goes to another recipient.",
        seen: &[BITGO.pull(1236), ACTIONS.pull(434)],
        cases: of(MOVES, |draft, chance| any_of(draft, chance, TO, FACES)),
    },
    Class {
        name: "recipient-inside-a-batch",
        about: "The batch looks right from outside, and one transaction inside it has another recipient.",
        seen: &[BITGO.pull(8771)],
        cases: of(&[RAW], |draft, chance| any_of(draft, chance, "transactions.N.to", FACES)),
    },
    Class {
        name: "recipient-inside-the-data",
        about: "The contract is right, and the recipient among the arguments of its `transfer` is another.",
        seen: &[BITGO.pull(8767), ACTIONS.pull(524)],
        cases: of(&[RAW], |draft, chance| {
            let [asked, made] =
                [chance.address(), chance.address()].map(|to| transfer(&to, 1_000_000));
            swapped_data(draft, chance, asked, made)
        }),
    },
    Class {
        name: "recipient-ignored-by-the-encoder",
        about: "The reply echoes the recipient, and its bytes have a fixed address of the service instead.",
        seen: &[ACTIONS.issue(444), BITGO.pull(1276)],
        cases: of(MOVES, |draft, chance| {
            let fixed = draft.facts[chance.pick(&["jobManager", "clientSWA", "paymaster"])].clone();
            lie(draft, TO, fixed, Face::Bytes)
        }),
    },
    Class {
        name: "amounts-with-the-same-sum",
        about: "Amounts move between the transactions of a batch, and their sum stays.",
        seen: &[BITGO.pull(8772), BITGO.pull(5887)],
        cases: of(&[RAW], |mut draft, chance| {
            draft.set_transfers(2 + chance.below(2), chance);
            let value = 1_000_000 + (chance.number() >> 8);
            let moved = 1 + chance.number() % 1_000_000;
            let set = |details: &mut Value, values: [u64; 2]| {
                for (at, value) in values.into_iter().enumerate() {
                    details["transactions"][at]["value"] = format!("{value:#x}").into();
                }
            };
            set(&mut draft.request["details"], [value, value]);
            lie_by(draft, "transactions.0.value", face(chance), |details| {
                set(details, [value - moved, value + moved]);
            })
        }),
    },
    Class {
        name: "transaction-added",
        about: "The batch has one transaction more than the request.",
        seen: &[BITGO.pull(2700), Page("EIP-7702 batches, SlowMist", "defy.club/?p=19928")],
        cases: of(&[RAW], |mut draft, chance| {
            draft.set_transfers(1 + chance.below(3), chance);
            let mut more = draft.clone();
            more.set_transfers(1, chance);
            let added = at(&mut more.request, FIRST).take();
            let place = chance.below(2);
            batch_lie(draft, "transactions", face(chance), |batch| batch.insert(place, added))
        }),
    },
    Class {
        name: "transaction-left-out",
        about: "A transaction of the batch is missing, such as the one that takes an approval back.",
        seen: &[BITGO.pull(8883)],
        cases: of(&[RAW], |mut draft, chance| {
            let at = draft.pick_transfer(2 + chance.below(3), chance);
            batch_lie(draft, "transactions", face(chance), |batch| drop(batch.remove(at)))
        }),
    },
    Class {
        name: "transactions-reordered",
        about: "The transactions of a batch come in another order.",
        seen: &[Eip("ERC-7821, batch execution", "7821")],
        cases: of(&[RAW], |mut draft, chance| {
            draft.set_transfers(2 + chance.below(2), chance);
            batch_lie(draft, "transactions.0.to", face(chance), |batch| batch.swap(0, 1))
        }),
    },
    Class {
        name: "amount-changed",
        about: "The transfer has another amount.",
        seen: &[BITGO.pull(8767)],
        cases: of(ALL, |draft, chance| any_of(draft, chance, "amount transactions.N.value", FACES)),
    },
    Class {
        name: "token-swapped",
        about: "Another token or collection is moved.",
        seen: &[BITGO.pull(5750)],
        cases: of(ALL, |draft, chance| {
            any_of(draft, chance, "collectionAddress tokenAddress transactions.N.to", FACES)
        }),
    },
    Class {
        name: "native-for-token",
        about: "The native token is moved in the place of a token, with the same digits.",
        seen: &[Project("Arbitrum bridge", "OffchainLabs/arbitrum-token-bridge").pull(1270)],
        cases: of(&[TOKEN], |mut draft, chance| {
            let (token, native) = (chance.address(), String::new());
            let (asked, made) = if chance.is_head() { (token, native) } else { (native, token) };
            draft.request["details"]["tokenAddress"] = asked.into();
            lie(draft, "tokenAddress", made, face(chance))
        }),
    },
    Class {
        name: "nft-swapped",
        about: "Another NFT of the same collection is moved.",
        seen: &[Eip("ERC-721, transfers by id", "721")],
        cases: of(&[NFT], |draft, chance| any_of(draft, chance, "nftId", FACES)),
    },
    Class {
        name: "nft-id-in-another-base",
        about: "The id has the same digits in another base, or the same number with other digits: `16`, `0x16`, `0x10`.",
        seen: &[SKANDHA.issue(167), Project("Biconomy bundler", "bcnmy/bundler").pull(786)],
        cases: of(&[NFT], |mut draft, chance| {
            let id = 10 + chance.number() % 1_000_000;
            draft.request["details"]["nftId"] = id.to_string().into();
            let other = if chance.is_head() { format!("0x{id}") } else { format!("{id:#x}") };
            lie(draft, "nftId", other, face(chance))
        }),
    },
    Class {
        name: "nft-standard-swapped",
        about: "The reply moves the NFT by another standard, whose rule for the amount differs.",
        seen: &[Eip("ERC-1155, amounts", "1155")],
        cases: of(&[NFT], |mut draft, chance| {
            let mut standards = ["ERC721", "ERC1155"];
            standards.rotate_left(chance.below(2));
            draft.request["details"]["amount"] = "1".into();
            draft.request["details"]["nftType"] = standards[0].into();
            lie(draft, "nftType", standards[1], face(chance))
        }),
    },
    Class {
        name: "chain-swapped",
        about: "The transfer is made on another chain, where the recipient may be another person.",
        seen: &[Page(
            "Optimism and Wintermute, 2022",
            "plaid-cement-e44.notion.site/A-Message-to-the-Community-from-the-Optimism-Foundation-f49b913bb0974d8a854a8bdd409a9dd6",
        )],
        cases: of(ALL, |draft, chance| any_of(draft, chance, "caip2Id", FACES)),
    },
    Class {
        name: "field-that-nobody-compared",
        about: "Any one field of the intent differs, such as a hidden refund that a display leaves out.",
        seen: &[SAFE_INTERFACE.issue(1800), SAFE_SERVICE.issue(74)],
        cases: of(ALL, |draft, chance| any_of(draft, chance, FIELDS, FACES)),
    },
    Class {
        name: "shown-right-signed-wrong",
        about: "All that is shown is right, and the bytes to sign do something else.",
        seen: &[
            Page(
                "Bybit, 2025",
                "hextrust.com/resources-collection/the-bybit-crypto-hack---an-analysis-by-hex-trust",
            ),
            RADIANT,
        ],
        cases: of(ALL, |draft, chance| any_of(draft, chance, FIELDS, &[Face::Bytes])),
    },
    Class {
        name: "signed-right-shown-wrong",
        about: "The bytes are right, and the readable part of the reply describes something else.",
        seen: &[Page(
            "WazirX, 2024",
            "defi.io/feed/cointelegraph/liminal-blames-compromised-wazirx-devices-for-hack-claims-ui-not-responsible",
        )],
        cases: of(ALL, |draft, chance| any_of(draft, chance, FIELDS, &[Face::Plain])),
    },
    Class {
        name: "approval-for-transfer",
        about: "The bytes approve a spender in the place of the transfer.",
        seen: &[BITGO.pull(9008)],
        cases: of(ALL, |draft, chance| {
            let spender = word(&chance.address());
            let approval = match draft.kind {
                NFT => format!("0xa22cb465{spender}{}", number(1)),
                _ => format!("0x095ea7b3{spender}{}", "f".repeat(64)),
            };
            if draft.kind == RAW {
                let asked = transfer(&chance.address(), 1_000_000);
                return swapped_data(draft, chance, asked, approval);
            }
            let made = raw_lie(&draft, &approval);
            lied(draft, made, "intent.type", Face::Bytes)
        }),
    },
    Class {
        name: "type-from-the-server",
        about: "The reply has another type, and a client that takes the type from it compares by the wrong rules.",
        seen: &[BITGO.pull(1425)],
        cases: of(ALL, |draft, chance| {
            let made = if draft.kind == RAW {
                let mut other = with(draft.request.clone(), "type", TOKEN);
                other["details"] = json!({
                    "caip2Id": other["details"]["caip2Id"], "recipientWalletAddress": chance.address(),
                    "tokenAddress": "", "amount": chance.amount(),
                });
                remove(&mut other, "feePayerAddress");
                draft.reply_to(&other)
            } else {
                raw_lie(&draft, "0x")
            };
            draft.replied(made, Judgement::refused("data.callData.intentType"))
        }),
    },
    Class {
        name: "type-without-rules",
        about: "The reply has a type for which a client knows no rules, and lets it pass.",
        seen: &[BITGO.pull(9059), BITGO.pull(8703)],
        cases: of(ALL, |draft, chance| {
            let kinds = "customTx enableToken defiApprove NFT_MINT raw_transaction ";
            replaced(draft, "data.callData.intentType", chance.word(kinds))
        }),
    },
    Class {
        name: "nothing-to-compare",
        about: "The reply leaves out what it would be compared by: an empty payload, an empty list, none at all.",
        seen: &[BITGO.pull(8924), BITGO.pull(9071)],
        cases: of(ALL, |draft, chance| match chance.below(4) {
            0 => {
                let altered = with(draft.reply(), PAYLOAD, json!({}));
                draft.replied(altered, Judgement::refused(&format!("{PAYLOAD}.caip2Id")))
            }
            1 => replaced(draft, PAYLOAD, json!([])),
            2 => replaced(draft, PAYLOAD, Value::Null),
            _ => left_out(draft, PAYLOAD),
        }),
    },
    Class {
        name: "key-added-to-the-intent",
        about: "The payload has one key more, which another reader understands, such as a delegate call.",
        seen: &[Page(
            "Bybit, `operation` 0 and 1",
            "updraft.cyfrin.io/courses/advanced-web3-wallet-security/signer-advanced/case-study-bybit-hack",
        )],
        cases: of(ALL, |draft, chance| {
            let key = chance.word("operation delegate refundReceiver gasToken recipient");
            let is_inside = draft.kind == RAW && chance.is_head();
            let place = if is_inside { ".transactions.0" } else { "" };
            let value = if chance.is_head() { json!(1) } else { chance.address().into() };
            replaced(draft, &format!("{PAYLOAD}{place}.{key}"), value)
        }),
    },
];

/// The fields of all intents.
const FIELDS: &str = "caip2Id recipientWalletAddress nftId nftType collectionAddress tokenAddress amount \
    transactions.N.from transactions.N.to transactions.N.value transactions.N.data";

/// The first transaction of a request.
const FIRST: &str = "details.transactions.0";

/// The part of a reply that lies.
#[derive(Clone, Copy)]
enum Face {
    /// The call data of the operation.
    Bytes,
    /// The readable payload.
    Plain,
    /// Both, so that the reply agrees with itself.
    Both,
}

const FACES: &[Face] = &[Face::Bytes, Face::Plain, Face::Both];

fn face(chance: &mut Chance) -> Face {
    chance.pick(FACES)
}

/// The reply to a request that has another value in a field of its details, in one of these parts of the honest reply.
fn lie(draft: Draft, field: &str, value: impl Into<Value>, face: Face) -> Case {
    lie_by(draft, field, face, |details| *at(details, field) = value.into())
}

/// The same with any change of the details.
fn lie_by(draft: Draft, field: &str, face: Face, change: impl FnOnce(&mut Value)) -> Case {
    let mut other = draft.request.clone();
    change(&mut other["details"]);
    let made = draft.reply_to(&other);
    lied(draft, made, &format!("intent.details.{field}"), face)
}

/// The same with a change of the transactions.
fn batch_lie(draft: Draft, field: &str, face: Face, change: impl FnOnce(&mut Vec<Value>)) -> Case {
    lie_by(draft, field, face, |details| change(details["transactions"].as_array_mut().unwrap()))
}

fn lied(draft: Draft, made: Value, field: &str, face: Face) -> Case {
    let copied = |path| with(draft.reply(), path, at(&mut made.clone(), path).take());
    let (altered, path) = match face {
        Face::Bytes => (copied(CALL_DATA), CALL_DATA),
        Face::Plain => (copied(PAYLOAD), PAYLOAD),
        Face::Both => (made, CALL_DATA),
    };
    draft.replied(altered, Judgement::refused_field(path, field))
}

/// A raw transaction that is asked for with one data and made with another.
fn swapped_data(mut draft: Draft, chance: &mut Chance, asked: String, made: String) -> Case {
    draft.set_transfers(1 + chance.below(3), chance);
    at(&mut draft.request, FIRST)["data"] = asked.into();
    lie(draft, "transactions.0.data", made, face(chance))
}

/// The reply to a request of one raw transaction on the same chain, of the same job.
fn raw_lie(draft: &Draft, data: &str) -> Value {
    let details = &draft.request["details"];
    let to = details[if draft.kind == NFT { "collectionAddress" } else { TO }].as_str().unwrap();
    let mut other = with(draft.request.clone(), "type", RAW);
    let transaction = draft.transaction(to, data, "0x0");
    other["details"] = json!({ "caip2Id": details["caip2Id"], "transactions": [transaction] });
    draft.reply_to(&other)
}

/// Another value in one of these fields of the intent, of those that its type has.
fn any_of(mut draft: Draft, chance: &mut Chance, fields: &str, faces: &[Face]) -> Case {
    match draft.kind {
        NFT => draft.request["details"]["nftType"] = "ERC1155".into(),
        RAW => draft.set_transfers(1 + chance.below(3), chance),
        _ => {}
    }
    let details = &draft.request["details"];
    let has = |field: &&str| !details[field.split('.').next().unwrap()].is_null();
    let field = chance.pick(&fields.split(' ').filter(has).collect::<Vec<_>>());
    let count = details["transactions"].as_array().map_or(1, Vec::len);
    let field = field.replace('N', &chance.below(count).to_string());
    let value = match field.rsplit('.').next().unwrap() {
        "caip2Id" => chance.chain(),
        "nftId" if chance.is_head() => chance.uuid(),
        "nftId" | "amount" => chance.amount(),
        "nftType" => "ERC404".into(),
        "value" => chance.quantity(),
        "data" => "0xd0e30db0".into(),
        _ => chance.address(),
    };
    lie(draft, &field, value, chance.pick(faces))
}
