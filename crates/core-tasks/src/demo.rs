//! The core's part of `cargo xtask demo`: the estimate of a request, and its description.

use std::io::{Read, stdin};

use sendoff::{
    error::Error,
    estimate::{Facts, Gsn},
    json,
};
use serde_json::{Value, json};

use crate::{Outcome, account::Account};

/// Reads `{"request", "facts"}` from standard input, and prints `{"reply", "account", "fitsGateway"}`: the reply's text, its
/// description for people, and whether a gateway's file has keys for all of the facts. A refused request is `{"refused"}`.
pub(crate) fn run() -> Outcome {
    let mut input = String::new();
    stdin().read_to_string(&mut input).map_err(|error| error.to_string())?;
    let input: Value = serde_json::from_str(&input).map_err(|error| error.to_string())?;
    let text = |name: &str| input.get(name).and_then(Value::as_str).unwrap_or_default();

    let (request, facts) = (text("request"), text("facts"));
    let estimate = json::estimate(request, facts).and_then(|reply| Ok((reply, facts.parse()?)));
    let answer = match estimate {
        Ok((reply, facts)) => {
            let account = Account::of(&reply)?.to_string();
            json!({ "reply": reply, "account": account, "fitsGateway": fits(&facts) })
        }
        Err(error) => json!({ "refused": refusal(&error) }),
    };

    println!("{answer}");
    Ok(())
}

fn fits(facts: &Facts) -> bool {
    facts.gsn == Gsn::default() && facts.fees.approx_transaction_fees_in_usdt.is_empty()
}

/// Formats each issue on a line, with its path.
fn refusal(error: &Error) -> String {
    let lines = error.issues().iter().map(|issue| {
        let path = if issue.path.is_empty() { "the whole document" } else { &issue.path };
        format!("\n  {path}: {} ({})", issue.message, issue.code)
    });
    format!("the estimate is refused:{}", lines.collect::<String>())
}
