//! Windows that many processes share, in Redis or Valkey: the script that keeps them, its arguments
//! and its answer.
//!
//! One key holds one caller's [`Window`](super::Window) as `start count`, and one call of
//! [`SCRIPT`] is one request of that caller. The script answers like [`admit`](super::admit) and
//! [`touch`](super::touch), by the store's clock. It needs a store that supports `SET … KEEPTTL`:
//! Redis 6.0, or any Valkey. This module sends nothing. The host sends `EVALSHA` with
//! [`SCRIPT_SHA1`], `1`, the key and the arguments. If the store answers `NOSCRIPT`, the host sends
//! `EVAL` with [`SCRIPT`].
//!
//! - A refusal writes nothing.
//! - A call needs three commands: `TIME`, because all processes have one clock, `GET` and `SET`. The rest of the script takes a
//!   third of its time.
//! - A request with a deadline ([`RedisRequest::with_deadline`]) changes nothing from that time on, by the store's clock: a
//!   store that hung does not count calls that were given up meanwhile.
//! - The time to live of a key only removes old keys: a key lives for ten minutes after its day, or after its last
//!   window if midnight carries, or for [`hold`](super::Policy::hold) if that is longer. If the time to live is
//!   lost, nothing changes. If the key is lost, its caller starts anew, as with a day's first request.
//! - A replica that takes over without the last writes admits again as many calls as were lost.
//!
//! ```
//! use sendoff::rate_limit::redis::{RedisAnswer, Ask, Key, RedisRequest};
//! use sendoff::rate_limit::{Cost, Policy, Verdict};
//!
//! let policy = Policy::PRODUCTION;
//! let key = Key::new(&policy, "production", "shop", b"a secret of the host")?;
//! let request = RedisRequest::new(&policy, &key, Ask::Admit(Cost::ONE), None);
//! assert!(request.key().starts_with("sendoff:rw:v1:{production.300000+0t."));
//!
//! let numbers = [2, 1, 1_750_000_120_500, 1_750_000_000_000, 1_500]; // what the script answered
//! let RedisAnswer { verdict, .. } = RedisAnswer::read(&policy, &numbers)?;
//! assert!(matches!(verdict, Some(Verdict::Admitted { remaining: 0, reset_after: 180, .. })));
//! # Ok::<(), sendoff::error::Error>(())
//! ```

mod answer;
mod key;
mod request;

pub(crate) use answer::Number;
pub use answer::RedisAnswer;
pub use key::Key;
pub(crate) use request::RedisAsk;
pub use request::{Ask, RedisRequest};

/// The script, in the Lua of Redis.
pub const SCRIPT: &str = include_str!("script.lua");

/// The name of the script in the store: its SHA-1 in lower-case hex.
pub const SCRIPT_SHA1: &str = "6c347422ee5ed0f3c80402ff0c5121c092814ee5";
