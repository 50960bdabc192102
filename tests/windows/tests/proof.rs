//! The proof in seconds, or with `SENDOFF_ALL` in minutes.

use std::env;

use rate_windows::{LONG, SHORT, prove};

#[test]
fn windows_in_redis_equal_those_of_the_core() {
    let form = if env::var_os("SENDOFF_ALL").is_some() { LONG } else { SHORT };
    let seed = env::var("SENDOFF_SEED").map_or(1, |seed| seed.parse().expect("a number"));
    prove(&form, seed);
}
