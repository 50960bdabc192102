//! Many processes: the answers that a process gives itself equal those of the store.

use std::collections::{BTreeMap, HashMap};

use laws::reference;
use proptest::prelude::*;
use sendoff::rate_limit::redis::{Ask, RedisRequest};
use sendoff::rate_limit::{Cost, Midnight, Policy, SharedLimiter, Step, Verdict, Window};

use laws::day_log::{DAY_MS, midnight_after};
use laws::steps::{cost, policies, shared, time, window_ms};

use super::process::{SCOPE, latency};

/// A request to one of the processes, after the one before: whether it counts, and the delay in microseconds to the store and
/// back; `None` if the answer is lost.
type Arrival = (Gap, usize, bool, i64, Option<i64>);

/// Times close to changes of windows, in microseconds.
#[derive(Clone, Copy, Debug)]
enum Gap {
    Of(i64),
    ToEnd(i64),
    ToMidnight(i64),
}

fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
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
    prop::collection::vec(arrival, 1..80)
}

/// A message that is under way.
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
    under_way: BTreeMap<(i64, usize), Under>,
    letters: usize,
    /// For the start of each window, the number of admitted calls and the store's count.
    passed: HashMap<i64, u32>,
    counted: BTreeMap<i64, u32>,
    leases: bool,
}

impl World {
    fn new(policy: Policy, begins: i64, batch: Option<u32>) -> Self {
        Self {
            policy,
            now: 0,
            store: begins * 1_000 + 777,
            state: None,
            processes: (0..4).map(|_| shared(policy, batch)).collect(),
            under_way: BTreeMap::new(),
            letters: 0,
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
        let full = start + window_ms(&self.policy);
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
                if midnight - store_now > 140_000_000 {
                    midnight + us
                } else {
                    store_now + us.abs()
                }
            }
        };
        self.now.max(to - self.store)
    }

    fn send(&mut self, at: i64, letter: Under) {
        self.under_way.insert((at, self.letters), letter);
        self.letters += 1;
    }

    /// Delivers everything that arrives up to a time.
    fn run_to(&mut self, until: i64) {
        while let Some(next) = self.under_way.first_entry()
            && next.key().0 <= until
        {
            let ((at, _), letter) = next.remove_entry();
            self.now = at;
            match letter {
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
                    let verdict =
                        self.processes[process].on_reply(SCOPE, &numbers, sent, came).unwrap();
                    match verdict {
                        Some(Verdict::Admitted { .. }) => self.pass(numbers[3]),
                        Some(Verdict::Refused { retry_after, .. }) => {
                            self.check_retry_after(state, at, retry_after.get())
                        }
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
        assert!(
            verdict.unwrap().is_admitted(),
            "refused for {retry_after} s at {at} us, and then again"
        );
    }

    /// Sends a request to a process now. Its own answer must equal that of the store.
    fn request(
        &mut self,
        process: usize,
        counts: bool,
        there: i64,
        back: Option<i64>,
    ) -> Option<Verdict> {
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
                        assert!(
                            !would.unwrap().is_admitted(),
                            "refused, but the store would admit"
                        );
                        self.check_retry_after(self.state, self.now, retry_after.get());
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
            assert!(
                *passed <= counted && counted <= self.policy.limit(),
                "{passed} of {counted} passed"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn processes_share_a_window(
        policy in policies(),
        begins in prop_oneof![Just(0), Just(1_750_000_000_000), Just(-62_135_596_800_000), -1_i64 << 52..1 << 52],
        arrivals in arrivals(),
        batch in prop::option::of(1..=4_u32),
        process in 0..4_usize,
    ) {
        let mut world = World::new(policy, begins, batch.map(|batch| batch.min(policy.limit())));
        for (gap, process, counts, there, back) in arrivals {
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
                world.run_to(world.now + i64::try_from(retry_after.get()).unwrap() * 1_000_000);
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
