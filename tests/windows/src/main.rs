//! `rate-windows short|long [SEED]`: runs the proof in seconds or in minutes. It prints its
//! progress, and fails at the first difference.

use std::{
    env,
    time::{Duration, Instant},
};

use rate_windows::{
    dice::Dice,
    lifetime,
    race::{self, CONNECTIONS, Kind, PROCESSES},
    replay::Replay,
    server::{Durability, Server, connect},
    trace::{self, Met},
};

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let seed = args.get(1).and_then(|seed| seed.parse().ok()).unwrap_or(1);
    match args.first().map(String::as_str) {
        Some("short") => prove(&SHORT, seed),
        Some("long") => prove(&LONG, seed),
        Some("racer") => race::racer(&args[1..]),
        _ => panic!("expected `short` or `long`, found {args:?}"),
    }
}

/// The extent of a proof.
struct Form {
    steps: u64,
    keys: u64,
    calm: Duration,
    rough: Duration,
    /// `true` if the calm race continues past midnight.
    midnight: bool,
}

const SHORT: Form = Form {
    steps: 20_000,
    keys: 50,
    calm: Duration::from_secs(1),
    rough: Duration::from_secs(2),
    midnight: false,
};
const LONG: Form = Form {
    steps: 2_000_000,
    keys: 2_000,
    calm: Duration::from_secs(10),
    rough: Duration::from_secs(30),
    midnight: true,
};

fn prove(form: &Form, seed: u64) {
    let mut dice = Dice::new(seed);
    let began = Instant::now();
    let server = Server::start(Durability::None);
    let mut connection = connect(&server.socket());

    println!(
        "trace: {} steps with the caller's time, through the core and redis-server (seed {seed})",
        form.steps
    );
    let start = Instant::now();
    let report = |met: &Met| println!("  {} steps", met.steps);
    let met = trace::follow(&mut connection, &mut dice, form.steps, report);
    println!("{met}");
    let rate = met.steps as f64 / start.elapsed().as_secs_f64();
    println!(
        "  {} steps, {rate:.0} per second: every answer, verdict and stored value equal",
        met.steps
    );
    assert!(met.everything(), "expected every ask in every phase");

    println!("times to live: {} keys", form.keys);
    let looks = lifetime::look(&mut connection, &mut dice, form.keys);
    println!(
        "  {looks} requests: the expiry is set when a caller's windows start again, and not changed otherwise"
    );
    drop((connection, server));

    let mut steps = met.steps + looks;
    for (kind, durability) in
        [(Kind::Calm, Durability::None), (Kind::Rough, Durability::EveryWrite)]
    {
        let mut server = Server::start(durability);
        let (offset, seconds) = race::next_midnight(&server);
        let lasts = match kind {
            Kind::Calm if form.midnight => form.calm.max(Duration::from_secs(seconds + 4)),
            Kind::Calm => form.calm,
            Kind::Rough => form.rough,
        };
        println!(
            "race: {} connections in {PROCESSES} processes, {} s, {}",
            PROCESSES * CONNECTIONS,
            lasts.as_secs(),
            match kind {
                Kind::Calm => "a store without disturbance",
                Kind::Rough =>
                    "times to live removed, keys deleted, scripts flushed, clients cut off, the server killed twice",
            },
        );
        let replays = race::race(&mut server, kind, lasts, offset);
        // A short race on a busy machine deletes the keys of one caller only.
        let disturbed = |of: fn(&Replay) -> bool| kind == Kind::Calm || replays.iter().any(of);
        assert!(disturbed(|replay| replay.deleted > 0), "expected a key that was deleted");
        assert!(disturbed(|replay| replay.unknown > 0), "expected a script that was forgotten");
        for replay in replays {
            println!("  {replay}");
            assert!(replay.full > 0, "expected a window under pressure");
            assert!(kind == Kind::Rough || replay.unheard == (0, 0));
            assert!(
                kind == Kind::Rough || !form.midnight || replay.anchored > 1,
                "expected midnight"
            );
            steps += replay.answers;
        }
    }
    println!("proved in {:.0} s: {steps} steps, 0 differences", began.elapsed().as_secs_f64());
}
