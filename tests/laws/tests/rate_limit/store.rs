//! A real Redis: by a caller's clock or its own, the script answers, keeps and expires as the reference says.

use std::{
    collections::BTreeSet,
    env, fs,
    process::{self, Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use arbitrary::{Result, Unstructured};
use laws::day_log::{DAY_MS, midnight_after};
use laws::reference::{run_by, stored};
use laws::steps::{MAX_MS, beginning, cost, hold_ms, moved, policy, time, window_ms};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use redis::{Client, Connection, Pipeline};
use sendoff::rate_limit::redis::{Ask, Key, RedisAnswer, RedisRequest, SCRIPT, SCRIPT_SHA1};
use sendoff::rate_limit::{Midnight, Phase, Policy, Window, plan};

const MOST: i64 = (1 << 21) - 1;

/// A `redis-server` with a socket in its own folder. Dropping it ends the server.
struct Server(Child);

impl Server {
    fn start() -> (Self, Connection) {
        let folder = env::temp_dir().join(format!("laws-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let socket = folder.join("redis.sock");
        let mut server = Command::new("redis-server");
        server.args(["--port", "0", "--save", "", "--unixsocket"]).arg(&socket);
        let child = server.stdout(Stdio::null()).spawn().expect("`cargo xtask setup` installs it");
        let client = Client::open(format!("redis+unix://{}", socket.display())).unwrap();
        let began = Instant::now();
        let connection = loop {
            match client.get_connection() {
                Ok(connection) => break connection,
                Err(error) => assert!(began.elapsed() < Duration::from_secs(20), "{error}"),
            }
            thread::sleep(Duration::from_millis(10));
        };
        fs::remove_dir_all(folder).unwrap();
        (Self(child), connection)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().and_then(|()| self.0.wait()).unwrap();
    }
}

/// A kind of request, or `late`, with the phase and the sign of what was granted.
type Met = BTreeSet<(&'static str, i64, i64)>;

#[test]
fn a_store_answers_and_keeps_what_the_core_does() {
    let (_server, mut connection) = Server::start();
    let loaded: String =
        redis::cmd("SCRIPT").arg("LOAD").arg(SCRIPT).query(&mut connection).unwrap();
    assert_eq!(loaded, SCRIPT_SHA1);

    let mut runner = TestRunner::deterministic();
    let traces = prop::collection::vec(any::<u8>(), 0..3_000);
    let (mut met, mut steps) = (Met::new(), 0);
    for _ in 0..runner.config().cases {
        let bytes = traces.new_tree(&mut runner).unwrap().current();
        redis::cmd("FLUSHALL").exec(&mut connection).unwrap();
        steps += follow(&mut connection, &mut met, &mut Unstructured::new(&bytes)).unwrap();
    }
    println!("{steps} requests: answers, verdicts, stored values and expiries are equal");
    for row in ["late", "admit", "lease", "peek", "touch"] {
        let phases = met.iter().filter(|(kind, ..)| *kind == row).map(|(_, phase, _)| phase);
        assert_eq!(phases.collect::<BTreeSet<_>>().len(), Phase::ALL.len(), "{row}: {met:?}");
        assert!(["late", "touch"].contains(&row) || met.contains(&(row, Phase::Same as i64, -1)));
    }
}

/// One caller's requests, with changes of its policy and of its key between them. Returns their number.
fn follow(connection: &mut Connection, met: &mut Met, u: &mut Unstructured<'_>) -> Result<usize> {
    let mut policy = policy(u)?;
    let mut now = beginning(u)?;
    let is_by_store = u.ratio(1, 4)?;
    let (mut state, mut expiry, mut steps) = (None, -2, 0);
    while !u.is_empty() {
        if u.ratio(1, 40)? {
            policy = changed(&policy, u)?;
        }
        let key = Key::new(&policy, "laws", "shop", b"secret").unwrap();
        let command = match u.int_in_range(0..=79)? {
            0 => {
                (state, expiry) = (None, -2);
                "DEL"
            }
            1 => {
                // A state from a larger limit, or from a clock that was far off.
                let start = if u.arbitrary()? { now } else { anywhere(u)? };
                let count = u.int_in_range(0..=MOST as u32)?;
                (state, expiry) = (Some(Window::new(time(start), count).unwrap()), -1);
                "SET"
            }
            2..=4 if state.is_some() => {
                expiry = -1;
                "PERSIST"
            }
            _ => "",
        };
        if !command.is_empty() {
            let value = stored(state).filter(|_| command == "SET");
            redis::cmd(command).arg(key.as_str()).arg(value).exec(connection).unwrap();
        }

        let start = state.map_or(now, |window| window.start().as_ms());
        now = match u.int_in_range(0..=15)? {
            0 => anywhere(u)?,
            1..=8 => moved(u, now, &policy)?,
            _ => moved(u, start, &policy)?,
        };
        now = now.clamp(-MAX_MS, MAX_MS);
        let ask = ask(u, &policy, state)?;
        let deadline = match u.int_in_range(0..=15)? {
            0 => Some(now + u.int_in_range(-1..=1)?),
            1 => Some(now + u.int_in_range(-DAY_MS..=DAY_MS)?),
            2 => Some(anywhere(u)?),
            _ => None,
        };
        let deadline = deadline.map(|deadline| time(deadline.clamp(-MAX_MS, MAX_MS)));
        let clock = (!is_by_store).then(|| time(now));
        let mut request = RedisRequest::new(&policy, &key, ask, clock);
        if let Some(deadline) = deadline {
            request = request.with_deadline(deadline);
        }
        let (earliest, found, value, expires, latest) = asked(connection, &request);
        if is_by_store {
            now = found[2];
            assert!((earliest..=latest).contains(&now), "{now} of {earliest}..={latest}");
        }

        let (numbers, verdict, after) = run_by(deadline, &policy, state, ask, time(now));
        let step = || format!("{ask:?} at {now} by {deadline:?} of {state:?} under {policy:?}");
        assert_eq!(found, numbers, "the answer to {}", step());
        assert_eq!(value, stored(after), "the stored value after {}", step());
        let read = RedisAnswer::read(&policy, &found);
        let read = read.unwrap_or_else(|error| panic!("{error}, of the answer to {}", step()));
        assert_eq!(read.verdict, verdict, "the verdict on {}", step());
        // A caller whose windows start again gets an expiry, which no other request changes.
        if matches!(found[0], 0 | 4) && after != state {
            let lives = promised(&policy, now);
            let bounds = earliest + lives..=latest + lives;
            assert!(bounds.contains(&expires), "{expires} is not in {bounds:?}: {}", step());
            expiry = expires;
        }
        assert_eq!(expires, expiry, "the expiry after {}", step());

        let row = match ask {
            _ if deadline.is_some_and(|deadline| time(now) >= deadline) => "late",
            Ask::Admit(_) => "admit",
            Ask::Lease(_) => "lease",
            Ask::Peek(_) => "peek",
            Ask::Touch => "touch",
        };
        met.insert((row, numbers[0], numbers[1].signum()));
        state = after;
        steps += 1;
    }
    // Also from a state that no caller reaches by itself.
    let calls: u64 = u.arbitrary()?;
    if let Ok(schedule) = plan(&policy, state, time(now), calls >> (calls % 64)) {
        assert!(schedule.len() <= 100_000);
    }
    Ok(steps)
}

/// The script's answer, the value and expiry of the key after it, and the store's clock before and after. The expiry is `-1` if
/// there is none, and `-2` if there is no key.
fn asked(
    connection: &mut Connection,
    request: &RedisRequest,
) -> (i64, Vec<i64>, Option<String>, i64, i64) {
    let key = request.key();
    let mut pipe = Pipeline::new();
    pipe.atomic().cmd("TIME").cmd("EVALSHA").arg(SCRIPT_SHA1).arg(1).arg(key);
    pipe.arg(request.arguments()).cmd("GET").arg(key).cmd("PEXPIRETIME").arg(key).cmd("TIME");
    let (before, numbers, value, expiry, after) = pipe.query(connection).unwrap();
    let ms = |(seconds, micros): (i64, i64)| seconds * 1_000 + micros / 1_000;
    (ms(before), numbers, value, expiry, ms(after))
}

/// The promised time until the expiry of a key whose windows start again: the rest of the day, or of its last window, plus ten
/// minutes, or plus the hold time if that is longer.
fn promised(policy: &Policy, now: i64) -> i64 {
    let carried = if policy.midnight() == Midnight::Carry { window_ms(policy) } else { 0 };
    midnight_after(now, policy) - now + carried + hold_ms(policy).max(600_000)
}

fn anywhere(u: &mut Unstructured<'_>) -> Result<i64> {
    let any = u.int_in_range(-MAX_MS..=MAX_MS)?;
    u.choose(&[-MAX_MS, MAX_MS, any]).copied()
}

/// A policy with another limit and hold time, which are no part of the key.
fn changed(before: &Policy, u: &mut Unstructured<'_>) -> Result<Policy> {
    let other = policy(u)?;
    let changed = Policy::new(other.limit(), before.window()).unwrap();
    let changed = changed.with_midnight(before.midnight()).with_hold(other.hold()).unwrap();
    Ok(changed.with_day_offset_minutes(before.day_offset_minutes()).unwrap())
}

fn ask(u: &mut Unstructured<'_>, policy: &Policy, state: Option<Window>) -> Result<Ask> {
    let left = i64::from(policy.limit()) - state.map_or(0, |window| i64::from(window.count()));
    // A cost from another policy may be above the limit of this one.
    let all = [1, 1, left, left + 1, u.int_in_range(1..=8)?, u.int_in_range(1..=MOST)?];
    let most = Policy::new(MOST as u32, policy.window()).unwrap();
    let cost = cost(&most, (*u.choose(&all)?).clamp(1, MOST) as u32);
    Ok(match u.int_in_range(0..=7)? {
        0..=3 => Ask::Admit(cost),
        4 | 5 => Ask::Lease(cost),
        6 => Ask::Peek(cost),
        _ => Ask::Touch,
    })
}
