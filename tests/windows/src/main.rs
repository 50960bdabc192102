//! `rate-windows [SEED]`: runs the proof in minutes. Its test runs it in seconds.

use std::env;

use rate_windows::{LONG, prove};

fn main() {
    let seed = env::args().nth(1).map_or(1, |seed| seed.parse().expect("a seed"));
    prove(&LONG, seed);
}
