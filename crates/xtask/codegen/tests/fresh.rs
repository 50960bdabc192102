//! What is made from the project's code and committed.

use std::process::Command;

#[test]
fn the_committed_files_are_fresh() {
    let check = Command::new(env!("CARGO_BIN_EXE_codegen")).arg("--check").output();
    let output = check.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
