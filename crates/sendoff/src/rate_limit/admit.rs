//! One request of one caller.

use serde::Serialize;

use super::policy::MAX_COUNT;
use super::window::State;
use super::window::View;
use super::{Cost, Policy, Time, Verdict, Window};
use crate::document::{Integer, read_text, written_by_serde};
use crate::error::{Error, Issues, Path};

/// A verdict, and the state that the next call of the same caller is judged by.
///
/// ```
/// use sendoff::rate_limit::{Admission, Cost, Policy, Time, admit};
///
/// let Admission { window, verdict } = admit(&Policy::PRODUCTION, None, Time::EPOCH, Cost::ONE);
/// assert_eq!(window.count(), 1);
/// assert!(verdict.is_admitted());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Admission {
    /// The state after the call; after a refusal the one before it, bit for bit.
    pub window: Window,
    /// Whether the call may pass.
    pub verdict: Verdict,
}

written_by_serde!(Admission, Window, Verdict);

/// A call that counts: the verdict, and the caller's next state.
///
/// A cost that another policy made and that is above this one's limit is refused, and only anchors, as [`touch`] does.
///
/// ```
/// use sendoff::rate_limit::{Cost, Phase, Policy, Time, Verdict, admit};
///
/// let policy = Policy::new(1, 60_000)?;
/// let first = admit(&policy, None, Time::from_ms(0)?, Cost::ONE);
/// assert_eq!(first.verdict, Verdict::Admitted { phase: Phase::Anchored, remaining: 0, reset_after: 60 });
/// let second = admit(&policy, Some(first.window), Time::from_ms(500)?, Cost::ONE);
/// assert_eq!(second.verdict, Verdict::Refused { phase: Phase::Same, retry_after: 60 });
/// let third = admit(&policy, Some(second.window), Time::from_ms(60_500)?, Cost::ONE);
/// assert_eq!(third.window.start(), Time::from_ms(60_000)?);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[must_use]
pub fn admit(policy: &Policy, window: Option<Window>, now: Time, cost: Cost) -> Admission {
    let view = View::new(policy, window, now);
    let phase = view.phase;
    let taken = view.window.count.saturating_add(cost.get());
    // A window that a call falls into ends after the call, whatever the clock did: rounded up, it is never 0.
    let seconds = policy.end(view.window.start).abs_diff(now.as_ms()).div_ceil(1_000);
    match policy.limit().checked_sub(taken) {
        Some(remaining) => Admission {
            window: Window { count: taken, ..view.window },
            verdict: Verdict::Admitted { phase, remaining, reset_after: seconds },
        },
        None => Admission { window: view.touched(window), verdict: Verdict::Refused { phase, retry_after: seconds } },
    }
}

/// A request that does not count: the caller's next state.
///
/// Any API request starts the day's first window if none did before; other than that it changes nothing.
///
/// ```
/// use sendoff::rate_limit::{Policy, Time, touch};
///
/// let noon = Time::from_ms(43_200_000)?;
/// let window = touch(&Policy::PRODUCTION, None, noon);
/// assert_eq!((window.start(), window.count()), (noon, 0));
/// let later = Time::from_ms(45_000_000)?;
/// assert_eq!(touch(&Policy::PRODUCTION, Some(window), later), window);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[must_use]
pub fn touch(policy: &Policy, window: Option<Window>, now: Time) -> Window {
    View::new(policy, window, now).touched(window)
}

/// The verdict that [`admit`] would give; nothing is counted.
///
/// ```
/// use sendoff::rate_limit::{Cost, Phase, Policy, Time, Verdict, peek};
///
/// let verdict = peek(&Policy::PRODUCTION, None, Time::EPOCH, Cost::ONE);
/// assert_eq!(verdict, Verdict::Admitted { phase: Phase::Anchored, remaining: 1499, reset_after: 300 });
/// ```
#[must_use]
pub fn peek(policy: &Policy, window: Option<Window>, now: Time, cost: Cost) -> Verdict {
    admit(policy, window, now, cost).verdict
}

/// A cost under some policy.
pub(crate) type AnyCost = Integer<1, MAX_COUNT>;

/// The arguments of a call as JSON texts; an absent cost is 1.
///
/// The policy is the first argument, so its problems have its own paths; the others' start with their names.
pub(crate) fn read_call(
    policy: &str,
    window: &str,
    now: &str,
    cost: Option<&str>,
) -> Result<(Policy, Option<Window>, Time, Cost), Error> {
    let mut issues = Issues::default();
    let (policy, window, now) = read_state(policy, window, now, &mut issues);
    let cost = match cost {
        Some(text) => read_cost(text, policy.as_ref(), &mut issues),
        None => Some(Cost::ONE),
    };
    let call = || Some((policy?, window?, now?, cost?));
    issues.or(call())
}

/// The arguments that every function here has.
pub(super) fn read_state(
    policy: &str,
    window: &str,
    now: &str,
    issues: &mut Issues,
) -> (Option<Policy>, Option<Option<Window>>, Option<Time>) {
    (
        read_text(policy, &Path::Root, issues),
        read_text::<State>(window, &Path::Field(&Path::Root, "window"), issues).map(|State(window)| window),
        read_text(now, &Path::Field(&Path::Root, "now"), issues),
    )
}

/// A cost is judged by its policy, where that could be read; below 1 it is never one.
fn read_cost(text: &str, policy: Option<&Policy>, issues: &mut Issues) -> Option<Cost> {
    let at = Path::Field(&Path::Root, "cost");
    let Integer(cost) = read_text::<AnyCost>(text, &at, issues)?;
    policy?.cost_at(u32::try_from(cost).ok()?, &at, issues)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// The paths of all problems of a call.
    fn problems(policy: &str, window: &str, now: &str, cost: &str) -> Vec<alloc::string::String> {
        let error = read_call(policy, window, now, Some(cost)).unwrap_err();
        error.issues().iter().map(|issue| issue.path.clone()).collect()
    }

    #[test]
    fn the_problems_of_all_arguments_are_found_at_once() {
        let found = problems(r#"{"limit":0,"burst":1}"#, r#"{"start":0.5}"#, "null", "0");
        assert_eq!(found, ["limit", "windowMs", "burst", "window.start", "window.count", "now", "cost"]);
        assert_eq!(problems("[", "1", "}", "''"), ["", "window", "now", "cost"]);
    }

    #[test]
    fn a_cost_is_judged_by_a_policy_that_was_read() {
        let policy = r#"{"limit":3,"windowMs":60000}"#;
        assert_eq!(problems(policy, "null", "x", "4"), ["now", "cost"]);
        assert_eq!(problems(r#"{"limit":3}"#, "null", "0", "4"), ["windowMs"]);
    }
}
