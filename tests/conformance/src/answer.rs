//! Comparison of an answer with the expectation of a case.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    call::Answer,
    suite::{Case, Expected, Issue},
};

/// The functions whose answers may have more fields than the case names.
const OPEN: [&str; 2] = ["readText", "signable"];

/// Checks that the answer to `call` is the expected one, or returns the difference.
pub(crate) fn meets(call: &str, answer: &Answer, expected: &Expected<'_>) -> Result<(), String> {
    let met = match (answer, expected) {
        (Ok(text), Expected::Ok(expected)) => {
            let found = judged(call, parsed(text)?, expected);
            return difference(&found, expected, "").map_or(Ok(()), Err);
        }
        (Ok(_), Expected::Accept) => true,
        (Ok(text), Expected::Finds(rule)) => rules(&parsed(text)?).contains(*rule),
        (Ok(text), Expected::Permits(paths)) => is_permission(&parsed(text)?, paths),
        (Err(text), Expected::Err) => !issues(text)?.is_empty(),
        (Err(text), Expected::Issues(expected)) => issues(text)? == **expected,
        _ => false,
    };
    if met {
        Ok(())
    } else {
        Err(format!("expected {}, found {}", excerpt(&wanted(expected)), excerpt(&got(answer))))
    }
}

/// Checks the additional expectations of a case: a finding's field and path, warnings, and texts in the messages.
pub(crate) fn says_more(answer: &Answer, case: &Case) -> Result<(), String> {
    let (Ok(text) | Err(text)) = answer;
    let answer = parsed(text)?;
    let list = |key: &str| answer.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let (findings, warnings) = (list("findings"), list("warnings"));

    let expected = [("field", &case.field), ("rule", &case.finds), ("path", &case.path)];
    let fits = |finding: &Value| {
        expected.iter().all(|(key, expected)| {
            let found = finding.get(*key).and_then(Value::as_str);
            expected.is_none() || found == expected.as_deref()
        })
    };
    let is_expected = expected.iter().any(|(_, expected)| expected.is_some());
    if is_expected && !findings.iter().any(fits) {
        return Err(format!("expected a finding with {expected:?}, found {}", excerpt(text)));
    }

    let problems = [findings, list("issues"), warnings.clone()].concat();
    let messages: String = problems.iter().filter_map(|one| one.get("message")?.as_str()).collect();
    if let Some(text) = case.says.iter().find(|text| !messages.contains(*text)) {
        return Err(format!("expected a message with `{text}`, found {}", excerpt(&messages)));
    }

    let Some(expected) = &case.warns else { return Ok(()) };
    let found: BTreeSet<Issue> =
        serde_json::from_value(warnings.into()).map_err(|e| format!("expected warnings: {e}"))?;
    if found == *expected {
        return Ok(());
    }
    Err(format!("expected the warnings {}, found {}", self::list(expected), self::list(&found)))
}

/// The part of an answer that a vector covers.
fn judged(call: &str, answer: Value, expected: &Value) -> Value {
    match (call, answer) {
        ("verifyEstimate", answer) => json!({"ok": answer.get("ok"), "rules": rules(&answer)}),
        (call, Value::Object(mut fields)) if OPEN.contains(&call) => {
            fields.retain(|key, _| expected.get(key).is_some());
            Value::Object(fields)
        }
        (_, answer) => answer,
    }
}

/// `true` if the answer of `permits` has issues of code `rule` at exactly these paths.
fn is_permission(answer: &Value, paths: &BTreeSet<String>) -> bool {
    let issues = answer
        .get("issues")
        .map_or(Ok(BTreeSet::new()), |issues| serde_json::from_value(issues.clone()));
    let expected =
        paths.iter().map(|path| Issue { path: path.clone(), code: "rule".into() }).collect();
    answer.get("ok") == Some(&paths.is_empty().into())
        && issues.is_ok_and(|issues: BTreeSet<Issue>| issues == expected)
}

/// The first place where two JSON values differ in meaning: key order has no meaning, numbers are IEEE doubles, strings are
/// exact.
fn difference(found: &Value, expected: &Value, at: &str) -> Option<String> {
    let part = |found: Option<&Value>, expected: Option<&Value>, key: &str| {
        let at = format!("{at}.{key}");
        match (found, expected) {
            (Some(found), Some(expected)) => difference(found, expected, &at),
            (Some(found), None) => {
                Some(format!("{at}: expected nothing, found {}", excerpt(&found.to_string())))
            }
            (None, Some(expected)) => {
                Some(format!("{at}: expected {}, found nothing", excerpt(&expected.to_string())))
            }
            (None, None) => None,
        }
    };
    match (found, expected) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<_> = a.keys().chain(b.keys()).collect();
            keys.into_iter().find_map(|key| part(a.get(key), b.get(key), key))
        }
        (Value::Array(a), Value::Array(b)) => (0..a.len().max(b.len()))
            .find_map(|index| part(a.get(index), b.get(index), &index.to_string())),
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        _ if found == expected => None,
        _ => {
            let (expected, found) = (expected.to_string(), found.to_string());
            Some(format!("{at}: expected {}, found {}", excerpt(&expected), excerpt(&found)))
        }
    }
}

/// The rules of a verification's findings, each once and in order.
fn rules(verification: &Value) -> BTreeSet<&str> {
    let findings = verification.get("findings").and_then(Value::as_array);
    findings.into_iter().flatten().filter_map(|finding| finding.get("rule")?.as_str()).collect()
}

fn issues(text: &str) -> Result<BTreeSet<Issue>, String> {
    #[derive(Deserialize)]
    struct Failure {
        issues: BTreeSet<Issue>,
    }
    let failure: Failure = serde_json::from_str(text)
        .map_err(|e| format!("expected issues, found {}: {e}", excerpt(text)))?;
    Ok(failure.issues)
}

fn parsed(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|e| format!("expected JSON, found {}: {e}", excerpt(text)))
}

fn wanted(expected: &Expected<'_>) -> String {
    match expected {
        Expected::Ok(answer) => answer.to_string(),
        Expected::Accept => "an answer".into(),
        Expected::Finds(rule) => format!("a finding of `{rule}`"),
        Expected::Permits(paths) => format!("a permission without {paths:?}"),
        Expected::Err => "issues".into(),
        Expected::Issues(issues) => list(issues),
    }
}

fn got(answer: &Answer) -> String {
    match answer {
        Ok(text) => text.clone(),
        Err(text) => issues(text).map_or_else(|why| why, |issues| list(&issues)),
    }
}

fn list(issues: &BTreeSet<Issue>) -> String {
    let items: Vec<_> =
        issues.iter().map(|issue| format!("{} at `{}`", issue.code, issue.path)).collect();
    if items.is_empty() { "no issues".into() } else { items.join(", ") }
}

/// The beginning of a text. Call data can have kilobytes, and its beginning is enough to find the case.
fn excerpt(text: &str) -> String {
    const CHARS: usize = 300;
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which answers meet an expectation: those with `true`.
    fn judges(call: &str, expected: &Expected<'_>, answers: &[(bool, Result<&str, &str>)]) {
        for (is_met, answer) in answers {
            let verdict = meets(call, &answer.map(Into::into).map_err(Into::into), expected);
            assert_eq!(verdict.is_ok(), *is_met, "{answer:?} for {expected:?}");
        }
    }

    #[test]
    fn answers_compare_by_value() {
        let expected = json!({"a": [1.0, "x"], "b": null});
        let more = r#"{"a":[1,"x"],"b":null,"c":1}"#;
        let answers = [
            (true, Ok(r#"{"b":null,"a":[1,"x"]}"#)),
            (false, Ok(r#"{"a":[1,"X"],"b":null}"#)),
            (false, Ok(r#"{"a":[1,"x"]}"#)),
            (false, Ok(more)),
            (false, Ok("null")),
            (false, Ok("{")),
            (false, Err(r#"{"issues":[]}"#)),
        ];
        judges("estimate", &Expected::Ok(&expected), &answers);
        let answers = [(true, Ok(more)), (false, Ok(r#"{"a":[1,"x"]}"#))];
        judges("signable", &Expected::Ok(&expected), &answers);
    }

    #[test]
    fn a_difference_is_reported_with_its_place() {
        for (found, expected, difference) in [
            (
                json!({"a": [1, {"b": 2}]}),
                json!({"a": [1, {"b": 3}]}),
                ".a.1.b: expected 3, found 2",
            ),
            (json!([1]), json!([]), ".0: expected nothing, found 1"),
        ] {
            assert_eq!(super::difference(&found, &expected, "").unwrap(), difference);
        }
    }

    #[test]
    fn findings_compare_as_the_sorted_set_of_their_rules() {
        let answer =
            r#"{"ok":false,"findings":[{"rule":"shape"},{"rule":"nonce"},{"rule":"shape"}]}"#;
        let [both, one] = [json!(["nonce", "shape"]), json!(["shape"])]
            .map(|rules| json!({"ok": false, "rules": rules}));
        for (is_met, expected) in [
            (true, Expected::Ok(&both)),
            (false, Expected::Ok(&one)),
            (true, Expected::Finds("nonce")),
            (false, Expected::Finds("sender")),
        ] {
            judges("verifyEstimate", &expected, &[(is_met, Ok(answer))]);
        }
    }

    #[test]
    fn permissions_compare_by_the_paths_of_their_issues() {
        let refused =
            r#"{"ok":false,"issues":[{"path":"details.caip2Id","code":"rule","message":""}]}"#;
        let (other_code, other_ok) =
            (&*refused.replace("rule", "type"), &*refused.replace("false", "true"));
        let answers = [
            (true, Ok(r#"{"ok":true}"#)),
            (false, Ok(refused)),
            (false, Ok(r#"{"ok":false}"#)),
            (false, Ok(r#"{"ok":false,"issues":[]}"#)),
            (false, Ok("{}")),
        ];
        judges("permits", &Expected::Permits(&BTreeSet::new()), &answers);
        let answers = [
            (true, Ok(refused)),
            (false, Ok(r#"{"ok":true}"#)),
            (false, Ok(other_code)),
            (false, Ok(other_ok)),
            (false, Err(refused)),
        ];
        judges("permits", &Expected::Permits(&["details.caip2Id".into()].into()), &answers);
    }

    #[test]
    fn issues_compare_as_a_set() {
        let of = |path: &str| Issue { path: path.into(), code: "type".into() };
        let both = r#"{"issues":[{"path":"b","code":"type","message":""},{"path":"a","code":"type","message":""}]}"#;
        let none = r#"{"issues":[]}"#;
        judges("estimate", &Expected::Issues(&[of("a"), of("b")].into()), &[(true, Err(both))]);
        judges("estimate", &Expected::Issues(&[of("a")].into()), &[(false, Err(both))]);
        let answers = [(true, Err(both)), (false, Err(none)), (false, Ok("{}"))];
        judges("estimate", &Expected::Err, &answers);
    }
}
