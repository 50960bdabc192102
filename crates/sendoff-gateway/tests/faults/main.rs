//! The gateway with faults: real processes, a real store, and a backend that fails. A seed chooses the faults, for
//! `SENDOFF_SOAK_SECONDS`, and four sides count the calls.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a panic is a failure of the test"
)]

#[path = "../support/mod.rs"]
mod support;

mod backend;
mod world;

use std::hash::{DefaultHasher, Hasher as _};

use support::prelude::*;
use world::{
    Fault::{self, *},
    World,
};

/// The time for which the callers use an application. They make more calls than its limit in that time.
const TURN: Duration = Duration::from_secs(10);

/// The maximum use of a gateway at any time: file descriptors, and memory in KiB.
const DESCRIPTORS: usize = 400 + 400 + 128;
const MEMORY: usize = 256 << 10;

/// The maximum growth of memory after a quarter of the time, in KiB.
const GROWTH: usize = 32 << 10;

/// The time after the last fault in which all calls of an application must be admitted.
const RECOVERY: Duration = Duration::from_secs(30);

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
    let mut world = World::start(turns);
    let load = world.load();
    // A number below an end, which the seed determines.
    let mut dice = DefaultHasher::new();
    let mut below = |end| {
        dice.write_u64(seed);
        dice.finish() % end
    };
    let mut faults = BTreeMap::<_, usize>::new();
    let (mut quarter, mut most) = (None, [0; 2]);
    let began = Instant::now();
    while began.elapsed() < lasts {
        let turn = began.elapsed().as_secs() / TURN.as_secs();
        world.turn_to(turn.try_into().expect("a count"));
        let fault = fault(&mut below);
        let longest = if matches!(fault, StoreKilled | StoreMoves | Signals) { 600 } else { 1_500 };
        world.suffer(fault, Duration::from_millis(50 + below(longest))).await;
        *faults.entry(format!("{fault:?}")).or_default() += 1;
        for process in &world.processes {
            let used = used(&process.gateway);
            most = [most[0].max(used[0]), most[1].max(used[1])];
        }
        // The first process is never replaced.
        if began.elapsed() > lasts / 4 && quarter.is_none() {
            quarter = Some(used(&world.processes[0].gateway)[1]);
        }
    }
    // After the faults, the calls of a new application are admitted up to the limit.
    world.turn_to(turns - 1);
    world.is_full_within(RECOVERY).await;
    let calls = load.over().await;
    let slowest = calls.iter().map(|call| call.took).max();
    // The backend does not answer some of them.
    for process in &world.processes {
        process.gateway.until("sendoff_requests_running", 0).await;
    }
    let first = || used(&world.processes[0].gateway);
    wait("connections are closed", || first()[0] <= 64);
    let last = first();
    eprintln!("soak: {seconds} s, seed {seed}: {faults:?}");
    eprintln!("slowest {slowest:?}; most {most:?}, after a quarter {quarter:?}, last {last:?}");
    world.close(&calls).await;
    assert!(most[0] <= DESCRIPTORS && most[1] <= MEMORY, "{most:?}");
    let quarter = quarter.expect("a quarter has passed");
    assert!(last[1] <= quarter + GROWTH, "{quarter:?}, {last:?}");
}

fn fault(below: &mut impl FnMut(u64) -> u64) -> Fault {
    let slow = StoreSlow(50 + below(400));
    let mut one_of = |count| usize::try_from(below(count)).expect("an index");
    let backend = Backend(backend::Answer::ALL[one_of(6)]);
    let faults = [StoreKilled, StoreHangs, StoreMoves, slow, Killed, Stopped, Signals];
    faults.into_iter().chain([backend; 2]).nth(one_of(9)).expect("nine")
}

/// The open file descriptors of a process, and its resident memory in KiB.
fn used(gateway: &Gateway) -> [usize; 2] {
    let open = fs::read_dir(format!("/proc/{}/fd", gateway.process.id()));
    let memory = gateway.process.proc("status", "VmRSS:");
    let memory = memory.trim_end_matches(" kB").parse().expect("a number");
    [open.expect("its descriptors").count(), memory]
}
