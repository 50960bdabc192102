//! The proof that rate windows in Redis equal those of the core.
//!
//! A `redis-server` runs the script, and [`reference::run`] computes the expected result with the
//! functions of the core. A `trace` compares them step by step, and a `race` with many simultaneous
//! clients.

pub mod dice;
mod race;
pub mod reference;
mod replay;
pub mod server;
mod trace;

use std::time::{Duration, Instant};

use dice::Dice;
use race::Kind;
use replay::Replay;
use server::{Durability, Server, connect};

/// The extent of a proof.
#[derive(Debug)]
pub struct Form {
    steps: u64,
    calm: Duration,
    rough: Duration,
    /// `true` if the calm race continues past midnight.
    midnight: bool,
}

/// A proof of seconds.
pub const SHORT: Form = Form {
    steps: 20_000,
    calm: Duration::from_secs(1),
    rough: Duration::from_secs(2),
    midnight: false,
};

/// A proof of minutes.
pub const LONG: Form = Form {
    steps: 2_000_000,
    calm: Duration::from_secs(10),
    rough: Duration::from_secs(30),
    midnight: true,
};

/// Runs the proof, prints its progress, and fails at the first difference.
pub fn prove(form: &Form, seed: u64) {
    let mut dice = Dice::new(seed);
    let began = Instant::now();
    let server = Server::start(Durability::None);
    let mut connection = connect(&server.socket());

    println!("trace: {} steps, through core and redis-server (seed {seed})", form.steps);
    let met = trace::follow(&mut connection, &mut dice, form.steps);
    println!(
        "  {met:?} in {:.1?}: every answer, verdict, stored value and expiry equal",
        began.elapsed()
    );
    assert!(met.everything(), "expected every ask in every phase");
    drop((connection, server));

    let mut steps = met.steps;
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
        println!("race: {} clients, {} s, {kind:?}", race::CLIENTS, lasts.as_secs());
        let replays = race::race(&mut server, kind, lasts, offset);
        // A short race on a busy machine deletes the keys of one caller only.
        let disturbed = |of: fn(&Replay) -> bool| kind == Kind::Calm || replays.iter().any(of);
        assert!(disturbed(|replay| replay.deleted > 0), "expected a key that was deleted");
        assert!(disturbed(|replay| replay.unknown > 0), "expected a script that was forgotten");
        for replay in replays {
            println!("  {replay:?}");
            let is_calm = kind == Kind::Calm;
            assert!(replay.full > 0, "expected a window under pressure");
            assert!(!is_calm || replay.unheard == (0, 0));
            assert!(!is_calm || !form.midnight || replay.anchored > 1, "expected midnight");
            steps += replay.answers;
        }
    }
    println!("proved in {:.0?}: {steps} steps, 0 differences", began.elapsed());
}
