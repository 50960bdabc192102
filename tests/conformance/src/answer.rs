//! Comparison of an answer with the expectation of a case.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{call::Answer, suite::Case};

/// The functions whose answers may have more fields than the case names.
const OPEN: [&str; 2] = ["readText", "signable"];

/// Checks that an answer is what the case expects, or returns the difference.
pub(crate) fn meets(answer: &Answer, case: &Case) -> Result<(), String> {
    let (form, expected) = case.expected()?;
    let (Ok(text) | Err(text)) = answer;
    let found = serde_json::from_str(text)
        .map_err(|e| format!("expected JSON, found {}: {e}", excerpt(text)))?;

    let is_met = match (answer.is_ok(), form) {
        (true, "ok") => {
            difference(Some(&judged(&case.call, &found, expected)), Some(expected), "")?;
            true
        }
        (true, "accept") => *expected == json!(true),
        (true, "finds") => expected.as_str().is_some_and(|rule| rules(&found).contains(rule)),
        (true, "permits") => {
            let paths = items(Some(expected)).filter_map(Value::as_str);
            let expected: BTreeSet<_> = paths.map(|path| [Some(path), Some("rule")]).collect();
            found.get("ok") == Some(&expected.is_empty().into())
                && problems(found.get("issues")) == expected
        }
        (false, "err") => {
            let (found, expected) = (problems(found.get("issues")), expected.get("issues"));
            !found.is_empty() && expected.is_none_or(|issues| problems(Some(issues)) == found)
        }
        _ => false,
    };
    if !is_met {
        let expected = format!("{form}: {expected}");
        return Err(format!("expected {}, found {}", excerpt(&expected), excerpt(text)));
    }
    says_more(&found, case)
}

/// Checks the additional expectations of a case: a finding's field and path, warnings, and texts in the messages.
fn says_more(answer: &Value, case: &Case) -> Result<(), String> {
    let keys = [("field", "field"), ("rule", "finds"), ("path", "path")];
    let expected = keys.map(|(key, also)| (key, case.also(also)));
    let is_expected = |finding: &Value| {
        expected.iter().all(|(key, also)| also.is_none() || finding.get(*key) == *also)
    };
    let asks = expected.iter().any(|(_, also)| also.is_some());
    if asks && !items(answer.get("findings")).any(is_expected) {
        let answer = answer.to_string();
        return Err(format!("expected a finding with {expected:?}, found {}", excerpt(&answer)));
    }

    let all = ["findings", "issues", "warnings"].into_iter();
    let all = all.flat_map(|key| items(answer.get(key)));
    let messages: String = all.filter_map(|problem| problem.get("message")?.as_str()).collect();
    if let Some(text) = case.says.iter().find(|text| !messages.contains(*text)) {
        return Err(format!("expected a message with `{text}`, found {}", excerpt(&messages)));
    }

    let found = problems(answer.get("warnings"));
    match case.also("warns") {
        Some(warns) if found != problems(Some(warns)) => {
            Err(format!("expected the warnings {warns}, found {found:?}"))
        }
        _ => Ok(()),
    }
}

/// The items of a list; none of what is no list.
fn items(list: Option<&Value>) -> impl Iterator<Item = &Value> {
    list.and_then(Value::as_array).into_iter().flatten()
}

/// The paths and codes of a list of issues or warnings.
fn problems(list: Option<&Value>) -> BTreeSet<[Option<&str>; 2]> {
    items(list).map(|it| ["path", "code"].map(|key| it.get(key)?.as_str())).collect()
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
    let findings = items(verification.get("findings"));
    findings.filter_map(|finding| finding.get("rule")?.as_str()).collect()
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
