//! `tests/budgets.json`: the seconds of processors that each part may take.

use std::{collections::BTreeMap, fs};

use crate::{project, steps::Step};

const FILE: &str = "tests/budgets.json";

/// A line for each step that took more than its budget.
pub(crate) fn exceeded(steps: &[Step]) -> Result<Vec<String>, String> {
    let budgets = read()?;
    let line = |step: &Step| {
        let (took, budget) = (step.processor?, *budgets.get(step.name)?);
        let name = step.name;
        let sentence = format!(
            "over budget: `{name}` took {took:.0} s of processors, and {FILE} allows {budget:.0}"
        );
        (took > budget).then_some(sentence)
    };
    Ok(steps.iter().filter_map(line).collect())
}

fn read() -> Result<BTreeMap<String, f64>, String> {
    let text = fs::read_to_string(project::at(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{FILE}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::PARTS;

    #[test]
    fn every_part_has_a_budget() {
        let budgets = read().unwrap();
        let known: Vec<_> = budgets.keys().map(String::as_str).collect();
        let mut parts: Vec<_> = PARTS.iter().map(|part| part.name).collect();
        parts.sort_unstable();
        assert_eq!(known, parts);
    }

    #[test]
    fn a_part_over_its_budget_is_named() {
        let step = |processor| Step {
            name: "fresh",
            title: "",
            time: std::time::Duration::ZERO,
            processor,
            outcome: Ok(()),
        };
        let lines = exceeded(&[step(Some(1e9)), step(Some(0.0)), step(None)]).unwrap();
        assert!(
            lines.len() == 1 && lines.iter().all(|line| line.contains("`fresh` took 1000000000 s")),
            "{lines:?}"
        );
    }
}
