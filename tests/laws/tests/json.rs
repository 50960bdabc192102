//! Laws of reading JSON: the core accepts the same texts as serde_json, and reads the same values.

use std::collections::BTreeMap;

use laws::any_json;
use laws::json_readers::agree;
use proptest::prelude::*;
use sendoff::error::IssueCode;
use sendoff::estimate::EstimateRequest;
use sendoff::http::Reply;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    /// Written JSON is altered by nothing, too.
    #[test]
    fn altered_json_is_read_equally(
        json in any_json(), at in any::<prop::sample::Index>(),
        other in prop::sample::select(vec![
            "", "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", "+", ".", "e", "E9", "1", "t", "null",
            " ", "\n", "\r", "\t", "\u{0}", "\u{7f}", "\u{feff}", "\\u", "\\ud800", "\\ud83d\\ude00",
            "\\udc00", "\\u00e9", "\\x", "//", "'", "NaN", "é",
        ]),
    ) {
        let text = json.to_string();
        let place = text.char_indices().map(|(place, _)| place).collect::<Vec<_>>();
        let at = place[at.index(place.len())];
        agree(&format!("{}{other}{}", &text[..at], &text[at..]));
        agree(&format!("{}{other}{}", &text[..at], text[at..].chars().skip(1).collect::<String>()));
    }

    #[test]
    fn any_text_is_read_equally(text in prop_oneof![any::<String>(), "[-+0-9.eE]{1,12}", r#"["\\u0-9a-fA-F{}\[\]:, ]{0,30}"#]) {
        agree(&text);
    }
}

#[test]
fn every_escape_is_read_equally() {
    for character in '\0'..'\u{80}' {
        agree(&format!(r#"["\{character}"]"#));
    }
    // Pairs, halves of pairs, and digits that are missing or none.
    let parts = [
        "", "x", r"\n", "ude00", r"\ud83d", r"\uD83D", r"\ude00", r"\uDE00", r"\u0041", r"\u00e9",
        r"\u12", r"\u123g", r"\u+123",
    ];
    for (one, other) in parts.iter().flat_map(|one| parts.map(|other| (one, other))) {
        agree(&format!(r#"["{one}{other}"]"#));
    }
}

/// Escapes are as short as they can be.
#[test]
fn every_escape_is_written() {
    let reply = r#"{"status":"error","error":{"code":400,"message":"\u000a\u000D\u0009\u0008\u000c\u0001\u001f\u0022\u005c\u002f\u007f"}}"#;
    let written = reply.parse::<Reply>().unwrap().to_string();
    assert!(
        written.contains("\"message\":\"\\n\\r\\t\\b\\f\\u0001\\u001f\\\"\\\\/\u{7f}\""),
        "{written}"
    );
}

/// Objects of more than 16 fields are searched for equal keys in another way.
#[test]
fn equal_keys_are_found_in_objects_of_any_size() {
    for count in [3, 16, 17, 40] {
        let distinct = (0..count).map(|at| format!("\"{at}\":{at}")).collect::<Vec<_>>().join(",");
        agree(&format!("{{{distinct}}}"));
        let found = |fields: &str| -> BTreeMap<String, IssueCode> {
            let request = format!("{{{fields}}}");
            let error = request.parse::<EstimateRequest>().unwrap_err();
            let issues = error.issues().iter().filter(|issue| issue.code != IssueCode::Missing);
            issues.map(|issue| (issue.path.clone(), issue.code)).collect()
        };
        let mut expected: BTreeMap<_, _> =
            (0..count).map(|at| (at.to_string(), IssueCode::Unknown)).collect();
        assert_eq!(found(&distinct), expected);
        expected.insert("1".into(), IssueCode::Duplicate);
        assert_eq!(found(&format!("{distinct},\"1\":0")), expected);
    }
}
