//! The reply uses what the request leaves open, against the deployment or the client's
//! expectations.

use serde_json::{Map, Value, json};

use super::source::*;
use super::{ALL, Class, LIMITS, of};
use crate::draft::{at, remove, with};
use crate::{Case, Chance, Draft, Judgement};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "called-contract-swapped",
        about: "The account calls another contract than the service's job manager.",
        seen: &[BITGO.pull(8771)],
        cases: of(ALL, |draft, chance| swapped(draft, chance, "userOps.callData", "jobManager")),
    },
    Class {
        name: "application-swapped",
        about: "The reply is made for another application of the service.",
        seen: &[SAFE_SERVICE.issue(74)],
        cases: of(ALL, |draft, chance| swapped(draft, chance, "callData.clientSWA", "clientSWA")),
    },
    Class {
        name: "paymaster-swapped",
        about: "Another paymaster is called, which may charge the account in a token.",
        seen: &[Eip("ERC-4337, paymasters", "4337#extension-paymasters")],
        cases: of(ALL, |draft, chance| swapped(draft, chance, "userOps.paymaster", "paymaster")),
    },
    Class {
        name: "grant-of-another-application",
        about: "The paymaster's grant names another application.",
        seen: &[Eip("ERC-4337, paymaster contracts", "4337#paymasters-contracts")],
        cases: of(ALL, |mut draft, chance| {
            let client = draft.facts["clientSWA"].clone();
            draft.set_grant(&client, 0, 0, chance);
            let mut other = draft.clone();
            other.set_grant(&chance.address().into(), 0, 0, chance);
            granted(draft, &other)
        }),
    },
    Class {
        name: "grant-expired",
        about: "The paymaster's grant is over, or has not begun: the operation fails, or the account pays.",
        seen: &[Eip("ERC-4337, validity times", "4337#smart-contract-account-interface")],
        cases: of(ALL, |mut draft, chance| {
            let now = 1_000_000_000 + chance.number() % 1_000_000_000;
            draft.place["expect"] = json!({ "now": now });
            let client = draft.facts["clientSWA"].clone();
            let mut other = draft.clone();
            let [until, after] = [0, 1].map(|_| chance.number() % 1_000);
            draft.set_grant(&client, now + until, now - 1 - after, chance);
            let is_over = chance.is_head();
            let by = chance.number() % 1_000;
            let (until, after) = if is_over { (now - 1 - by, 0) } else { (0, now + by) };
            other.set_grant(&client, until, after, chance);
            granted(draft, &other)
        }),
    },
    Class {
        name: "account-swapped",
        about: "The whole reply is about another account of the same key.",
        seen: &[ACTIONS.issue(437)],
        cases: of(ALL, |mut draft, chance| {
            draft.place["expect"] = json!({ "userSWA": draft.facts["userSWA"] });
            swapped(draft, chance, "userOps.sender", "userSWA")
        }),
    },
    Class {
        name: "sponsorship-switched",
        about: "The service switches a policy of the application on or off.",
        seen: &[Eip("ERC-7677, sponsorship by a service", "7677")],
        cases: of(ALL, |mut draft, chance| {
            remove(&mut draft.request, "feePayerAddress");
            draft.place["expect"] = json!({ "policies": draft.facts["policies"] });
            let policy = format!("policies.{}", chance.pick(&["gsnEnabled", "sponsorshipEnabled"]));
            let switched = at(&mut draft.facts, &policy) == false;
            from_facts(draft, &format!("data.callData.{policy}"), &policy, switched)
        }),
    },
    Class {
        name: "gas-station-switched",
        about: "The service requires its gas station network on chains that nobody asked for.",
        seen: &[ACTIONS.pull(467)],
        cases: of(ALL, |mut draft, chance| {
            let none = json!({ "isRequired": false, "requiredNetworks": [] });
            draft.facts["gsn"] = json!({ "isPossible": true, "isRequired": false, "requiredNetworks": [], "tokens": [] });
            draft.place["expect"] = json!({ "gsn": none });
            if chance.is_head() {
                return from_facts(draft, "data.callData.gsn.isRequired", "gsn.isRequired", true);
            }
            let path = "data.callData.gsn.requiredNetworks";
            from_facts(draft, path, "gsn.requiredNetworks", json!([chance.chain()]))
        }),
    },
    Class {
        name: "gas-moved-to-the-bundler",
        about: "Gas moves from the call to `preVerificationGas`: the cost stays, the call fails, and all is charged.",
        seen: &[Eip("ERC-4337, preVerificationGas", "4337#estimating-preverificationgas")],
        cases: of(ALL, |draft, chance| {
            let moved = 1 + chance.number() % 0x493e0;
            let limits =
                [("callGasLimit", 0x493e0 - moved), ("preVerificationGas", 0xc350 + moved)];
            limited(draft, chance.pick(&["callGasLimit", "preVerificationGas"]), &limits)
        }),
    },
    Class {
        name: "call-starved",
        about: "The call gets too little gas: it fails, the nonce is used, and the cost is charged.",
        seen: &[
            ENTRY_POINT.pull(162),
            Project("SWC registry", "SmartContractSecurity/SWC-registry").issue(218),
        ],
        cases: of(ALL, |draft, chance| {
            let limit = "callGasLimit";
            limited(draft, limit, &[(limit, chance.number() % 0x493e0)])
        }),
    },
    Class {
        name: "post-op-starved",
        about: "The paymaster's work after the call gets too little gas, which undoes the call.",
        seen: &[ENTRY_POINT.pull(434), ENTRY_POINT.issue(606)],
        cases: of(ALL, |draft, chance| {
            let limit = "paymasterPostOpGasLimit";
            limited(draft, limit, &[(limit, chance.number() % 0x186a0)])
        }),
    },
    Class {
        name: "limit-inflated",
        about: "A gas limit is far above what the work needs, so that much more can be charged.",
        seen: &[ENTRY_POINT.issue(606)],
        cases: of(ALL, |draft, chance| {
            let limit = chance.pick(LIMITS);
            limited(draft, limit, &[(limit, 0x493e1 + (chance.number() >> 8))])
        }),
    },
    Class {
        name: "cost-above-the-most",
        about: "All limits together allow a higher cost than the client accepts.",
        seen: &[SAFE_CONTRACTS.issue(78)],
        cases: of(ALL, |mut draft, chance| {
            draft.set_ordinary_gas();
            let most = 0xaae60_u64 + 0x30d40;
            draft.place["expect"] = json!({ "maxCost": (most * 0x7735_9400).to_string() });
            let value = format!("{:#x}", most + (chance.number() >> 8));
            let limit = format!("gasLimits.{}", chance.pick(LIMITS));
            from_facts(draft, "data.userOps", &limit, value)
        }),
    },
    Class {
        name: "gas-beyond-the-entry-point",
        about: "A limit is above 120 bits: the EntryPoint refuses it, and a sum of limits could overflow.",
        seen: &[ENTRY_POINT.pull(163)],
        cases: of(ALL, |draft, chance| {
            let limit = format!("gasLimits.{}", chance.pick(LIMITS));
            from_facts(draft, "data.userOps", &limit, format!("0x1{}", chance.digits(30)))
        }),
    },
    Class {
        name: "nothing-expected",
        about: "The client expects nothing, so the service chooses the account, the policies or the gas.",
        seen: &[ENTRY_POINT.pull(162), SAFE_CONTRACTS.pull(366)],
        cases: of(ALL, |mut draft, chance| {
            remove(&mut draft.request, "feePayerAddress");
            let none = draft.place.clone();
            let [account, policies] = ["userSWA", "policies"].map(|fact| &draft.facts[fact]);
            draft.place["expect"] = json!({ "userSWA": account, "policies": policies });
            let switched = policies["gsnEnabled"] == false;
            expect_gas(&mut draft);
            let limit = chance.pick(LIMITS);
            let (path, fact, value) = match chance.below(3) {
                0 => ("userOps.sender", "userSWA", json!(chance.address())),
                1 => ("callData.policies", "policies.gsnEnabled", json!(switched)),
                _ => (&*format!("userOps.{limit}"), &*format!("gasLimits.{limit}"), json!("0x0")),
            };
            let facts = with(draft.facts.clone(), fact, value);
            let reply = draft.reply_from(&draft.request, &facts);
            let attack = json!({ "where": none, "reply": reply });
            draft.attacked(attack, Judgement::Unbound { path: format!("data.{path}") })
        }),
    },
];

/// The reply that the service makes with another fact.
fn from_facts(draft: Draft, path: &str, fact: &str, value: impl Into<Value>) -> Case {
    let altered = draft.reply_from(&draft.request, &with(draft.facts.clone(), fact, value));
    draft.replied(altered, Judgement::refused(path))
}

/// The same with another address as the fact.
fn swapped(draft: Draft, chance: &mut Chance, path: &str, fact: &str) -> Case {
    from_facts(draft, &format!("data.{path}"), fact, chance.address())
}

/// Another request, with paymaster data that someone else made, and the service's reply to it.
fn granted(draft: Draft, other: &Draft) -> Case {
    let attack = json!({ "request": other.request, "reply": other.reply() });
    draft.attacked(attack, Judgement::refused("data.userOps.paymasterData"))
}

/// The client expects the gas limits of an ordinary operation.
fn expect_gas(draft: &mut Draft) {
    draft.set_ordinary_gas();
    let bounds = |limit: &&str| {
        let value = &draft.facts["gasLimits"][limit];
        ((*limit).to_owned(), json!({ "least": value, "most": value }))
    };
    let bounds: Map<_, _> = LIMITS.iter().map(bounds).collect();
    draft.place["expect"]["gas"] = bounds.into();
}

/// Other gas limits than those that are expected.
fn limited(mut draft: Draft, field: &str, limits: &[(&str, u64)]) -> Case {
    expect_gas(&mut draft);
    let mut facts = draft.facts.clone();
    for (limit, value) in limits {
        facts["gasLimits"][limit] = format!("{value:#x}").into();
    }
    let altered = draft.reply_from(&draft.request, &facts);
    draft.replied(altered, Judgement::refused(&format!("data.userOps.{field}")))
}
