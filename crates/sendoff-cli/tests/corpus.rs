//! Every command line of `tests/cli/corpus.json` has the output that is written there.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test")]

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

const PLACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cli");

#[test]
fn every_command_line_has_the_output_of_the_corpus() {
    let corpus = fs::read_to_string(format!("{PLACE}/corpus.json")).expect("the corpus");
    let corpus: Vec<Value> = serde_json::from_str(&corpus).expect("an array of cases");
    assert!(corpus.len() > 40, "{} cases", corpus.len());
    let found: Vec<_> = corpus.iter().map(ran).collect();
    for (expected, found) in corpus.iter().zip(&found) {
        assert_eq!(found, expected, "`cargo xtask codegen` writes the corpus");
    }
}

/// A case with what the binary makes of it.
fn ran(case: &Value) -> Value {
    let texts = |value: &Value| {
        value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    };
    let args: Vec<String> = texts(&case["args"]);
    let mut sendoff = Command::new(env!("CARGO_BIN_EXE_sendoff"));
    sendoff.args(args).current_dir(PLACE).env_remove("NO_COLOR").env_remove("FORCE_COLOR");
    // This PATH has no gateway, and what is for the gateway is in no output.
    sendoff.env("PATH", PLACE).env("STORE_SECRET", "canary").env("SHOP_KEY", "canary");
    sendoff.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (name, value) in case["env"].as_object().into_iter().flatten() {
        sendoff.env(name, value.as_str().unwrap_or_default());
    }
    let mut child = sendoff.spawn().expect("the binary");
    let input =
        case["stdin"].as_str().map(|name| fs::read(format!("{PLACE}/{name}")).expect("the input"));
    let mut stdin = child.stdin.take().expect("a pipe");
    // The binary may end without reading.
    let _ = stdin.write_all(&input.unwrap_or_default());
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let mut case = case.clone();
    case["stdout"] = text(&output.stdout).into();
    case["stderr"] = text(&output.stderr).into();
    case["code"] = output.status.code().into();
    case
}
