//! Answers of the shared store, whoever gives them.

use arbitrary::{Arbitrary, Result, Unstructured};
use sendoff::rate_limit::redis::RedisAnswer;
use sendoff::rate_limit::{Phase, Policy, Step, Verdict};

use crate::steps::{MAX_MS, policy, shared};

/// The bytes are a policy, and answers to the requests of a process.
pub(super) fn check(bytes: &[u8]) {
    let _ = run(&mut Unstructured::new(bytes));
}

fn run(u: &mut Unstructured<'_>) -> Result<()> {
    let policy = policy(u)?;
    let batch = u.int_in_range(1..=policy.limit().min(50))?;
    let mut limiter = shared(policy, bool::arbitrary(u)?.then_some(batch));
    let (mut tick, mut granted, mut passed) = (0_u64, 0_u64, 0_u64);
    for _ in 0..40 {
        if u.is_empty() {
            break;
        }
        tick = tick.saturating_add(*u.choose(&[0, 1, 1_000, 299_999, 86_400_000, 1 << 62])?);
        let numbers = numbers(u)?;
        match limiter.admit("shop", tick).unwrap() {
            Step::Known(verdict) => passed += u64::from(verdict.unwrap().is_admitted()),
            Step::Ask(_) => {
                let sent = tick;
                tick = tick.saturating_add(u64::from(u.int_in_range(0..=2_000_u16)?));
                let read = RedisAnswer::read(&policy, &numbers);
                let heard = limiter.on_reply("shop", &numbers, sent, tick);
                assert_eq!(heard.is_ok(), read.is_ok());
                if let Ok(answer) = read {
                    fits(&policy, &numbers, &answer);
                    assert_eq!(heard.unwrap(), answer.verdict);
                    granted += u64::from(answer.granted);
                    passed +=
                        u64::from(answer.verdict.is_some_and(|verdict| verdict.is_admitted()));
                }
            }
        }
        // Whatever a store says, no process passes more calls than it was granted.
        assert!(passed <= granted, "{passed} of {granted}");
    }
    Ok(())
}

/// Five integers close to those that a store gives, or any number of any integers.
fn numbers(u: &mut Unstructured<'_>) -> Result<Vec<i64>> {
    if u.ratio(1, 8)? {
        return Vec::arbitrary(u);
    }
    let now = *u.choose(&[0, 1_750_000_000_000, MAX_MS, -MAX_MS, 1])?;
    let start = now - i64::from(i32::arbitrary(u)?);
    let count = *u.choose(&[0, 1, 2, 3, 5, 50, 1_500, (1 << 21) - 1, 1 << 21, -1])?;
    Ok(vec![u.int_in_range(-1..=5)?, u.int_in_range(-2..=51)?, now, start, count])
}

/// What is read means what the integers say.
fn fits(policy: &Policy, numbers: &[i64], answer: &RedisAnswer) {
    let &[phase, granted, now, start, count] = numbers else {
        panic!("five integers, found {numbers:?}")
    };
    assert_eq!((answer.at.as_ms(), answer.window.start().as_ms()), (now, start));
    assert_eq!(
        (i64::from(answer.window.count()), i64::from(answer.granted)),
        (count, granted.max(0))
    );
    let phase = Phase::ALL[usize::try_from(phase).unwrap()];
    match answer.verdict {
        None => assert_eq!(granted, 0),
        Some(Verdict::Admitted { phase: said, remaining, .. }) => {
            assert!(said == phase && granted > 0);
            assert_eq!(remaining, policy.limit() - answer.window.count());
        }
        Some(Verdict::Refused { phase: said, .. }) => assert!(said == phase && granted == -1),
    }
}
