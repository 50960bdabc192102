//! `rate-windows short|long [SEED]`: runs the proof in seconds or in minutes.

use std::env;

use rate_windows::{LONG, SHORT, prove};

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let seed = args.get(1).and_then(|seed| seed.parse().ok()).unwrap_or(1);
    match args.first().map(String::as_str) {
        Some("short") => prove(&SHORT, seed),
        Some("long") => prove(&LONG, seed),
        _ => panic!("expected `short` or `long`, found {args:?}"),
    }
}
