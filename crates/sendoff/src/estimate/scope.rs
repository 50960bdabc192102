//! What the rules of an estimate are about: the documents of both sides, and all places in them
//! that a rule names.
//!
//! A place that no document has does not compile, and neither does a field that is carried and not
//! compared: see [`COMPLETE`].

use alloc::string::String;

use super::finding::Rule;
use super::{Deployment, EstimateReply, EstimateRequest};
use crate::document::{Is, Place, Row, Table};
use crate::user_op::{Call, GasLimit, PaymasterData, PreparedUserOp};
use crate::value::{FeePayerAddress, Nonce};

/// The documents of both sides, and what is computed from the request.
pub(super) static SCOPE: Table = Table {
    rows: &[
        Row::of::<EstimateRequest>("request", ""),
        Row::of::<Deployment>("where", ""),
        Row::of::<EstimateReply>("reply", ""),
        Row::of::<Call>("call", ""),
        Row::of::<PaymasterData>("paymaster", ""),
        Row::of::<Nonce>("nonce", ""),
        Row::of::<FeePayerAddress>("payer", ""),
    ],
    ..Table::NONE
};

/// The path of a part of the reply.
pub(super) fn path(place: &Place) -> String {
    place.inner(&SCOPE)
}

/// A part of the scope by its keys.
pub(super) const fn at(path: &'static str) -> Place {
    Place::of(&SCOPE, path)
}

/// A rule: two places that must have the same value.
pub(super) struct Equal {
    pub(super) rule: Rule,
    /// Where the difference is reported, in the reply.
    pub(super) path: Place,
    pub(super) found: Place,
    pub(super) expected: Place,
    /// By whom the value is expected.
    pub(super) by: &'static str,
}

/// A field of the reply must be equal to another part.
const fn equal(rule: Rule, found: &'static str, expected: &'static str, by: &'static str) -> Equal {
    Equal { rule, path: at(found), found: at(found), expected: at(expected), by }
}

const REQUEST: &str = " (request)";
pub(super) const EXPECTED: &str = " (your expectation)";
const CLIENT: &str = " (the deployment's client)";

/// The rules that bind a reply to its request.
pub(super) static REQUESTED: [Equal; 7] = [
    equal(Rule::JobId, "reply.data.callData.jobId", "request.jobId", REQUEST),
    equal(
        Rule::MaxFee,
        "reply.data.userOps.maxFeePerGas",
        "request.gasDetails.maxFeePerGas",
        REQUEST,
    ),
    equal(
        Rule::MaxPriorityFee,
        "reply.data.userOps.maxPriorityFeePerGas",
        "request.gasDetails.maxPriorityFeePerGas",
        REQUEST,
    ),
    equal(Rule::Nonce, "reply.data.userOps.nonce", "nonce", REQUEST),
    equal(
        Rule::PaymasterData,
        "reply.data.userOps.paymasterData",
        "request.paymasterData",
        REQUEST,
    ),
    equal(
        Rule::Sender,
        "reply.data.userOps.sender",
        "reply.data.callData.userSWA",
        " (`data.callData.userSWA`)",
    ),
    equal(Rule::FeePayer, "reply.data.callData.feePayerAddress", "payer", REQUEST),
];

/// A field of the call data, and who else says it.
pub(super) struct Said {
    pub(super) field: &'static str,
    pub(super) found: Place,
    pub(super) by: &'static str,
    pub(super) expected: Place,
}

const fn said(
    field: &'static str,
    found: &'static str,
    by: &'static str,
    expected: &'static str,
) -> Said {
    Said { field, found: at(found), by, expected: at(expected) }
}

/// The fields of the call data that the request says, and those that the reply says in plain.
pub(super) static CALLED: [Said; 8] = [
    said("jobId", "call.jobId", "request", "request.jobId"),
    said("feePayerAddress", "call.feePayerAddress", "request", "payer"),
    said("intent", "call.intent.details", "request", "request.details"),
    said("clientSWA", "call.clientSWA", "reply", "reply.data.callData.clientSWA"),
    said("userSWA", "call.userSWA", "reply", "reply.data.callData.userSWA"),
    said("policies", "call.policies", "reply", "reply.data.callData.policies"),
    said("gsn.isRequired", "call.gsn.isRequired", "reply", "reply.data.callData.gsn.isRequired"),
    said(
        "gsn.requiredNetworks",
        "call.gsn.requiredNetworks",
        "reply",
        "reply.data.callData.gsn.requiredNetworks",
    ),
];

/// The deployment that the caller knows.
pub(super) static DEPLOYED: [Equal; 5] = [
    equal(Rule::Shape, "reply.data.callData.clientSWA", "where.clientSWA", CLIENT),
    Equal {
        found: at("call.jobManager"),
        ..equal(
            Rule::Shape,
            "reply.data.userOps.callData",
            "where.jobManager",
            " (the deployment's job manager)",
        )
    },
    Equal {
        found: at("call.clientSWA"),
        ..equal(Rule::Shape, "reply.data.userOps.callData", "where.clientSWA", CLIENT)
    },
    equal(
        Rule::Shape,
        "reply.data.userOps.paymaster",
        "where.paymaster",
        " (the deployment's paymaster)",
    ),
    Equal {
        found: at("paymaster.clientSWA"),
        ..equal(Rule::Shape, "reply.data.userOps.paymasterData", "where.clientSWA", CLIENT)
    },
];

/// What the caller may expect beyond the request.
pub(super) static EXPECTATIONS: [Equal; 4] = [
    equal(Rule::Shape, "reply.data.userOps.sender", "where.expect.userSWA", EXPECTED),
    equal(
        Rule::Shape,
        "reply.data.callData.policies.gsnEnabled",
        "where.expect.policies.gsnEnabled",
        EXPECTED,
    ),
    equal(
        Rule::Shape,
        "reply.data.callData.policies.sponsorshipEnabled",
        "where.expect.policies.sponsorshipEnabled",
        EXPECTED,
    ),
    equal(
        Rule::Shape,
        "reply.data.callData.gsn.isRequired",
        "where.expect.gsn.isRequired",
        EXPECTED,
    ),
];

/// The place of a gas limit in the reply.
pub(super) const fn gas(limit: GasLimit) -> Place {
    const fn of(limit: GasLimit) -> Place {
        OPERATION.field(PreparedUserOp::TABLE, limit.key())
    }

    // Found when it compiles: the search for a key has an end that panics.
    match limit {
        GasLimit::Call => const { of(GasLimit::Call) },
        GasLimit::Verification => const { of(GasLimit::Verification) },
        GasLimit::PreVerification => const { of(GasLimit::PreVerification) },
        GasLimit::Paymaster => const { of(GasLimit::Paymaster) },
        GasLimit::PostOp => const { of(GasLimit::PostOp) },
    }
}

/// Fields that a request leaves open, and that no signature covers.
pub(super) static OPEN: [Place; 5] = [
    at("reply.data.callData.gsn.isPossible"),
    at("reply.data.callData.gsn.tokens"),
    at("reply.data.details.estimation"),
    at("reply.data.details.swapFees"),
    at("reply.data.details.fees.approxTransactionFeesInUSDT"),
];

/// Fields that a request leaves open, but that a signature covers: the deployment and the caller's expectations bind them.
pub(super) static SIGNED: [Place; 6] = [
    at("reply.data.userOps.paymaster"),
    gas(GasLimit::Call),
    gas(GasLimit::PostOp),
    gas(GasLimit::Paymaster),
    gas(GasLimit::PreVerification),
    gas(GasLimit::Verification),
];

/// The rows of the scope.
pub(super) const REQUEST_ROW: usize = at("request").first_row();
pub(super) const WHERE: usize = at("where").first_row();
pub(super) const REPLY: usize = at("reply").first_row();
pub(super) const CALL: usize = at("call").first_row();
pub(super) const PAYMASTER: usize = at("paymaster").first_row();
pub(super) const NONCE: usize = at("nonce").first_row();
pub(super) const CALLED_DATA: Place = at("call");
pub(super) const PAYMASTER_DATA: Place = at("paymaster");
pub(super) const PAYER_ROW: usize = at("payer").first_row();

pub(super) const STATUS: Place = at("reply.status");
pub(super) const INTENT_TYPE: Place = at("reply.data.callData.intentType");
pub(super) const PAYLOAD: Place = at("reply.data.callData.payload");
pub(super) const CALL_DATA: Place = at("reply.data.userOps.callData");
pub(super) const FEES: Place = at("reply.data.details.fees.transactionFees");
pub(super) const SPONSORSHIP: Place = at("reply.data.callData.policies.sponsorshipEnabled");
pub(super) const POLICIES: Place = at("reply.data.callData.policies");
pub(super) const GSN: Place = at("reply.data.callData.gsn");
pub(super) const NETWORKS: Place = at("reply.data.callData.gsn.requiredNetworks");
pub(super) const USER: Place = at("reply.data.callData.userSWA");
pub(super) const SENDER: Place = at("reply.data.userOps.sender");
pub(super) const GRANT: Place = at("reply.data.userOps.paymasterData");
pub(super) const OPERATION: Place = at("reply.data.userOps");
pub(super) const ASKED: Place = at("request.details");
pub(super) const ASKED_TYPE: Place = at("request.type");
pub(super) const ASKED_PAYER: Place = at("request.feePayerAddress");

/// Parts of the documents that the functions of this module compare, and not a rule of a list.
const BY_FUNCTION: [Place; 9] =
    [STATUS, INTENT_TYPE, PAYLOAD, CALL_DATA, FEES, ASKED, ASKED_TYPE, ASKED_PAYER, NETWORKS];

/// `true` if a rule is about this place, or about all of a part that holds it.
const fn is_checked(place: &Place) -> bool {
    let mut rest: &[Equal] = &REQUESTED;
    while let [rule, others @ ..] = rest {
        if rule.found.holds(place) || rule.expected.holds(place) {
            return true;
        }
        rest = others;
    }

    let mut rest: &[Said] = &CALLED;
    while let [said, others @ ..] = rest {
        if said.expected.holds(place) {
            return true;
        }
        rest = others;
    }

    Place::one_holds(&OPEN, place)
        || Place::one_holds(&SIGNED, place)
        || Place::one_holds(&BY_FUNCTION, place)
}

/// Fails to compile if a field of the request has no rule, or one of the reply is neither checked nor listed as open.
const COMPLETE: () = {
    check(EstimateRequest::TABLE, at("request"));
    check(EstimateReply::TABLE, at("reply"));
};

#[expect(clippy::panic, reason = "it ends the compilation")]
const fn check(table: &Table, place: Place) {
    let (mut rows, mut count) = (table.rows, 0_u8);
    while let [row, others @ ..] = rows {
        let place = place.below(count);
        if !is_checked(&place) {
            match row.is {
                Is::Record(table) => check(table, place),
                _ => panic!(
                    "expected a rule about every field that is carried, or its place in `OPEN`"
                ),
            }
        }
        (rows, count) = (others, count.saturating_add(1));
    }
}

const _: () = COMPLETE;
