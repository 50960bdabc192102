//! One fault at a time, with a check of what is promised for it.

use std::fmt::Write as _;

use super::{
    backend::Answer,
    load,
    world::{
        Fault::{self, *},
        Plan, Sides, World,
    },
};
use crate::support::prelude::*;

/// The number of calls of each run, and the limit.
const CALLS: usize = 240;
const LIMIT: usize = 200;
const CALLERS: usize = 8;

/// The time in which the gateway must find the store again after a fault. It tries once a second.
const RECOVERY: Duration = Duration::from_secs(10);

/// Each fault with its name in the table, and what is promised for it.
const ROWS: [(Fault, &str, &str); 13] = [
    (Nothing, "none", "the limit is exact"),
    (Backend(Answer::Late), "backend: late", SAME),
    (Backend(Answer::Never), "backend: silent", "504; the call counts"),
    (Backend(Answer::Close), "backend: closes without a reply", "502; the call counts"),
    (Backend(Answer::Invalid), "backend: answers with invalid HTTP", "502; the call counts"),
    (Backend(Answer::Part), "backend: ends a reply early", "the caller's reply ends early too"),
    (StoreKilled, "store: killed, and started again", MEANWHILE),
    (StoreHangs, "store: hangs for 2.5 s", MEANWHILE),
    (StoreMoves, "store: its connections go silent", MEANWHILE),
    (StoreSlow(100), "store: 100 ms slower", SAME),
    (Stopped, "gateway: one of two is stopped (SIGTERM)", "no call is lost"),
    (Killed, "gateway: one of two is killed (SIGKILL)", "at most the calls that it ran are lost"),
    (Signals, "gateway: SIGHUP, SIGUSR1, SIGUSR2", SAME),
];

/// Where the table begins in its page.
const BEGIN: &str = "<!-- the table -->\n";

const SAME: &str = "as without a fault";
const MEANWHILE: &str = "503 meanwhile, and no call beyond the limit; then as before";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a minute and a half: `cargo xtask codegen faults` runs it"]
async fn table() {
    let mut table = String::from(
        "| fault | promise | called | store: counted | gateway: admitted | backend: carried out | caller: 201 | 429 | other status | lost |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (fault, name, promise) in ROWS {
        let sides = run(fault).await;
        eprintln!("{name}: {sides:?}");
        sides.judge(LIMIT);
        check(fault, &sides);
        writeln!(table, "| {name} | {promise} | {sides} |").expect("a text");
    }
    if let Ok(page) = std::env::var("SENDOFF_FAULTS") {
        let text = fs::read_to_string(&page).expect("the page");
        let (before, _) = text.split_once(BEGIN).expect("the place of the table");
        fs::write(page, format!("{before}{BEGIN}{table}")).expect("the page can be written");
    }
}

async fn run(fault: Fault) -> Sides {
    let processes = if matches!(fault, Stopped | Killed) { 2 } else { 1 };
    // While the store is lost, calls end at once, so the callers call until calls are admitted
    // again.
    let is_store = matches!(fault, StoreKilled | StoreHangs | StoreMoves);
    let store_ms = if is_store { 1_000 } else { 5_000 };
    let plan = Plan { processes, limit: LIMIT, store_ms, ..Plan::default() };
    let mut world = World::start(plan).await;
    let most = if is_store { usize::MAX } else { CALLS };
    let load = load::start(&world.target, CALLERS, Duration::from_millis(5), most);
    until("a quarter of the calls ended", async || load.ended() >= CALLS / 4).await;
    let lasts = match fault {
        Backend(_) => 300,
        StoreKilled => 500,
        StoreHangs => 2_500,
        // As long as there are calls.
        StoreSlow(_) => 3_000,
        _ => 0,
    };
    world.suffer(fault, Duration::from_millis(lasts)).await;
    let calls = if is_store {
        world.is_full_within(LIMIT, RECOVERY).await;
        load.over().await
    } else {
        load.all().await
    };
    world.is_idle().await;
    world.close(&calls).await
}

/// Checks what is promised for one fault, in addition to [`Sides::judge`].
fn check(fault: Fault, sides: &Sides) {
    let Sides { well, refused, failed, broken, unconnected, admitted, stored, carried, .. } =
        *sides;
    if !matches!(fault, StoreKilled | StoreHangs | StoreMoves) {
        assert_eq!(sides.called(), CALLS, "{sides:?}");
    }
    match fault {
        Nothing | StoreSlow(_) | Signals => {
            let counts = [stored, admitted, carried, well, refused];
            assert_eq!(counts, [LIMIT, LIMIT, LIMIT, LIMIT, CALLS - LIMIT], "{sides:?}");
        }
        Backend(answer) => {
            let counts = [stored, admitted, carried, refused];
            assert_eq!(counts, [LIMIT, LIMIT, LIMIT, CALLS - LIMIT], "{sides:?}");
            let (is_late, is_part) = (answer == Answer::Late, answer == Answer::Part);
            assert_eq!((failed > 0, broken > 0), (!is_late && !is_part, is_part), "{sides:?}");
        }
        StoreKilled | StoreHangs | StoreMoves => {
            assert!(failed > 0 && broken + unconnected == 0, "{sides:?}");
            assert_eq!((well, stored), (carried, LIMIT), "{sides:?}");
        }
        Stopped => {
            assert_eq!((broken, failed, well, carried), (0, 0, carried, admitted), "{sides:?}")
        }
        Killed => assert!(broken <= CALLERS && failed == 0, "{sides:?}"),
    }
}
