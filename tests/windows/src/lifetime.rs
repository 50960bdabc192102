//! The expiry of keys. It is set when a caller's windows start again, and no other request changes
//! it.

use redis::{Connection, Pipeline};
use sendoff::rate_limit::redis::{Key, RedisRequest, SCRIPT_SHA1};
use sendoff::rate_limit::{Midnight, Policy};

use crate::dice::Dice;
use crate::reference::run;
use crate::trace::{any_ask, any_policy, beginning, load, midnight_after, moved, time};

/// The number of requests of a caller.
const STEPS: u64 = 40;

/// The expiry of a key by the store's clock; `-1` if it never expires, `-2` if the key does not exist.
type Expiry = i64;

/// Checks the expiry of keys after each request of this number of callers.
pub fn look(connection: &mut Connection, dice: &mut Dice, callers: u64) -> u64 {
    load(connection);
    for caller in 0..callers {
        let policy = any_policy(dice);
        let key = Key::new(&policy, "lifetime", &caller.to_string(), b"secret").expect("a key");
        // With the caller's clock or the store's.
        let mut now = (!dice.one_in(4)).then(|| beginning(dice));
        let (mut state, mut expiry) = (None, -2);
        for _ in 0..STEPS {
            if dice.one_in(10) && state.is_some() {
                let persist = redis::cmd("PERSIST").arg(key.as_str()).exec(connection);
                persist.expect("the time to live is removed");
                expiry = -1;
            }
            now = now.map(|now| moved(dice, now, &policy, state));
            let ask = any_ask(dice, &policy, state);
            let request = RedisRequest::new(&policy, &key, ask, now.map(time));
            let (earliest, numbers, found, latest) = asked(connection, &request);
            let (expected, _, after) = run(&policy, state, ask, time(numbers[2]));
            assert_eq!(numbers, expected, "{ask:?} at {now:?} of {state:?} under {policy:?}");
            let begins = matches!(numbers[0], 0 | 4) && after != state;
            if begins {
                let lives = promised(&policy, numbers[2]);
                let bounds = earliest + lives..=latest + lives;
                assert!(bounds.contains(&found), "{found} is not in {bounds:?}: {request:?}");
                expiry = found;
            }
            assert_eq!(
                found, expiry,
                "the expiry after {ask:?} at {now:?} of {state:?} under {policy:?}"
            );
            state = after;
        }
    }
    callers * STEPS
}

/// The promised expiry: the end of the day or of its last window, plus ten minutes, or plus the hold time if that is longer.
fn promised(policy: &Policy, now: i64) -> i64 {
    let carried =
        if policy.midnight() == Midnight::Carry { policy.window().as_millis() as i64 } else { 0 };
    midnight_after(policy, now) - now + carried + 600_000.max(policy.hold().as_millis() as i64)
}

/// Returns the script's answer, the key's expiry, and the store's clock before and after.
fn asked(connection: &mut Connection, request: &RedisRequest) -> (i64, Vec<i64>, Expiry, i64) {
    let mut pipe = Pipeline::new();
    pipe.atomic().cmd("TIME").cmd("EVALSHA").arg(SCRIPT_SHA1).arg(1).arg(request.key());
    pipe.arg(request.arguments()).cmd("PEXPIRETIME").arg(request.key()).cmd("TIME");
    let (before, numbers, expiry, after): ((i64, i64), _, _, (i64, i64)) =
        pipe.query(connection).expect("an answer");
    let ms = |(seconds, micros): (i64, i64)| seconds * 1_000 + micros / 1_000;
    (ms(before), numbers, expiry, ms(after))
}
