//! Checks of a reply beyond its request: the deployment, and the caller's expectations.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::finding::Finding;
use super::scope::{self, DEPLOYED, EXPECTATIONS, EXPECTED, Equal, Sides};
use super::{Deployment, Expectations, GasBounds, Rule};
use crate::error::Issues;
use crate::text::{WriteText, fill, text};
use crate::user_op::{GasLimit, IfLow, MAX_GAS_BITS, PaymasterData, Seconds};
use crate::value::{ChainId, Quantity128, decimal, product};

/// Checks what the caller knows against the reply and the content of its call data. Returns the fields of the reply that the
/// signature covers and that nothing binds.
pub(super) fn check_beyond(
    sides: &mut Sides<'_>,
    deployment: &Deployment,
    issues: &mut Issues,
) -> Vec<String> {
    let data = sides.reply().get(scope::GRANT);
    let has_data = data.is_some();
    sides.grant = data.and_then(|data| PaymasterData::decode(data.as_slice()).ok());

    let none = Expectations::default();
    let expect = deployment.expect.as_ref().unwrap_or(&none);
    let mut checks = Checks { sides, expect, issues };
    checks.check_rules(&DEPLOYED);
    checks.check_bits();
    checks.check_cost();
    checks.check_rules(&EXPECTATIONS);
    checks.check_networks();
    checks.check_bounds();
    if has_data && let Some(now) = expect.now {
        checks.check_time(now);
    }
    checks.unbound()
}

struct Checks<'a> {
    sides: &'a Sides<'a>,
    expect: &'a Expectations,
    issues: &'a mut Issues,
}

impl<'a> Checks<'a> {
    fn check_rules(&mut self, rules: &[Equal]) {
        let issues = &mut *self.issues;
        let sides = self.sides;
        rules.iter().for_each(|rule| rule.check(sides, &mut |found| issues.add(found.into())));
    }

    fn push(&mut self, path: &str, expected: &dyn WriteText, by: &str, found: &dyn WriteText) {
        self.issues.add(Finding::of_value(Rule::Shape, path, expected, by, found).into());
    }

    fn refuse(&mut self, path: &str, message: String) {
        self.issues.add(Finding::new(Rule::Shape, path.into(), message).into());
    }

    /// The gas limits that could be read.
    fn gas(&self) -> impl Iterator<Item = U256> {
        let limits = GasLimit::ALL.into_iter();
        limits.filter_map(|limit| self.sides.gas(limit)).map(|(gas, _)| gas)
    }

    fn cap(&self) -> Option<U256> {
        self.sides.reply().get(scope::CAP).map(Quantity128::to_u256)
    }

    fn check_bits(&mut self) {
        let tip = self.sides.reply().get(scope::TIP).map(Quantity128::to_u256);
        // As many bits as the largest of them.
        let fees = self.cap().unwrap_or_default() | tip.unwrap_or_default();
        let most = self.gas().fold(fees, |all, limit| all | limit).bits();
        if most > MAX_GAS_BITS {
            let template = "expected gas limits and fees of at most {} bits, as the EntryPoint does (AA94), found {}";
            self.refuse(scope::OPERATION, fill(template, &[&MAX_GAS_BITS, &most]));
        }
    }

    /// The most that the operation can cost.
    fn check_cost(&mut self) {
        let Some(most) = &self.expect.max_cost else { return };
        let gas = self.gas().fold(U256::zero(), |sum, limit| sum.saturating_add(limit));
        let cost = self.cap().map_or(Some(U256::zero()), |cap| product(gas, cap));
        let cost = cost.unwrap_or(U256::MAX);
        if cost > most.value() {
            let by = " or less (your expectation)";
            self.push(scope::OPERATION, most, by, &decimal(cost));
        }
    }

    fn check_bounds(&mut self) {
        for limit in GasLimit::ALL {
            let Some(GasBounds { least, most }) = self.bounds(limit) else { continue };
            let (path, sides) = (scope::gas(limit), self.sides);
            let Some((found, text)) = sides.gas(limit) else { continue };
            if let Some(least) = least.as_ref().filter(|least| found < least.value()) {
                self.push(path, least, " or more (your expectation)", text);
            }
            if let Some(most) = most.as_ref().filter(|most| found > most.value()) {
                self.push(path, most, " or less (your expectation)", text);
            }
        }
    }

    /// The bounds that the caller expects of a limit.
    fn bounds(&self, limit: GasLimit) -> Option<&'a GasBounds> {
        let gas = self.expect.gas.as_ref()?;
        match limit {
            GasLimit::Call => gas.call_gas_limit.as_ref(),
            GasLimit::Verification => gas.verification_gas_limit.as_ref(),
            GasLimit::PreVerification => gas.pre_verification_gas.as_ref(),
            GasLimit::Paymaster => gas.paymaster_verification_gas_limit.as_ref(),
            GasLimit::PostOp => gas.paymaster_post_op_gas_limit.as_ref(),
        }
    }

    fn check_networks(&mut self) {
        let texts = |list: &[ChainId]| {
            let mut out = Vec::new();
            for (at, chain) in list.iter().enumerate() {
                out.extend((at > 0).then_some(b' '));
                chain.write_text(&mut out);
            }
            text(out)
        };

        let networks = self.sides.reply().get(scope::NETWORKS);
        if let (Some(gsn), Some(found)) = (&self.expect.gsn, networks) {
            let (expected, found) = (texts(&gsn.required_networks), texts(&found));
            if expected != found {
                self.push(scope::NETWORKS.path(), &expected, EXPECTED, &found);
            }
        }
    }

    /// The request binds all bytes of the paymaster's data, and the deployment its client.
    fn check_time(&mut self, now: Seconds) {
        let Some(PaymasterData { valid_after: after, valid_until: until, .. }) = &self.sides.grant
        else {
            let message =
                "expected the times at which the paymaster pays, found data of another layout";
            return self.refuse(scope::GRANT.path(), message.into());
        };

        let is_endless = until.value() == 0;
        if now <= *after || !is_endless && now > *until {
            let expected = if is_endless { "later than {}" } else { "later than {} and up to {}" };
            let expected = fill(expected, &[&after.value(), &until.value()]);
            self.push(scope::GRANT.path(), &expected, " (the paymaster pays)", &now.value());
        }
    }

    /// The fields that the signature covers and nothing binds.
    fn unbound(&self) -> Vec<String> {
        let Expectations { user_swa, policies, gsn, .. } = self.expect;
        let parts = [
            (scope::SENDER, user_swa.is_some()),
            (scope::POLICIES, policies.is_some()),
            (scope::GSN, gsn.is_some()),
        ];
        let limits = GasLimit::ALL.map(|limit| (scope::gas(limit), self.is_bound(limit)));
        let unbound = parts.into_iter().chain(limits).filter(|(_, is_bound)| !is_bound);
        unbound.map(|(path, _)| path.into()).collect()
    }

    /// `true` if the caller bounds the limit. With less than the least value of some the operation fails and is paid for: a bound
    /// without one does not bind those.
    fn is_bound(&self, limit: GasLimit) -> bool {
        let has_cost = self.expect.max_cost.is_some();
        let cost_binds = has_cost && self.cap().is_some_and(|cap| !cap.is_zero());
        let bounds = self.bounds(limit);
        let has_most = cost_binds || bounds.is_some_and(|bounds| bounds.most.is_some());
        let least = bounds.and_then(|bounds| bounds.least);
        let is_fatal = limit.if_low() == IfLow::Fails;
        has_most && (!is_fatal || least.is_some_and(|least| !least.value().is_zero()))
    }
}
