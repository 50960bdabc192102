//! What is made from the core and committed.

use std::process::Command;

#[test]
fn the_committed_files_are_those_of_the_core() {
    let check =
        Command::new(env!("CARGO_BIN_EXE_core-tasks")).args(["codegen", "--check"]).output();
    let output = check.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
