//! The right operation is signed, and something else is sent, or it is sent somewhere else.

use serde_json::{Value, json};

use super::source::*;
use super::{ALL, Class, LIMITS, of, unread};
use crate::case::entry_point;
use crate::draft::{remove, with};
use crate::{Case, Chance, Draft, Judgement};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "signable-exchanged",
        about: "After the check, the bytes to sign or to send are exchanged.",
        seen: &[BITGO.pull(9601), BITGO.pull(8539)],
        cases: of(ALL, |draft, chance| sent(draft, "callData", chance.hex(256))),
    },
    Class {
        name: "hash-from-the-server",
        about: "The reply brings a hash to sign, which is that of another operation.",
        seen: &[
            Project("safe-eth-py", "safe-global/safe-eth-py").pull(980),
            Project("Safe CLI", "safe-global/safe-cli").issue(382),
        ],
        cases: of(ALL, |draft, chance| {
            let key = chance.word("userOpHash hash signableHex digest safeTxHash");
            let hash = chance.hex(64);
            let place = chance.pick(&["data.userOps.", "data.", ""]);
            unread(draft, &format!("{place}{key}"), hash)
        }),
    },
    Class {
        name: "chain-replay",
        about: "The signed operation is sent to the same EntryPoint on another chain.",
        seen: &[Eip("EIP-155", "155"), Eip("ERC-4337, hash", "4337#the-useroperation-structure")],
        cases: of(ALL, |draft, chance| executed(draft, "chainId", 1 + chance.number() % (1 << 40))),
    },
    Class {
        name: "entry-point-replay",
        about: "The signed operation is sent to another EntryPoint of the same chain.",
        seen: &[Eip("ERC-4337, hash", "4337#the-useroperation-structure")],
        cases: of(ALL, |draft, chance| executed(draft, "entryPoint", chance.address())),
    },
    Class {
        name: "version-confused",
        about: "The hash of one EntryPoint version is taken for that of another.",
        seen: &[VIEM.issue(4197), Project("safe-utils", "OpenZeppelin/safe-utils").issue(29)],
        cases: of(ALL, |draft, chance| executed(draft, "version", chance.pick(&["0.8", "0.9"]))),
    },
    Class {
        name: "fees-in-another-order",
        about: "Cap and tip are packed in the other order, so the cap of one becomes the tip of the other.",
        seen: &[Eip("ERC-4337, gasFees", "4337")],
        cases: of(ALL, |mut draft, _| {
            draft.set_ordinary_gas();
            executed(draft, "gasFeeOrder", "standard")
        }),
    },
    Class {
        name: "account-replay",
        about: "The signature is used for another account of the same key.",
        seen: &[Page(
            "ERC-1271 replay, Alchemy 2023",
            "www.alchemy.com/blog/erc-1271-signature-replay-vulnerability",
        )],
        cases: of(ALL, |draft, chance| sent(draft, "sender", chance.address())),
    },
    Class {
        name: "nonce-replay",
        about: "The signature is used again with another nonce.",
        seen: &[Eip("ERC-4337, nonces", "4337#semi-abstracted-nonce-support")],
        cases: of(ALL, |draft, chance| sent(draft, "nonce", chance.hex(64))),
    },
    Class {
        name: "bytes-moved-between-fields",
        about: "Bytes move from the end of one field to the start of the next, so that all bytes together are equal.",
        seen: &[Page(
            "ERC-4337 packing, Alchemy 2023",
            "alchemy.com/blog/erc-4337-useroperation-packing-vulnerability",
        )],
        cases: of(ALL, |draft, chance| {
            let count = 2 * (1 + chance.below(32));
            sent_by(draft, |operation| {
                let text = |key: &str| operation[key].as_str().unwrap().to_owned();
                let (mut call, paymaster) = (text("callData"), text("paymasterData"));
                let moved = call.split_off(call.len() - count);
                operation["callData"] = call.into();
                operation["paymasterData"] = format!("0x{moved}{}", &paymaster[2..]).into();
            })
        }),
    },
    Class {
        name: "limits-exchanged",
        about: "Two gas limits that are packed into one word change places.",
        seen: &[Eip("ERC-4337, accountGasLimits", "4337#entrypoint-interface")],
        cases: of(ALL, |mut draft, chance| {
            draft.set_ordinary_gas();
            draft.facts["gasLimits"]["paymasterPostOpGasLimit"] = "0x7a120".into();
            let (one, other) = chance.pick(&[
                ("callGasLimit", "verificationGasLimit"),
                ("paymasterVerificationGasLimit", "paymasterPostOpGasLimit"),
                ("maxFeePerGas", "maxPriorityFeePerGas"),
            ]);
            sent_by(draft, |operation| {
                let [a, b] = [one, other].map(|key| operation[key].take());
                (operation[one], operation[other]) = (b, a);
            })
        }),
    },
    Class {
        name: "limits-raised-after-signing",
        about: "A limit or a fee is raised after the operation was signed, on its way to the chain.",
        seen: &[SAFE_CONTRACTS.pull(366)],
        cases: of(ALL, |mut draft, chance| {
            draft.set_ordinary_gas();
            let key = chance.pick(&[LIMITS, &["maxFeePerGas", "maxPriorityFeePerGas"]].concat());
            sent(draft, key, format!("{:#x}", 0x1_0000_0000 + (chance.number() >> 20)))
        }),
    },
    Class {
        name: "paymaster-exchanged",
        about: "Another paymaster, or its data, is put into the signed operation, or the paymaster is taken out.",
        seen: &[Eip("ERC-4337, paymasters", "4337#extension-paymasters"), VIEM.issue(4209)],
        cases: of(ALL, |draft, chance| {
            let (address, data) = (chance.address(), chance.hex(64));
            match chance.below(3) {
                0 => sent(draft, "paymaster", address),
                1 => sent(draft, "paymasterData", data),
                _ => sent_by(draft, |operation| {
                    let fields = operation.as_object_mut().unwrap();
                    fields.retain(|key, _| !key.starts_with("paymaster"));
                }),
            }
        }),
    },
    Class {
        name: "factory-added",
        about: "A factory is put into the signed operation, which runs code before the account checks the signature.",
        seen: &[Eip("ERC-4337, factory contracts", "4337#factory-contracts")],
        cases: of(ALL, |draft, chance| {
            let (factory, data) = (chance.address(), chance.hex(64));
            let change = |operation: &mut Value| {
                operation["factory"] = factory.into();
                operation["factoryData"] = data.into();
            };
            if chance.is_head() {
                sent_by(draft, change)
            } else {
                assembled(draft, "factory", change)
            }
        }),
    },
    Class {
        name: "delegation-marker-added",
        about: "The marker of EIP-7702 is put into the operation: its hash then depends on the account's delegate.",
        seen: &[
            VIEM.issue(4197),
            Eip("ERC-4337, EIP-7702", "4337#support-for-eip-7702-authorizations"),
        ],
        cases: of(ALL, |mut draft, chance| {
            draft.place["version"] = chance.pick(&["0.7", "0.8", "0.9"]).into();
            sent(draft, "factory", format!("0x7702{}", "0".repeat(36)))
        }),
    },
    Class {
        name: "delegation-in-the-reply",
        about: "The reply brings an authorization of EIP-7702, which would give the account other code.",
        seen: &[
            Page("EIP-7702 phishing, arXiv 2512.12174", "arxiv.org/html/2512.12174v1"),
            Page(
                "A phishing delegate, GoPlus",
                "defihacklabs.substack.com/p/top-7702-delegator-revealed-as-phishing",
            ),
        ],
        cases: of(ALL, |draft, chance| {
            let authorization = json!({
                "chainId": chance.pick(&["0x0", "0x1"]), "address": chance.address(), "nonce": "0x0",
                "yParity": "0x0", "r": chance.hex(64), "s": chance.hex(64),
            });
            added(draft, chance, "eip7702Auth", authorization)
        }),
    },
    Class {
        name: "field-added-to-the-operation",
        about: "The reply's operation has one field more, which a bundler would use and no hash has covered.",
        seen: &[
            VIEM.issue(4209),
            Eip(
                "ERC-4337, paymasterSignature",
                "4337#the-paymasteranddata-field-encoding-and-paymastersignature",
            ),
        ],
        cases: of(ALL, |draft, chance| {
            let keys = "paymasterSignature initCode paymasterAndData accessList aggregator";
            let (key, value) = (chance.word(keys), chance.hex(130));
            added(draft, chance, key, value.into())
        }),
    },
    Class {
        name: "field-taken-out",
        about: "A field is taken out of the signed operation, so that its sender fills it in.",
        seen: &[SAFE_GATEWAY.pull(2414)],
        cases: of(ALL, |draft, chance| {
            let key = chance.word("nonce callData maxFeePerGas preVerificationGas sender");
            assembled(draft, key, |operation| drop(remove(operation, key)))
        }),
    },
];

/// Sends an operation that has another value in a field.
fn sent(draft: Draft, key: &str, value: impl Into<Value>) -> Case {
    sent_by(draft, |operation| operation[key] = value.into())
}

/// Sends a changed operation.
fn sent_by(draft: Draft, change: impl FnOnce(&mut Value)) -> Case {
    changed(draft, Judgement::AnotherHash, change)
}

/// Gives a changed operation to `assemble`.
fn assembled(draft: Draft, path: &str, change: impl FnOnce(&mut Value)) -> Case {
    changed(draft, Judgement::NotAssembled(json!({ "path": path })), change)
}

fn changed(draft: Draft, judgement: Judgement, change: impl FnOnce(&mut Value)) -> Case {
    let mut operation = draft.reply()["data"]["userOps"].take();
    change(&mut operation);
    draft.attacked(json!({ "operation": operation }), judgement)
}

/// Sends the operation to another EntryPoint.
fn executed(draft: Draft, key: &str, value: impl Into<Value>) -> Case {
    let at = with(entry_point(&draft.place), key, value);
    draft.attacked(json!({ "at": at }), Judgement::AnotherHash)
}

/// Puts a field into the operation: of the reply, or into what is sent.
fn added(draft: Draft, chance: &mut Chance, key: &str, value: Value) -> Case {
    if chance.is_head() {
        return assembled(draft, key, |operation| operation[key] = value);
    }
    unread(draft, &format!("data.userOps.{key}"), value)
}
