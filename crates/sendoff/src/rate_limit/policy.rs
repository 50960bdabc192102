//! The limit, and the start of a day.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "a time, a window and a day's offset are far below 2^63"
)]

use core::time::Duration;

use super::Time;
use crate::document::{
    Fields, Integer, Is, Record, Row, Table, Typed, Valued, check_integer, checked, traits,
};
use crate::error::{Error, Issues, Path};
use crate::value::keyword;

/// The largest count of a window, and with it the largest limit: 2^21−1.
pub(super) const MAX_COUNT: i64 = (1 << 21) - 1;

pub(super) const DAY_MS: i64 = 86_400_000;
const MINUTE_MS: i64 = 60_000;

type Limit = Integer<1, MAX_COUNT>;
type WindowMs = Integer<1_000, DAY_MS>;
type DayOffsetMinutes = Integer<-720, 840>;
type HoldMs = Integer<0, 8_640_000_000_000_000>;

keyword! {
    /// The rule for a window that is running at midnight.
    ///
    /// ```
    /// use sendoff::rate_limit::Midnight;
    ///
    /// assert_eq!("carry".parse::<Midnight>()?, Midnight::Carry);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub enum Midnight: "`truncate` or `carry`" = Truncate {
        /// The window ends at midnight, and the day's first request starts a new one, as the specification says. The
        /// cost: up to three limits instead of two can be admitted within one window's length around midnight.
        "truncate" => Truncate,
        /// A window in which a call was counted runs its full length. The first request after it starts the day's first
        /// window.
        "carry" => Carry,
    }
}

/// A rate limit: how many calls a caller has in a window, how long a window is, and when a day begins.
///
/// A day's first request starts its first window, and the others follow back to back. In JSON:
/// `{limit, windowMs, dayOffsetMinutes = 0, midnight = "truncate", holdMs = windowMs}`.
///
/// The specification gives the numbers of production only ([`Policy::PRODUCTION`]). It does not show the limits of its
/// sandbox: there, make a policy from the numbers that you know, or apply none.
///
/// ```
/// use core::time::Duration;
/// use sendoff::rate_limit::{Midnight, Policy};
///
/// let policy = Policy::new(10, Duration::from_secs(60))?.with_day_offset_minutes(330)?.with_midnight(Midnight::Carry);
/// assert_eq!(policy, r#"{"limit":10,"windowMs":60000,"dayOffsetMinutes":330,"midnight":"carry"}"#.parse()?);
/// assert_eq!(Policy::PRODUCTION, Policy::new(1500, Duration::from_secs(5 * 60))?);
/// assert!(Policy::new(0, Duration::from_secs(60)).is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Policy {
    limit: u32,
    window_ms: u32,
    day_offset_minutes: i16,
    midnight: Midnight,
    hold_ms: u64,
}

impl Policy {
    /// The limit of production: 1500 calls in windows of five minutes, in days of UTC.
    pub const PRODUCTION: Self = Self {
        limit: 1_500,
        window_ms: 300_000,
        day_offset_minutes: 0,
        midnight: Midnight::Truncate,
        hold_ms: 300_000,
    };

    /// Creates a policy of a number of calls, 1 to 2^21−1, in windows of a length, a second to a day, in whole
    /// milliseconds. Days are in UTC, midnight truncates, and the clock may step back by a window's length.
    ///
    /// # Errors
    ///
    /// `range` at `limit` and `windowMs`.
    pub fn new(limit: u32, window: Duration) -> Result<Self, Error> {
        let window_ms = u32::try_from(window.as_millis()).unwrap_or(u32::MAX);
        let (day_offset_minutes, midnight, hold_ms) = (0, Midnight::Truncate, window_ms.into());

        checked(Self { limit, window_ms, day_offset_minutes, midnight, hold_ms })
    }

    /// Returns the same policy with days that begin earlier than in UTC by this many minutes, −720 to 840: at local
    /// midnight where clocks are ahead of UTC by as much, all year round.
    ///
    /// # Errors
    ///
    /// `range` at `dayOffsetMinutes`.
    pub fn with_day_offset_minutes(self, day_offset_minutes: i16) -> Result<Self, Error> {
        checked(Self { day_offset_minutes, ..self })
    }

    /// Returns the same policy with another rule for midnight.
    #[must_use]
    pub const fn with_midnight(self, midnight: Midnight) -> Self {
        Self { midnight, ..self }
    }

    /// Returns the same policy with another hold time, up to 8.64e15 ms, in whole milliseconds. If the clock steps back by
    /// up to this time, the window is kept; beyond that, a new one is started.
    ///
    /// # Errors
    ///
    /// `range` at `holdMs`.
    pub fn with_hold(self, hold: Duration) -> Result<Self, Error> {
        checked(Self { hold_ms: u64::try_from(hold.as_millis()).unwrap_or(u64::MAX), ..self })
    }

    /// The number of calls in a window.
    #[must_use]
    pub const fn limit(&self) -> u32 {
        self.limit
    }

    /// The length of a window.
    #[must_use]
    pub fn window(&self) -> Duration {
        Duration::from_millis(self.window_ms.into())
    }

    pub(super) const fn window_ms(&self) -> u32 {
        self.window_ms
    }

    /// The minutes by which a day begins earlier than in UTC.
    #[must_use]
    pub const fn day_offset_minutes(&self) -> i16 {
        self.day_offset_minutes
    }

    /// The rule for a window that is running at midnight.
    #[must_use]
    pub const fn midnight(&self) -> Midnight {
        self.midnight
    }

    /// The hold time: how far the clock may step back behind a window's start.
    #[must_use]
    pub const fn hold(&self) -> Duration {
        Duration::from_millis(self.hold_ms)
    }

    pub(super) const fn hold_ms(&self) -> u64 {
        self.hold_ms
    }

    /// Returns the cost of one call: 1 to the limit. A higher cost could never be admitted.
    ///
    /// # Errors
    ///
    /// `range` for a number outside of these bounds.
    pub fn cost(&self, cost: u32) -> Result<Cost, Error> {
        let mut issues = Issues::default();
        let cost = self.cost_at(cost, &Path::Root, &mut issues);
        issues.or(cost)
    }

    pub(crate) fn cost_at(&self, cost: u32, at: &Path<'_>, issues: &mut Issues) -> Option<Cost> {
        check_integer(cost.into(), 1, self.limit.into(), at, issues).map(|_| Cost(cost))
    }

    /// The milliseconds by which a day begins earlier than in UTC.
    pub(super) fn day_offset_ms(&self) -> i64 {
        i64::from(self.day_offset_minutes) * MINUTE_MS
    }

    /// Returns the milliseconds since the beginning of a time's day. The time may be before the first [`Time`].
    pub(super) fn since_midnight(&self, ms: i64) -> i64 {
        // Whole days are added, so that the sum is not negative and the remainder is that of
        // unsigned integers.
        const DAYS: i64 = 300_000_000 * DAY_MS;
        ((ms + self.day_offset_ms() + DAYS).cast_unsigned() % DAY_MS.cast_unsigned()).cast_signed()
    }

    /// Returns the end of a time's day, in milliseconds; it may be past the last [`Time`].
    pub(super) fn midnight_after(&self, time: Time) -> i64 {
        time.as_ms() - self.since_midnight(time.as_ms()) + DAY_MS
    }

    /// Returns the end of a window that starts at a time, in milliseconds; it may be past the last [`Time`].
    pub(super) fn end(&self, start: Time) -> i64 {
        self.end_in_day(start, self.midnight_after(start))
    }

    /// The same if the end of the start's day is known.
    pub(super) fn end_in_day(&self, start: Time, midnight: i64) -> i64 {
        let full = start.as_ms() + i64::from(self.window_ms);
        match self.midnight {
            Midnight::Truncate => full.min(midnight),
            Midnight::Carry => full,
        }
    }
}

static POLICY: Table = Table {
    expected: "a policy, an object of `limit`, `windowMs`, `dayOffsetMinutes`, `midnight` and `holdMs`",
    ..Table::said(
        "How many calls a caller has in a window, how long a window is, and when a day begins. A day's first request \
         starts its first window, and the others follow back to back.",
        &[
            Row::of::<Limit>("limit", "The number of calls in a window."),
            Row::of::<WindowMs>("windowMs", "The length of a window, in milliseconds."),
            Row::of::<Option<DayOffsetMinutes>>(
                "dayOffsetMinutes",
                "The minutes by which a day begins earlier than in UTC; absent means 0.",
            ),
            Row::of::<Option<Midnight>>(
                "midnight",
                "The rule for a window that is running at midnight; absent means `truncate`.",
            ),
            Row::of::<Option<HoldMs>>(
                "holdMs",
                "How far the clock may step back behind a window's start, in milliseconds; absent means `windowMs`.",
            ),
        ],
    )
};

impl Valued for Policy {
    const IS: Is = Is::Record(&POLICY);

    fn record(&self) -> Record {
        Record::of(&POLICY)
            .with_number(self.limit)
            .with_number(self.window_ms)
            .with_number(self.day_offset_minutes)
            .with(&self.midnight)
            .with_number(self.hold_ms)
    }
}

impl Typed for Policy {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        let (limit, window_ms) = (fields.next()?, fields.next()?);
        let offset: Option<DayOffsetMinutes> = fields.next()?;
        let midnight: Option<Midnight> = fields.next()?;
        let hold: Option<HoldMs> = fields.next()?;
        Some(Self {
            limit,
            window_ms,
            day_offset_minutes: offset.map_or(Ok(0), |Integer(offset)| offset.try_into()).ok()?,
            midnight: midnight.unwrap_or_default(),
            hold_ms: hold.map_or(window_ms.into(), |Integer(hold)| hold.unsigned_abs()),
        })
    }
}

traits!(Policy: read, serialize, schema);

/// The cost of a call: 1 to the limit of the policy that made it ([`Policy::cost`]).
///
/// ```
/// use core::time::Duration;
/// use sendoff::rate_limit::{Cost, Policy};
///
/// let policy = Policy::new(3, Duration::from_secs(60))?;
/// assert_eq!(policy.cost(1)?, Cost::ONE);
/// assert!(policy.cost(4).is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost(u32);

impl Cost {
    /// The cost of every call in the specification.
    pub const ONE: Self = Self(1);

    /// The number.
    #[must_use]
    pub const fn value(self) -> u32 {
        self.0
    }
}
