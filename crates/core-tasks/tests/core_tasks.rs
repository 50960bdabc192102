//! The program as `cargo xtask vectors` starts it.

use std::process::Command;

#[test]
fn the_last_line_counts_the_vectors() {
    let vectors = |place: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_core-tasks"));
        let output = program.args(["vectors", place]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.success(), text.lines().last().unwrap_or_default().to_owned())
    };
    let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/envelope.json");
    let (is_ok, last) = vectors(suites);
    assert!(is_ok && last.ends_with(" passed, 0 failed") && !last.starts_with("0 "), "{last}");
    assert_eq!(vectors("nowhere"), (false, "0 passed, 1 failed".to_owned()));
}
