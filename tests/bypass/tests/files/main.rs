//! The classes, and the committed cases of today's. Their page is checked with all that `cargo xtask codegen` writes.

mod lies;

use std::collections::BTreeSet;

use bypass::{all, committed_json};
use serde_json::Value;

#[test]
fn the_committed_cases_are_small_and_complete() {
    let text = committed_json();
    assert!(text.len() < 1_000_000, "{} bytes", text.len());
    let file: Value = serde_json::from_str(&text).unwrap();
    let names: BTreeSet<_> = file["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| case["class"].as_str().unwrap())
        .collect();
    assert_eq!(names, all().map(|class| class.name).collect());
}

#[test]
fn every_class_is_complete() {
    let classes: Vec<_> = all().collect();
    let names: BTreeSet<_> = classes.iter().map(|class| class.name).collect();
    assert!(
        classes.len() >= 40 && names.len() == classes.len(),
        "{} classes, {} names",
        classes.len(),
        names.len()
    );
    for class in classes {
        let name = class.name;
        assert!(
            name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-'),
            "{name}"
        );
        assert!(
            class.about.ends_with('.') && !class.refused_by.is_empty() && !class.kinds.is_empty(),
            "{name}"
        );
        assert!(
            !class.seen.is_empty() && class.seen.iter().all(|(_, url)| url.starts_with("http")),
            "{name}"
        );
        // A cell of a table has no bar.
        let texts = [class.about, class.refused_by]
            .into_iter()
            .chain(class.seen.iter().map(|(title, _)| *title));
        assert!(texts.into_iter().all(|text| !text.contains('|')), "{name}");
    }
}
