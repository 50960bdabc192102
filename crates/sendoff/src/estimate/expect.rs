//! Checks of a reply beyond its request: the deployment, and the caller's expectations.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::finding::Found;
use super::scope::{self, DEPLOYED, EXPECTATIONS, Equal, LIMITS, Limit};
use super::{Rule, scope::EXPECTED};
use crate::document::{Place, Valued, Value};
use crate::error::{Issue, IssueCode, Issues};
use crate::text::{WriteText, fill, text};
use crate::user_op::{MAX_GAS_BITS, PaymasterData};
use crate::value::{decimal, product};

/// Checks what the caller knows against the reply and the content of its call data. Returns the fields of the reply that the
/// signature covers and that nothing binds.
pub(super) fn check(scope: &mut Value, issues: &mut Issues) -> Vec<String> {
    if let Value::HexBytes(data) = scope.at(&scope::GRANT) {
        let data = PaymasterData::decode(data.as_slice()).ok();
        scope.set(scope::PAYMASTER, data.map_or(Value::Unread, Valued::into_value));
    }
    let scope = &*scope;

    push(&DEPLOYED, scope, issues);
    check_gas_bits(scope, issues);
    check_cost(scope, issues);
    push(&EXPECTATIONS, scope, issues);
    check_networks(scope, issues);
    LIMITS.iter().for_each(|limit| limit.check(scope, issues));
    check_time(scope, issues);

    let is_there = |place: &Place| scope.at(place).is_whole() && *scope.at(place) != Value::Absent;
    let cost_binds = is_there(&scope::MOST_COST) && !number(scope, &scope::CAP).is_zero();
    let mut unbound = Vec::new();
    let mut bind = |place: &Place, is_bound: bool| {
        if !is_bound {
            unbound.push(scope::path(place));
        }
    };
    bind(&scope::SENDER, is_there(&scope::EXPECTED_USER));
    bind(&scope::POLICIES, is_there(&scope::EXPECTED_POLICIES));
    bind(&scope::GSN, is_there(&scope::EXPECTED_GSN));
    LIMITS.iter().for_each(|limit| bind(&limit.found, limit.is_bound(scope, cost_binds)));
    unbound
}

fn push(rules: &[Equal], scope: &Value, issues: &mut Issues) {
    rules.iter().filter_map(|rule| rule.check(scope)).for_each(|found| issues.add(found.issue));
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

fn number(scope: &Value, place: &Place) -> U256 {
    scope.at(place).number()
}

fn check_gas_bits(scope: &Value, issues: &mut Issues) {
    let mut most = 0;
    let mut count = |place| most = number(scope, place).bits().max(most);
    LIMITS.iter().for_each(|limit| count(&limit.found));
    count(&scope::CAP);
    count(&scope::TIP);

    if most > MAX_GAS_BITS {
        let template = "expected gas limits and fees of at most {} bits, as the EntryPoint does (AA94), found {}";
        refuse(&scope::OPERATION, fill(template, &[&MAX_GAS_BITS, &most]), issues);
    }
}

/// The most that the operation can cost.
fn check_cost(scope: &Value, issues: &mut Issues) {
    let most = scope.at(&scope::MOST_COST);
    let limit = |limit: &Limit| number(scope, &limit.found);
    let gas = LIMITS.iter().map(limit).fold(U256::zero(), U256::saturating_add);
    let cost = product(gas, number(scope, &scope::CAP)).unwrap_or(U256::MAX);
    if most.is_number() && cost > most.number() {
        push_difference(&scope::OPERATION, most, " or less (expected)", &decimal(cost), issues);
    }
}

fn check_networks(scope: &Value, issues: &mut Issues) {
    let texts = |list: &[Value]| {
        let mut out = Vec::new();
        for (at, value) in list.iter().enumerate() {
            out.extend((at > 0).then_some(b' '));
            value.write_text(&mut out);
        }
        text(out)
    };

    if let (Value::List(expected), Value::List(found)) =
        (scope.at(&scope::EXPECTED_NETWORKS), scope.at(&scope::NETWORKS))
    {
        let (expected, found) = (texts(expected), texts(found));
        if expected != found {
            push_difference(&scope::NETWORKS, &expected, EXPECTED, &found, issues);
        }
    }
}

impl Limit {
    fn check(&self, scope: &Value, issues: &mut Issues) {
        let (bounds, found) = (scope.at(&self.bounds), scope.at(&self.found));
        if !found.is_number() {
            return;
        }

        let (least, most) = (bounds.field("least"), bounds.field("most"));
        if found.number() < least.number() {
            push_difference(&self.found, least, " or more (expected)", found, issues);
        }
        if most.is_number() && found.number() > most.number() {
            push_difference(&self.found, most, " or less (expected)", found, issues);
        }
    }

    /// `true` if the caller bounds the limit.
    fn is_bound(&self, scope: &Value, cost_binds: bool) -> bool {
        let bounds = scope.at(&self.bounds);
        let has_most = cost_binds || bounds.field("most").is_number();
        has_most && (!self.is_fatal || !bounds.field("least").number().is_zero())
    }
}

fn check_time(scope: &Value, issues: &mut Issues) {
    let (Value::Integer(now), Value::HexBytes(_)) =
        (scope.at(&scope::NOW), scope.at(&scope::GRANT))
    else {
        return;
    };
    // The request binds all bytes, and the deployment the client.
    let (Value::Integer(after), Value::Integer(until)) =
        (scope.at(&scope::VALID_AFTER), scope.at(&scope::VALID_UNTIL))
    else {
        let message =
            "expected the times at which the paymaster pays, found data of another layout".into();
        return refuse(&scope::GRANT, message, issues);
    };

    if now <= after || *until != 0 && now > until {
        let expected = if *until == 0 { "later than {}" } else { "later than {} and up to {}" };
        push_difference(
            &scope::GRANT,
            &fill(expected, &[after, until]),
            " (the paymaster pays)",
            now,
            issues,
        );
    }
}
