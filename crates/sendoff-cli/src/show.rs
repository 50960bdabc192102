//! The printed form of an answer.

use alloc::{
    borrow::ToOwned as _,
    format,
    string::{String, ToString as _},
    vec,
    vec::Vec,
};

use serde_json::Value;

use crate::commands::Command;
use crate::place::{Given, place};

/// The output of a command, and its outcome.
pub(crate) struct Shown {
    /// The text, with its last line break.
    pub(crate) text: String,
    /// `false` if the input has problems.
    pub(crate) is_ok: bool,
}

/// Formats the answer of a function, or its issues.
pub(crate) fn show(
    command: &Command,
    given: &[Given<'_>],
    answer: Result<&str, &str>,
    as_json: bool,
    in_colour: bool,
) -> Shown {
    let (Ok(json) | Err(json)) = answer;
    let value: Value = serde_json::from_str(json).unwrap_or_default();
    let is_ok = answer.is_ok() && value.get("ok") != Some(&Value::Bool(false));

    if as_json {
        return Shown { text: format!("{json}\n"), is_ok };
    }

    let paint = |code: u8, text: &str| {
        if in_colour && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    };
    let mut text = String::new();

    match is_ok {
        false => text.push_str(&format!("{}\n", paint(RED, "not ok"))),
        true if command.is_judgement => text.push_str(&format!("{}\n", paint(GREEN, "ok"))),
        true => {}
    }

    let problems: &[(&str, &str)] =
        if answer.is_ok() { &[("", "findings.*")] } else { &[("", "issues.*")] };
    let shows = if is_ok { command.shows } else { problems };
    let width = shows.iter().map(|(label, _)| label.len()).max().unwrap_or_default();

    for (label, place) in shows {
        for found in printed(&value, place, given) {
            let margin = if label.is_empty() {
                String::new()
            } else {
                " ".repeat(width.saturating_sub(label.len()).saturating_add(2))
            };
            text.push_str(&format!("{}{margin}{found}\n", paint(DIM, label)));
        }
    }

    Shown { text, is_ok }
}

const RED: u8 = 31;
const GREEN: u8 = 32;
const DIM: u8 = 2;

/// The texts at a path, or the answers of a function for them.
fn printed(value: &Value, place: &str, given: &[Given<'_>]) -> Vec<String> {
    let Some((function, inner)) = place.strip_suffix(')').and_then(|place| place.split_once('('))
    else {
        return texts(value, place, given);
    };
    let answered = |text: String| {
        let (Ok(json) | Err(json)) = sendoff::json::call(function, &[Some(&text)]);
        serde_json::from_str(&json).ok().and_then(|answer| self::text(&answer, false, given))
    };
    texts(value, inner, given).into_iter().filter_map(answered).collect()
}

/// The texts at a path.
fn texts(value: &Value, place: &str, given: &[Given<'_>]) -> Vec<String> {
    let (first, rest) = place.split_once('.').unwrap_or((place, ""));
    match (first, value) {
        ("", _) => text(value, false, given).into_iter().collect(),
        ("*", Value::Array(items)) => {
            items.iter().flat_map(|item| texts(item, rest, given)).collect()
        }
        _ if first.contains(',') => {
            let fields = first.split(',').filter_map(|key| {
                let name = key.trim_start_matches('@');
                text(value.get(name)?, key != name, given)
            });
            vec![fields.collect::<Vec<_>>().join("  ")]
        }
        _ => value.get(first).map(|value| texts(value, rest, given)).unwrap_or_default(),
    }
}

/// A value as text: for a problem its path and its message.
fn text(value: &Value, is_time: bool, given: &[Given<'_>]) -> Option<String> {
    match value {
        Value::Null => Some("none".to_owned()),
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if is_time => number.as_i64().map(time),
        Value::Object(problem) => {
            let part = |key| problem.get(key).and_then(Value::as_str).unwrap_or_default();
            Some([place(given, part("path")), vec![part("message").to_owned()]].concat().join(": "))
        }
        other => Some(other.to_string()),
    }
}

/// Formats milliseconds since the epoch like JavaScript's `toISOString`.
fn time(milliseconds: i64) -> String {
    let (days, rest) = (milliseconds.div_euclid(86_400_000), milliseconds.rem_euclid(86_400_000));
    let (year, month, day) = civil(days);
    let part = |unit: i64, base: i64| rest.div_euclid(unit).rem_euclid(base);
    let sign = if year < 0 { "-" } else { "+" };

    let year = match year {
        0..=9999 => format!("{year:04}"),
        _ => format!("{sign}{:06}", year.unsigned_abs()),
    };
    format!(
        "{year}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        part(3_600_000, 24),
        part(60_000, 60),
        part(1_000, 60),
        part(1, 1_000),
    )
}

/// The year, month and day of a number of days since 1970, by Howard Hinnant's `civil_from_days`: eras have 400 years and begin
/// in March, so that a leap day is the last of its year.
#[expect(clippy::arithmetic_side_effects, reason = "days are a number of milliseconds, divided")]
const fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;

    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year;
    (if month <= 2 { year + 1 } else { year }, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_javascript_writes_them() {
        for (milliseconds, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_795_262_400_123, "2026-11-21T12:00:00.123Z"),
            (8_640_000_000_000_000, "+275760-09-13T00:00:00.000Z"),
            (-8_640_000_000_000_000, "-271821-04-20T00:00:00.000Z"),
            (-62_198_755_200_000, "-000001-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(time(milliseconds), text);
        }
    }
}
