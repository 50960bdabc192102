//! `cargo run --release -p sendoff-sandbox --example replay -- DAYS FILE`: writes random days with
//! the replies to them, which another build of the service must give too, and prints how fast they
//! were given.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a panic is a failure of a test"
)]

#[path = "../tests/service/calls.rs"]
#[expect(dead_code, reason = "the requests are enough")]
mod calls;
#[path = "../tests/service/random.rs"]
mod random;

use std::{
    env, fs,
    io::{BufWriter, Write as _},
    time::{Duration, Instant},
};

use proptest::{
    strategy::{Strategy as _, ValueTree as _},
    test_runner::TestRunner,
};
use sendoff_sandbox::{State, answer};

/// Requests in a second, at least.
const LEAST: f64 = 10_000.0;

const OPTIONS: &str = r#"{"seed":"replay"}"#;

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [days, file] = &arguments[..] else {
        panic!("expected a number of days and a file, found {arguments:?}")
    };
    let mut runner = TestRunner::deterministic();
    let days: Vec<_> = (0..days.parse::<u32>().unwrap())
        .map(|_| random::day(OPTIONS).new_tree(&mut runner).unwrap().current())
        .collect();
    let mut file = BufWriter::new(fs::File::create(file).unwrap());
    let (mut requests, mut spent) = (0, Duration::ZERO);
    for day in &days {
        let (mut state, mut now, mut replies) =
            (State::start(OPTIONS).unwrap(), calls::NOW, Vec::new());
        let began = processor_time();
        for (request, step) in day {
            now += step;
            replies.push((now, answer(&mut state, request, now)));
        }
        spent += processor_time() - began;
        requests += replies.len();

        writeln!(file, "{{\"start\":{OPTIONS}}}").unwrap();
        for ((request, _), (now, reply)) in day.iter().zip(replies) {
            let (asked, reply) = (calls::written(request), calls::written(&reply));
            writeln!(file, "{{\"now\":{now},\"request\":{asked},\"reply\":{reply}}}").unwrap();
        }
        writeln!(file, "{{\"save\":{}}}", calls::written(&state.to_string())).unwrap();
    }
    let rate = f64::from(u32::try_from(requests).unwrap()) / spent.as_secs_f64();
    println!("{requests} requests in {} days, {rate:.0} in a second of a processor", days.len());
    assert!(rate >= LEAST, "expected {LEAST} requests in a second, found {rate:.0}");
}

/// The time that the processor gave to this thread, so that a busy machine changes no figure; elsewhere than on Linux the time.
fn processor_time() -> Duration {
    static BEGAN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let spent = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|spent| spent.split(' ').next()?.parse().ok());
    spent.map_or_else(|| BEGAN.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}
