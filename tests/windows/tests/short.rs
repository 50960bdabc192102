//! The short form of the proof; the long one is `cargo xtask test windows`.

#[test]
fn windows_in_redis_equal_those_of_the_core() {
    rate_windows::prove(&rate_windows::SHORT, 1);
}
