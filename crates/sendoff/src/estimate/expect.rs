//! Checks of a reply beyond its request: the deployment, and the caller's expectations.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::finding::Found;
use super::scope::{self, DEPLOYED, EXPECTATIONS, EXPECTED, Equal, Figure, Sides};
use super::{Deployment, Expectations, GasBounds, Rule};
use crate::document::{Place, TypedPlace};
use crate::error::{Issue, IssueCode, Issues};
use crate::text::{WriteText, fill, text};
use crate::user_op::{GasLimit, IfLow, MAX_GAS_BITS, PaymasterData, Seconds};
use crate::value::{ChainId, decimal, product};

/// Checks what the caller knows against the reply and the content of its call data. Returns the fields of the reply that the
/// signature covers and that nothing binds.
pub(super) fn check_beyond(
    sides: &mut Sides<'_>,
    deployment: &Deployment,
    issues: &mut Issues,
) -> Vec<String> {
    let data = scope::GRANT.get(&sides.reply);
    let has_data = data.is_some();
    sides.grant = data.and_then(|data| PaymasterData::decode(data.as_slice()).ok());

    let sides = &*sides;
    let number = |place: &TypedPlace<Figure>| place.get(&sides.reply).map(|(number, _)| number);
    let figures = Figures {
        gas: GasLimit::ALL.map(|limit| (limit, scope::gas(limit).get(&sides.reply))),
        cap: number(&scope::CAP),
        tip: number(&scope::TIP),
    };
    let none = Expectations::default();
    let expect = deployment.expect.as_ref().unwrap_or(&none);

    push(&DEPLOYED, sides, issues);
    figures.check_bits(issues);
    figures.check_cost(expect, issues);
    push(&EXPECTATIONS, sides, issues);
    check_networks(sides, expect, issues);
    figures.check_bounds(expect, issues);
    if has_data && let Some(now) = expect.now {
        check_time(now, sides.grant.as_ref(), issues);
    }

    let cost_binds = expect.max_cost.is_some() && figures.cap.is_some_and(|cap| !cap.is_zero());
    let mut unbound = Vec::new();
    let mut bind = |place: &Place, is_bound: bool| {
        if !is_bound {
            unbound.push(scope::path(place));
        }
    };
    bind(&scope::SENDER, expect.user_swa.is_some());
    bind(&scope::POLICIES, expect.policies.is_some());
    bind(&scope::GSN, expect.gsn.is_some());
    for limit in GasLimit::ALL {
        bind(&scope::gas(limit).place, is_bound(expect, limit, cost_binds));
    }
    unbound
}

/// The figures of an operation, those that could be read; of a limit also the text that the reply has for it.
struct Figures<'a> {
    gas: [(GasLimit, Option<(U256, &'a dyn WriteText)>); 5],
    cap: Option<U256>,
    tip: Option<U256>,
}

fn push(rules: &[Equal], sides: &Sides<'_>, issues: &mut Issues) {
    let found = rules.iter().filter_map(|rule| rule.check(sides));
    found.for_each(|found| issues.add(found.issue));
}

fn push_difference(
    path: &Place,
    expected: &dyn WriteText,
    by: &str,
    found: &dyn WriteText,
    issues: &mut Issues,
) {
    issues.add(Found::of_value(Rule::Shape, scope::path(path), expected, by, found).issue);
}

/// Pushes an issue about a rule.
fn refuse(path: &Place, message: String, issues: &mut Issues) {
    issues.add(Issue::new(scope::path(path), IssueCode::Rule, message));
}

impl Figures<'_> {
    fn check_bits(&self, issues: &mut Issues) {
        let limits = self.gas.iter().map(|(_, limit)| limit.map(|(limit, _)| limit));
        let figures = limits.chain([self.cap, self.tip]).flatten();
        let most = figures.map(|figure| figure.bits()).max().unwrap_or(0);
        if most > MAX_GAS_BITS {
            let template = "expected gas limits and fees of at most {} bits, as the EntryPoint does (AA94), found {}";
            refuse(&scope::OPERATION, fill(template, &[&MAX_GAS_BITS, &most]), issues);
        }
    }

    /// The most that the operation can cost.
    fn check_cost(&self, expect: &Expectations, issues: &mut Issues) {
        let Some(most) = &expect.max_cost else { return };
        let limits = self.gas.iter().filter_map(|(_, limit)| *limit);
        let gas = limits.fold(U256::zero(), |sum, (limit, _)| sum.saturating_add(limit));
        let cost = self.cap.map_or(Some(U256::zero()), |cap| product(gas, cap));
        let cost = cost.unwrap_or(U256::MAX);
        if cost > most.value() {
            push_difference(
                &scope::OPERATION,
                most,
                " or less (your expectation)",
                &decimal(cost),
                issues,
            );
        }
    }

    fn check_bounds(&self, expect: &Expectations, issues: &mut Issues) {
        for (limit, found) in &self.gas {
            let (Some(bounds), Some((found, spelled))) = (bounds_of(expect, *limit), found) else {
                continue;
            };
            let path = &scope::gas(*limit).place;
            if let Some(least) = &bounds.least
                && *found < least.value()
            {
                push_difference(path, least, " or more (your expectation)", *spelled, issues);
            }
            if let Some(most) = &bounds.most
                && *found > most.value()
            {
                push_difference(path, most, " or less (your expectation)", *spelled, issues);
            }
        }
    }
}

/// The bounds that the caller expects of a limit.
const fn bounds_of(expect: &Expectations, limit: GasLimit) -> Option<&GasBounds> {
    let Some(gas) = &expect.gas else { return None };
    match limit {
        GasLimit::Call => gas.call_gas_limit.as_ref(),
        GasLimit::Verification => gas.verification_gas_limit.as_ref(),
        GasLimit::PreVerification => gas.pre_verification_gas.as_ref(),
        GasLimit::Paymaster => gas.paymaster_verification_gas_limit.as_ref(),
        GasLimit::PostOp => gas.paymaster_post_op_gas_limit.as_ref(),
    }
}

/// `true` if the caller bounds the limit. With less than the least value of some the operation fails and is paid for: a bound without
/// one does not bind those.
fn is_bound(expect: &Expectations, limit: GasLimit, cost_binds: bool) -> bool {
    let bounds = bounds_of(expect, limit);
    let has_most = cost_binds || bounds.is_some_and(|bounds| bounds.most.is_some());
    let least = bounds.and_then(|bounds| bounds.least);
    let is_fatal = limit.if_low() == IfLow::Fails;
    has_most && (!is_fatal || least.is_some_and(|least| !least.value().is_zero()))
}

fn check_networks(sides: &Sides<'_>, expect: &Expectations, issues: &mut Issues) {
    let texts = |list: &mut dyn Iterator<Item = &ChainId>| {
        let mut out = Vec::new();
        for (at, chain) in list.enumerate() {
            out.extend((at > 0).then_some(b' '));
            chain.write_text(&mut out);
        }
        text(out)
    };

    let networks = scope::NETWORKS.get(&sides.reply);
    if let (Some(gsn), Some(mut found)) = (&expect.gsn, networks) {
        let (expected, found) = (texts(&mut gsn.required_networks.iter()), texts(&mut found));
        if expected != found {
            push_difference(&scope::NETWORKS.place, &expected, EXPECTED, &found, issues);
        }
    }
}

/// The request binds all bytes of the paymaster's data, and the deployment its client.
fn check_time(now: Seconds, grant: Option<&PaymasterData>, issues: &mut Issues) {
    let Some(PaymasterData { valid_after: after, valid_until: until, .. }) = grant else {
        let message =
            "expected the times at which the paymaster pays, found data of another layout".into();
        return refuse(&scope::GRANT.place, message, issues);
    };

    if now <= *after || until.value() != 0 && now > *until {
        let is_endless = until.value() == 0;
        let expected = if is_endless { "later than {}" } else { "later than {} and up to {}" };
        push_difference(
            &scope::GRANT.place,
            &fill(expected, &[&after.value(), &until.value()]),
            " (the paymaster pays)",
            &now.value(),
            issues,
        );
    }
}
