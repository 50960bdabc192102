//! Checks of a reply beyond its request: the deployment, and the caller's expectations.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use primitive_types::U256;

use super::deployment::{Expectations, GasBounds, GasExpectations};
use super::reply::ReplyParts;
use super::{Deployment, EstimateRequest};
use super::{Finding, Rule};
use crate::error::{Issue, IssueCode, Issues};
use crate::user_op::{Call, MAX_GAS_BITS, PaymasterData, Seconds};
use crate::value::{HexBytes, product};

/// Reports an issue of code `rule` for every part of a reply that does not match the deployment or the expectations.
/// Only fields that could be read are checked.
pub(super) fn judge(reply: &ReplyParts, call: Option<&Call>, at: &Deployment, issues: &mut Issues) {
    let op = &reply.data.user_ops;
    let (client, paymaster) = (Some(&at.client_swa), Some(&at.paymaster));
    let paymaster_data = op.paymaster_data.as_ref().and_then(decode);
    for (path, what, found, expected) in [
        ("data.callData.clientSWA", "client", reply.data.call_data.client_swa.as_ref(), client),
        ("data.userOps.callData", "job manager", call.map(|call| &call.job_manager), Some(&at.job_manager)),
        ("data.userOps.callData", "client", call.map(|call| &call.client_swa), client),
        ("data.userOps.paymaster", "paymaster", op.paymaster.as_ref(), paymaster),
        ("data.userOps.paymasterData", "client", paymaster_data.as_ref().map(|data| &data.client_swa), client),
    ] {
        differ(path, &format!(" (the deployment's {what})"), found, expected, issues);
    }
    judge_gas(reply, at.expect.as_ref(), issues);
    if let Some(expected) = &at.expect {
        expected.judge(reply, issues);
    }
}

fn decode(data: &HexBytes) -> Option<PaymasterData> {
    PaymasterData::decode(data.as_slice()).ok()
}

/// Reports an issue if the value found is not the expected one.
fn differ<T: PartialEq + ToString>(path: &str, by: &str, found: Option<&T>, expected: Option<&T>, issues: &mut Issues) {
    if let (Some(found), Some(expected)) = (found, expected)
        && found != expected
    {
        push(path, &expected.to_string(), by, &found.to_string(), issues);
    }
}

fn push(path: &str, expected: &str, by: &str, found: &str, issues: &mut Issues) {
    issues.add(Finding::of_value(Rule::Shape, path, expected, by, found).into_issue());
}

/// Checks the EntryPoint's bounds, and the highest accepted cost.
fn judge_gas(reply: &ReplyParts, expected: Option<&Expectations>, issues: &mut Issues) {
    const PATH: &str = "data.userOps";
    let op = &reply.data.user_ops;
    let wide = |quantity: Option<crate::value::Quantity128>| quantity.map(|quantity| U256::from(quantity.value()));
    let limits = [
        wide(op.call_gas_limit),
        wide(op.verification_gas_limit),
        op.pre_verification_gas.map(|quantity| quantity.value()),
        wide(op.paymaster_verification_gas_limit),
        wide(op.paymaster_post_op_gas_limit),
    ];
    let (cap, tip) = (wide(op.max_fee_per_gas), wide(op.max_priority_fee_per_gas));
    let values = limits.iter().copied().chain([cap, tip]).flatten();
    if let Some(bits) = values.map(|value| value.bits()).filter(|bits| *bits > MAX_GAS_BITS).max() {
        let message = format!(
            "expected gas limits and fees of at most {MAX_GAS_BITS} bits, as the EntryPoint does (AA94), found {bits}"
        );
        issues.add(Issue::new(PATH.into(), IssueCode::Rule, message));
    }
    let gas = limits.into_iter().flatten().fold(U256::zero(), U256::saturating_add);
    if let (Some(most), Some(cap)) = (expected.and_then(|expected| expected.max_cost.as_ref()), cap) {
        let cost = product(gas, cap).unwrap_or(U256::MAX);
        if cost > most.value() {
            push(PATH, &most.to_string(), " or less (expected)", &crate::value::decimal(cost), issues);
        }
    }
}

/// Returns the paths of the reply's fields that a signature covers and that the caller does not bind. A bound of gas or
/// cost binds a limit only if it excludes something: the call and the paymaster's work after it also fail with too little.
pub(super) fn unbound(at: &Deployment, request: &EstimateRequest) -> Vec<String> {
    let expect = at.expect.as_ref();
    let gas = expect.and_then(|expect| expect.gas.as_ref());
    let cost =
        expect.is_some_and(|expect| expect.max_cost.is_some()) && request.gas_details.max_fee_per_gas.value() > 0;

    let most = |bounds: Option<&GasBounds>| cost || bounds.is_some_and(|bounds| bounds.most.is_some());
    let both = |bounds: Option<&GasBounds>| {
        let least = bounds.and_then(|bounds| bounds.least);
        most(bounds) && least.is_some_and(|least| !least.value().is_zero())
    };
    let limit = |limit: fn(&GasExpectations) -> &Option<GasBounds>| gas.and_then(|gas| limit(gas).as_ref());

    [
        ("data.userOps.sender", expect.is_some_and(|expect| expect.user_swa.is_some())),
        ("data.callData.policies", expect.is_some_and(|expect| expect.policies.is_some())),
        ("data.callData.gsn", expect.is_some_and(|expect| expect.gsn.is_some())),
        ("data.userOps.callGasLimit", both(limit(|gas| &gas.call_gas_limit))),
        ("data.userOps.verificationGasLimit", most(limit(|gas| &gas.verification_gas_limit))),
        ("data.userOps.preVerificationGas", most(limit(|gas| &gas.pre_verification_gas))),
        ("data.userOps.paymasterVerificationGasLimit", most(limit(|gas| &gas.paymaster_verification_gas_limit))),
        ("data.userOps.paymasterPostOpGasLimit", both(limit(|gas| &gas.paymaster_post_op_gas_limit))),
    ]
    .into_iter()
    .filter(|(_, is_bound)| !is_bound)
    .map(|(path, _)| path.into())
    .collect()
}

impl Expectations {
    fn judge(&self, reply: &ReplyParts, issues: &mut Issues) {
        const BY: &str = " (expected)";
        let (call_data, op) = (&reply.data.call_data, &reply.data.user_ops);
        differ("data.userOps.sender", BY, op.sender.as_ref(), self.user_swa.as_ref(), issues);
        if let Some(expected) = &self.policies {
            let found = &call_data.policies;
            let (gsn, sponsorship) = (Some(&expected.gsn_enabled), Some(&expected.sponsorship_enabled));
            differ("data.callData.policies.gsnEnabled", BY, found.gsn_enabled.as_ref(), gsn, issues);
            let path = "data.callData.policies.sponsorshipEnabled";
            differ(path, BY, found.sponsorship_enabled.as_ref(), sponsorship, issues);
        }
        if let Some(expected) = &self.gsn {
            let path = "data.callData.gsn.isRequired";
            differ(path, BY, call_data.gsn.is_required.as_ref(), Some(&expected.is_required), issues);
            if let Some(found) = &call_data.gsn.required_networks {
                let texts =
                    |list: &[crate::value::ChainId]| list.iter().map(|chain| format!("{chain} ")).collect::<String>();
                let (found, expected) = (texts(found), texts(&expected.required_networks));
                let path = "data.callData.gsn.requiredNetworks";
                differ(
                    path,
                    BY,
                    Some(&found.trim()).copied().map(String::from).as_ref(),
                    Some(&expected.trim().into()),
                    issues,
                );
            }
        }
        if let Some(gas) = &self.gas {
            gas.judge(reply, issues);
        }
        if let (Some(now), Some(data)) = (self.now, &op.paymaster_data) {
            judge_time(now, decode(data), issues);
        }
    }
}

impl GasExpectations {
    fn judge(&self, reply: &ReplyParts, issues: &mut Issues) {
        let op = &reply.data.user_ops;
        let wide = |quantity: Option<crate::value::Quantity128>| quantity.map(crate::value::Quantity::from);
        for (path, bounds, found) in [
            ("data.userOps.callGasLimit", &self.call_gas_limit, wide(op.call_gas_limit)),
            ("data.userOps.verificationGasLimit", &self.verification_gas_limit, wide(op.verification_gas_limit)),
            ("data.userOps.preVerificationGas", &self.pre_verification_gas, op.pre_verification_gas),
            (
                "data.userOps.paymasterVerificationGasLimit",
                &self.paymaster_verification_gas_limit,
                wide(op.paymaster_verification_gas_limit),
            ),
            (
                "data.userOps.paymasterPostOpGasLimit",
                &self.paymaster_post_op_gas_limit,
                wide(op.paymaster_post_op_gas_limit),
            ),
        ] {
            let (Some(GasBounds { least, most }), Some(found)) = (bounds, found) else { continue };
            if let Some(least) = least.filter(|least| found < *least) {
                push(path, &least.to_string(), " or more (expected)", &found.to_string(), issues);
            }
            if let Some(most) = most.filter(|most| found > *most) {
                push(path, &most.to_string(), " or less (expected)", &found.to_string(), issues);
            }
        }
    }
}

/// Checks the time: the paymaster pays from the second after `validAfter` up to and including `validUntil`; 0 means no
/// end.
fn judge_time(now: Seconds, data: Option<PaymasterData>, issues: &mut Issues) {
    const PATH: &str = "data.userOps.paymasterData";
    let Some(PaymasterData { valid_until, valid_after, .. }) = data else {
        let message = "expected the times at which the paymaster pays, found data of another layout".into();
        return issues.add(Issue::new(PATH.into(), IssueCode::Rule, message));
    };
    let (now, after, until) = (now.get(), valid_after.get(), valid_until.get());
    if now <= after || until != 0 && now > until {
        let expected =
            if until == 0 { format!("later than {after}") } else { format!("later than {after} and up to {until}") };
        push(PATH, &expected, " (the paymaster pays)", &format!("{now}"), issues);
    }
}
