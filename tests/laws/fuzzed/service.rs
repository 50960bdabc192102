//! The pocket service: requests one after the other.

use sendoff_sandbox::{Request, State, answer};
use serde_json::Value;

/// What separates requests: a byte that UTF-8 does not have.
const NEXT: u8 = 0xff;

/// The most requests of one input.
const MOST: usize = 24;

const NOW: i64 = 1_750_000_000_000;

/// Every request gets a reply, the same after the state was saved and loaded.
pub(super) fn check(bytes: &[u8]) {
    let requests: Vec<_> = bytes.split(|byte| *byte == NEXT).take(MOST).filter_map(read).collect();
    let start = State::start(r#"{"seed":"fuzz"}"#).expect("options");
    let (mut state, mut now, mut replies) = (start.clone(), NOW, vec![]);
    for (step, request) in &requests {
        now += step;
        let reply = answer(&mut state, request, now);
        replies.push((now, reply));
    }

    let mut again: State = start.to_string().parse().expect("what was saved");
    for (at, ((_, request), (now, reply))) in requests.iter().zip(&replies).enumerate() {
        if at == requests.len() / 2 {
            again = again.to_string().parse().expect("what was saved");
        }
        assert_eq!(&answer(&mut again, request, *now), reply, "{request:?}");
    }
    assert_eq!(again.to_string(), state.to_string());
}

/// A request, and the milliseconds before it: a byte, a line of method and target, lines of headers, an empty line, the body.
fn read(bytes: &[u8]) -> Option<(i64, Request)> {
    let (step, rest) = bytes.split_first()?;
    let text = std::str::from_utf8(rest).ok()?;
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let (method, target) = lines.next()?.split_once(' ')?;
    let header =
        |line: &str| line.split_once(": ").map(|(name, value)| (name.into(), value.into()));
    let headers = lines.filter_map(header).collect();
    let request =
        Request { method: method.into(), target: target.into(), headers, body: body.into() };
    // The clock may step back.
    Some(((i64::from(*step) - 8) * 250, request))
}

/// The requests of a record as inputs: each alone, and some one after the other.
pub(super) fn seeds(record: &str) -> Vec<Vec<u8>> {
    let record: Value = serde_json::from_str(record).expect("a record");
    let lines = record.as_array().expect("lines").iter();
    let requests: Vec<Vec<u8>> = lines.map(|line| written(&line["request"])).collect();
    let several = requests.chunks(4).map(|chunk| chunk.join(&NEXT));
    requests.iter().cloned().chain(several).collect()
}

fn written(request: &Value) -> Vec<u8> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let headers = request["headers"].as_object().expect("headers").iter();
    let headers: String =
        headers.map(|(name, value)| format!("{name}: {}\n", text(value))).collect();
    let head = format!("{} {}\n{headers}\n", text(&request["method"]), text(&request["target"]));
    [b"\x0e", head.as_bytes(), text(&request["body"]).as_bytes()].concat()
}
