//! Many processes: the answers that a process gives itself equal those of the store.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use proptest::prelude::*;
use rate_windows::reference;
use sendoff::rate_limit::redis::{Ask, RedisRequest};
use sendoff::rate_limit::{Cost, Midnight, Policy, SharedLimiter, Step, Verdict, Window};

use laws::day_log::{DAY_MS, midnight_after};
use laws::steps::{beginnings, cost, policies, time};

const SCOPE: &str = "shop";

/// A request to one of the processes, microseconds after the one before.
#[derive(Clone, Debug)]
struct Arrival {
    gap: Gap,
    process: usize,
    counts: bool,
    /// The delay to the store and back; `None` if the answer is lost.
    there: i64,
    back: Option<i64>,
}

/// Times close to changes of windows, in microseconds.
#[derive(Clone, Copy, Debug)]
enum Gap {
    Of(i64),
    ToEnd(i64),
    ToMidnight(i64),
}

fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let latency = || prop_oneof![4 => 0..1_000_i64, 2 => 0..300_000_i64, 1 => 0..8_000_000_i64];
    let gap = prop_oneof![
        6 => prop_oneof![Just(0), Just(1), 0..3_000_i64, 0..2_000_000_i64].prop_map(Gap::Of),
        2 => (-4_000..4_000_i64).prop_map(Gap::ToEnd),
        3 => (0..70_i64, -3_000..3_000_i64).prop_map(|(seconds, us)| Gap::ToEnd(us - seconds * 1_000_000)),
        1 => (-4_000..4_000_i64).prop_map(Gap::ToMidnight),
        2 => (-70_000_000..70_000_000_i64).prop_map(Gap::ToMidnight),
        1 => (0..2 * DAY_MS * 1_000).prop_map(Gap::Of),
    ];
    let back = prop_oneof![15 => latency().prop_map(Some), 1 => Just(None)];
    let arrival = (gap, 0..4_usize, prop::bool::weighted(0.85), latency(), back);
    let arrival = arrival.prop_map(|(gap, process, counts, there, back)| Arrival { gap, process, counts, there, back });
    prop::collection::vec(arrival, 1..80)
}

/// A message that is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Under {
    ToStore { process: usize, request: RedisRequest, sent: u64, back: Option<i64> },
    ToProcess { process: usize, numbers: [i64; 5], sent: u64, state: Option<Window> },
}

/// The store and its processes, each with its own clock.
struct World {
    policy: Policy,
    /// The true time, in microseconds.
    now: i64,
    /// The store's clock at the true time 0, in microseconds.
    store: i64,
    state: Option<Window>,
    processes: Vec<SharedLimiter>,
    /// Messages by the time of arrival, and then in the order of sending.
    under_way: BinaryHeap<Reverse<(i64, usize)>>,
    letters: Vec<Under>,
    /// For the start of each window, the number of admitted calls and the store's count.
    passed: HashMap<i64, u32>,
    counted: BTreeMap<i64, u32>,
    leases: bool,
}

impl World {
    fn new(policy: Policy, begins: i64, batch: Option<u32>) -> Self {
        let process = || {
            let limiter = SharedLimiter::new(policy, "laws", b"secret").unwrap();
            batch.map_or_else(
                || SharedLimiter::new(policy, "laws", b"secret").unwrap(),
                |batch| limiter.with_lease(cost(&policy, batch)),
            )
        };
        Self {
            policy,
            now: 0,
            store: begins * 1_000 + 777,
            state: None,
            processes: (0..4).map(|_| process()).collect(),
            under_way: BinaryHeap::new(),
            letters: Vec::new(),
            passed: HashMap::new(),
            counted: BTreeMap::new(),
            leases: batch.is_some(),
        }
    }

    /// The store's clock at a true time.
    fn store_ms(&self, at: i64) -> i64 {
        (self.store + at).div_euclid(1_000)
    }

    /// A process's clock at a true time. Each process started at another fraction of a millisecond.
    fn tick(&self, process: usize, at: i64) -> u64 {
        let started = i64::try_from(process).unwrap() * 313;
        u64::try_from((at + started) / 1_000).unwrap()
    }

    /// The reference's answer to a request at a true time.
    fn expected(&self, ask: Ask, at: i64) -> ([i64; 5], Option<Verdict>, Option<Window>) {
        reference::run(&self.policy, self.state, ask, time(self.store_ms(at)))
    }

    fn pass(&mut self, start: i64) {
        *self.passed.entry(start).or_default() += 1;
    }

    fn after(&self, gap: Gap) -> i64 {
        let store_now = self.store + self.now;
        let start = self.expected(Ask::Peek(Cost::ONE), self.now).0[3];
        let full = start + i64::from(self.policy.window_ms());
        let end = match self.policy.midnight() {
            Midnight::Truncate => full.min(midnight_after(start, &self.policy)),
            Midnight::Carry => full,
        };
        let to = match gap {
            Gap::Of(us) => store_now + us,
            Gap::ToEnd(us) => end * 1_000 + us,
            Gap::ToMidnight(us) => {
                let midnight = midnight_after(self.store_ms(self.now), &self.policy) * 1_000;
                // Just before midnight, the following midnight is a day away.
                if midnight - store_now > 140_000_000 { midnight + us } else { store_now + us.abs() }
            }
        };
        self.now.max(to - self.store)
    }

    fn send(&mut self, at: i64, letter: Under) {
        self.under_way.push(Reverse((at, self.letters.len())));
        self.letters.push(letter);
    }

    /// Delivers everything that arrives up to a time.
    fn run_to(&mut self, until: i64) {
        while let Some(Reverse((at, letter))) = self.under_way.peek().copied()
            && at <= until
        {
            self.under_way.pop();
            self.now = at;
            match self.letters[letter].clone() {
                Under::ToStore { process, request, sent, back } => {
                    let arguments = request.arguments();
                    assert_eq!(arguments[7], "", "the store's clock is used");
                    let asked = || cost(&self.policy, arguments[1].parse().unwrap());
                    let ask = match arguments[0].as_str() {
                        "admit" => Ask::Admit(asked()),
                        "lease" => Ask::Lease(asked()),
                        _ => Ask::Touch,
                    };
                    let (numbers, _, state) = self.expected(ask, at);
                    self.state = state;
                    let window = state.unwrap();
                    self.counted.insert(window.start().as_ms(), window.count());
                    if let Some(back) = back {
                        self.send(at + back, Under::ToProcess { process, numbers, sent, state });
                    }
                }
                Under::ToProcess { process, numbers, sent, state } => {
                    let came = self.tick(process, at);
                    let verdict = self.processes[process].heard(SCOPE, &numbers, sent, came).unwrap();
                    match verdict {
                        Some(Verdict::Admitted { .. }) => self.pass(numbers[3]),
                        Some(Verdict::Refused { retry_after, .. }) => self.check_retry_after(state, at, retry_after),
                        None => {}
                    }
                }
            }
        }
        self.now = until;
    }

    /// Checks that a refused caller is admitted after `retry_after` seconds if there are no other calls.
    fn check_retry_after(&self, state: Option<Window>, at: i64, retry_after: u64) {
        let then = time(self.store_ms(at + i64::try_from(retry_after).unwrap() * 1_000_000));
        let (_, verdict, _) = reference::run(&self.policy, state, Ask::Admit(Cost::ONE), then);
        assert!(verdict.unwrap().is_admitted(), "refused for {retry_after} s at {at} us, and then again");
    }

    /// Sends a request to a process now. Its own answer must equal that of the store.
    fn request(&mut self, process: usize, counts: bool, there: i64, back: Option<i64>) -> Option<Verdict> {
        let sent = self.tick(process, self.now);
        let limiter = &mut self.processes[process];
        let step = if counts { limiter.admit(SCOPE, sent) } else { limiter.touch(SCOPE, sent) };
        match step.unwrap() {
            Step::Ask(request) => {
                self.send(self.now + there, Under::ToStore { process, request, sent, back });
                None
            }
            Step::Known(None) => {
                assert_eq!(
                    self.expected(Ask::Touch, self.now).2,
                    self.state,
                    "a touch that starts a window was not sent"
                );
                None
            }
            Step::Known(Some(verdict)) => {
                let (numbers, would, _) = self.expected(Ask::Peek(Cost::ONE), self.now);
                match verdict {
                    Verdict::Admitted { .. } => {
                        assert!(self.leases);
                        self.pass(numbers[3]);
                    }
                    Verdict::Refused { retry_after, .. } => {
                        assert!(!would.unwrap().is_admitted(), "refused, but the store would admit");
                        self.check_retry_after(self.state, self.now, retry_after);
                    }
                }
                Some(verdict)
            }
        }
    }

    /// Checks that admitted calls are at most the store's count, and that the count is at most the limit.
    fn keeps_the_limit(&self) {
        for (start, passed) in &self.passed {
            let counted = self.counted.get(start).copied().unwrap_or_default();
            assert!(*passed <= counted && counted <= self.policy.limit(), "{passed} of {counted} passed");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn processes_share_a_window(
        policy in policies(),
        begins in beginnings(),
        arrivals in arrivals(),
        batch in prop::option::of(1..=4_u32),
        process in 0..4_usize,
    ) {
        let mut world = World::new(policy, begins, batch.map(|batch| batch.min(policy.limit())));
        for Arrival { gap, process, counts, there, back } in arrivals {
            world.run_to(world.after(gap));
            world.request(process, counts, there, back);
            world.keeps_the_limit();
        }
        world.run_to(world.now + 20_000_000);
        world.keeps_the_limit();

        // With one process, a refused call is admitted after exactly this number of seconds.
        for _ in 0..10 {
            let before = world.passed.values().sum::<u32>();
            if let Some(Verdict::Refused { retry_after, .. }) = world.request(process, true, 700, Some(700)) {
                world.run_to(world.now + i64::try_from(retry_after).unwrap() * 1_000_000);
                prop_assert!(world.request(process, true, 0, Some(0)).is_none_or(|verdict| verdict.is_admitted()));
                world.run_to(world.now);
                prop_assert_eq!(world.passed.values().sum::<u32>(), before + 1);
                break;
            }
            world.run_to(world.now + 2_000);
        }
        world.keeps_the_limit();
    }
}

/// How long a process waits for an answer, in milliseconds.
const PATIENCE: u64 = 250;

/// The delay to the store and back in microseconds, and the change of the store's clock before the call is sent.
fn journeys() -> impl Strategy<Value = Vec<(i64, i64, i64)>> {
    let latency = || prop_oneof![4 => 0..1_000_i64, 2 => 0..300_000_i64, 1 => 0..8_000_000_i64];
    let step = prop_oneof![12 => Just(0), 1 => 0..5_000_000_i64];
    prop::collection::vec((latency(), latency(), step), 1..40)
}

proptest! {
    /// With a clock that is only set forward, no abandoned call is counted. A call that arrives in time is not late, unless the
    /// clock was set or is unknown.
    #[test]
    fn abandoned_calls_are_not_counted(begins in beginnings(), fraction in 0..1_000_i64, journeys in journeys()) {
        let policy = Policy::PRODUCTION;
        let mut limiter = SharedLimiter::new(policy, "laws", b"secret").unwrap();
        // The true time, and the lead of the store's clock, both in microseconds.
        let (mut now, mut store) = (0_i64, begins * 1_000 + 777);
        // The longest delay of an answer with the current setting of the clock.
        let mut known: Option<i64> = None;
        for (there, back, step) in journeys {
            let tick = |at: i64| u64::try_from((at + fraction).div_euclid(1_000)).unwrap();
            (store, known) = (store + step, known.filter(|_| step == 0));
            let sent = tick(now);
            let deadline = limiter.store_time(sent + PATIENCE);
            let (arrives, comes) = (now + there, now + there + back);
            let at = time((store + arrives).div_euclid(1_000));
            let is_counted = at < deadline;
            let is_given_up = arrives >= now + i64::try_from(PATIENCE).unwrap() * 1_000;
            prop_assert!(!(is_counted && is_given_up), "counted at {at}, and abandoned by {deadline}");
            if let Some(round_trip) = known && there + round_trip + 4_000 < i64::try_from(PATIENCE).unwrap() * 1_000 {
                prop_assert!(is_counted, "late at {at} by {deadline}");
            }
            limiter.heard_late(SCOPE, at, sent, tick(comes));
            known = Some(known.map_or(there + back, |known| known.min(there + back)));
            now = comes;
        }
    }
}

/// The script's answer at a time to the first call of a day.
fn first(at: i64, granted: i64) -> [i64; 5] {
    [0, granted, at, at, granted]
}

fn asked(step: Step) -> String {
    let Step::Ask(request) = step else { panic!("{step:?} is known") };
    request.arguments()[0].clone()
}

#[test]
fn one_batch_is_on_its_way_at_a_time() {
    let policy = Policy::new(10, 60_000).unwrap();
    let mut limiter = SharedLimiter::new(policy, "laws", b"").unwrap().with_lease(cost(&policy, 4));
    assert_eq!(asked(limiter.admit(SCOPE, 0).unwrap()), "lease");
    assert_eq!(asked(limiter.admit(SCOPE, 5).unwrap()), "admit");
    assert_eq!(asked(limiter.admit("another", 5).unwrap()), "lease");
    limiter.heard(SCOPE, &first(0, 4), 0, 9).unwrap();
    for _ in 0..3 {
        assert!(matches!(limiter.admit(SCOPE, 9).unwrap(), Step::Known(Some(Verdict::Admitted { .. }))));
    }
    assert_eq!(asked(limiter.admit(SCOPE, 10).unwrap()), "lease");
    // Its answer is lost. The next answer shows that the store works.
    assert_eq!(asked(limiter.admit(SCOPE, 20).unwrap()), "admit");
    limiter.heard(SCOPE, &[2, 1, 20, 0, 9], 20, 21).unwrap();
    assert_eq!(asked(limiter.admit(SCOPE, 30).unwrap()), "lease");
}

#[test]
fn answers_of_one_window_add_up() {
    let policy = Policy::new(10, 60_000).unwrap();
    let mut limiter = SharedLimiter::new(policy, "laws", b"").unwrap().with_lease(cost(&policy, 4));
    // The answer for the last two calls of the window arrives before that of the earlier batch.
    limiter.heard(SCOPE, &[2, 2, 50, 0, 10], 40, 60).unwrap();
    limiter.heard(SCOPE, &[2, 4, 45, 0, 8], 35, 70).unwrap();
    for left in (0..4).rev() {
        let Step::Known(Some(Verdict::Admitted { remaining, .. })) = limiter.admit(SCOPE, 80).unwrap() else {
            panic!()
        };
        assert_eq!(remaining, left);
    }
    assert!(matches!(limiter.admit(SCOPE, 80).unwrap(), Step::Known(Some(Verdict::Refused { .. }))));
}

#[test]
fn answers_overtake_each_other() {
    let policy = Policy::new(1, 60_000).unwrap();
    let mut limiter = SharedLimiter::new(policy, "laws", b"").unwrap();
    // The second window is full. A late answer about the first window has no effect.
    limiter.heard(SCOPE, &[1, 1, 60_000, 60_000, 1], 60_000, 60_010).unwrap();
    limiter.heard(SCOPE, &[2, -1, 59_999, 0, 1], 59_999, 60_020).unwrap();
    assert!(matches!(
        limiter.admit(SCOPE, 119_998).unwrap(),
        Step::Known(Some(Verdict::Refused { retry_after: 1, .. }))
    ));
    // The store's clock was set back by a day. The answer to the later request counts.
    limiter.heard(SCOPE, &[2, -1, 60_030 - DAY_MS, 60_000 - DAY_MS, 1], 60_030, 60_040).unwrap();
    assert!(matches!(limiter.admit(SCOPE, 119_998).unwrap(), Step::Known(_)));
    limiter.heard(SCOPE, &[2, 1, 60_050 - 2 * DAY_MS, 60_050 - 2 * DAY_MS, 1], 60_050, 60_060).unwrap();
    assert!(matches!(limiter.admit(SCOPE, 120_048).unwrap(), Step::Known(_)));
    assert_eq!(asked(limiter.admit(SCOPE, 120_049).unwrap()), "admit");
}

#[test]
fn callers_of_past_days_are_dropped() {
    const A_DAY: i64 = 5_000;
    let policy = Policy::PRODUCTION;
    for batch in [None, Some(50)] {
        let limiter = SharedLimiter::new(policy, "laws", b"").unwrap();
        let mut limiter = match batch {
            None => limiter,
            Some(batch) => limiter.with_lease(cost(&policy, batch)),
        };
        for caller in 0..4 * A_DAY {
            let at = caller * (DAY_MS / A_DAY);
            let (scope, tick) = (format!("{caller}"), at.try_into().unwrap());
            asked(limiter.admit(&scope, tick).unwrap());
            limiter.heard(&scope, &first(at, 1), tick, tick + 1).unwrap();
            assert!(limiter.len() <= 2 * A_DAY.unsigned_abs() as usize);
        }
        // No state is left if the store never answers.
        for caller in 0..100_000 {
            asked(limiter.admit(&format!("lost {caller}"), (4 * DAY_MS).try_into().unwrap()).unwrap());
        }
        assert!(limiter.len() <= 2 * A_DAY.unsigned_abs() as usize);
    }
}

/// A tick is any number: a process may count from anywhere.
#[test]
fn a_tick_beyond_every_time_has_an_answer() {
    let mut limiter = SharedLimiter::new(Policy::PRODUCTION, "laws", b"").unwrap();
    for tick in [1 << 63, u64::MAX] {
        limiter.heard(SCOPE, &[2, -1, 50, 0, 1_500], 0, tick).unwrap();
        limiter.heard_late(SCOPE, time(50), 1, tick);
        assert!(matches!(limiter.admit(SCOPE, tick).unwrap(), Step::Ask(_)));
    }
}
