//! One caller: windows follow the specification.

use std::{num::NonZeroU64, time::Duration};

use proptest::prelude::*;
use sendoff::rate_limit::{
    Admission, Cost, Midnight, Phase, PlanEntry, Policy, Time, Verdict, Window, admit, peek, plan,
    touch,
};

use laws::day_log::{DAY_MS, midnight_after};
use laws::fuzzed::check;
use laws::steps::{Step, bytes, cost, hold_ms, take, time, traces, window_ms};

/// Each call with the state before it, and its answer.
fn answers(policy: &Policy, steps: &[Step]) -> Vec<(Option<Window>, Step, Admission)> {
    let mut state = None;
    let mut answers = Vec::new();
    for step in steps {
        let (window, verdict) = take(policy, state, *step);
        answers.extend(verdict.map(|verdict| (state, *step, Admission { window, verdict })));
        state = Some(window);
    }
    answers
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// A fuzzer's laws: answers, states and plans are those of the day log (1, 2, 6, 8, 9, 15), a keyed limiter answers
    /// like the functions (12) and continues after a restart (13), and a store's answer is read as its verdict.
    #[test]
    fn answers_equal_those_of_the_day_log(bytes in bytes()) {
        check("limiter")(&bytes);
        check("redis")(&bytes);
    }

    /// 3: retried after `retry_after` seconds, a call is admitted. 4: a second less, and it is refused. 5: bounds.
    #[test]
    fn retry_after_is_exact((policy, steps) in traces(false)) {
        for (_, (now, n), Admission { window, verdict }) in answers(&policy, &steps) {
            let held = if verdict.phase() == Phase::Held { hold_ms(&policy) } else { 0 };
            let most = (window_ms(&policy) + held + 999) / 1_000;
            let Verdict::Refused { retry_after, .. } = verdict else {
                let Verdict::Admitted { reset_after, .. } = verdict else { unreachable!() };
                prop_assert!((1..=most.unsigned_abs()).contains(&reset_after));
                continue;
            };
            let retry_after = i64::try_from(retry_after.get()).unwrap();
            prop_assert!((1..=most).contains(&retry_after));
            let again = |seconds| peek(&policy, Some(window), time(now + seconds * 1_000), cost(&policy, n));
            prop_assert!(again(retry_after).is_admitted());
            for seconds in (0..retry_after).rev().take(400).chain(0..retry_after.min(10)) {
                prop_assert!(!again(seconds).is_admitted());
            }
        }
    }

    /// 10: all days are equal. 11: in any span of a window's length, at most twice the limit is admitted, or three times if
    /// midnight truncates.
    #[test]
    fn a_span_admits_at_most_two_or_three_limits((policy, steps) in traces(true), days in -1_000_i64..1_000) {
        let length = window_ms(&policy);
        let mut admitted = answers(&policy, &steps);
        let later: Vec<_> = steps.iter().map(|(now, cost)| (now + days * DAY_MS, *cost)).collect();
        let verdicts = admitted.iter().map(|(.., admission)| admission.verdict);
        prop_assert!(verdicts.eq(answers(&policy, &later).into_iter().map(|(.., admission)| admission.verdict)));

        admitted.retain(|(.., admission)| admission.verdict.is_admitted());
        for (at, (_, (from, _), _)) in admitted.iter().enumerate() {
            let span = admitted.iter().skip(at).take_while(|(_, (now, _), _)| *now < from + length);
            let sum: u64 = span.map(|(_, (_, cost), _)| u64::from(*cost)).sum();
            let truncates = policy.midnight() == Midnight::Truncate && midnight_after(*from, &policy) < from + length;
            let limits = if truncates { 3 } else { 2 };
            prop_assert!(sum <= limits * u64::from(policy.limit()));
        }
    }
}

#[test]
fn production_is_the_limit_of_the_specification() {
    let policy = Policy::PRODUCTION;
    assert_eq!((policy.limit(), policy.window()), (1_500, Duration::from_secs(5 * 60)));
    assert_eq!((policy.day_offset_minutes(), policy.midnight()), (0, Midnight::Truncate));

    let calls = answers(&policy, &[(1_795_338_001_234, 1); 1_501]);
    let admitted = calls.iter().take_while(|(.., admission)| admission.verdict.is_admitted());
    assert_eq!(admitted.count(), 1_500);
}

#[test]
fn a_plan_has_a_maximum_length() {
    let policy = Policy::new(1, Duration::from_secs(1)).unwrap();
    let full = admit(&policy, None, Time::EPOCH, Cost::ONE).window;
    for state in [None, Some(full)] {
        assert_eq!(plan(&policy, state, Time::EPOCH, 100_000).unwrap().len(), 100_000);
    }
    for (now, n) in [(Time::EPOCH, 100_001), (Time::EPOCH, u64::MAX), (Time::MAX, 2)] {
        assert_eq!(plan(&policy, None, now, n).unwrap_err().issues()[0].path, "n", "{n} at {now}");
    }
    assert_eq!(plan(&policy, None, Time::MAX, 1).unwrap(), [PlanEntry { at: Time::MAX, count: 1 }]);

    let most = Policy::new(2_097_151, Duration::from_secs(1)).unwrap();
    let many = plan(&most, None, Time::EPOCH, 4_194_309).unwrap();
    let many = many.iter().map(|entry| (entry.at.as_ms(), entry.count));
    assert!(many.eq([(0, 2_097_151), (1_000, 2_097_151), (2_000, 7)]));
}

#[test]
fn a_cost_above_the_limit_is_never_admitted() {
    let [large, small] = [9, 3].map(|limit| Policy::new(limit, Duration::from_secs(1)).unwrap());
    let Admission { window, verdict } = admit(&small, None, Time::EPOCH, cost(&large, 4));
    assert_eq!(verdict, Verdict::Refused { phase: Phase::Anchored, retry_after: NonZeroU64::MIN });
    assert_eq!(window, touch(&small, None, Time::EPOCH));
}
