//! Many simultaneous clients, with the store's clock. Their answers are replayed in the core. The store knows a client by its
//! connection: whether two of them are in one process makes no difference to it.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use redis::{Connection, Pipeline, RedisResult, ServerErrorKind};
use sendoff::rate_limit::redis::{Ask, Key, RedisRequest, SCRIPT, SCRIPT_SHA1};
use sendoff::rate_limit::{Cost, Midnight, Policy};

use crate::dice::Dice;
use crate::replay::{Heard, Record, Replay, replay};
use crate::server::{Server, connect};

/// The clients that race, each with its own connection.
pub const CLIENTS: u64 = 32;

/// The requests of the clients, and the disturbances of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All kinds of requests, and no disturbance.
    Calm,
    /// Calls of cost 1. Times to live are removed, keys deleted, scripts forgotten, clients cut off, and the server killed.
    Rough,
}

/// A caller that the clients race for.
struct Caller {
    policy: Policy,
    key: Key,
    /// The key of the number of its calls.
    order: &'static str,
}

/// The callers' windows end during the race. The offset sets midnight.
fn callers(offset: i16) -> [Caller; 2] {
    let caller = |scope, order, limit, window_ms, midnight| {
        let policy = Policy::new(limit, Duration::from_millis(window_ms)).expect("a policy");
        let policy = policy.with_midnight(midnight).with_day_offset_minutes(offset);
        let policy = policy.expect("an offset");
        let key = Key::new(&policy, "race", scope, b"secret").expect("a key");
        Caller { policy, key, order }
    };
    [
        caller("truncated", "order:truncated", 300, 1_000, Midnight::Truncate),
        caller("carried", "order:carried", 501, 1_700, Midnight::Carry),
    ]
}

/// The offset of days that begin with the store's next minute, and the seconds until then.
#[must_use]
pub fn next_midnight(server: &Server) -> (i16, u64) {
    let (now, _): (i64, i64) =
        redis::cmd("TIME").query(&mut connect(&server.socket())).expect("the store's time");
    let minute = (now / 60 + 1) % 1_440;
    let offset = if minute < 600 { -minute } else { 1_440 - minute };
    (i16::try_from(offset).expect("a day's minutes"), 60 - now.rem_euclid(60).unsigned_abs())
}

/// Races for this time, and returns the replay of each caller.
#[must_use]
pub fn race(server: &mut Server, kind: Kind, lasts: Duration, offset: i16) -> [Replay; 2] {
    let until = Instant::now() + lasts;
    let start = |client| {
        let (socket, dice) = (server.socket(), Dice::new(client));
        thread::spawn(move || client_of(&socket, kind, until, offset, dice))
    };
    let clients: Vec<_> = (0..CLIENTS).map(start).collect();
    let mut heard = match kind {
        Kind::Calm => <[Heard; 2]>::default(),
        Kind::Rough => disturb(server, until, offset),
    };
    for client in clients {
        for (all, own) in heard.iter_mut().zip(client.join().expect("the client ends")) {
            all.records.extend(own.records);
            all.lost += own.lost;
        }
    }
    let mut callers = callers(offset).into_iter();
    heard.map(|heard| replay(&callers.next().expect("a caller").policy, heard))
}

/// Races over one connection, and returns its records about each caller.
fn client_of(socket: &Path, kind: Kind, until: Instant, offset: i16, mut dice: Dice) -> [Heard; 2] {
    let callers = callers(offset);
    let mut connection = connect(socket);
    let mut heard = <[Heard; 2]>::default();
    while Instant::now() < until {
        let at = dice.at(2);
        let caller = &callers[at];
        let ask = any_ask(kind, &caller.policy, &mut dice);
        let mut record = send(&mut connection, "EVALSHA", SCRIPT_SHA1, caller, ask);
        if let Ok(unknown @ (_, Record::Unknown)) = record {
            heard[at].records.push(unknown);
            record = send(&mut connection, "EVAL", SCRIPT, caller, ask);
        }
        match record {
            Ok(record) => heard[at].records.push(record),
            Err(error) => {
                let is_cut_off = error.is_io_error() || error.is_connection_dropped();
                assert!(kind == Kind::Rough && is_cut_off, "{error}");
                connection = connect(socket);
                heard[at].lost += 1;
            }
        }
    }
    heard
}

fn any_ask(kind: Kind, policy: &Policy, dice: &mut Dice) -> Ask {
    let cost = |cost| policy.cost(cost).expect("a cost within the limit");
    match (kind, dice.below(12)) {
        (Kind::Rough, _) | (_, 0..=6) => Ask::Admit(Cost::ONE),
        (_, 7) => Ask::Admit(cost(3)),
        (_, 8..=9) => Ask::Lease(cost(10)),
        (_, 10) => Ask::Peek(cost(2)),
        _ => Ask::Touch,
    }
}

/// Sends one transaction: the script, the stored value after it, and their position among all calls for the caller.
fn send(
    connection: &mut Connection,
    command: &str,
    script: &str,
    Caller { policy, key, order }: &Caller,
    ask: Ask,
) -> RedisResult<(u64, Record)> {
    let request = RedisRequest::new(policy, key, ask, None);
    let mut pipe = Pipeline::new();
    pipe.atomic().ignore_errors().cmd(command).arg(script).arg(1).arg(request.key());
    pipe.arg(request.arguments()).cmd("GET").arg(request.key()).cmd("INCR").arg(order);
    let (answer, stored, order): (RedisResult<[i64; 5]>, _, _) = pipe.query(connection)?;
    match answer {
        Ok(numbers) => Ok((order, Record::Answer { ask, numbers, stored })),
        Err(error) if error.kind() == ServerErrorKind::NoScript.into() => {
            Ok((order, Record::Unknown))
        }
        Err(error) => Err(error),
    }
}

/// Disturbs the store until a time, in ways that must not change results. Returns the deletions of keys with their positions.
fn disturb(server: &mut Server, until: Instant, offset: i16) -> [Heard; 2] {
    let callers = callers(offset);
    let began = Instant::now();
    let crash_at = [1, 2].map(|third| began + (until - began) * third / 3);
    let mut crashes = crash_at.into_iter().peekable();
    let mut connection = connect(&server.socket());
    let mut deleted = <[Heard; 2]>::default();
    for turn in 0.. {
        thread::sleep(Duration::from_millis(130));
        let now = Instant::now();
        if now >= until {
            break;
        }
        if crashes.next_if(|at| now >= *at).is_some() {
            server.crash();
            connection = connect(&server.socket());
        }
        let at = turn / 4 % 2;
        let Caller { key, order, .. } = &callers[at];
        let mut pipe = Pipeline::new();
        match turn % 4 {
            0 => pipe.cmd("PERSIST").arg(key.as_str()),
            1 => pipe.cmd("SCRIPT").arg("FLUSH"),
            3 => pipe.cmd("CLIENT").arg("KILL").arg("TYPE").arg("normal"),
            _ if [2, 6].contains(&(turn % 16)) => {
                pipe.atomic().cmd("DEL").arg(key.as_str()).ignore().cmd("INCR").arg(order);
                let (order,): (u64,) = pipe.query(&mut connection).expect("the key is deleted");
                deleted[at].records.push((order, Record::Deleted));
                continue;
            }
            // The other disturbances do not change windows.
            _ => continue,
        };
        pipe.exec(&mut connection).expect("the store is disturbed");
    }
    deleted
}
