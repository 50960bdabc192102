//! The reply uses what the request leaves open, against the deployment or the client's
//! expectations.

use serde_json::{Map, Value, json};

use super::{ALL, Class};
use crate::{Attack, Case, Draft, Judgement, Reply};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "called-contract-swapped",
        about: "The account calls another contract than the service's job manager.",
        seen: &[(
            "BitGoJS #8771, the batcher's address",
            "https://github.com/BitGo/BitGoJS/pull/8771",
        )],
        refused_by: "the deployment's `jobManager`",
        kinds: ALL,
        make: |draft, chance| {
            let path = "data.userOps.callData";
            from_facts(draft, path, |facts| facts["jobManager"] = chance.address().into())
        },
    },
    Class {
        name: "application-swapped",
        about: "The reply is made for another application of the service.",
        seen: &[(
            "Safe transaction service #74",
            "https://github.com/safe-global/safe-transaction-service/issues/74",
        )],
        refused_by: "the deployment's `clientSWA`",
        kinds: ALL,
        make: |draft, chance| {
            let path = "data.callData.clientSWA";
            from_facts(draft, path, |facts| facts["clientSWA"] = chance.address().into())
        },
    },
    Class {
        name: "paymaster-swapped",
        about: "Another paymaster is called, which may charge the account in a token.",
        seen: &[(
            "ERC-4337, paymasters",
            "https://eips.ethereum.org/EIPS/eip-4337#extension-paymasters",
        )],
        refused_by: "the deployment's `paymaster`",
        kinds: ALL,
        make: |draft, chance| {
            let path = "data.userOps.paymaster";
            from_facts(draft, path, |facts| facts["paymaster"] = chance.address().into())
        },
    },
    Class {
        name: "grant-of-another-application",
        about: "The paymaster's grant names another application.",
        seen: &[(
            "ERC-4337, paymaster contracts",
            "https://eips.ethereum.org/EIPS/eip-4337#paymasters-contracts",
        )],
        refused_by: "the deployment's `clientSWA`, in the paymaster data",
        kinds: ALL,
        make: |mut draft, chance| {
            let client = draft.facts["clientSWA"].clone();
            draft.set_grant(&client, 0, 0, chance);
            let mut other = draft.clone();
            other.set_grant(&chance.address().into(), 0, 0, chance);
            requested(draft, &other)
        },
    },
    Class {
        name: "grant-expired",
        about: "The paymaster's grant is over, or has not begun: the operation fails, or the account pays.",
        seen: &[(
            "ERC-4337, validity times",
            "https://eips.ethereum.org/EIPS/eip-4337#smart-contract-account-interface",
        )],
        refused_by: "`expect.now`",
        kinds: ALL,
        make: |mut draft, chance| {
            let now = 1_000_000_000 + chance.number() % 1_000_000_000;
            draft.place["expect"] = json!({ "now": now });
            let client = draft.facts["clientSWA"].clone();
            let mut other = draft.clone();
            draft.set_grant(
                &client,
                now + chance.number() % 1_000,
                now - 1 - chance.number() % 1_000,
                chance,
            );
            if chance.is_head() {
                other.set_grant(&client, now - 1 - chance.number() % 1_000, 0, chance);
            } else {
                other.set_grant(&client, 0, now + chance.number() % 1_000, chance);
            }
            requested(draft, &other)
        },
    },
    Class {
        name: "account-swapped",
        about: "The whole reply is about another account of the same key.",
        seen: &[(
            "Optimism Actions #437",
            "https://github.com/ethereum-optimism/actions/issues/437",
        )],
        refused_by: "`expect.userSWA`",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.place["expect"] = json!({ "userSWA": draft.facts["userSWA"] });
            let path = "data.userOps.sender";
            from_facts(draft, path, |facts| facts["userSWA"] = chance.address().into())
        },
    },
    Class {
        name: "sponsorship-switched",
        about: "The service switches a policy of the application on or off.",
        seen: &[("ERC-7677, sponsorship by a service", "https://eips.ethereum.org/EIPS/eip-7677")],
        refused_by: "`expect.policies`",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.request.as_object_mut().unwrap().remove("feePayerAddress");
            draft.place["expect"] = json!({ "policies": draft.facts["policies"] });
            let key = chance.pick(&["gsnEnabled", "sponsorshipEnabled"]);
            from_facts(draft, &format!("data.callData.policies.{key}"), |facts| {
                let policy = &mut facts["policies"][key];
                *policy = (!policy.as_bool().unwrap()).into();
            })
        },
    },
    Class {
        name: "gas-station-switched",
        about: "The service requires its gas station network on chains that nobody asked for.",
        seen: &[("Optimism Actions #467", "https://github.com/ethereum-optimism/actions/pull/467")],
        refused_by: "`expect.gsn`",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.facts["gsn"] = json!({ "isPossible": true, "isRequired": false, "requiredNetworks": [], "tokens": [] });
            draft.place["expect"] =
                json!({ "gsn": { "isRequired": false, "requiredNetworks": [] } });
            if chance.is_head() {
                let path = "data.callData.gsn.isRequired";
                return from_facts(draft, path, |facts| facts["gsn"]["isRequired"] = true.into());
            }
            let chain = format!("eip155:1{}", chance.number() >> 32);
            let path = "data.callData.gsn.requiredNetworks";
            from_facts(draft, path, |facts| facts["gsn"]["requiredNetworks"] = json!([chain]))
        },
    },
    Class {
        name: "gas-moved-to-the-bundler",
        about: "Gas moves from the call to `preVerificationGas`: the cost stays, the call fails, and all is charged.",
        seen: &[(
            "ERC-4337, preVerificationGas",
            "https://eips.ethereum.org/EIPS/eip-4337#estimating-preverificationgas",
        )],
        refused_by: "`expect.gas`: a `most` for `preVerificationGas`, a `least` for `callGasLimit`",
        kinds: ALL,
        make: |draft, chance| {
            let moved = 1 + chance.number() % 0x493e0;
            let (call, before) = (0x493e0 - moved, 0xc350 + moved);
            let path =
                chance.pick(&["data.userOps.callGasLimit", "data.userOps.preVerificationGas"]);
            gas(draft, path, &[("callGasLimit", call), ("preVerificationGas", before)])
        },
    },
    Class {
        name: "call-starved",
        about: "The call gets too little gas: it fails, the nonce is used, and the cost is charged.",
        seen: &[
            (
                "account-abstraction #162",
                "https://github.com/eth-infinitism/account-abstraction/pull/162",
            ),
            (
                "SWC registry #218",
                "https://github.com/SmartContractSecurity/SWC-registry/issues/218",
            ),
        ],
        refused_by: "`expect.gas.callGasLimit.least`",
        kinds: ALL,
        make: |draft, chance| {
            let limit = chance.number() % 0x493e0;
            gas(draft, "data.userOps.callGasLimit", &[("callGasLimit", limit)])
        },
    },
    Class {
        name: "post-op-starved",
        about: "The paymaster's work after the call gets too little gas, which undoes the call.",
        seen: &[
            (
                "account-abstraction #434",
                "https://github.com/eth-infinitism/account-abstraction/pull/434",
            ),
            (
                "account-abstraction #606",
                "https://github.com/eth-infinitism/account-abstraction/issues/606",
            ),
        ],
        refused_by: "`expect.gas.paymasterPostOpGasLimit.least`",
        kinds: ALL,
        make: |draft, chance| {
            let limit = chance.number() % 0x186a0;
            gas(
                draft,
                "data.userOps.paymasterPostOpGasLimit",
                &[("paymasterPostOpGasLimit", limit)],
            )
        },
    },
    Class {
        name: "limit-inflated",
        about: "A gas limit is far above what the work needs, so that much more can be charged.",
        seen: &[(
            "account-abstraction #606",
            "https://github.com/eth-infinitism/account-abstraction/issues/606",
        )],
        refused_by: "`expect.gas`, a `most`",
        kinds: ALL,
        make: |draft, chance| {
            let limit = chance.pick(LIMITS);
            let value = 0x493e1 + (chance.number() >> 8);
            gas(draft, &format!("data.userOps.{limit}"), &[(limit, value)])
        },
    },
    Class {
        name: "cost-above-the-most",
        about: "All limits together allow a higher cost than the client accepts.",
        seen: &[(
            "Safe contracts #78, refunds",
            "https://github.com/safe-fndn/safe-smart-account/issues/78",
        )],
        refused_by: "`expect.maxCost`",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.set_ordinary_gas();
            let most = 0xaae60_u64 + 0x30d40;
            draft.place["expect"] = json!({ "maxCost": (most * 0x7735_9400).to_string() });
            let value = format!("{:#x}", most + (chance.number() >> 8));
            let limit = chance.pick(LIMITS);
            from_facts(draft, "data.userOps", |facts| facts["gasLimits"][limit] = value.into())
        },
    },
    Class {
        name: "gas-beyond-the-entry-point",
        about: "A limit is above 120 bits: the EntryPoint refuses it, and a sum of limits could overflow.",
        seen: &[(
            "account-abstraction #163",
            "https://github.com/eth-infinitism/account-abstraction/pull/163",
        )],
        refused_by: "the EntryPoint's own bound (AA94)",
        kinds: ALL,
        make: |draft, chance| {
            let limit = chance.pick(LIMITS);
            let value = format!("0x1{}", chance.digits(30));
            from_facts(draft, "data.userOps", |facts| facts["gasLimits"][limit] = value.into())
        },
    },
    Class {
        name: "nothing-expected",
        about: "The client expects nothing, so the service chooses the account, the policies or the gas.",
        seen: &[
            (
                "account-abstraction #162",
                "https://github.com/eth-infinitism/account-abstraction/pull/162",
            ),
            ("Safe contracts #366", "https://github.com/safe-fndn/safe-smart-account/pull/366"),
        ],
        refused_by: "it is not refused; `unbound` names each such field",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.set_ordinary_gas();
            draft.request.as_object_mut().unwrap().remove("feePayerAddress");
            let none = draft.place.clone();
            let gas = &draft.facts["gasLimits"];
            let bounds: Map<_, _> = LIMITS
                .iter()
                .map(|limit| {
                    ((*limit).to_owned(), json!({ "least": gas[limit], "most": gas[limit] }))
                })
                .collect();
            draft.place["expect"] = json!({ "userSWA": draft.facts["userSWA"], "policies": draft.facts["policies"], "gas": bounds });
            let mut facts = draft.facts.clone();
            let path = match chance.below(3) {
                0 => {
                    facts["userSWA"] = chance.address().into();
                    "data.userOps.sender".to_owned()
                }
                1 => {
                    let policy = &mut facts["policies"]["gsnEnabled"];
                    *policy = (!policy.as_bool().unwrap()).into();
                    "data.callData.policies".to_owned()
                }
                _ => {
                    let limit = chance.pick(LIMITS);
                    facts["gasLimits"][limit] = "0x0".into();
                    format!("data.userOps.{limit}")
                }
            };
            let reply = Some(Reply::Document(draft.reply_from(&draft.request, &facts)));
            let attack = Attack { place: Some(none), reply, ..Attack::default() };
            draft.attacked(attack, Judgement::Unbound { path })
        },
    },
];

const LIMITS: &[&str] = &[
    "callGasLimit",
    "verificationGasLimit",
    "preVerificationGas",
    "paymasterVerificationGasLimit",
    "paymasterPostOpGasLimit",
];

/// The reply that the service makes from other facts.
fn from_facts(draft: Draft, path: &str, change: impl FnOnce(&mut Value)) -> Case {
    let mut facts = draft.facts.clone();
    change(&mut facts);
    let altered = draft.reply_from(&draft.request, &facts);
    draft.replied(altered, Judgement::refused(path))
}

/// Another request, with paymaster data that someone else made, and the service's reply to it.
fn requested(draft: Draft, other: &Draft) -> Case {
    let (request, reply) = (Some(other.request.clone()), Some(Reply::Document(other.reply())));
    let attack = Attack { request, reply, ..Attack::default() };
    draft.attacked(attack, Judgement::refused("data.userOps.paymasterData"))
}

/// Other gas limits than those that are expected.
fn gas(mut draft: Draft, path: &str, limits: &[(&str, u64)]) -> Case {
    draft.set_ordinary_gas();
    let bounds = |limit: &&str| {
        let value = &draft.facts["gasLimits"][limit];
        ((*limit).to_owned(), json!({ "least": value, "most": value }))
    };
    let bounds: Map<_, _> = LIMITS.iter().map(bounds).collect();
    draft.place["expect"] = json!({ "gas": bounds });
    from_facts(draft, path, |facts| {
        for (limit, value) in limits {
            facts["gasLimits"][limit] = format!("{value:#x}").into();
        }
    })
}
