//! Both sides of an estimate, and the rules between them, one row each.
//!
//! A place that a reply does not have does not compile, and neither does a field that is carried and
//! not compared: each field of the request must be read from [`Sides`], and [`check`] goes through
//! the reply and its call data.

use alloc::{borrow::Cow, string::String};

use primitive_types::U256;

use super::finding::Rule;
use super::{Deployment, EstimateReply, EstimateRequest, Expectations, GasDetails};
use crate::document::{Found, Is, Keys, Place, Table, TypedPlace, Value, Valued};
use crate::intent::Intent;
use crate::text::WriteText;
use crate::user_op::{Call, GasLimit, PaymasterData};
use crate::value::{
    Address, ChainId, FeePayerAddress, HexBytes, JobId, Nonce, Quantity, Quantity128,
};

/// Both sides: the request, field by field, what else the caller knows, and the reply with the content of its bytes.
#[deny(dead_code, reason = "a field of the request that no rule reads is not compared")]
pub(super) struct Sides<'a> {
    pub(super) job_id: &'a JobId,
    pub(super) intent: &'a Intent,
    pub(super) cap: &'a Quantity128,
    pub(super) tip: &'a Quantity128,
    pub(super) paymaster_data: &'a HexBytes,
    pub(super) payer: FeePayerAddress,
    pub(super) known: Option<&'a Deployment>,
    /// The parts of the reply that could be read.
    pub(super) reply: Value,
    /// The content of the call data, once it is decoded.
    pub(super) call: Option<Call>,
    /// The content of the paymaster's data, once it is decoded.
    pub(super) grant: Option<PaymasterData>,
}

impl<'a> Sides<'a> {
    #[deny(unused_variables, reason = "a field of the request would not be compared")]
    pub(super) fn new(
        request: &'a EstimateRequest,
        known: Option<&'a Deployment>,
        reply: Value,
    ) -> Self {
        // Taken apart without `..`: a field that is not compared does not compile.
        let EstimateRequest {
            job_id,
            intent,
            gas_details: GasDetails { max_fee_per_gas: cap, max_priority_fee_per_gas: tip },
            paymaster_data,
            fee_payer_address,
        } = request;
        let payer = FeePayerAddress::from(*fee_payer_address);
        let (call, grant) = (None, None);

        Self { job_id, intent, cap, tip, paymaster_data, payer, known, reply, call, grant }
    }

    const fn call(&self) -> Option<&Call> {
        self.call.as_ref()
    }

    fn expect(&self) -> Option<&Expectations> {
        self.known?.expect.as_ref()
    }
}

/// The path of a part of the reply.
pub(super) fn path(place: &Place) -> String {
    place.path(EstimateReply::TABLE)
}

/// A part of the reply by its keys.
const fn at(path: &str) -> Place {
    Place::of(EstimateReply::TABLE, path)
}

/// A part of the reply with this type.
const fn typed<T: Found>(path: &str) -> TypedPlace<T> {
    TypedPlace::of(EstimateReply::TABLE, path)
}

/// A value beside the reply; nothing if it is not known.
pub(super) type Beside = fn(&Sides<'_>) -> Option<Value>;

/// A value that a rule compares: a part of the reply, or what is beside it.
pub(super) enum Compared {
    Reply(Place),
    Beside(Beside),
}

impl Compared {
    /// Its value; nothing if it could not be read, or is not known.
    pub(super) fn value<'s>(&self, sides: &'s Sides<'_>) -> Option<Cow<'s, Value>> {
        match self {
            Self::Reply(place) => match sides.reply.at(place) {
                Value::Unread => None,
                value => Some(Cow::Borrowed(value)),
            },
            Self::Beside(value) => value(sides).map(Cow::Owned),
        }
    }

    const fn is_about(&self, place: &Place) -> bool {
        if let Self::Reply(own) = self { own.holds(place) } else { false }
    }
}

/// A rule: two values that must be the same.
pub(super) struct Equal {
    pub(super) rule: Rule,
    /// Where the difference is reported, in the reply.
    pub(super) path: Place,
    /// The field of the call data that the rule is about.
    pub(super) field: &'static str,
    pub(super) found: Compared,
    pub(super) expected: Compared,
    /// By whom the value is expected.
    pub(super) by: &'static str,
}

/// A field of the reply must be equal to a value beside it.
const fn equal(rule: Rule, found: &str, by: &'static str, expected: Beside) -> Equal {
    let (path, field) = (at(found), "");
    Equal {
        rule,
        path,
        field,
        found: Compared::Reply(path),
        expected: Compared::Beside(expected),
        by,
    }
}

/// A field of the call data must be what the request or the reply says.
const fn called(field: &'static str, by: &'static str, expected: Compared, found: Beside) -> Equal {
    let (rule, path) = (Rule::CallData, CALL_DATA.place);
    Equal { rule, path, field, found: Compared::Beside(found), expected, by }
}

/// The value of a part that was decoded, or that the caller knows.
fn some<T: Valued>(part: &T) -> Option<Value> {
    Some(part.to_value())
}

const REQUEST: &str = " (request)";
pub(super) const EXPECTED: &str = " (your expectation)";
const CLIENT: &str = " (the deployment's client)";
const MANAGER: &str = " (the deployment's job manager)";
const PAYMASTER: &str = " (the deployment's paymaster)";

/// The rules that bind a reply to its request.
pub(super) static REQUESTED: [Equal; 7] = [
    equal(Rule::JobId, "data.callData.jobId", REQUEST, |s| some(s.job_id)),
    equal(Rule::MaxFee, "data.userOps.maxFeePerGas", REQUEST, |s| some(s.cap)),
    equal(Rule::MaxPriorityFee, "data.userOps.maxPriorityFeePerGas", REQUEST, |s| some(s.tip)),
    equal(Rule::Nonce, "data.userOps.nonce", REQUEST, |s| some(&Nonce::from(s.job_id.nonce()))),
    equal(Rule::PaymasterData, "data.userOps.paymasterData", REQUEST, |s| some(s.paymaster_data)),
    Equal {
        expected: Compared::Reply(USER.place),
        ..equal(Rule::Sender, "data.userOps.sender", " (`data.callData.userSWA`)", |_| None)
    },
    equal(Rule::FeePayer, "data.callData.feePayerAddress", REQUEST, |s| some(&s.payer)),
];

/// The fields of the call data that the request says, and those that the reply says in plain; the intent is compared behind the
/// first two.
pub(super) static CALLED: [Equal; 7] = [
    called("jobId", "request", Compared::Beside(|s| some(s.job_id)), |s| some(&s.call()?.job_id)),
    called("feePayerAddress", "request", Compared::Beside(|s| some(&s.payer)), |s| {
        some(&s.call()?.fee_payer_address)
    }),
    called("clientSWA", "reply", Compared::Reply(at("data.callData.clientSWA")), |s| {
        some(&s.call()?.client_swa)
    }),
    called("userSWA", "reply", Compared::Reply(USER.place), |s| some(&s.call()?.user_swa)),
    called("policies", "reply", Compared::Reply(POLICIES), |s| some(&s.call()?.policies)),
    called("gsn.isRequired", "reply", Compared::Reply(at("data.callData.gsn.isRequired")), |s| {
        some(&s.call()?.gsn.is_required)
    }),
    called("gsn.requiredNetworks", "reply", Compared::Reply(NETWORKS.place), |s| {
        some(&s.call()?.gsn.required_networks)
    }),
];

/// The fields of the call data that are compared beside these rules: the intent, and the deployment's job manager.
const CALLED_BESIDE: [Place; 2] =
    [Place::of(Call::TABLE, "intent"), Place::of(Call::TABLE, "jobManager")];

/// The deployment that the caller knows.
pub(super) static DEPLOYED: [Equal; 5] = [
    equal(Rule::Shape, "data.callData.clientSWA", CLIENT, |s| some(&s.known?.client_swa)),
    Equal {
        found: Compared::Beside(|s| some(&s.call()?.job_manager)),
        ..equal(Rule::Shape, "data.userOps.callData", MANAGER, |s| some(&s.known?.job_manager))
    },
    Equal {
        found: Compared::Beside(|s| some(&s.call()?.client_swa)),
        ..equal(Rule::Shape, "data.userOps.callData", CLIENT, |s| some(&s.known?.client_swa))
    },
    equal(Rule::Shape, "data.userOps.paymaster", PAYMASTER, |s| some(&s.known?.paymaster)),
    Equal {
        found: Compared::Beside(|s| some(&s.grant.as_ref()?.client_swa)),
        ..equal(Rule::Shape, "data.userOps.paymasterData", CLIENT, |s| some(&s.known?.client_swa))
    },
];

/// What the caller may expect beyond the request.
pub(super) static EXPECTATIONS: [Equal; 4] = [
    equal(Rule::Shape, "data.userOps.sender", EXPECTED, |s| some(s.expect()?.user_swa.as_ref()?)),
    equal(Rule::Shape, "data.callData.policies.gsnEnabled", EXPECTED, |s| {
        some(&s.expect()?.policies.as_ref()?.gsn_enabled)
    }),
    equal(Rule::Shape, "data.callData.policies.sponsorshipEnabled", EXPECTED, |s| {
        some(&s.expect()?.policies.as_ref()?.sponsorship_enabled)
    }),
    equal(Rule::Shape, "data.callData.gsn.isRequired", EXPECTED, |s| {
        some(&s.expect()?.gsn.as_ref()?.is_required)
    }),
];

/// A figure of an operation: its number, and the text that the reply has for it.
pub(super) enum Figure {}

impl Found for Figure {
    const KINDS: &'static [Is] = &[Quantity128::IS, Quantity::IS];

    type Out<'v> = (U256, &'v dyn WriteText);

    fn found(value: &Value) -> Option<(U256, &dyn WriteText)> {
        let number = Quantity128::found(value).map(|found| found.to_u256());
        Some((number.or_else(|| Quantity::found(value).map(|found| found.value()))?, value))
    }
}

/// The place of a gas limit.
pub(super) const fn gas(limit: GasLimit) -> &'static TypedPlace<Figure> {
    // Found when it compiles: the search for a key has an end that panics.
    match limit {
        GasLimit::Call => const { &typed("data.userOps.callGasLimit") },
        GasLimit::Verification => const { &typed("data.userOps.verificationGasLimit") },
        GasLimit::PreVerification => const { &typed("data.userOps.preVerificationGas") },
        GasLimit::Paymaster => const { &typed("data.userOps.paymasterVerificationGasLimit") },
        GasLimit::PostOp => const { &typed("data.userOps.paymasterPostOpGasLimit") },
    }
}

pub(super) const CAP: TypedPlace<Figure> = typed("data.userOps.maxFeePerGas");
pub(super) const TIP: TypedPlace<Figure> = typed("data.userOps.maxPriorityFeePerGas");
pub(super) const CALL_DATA: TypedPlace<HexBytes> = typed("data.userOps.callData");
pub(super) const GRANT: TypedPlace<HexBytes> = typed("data.userOps.paymasterData");
pub(super) const USER: TypedPlace<Address> = typed("data.callData.userSWA");
pub(super) const SPONSORSHIP: TypedPlace<bool> = typed("data.callData.policies.sponsorshipEnabled");
pub(super) const NETWORKS: TypedPlace<alloc::vec::Vec<ChainId>> =
    typed("data.callData.gsn.requiredNetworks");
pub(super) const FEES: TypedPlace<Keys> = typed("data.details.fees.transactionFees");
pub(super) const STATUS: Place = at("status");
pub(super) const INTENT_TYPE: Place = at("data.callData.intentType");
pub(super) const PAYLOAD: Place = at("data.callData.payload");
pub(super) const POLICIES: Place = at("data.callData.policies");
pub(super) const GSN: Place = at("data.callData.gsn");
pub(super) const SENDER: Place = at("data.userOps.sender");
pub(super) const OPERATION: Place = at("data.userOps");

/// Fields that a request leaves open, and that no signature covers.
pub(super) static OPEN: [Place; 5] = [
    at("data.callData.gsn.isPossible"),
    at("data.callData.gsn.tokens"),
    at("data.details.estimation"),
    at("data.details.swapFees"),
    at("data.details.fees.approxTransactionFeesInUSDT"),
];

/// Fields that a request leaves open, but that a signature covers: the deployment and the caller's expectations bind them.
const SIGNED: [Place; 6] = [
    at("data.userOps.paymaster"),
    gas(GasLimit::Call).place,
    gas(GasLimit::PostOp).place,
    gas(GasLimit::Paymaster).place,
    gas(GasLimit::PreVerification).place,
    gas(GasLimit::Verification).place,
];

/// Parts of a reply that a function compares, and not a rule of a list.
const BY_FUNCTION: [Place; 5] = [STATUS, INTENT_TYPE, PAYLOAD, CALL_DATA.place, FEES.place];

/// `true` if a rule is about this place of the reply, or about all of a part that holds it.
const fn is_checked(place: &Place) -> bool {
    one_is_about(&REQUESTED, place)
        || one_is_about(&CALLED, place)
        || Place::one_holds(&OPEN, place)
        || Place::one_holds(&SIGNED, place)
        || Place::one_holds(&BY_FUNCTION, place)
}

const fn one_is_about(mut rules: &[Equal], place: &Place) -> bool {
    while let [rule, others @ ..] = rules {
        if rule.found.is_about(place) || rule.expected.is_about(place) {
            return true;
        }
        rules = others;
    }
    false
}

/// The same for a place of the call data.
const fn is_called(place: &Place) -> bool {
    let mut rules: &[Equal] = &CALLED;
    while let [rule, others @ ..] = rules {
        if Place::of(Call::TABLE, rule.field).holds(place) {
            return true;
        }
        rules = others;
    }
    Place::one_holds(&CALLED_BESIDE, place)
}

/// Fails to compile if a field of the reply is neither checked nor listed as open, or one of its call data is not checked.
const _: () = {
    check(EstimateReply::TABLE, Place::ROOT, true);
    check(Call::TABLE, Place::ROOT, false);
};

#[expect(clippy::panic, reason = "it ends the compilation")]
const fn check(table: &Table, place: Place, is_reply: bool) {
    let (mut rows, mut count) = (table.rows, 0_u8);
    while let [row, others @ ..] = rows {
        let place = place.below(count);
        let is_checked = if is_reply { is_checked(&place) } else { is_called(&place) };
        if !is_checked {
            match row.is {
                Is::Record(table) => check(table, place, is_reply),
                _ => panic!(
                    "expected a rule about every field that is carried, or its place in `OPEN`"
                ),
            }
        }
        (rows, count) = (others, count.saturating_add(1));
    }
}
