//! The examples of the crate run, and the Rust program of the README is a part of one.

use std::{fs, path::Path, process::Command};

#[test]
fn the_readme_shows_the_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let readme = read("README.md");
    let shown: Vec<_> =
        readme.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(shown.len(), 1);
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let (shown, program) = (lines(shown[0]), lines(&read("crates/sendoff/examples/first/main.rs")));
    assert!(
        program.windows(shown.len()).any(|part| part == shown),
        "the README shows another program"
    );
}

#[test]
fn examples_print_what_they_are_for() {
    let [first, sign, estimate, limits] = ["first", "sign", "estimate", "limits"].map(|example| {
        // Without `-p`, so that the example is the one that was compiled with the tests.
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        let output = cargo.args(["run", "--quiet", "--example", example]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    });

    let is_hash = |line: &str| line.len() == 66 && line.starts_with("0x");
    assert!(first.lines().last().is_some_and(is_hash), "{first}");
    assert!(sign.lines().any(is_hash), "{sign}");
    assert!(sign.lines().last().unwrap().starts_with("data.userOps.sender: expected"), "{sign}");
    let reply = estimate.lines().find(|line| line.starts_with('{')).unwrap();
    assert!(reply.parse::<sendoff::estimate::EstimateReply>().is_ok());

    let lines: Vec<_> = limits.lines().collect();
    assert_eq!(lines[0], "1500 of 2000 calls are admitted");
    // A window ends at midnight, which may be nearer than five minutes.
    let seconds = lines[1].strip_prefix("retry after ").unwrap().strip_suffix(" seconds").unwrap();
    assert!((1..=300).contains(&seconds.parse::<u32>().unwrap()), "{limits}");
    assert!(lines[2].starts_with("1500 calls at "), "{limits}");
}
