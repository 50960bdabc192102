//! Windows that many processes share, in Redis or Valkey: the script that keeps them, what it is given and what it
//! answers.
//!
//! One key holds one caller's [`Window`] as `start count`, and one call of [`SCRIPT`] is one request of that caller: it
//! answers what [`admit`](super::admit) and [`touch`](super::touch) answer, by the store's clock. It needs a store that
//! knows `SET … KEEPTTL`: Redis 6.0, or any Valkey. This module sends nothing. The host sends `EVALSHA` with
//! [`SCRIPT_SHA1`], `1`, the key and the arguments, and where the store answers `NOSCRIPT`, `EVAL` with [`SCRIPT`].
//!
//! - A refusal writes nothing.
//! - The time to live of a key, to the end of its day and ten minutes, only clears away. Where it is lost nothing changes;
//!   where the key is lost, its caller begins anew, as with a day's first request.
//! - A replica that takes over without the last writes admits as many calls again as were lost.
//!
//! ```
//! use sendoff::rate_limit::redis::{Answer, Ask, Key, Request};
//! use sendoff::rate_limit::{Cost, Policy, Verdict};
//!
//! let policy = Policy::PRODUCTION;
//! let key = Key::new(&policy, "production", "shop", b"a secret of the host")?;
//! let request = Request::new(&policy, &key, Ask::Admit(Cost::ONE), None);
//! assert!(request.key().starts_with("sendoff:rw:v1:{production.300000+0t."));
//!
//! let numbers = [2, 1, 1_750_000_120_500, 1_750_000_000_000, 1_500]; // what the script answered
//! let Answer { verdict, .. } = Answer::read(&policy, &numbers)?;
//! assert!(matches!(verdict, Some(Verdict::Admitted { remaining: 0, reset_after: 180, .. })));
//! # Ok::<(), sendoff::error::Error>(())
//! ```

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::Serialize;

use super::policy::MAX_COUNT;
use super::{Cost, Midnight, Phase, Policy, Time, Verdict, Window};
use crate::document::{Integer, Node, Object, Read, read_text};
use crate::error::{Code, Error, Excerpt, Issues, Path};
use crate::keccak::keccak256;
use crate::value::keyword;

/// The script, in the Lua of Redis.
pub const SCRIPT: &str = include_str!("script.lua");

/// What the store knows the script by: its SHA-1 in lower-case hex.
pub const SCRIPT_SHA1: &str = "d5419d5f319b065256075babb6582a6fffc0f7ac";

/// Where a caller's window is kept: `sendoff:rw:v1:{environment.policy.caller}`.
///
/// `policy` is what a window's meaning depends on: its length, the day's offset and midnight. The limit is left out, so
/// that a raised one keeps the count. `caller` is 16 bytes in hex, a keyed hash of the scope: whoever reads the store
/// learns no API key. The braces keep all of a caller's keys in one slot of a cluster.
///
/// ```
/// use sendoff::rate_limit::{Policy, redis::Key};
///
/// let policy = Policy::PRODUCTION;
/// let key = |environment, scope| Key::new(&policy, environment, scope, b"secret");
/// assert_ne!(key("production", "shop")?, key("sandbox", "shop")?);
/// assert_eq!(key("production", "shop")?.as_str().len(), 68);
/// assert!(key("no}brace", "shop").is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    text: String,
}

impl Key {
    const ENVIRONMENT_CHARS: usize = 32;

    /// The key of a scope: whatever the host counts by. The environment's name is 1 to 32 letters, digits, `-` or `_`; the
    /// secret is the host's, any bytes, the same in all processes.
    ///
    /// # Errors
    ///
    /// `format` at `environment`, and at `scope` where that is empty.
    pub fn new(policy: &Policy, environment: &str, scope: &str, secret: &[u8]) -> Result<Self, Error> {
        let mut issues = Issues::default();
        let key = Self::read(policy, environment, scope, secret, &Path::Root, &mut issues);
        issues.or(key)
    }

    fn read(
        policy: &Policy,
        environment: &str,
        scope: &str,
        secret: &[u8],
        at: &Path<'_>,
        issues: &mut Issues,
    ) -> Option<Self> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let fits = (1..=Self::ENVIRONMENT_CHARS).contains(&environment.len()) && environment.chars().all(plain);
        if !fits {
            let (most, found) = (Self::ENVIRONMENT_CHARS, Excerpt(environment));
            let message = format!("expected a name of 1 to {most} letters, digits, `-` or `_`, found {found}");
            issues.push(&Path::Field(at, "environment"), Code::Format, message);
        }
        if scope.is_empty() {
            let message = "expected a scope, found an empty text".into();
            issues.push(&Path::Field(at, "scope"), Code::Format, message);
        }
        if !fits || scope.is_empty() {
            return None;
        }
        // Keccak cannot be extended as SHA-2 can: with the secret first, it is a keyed hash.
        let hash = keccak256([keccak256([secret]).as_slice(), scope.as_bytes()]);
        let caller = hash.first_chunk::<16>()?;
        let midnight = match policy.midnight() {
            Midnight::Truncate => 't',
            Midnight::Carry => 'c',
        };
        let (length, offset, caller) = (policy.window_ms(), policy.day_offset_minutes(), hex::encode(caller));
        Some(Self { text: format!("sendoff:rw:v1:{{{environment}.{length}{offset:+}{midnight}.{caller}}}") })
    }

    /// The key's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// What is asked of a window.
///
/// ```
/// use sendoff::rate_limit::{Policy, redis::Ask};
///
/// let batch = Ask::Lease(Policy::PRODUCTION.cost(50)?);
/// assert_ne!(batch, Ask::Touch);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    /// A call that counts: all of its cost, or nothing.
    Admit(Cost),
    /// A batch for calls to come: as much of it as is left.
    Lease(Cost),
    /// The verdict that `Admit` would get; nothing is written.
    Peek(Cost),
    /// A request that does not count: it can only start the day's first window.
    Touch,
}

/// A call of the script: `{key, arguments}` in JSON.
///
/// ```
/// use sendoff::rate_limit::redis::{Ask, Key, Request};
/// use sendoff::rate_limit::{Policy, Time};
///
/// let policy = Policy::PRODUCTION;
/// let key = Key::new(&policy, "production", "shop", b"secret")?;
/// let request = Request::new(&policy, &key, Ask::Touch, Some(Time::EPOCH));
/// assert_eq!(request.arguments(), ["touch", "0", "1500", "300000", "300000", "0", "0", "0"]);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Request {
    key: String,
    arguments: [String; 8],
}

impl Request {
    /// The call; without a time it is the store's clock that counts, which is the same for all processes.
    #[must_use]
    pub fn new(policy: &Policy, key: &Key, ask: Ask, now: Option<Time>) -> Self {
        let (ask, cost) = match ask {
            Ask::Admit(cost) => ("admit", cost.get()),
            Ask::Lease(cost) => ("lease", cost.get()),
            Ask::Peek(cost) => ("peek", cost.get()),
            Ask::Touch => ("touch", 0),
        };
        let carry = match policy.midnight() {
            Midnight::Truncate => "0",
            Midnight::Carry => "1",
        };
        let arguments = [
            ask.into(),
            cost.to_string(),
            policy.limit().to_string(),
            policy.window_ms().to_string(),
            policy.hold_ms().to_string(),
            policy.day_offset_ms().to_string(),
            carry.into(),
            now.map(|now| now.to_string()).unwrap_or_default(),
        ];
        Self { key: key.text.clone(), arguments }
    }

    /// `KEYS[1]`.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// `ARGV`.
    #[must_use]
    pub const fn arguments(&self) -> &[String; 8] {
        &self.arguments
    }
}

/// What the script answers: `{at, granted, window, verdict}` in JSON.
///
/// ```
/// use sendoff::rate_limit::{Policy, redis::Answer};
///
/// let answer = Answer::read(&Policy::PRODUCTION, &[0, 0, 1_750_000_000_000, 1_750_000_000_000, 0])?;
/// assert_eq!((answer.granted, answer.verdict), (0, None)); // it was a touch
/// assert!(Answer::read(&Policy::PRODUCTION, &[7]).is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Answer {
    /// The time that it was judged by.
    pub at: Time,
    /// How much was taken from the window: of a batch perhaps less than was asked for.
    pub granted: u32,
    /// The window that the request falls into, and what is taken of it.
    pub window: Window,
    /// Whether the call may pass; none, `null` in JSON, for a request that does not count.
    pub verdict: Option<Verdict>,
}

impl Answer {
    /// The five integers that the script answers with.
    ///
    /// # Errors
    ///
    /// `type`, `range` or `rule` for what the script does not answer under this policy.
    pub fn read(policy: &Policy, numbers: &[i64]) -> Result<Self, Error> {
        let mut issues = Issues::default();
        let answer = Self::judge(policy, numbers, &Path::Root, &mut issues);
        issues.or(answer)
    }

    #[expect(clippy::arithmetic_side_effects, reason = "the script's times are far below 2^63, as they are checked")]
    fn judge(policy: &Policy, numbers: &[i64], at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        const PHASES: [Phase; 5] = [Phase::Anchored, Phase::Rolled, Phase::Same, Phase::Held, Phase::SteppedBack];
        let &[phase, granted, now, start, count] = numbers else {
            issues.push(at, Code::Type, format!("expected the script's five integers, found {}", numbers.len()));
            return None;
        };
        let mut bounded = |value, index, least, most| {
            if (least..=most).contains(&value) {
                return Some(value);
            }
            let message = format!("expected an integer from {least} to {most}, found {value}");
            issues.push(&Path::Item(at, index), Code::Range, message);
            None
        };
        let (least, most) = (Time::MIN.as_ms(), Time::MAX.as_ms());
        let read = (
            bounded(phase, 0, 0, 4),
            bounded(granted, 1, -1, policy.limit().into()),
            bounded(now, 2, least, most),
            bounded(start, 3, least, most),
            bounded(count, 4, 0, MAX_COUNT),
        );
        let (Some(phase), Some(granted), Some(now), Some(start), Some(count)) = read else { return None };
        let phase = *PHASES.get(usize::try_from(phase).ok()?)?;
        let (now, start) = (Time::saturating(now), Time::saturating(start));
        let window = Window { start, count: u32::try_from(count).ok()? };
        let left = policy.end(start) - now.as_ms();
        let fits = match phase {
            Phase::Anchored | Phase::SteppedBack => start == now,
            Phase::Rolled | Phase::Same => start <= now,
            Phase::Held => start > now,
        };
        if !fits || left <= 0 || count < granted || (granted > 0 && window.count > policy.limit()) {
            issues.push(at, Code::Rule, "expected what the script answers under this policy, found another".into());
            return None;
        }
        let seconds = left.unsigned_abs().div_ceil(1_000);
        let verdict = match granted {
            0 => None,
            -1 => Some(Verdict::Refused { phase, retry_after: seconds }),
            _ => {
                let remaining = policy.limit().saturating_sub(window.count);
                Some(Verdict::Admitted { phase, remaining, reset_after: seconds })
            }
        };
        Some(Self { at: now, granted: u32::try_from(granted).unwrap_or_default(), window, verdict })
    }
}

/// What is asked, as a document: `{environment, scope, secret = "", kind, cost = 1, now?}`.
struct Question {
    environment: String,
    scope: String,
    secret: Option<String>,
    kind: Kind,
    cost: Option<u32>,
    now: Option<Time>,
}

keyword! {
    /// The kinds of [`Ask`].
    enum Kind: "`admit`, `lease`, `peek` or `touch`" {
        "admit" => Admit,
        "lease" => Lease,
        "peek" => Peek,
        "touch" => Touch,
    }
}

impl Read for Question {
    const EXPECTED: &'static str =
        "a question, an object of `environment`, `scope`, `secret`, `kind`, `cost` and `now`";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open::<Self>(node, at, issues)?;
        let environment = object.required("environment");
        let scope = object.required("scope");
        let secret = object.optional("secret");
        let kind = object.required("kind");
        let cost = object.optional::<Integer<1, MAX_COUNT>>("cost");
        let now = object.optional("now");
        object.close();
        Some(Self {
            environment: environment?,
            scope: scope?,
            secret: secret?,
            kind: kind?,
            cost: cost?.map(|Integer(cost)| u32::try_from(cost).unwrap_or(u32::MAX)),
            now: now?,
        })
    }
}

/// The call of the script for a policy and a [`Question`], both as JSON text.
pub(crate) fn read_request(policy: &str, ask: &str) -> Result<Request, Error> {
    let mut issues = Issues::default();
    let at = Path::Field(&Path::Root, "ask");
    let policy = read_text::<Policy>(policy, &Path::Root, &mut issues);
    let question = read_text::<Question>(ask, &at, &mut issues);
    let request = policy.zip(question).and_then(|(policy, question)| {
        let Question { environment, scope, secret, kind, cost, now } = question;
        let key = Key::read(&policy, &environment, &scope, secret.unwrap_or_default().as_bytes(), &at, &mut issues);
        let cost = match cost {
            Some(cost) => policy.cost_at(cost, &Path::Field(&at, "cost"), &mut issues),
            None => Some(Cost::ONE),
        };
        let ask = match kind {
            Kind::Admit => Ask::Admit(cost?),
            Kind::Lease => Ask::Lease(cost?),
            Kind::Peek => Ask::Peek(cost?),
            Kind::Touch => Ask::Touch,
        };
        Some(Request::new(&policy, &key?, ask, now))
    });
    issues.or(request)
}

/// The meaning of the script's answer, an array of integers, under a policy, both as JSON text.
pub(crate) fn read_answer(policy: &str, numbers: &str) -> Result<Answer, Error> {
    type Any = Integer<{ -9_007_199_254_740_991 }, 9_007_199_254_740_991>;
    let mut issues = Issues::default();
    let at = Path::Field(&Path::Root, "numbers");
    let policy = read_text::<Policy>(policy, &Path::Root, &mut issues);
    let numbers = read_text::<Vec<Any>>(numbers, &at, &mut issues);
    let answer = policy.zip(numbers).and_then(|(policy, numbers)| {
        let numbers: Vec<_> = numbers.into_iter().map(|Integer(number)| number).collect();
        Answer::judge(&policy, &numbers, &at, &mut issues)
    });
    issues.or(answer)
}
