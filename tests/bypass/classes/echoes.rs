//! The reply differs from the request outside the transfer itself.

use serde_json::{Value, json};

use super::source::*;
use super::{ALL, CALL_DATA, Class, MOVES, TO, left_out, of, replaced};
use crate::draft::{at, remove, with};
use crate::{Case, Chance, Draft, Judgement};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "reply-to-another-request",
        about: "The reply is honest and complete, but was prepared for another request.",
        seen: &[BITGO.pull(3956), SAFE_SERVICE.issue(74)],
        cases: of(ALL, |draft, chance| {
            let mut other = with(draft.request.clone(), "jobId", chance.uuid());
            other["gasDetails"]["maxFeePerGas"] = "0xffffffffffffffffffffffffffff".into();
            let altered = draft.reply_to(&other);
            draft.replied(altered, Judgement::refused("data.callData.jobId"))
        }),
    },
    Class {
        name: "job-swapped-in-the-bytes",
        about: "The readable part has the request's job, and the call data starts another.",
        seen: &[Eip("ERC-4337, nonces", "4337#semi-abstracted-nonce-support")],
        cases: of(ALL, |draft, chance| {
            let other = with(draft.request.clone(), "jobId", chance.uuid());
            from_bytes_of(draft.reply_to(&other), draft, "jobId")
        }),
    },
    Class {
        name: "nonce-swapped",
        about: "The operation has another nonce, so the signature can be used beside the operation of the job.",
        seen: &[Page(
            "WazirX, 2024: signatures of failed transactions",
            "defi.io/feed/cointelegraph/liminal-blames-compromised-wazirx-devices-for-hack-claims-ui-not-responsible",
        )],
        cases: of(ALL, |draft, chance| {
            let nonce = if chance.is_head() { chance.hex(64) } else { "0x0".into() };
            replaced(draft, "data.userOps.nonce", nonce)
        }),
    },
    Class {
        name: "fee-cap-raised",
        about: "The operation has a higher price of gas than the person accepted.",
        seen: &[BITGO.pull(1283)],
        cases: of(ALL, |mut draft, chance| {
            draft.set_ordinary_gas();
            let cap = format!("{:#x}", 2_000_000_001 + chance.number() % (1 << 40));
            replaced(draft, "data.userOps.maxFeePerGas", cap)
        }),
    },
    Class {
        name: "tip-raised",
        about: "The tip takes all that the cap allows.",
        seen: &[Eip("ERC-4337, gas fees", "4337")],
        cases: of(ALL, |mut draft, _| {
            draft.set_ordinary_gas();
            let cap = draft.request["gasDetails"]["maxFeePerGas"].clone();
            replaced(draft, "data.userOps.maxPriorityFeePerGas", cap)
        }),
    },
    Class {
        name: "paymaster-data-swapped",
        about: "The paymaster gets other data than the request's, such as another sponsor's grant.",
        seen: &[Eip(
            "ERC-4337, paymaster data",
            "4337#the-paymasteranddata-field-encoding-and-paymastersignature",
        )],
        cases: of(ALL, |mut draft, chance| {
            let client = draft.facts["clientSWA"].clone();
            let until = chance.number() >> 24;
            draft.set_grant(&client, until, 0, chance);
            let honest = draft.request["paymasterData"].as_str().unwrap().to_owned();
            let data = match chance.below(3) {
                0 => honest[..honest.len() - 2].to_owned(),
                1 => format!("{honest}00"),
                _ => format!("{}{}", &honest[..honest.len() - 192], chance.digits(192)),
            };
            replaced(draft, "data.userOps.paymasterData", data)
        }),
    },
    Class {
        name: "fee-payer-added",
        about: "Another account is charged with the fee than the request says, or one is charged at all.",
        seen: &[BITGO.pull(2053)],
        cases: of(ALL, |draft, chance| {
            let other = with(draft.request.clone(), "feePayerAddress", chance.address());
            charged(draft, chance, &other)
        }),
    },
    Class {
        name: "fee-payer-left-out",
        about: "The fee payer of the request is left out, so the user pays.",
        seen: &[BITGO.pull(2053)],
        cases: of(ALL, |mut draft, chance| {
            draft.request["feePayerAddress"] = chance.address().into();
            let mut other = draft.request.clone();
            remove(&mut other, "feePayerAddress");
            charged(draft, chance, &other)
        }),
    },
    Class {
        name: "sponsorship-without-a-policy",
        about: "The reply accepts a fee payer although it says that sponsorship is off.",
        seen: &[BITGO.pull(2053)],
        cases: of(ALL, |mut draft, chance| {
            draft.facts["policies"]["sponsorshipEnabled"] = true.into();
            draft.request["feePayerAddress"] = chance.address().into();
            replaced(draft, "data.callData.policies.sponsorshipEnabled", false)
        }),
    },
    Class {
        name: "sender-swapped",
        about: "The operation is sent from another account than the one that the reply describes.",
        seen: &[ACTIONS.issue(437)],
        cases: of(ALL, |draft, chance| replaced(draft, "data.userOps.sender", chance.address())),
    },
    Class {
        name: "user-swapped-in-the-bytes",
        about: "The readable part has the user's account, and the call data another.",
        seen: &[ACTIONS.pull(503)],
        cases: of(ALL, |draft, chance| fact_in_bytes(draft, chance, "userSWA")),
    },
    Class {
        name: "application-swapped-in-the-bytes",
        about: "The readable part has the application, and the call data starts the job of another.",
        seen: &[SAFE_SERVICE.issue(74)],
        cases: of(ALL, |draft, chance| fact_in_bytes(draft, chance, "clientSWA")),
    },
    Class {
        name: "recipient-is-the-sender",
        about: "The recipient itself is made the sender: the transfer does nothing, and its cost is real.",
        seen: &[Page("r55 #41, `from == to`", "github.com/r55-eth/r55/issues/41")],
        cases: of(MOVES, |draft, _| {
            let recipient = &draft.request["details"][TO];
            let altered = with(draft.reply(), "data.callData.userSWA", recipient.clone());
            let altered = with(altered, "data.userOps.sender", recipient.clone());
            draft.replied(altered, Judgement::refused("data.callData.userSWA"))
        }),
    },
    Class {
        name: "policies-shown-other-than-signed",
        about: "The readable policies or networks differ from those in the bytes.",
        seen: &[Project("Safe wallet", "safe-global/safe-wallet-monorepo").issue(3519)],
        cases: of(ALL, |draft, chance| {
            let field = chance.word(SIGNED);
            let mut altered = draft.reply();
            match at(&mut altered, &format!("data.callData.{field}")) {
                Value::Array(networks) => networks.push("eip155:77".into()),
                flag => *flag = (flag == false).into(),
            }
            draft.replied(altered, Judgement::refused_field(CALL_DATA, field))
        }),
    },
    Class {
        name: "fees-of-another-chain",
        about: "The fee that is shown is one of another chain.",
        seen: &[ACTIONS.pull(467)],
        cases: of(ALL, |draft, chance| {
            let (fees, chain) = ("data.details.fees.transactionFees", chance.chain());
            let altered = with(draft.reply(), fees, json!({ (chain.clone()): "1" }));
            draft.replied(altered, Judgement::refused(&format!("{fees}.{chain}")))
        }),
    },
    Class {
        name: "error-as-success",
        about: "The reply is an error with the whole data of a success beside it.",
        seen: &[Project("mev-boost relay", "flashbots/mev-boost-relay").issue(261)],
        cases: of(ALL, |draft, chance| {
            let mut altered = with(draft.reply(), "status", "error");
            altered["error"] = json!({ "code": 400 + chance.below(200), "message": "refused" });
            draft.replied(altered, Judgement::refused("status"))
        }),
    },
    Class {
        name: "unfinished-as-finished",
        about: "The status is another than `success`: pending, failed, in another letter case, or none.",
        seen: &[Project("KubeStellar", "kubestellar/console").issue(7275)],
        cases: of(ALL, |draft, chance| {
            let others = ["pending", "failed", "SUCCESS", "Success", "success ", "", "ok", "error"];
            replaced(draft, "status", chance.pick(&others))
        }),
    },
    Class {
        name: "field-left-out",
        about: "A field that a rule needs is absent or null, so that there is nothing to compare.",
        seen: &[BITGO.pull(5094), SAFE_GATEWAY.pull(2414)],
        cases: of(ALL, |draft, chance| {
            let path = chance.word(NEEDED);
            let is_null = chance.is_head();
            if is_null { replaced(draft, path, Value::Null) } else { left_out(draft, path) }
        }),
    },
];

/// The policies and networks that the call data has.
const SIGNED: &str =
    "policies.gsnEnabled policies.sponsorshipEnabled gsn.isRequired gsn.requiredNetworks";

/// The fields that a signature needs.
const NEEDED: &str = "status data \
    data.callData data.callData.clientSWA data.callData.feePayerAddress data.callData.gsn \
    data.callData.intentType data.callData.jobId data.callData.payload data.callData.policies \
    data.callData.policies.sponsorshipEnabled data.callData.userSWA \
    data.details data.details.fees \
    data.userOps data.userOps.callData data.userOps.callGasLimit data.userOps.maxFeePerGas \
    data.userOps.maxPriorityFeePerGas data.userOps.nonce data.userOps.paymaster \
    data.userOps.paymasterData data.userOps.paymasterPostOpGasLimit \
    data.userOps.paymasterVerificationGasLimit data.userOps.preVerificationGas \
    data.userOps.sender data.userOps.verificationGasLimit";

/// The reply to a request with another fee payer, or the honest one with its call data.
fn charged(mut draft: Draft, chance: &mut Chance, other: &Value) -> Case {
    draft.facts["policies"]["sponsorshipEnabled"] = true.into();
    let lie = draft.reply_to(other);
    if chance.is_head() {
        return from_bytes_of(lie, draft, "feePayerAddress");
    }
    draft.replied(lie, Judgement::refused("data.callData.feePayerAddress"))
}

/// The honest reply with call data that has another account.
fn fact_in_bytes(draft: Draft, chance: &mut Chance, key: &str) -> Case {
    let facts = with(draft.facts.clone(), key, chance.address());
    from_bytes_of(draft.reply_from(&draft.request, &facts), draft, key)
}

/// The honest reply with the call data of another one.
fn from_bytes_of(mut lie: Value, draft: Draft, field: &str) -> Case {
    let altered = with(draft.reply(), CALL_DATA, at(&mut lie, CALL_DATA).take());
    draft.replied(altered, Judgement::refused_field(CALL_DATA, field))
}
