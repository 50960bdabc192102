//! Both sides of an estimate, and the rules between them, one row each.
//!
//! A place that a reply does not have does not compile, and neither does a field that is carried and
//! not compared: each field of the request must be read from [`Sides`], and [`check`] goes through
//! the reply and its call data.

use alloc::{borrow::Cow, vec::Vec};

use primitive_types::U256;

use super::finding::Rule;
use super::{
    Deployment, EstimateReply, EstimateRequest, Expectations, GasDetails, TransactionFees,
};
use crate::document::{Field, Is, Parts, Table, Typed, Value, Valued, equal_bytes, path_in, split};
use crate::intent::Intent;
use crate::user_op::{Call, GasLimit, PaymasterData};
use crate::value::{Address, ChainId, FeePayerAddress, HexBytes, JobId, Nonce, Quantity128};

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

    /// The parts of the reply that could be read.
    pub(super) const fn reply(&self) -> Parts<'_, EstimateReply> {
        Parts::of(&self.reply)
    }

    /// The number of a gas limit, and its value in the reply.
    pub(super) fn gas(&self, limit: GasLimit) -> Option<(U256, &Value)> {
        let value = self.reply.at(gas(limit));
        let number = match value {
            Value::Quantity128(limit) => limit.to_u256(),
            Value::Quantity(limit) => limit.value(),
            _ => return None,
        };
        Some((number, value))
    }

    const fn call(&self) -> Option<&Call> {
        self.call.as_ref()
    }

    fn expect(&self) -> Option<&Expectations> {
        self.known?.expect.as_ref()
    }
}

/// The path of a part of the reply.
#[track_caller]
const fn at(path: &'static str) -> &'static str {
    path_in(EstimateReply::TABLES, path)
}

/// A part of the reply with this type.
#[track_caller]
const fn typed<T: Typed>(path: &'static str) -> Field<EstimateReply, T> {
    Field::of(path)
}

/// A value beside the reply; nothing if it is not known.
pub(super) type Beside = fn(&Sides<'_>) -> Option<Value>;

/// A value that a rule compares: a part of the reply, or what is beside it.
pub(super) enum Compared {
    Reply(&'static str),
    Beside(Beside),
}

impl Compared {
    /// Its value; nothing if it could not be read, or is not known.
    pub(super) fn value<'s>(&self, sides: &'s Sides<'_>) -> Option<Cow<'s, Value>> {
        match self {
            Self::Reply(path) => match sides.reply.at(path) {
                Value::Unread => None,
                value => Some(Cow::Borrowed(value)),
            },
            Self::Beside(value) => value(sides).map(Cow::Owned),
        }
    }

    const fn is_at(&self, row: &Below<'_>) -> bool {
        if let Self::Reply(path) = self { row.is_at(path) } else { false }
    }
}

/// A rule: two values that must be the same.
pub(super) struct Equal {
    pub(super) rule: Rule,
    /// Where the difference is reported, in the reply.
    pub(super) path: &'static str,
    /// The field of the call data that the rule is about.
    pub(super) field: &'static str,
    pub(super) found: Compared,
    pub(super) expected: Compared,
    /// By whom the value is expected.
    pub(super) by: &'static str,
}

/// A field of the reply must be equal to a value beside it.
const fn equal(rule: Rule, found: &'static str, by: &'static str, expected: Beside) -> Equal {
    let path = at(found);
    let (found, expected) = (Compared::Reply(path), Compared::Beside(expected));
    Equal { rule, path, field: "", found, expected, by }
}

/// A field of the call data must be what the request or the reply says.
const fn called(field: &'static str, by: &'static str, expected: Compared, found: Beside) -> Equal {
    let (rule, path) = (Rule::CallData, CALL_DATA.path());
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
        expected: Compared::Reply(USER.path()),
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
    called("userSWA", "reply", Compared::Reply(USER.path()), |s| some(&s.call()?.user_swa)),
    called("policies", "reply", Compared::Reply(POLICIES), |s| some(&s.call()?.policies)),
    called("gsn.isRequired", "reply", Compared::Reply(at("data.callData.gsn.isRequired")), |s| {
        some(&s.call()?.gsn.is_required)
    }),
    called("gsn.requiredNetworks", "reply", Compared::Reply(NETWORKS.path()), |s| {
        some(&s.call()?.gsn.required_networks)
    }),
];

/// The fields of the call data that are compared beside these rules: the intent, and the deployment's job manager.
const CALLED_BESIDE: [&str; 2] =
    [path_in(Call::TABLES, "intent"), path_in(Call::TABLES, "jobManager")];

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

/// The path of a gas limit.
pub(super) const fn gas(limit: GasLimit) -> &'static str {
    // Found when it compiles: the search for a key has an end that panics.
    match limit {
        GasLimit::Call => const { at("data.userOps.callGasLimit") },
        GasLimit::Verification => const { at("data.userOps.verificationGasLimit") },
        GasLimit::PreVerification => const { at("data.userOps.preVerificationGas") },
        GasLimit::Paymaster => const { at("data.userOps.paymasterVerificationGasLimit") },
        GasLimit::PostOp => const { at("data.userOps.paymasterPostOpGasLimit") },
    }
}

pub(super) const CAP: Field<EstimateReply, Quantity128> = typed("data.userOps.maxFeePerGas");
pub(super) const TIP: Field<EstimateReply, Quantity128> =
    typed("data.userOps.maxPriorityFeePerGas");
pub(super) const CALL_DATA: Field<EstimateReply, HexBytes> = typed("data.userOps.callData");
pub(super) const GRANT: Field<EstimateReply, HexBytes> = typed("data.userOps.paymasterData");
pub(super) const USER: Field<EstimateReply, Address> = typed("data.callData.userSWA");
pub(super) const SPONSORSHIP: Field<EstimateReply, bool> =
    typed("data.callData.policies.sponsorshipEnabled");
pub(super) const NETWORKS: Field<EstimateReply, Vec<ChainId>> =
    typed("data.callData.gsn.requiredNetworks");
pub(super) const FEES: Field<EstimateReply, TransactionFees> =
    typed("data.details.fees.transactionFees");
pub(super) const STATUS: &str = at("status");
pub(super) const INTENT_TYPE: &str = at("data.callData.intentType");
pub(super) const PAYLOAD: &str = at("data.callData.payload");
pub(super) const POLICIES: &str = at("data.callData.policies");
pub(super) const GSN: &str = at("data.callData.gsn");
pub(super) const SENDER: &str = at("data.userOps.sender");
pub(super) const OPERATION: &str = at("data.userOps");

/// Fields that a request leaves open, and that no signature covers.
pub(super) const OPEN: [&str; 5] = [
    at("data.callData.gsn.isPossible"),
    at("data.callData.gsn.tokens"),
    at("data.details.estimation"),
    at("data.details.swapFees"),
    at("data.details.fees.approxTransactionFeesInUSDT"),
];

/// Fields that a request leaves open, but that a signature covers: the deployment and the caller's expectations bind them.
const SIGNED: [&str; 6] = [
    at("data.userOps.paymaster"),
    gas(GasLimit::Call),
    gas(GasLimit::PostOp),
    gas(GasLimit::Paymaster),
    gas(GasLimit::PreVerification),
    gas(GasLimit::Verification),
];

/// Parts of a reply that a function compares, and not a rule of a list.
const BY_FUNCTION: [&str; 5] = [STATUS, INTENT_TYPE, PAYLOAD, CALL_DATA.path(), FEES.path()];

/// A row of a table, below the rows of others.
struct Below<'a> {
    above: Option<&'a Self>,
    key: &'a str,
}

impl Below<'_> {
    /// The rest of a path that leads through this row.
    const fn rest<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        let path = match self.above {
            Some(above) => above.rest(path),
            None => Some(path),
        };
        match path {
            Some(path) if equal_bytes(split(path).0, self.key.as_bytes()) => Some(split(path).1),
            Some(_) | None => None,
        }
    }

    const fn is_at(&self, path: &str) -> bool {
        matches!(self.rest(path.as_bytes()), Some([]))
    }

    const fn is_at_one(&self, mut paths: &[&str]) -> bool {
        while let [path, others @ ..] = paths {
            if self.is_at(path) {
                return true;
            }
            paths = others;
        }
        false
    }

    /// `true` if a rule is about this row: of the reply by its sides, of the call data by its field.
    const fn has_rule(&self, mut rules: &[Equal], is_reply: bool) -> bool {
        while let [rule, others @ ..] = rules {
            let is_about = if is_reply {
                rule.found.is_at(self) || rule.expected.is_at(self)
            } else {
                self.is_at(rule.field)
            };
            if is_about {
                return true;
            }
            rules = others;
        }
        false
    }

    /// `true` if all of this row is checked, or open.
    const fn is_checked(&self, is_reply: bool) -> bool {
        if !is_reply {
            return self.has_rule(&CALLED, false) || self.is_at_one(&CALLED_BESIDE);
        }
        self.has_rule(&REQUESTED, true)
            || self.has_rule(&CALLED, true)
            || self.is_at_one(&OPEN)
            || self.is_at_one(&SIGNED)
            || self.is_at_one(&BY_FUNCTION)
    }
}

/// Fails to compile if a field of the reply is neither checked nor listed as open, or one of its call data is not checked.
const _: () = {
    check(EstimateReply::TABLE, None, true);
    check(Call::TABLE, None, false);
};

#[expect(clippy::panic, reason = "it ends the compilation")]
const fn check(table: &Table, above: Option<&Below<'_>>, is_reply: bool) {
    let mut rows = table.rows;
    while let [row, others @ ..] = rows {
        let below = Below { above, key: row.key };
        match row.is {
            _ if below.is_checked(is_reply) => {}
            Is::Record(table) => check(table, Some(&below), is_reply),
            _ => {
                panic!("expected a rule about every field that is carried, or its place in `OPEN`")
            }
        }
        rows = others;
    }
}
