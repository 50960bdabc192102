//! The examples of the crate run, and the Rust program of the README is a part of one.

use std::{env, fs, path::Path, process::Command};

/// The output of an example, or its errors.
fn run(example: &str) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Without `-p`, so that the example is the one that was compiled with the tests.
    let args = ["run", "--quiet", "--example", example];
    let output = Command::new(env!("CARGO")).args(args).current_dir(&root).output();
    let output = output.map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

#[test]
fn the_readme_shows_the_example_and_the_example_runs() {
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

    // It prints the hash as its last line.
    let said = run("first").unwrap();
    assert!(said.lines().last().is_some_and(|line| line.len() == 66), "{said}");
}

#[test]
fn an_example_signs_and_refuses_an_altered_reply() {
    let said = run("sign").unwrap();
    assert!(said.lines().any(|line| line.len() == 66 && line.starts_with("0x")), "{said}");
    assert!(said.lines().last().unwrap().starts_with("data.userOps.sender: expected"), "{said}");
}

#[test]
fn an_example_makes_a_reply_in_typed_steps() {
    let said = run("estimate").unwrap();
    let reply = said.lines().find(|line| line.starts_with('{')).unwrap();
    assert!(reply.parse::<sendoff::estimate::EstimateReply>().is_ok());
}

#[test]
fn an_example_counts_calls() {
    let said = run("limits").unwrap();
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines[0], "1500 of 2000 calls are admitted");
    // A window ends at midnight, which may be nearer than five minutes.
    let seconds = lines[1].strip_prefix("retry after ").unwrap().strip_suffix(" seconds").unwrap();
    assert!((1..=300).contains(&seconds.parse::<u32>().unwrap()), "{said}");
    assert!(lines[2].starts_with("1500 calls at "), "{said}");
}
