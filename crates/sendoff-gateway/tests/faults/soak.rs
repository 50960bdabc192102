//! Mixed load with faults that a seed chooses.

use rate_windows::dice::Dice;

use super::{
    backend::Answer,
    load,
    world::{Fault::*, Plan, World},
};
use crate::support::prelude::*;

/// The limit of each application, and the time for which the callers use it. They make more calls than the limit in that time.
const LIMIT: usize = 300;
const TURN: Duration = Duration::from_secs(10);

const CALLERS: usize = 12;
const PAUSE: Duration = Duration::from_millis(10);

/// The maximum use of a gateway at any time: file descriptors, and memory in KiB.
const DESCRIPTORS: usize = 400 + 400 + 128;
const MEMORY: usize = 256 << 10;

/// The maximum growth of memory after a quarter of the time, in KiB.
const GROWTH: usize = 32 << 10;

/// The time after the last fault in which all calls of an application must be admitted.
const RECOVERY: Duration = Duration::from_secs(30);

/// The maximum average length of a line of log, in bytes.
const LINE: usize = 600;

/// Injects faults for `SENDOFF_SOAK_SECONDS`, chosen by `SENDOFF_SOAK_SEED`. No call exceeds the limit, no call is carried out
/// without a count, and each call has a reply or a broken connection. Memory, descriptors and log stay within their limits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a minute: `cargo xtask test soak` and `cargo xtask test --all` run it"]
async fn soak() {
    let number =
        |name, absent| std::env::var(name).map_or(absent, |value| value.parse().expect("a number"));
    let (seconds, seed) = (number("SENDOFF_SOAK_SECONDS", 60), number("SENDOFF_SOAK_SEED", 1));
    let lasts = Duration::from_secs(seconds);
    let turns = usize::try_from(seconds / TURN.as_secs()).expect("a count") + 2;
    let plan = Plan { processes: 2, applications: turns, limit: LIMIT, ..Plan::default() };
    let mut world = World::start(plan).await;
    let load = load::start(&world.target, CALLERS, PAUSE, usize::MAX);
    let (mut dice, mut faults) = (Dice::new(seed), BTreeMap::<_, usize>::new());
    let (mut quarter, mut most) = (None, Use::default());
    let began = Instant::now();
    while began.elapsed() < lasts {
        let turn = began.elapsed().as_secs() / TURN.as_secs();
        world.turn_to(turn.try_into().expect("a count"));
        let fault = match dice.below(9) {
            0 => StoreKilled,
            1 => StoreHangs,
            2 => StoreSlow(50 + dice.below(400)),
            3 => Killed,
            4 => Stopped,
            5 => Signals,
            6 => StoreMoves,
            _ => Backend(dice.of(&Answer::ALL)),
        };
        let longest = if matches!(fault, StoreKilled | StoreMoves | Signals) { 600 } else { 1_500 };
        world.suffer(fault, Duration::from_millis(50 + dice.below(longest))).await;
        *faults.entry(format!("{fault:?}")).or_default() += 1;
        for process in &world.processes {
            most = most.max(Use::of(&process.gateway.process));
        }
        // The first process is never replaced.
        if began.elapsed() > lasts / 4 && quarter.is_none() {
            quarter = Some(Use::of(&world.processes[0].gateway.process));
        }
    }
    // After the faults, the calls of a new application are admitted up to the limit.
    world.turn_to(turns - 1);
    world.is_full_within(LIMIT, RECOVERY).await;
    let calls = load.over().await;
    let slowest = calls.iter().map(|call| call.took).max();
    world.is_idle().await;
    let used = || Use::of(&world.processes[0].gateway.process);
    wait("connections are closed", || used().descriptors <= 64);
    let last = used();
    let sides = world.close(&calls).await;
    eprintln!("soak: {seconds} s, seed {seed}: {faults:?}\n{sides:?}");
    eprintln!("slowest {slowest:?}; most {most:?}, after a quarter {quarter:?}, last {last:?}");
    sides.judge(LIMIT);
    assert!(sides.well > 0 && sides.refused > 0, "{sides:?}");
    assert!(most.descriptors <= DESCRIPTORS && most.memory <= MEMORY, "{most:?}");
    let quarter = quarter.expect("a quarter has passed").memory;
    assert!(last.memory <= quarter + GROWTH, "{quarter:?}, {last:?}");
    assert!(sides.log_bytes <= sides.lines * LINE, "{sides:?}");
}

/// The resources of a process.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    /// Open file descriptors.
    descriptors: usize,
    /// Resident memory, in KiB.
    memory: usize,
}

impl Use {
    fn of(process: &Process) -> Self {
        let open = fs::read_dir(format!("/proc/{}/fd", process.id()));
        let memory = process.proc("status", "VmRSS:");
        let memory = memory.trim_end_matches(" kB").parse().expect("a number");
        Self { descriptors: open.expect("its descriptors").count(), memory }
    }

    fn max(self, other: Self) -> Self {
        Self {
            descriptors: self.descriptors.max(other.descriptors),
            memory: self.memory.max(other.memory),
        }
    }
}
