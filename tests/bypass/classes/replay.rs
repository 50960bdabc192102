//! The right operation is signed, and something else is sent, or it is sent somewhere else.

use serde_json::{Value, json};

use super::{ALL, Class};
use crate::{Attack, Case, Chance, Draft, Judgement};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "signable-exchanged",
        about: "After the check, the bytes to sign or to send are exchanged.",
        seen: &[
            ("BitGoJS #9601", "https://github.com/BitGo/BitGoJS/pull/9601"),
            ("BitGoJS #8539", "https://github.com/BitGo/BitGoJS/pull/8539"),
        ],
        refused_by: "the hash: `signable` answers the operation that it hashed",
        kinds: ALL,
        make: |draft, chance| {
            let data = format!("0x{}", chance.digits(256));
            sent(draft, |operation| operation["callData"] = data.into())
        },
    },
    Class {
        name: "hash-from-the-server",
        about: "The reply brings a hash to sign, which is that of another operation.",
        seen: &[
            ("safe-eth-py #980", "https://github.com/safe-global/safe-eth-py/pull/980"),
            ("Safe CLI #382", "https://github.com/safe-global/safe-cli/issues/382"),
        ],
        refused_by: "the hash is computed; one in a reply is not read",
        kinds: ALL,
        make: |draft, chance| {
            let mut altered = draft.reply();
            let key = chance.pick(&["userOpHash", "hash", "signableHex", "digest", "safeTxHash"]);
            let hash = format!("0x{}", chance.digits(64));
            let place = chance.pick(&["/data/userOps", "/data", ""]);
            altered.pointer_mut(place).unwrap()[key] = hash.into();
            draft.replied(altered, Judgement::Unchanged)
        },
    },
    Class {
        name: "chain-replay",
        about: "The signed operation is sent to the same EntryPoint on another chain.",
        seen: &[
            ("EIP-155", "https://eips.ethereum.org/EIPS/eip-155"),
            (
                "ERC-4337, hash",
                "https://eips.ethereum.org/EIPS/eip-4337#the-useroperation-structure",
            ),
        ],
        refused_by: "the hash: it has the chain id",
        kinds: ALL,
        make: |draft, chance| {
            let chain = 1 + chance.number() % (1 << 40);
            executed(draft, |at| at["chainId"] = chain.into())
        },
    },
    Class {
        name: "entry-point-replay",
        about: "The signed operation is sent to another EntryPoint of the same chain.",
        seen: &[(
            "ERC-4337, hash",
            "https://eips.ethereum.org/EIPS/eip-4337#the-useroperation-structure",
        )],
        refused_by: "the hash: it has the EntryPoint's address",
        kinds: ALL,
        make: |draft, chance| {
            let address = chance.address();
            executed(draft, |at| at["entryPoint"] = address.into())
        },
    },
    Class {
        name: "version-confused",
        about: "The hash of one EntryPoint version is taken for that of another.",
        seen: &[
            ("viem #4197", "https://github.com/wevm/viem/issues/4197"),
            ("safe-utils #29", "https://github.com/OpenZeppelin/safe-utils/issues/29"),
        ],
        refused_by: "the hash: 0.7 and 0.8 hash differently",
        kinds: ALL,
        make: |draft, chance| {
            let version = chance.pick(&["0.8", "0.9"]);
            executed(draft, |at| at["version"] = version.into())
        },
    },
    Class {
        name: "fees-in-another-order",
        about: "Cap and tip are packed in the other order, so the cap of one becomes the tip of the other.",
        seen: &[("ERC-4337, gasFees", "https://eips.ethereum.org/EIPS/eip-4337")],
        refused_by: "the hash: the deployment states the order",
        kinds: ALL,
        make: |mut draft, _| {
            draft.set_ordinary_gas();
            executed(draft, |at| at["gasFeeOrder"] = "standard".into())
        },
    },
    Class {
        name: "account-replay",
        about: "The signature is used for another account of the same key.",
        seen: &[(
            "ERC-1271 replay, Alchemy 2023",
            "https://www.alchemy.com/blog/erc-1271-signature-replay-vulnerability",
        )],
        refused_by: "the hash: it has the sender",
        kinds: ALL,
        make: |draft, chance| {
            let other = chance.address();
            sent(draft, |operation| operation["sender"] = other.into())
        },
    },
    Class {
        name: "nonce-replay",
        about: "The signature is used again with another nonce.",
        seen: &[(
            "ERC-4337, nonces",
            "https://eips.ethereum.org/EIPS/eip-4337#semi-abstracted-nonce-support",
        )],
        refused_by: "the hash: it has the nonce",
        kinds: ALL,
        make: |draft, chance| {
            let nonce = format!("0x{}", chance.digits(64));
            sent(draft, |operation| operation["nonce"] = nonce.into())
        },
    },
    Class {
        name: "bytes-moved-between-fields",
        about: "Bytes move from the end of one field to the start of the next, so that all bytes together are equal.",
        seen: &[(
            "ERC-4337 packing, Alchemy 2023",
            "https://alchemy.com/blog/erc-4337-useroperation-packing-vulnerability",
        )],
        refused_by: "the hash: each field is hashed by itself",
        kinds: ALL,
        make: |draft, chance| {
            let count = 2 * (1 + chance.below(32));
            sent(draft, |operation| {
                let (call, paymaster) =
                    (text(operation, "callData"), text(operation, "paymasterData"));
                let (kept, moved) = call.split_at(call.len() - count);
                operation["callData"] = kept.into();
                operation["paymasterData"] = format!("0x{moved}{}", &paymaster[2..]).into();
            })
        },
    },
    Class {
        name: "limits-exchanged",
        about: "Two gas limits that are packed into one word change places.",
        seen: &[(
            "ERC-4337, accountGasLimits",
            "https://eips.ethereum.org/EIPS/eip-4337#entrypoint-interface",
        )],
        refused_by: "the hash: the halves of the word differ",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.set_ordinary_gas();
            draft.facts["gasLimits"]["paymasterPostOpGasLimit"] = "0x7a120".into();
            let (one, other) = chance.pick(&[
                ("callGasLimit", "verificationGasLimit"),
                ("paymasterVerificationGasLimit", "paymasterPostOpGasLimit"),
                ("maxFeePerGas", "maxPriorityFeePerGas"),
            ]);
            sent(draft, |operation| {
                let kept = operation[one].take();
                operation[one] = operation[other].take();
                operation[other] = kept;
            })
        },
    },
    Class {
        name: "limits-raised-after-signing",
        about: "A limit or a fee is raised after the operation was signed, on its way to the chain.",
        seen: &[(
            "Safe contracts #366, safeTxGas",
            "https://github.com/safe-fndn/safe-smart-account/pull/366",
        )],
        refused_by: "the hash: it has all limits and fees",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.set_ordinary_gas();
            let key = chance.pick(&[
                "callGasLimit",
                "verificationGasLimit",
                "preVerificationGas",
                "paymasterVerificationGasLimit",
                "paymasterPostOpGasLimit",
                "maxFeePerGas",
                "maxPriorityFeePerGas",
            ]);
            let value = format!("{:#x}", 0x1_0000_0000 + (chance.number() >> 20));
            sent(draft, |operation| operation[key] = value.into())
        },
    },
    Class {
        name: "paymaster-exchanged",
        about: "Another paymaster, or its data, is put into the signed operation, or the paymaster is taken out.",
        seen: &[
            (
                "ERC-4337, paymasters",
                "https://eips.ethereum.org/EIPS/eip-4337#extension-paymasters",
            ),
            ("viem #4209", "https://github.com/wevm/viem/issues/4209"),
        ],
        refused_by: "the hash: it has the paymaster and its data",
        kinds: ALL,
        make: |draft, chance| {
            let (address, data) = (chance.address(), format!("0x{}", chance.digits(64)));
            let way = chance.below(3);
            sent(draft, |operation| match way {
                0 => operation["paymaster"] = address.into(),
                1 => operation["paymasterData"] = data.into(),
                _ => operation
                    .as_object_mut()
                    .unwrap()
                    .retain(|key, _| !key.starts_with("paymaster")),
            })
        },
    },
    Class {
        name: "factory-added",
        about: "A factory is put into the signed operation, which runs code before the account checks the signature.",
        seen: &[(
            "ERC-4337, factory contracts",
            "https://eips.ethereum.org/EIPS/eip-4337#factory-contracts",
        )],
        refused_by: "the hash; and `assemble` accepts the twelve fields only",
        kinds: ALL,
        make: |draft, chance| {
            let (factory, data) = (chance.address(), format!("0x{}", chance.digits(64)));
            let change = |operation: &mut Value| {
                operation["factory"] = factory.into();
                operation["factoryData"] = data.into();
            };
            if chance.is_head() { sent(draft, change) } else { assembled(draft, "factory", change) }
        },
    },
    Class {
        name: "delegation-marker-added",
        about: "The marker of EIP-7702 is put into the operation: its hash then depends on the account's delegate.",
        seen: &[
            ("viem #4197", "https://github.com/wevm/viem/issues/4197"),
            (
                "ERC-4337, EIP-7702",
                "https://eips.ethereum.org/EIPS/eip-4337#support-for-eip-7702-authorizations",
            ),
        ],
        refused_by: "the hash; EntryPoint 0.8 and 0.9 have none for it",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.place["version"] = chance.pick(&["0.7", "0.8", "0.9"]).into();
            sent(draft, |operation| {
                operation["factory"] = format!("0x7702{}", "0".repeat(36)).into();
            })
        },
    },
    Class {
        name: "delegation-in-the-reply",
        about: "The reply brings an authorization of EIP-7702, which would give the account other code.",
        seen: &[
            ("EIP-7702 phishing, arXiv 2512.12174", "https://arxiv.org/html/2512.12174v1"),
            (
                "A phishing delegate, GoPlus",
                "https://defihacklabs.substack.com/p/top-7702-delegator-revealed-as-phishing",
            ),
        ],
        refused_by: "it is not in the operation that `signable` answers, and `assemble` refuses it",
        kinds: ALL,
        make: |draft, chance| {
            let chain = chance.pick(&["0x0", "0x1"]);
            let authorization = json!({
                "chainId": chain, "address": chance.address(), "nonce": "0x0", "yParity": "0x0",
                "r": format!("0x{}", chance.digits(64)), "s": format!("0x{}", chance.digits(64)),
            });
            added(draft, chance, "eip7702Auth", authorization)
        },
    },
    Class {
        name: "field-added-to-the-operation",
        about: "The reply's operation has one field more, which a bundler would use and no hash has covered.",
        seen: &[
            ("viem #4209", "https://github.com/wevm/viem/issues/4209"),
            (
                "ERC-4337, paymasterSignature",
                "https://eips.ethereum.org/EIPS/eip-4337#the-paymasteranddata-field-encoding-and-paymastersignature",
            ),
        ],
        refused_by: "it is not in the operation that `signable` answers, and `assemble` refuses it",
        kinds: ALL,
        make: |draft, chance| {
            let keys =
                ["paymasterSignature", "initCode", "paymasterAndData", "accessList", "aggregator"];
            let (key, value) = (chance.pick(&keys), format!("0x{}", chance.digits(130)));
            added(draft, chance, key, value.into())
        },
    },
    Class {
        name: "field-taken-out",
        about: "A field is taken out of the signed operation, so that its sender fills it in.",
        seen: &[(
            "Safe gateway #2414",
            "https://github.com/safe-global/safe-client-gateway/pull/2414",
        )],
        refused_by: "`assemble`: all twelve fields are required",
        kinds: ALL,
        make: |draft, chance| {
            let key =
                chance.pick(&["nonce", "callData", "maxFeePerGas", "preVerificationGas", "sender"]);
            assembled(draft, key, |operation| {
                operation.as_object_mut().unwrap().remove(key);
            })
        },
    },
];

/// Sends a changed operation.
fn sent(draft: Draft, change: impl FnOnce(&mut Value)) -> Case {
    let attack = Attack { operation: Some(changed(&draft, change)), ..Attack::default() };
    draft.attacked(attack, Judgement::AnotherHash)
}

/// Gives a changed operation to `assemble`.
fn assembled(draft: Draft, path: &str, change: impl FnOnce(&mut Value)) -> Case {
    let attack = Attack { operation: Some(changed(&draft, change)), ..Attack::default() };
    draft.attacked(attack, Judgement::NotAssembled { path: path.into() })
}

fn changed(draft: &Draft, change: impl FnOnce(&mut Value)) -> Value {
    let mut operation = draft.reply()["data"]["userOps"].take();
    change(&mut operation);
    operation
}

/// Sends the operation to another EntryPoint.
fn executed(draft: Draft, change: impl FnOnce(&mut Value)) -> Case {
    let mut at = draft.entry_point();
    change(&mut at);
    draft.attacked(Attack { at: Some(at), ..Attack::default() }, Judgement::AnotherHash)
}

/// Puts a field into the operation: of the reply, or into what is sent.
fn added(draft: Draft, chance: &mut Chance, key: &str, value: Value) -> Case {
    if chance.is_head() {
        return assembled(draft, key, |operation| operation[key] = value);
    }
    let mut altered = draft.reply();
    altered["data"]["userOps"][key] = value;
    draft.replied(altered, Judgement::Unchanged)
}

fn text(operation: &Value, key: &str) -> String {
    operation[key].as_str().unwrap().to_owned()
}
