//! What the README shows in Rust is an example that runs.

use std::{env, fs, path::Path, process::Command};

#[test]
fn the_readme_shows_the_example_and_the_example_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let example = read("crates/sendoff/examples/signable.rs");
    assert!(read("README.md").contains(&format!("```rust\n{example}```")), "the README shows another program");

    let args = ["run", "--quiet", "-p", "sendoff", "--example", "signable"];
    let output = Command::new(env!("CARGO")).args(args).current_dir(&root).output().unwrap();
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{complained}");
    // The digest stands alone in the last line.
    assert_eq!(said.lines().last().map(str::len), Some(66), "{said}");
}
