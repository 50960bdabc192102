//! The short form of the proof; the long one is `cargo xtask test windows`.

use std::process::Command;

#[test]
fn windows_in_redis_equal_those_of_the_core() {
    let output = Command::new(env!("CARGO_BIN_EXE_rate-windows")).arg("short").output().unwrap();
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{complained}");
    println!("{said}");
}
