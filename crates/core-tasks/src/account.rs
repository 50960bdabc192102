//! The description of a prepared operation, in words and numbers that a person can check.

use std::fmt;

use sendoff::{error::Error, json};
use serde_json::Value;

use crate::call_data::Part;

/// The description of a success reply, read from its operation.
pub(crate) struct Account {
    lines: Vec<(&'static str, String)>,
    parts: Vec<Part>,
}

impl Account {
    pub(crate) fn of(reply: &str) -> Result<Self, String> {
        let reply = parsed(Ok(reply.into()))?;
        let op = reply.pointer("/data/userOps").cloned().unwrap_or_default();
        let call_data = text(&op, "callData");
        let call = parsed(json::describe_call(call_data, None))?;
        let sentences = call.get("sentences").and_then(Value::as_array).into_iter().flatten();
        let mut lines: Vec<_> = sentences
            .filter_map(Value::as_str)
            .map(|sentence| ("moves", sentence.to_owned()))
            .collect();

        lines.extend([
            ("on chain", text(&call, "chain").into()),
            ("paid by", payer(&call, &op)),
            ("fee cap", format!("{} gwei per unit of gas", gwei(text(&op, "maxFeePerGas"))?)),
            ("tip", format!("{} gwei of that", gwei(text(&op, "maxPriorityFeePerGas"))?)),
            ("at most", most(&op)),
            ("sender", text(&op, "sender").into()),
            ("nonce", format!("{}, the job {}", text(&op, "nonce"), text(&call, "jobId"))),
            ("call data", format!("{} bytes, in parts:", call_data.len().saturating_sub(2) / 2)),
        ]);
        Ok(Self { lines, parts: Part::all(call_data, text(&call, "type"))? })
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.lines {
            writeln!(f, "{name:<12} {value}")?;
        }
        self.parts.iter().try_for_each(|part| writeln!(f, "  {part}"))
    }
}

fn payer(call: &Value, op: &Value) -> String {
    let paymaster = format!("the paymaster {}", text(op, "paymaster"));
    match text(call, "feePayer") {
        "" => paymaster,
        payer => format!("{paymaster}, for the fee payer {payer}"),
    }
}

/// The maximum cost of the operation, or the reason why the EntryPoint would refuse it.
fn most(op: &Value) -> String {
    match parsed(json::max_cost(&op.to_string())) {
        Ok(wei) => {
            let wei = wei.as_str().unwrap_or_default();
            format!("{} ether of the service's chain ({wei} wei)", shifted(wei, 18))
        }
        Err(why) => format!("nothing, because the EntryPoint would refuse it: {why}"),
    }
}

fn gwei(quantity: &str) -> Result<String, String> {
    Ok(shifted(&decimal(quantity)?, 9))
}

fn decimal(quantity: &str) -> Result<String, String> {
    Ok(text(&parsed(json::read_text("quantity", quantity))?, "decimal").into())
}

/// A decimal number with its point `places` to the left, without trailing zeros.
fn shifted(decimal: &str, places: usize) -> String {
    let padded = format!("{decimal:0>width$}", width = places.saturating_add(1));
    let (whole, part) =
        padded.split_at_checked(padded.len().saturating_sub(places)).unwrap_or(("0", ""));
    format!("{whole}.{part}").trim_end_matches('0').trim_end_matches('.').into()
}

fn parsed(answer: Result<String, Error>) -> Result<Value, String> {
    let text = answer.map_err(|error| format!("the core refuses its own answer: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("the core's answer is not JSON: {error}"))
}

fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_moved() {
        let rows = [
            ("2500000000", "2.5"),
            ("1", "0.000000001"),
            ("0", "0"),
            ("3000000000", "3"),
            ("12345678901", "12.345678901"),
        ];
        for (decimal, gwei) in rows {
            assert_eq!(shifted(decimal, 9), gwei);
        }
    }
}
