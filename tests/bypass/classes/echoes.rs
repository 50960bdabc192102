//! The reply differs from the request outside the transfer itself.

use serde_json::{Value, json};

use super::{ALL, Class, MOVES};
use crate::{Case, Draft, Judgement};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "reply-to-another-request",
        about: "The reply is honest and complete, but was prepared for another request.",
        seen: &[
            ("BitGoJS #3956", "https://github.com/BitGo/BitGoJS/pull/3956"),
            (
                "Safe transaction service #74",
                "https://github.com/safe-global/safe-transaction-service/issues/74",
            ),
        ],
        refused_by: "`job-id`, and every other rule that differs",
        kinds: ALL,
        make: |draft, chance| {
            let mut other = draft.request.clone();
            other["jobId"] = chance.uuid().into();
            other["gasDetails"]["maxFeePerGas"] = "0xffffffffffffffffffffffffffff".into();
            let altered = draft.reply_to(&other);
            draft.replied(altered, Judgement::refused("data.callData.jobId"))
        },
    },
    Class {
        name: "job-swapped-in-the-bytes",
        about: "The readable part has the request's job, and the call data starts another.",
        seen: &[(
            "ERC-4337, nonces",
            "https://eips.ethereum.org/EIPS/eip-4337#semi-abstracted-nonce-support",
        )],
        refused_by: "`call-data`, field `jobId`",
        kinds: ALL,
        make: |draft, chance| {
            let mut other = draft.request.clone();
            other["jobId"] = chance.uuid().into();
            from_bytes_of(draft.reply_to(&other), draft, "jobId")
        },
    },
    Class {
        name: "nonce-swapped",
        about: "The operation has another nonce, so the signature can be used beside the operation of the job.",
        seen: &[(
            "WazirX, 2024: signatures of failed transactions",
            "https://defi.io/feed/cointelegraph/liminal-blames-compromised-wazirx-devices-for-hack-claims-ui-not-responsible",
        )],
        refused_by: "`nonce`: it is derived from the request's job",
        kinds: ALL,
        make: |draft, chance| {
            let nonce =
                if chance.is_head() { format!("0x{}", chance.digits(64)) } else { "0x0".into() };
            replaced(draft, "/data/userOps/nonce", nonce, "data.userOps.nonce")
        },
    },
    Class {
        name: "fee-cap-raised",
        about: "The operation has a higher price of gas than the person accepted.",
        seen: &[("BitGoJS #1283", "https://github.com/BitGo/BitGoJS/pull/1283")],
        refused_by: "`max-fee`",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.set_ordinary_gas();
            let cap = format!("{:#x}", 2_000_000_001 + chance.number() % (1 << 40));
            replaced(draft, "/data/userOps/maxFeePerGas", cap, "data.userOps.maxFeePerGas")
        },
    },
    Class {
        name: "tip-raised",
        about: "The tip takes all that the cap allows.",
        seen: &[("ERC-4337, gas fees", "https://eips.ethereum.org/EIPS/eip-4337")],
        refused_by: "`max-priority-fee`",
        kinds: ALL,
        make: |mut draft, _| {
            draft.set_ordinary_gas();
            let cap = draft.request["gasDetails"]["maxFeePerGas"].clone();
            replaced(
                draft,
                "/data/userOps/maxPriorityFeePerGas",
                cap,
                "data.userOps.maxPriorityFeePerGas",
            )
        },
    },
    Class {
        name: "paymaster-data-swapped",
        about: "The paymaster gets other data than the request's, such as another sponsor's grant.",
        seen: &[(
            "ERC-4337, paymaster data",
            "https://eips.ethereum.org/EIPS/eip-4337#the-paymasteranddata-field-encoding-and-paymastersignature",
        )],
        refused_by: "`paymaster-data`",
        kinds: ALL,
        make: |mut draft, chance| {
            let client = draft.facts["clientSWA"].clone();
            let until = chance.number() >> 24;
            draft.set_grant(&client, until, 0, chance);
            let honest = draft.request["paymasterData"].as_str().unwrap().to_owned();
            let data = match chance.below(3) {
                0 => honest[..honest.len() - 2].to_owned(),
                1 => format!("{honest}00"),
                _ => format!("{}{}", &honest[..honest.len() - 192], chance.digits(192)),
            };
            replaced(draft, "/data/userOps/paymasterData", data, "data.userOps.paymasterData")
        },
    },
    Class {
        name: "fee-payer-added",
        about: "Another account is charged with the fee than the request says, or one is charged at all.",
        seen: &[("BitGoJS #2053", "https://github.com/BitGo/BitGoJS/pull/2053")],
        refused_by: "`fee-payer`, or `call-data`, field `feePayerAddress`",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.facts["policies"]["sponsorshipEnabled"] = true.into();
            let mut other = draft.request.clone();
            other["feePayerAddress"] = chance.address().into();
            let lie = draft.reply_to(&other);
            if chance.is_head() {
                return from_bytes_of(lie, draft, "feePayerAddress");
            }
            draft.replied(lie, Judgement::refused("data.callData.feePayerAddress"))
        },
    },
    Class {
        name: "fee-payer-left-out",
        about: "The fee payer of the request is left out, so the user pays.",
        seen: &[("BitGoJS #2053", "https://github.com/BitGo/BitGoJS/pull/2053")],
        refused_by: "`fee-payer`, or `call-data`, field `feePayerAddress`",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.facts["policies"]["sponsorshipEnabled"] = true.into();
            draft.request["feePayerAddress"] = chance.address().into();
            let mut other = draft.request.clone();
            other.as_object_mut().unwrap().remove("feePayerAddress");
            let lie = draft.reply_to(&other);
            if chance.is_head() {
                return from_bytes_of(lie, draft, "feePayerAddress");
            }
            draft.replied(lie, Judgement::refused("data.callData.feePayerAddress"))
        },
    },
    Class {
        name: "sponsorship-without-a-policy",
        about: "The reply accepts a fee payer although it says that sponsorship is off.",
        seen: &[("BitGoJS #2053", "https://github.com/BitGo/BitGoJS/pull/2053")],
        refused_by: "`fee-payer`",
        kinds: ALL,
        make: |mut draft, chance| {
            draft.facts["policies"]["sponsorshipEnabled"] = true.into();
            draft.request["feePayerAddress"] = chance.address().into();
            let path = "data.callData.policies.sponsorshipEnabled";
            replaced(draft, "/data/callData/policies/sponsorshipEnabled", false, path)
        },
    },
    Class {
        name: "sender-swapped",
        about: "The operation is sent from another account than the one that the reply describes.",
        seen: &[(
            "Optimism Actions #437",
            "https://github.com/ethereum-optimism/actions/issues/437",
        )],
        refused_by: "`sender`",
        kinds: ALL,
        make: |draft, chance| {
            let other = chance.address();
            replaced(draft, "/data/userOps/sender", other, "data.userOps.sender")
        },
    },
    Class {
        name: "user-swapped-in-the-bytes",
        about: "The readable part has the user's account, and the call data another.",
        seen: &[("Optimism Actions #503", "https://github.com/ethereum-optimism/actions/pull/503")],
        refused_by: "`call-data`, field `userSWA`",
        kinds: ALL,
        make: |draft, chance| {
            let mut facts = draft.facts.clone();
            facts["userSWA"] = chance.address().into();
            from_bytes_of(draft.reply_from(&draft.request, &facts), draft, "userSWA")
        },
    },
    Class {
        name: "application-swapped-in-the-bytes",
        about: "The readable part has the application, and the call data starts the job of another.",
        seen: &[(
            "Safe transaction service #74",
            "https://github.com/safe-global/safe-transaction-service/issues/74",
        )],
        refused_by: "`call-data`, field `clientSWA`",
        kinds: ALL,
        make: |draft, chance| {
            let mut facts = draft.facts.clone();
            facts["clientSWA"] = chance.address().into();
            from_bytes_of(draft.reply_from(&draft.request, &facts), draft, "clientSWA")
        },
    },
    Class {
        name: "recipient-is-the-sender",
        about: "The recipient itself is made the sender: the transfer does nothing, and its cost is real.",
        seen: &[("r55 #41, `from == to`", "https://github.com/r55-eth/r55/issues/41")],
        refused_by: "`sender`",
        kinds: MOVES,
        make: |draft, _| {
            let recipient = draft.request["details"]["recipientWalletAddress"].clone();
            let mut altered = draft.reply();
            altered["data"]["callData"]["userSWA"] = recipient.clone();
            altered["data"]["userOps"]["sender"] = recipient;
            draft.replied(altered, Judgement::refused("data.callData.userSWA"))
        },
    },
    Class {
        name: "policies-shown-other-than-signed",
        about: "The readable policies or networks differ from those in the bytes.",
        seen: &[(
            "Safe wallet #3519",
            "https://github.com/safe-global/safe-wallet-monorepo/issues/3519",
        )],
        refused_by: "`call-data`, field `policies` or `gsn`",
        kinds: ALL,
        make: |draft, chance| {
            let (place, key, field) = chance.pick(&[
                ("policies", "gsnEnabled", "policies.gsnEnabled"),
                ("policies", "sponsorshipEnabled", "policies.sponsorshipEnabled"),
                ("gsn", "isRequired", "gsn.isRequired"),
                ("gsn", "requiredNetworks", "gsn.requiredNetworks"),
            ]);
            let mut altered = draft.reply();
            let shown = &mut altered["data"]["callData"][place][key];
            *shown = match shown.take() {
                Value::Bool(flag) => (!flag).into(),
                networks => {
                    [networks.as_array().unwrap().as_slice(), &["eip155:77".into()]].concat().into()
                }
            };
            draft.replied(altered, Judgement::refused_field("data.userOps.callData", field))
        },
    },
    Class {
        name: "fees-of-another-chain",
        about: "The fee that is shown is one of another chain.",
        seen: &[("Optimism Actions #467", "https://github.com/ethereum-optimism/actions/pull/467")],
        refused_by: "`fee-chain`",
        kinds: ALL,
        make: |draft, chance| {
            let chain = format!("eip155:1{}", chance.number() >> 32);
            let mut altered = draft.reply();
            altered["data"]["details"]["fees"]["transactionFees"] = json!({ (chain.clone()): "1" });
            let path = format!("data.details.fees.transactionFees.{chain}");
            draft.replied(altered, Judgement::refused(&path))
        },
    },
    Class {
        name: "error-as-success",
        about: "The reply is an error with the whole data of a success beside it.",
        seen: &[(
            "mev-boost relay #261",
            "https://github.com/flashbots/mev-boost-relay/issues/261",
        )],
        refused_by: "`status`; nothing else is read",
        kinds: ALL,
        make: |draft, chance| {
            let mut altered = draft.reply();
            altered["status"] = "error".into();
            altered["error"] = json!({ "code": 400 + chance.below(200), "message": "refused" });
            draft.replied(altered, Judgement::refused("status"))
        },
    },
    Class {
        name: "unfinished-as-finished",
        about: "The status is another than `success`: pending, failed, in another letter case, or none.",
        seen: &[(
            "Error JSON with HTTP 200, KubeStellar #7275",
            "https://github.com/kubestellar/console/issues/7275",
        )],
        refused_by: "`status` or `shape`",
        kinds: ALL,
        make: |draft, chance| {
            let status = chance
                .pick(&["pending", "failed", "SUCCESS", "Success", "success ", "", "ok", "error"]);
            replaced(draft, "/status", status, "status")
        },
    },
    Class {
        name: "field-left-out",
        about: "A field that a rule needs is absent or null, so that there is nothing to compare.",
        seen: &[
            ("BitGoJS #5094", "https://github.com/BitGo/BitGoJS/pull/5094"),
            ("Safe gateway #2414", "https://github.com/safe-global/safe-client-gateway/pull/2414"),
        ],
        refused_by: "`shape`, at the field",
        kinds: ALL,
        make: |draft, chance| {
            let path = chance.pick(NEEDED);
            let (parent, key) = path.rsplit_once('.').unwrap_or(("", path));
            let mut altered = draft.reply();
            let parent = parent
                .split('.')
                .filter(|part| !part.is_empty())
                .fold(&mut altered, |at, key| &mut at[key]);
            if chance.is_head() {
                parent[key] = Value::Null;
            } else {
                parent.as_object_mut().unwrap().remove(key);
            }
            draft.replied(altered, Judgement::refused(path))
        },
    },
];

/// The fields that a signature needs.
const NEEDED: &[&str] = &[
    "status",
    "data",
    "data.callData",
    "data.callData.clientSWA",
    "data.callData.feePayerAddress",
    "data.callData.gsn",
    "data.callData.intentType",
    "data.callData.jobId",
    "data.callData.payload",
    "data.callData.policies",
    "data.callData.policies.sponsorshipEnabled",
    "data.callData.userSWA",
    "data.details",
    "data.details.fees",
    "data.userOps",
    "data.userOps.callData",
    "data.userOps.callGasLimit",
    "data.userOps.maxFeePerGas",
    "data.userOps.maxPriorityFeePerGas",
    "data.userOps.nonce",
    "data.userOps.paymaster",
    "data.userOps.paymasterData",
    "data.userOps.paymasterPostOpGasLimit",
    "data.userOps.paymasterVerificationGasLimit",
    "data.userOps.preVerificationGas",
    "data.userOps.sender",
    "data.userOps.verificationGasLimit",
];

/// The honest reply with another value at a JSON pointer.
fn replaced(draft: Draft, pointer: &str, value: impl Into<Value>, path: &str) -> Case {
    let mut altered = draft.reply();
    *altered.pointer_mut(pointer).unwrap() = value.into();
    draft.replied(altered, Judgement::refused(path))
}

/// The honest reply with the call data of another one.
fn from_bytes_of(lie: Value, draft: Draft, field: &str) -> Case {
    let mut altered = draft.reply();
    altered["data"]["userOps"]["callData"] = lie["data"]["userOps"]["callData"].clone();
    draft.replied(altered, Judgement::refused_field("data.userOps.callData", field))
}
