//! The classes. Their committed cases and their page are checked with all that `cargo xtask codegen` writes.

mod lies;

use std::collections::BTreeSet;

use bypass::{Class, all, committed_json, tables};

#[test]
fn every_class_is_complete() {
    let names: BTreeSet<_> = all().map(|class| class.name).collect();
    assert!(names.len() >= 131 && names.len() == all().count(), "{} names", names.len());
    for Class { name, about, seen, cases } in all() {
        assert!(name.bytes().all(|c| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'-')), "{name}");
        assert!(about.ends_with('.') && !seen.is_empty() && !cases.kinds.is_empty(), "{name}");
    }
    // A cell of a table has no bar.
    for row in tables().lines().filter(|line| line.starts_with("| `")) {
        assert_eq!(row.matches('|').count(), 5, "{row}");
    }
    assert!(committed_json().len() < 1_000_000);
}
