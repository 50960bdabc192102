//! The arguments of calls that count.

use super::context::{Document, Number, Optional, TypedArgument};
use crate::document::{Integer, Nullable};
use crate::error::Issues;
use crate::rate_limit::{AnyCost, Cost, Policy, Time, Window};

/// Reads the arguments of a call that counts. The cost is checked against the policy, if the policy could be read.
pub(super) fn counted(
    policy: &TypedArgument<'_, Document<Policy>>,
    window: &TypedArgument<'_, Document<Nullable<Window>>>,
    now: &TypedArgument<'_, Number<Time>>,
    cost: &TypedArgument<'_, Optional<Number<AnyCost>>>,
    issues: &mut Issues,
) -> Option<(Policy, Option<Window>, Time, Cost)> {
    let (policy, window, now) = (policy.read(issues), window.read(issues), now.read(issues));
    let cost = match cost.read(issues) {
        Some(Some(Integer(value))) => policy
            .as_ref()
            .and_then(|policy| policy.cost_at(u32::try_from(value).ok()?, &cost.at, issues)),
        Some(None) => Some(Cost::ONE),
        None => None,
    };
    Some((policy?, window?.0, now?, cost?))
}
