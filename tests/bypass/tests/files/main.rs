//! The classes, and the committed cases of today's. Their page is checked with all that `cargo xtask codegen` writes.

mod lies;

use std::collections::BTreeSet;

use bypass::{Class, all, committed_json};
use serde_json::Value;

#[test]
fn the_committed_cases_are_small_and_complete() {
    let text = committed_json();
    assert!(text.len() < 1_000_000, "{} bytes", text.len());
    let file: Value = serde_json::from_str(&text).unwrap();
    let cases = file["cases"].as_array().unwrap().iter();
    let names: BTreeSet<_> = cases.map(|case| case["class"].as_str().unwrap()).collect();
    assert_eq!(names, all().map(|class| class.name).collect());
}

#[test]
fn every_class_is_complete() {
    let names: BTreeSet<_> = all().map(|class| class.name).collect();
    assert!(names.len() >= 131 && names.len() == all().count(), "{} names", names.len());
    for Class { name, about, seen, refused_by, cases } in all() {
        assert!(name.bytes().all(|c| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'-')), "{name}");
        assert!(about.ends_with('.') && !refused_by.is_empty(), "{name}");
        assert!(!seen.is_empty() && !cases.kinds.is_empty(), "{name}");
        // A cell of a table has no bar.
        let titles = seen.iter().map(|source| source.title());
        let mut texts = titles.chain([(*about).into(), (*refused_by).into()]);
        assert!(!texts.any(|text: String| text.contains('|')), "{name}");
    }
}
