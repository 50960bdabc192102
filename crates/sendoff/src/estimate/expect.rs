//! Checks of a reply beyond its request: the deployment, and the caller's expectations.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use primitive_types::U256;

use super::comparison::{CallDataFields, DataFields, GsnFields, OpFields, PoliciesFields, ReplyFields};
use super::deployment::{Expectations, GasBounds, GasExpectations};
use super::reply::{EstimateData, EstimateReply, ReplyCallData, ReplyParts};
use super::{Deployment, Finding, Gsn, Rule};
use crate::document::{Document, Part, Read};
use crate::error::{IssueCode, Issues, Path};
use crate::user_op::{Call, GsnRequirement, MAX_GAS_BITS, PaymasterData, Policies, PreparedUserOp, Seconds};
use crate::value::{ChainId, FeeAmount, HexBytes, Quantity, Quantity128, decimal, product};

/// Reports an issue of code `rule` for every part of a reply that does not match the deployment or the expectations.
/// Only fields that could be read are checked. Returns the paths of the fields that a signature covers and that the
/// caller does not bind.
///
/// Deployment and expectations are taken apart without `..`: one that is added and not checked does not compile.
pub(super) fn judge(reply: &ReplyParts, call: Option<&Call>, at: &Deployment, issues: &mut Issues) -> Vec<String> {
    let Deployment {
        // The hash covers these.
        entry_point: _,
        chain_id: _,
        version: _,
        gas_fee_order: _,
        signs: _,
        // Warnings are about these.
        known: _,
        wallets: _,
        job_manager,
        paymaster,
        client_swa,
        expect,
    } = at;
    let nothing = Expectations::default();
    let Expectations { user_swa, policies, gsn, max_cost, gas, now } = expect.as_ref().unwrap_or(&nothing);

    let reply = Part::root(reply);
    let ReplyFields { status: _, data } = EstimateReply::fields(&reply);
    let DataFields { call_data, details: _, user_ops } = EstimateData::fields(&data);
    let said: CallDataFields<'_> = ReplyCallData::fields(&call_data);
    let op: OpFields<'_> = PreparedUserOp::fields(&user_ops);

    let client = Expected { value: client_swa, by: " (the deployment's client)" };
    client.check(&said.client_swa.at, said.client_swa.parts.as_ref(), issues);
    let manager = Expected { value: job_manager, by: " (the deployment's job manager)" };
    manager.check(&op.call_data.at, call.map(|call| &call.job_manager), issues);
    client.check(&op.call_data.at, call.map(|call| &call.client_swa), issues);
    let payer = Expected { value: paymaster, by: " (the deployment's paymaster)" };
    payer.check(&op.paymaster.at, op.paymaster.parts.as_ref(), issues);
    let grant = op.paymaster_data.parts.as_ref().and_then(decode);
    client.check(&op.paymaster_data.at, grant.as_ref().map(|grant| &grant.client_swa), issues);

    let limits = limits(&op, gas.as_ref());
    let [cap, tip] = [op.max_fee_per_gas.parts, op.max_priority_fee_per_gas.parts].map(|fee| fee.map(Quantity::from));
    judge_gas_bits(limits.iter().map(|limit| limit.found).chain([cap, tip]), &user_ops.at, issues);
    judge_cost(&limits, cap, max_cost.as_ref(), &user_ops.at, issues);

    if let Some(user) = user_swa {
        Expected { value: user, by: EXPECTED }.check(&op.sender.at, op.sender.parts.as_ref(), issues);
    }
    if let Some(expected) = policies {
        judge_policies(expected, &said.policies, issues);
    }
    if let Some(expected) = gsn {
        judge_gsn(expected, &said.gsn, issues);
    }
    limits.iter().for_each(|limit| limit.check(issues));
    if let (Some(now), Some(data)) = (now, op.paymaster_data.parts) {
        judge_time(*now, decode(data), &op.paymaster_data.at, issues);
    }

    let cost_binds = max_cost.is_some() && cap.is_some_and(|fee| !fee.value().is_zero());
    let bound =
        [(&op.sender.at, user_swa.is_some()), (&said.policies.at, policies.is_some()), (&said.gsn.at, gsn.is_some())];
    let bound = bound.into_iter().chain(limits.iter().map(|limit| (&limit.at, limit.is_bound(cost_binds))));
    bound.filter(|(_, is_bound)| !is_bound).map(|(at, _)| at.to_string()).collect()
}

/// Words about the side that expects a value.
const EXPECTED: &str = " (expected)";

/// An expected value, and words about the side that expects it.
struct Expected<'a, T> {
    value: &'a T,
    by: &'a str,
}

impl<T: PartialEq + ToString> Expected<'_, T> {
    /// Reports an issue if the value found is another one.
    fn check(&self, at: &Path<'_>, found: Option<&T>, issues: &mut Issues) {
        if let Some(found) = found.filter(|found| *found != self.value) {
            push(at, &self.value.to_string(), self.by, &found.to_string(), issues);
        }
    }
}

fn push(at: &Path<'_>, expected: &str, by: &str, found: &str, issues: &mut Issues) {
    issues.add(Finding::of_value(Rule::Shape, at, expected, by, found).into_issue());
}

fn decode(data: &HexBytes) -> Option<PaymasterData> {
    PaymasterData::decode(data.as_slice()).ok()
}

/// A gas limit of the operation, and what is expected of it.
struct Limit<'a> {
    at: Path<'a>,
    found: Option<Quantity>,
    bounds: Option<&'a GasBounds>,
    /// `true` if too little gas makes the operation fail after it is paid for. Too little for a verification means that
    /// it is not executed.
    is_fatal: bool,
}

/// Returns the five limits, in the order of the expectations.
fn limits<'a>(op: &'a OpFields<'_>, expected: Option<&'a GasExpectations>) -> [Limit<'a>; 5] {
    const NOTHING: &GasExpectations = &GasExpectations {
        call_gas_limit: None,
        verification_gas_limit: None,
        pre_verification_gas: None,
        paymaster_verification_gas_limit: None,
        paymaster_post_op_gas_limit: None,
    };
    let GasExpectations {
        call_gas_limit,
        verification_gas_limit,
        pre_verification_gas,
        paymaster_verification_gas_limit,
        paymaster_post_op_gas_limit,
    } = expected.unwrap_or(NOTHING);

    let limit = |found: &'a Part<'_, Option<Quantity128>>, bounds: &'a Option<GasBounds>, is_fatal| Limit {
        at: found.at,
        found: found.parts.map(Quantity::from),
        bounds: bounds.as_ref(),
        is_fatal,
    };
    [
        limit(&op.call_gas_limit, call_gas_limit, true),
        limit(&op.verification_gas_limit, verification_gas_limit, false),
        Limit {
            at: op.pre_verification_gas.at,
            found: *op.pre_verification_gas.parts,
            bounds: pre_verification_gas.as_ref(),
            is_fatal: false,
        },
        limit(&op.paymaster_verification_gas_limit, paymaster_verification_gas_limit, false),
        limit(&op.paymaster_post_op_gas_limit, paymaster_post_op_gas_limit, true),
    ]
}

impl Limit<'_> {
    /// Reports an issue if the limit is outside its bounds.
    fn check(&self, issues: &mut Issues) {
        let (Some(GasBounds { least, most }), Some(found)) = (self.bounds, self.found) else { return };

        if let Some(least) = least.filter(|least| found < *least) {
            push(&self.at, &least.to_string(), " or more (expected)", &found.to_string(), issues);
        }
        if let Some(most) = most.filter(|most| found > *most) {
            push(&self.at, &most.to_string(), " or less (expected)", &found.to_string(), issues);
        }
    }

    /// `true` if the caller's bounds exclude what harms: too much gas, and too little if that is fatal.
    fn is_bound(&self, cost_binds: bool) -> bool {
        let has_most = cost_binds || self.bounds.is_some_and(|bounds| bounds.most.is_some());
        let least = self.bounds.and_then(|bounds| bounds.least);
        has_most && (!self.is_fatal || least.is_some_and(|least| !least.value().is_zero()))
    }
}

/// Checks the EntryPoint's bounds of gas limits and fees.
fn judge_gas_bits(values: impl Iterator<Item = Option<Quantity>>, at: &Path<'_>, issues: &mut Issues) {
    let bits = values.flatten().map(|value| value.value().bits()).filter(|bits| *bits > MAX_GAS_BITS);
    if let Some(bits) = bits.max() {
        let message = format!(
            "expected gas limits and fees of at most {MAX_GAS_BITS} bits, as the EntryPoint does (AA94), found {bits}"
        );
        issues.push(at, IssueCode::Rule, message);
    }
}

/// Checks the highest accepted cost.
fn judge_cost(
    limits: &[Limit<'_>],
    cap: Option<Quantity>,
    most: Option<&FeeAmount>,
    at: &Path<'_>,
    issues: &mut Issues,
) {
    let (Some(most), Some(cap)) = (most, cap) else { return };
    let gas = limits.iter().filter_map(|limit| limit.found);
    let gas = gas.fold(U256::zero(), |sum, limit| sum.saturating_add(limit.value()));

    let cost = product(gas, cap.value()).unwrap_or(U256::MAX);
    if cost > most.value() {
        push(at, &most.to_string(), " or less (expected)", &decimal(cost), issues);
    }
}

fn judge_policies(expected: &Policies, found: &Part<'_, <Policies as Read>::Partial>, issues: &mut Issues) {
    let Policies { gsn_enabled, sponsorship_enabled } = expected;
    let found: PoliciesFields<'_> = Policies::fields(found);

    for (value, found) in [(gsn_enabled, found.gsn_enabled), (sponsorship_enabled, found.sponsorship_enabled)] {
        Expected { value, by: EXPECTED }.check(&found.at, found.parts.as_ref(), issues);
    }
}

fn judge_gsn(expected: &GsnRequirement, found: &Part<'_, <Gsn as Read>::Partial>, issues: &mut Issues) {
    let GsnRequirement { is_required, required_networks } = expected;
    let found: GsnFields<'_> = Gsn::fields(found);

    Expected { value: is_required, by: EXPECTED }.check(
        &found.is_required.at,
        found.is_required.parts.as_ref(),
        issues,
    );

    let texts = |list: &[ChainId]| list.iter().map(ChainId::to_string).collect::<Vec<_>>().join(" ");
    let networks = found.required_networks.parts.as_deref().map(texts);
    let expected = texts(required_networks);
    Expected { value: &expected, by: EXPECTED }.check(&found.required_networks.at, networks.as_ref(), issues);
}

/// Checks the time: the paymaster pays from the second after `validAfter` up to and including `validUntil`; 0 means no
/// end.
fn judge_time(now: Seconds, data: Option<PaymasterData>, at: &Path<'_>, issues: &mut Issues) {
    let Some(PaymasterData { valid_until, valid_after, .. }) = data else {
        let message = "expected the times at which the paymaster pays, found data of another layout".into();
        return issues.push(at, IssueCode::Rule, message);
    };

    let (now, after, until) = (now.get(), valid_after.get(), valid_until.get());
    if now <= after || until != 0 && now > until {
        let expected =
            if until == 0 { format!("later than {after}") } else { format!("later than {after} and up to {until}") };
        push(at, &expected, " (the paymaster pays)", &format!("{now}"), issues);
    }
}
