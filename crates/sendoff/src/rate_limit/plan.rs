//! Plans for many calls of one caller.

use alloc::{string::String, vec::Vec};

use super::policy::MAX_COUNT;
use super::window::View;
use super::{Policy, Time, Window};
use crate::document::{Integer, document};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::text::fill;

/// The largest number of entries in a plan.
const MAX_ENTRIES: i64 = 100_000;

/// The largest number of calls in any plan: each entry at the largest limit.
const MAX_CALLS: i64 = MAX_ENTRIES * MAX_COUNT;

/// The number of calls that a plan is for.
pub(crate) type Calls = Integer<0, MAX_CALLS>;

document! {
    /// Calls to send together, and their time.
    ///
    /// ```
    /// use sendoff::rate_limit::{PlanEntry, Policy, Time, plan};
    ///
    /// let schedule = plan(&Policy::PRODUCTION, None, Time::EPOCH, 2_000)?;
    /// assert_eq!(schedule[1], PlanEntry { at: Time::from_ms(300_000)?, count: 500 });
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Copy)]
    pub struct PlanEntry: "", open Ignored, displayed by nobody {
        /// The time.
        "at" => pub at: Time,
        /// The number of calls, each of cost 1; at least one.
        "count" => pub count: u32,
    }
}

/// Returns the earliest schedule of `n` calls in which none is refused, as long as the caller sends nothing else.
///
/// The rest of the running window is sent now, and each further window's whole limit when it starts. Each entry takes
/// constant time and space, whatever the numbers.
///
/// ```
/// use core::time::Duration;
/// use sendoff::rate_limit::{Policy, Time, Window, plan};
///
/// let policy = Policy::new(10, Duration::from_secs(60))?;
/// let window = Window::new(Time::from_ms(0)?, 7)?;
/// let schedule = plan(&policy, Some(window), Time::from_ms(59_000)?, 15)?;
/// let schedule: Vec<_> = schedule.iter().map(|entry| (entry.at.as_ms(), entry.count)).collect();
/// assert_eq!(schedule, [(59_000, 3), (60_000, 10), (120_000, 2)]);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
///
/// # Errors
///
/// `range` at `n` for a plan of more than 100,000 entries, or one that goes past [`Time::MAX`].
#[expect(clippy::arithmetic_side_effects, reason = "limits are above zero")]
pub fn plan(
    policy: &Policy,
    window: Option<Window>,
    now: Time,
    n: u64,
) -> Result<Vec<PlanEntry>, Error> {
    let Window { mut start, count } = View::new(policy, window, now).window;
    let limit = policy.limit();
    let at_once = fit(n, limit.saturating_sub(count));
    let mut left = n - u64::from(at_once);
    let entries = left.div_ceil(u64::from(limit).max(1)).saturating_add(u64::from(at_once > 0));

    if entries > MAX_ENTRIES.unsigned_abs() {
        let template = "expected a plan of at most {} entries, found one of {}";
        return beyond(fill(template, &[&MAX_ENTRIES, &entries]));
    }

    let mut schedule = Vec::with_capacity(usize::try_from(entries).unwrap_or_default());
    if at_once > 0 {
        schedule.push(PlanEntry { at: now, count: at_once });
    }

    while left > 0 {
        let Ok(next) = Time::from_ms(policy.end(start)) else {
            return beyond(
                "expected a plan that ends by the latest time, found one that ends after it".into(),
            );
        };
        start = next;
        let count = fit(left, limit);
        schedule.push(PlanEntry { at: start, count });
        left -= u64::from(count);
    }

    Ok(schedule)
}

/// Returns as many of the calls as fit.
fn fit(calls: u64, room: u32) -> u32 {
    u32::try_from(calls).map_or(room, |calls| calls.min(room))
}

fn beyond<T>(message: String) -> Result<T, Error> {
    let mut issues = Issues::default();
    issues.push(&Path::Field(&Path::Root, "n"), IssueCode::Range, message);
    issues.or(None)
}
