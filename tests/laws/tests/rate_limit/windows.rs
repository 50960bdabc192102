//! One caller: windows follow the specification.

use std::{collections::BTreeMap, num::NonZeroU64, time::Duration};

use proptest::prelude::*;
use sendoff::rate_limit::{
    Admission, Cost, Midnight, Phase, PlanEntry, Policy, Time, Verdict, Window, admit, peek, plan,
    touch,
};

use laws::day_log::{DAY_MS, midnight_after, request};
use laws::steps::{MAX_MS, Step, any_way, cost, forward, take, time, traces, window_ms};

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

    /// The whole answer and the state equal those of the oracle: laws 1, 2 and 6 for any clock.
    #[test]
    fn answers_equal_those_of_the_day_log((policy, steps) in traces(any_way())) {
        let (mut log, mut state) = (None, None);
        for step @ (now, cost) in steps {
            let expected = request(&mut log, &policy, now, cost);
            let (window, verdict) = take(&policy, state, step);
            if let Some(verdict) = verdict {
                prop_assert_eq!(verdict, expected);
                prop_assert_eq!(verdict, peek(&policy, state, time(now), self::cost(&policy, cost)));
            }
            let (_, start, taken) = log.as_ref().unwrap().summary(&policy);
            prop_assert_eq!((window.start().as_ms(), window.count()), (start, taken));
            state = Some(window);
        }
    }

    /// 1: no window admits more than the limit. 2: with calls of cost 1, each window admits all calls up to the limit.
    #[test]
    fn a_window_admits_calls_up_to_the_limit((policy, steps) in traces(forward())) {
        let mut windows = BTreeMap::<Time, (u32, u32)>::new();
        let steps: Vec<_> = steps.into_iter().map(|(now, _)| (now, 1)).collect();
        for (_, _, Admission { window, verdict }) in answers(&policy, &steps) {
            let (came, admitted) = windows.entry(window.start()).or_default();
            *came += 1;
            *admitted += u32::from(verdict.is_admitted());
        }
        for (came, admitted) in windows.into_values() {
            prop_assert_eq!(admitted, came.min(policy.limit()));
        }
    }

    /// 3: retried after `retry_after` seconds, a call is admitted. 4: a second less, and it is refused. 5: bounds.
    #[test]
    fn retry_after_is_exact((policy, steps) in traces(any_way())) {
        for (_, (now, n), Admission { window, verdict }) in answers(&policy, &steps) {
            let full = whole_seconds(policy.window());
            let held = whole_seconds(policy.window() + policy.hold());
            let seconds = match verdict {
                Verdict::Refused { retry_after, .. } => retry_after.get(),
                Verdict::Admitted { reset_after, .. } => reset_after,
            };
            let most = if verdict.phase() == Phase::Held { held } else { full };
            prop_assert!((1..=most).contains(&seconds));
            if let Verdict::Refused { retry_after, .. } = verdict {
                let retry_after = retry_after.get();
                let after = |seconds: u64| time(now + i64::try_from(seconds).unwrap() * 1000);
                let verdict = |seconds| peek(&policy, Some(window), after(seconds), cost(&policy, n));
                prop_assert!(verdict(retry_after).is_admitted());
                for seconds in (0..retry_after).rev().take(400).chain(0..retry_after.min(10)) {
                    prop_assert!(!verdict(seconds).is_admitted());
                }
            }
        }
    }

    /// 6: a day's first request starts its first window, and each window starts at the end of the previous one. 7: a window
    /// includes the millisecond before its end, and not its end.
    #[test]
    fn windows_follow_from_the_days_first_request((policy, steps) in traces(forward())) {
        let carries = policy.midnight() == Midnight::Carry;
        let length = window_ms(&policy);
        let (mut first, mut state) = (0, None::<Window>);
        for step @ (now, _) in steps {
            let is_first = state.is_none_or(|window| {
                let start = window.start().as_ms();
                now >= midnight_after(start, &policy) && !(carries && now < start + length)
            });
            let (window, _) = take(&policy, state, step);
            let start = window.start().as_ms();
            if is_first {
                first = now;
                prop_assert_eq!(start, now);
            }
            prop_assert_eq!((start - first).rem_euclid(length), 0);

            let midnight = midnight_after(start, &policy);
            let end = if carries { start + length } else { (start + length).min(midnight) };
            let phase = |now| peek(&policy, Some(window), time(now), Cost::ONE).phase();
            prop_assert_eq!(phase(end - 1), Phase::Same);
            prop_assert_eq!(phase(end), if end >= midnight { Phase::Anchored } else { Phase::Rolled });
            state = Some(window);
        }
    }

    /// 8: a request that is not admitted changes nothing, unless it starts a caller's windows again.
    #[test]
    fn only_anchors_and_admissions_change_a_state((policy, steps) in traces(any_way())) {
        for (state, (now, _), Admission { window, verdict }) in answers(&policy, &steps) {
            if !verdict.is_admitted() {
                prop_assert_eq!(Some(window), state);
            }
            let touched = touch(&policy, state, time(now));
            prop_assert_eq!(touch(&policy, Some(touched), time(now)), touched);
            if matches!(verdict.phase(), Phase::Anchored | Phase::SteppedBack) {
                prop_assert_eq!(touched, Window::new(time(now), 0).unwrap());
            } else {
                prop_assert_eq!(Some(touched), state);
            }
        }
    }

    /// 9: a call of cost n equals n simultaneous calls that are all admitted.
    #[test]
    fn a_call_of_cost_n_equals_n_calls((policy, steps) in traces(any_way())) {
        for (state, (now, n), Admission { window, verdict }) in answers(&policy, &steps) {
            let mut singly = state;
            let all = (0..n).all(|_| {
                let Admission { window, verdict } = admit(&policy, singly, time(now), Cost::ONE);
                singly = Some(window);
                verdict.is_admitted()
            });
            prop_assert_eq!(verdict.is_admitted(), all);
            prop_assert!(!all || singly == Some(window));
        }
    }

    /// 10: all days are equal.
    #[test]
    fn a_shift_by_days_changes_no_answer((policy, steps) in traces(any_way()), days in -1_000_i64..1_000) {
        let later: Vec<_> = steps.iter().map(|(now, cost)| (now + days * DAY_MS, *cost)).collect();
        let verdicts = |steps| answers(&policy, steps).into_iter().map(|(.., admission)| admission.verdict);
        prop_assert!(verdicts(&steps).eq(verdicts(&later)));
    }

    /// 11: in any span of a window's length, at most twice the limit is admitted, or three times if midnight truncates.
    #[test]
    fn a_span_admits_at_most_two_or_three_limits((policy, steps) in traces(forward())) {
        let length = window_ms(&policy);
        let mut admitted = answers(&policy, &steps);
        admitted.retain(|(.., admission)| admission.verdict.is_admitted());
        for (at, (_, (from, _), _)) in admitted.iter().enumerate() {
            let span = admitted.iter().skip(at).take_while(|(_, (now, _), _)| *now < from + length);
            let sum: u64 = span.map(|(_, (_, cost), _)| u64::from(*cost)).sum();
            let truncates = policy.midnight() == Midnight::Truncate && midnight_after(*from, &policy) < from + length;
            let limits = if truncates { 3 } else { 2 };
            prop_assert!(sum <= limits * u64::from(policy.limit()));
        }
    }

    /// 14: for any state, time and policy there is an answer, with a valid state.
    #[test]
    fn every_input_has_an_answer(
        (limit, window_ms, offset, hold) in (1..1_u32 << 21, 1_000..=86_400_000_u64, -720..=840_i16, 0..=MAX_MS),
        midnight in prop::sample::select(Midnight::ALL),
        (start, count, now) in (anywhere(), 0..1_u32 << 21, anywhere()),
        (cost, n) in (any::<u32>(), any::<u64>()),
    ) {
        let policy = Policy::new(limit, Duration::from_millis(window_ms)).unwrap().with_day_offset_minutes(offset).unwrap();
        let policy = policy.with_midnight(midnight).with_hold(Duration::from_millis(hold.try_into().unwrap())).unwrap();
        let (state, now) = (Some(Window::new(start, count).unwrap()), now);
        let Admission { window, verdict } = admit(&policy, state, now, policy.cost(cost % limit + 1).unwrap());
        prop_assert!(window.count() <= limit.max(count));
        prop_assert!(!verdict.is_admitted() || window.count() <= limit);
        prop_assert!(touch(&policy, state, now).count() <= count);
        if let Ok(schedule) = plan(&policy, state, now, n >> (n % 64)) {
            prop_assert!(schedule.len() <= 100_000);
        }
    }

    /// 14, for parsers: values outside the bounds are refused.
    #[test]
    fn values_out_of_bounds_are_refused(ms in any::<i64>(), number in any::<u32>(), n in any::<u64>()) {
        prop_assert_eq!(Time::from_ms(ms).is_ok(), (-MAX_MS..=MAX_MS).contains(&ms));
        prop_assert_eq!(Window::new(Time::EPOCH, number).is_ok(), number < 1 << 21);
        prop_assert_eq!(Policy::new(number, Duration::from_secs(1)).is_ok(), (1..1 << 21).contains(&number));
        prop_assert_eq!(Policy::new(1, Duration::from_millis(number.into())).is_ok(), (1_000..=86_400_000).contains(&number));
        prop_assert_eq!(Policy::PRODUCTION.with_hold(Duration::from_millis(n)).is_ok(), n <= MAX_MS.unsigned_abs());
        prop_assert_eq!(Policy::PRODUCTION.cost(number).is_ok(), (1..=1_500).contains(&number));
    }

    /// Written documents are read back.
    #[test]
    fn documents_are_read_back((policy, steps) in traces(any_way())) {
        prop_assert_eq!(serde_json::to_string(&policy).unwrap().parse::<Policy>().unwrap(), policy);
        for (_, _, Admission { window, .. }) in answers(&policy, &steps) {
            prop_assert_eq!(serde_json::to_string(&window).unwrap().parse::<Window>().unwrap(), window);
            prop_assert_eq!(serde_json::from_value::<Time>(window.start().as_ms().into()).unwrap(), window.start());
        }
    }

    /// 15: a plan has the times at which a caller that always tries would be admitted.
    #[test]
    fn a_plan_is_the_earliest_that_is_admitted((policy, steps) in traces(any_way()), n in 0..40_u64) {
        let (now, _) = steps[steps.len() - 1];
        let mut state = steps.iter().fold(None, |state, step| Some(take(&policy, state, *step).0));
        let schedule = plan(&policy, state, time(now), n).unwrap();
        prop_assert_eq!(schedule.iter().map(|entry| u64::from(entry.count)).sum::<u64>(), n);

        let mut clock = now;
        for PlanEntry { at, count } in schedule {
            if at.as_ms() > clock {
                // An earlier call would be refused.
                prop_assert!(!peek(&policy, state, time(clock), Cost::ONE).is_admitted());
                prop_assert!(!peek(&policy, state, time(at.as_ms() - 1), Cost::ONE).is_admitted());
            }
            let Admission { window, verdict } = admit(&policy, state, at, cost(&policy, count));
            prop_assert!(verdict.is_admitted());
            (state, clock) = (Some(window), at.as_ms());
        }
    }
}

fn anywhere() -> impl Strategy<Value = Time> {
    prop_oneof![
        Just(Time::MIN),
        Just(Time::MAX),
        (-MAX_MS..=MAX_MS).prop_map(time),
        (0..1_000_000_000_i64).prop_map(time)
    ]
}

/// The seconds of a time, rounded up.
fn whole_seconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis().div_ceil(1_000)).unwrap()
}

#[test]
fn production_is_the_limit_of_the_specification() {
    let policy = Policy::PRODUCTION;
    assert_eq!((policy.limit(), policy.window()), (1_500, Duration::from_secs(5 * 60)));
    assert_eq!((policy.day_offset_minutes(), policy.midnight()), (0, Midnight::Truncate));

    let start = time(1_795_338_001_234);
    let mut window = None;
    for call in 1..=1_500 {
        let admission = admit(&policy, window, start, Cost::ONE);
        assert!(matches!(admission.verdict, Verdict::Admitted { .. }), "{call}");
        window = Some(admission.window);
    }
    assert!(matches!(admit(&policy, window, start, Cost::ONE).verdict, Verdict::Refused { .. }));
}

#[test]
fn a_policy_is_written_as_it_is_read() {
    for offset in [-720, -1, 0, 840] {
        let policy = Policy::PRODUCTION.with_day_offset_minutes(offset).unwrap();
        assert_eq!(policy.to_string().parse::<Policy>(), Ok(policy), "{offset}");
        assert!(offset == 0 || policy.to_string().contains(&offset.to_string()), "{policy}");
    }
}

#[test]
fn a_plan_has_a_maximum_length() {
    let policy = Policy::new(1, Duration::from_secs(1)).unwrap();
    let path = |result: Result<Vec<PlanEntry>, sendoff::error::Error>| {
        result.unwrap_err().issues()[0].path.clone()
    };
    assert_eq!(plan(&policy, None, Time::EPOCH, 100_000).unwrap().len(), 100_000);
    let full = admit(&policy, None, Time::EPOCH, Cost::ONE).window;
    assert_eq!(plan(&policy, Some(full), Time::EPOCH, 100_000).unwrap().len(), 100_000);
    let many = r#"[{"at":0,"count":2097151},{"at":1000,"count":2097151},{"at":2000,"count":7}]"#;
    let policy_of_many = Some(r#"{"limit":2097151,"windowMs":1000}"#);
    assert_eq!(
        sendoff::json::call("plan", &[policy_of_many, Some("null"), Some("0"), Some("4194309")]),
        Ok(many.into())
    );
    assert_eq!(path(plan(&policy, None, Time::EPOCH, 100_001)), "n");
    assert_eq!(path(plan(&policy, None, Time::EPOCH, u64::MAX)), "n");
    assert_eq!(path(plan(&policy, None, Time::MAX, 2)), "n");
    assert_eq!(plan(&policy, None, Time::MAX, 1).unwrap(), [PlanEntry { at: Time::MAX, count: 1 }]);
}

#[test]
fn a_cost_above_the_limit_is_never_admitted() {
    let (large, small) = (
        Policy::new(9, Duration::from_secs(1)).unwrap(),
        Policy::new(3, Duration::from_secs(1)).unwrap(),
    );
    let Admission { window, verdict } = admit(&small, None, Time::EPOCH, cost(&large, 4));
    assert_eq!(verdict, Verdict::Refused { phase: Phase::Anchored, retry_after: NonZeroU64::MIN });
    assert_eq!(window, touch(&small, None, Time::EPOCH));
}
