//! Headers that tell of a limit.

use alloc::string::String;

use super::verdict::{Remaining, ResetAfter};
use super::{Policy, Verdict};
use crate::document::{
    Choice, Fields, Is, Record, Recorded, Row, Said, Shown, Table, document, traits,
};
use crate::text::fill;

document! {
    /// The values of the headers `RateLimit-Policy` and `RateLimit` in the reply to a call that counts
    /// (draft-ietf-httpapi-ratelimit-headers-10).
    ///
    /// ```
    /// use sendoff::rate_limit::{Cost, Policy, RateLimitFields, Time, admit};
    ///
    /// let verdict = admit(&Policy::PRODUCTION, None, Time::EPOCH, Cost::ONE).verdict;
    /// let fields = RateLimitFields::new(&Policy::PRODUCTION, &verdict);
    /// assert_eq!(fields.policy, r#""sendoff";q=1500;w=300"#);
    /// assert_eq!(fields.limit, r#""sendoff";r=1499;t=300"#);
    /// ```
    pub struct RateLimitFields: "", open Ignored, displayed by nobody {
        /// The limit, and its window in whole seconds, as the draft asks. They are rounded up, so that the limit does not look
        /// higher than it is.
        "ratelimit-policy" => pub policy: String,
        /// The calls that are left in the window, and the seconds until it ends.
        "ratelimit" => pub limit: String,
    }
}

impl RateLimitFields {
    /// The headers for a verdict under a policy.
    #[must_use]
    pub fn new(policy: &Policy, verdict: &Verdict) -> Self {
        Self::of(policy, &verdict.into())
    }

    pub(crate) fn of(policy: &Policy, WindowRest { calls, seconds }: &WindowRest) -> Self {
        let window = policy.window_ms().div_ceil(1_000);
        Self {
            policy: fill(r#""sendoff";q={};w={}"#, &[&policy.limit(), &window]),
            limit: fill(r#""sendoff";r={};t={}"#, &[calls, seconds]),
        }
    }
}

/// The rest of a window, by a verdict.
pub(crate) struct WindowRest {
    calls: u64,
    seconds: u64,
}

impl From<&Verdict> for WindowRest {
    fn from(verdict: &Verdict) -> Self {
        match *verdict {
            Verdict::Admitted { remaining, reset_after, .. } => {
                Self { calls: remaining.into(), seconds: reset_after }
            }
            Verdict::Refused { retry_after, .. } => Self { calls: 0, seconds: retry_after.get() },
        }
    }
}

/// A verdict. Other fields are ignored, because it may come from any store.
static VERDICT: Choice = Choice {
    expected: "a verdict, an object with `admitted`",
    key: "admitted",
    tag: Is::Flag,
    tables: &[("true", &ADMITTED), ("false", &REFUSED)],
    unknown: "",
    said: Said::new(
        "The part of a verdict that tells the rest of a window. Other fields are ignored.",
    ),
};

const IS_ADMITTED: Row = Row::of::<bool>("admitted", "Whether the call may pass.");
const RESET_AFTER: Row =
    Row::of::<ResetAfter>("resetAfter", "The seconds until the window ends, rounded up.");

static ADMITTED: Table = Table::answer(
    "",
    &[
        IS_ADMITTED,
        Row::of::<Remaining>("remaining", "The rest of the window's limit."),
        RESET_AFTER,
    ],
);

/// Another store may give zero seconds.
static REFUSED: Table = Table::answer("", &[IS_ADMITTED, Row { key: "retryAfter", ..RESET_AFTER }]);

/// As a store writes it that says no more.
impl Shown for WindowRest {
    const SHAPE: Is = Is::Choice(&VERDICT);

    fn record(&self) -> Record {
        Record::of(&ADMITTED).with(&true).with_number(self.calls).with_number(self.seconds)
    }
}

impl Recorded for WindowRest {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        let calls = if fields.next()? { fields.number()? } else { 0 };
        Some(Self { calls, seconds: fields.number()? })
    }
}

traits!(WindowRest: schema);
