//! Many simultaneous clients in several processes, with the store's clock. Their answers are
//! replayed in the core.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use redis::{Connection, Pipeline, RedisResult, ServerErrorKind};
use sendoff::rate_limit::redis::{Ask, Key, RedisRequest, SCRIPT, SCRIPT_SHA1};
use sendoff::rate_limit::{Cost, Midnight, Policy};

use crate::dice::Dice;
use crate::record::Record;
use crate::replay::{Replay, replay};
use crate::server::{Server, connect};

/// Each with its own connections.
pub const PROCESSES: u64 = 4;
/// Of each process.
pub const CONNECTIONS: u64 = 8;

/// The requests of the clients, and the disturbances of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All kinds of requests, and no disturbance.
    Calm,
    /// Calls of cost 1. Times to live are removed, keys deleted, scripts forgotten, clients cut off, and the server killed.
    Rough,
}

/// The callers that the clients race for. Their windows end during the race. The offset sets midnight.
#[must_use]
pub fn callers(offset: i16) -> [(&'static str, Policy); 2] {
    let policy = |limit, window_ms| {
        Policy::new(limit, Duration::from_millis(window_ms))?.with_day_offset_minutes(offset)
    };
    [
        ("truncated", policy(300, 1_000).expect("a policy")),
        ("carried", policy(501, 1_700).expect("a policy").with_midnight(Midnight::Carry)),
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
    let racers: Vec<Racer> =
        (0..PROCESSES).map(|seed| Racer::start(server, kind, lasts, offset, seed)).collect();
    let deleted = match kind {
        Kind::Calm => Vec::new(),
        Kind::Rough => disturb(server, until, offset),
    };
    let mut heard = [Vec::new(), Vec::new()];
    for (caller, record) in deleted {
        heard[caller].push(record);
    }
    let callers = callers(offset);
    for racer in racers {
        for line in racer.finish().lines() {
            let (caller, record) = line.split_once(' ').expect("a caller and a record");
            let caller: usize = caller.parse().expect("a caller");
            heard[caller].push(Record::of_line(record, &callers[caller].1));
        }
    }
    let [(_, first), (_, second)] = callers;
    let [heard_first, heard_second] = heard;
    [replay(&first, heard_first), replay(&second, heard_second)]
}

/// A process that races.
struct Racer {
    child: Child,
    heard: PathBuf,
}

impl Racer {
    fn start(server: &Server, kind: Kind, lasts: Duration, offset: i16, seed: u64) -> Self {
        let heard = server.socket().with_file_name(format!("heard-{seed}"));
        let kind = if kind == Kind::Calm { "calm" } else { "rough" };
        let mut child = Command::new(env::current_exe().expect("this program"));
        child.arg("racer").arg(server.socket()).arg(&heard).arg(kind);
        child.args([lasts.as_millis().to_string(), offset.to_string(), seed.to_string()]);
        Self { child: child.spawn().expect("this program is started again"), heard }
    }

    fn finish(mut self) -> String {
        let status = self.child.wait().expect("the racer ends");
        assert!(status.success(), "a racer failed: {status}");
        fs::read_to_string(&self.heard).expect("the records of the racer")
    }
}

impl Drop for Racer {
    fn drop(&mut self) {
        // It has ended, unless this process panics.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A process that races: `SOCKET FILE calm|rough MILLISECONDS OFFSET SEED`.
pub fn racer(args: &[String]) {
    let [socket, heard, kind, lasts, offset, seed] = args else {
        panic!("expected six arguments, found {args:?}")
    };
    let kind = if kind == "calm" { Kind::Calm } else { Kind::Rough };
    let until = Instant::now() + Duration::from_millis(lasts.parse().expect("milliseconds"));
    let (offset, seed): (i16, u64) =
        (offset.parse().expect("an offset"), seed.parse().expect("a seed"));
    let clients = (0..CONNECTIONS).map(|client| {
        let (socket, dice) = (PathBuf::from(socket), Dice::new(seed * CONNECTIONS + client));
        thread::spawn(move || client_of(&socket, kind, until, offset, dice))
    });
    let clients: Vec<_> = clients.collect();
    let lines: String =
        clients.into_iter().map(|client| client.join().expect("the client ends")).collect();
    fs::write(heard, lines).expect("the records are written");
}

/// Races over one connection, and returns its records as lines.
fn client_of(socket: &Path, kind: Kind, until: Instant, offset: i16, mut dice: Dice) -> String {
    let callers =
        callers(offset).map(|(scope, policy)| (policy, key(&policy, scope), order_key(scope)));
    let mut connection = connect(socket);
    let mut lines = String::new();
    while Instant::now() < until {
        let caller = usize::try_from(dice.below(2)).expect("an index");
        let (policy, key, order) = &callers[caller];
        let ask = any_ask(kind, policy, &mut dice);
        let request = RedisRequest::new(policy, key, ask, None);
        let mut record = send(&mut connection, "EVALSHA", SCRIPT_SHA1, &request, ask, order);
        if let Ok(unknown @ Record::Unknown { .. }) = &record {
            lines += &format!("{caller} {}\n", unknown.to_line());
            record = send(&mut connection, "EVAL", SCRIPT, &request, ask, order);
        }
        let record = record.unwrap_or_else(|error| {
            assert!(
                kind == Kind::Rough && (error.is_io_error() || error.is_connection_dropped()),
                "{error}"
            );
            connection = connect(socket);
            Record::Unheard
        });
        lines += &format!("{caller} {}\n", record.to_line());
    }
    lines
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
    request: &RedisRequest,
    ask: Ask,
    order: &str,
) -> RedisResult<Record> {
    let mut pipe = Pipeline::new();
    pipe.atomic().ignore_errors().cmd(command).arg(script).arg(1).arg(request.key());
    pipe.arg(request.arguments()).cmd("GET").arg(request.key()).cmd("INCR").arg(order);
    let (answer, stored, order): (RedisResult<[i64; 5]>, _, _) = pipe.query(connection)?;
    match answer {
        Ok(numbers) => Ok(Record::Answer { order, ask, numbers, stored }),
        Err(error) if error.kind() == ServerErrorKind::NoScript.into() => {
            Ok(Record::Unknown { order })
        }
        Err(error) => Err(error),
    }
}

/// Disturbs the store until a time, in ways that must not change results. Returns the deletions of keys with their positions.
fn disturb(server: &mut Server, until: Instant, offset: i16) -> Vec<(usize, Record)> {
    let callers = callers(offset);
    let began = Instant::now();
    let crash_at = [1, 2].map(|third| began + (until - began) * third / 3);
    let mut crashes = crash_at.into_iter().peekable();
    let mut connection = connect(&server.socket());
    let mut deleted = Vec::new();
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
        let caller = turn / 4 % 2;
        let (scope, policy) = callers[caller];
        let key = key(&policy, scope);
        match turn % 4 {
            0 => redis::cmd("PERSIST")
                .arg(key.as_str())
                .exec(&mut connection)
                .expect("the time to live is removed"),
            3 => {
                let mut kill = redis::cmd("CLIENT");
                kill.arg("KILL")
                    .arg("TYPE")
                    .arg("normal")
                    .exec(&mut connection)
                    .expect("the clients are cut off");
            }
            1 => redis::cmd("SCRIPT")
                .arg("FLUSH")
                .exec(&mut connection)
                .expect("the scripts are forgotten"),
            // The other disturbances do not change windows.
            _ if turn % 16 != 2 && turn % 16 != 6 => {}
            _ => {
                let mut pipe = Pipeline::new();
                pipe.atomic()
                    .cmd("DEL")
                    .arg(key.as_str())
                    .ignore()
                    .cmd("INCR")
                    .arg(order_key(scope));
                let (order,): (u64,) = pipe.query(&mut connection).expect("the key is deleted");
                deleted.push((caller, Record::Deleted { order }));
            }
        }
    }
    deleted
}

fn key(policy: &Policy, scope: &str) -> Key {
    Key::new(policy, "race", scope, b"secret").expect("a key")
}

fn order_key(scope: &str) -> String {
    format!("order:{scope}")
}
