//! The board and the alert rules for operators: every metric and every label that they name exists, and the runbook has a section
//! for each rule.

use crate::support::prelude::*;

const ALERTS: &str = include_str!("../../monitoring/alerts.yml");
const BOARD: &str = include_str!("../../monitoring/grafana.json");
const RUNBOOK: &str = include_str!("../../../../docs/operate.md");
const METRICS: &str = include_str!("../../src/observe/metrics.rs");

/// The parts of a text between two others.
fn between<'a>(text: &'a str, begin: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(begin).skip(1).filter_map(move |rest| Some(rest.split_once(end)?.0))
}

/// The metrics that a text names, and its labels.
fn named(text: &str) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let words = text.split(|character| !is_name(character));
    let ends = ["_total", "_bucket", "_count", "_sum", "_info"];
    let metrics = words
        .filter(|word| word.starts_with("sendoff_"))
        .map(|word| ends.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word));
    let by = between(text, "by (", ")").flat_map(|labels| labels.split(','));
    let shown = between(text, "{{", "}}").map(|label| label.trim().trim_start_matches("$labels."));
    let selectors = text.match_indices("sendoff_").filter_map(|(at, _)| {
        let rest = text[at..].trim_start_matches(is_name);
        rest.strip_prefix('{')?.split_once('}').map(|(selector, _)| selector)
    });
    let selected = selectors.flat_map(|selector| {
        selector.split(',').map(|part| part.split(['=', '!']).next().unwrap_or_default())
    });
    let labels = by.chain(shown).chain(selected).map(str::trim);
    (metrics.collect(), labels.filter(|label| *label != "le" && !label.is_empty()).collect())
}

#[test]
fn metrics_of_the_board_and_the_rules_exist() {
    for text in [ALERTS, BOARD] {
        let (metrics, labels) = named(text);
        assert!(metrics.len() >= 10 && labels.len() >= 4, "{metrics:?} {labels:?}");
        let names = metrics.iter().filter_map(|name| name.strip_prefix("sendoff_"));
        for name in names.chain(labels) {
            // A metric without a series is not in what a gateway prints.
            assert!(METRICS.contains(&format!("\"{name}\"")), "no metric or label is `{name}`");
        }
    }
    for name in between(ALERTS, "- alert: ", "\n") {
        assert!(RUNBOOK.contains(&format!("\n### {name}\n")), "docs/operate.md has no {name}");
    }
}
