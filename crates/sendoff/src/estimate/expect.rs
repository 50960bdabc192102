//! Checks of a reply beyond its request: the deployment, and the caller's expectations.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::comparison::{CallDataFields, DataFields, GsnFields, OpFields, PoliciesFields, ReplyFields};
use super::deployment::{Expectations, GasBounds, GasExpectations};
use super::reply::{EstimateData, EstimateReply, ReplyCallData, ReplyParts};
use super::{Deployment, Finding, Gsn, Rule};
use crate::document::{Document, Part, Read};
use crate::error::{IssueCode, Issues, Path};
use crate::user_op::{Call, GsnRequirement, MAX_GAS_BITS, PaymasterData, Policies, PreparedUserOp, Seconds};
use crate::value::{ChainId, FeeAmount, HexBytes, Quantity, Spell, decimal, fill, product};

/// Reports an issue of code `rule` for every part of a reply that does not match the deployment or the expectations.
/// Only fields that could be read are checked. Returns the paths of the fields that a signature covers and that the
/// caller does not bind.
///
/// Everything is taken apart without `..`: a part that is added and that nothing here speaks of does not compile.
#[deny(unused_variables)]
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

    // The request or nothing binds the parts that are left out here: see the comparison.
    let reply = Part::root(reply);
    let ReplyFields { status: _, data } = EstimateReply::fields(&reply);
    let DataFields { call_data: said, details: _, user_ops } = EstimateData::fields(&data);
    let CallDataFields {
        client_swa: said_client,
        gsn: said_gsn,
        policies: said_policies,
        fee_payer_address: _,
        intent: _,
        job_id: _,
        user_swa: _,
    } = ReplyCallData::fields(&said);
    let OpFields {
        call_data,
        call_gas_limit,
        max_fee_per_gas,
        max_priority_fee_per_gas,
        nonce: _,
        paymaster: payer,
        paymaster_data,
        paymaster_post_op_gas_limit,
        paymaster_verification_gas_limit,
        pre_verification_gas,
        sender,
        verification_gas_limit,
    } = PreparedUserOp::fields(&user_ops);

    let client = Expected { value: client_swa, by: " (the deployment's client)" };
    client.check(&said_client, issues);
    if let Some(call) = call {
        let Call {
            job_manager: called,
            client_swa: caller,
            job_id: _,
            user_swa: _,
            fee_payer_address: _,
            policies: _,
            gsn: _,
            intent: _,
        } = call;
        let manager = Expected { value: job_manager, by: " (the deployment's job manager)" };
        manager.check_value(&call_data.at, called, issues);
        client.check_value(&call_data.at, caller, issues);
    }
    Expected { value: paymaster, by: " (the deployment's paymaster)" }.check(&payer, issues);
    let grant = paymaster_data.parts.as_ref().and_then(decode);
    if let Some(grant) = &grant {
        client.check_value(&paymaster_data.at, &grant.client_swa, issues);
    }

    let [call_bounds, verification_bounds, pre_verification_bounds, paymaster_bounds, post_op_bounds] =
        bounds(gas.as_ref());
    let limits = [
        Limit::of(&call_gas_limit, call_bounds, true),
        Limit::of(&verification_gas_limit, verification_bounds, false),
        Limit::of(&pre_verification_gas, pre_verification_bounds, false),
        Limit::of(&paymaster_verification_gas_limit, paymaster_bounds, false),
        Limit::of(&paymaster_post_op_gas_limit, post_op_bounds, true),
    ];
    let [cap, tip] = [max_fee_per_gas.parts, max_priority_fee_per_gas.parts].map(|fee| fee.map(Quantity::from));
    judge_gas_bits(limits.iter().map(|limit| limit.found).chain([cap, tip]), &user_ops.at, issues);
    judge_cost(&limits, cap, max_cost.as_ref(), &user_ops.at, issues);

    if let Some(user) = user_swa {
        Expected { value: user, by: EXPECTED }.check(&sender, issues);
    }
    if let Some(expected) = policies {
        judge_policies(expected, &said_policies, issues);
    }
    if let Some(expected) = gsn {
        judge_gsn(expected, &said_gsn, issues);
    }
    limits.iter().for_each(|limit| limit.check(issues));
    if let (Some(now), Some(_)) = (now, paymaster_data.parts) {
        judge_time(*now, grant, &paymaster_data.at, issues);
    }

    let cost_binds = max_cost.is_some() && cap.is_some_and(|fee| !fee.value().is_zero());
    let bound =
        [(&sender.at, user_swa.is_some()), (&said_policies.at, policies.is_some()), (&said_gsn.at, gsn.is_some())];
    let bound = bound.into_iter().chain(limits.iter().map(|limit| (&limit.at, limit.is_bound(cost_binds))));
    bound.filter(|(_, is_bound)| !is_bound).map(|(at, _)| at.to_text()).collect()
}

/// Words about the side that expects a value.
const EXPECTED: &str = " (expected)";

/// An expected value, and words about the side that expects it.
struct Expected<'a, T> {
    value: &'a T,
    by: &'a str,
}

impl<T: PartialEq + Spell> Expected<'_, T> {
    /// Reports an issue if the part could be read and has another value.
    fn check(&self, found: &Part<'_, Option<T>>, issues: &mut Issues) {
        if let Some(value) = found.parts {
            self.check_value(&found.at, value, issues);
        }
    }

    /// Reports an issue if the value is another one.
    fn check_value(&self, at: &Path<'_>, found: &T, issues: &mut Issues) {
        if found != self.value {
            push(at, self.value, self.by, found, issues);
        }
    }
}

fn push(at: &Path<'_>, expected: &dyn Spell, by: &str, found: &dyn Spell, issues: &mut Issues) {
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

/// Returns the bounds of the five limits, in the order of the expectations.
fn bounds(expected: Option<&GasExpectations>) -> [Option<&GasBounds>; 5] {
    let Some(GasExpectations {
        call_gas_limit,
        verification_gas_limit,
        pre_verification_gas,
        paymaster_verification_gas_limit,
        paymaster_post_op_gas_limit,
    }) = expected
    else {
        return [None; 5];
    };
    [
        call_gas_limit.as_ref(),
        verification_gas_limit.as_ref(),
        pre_verification_gas.as_ref(),
        paymaster_verification_gas_limit.as_ref(),
        paymaster_post_op_gas_limit.as_ref(),
    ]
}

impl<'a> Limit<'a> {
    fn of<T: Copy + Into<Quantity>>(
        found: &Part<'a, Option<T>>,
        bounds: Option<&'a GasBounds>,
        is_fatal: bool,
    ) -> Self {
        Self { at: found.at, found: found.parts.map(Into::into), bounds, is_fatal }
    }

    /// Reports an issue if the limit is outside its bounds.
    fn check(&self, issues: &mut Issues) {
        let (Some(GasBounds { least, most }), Some(found)) = (self.bounds, self.found) else { return };

        if let Some(least) = least.filter(|least| found < *least) {
            push(&self.at, &least, " or more (expected)", &found, issues);
        }
        if let Some(most) = most.filter(|most| found > *most) {
            push(&self.at, &most, " or less (expected)", &found, issues);
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
        let template = "expected gas limits and fees of at most {} bits, as the EntryPoint does (AA94), found {}";
        let message = fill(template, &[&MAX_GAS_BITS, &bits]);
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
        push(at, most, " or less (expected)", &decimal(cost), issues);
    }
}

fn judge_policies(expected: &Policies, found: &Part<'_, <Policies as Read>::Partial>, issues: &mut Issues) {
    let Policies { gsn_enabled, sponsorship_enabled } = expected;
    let PoliciesFields { gsn_enabled: found_gsn, sponsorship_enabled: found_sponsorship } = Policies::fields(found);

    for (value, found) in [(gsn_enabled, found_gsn), (sponsorship_enabled, found_sponsorship)] {
        Expected { value, by: EXPECTED }.check(&found, issues);
    }
}

fn judge_gsn(expected: &GsnRequirement, found: &Part<'_, <Gsn as Read>::Partial>, issues: &mut Issues) {
    let GsnRequirement { is_required, required_networks } = expected;
    // The request leaves the others open, and no signature covers them.
    let GsnFields { is_required: found_required, required_networks: found_networks, is_possible: _, tokens: _ } =
        Gsn::fields(found);

    Expected { value: is_required, by: EXPECTED }.check(&found_required, issues);

    let texts = |list: &[ChainId]| list.iter().map(ChainId::to_text).collect::<Vec<_>>().join(" ");
    if let Some(networks) = found_networks.parts {
        let expected = texts(required_networks);
        Expected { value: &expected, by: EXPECTED }.check_value(&found_networks.at, &texts(networks), issues);
    }
}

/// Checks the time: the paymaster pays from the second after `validAfter` up to and including `validUntil`; 0 means no
/// end.
fn judge_time(now: Seconds, data: Option<PaymasterData>, at: &Path<'_>, issues: &mut Issues) {
    // The request binds all bytes, and the deployment the client.
    let Some(PaymasterData { client_swa: _, valid_until, valid_after, signature: _ }) = data else {
        let message = "expected the times at which the paymaster pays, found data of another layout".into();
        return issues.push(at, IssueCode::Rule, message);
    };

    let (now, after, until) = (now.get(), valid_after.get(), valid_until.get());
    if now <= after || until != 0 && now > until {
        let expected = if until == 0 { "later than {}" } else { "later than {} and up to {}" };
        push(at, &fill(expected, &[&after, &until]), " (the paymaster pays)", &now, issues);
    }
}
