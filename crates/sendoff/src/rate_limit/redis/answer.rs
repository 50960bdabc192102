//! The answer of the script.

use crate::document::{Integer, MAX_SAFE, check_integer, document};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::rate_limit::policy::MAX_COUNT;
use crate::rate_limit::{Phase, Policy, Time, Verdict, Window};
use crate::text::fill;

document! {
    /// The answer of the script: `{at, granted, window, verdict}` in JSON.
    ///
    /// ```
    /// use sendoff::rate_limit::{Policy, redis::RedisAnswer};
    ///
    /// let answer = RedisAnswer::read(&Policy::PRODUCTION, &[0, 0, 1_750_000_000_000, 1_750_000_000_000, 0])?;
    /// assert_eq!((answer.granted, answer.verdict), (0, None)); // it was a touch
    /// assert!(RedisAnswer::read(&Policy::PRODUCTION, &[7]).is_err());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Copy)]
    pub struct RedisAnswer: "", open Ignored, displayed by nobody {
        /// The time of the judgement.
        "at" => pub at: Time,
        /// How much was taken from the window, or would be taken after a peek; a batch may get less than it asked for.
        "granted" => pub granted: u32,
        /// The window of the request, and its count.
        "window" => pub window: Window,
        /// The verdict; `None`, `null` in JSON, for a request that does not count, and for a call that the store took
        /// up at its deadline or later, so that nothing was counted.
        "verdict" => pub verdict: Option<Verdict> as nullable,
    }
}

impl RedisAnswer {
    /// Reads the five integers of the script.
    ///
    /// # Errors
    ///
    /// `type`, `range` or `rule` for numbers that the script does not give under this policy.
    pub fn read(policy: &Policy, numbers: &[i64]) -> Result<Self, Error> {
        let mut issues = Issues::default();
        let answer = Self::check(policy, numbers, &Path::Root, &mut issues);
        issues.or(answer)
    }

    #[expect(clippy::arithmetic_side_effects, reason = "times are far below 2^63")]
    pub(crate) fn check(
        policy: &Policy,
        numbers: &[i64],
        at: &Path<'_>,
        issues: &mut Issues,
    ) -> Option<Self> {
        let &[phase, granted, now, start, count] = numbers else {
            let message = fill("expected the script's five integers, found {}", &[&numbers.len()]);
            issues.push(at, IssueCode::Type, message);
            return None;
        };

        let (least, most) = (Time::MIN.as_ms(), Time::MAX.as_ms());
        let bounds =
            [(0, 4), (-1, policy.limit().into()), (least, most), (least, most), (0, MAX_COUNT)];
        let mut is_read = true;
        for (index, (number, (least, most))) in numbers.iter().zip(bounds).enumerate() {
            let at = Path::Item(at, index);
            is_read &= check_integer(*number, least, most, &at, issues).is_some();
        }
        if !is_read {
            return None;
        }
        // The script counts them in their order.
        let phase = *Phase::ALL.get(usize::try_from(phase).ok()?)?;
        let (now, start) = (Time::saturating(now), Time::saturating(start));
        let window = Window { start, count: u32::try_from(count).ok()? };
        let left = policy.end(start) - now.as_ms();
        let fits = match phase {
            Phase::Anchored | Phase::SteppedBack => start == now,
            Phase::Rolled | Phase::Same => start <= now,
            Phase::Held => start > now,
        };

        if !fits || left <= 0 || count < granted || (granted > 0 && window.count > policy.limit()) {
            let template = "expected numbers that the script can answer under this policy, found {} at {}, {} granted, \
                 {} counted from {}";
            let message = fill(template, &[&phase, &now.as_ms(), &granted, &count, &start.as_ms()]);
            issues.push(at, IssueCode::Rule, message);
            return None;
        }

        let seconds = left.unsigned_abs().div_ceil(1_000);
        let verdict = match granted {
            0 => None,
            -1 => Some(Verdict::refused(phase, seconds)),
            _ => {
                let remaining = policy.limit().saturating_sub(window.count);
                Some(Verdict::Admitted { phase, remaining, reset_after: seconds })
            }
        };

        // A refusal is −1.
        Some(Self { at: now, granted: u32::try_from(granted.max(0)).ok()?, window, verdict })
    }
}

/// One of the script's integers.
pub(crate) type Number = Integer<{ -MAX_SAFE }, MAX_SAFE>;
