//! Comparison of an answer with the expectation of a case.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    call::Answer,
    suite::{Case, Expected, Issue},
};

/// The functions whose answers may have more fields than the case names.
const OPEN: [&str; 2] = ["readText", "signable"];

/// Checks that an answer is what the case expects, or returns the difference.
pub(crate) fn meets(answer: &Answer, case: &Case) -> Result<(), String> {
    let expected = case.expected()?;
    let (Ok(text) | Err(text)) = answer;
    let found = serde_json::from_str(text)
        .map_err(|e| format!("expected JSON, found {}: {e}", excerpt(text)))?;

    let is_met = match (answer.is_ok(), expected) {
        (true, Expected::Ok(expected)) => {
            difference(Some(&judged(&case.call, &found, expected)), Some(expected), "")?;
            true
        }
        (true, Expected::Accept) => true,
        (true, Expected::Finds(rule)) => rules(&found).contains(rule),
        (true, Expected::Permits(paths)) => {
            let rule = |path: &String| Issue { path: path.clone(), code: "rule".into() };
            found.get("ok") == Some(&paths.is_empty().into())
                && issues(&found, "issues")? == paths.iter().map(rule).collect()
        }
        (false, Expected::Err) => !issues(&found, "issues")?.is_empty(),
        (false, Expected::Issues(expected)) => issues(&found, "issues")? == *expected,
        _ => false,
    };
    if !is_met {
        let expected = format!("{expected:?}");
        return Err(format!("expected {}, found {}", excerpt(&expected), excerpt(text)));
    }
    says_more(&found, case)
}

/// Checks the additional expectations of a case: a finding's field and path, warnings, and texts in the messages.
fn says_more(answer: &Value, case: &Case) -> Result<(), String> {
    let problems = |key| answer.get(key).and_then(Value::as_array).into_iter().flatten();

    let expected = [("field", &case.field), ("rule", &case.finds), ("path", &case.path)];
    let fits = |finding: &Value| {
        expected.iter().all(|(key, expected)| {
            let found = finding.get(*key).and_then(Value::as_str);
            expected.is_none() || found == expected.as_deref()
        })
    };
    let is_expected = expected.iter().any(|(_, expected)| expected.is_some());
    if is_expected && !problems("findings").any(fits) {
        let answer = answer.to_string();
        return Err(format!("expected a finding with {expected:?}, found {}", excerpt(&answer)));
    }

    let all = ["findings", "issues", "warnings"].into_iter().flat_map(problems);
    let messages: String = all.filter_map(|problem| problem.get("message")?.as_str()).collect();
    if let Some(text) = case.says.iter().find(|text| !messages.contains(*text)) {
        return Err(format!("expected a message with `{text}`, found {}", excerpt(&messages)));
    }

    let found = issues(answer, "warnings")?;
    match &case.warns {
        Some(expected) if found != *expected => {
            Err(format!("expected the warnings {expected:?}, found {found:?}"))
        }
        _ => Ok(()),
    }
}

/// The part of an answer that a vector covers.
fn judged(call: &str, answer: &Value, expected: &Value) -> Value {
    match answer {
        _ if call == "verifyEstimate" => json!({"ok": answer.get("ok"), "rules": rules(answer)}),
        Value::Object(fields) if OPEN.contains(&call) => {
            let named = fields.iter().filter(|(key, _)| expected.get(key).is_some());
            named.map(|(key, value)| (key.clone(), value.clone())).collect()
        }
        _ => answer.clone(),
    }
}

/// Reports the first place where two JSON values differ in meaning: key order has no meaning, numbers are IEEE doubles, strings
/// are exact.
fn difference(found: Option<&Value>, expected: Option<&Value>, at: &str) -> Result<(), String> {
    match (found, expected) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let keys: BTreeSet<_> = a.keys().chain(b.keys()).collect();
            let mut parts = keys.into_iter().map(|key| (key, a.get(key), b.get(key)));
            parts.try_for_each(|(key, a, b)| difference(a, b, &format!("{at}.{key}")))
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => (0..a.len().max(b.len()))
            .try_for_each(|index| difference(a.get(index), b.get(index), &format!("{at}.{index}"))),
        (Some(Value::Number(a)), Some(Value::Number(b))) if a.as_f64() == b.as_f64() => Ok(()),
        _ if found == expected => Ok(()),
        _ => {
            let [expected, found] = [expected, found]
                .map(|value| value.map_or("nothing".into(), |value| excerpt(&value.to_string())));
            Err(format!("{at}: expected {expected}, found {found}"))
        }
    }
}

/// The rules of a verification's findings, each once and in order.
fn rules(verification: &Value) -> BTreeSet<&str> {
    let findings = verification.get("findings").and_then(Value::as_array);
    findings.into_iter().flatten().filter_map(|finding| finding.get("rule")?.as_str()).collect()
}

/// The issues or warnings of an answer; none if it has no such list.
fn issues(answer: &Value, key: &str) -> Result<BTreeSet<Issue>, String> {
    let list = answer.get(key).cloned().unwrap_or(json!([]));
    serde_json::from_value(list).map_err(|e| format!("expected {key}: {e}"))
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

    #[test]
    fn an_expectation_is_met_by_its_answers_only() {
        let value = r#""ok": {"a": [1.0, "x"], "b": null}"#;
        let (less, more) = (r#"{"a":[1,"x"]}"#, r#"{"b":null,"a":[1,"x"],"c":1}"#);
        let found = r#"{"ok":false,"findings":[{"rule":"b"},{"rule":"a"},{"rule":"b"}]}"#;
        let refused = r#"{"ok":false,"issues":[{"path":"p.q","code":"rule","message":""}]}"#;
        let issues = r#"{"issues":[{"path":"b","code":"type"},{"path":"a","code":"type"}]}"#;
        let same = format!(r#""err": {issues}"#);
        let none = r#"{"issues":[]}"#;

        for (is_met, call, expected, answer) in [
            // By value.
            (true, "estimate", value, Ok(r#"{"b":null,"a":[1,"x"]}"#)),
            (false, "estimate", value, Ok(less)),
            (false, "estimate", value, Ok(more)),
            (false, "estimate", value, Err(none)),
            (true, "signable", value, Ok(more)),
            (false, "signable", value, Ok(less)),
            // By the sorted set of rules.
            (true, "verifyEstimate", r#""ok": {"ok": false, "rules": ["a", "b"]}"#, Ok(found)),
            (false, "verifyEstimate", r#""ok": {"ok": false, "rules": ["b"]}"#, Ok(found)),
            (false, "verifyEstimate", r#""finds": "c""#, Ok(found)),
            // By the paths of a permission's issues.
            (false, "permits", r#""permits": []"#, Ok(refused)),
            (true, "permits", r#""permits": ["p.q"]"#, Ok(refused)),
            (false, "permits", r#""permits": ["p.q"]"#, Ok(r#"{"ok":true}"#)),
            // By the set of issues.
            (true, "estimate", &same, Err(issues)),
            (false, "estimate", &same, Err(none)),
            (false, "estimate", r#""err": {"issues": [{"path":"a","code":"type"}]}"#, Err(issues)),
            (false, "estimate", r#""err": {}"#, Err(none)),
            (false, "estimate", r#""err": {}"#, Ok("{}")),
        ] {
            let case = format!(r#"{{"name": "", "call": "{call}", "args": [], {expected}}}"#);
            let case = serde_json::from_str(&case).unwrap();
            let verdict = meets(&answer.map(Into::into).map_err(Into::into), &case);
            assert_eq!(verdict.is_ok(), is_met, "{answer:?} for {call}, {expected}: {verdict:?}");
        }
    }
}
