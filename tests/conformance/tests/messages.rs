//! `tests/conformance/messages.txt` has the sentences of today's answers.

use std::{fs, path::Path};

#[test]
fn the_sentences_of_answers_equal_messages_txt() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let found = conformance::messages(&[root.join("tests/vectors")]).expect("answers are JSON");
    let known = fs::read_to_string(root.join("tests/conformance/messages.txt")).unwrap_or_default();
    let only = |these: &str, others: &str, sign: &str| -> String {
        let lines = these.lines().filter(|line| !others.lines().any(|other| other == *line));
        lines.map(|line| format!("\n{sign} {line}")).collect()
    };
    let change = only(&known, &found, "-") + &only(&found, &known, "+");
    assert!(change.is_empty(), "`cargo xtask codegen` writes it:{change}");
}
