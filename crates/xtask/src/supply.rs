//! What the project says of itself: each dependency has a reason, and each promise of `SECURITY.md` and each sentence of the
//! specification a test that runs.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    Outcome, process, project, rust, specification,
    tested::{Tests, none},
};

/// Checks all tables.
pub(crate) fn check() -> Outcome {
    dependencies()?;
    let tests = Tests::read()?;
    security(&tests)?;
    specification::check(&tests)
}

const DEPENDENCIES: &str = "crates/xtask/dependencies.txt";

/// The list has a line for each direct dependency, and for nothing else.
/// `docs/reference/tables/dependencies.md` shows it.
fn dependencies() -> Outcome {
    let text = project::read(DEPENDENCIES)?;
    let (rust, npm) = text
        .split_once("\n## npm\n")
        .ok_or_else(|| format!("{DEPENDENCIES}: expected the section `npm`, found none"))?;
    let rows = |section: &str| -> Vec<(String, String)> {
        let cells = section.lines().filter_map(|line| line.split_once(" | "));
        cells
            .map(|(name, rest)| {
                let (_, why) = rest.rsplit_once("| ").unwrap_or_default();
                (name.into(), why.trim().into())
            })
            .collect()
    };
    let (crates, packages) = (crates()?, packages()?);
    let mut wrong = Vec::new();

    for (side, rows, found) in [("Rust", rows(rust), crates), ("npm", rows(npm), packages)] {
        let known: BTreeSet<_> = rows.iter().map(|(name, _)| name.clone()).collect();
        wrong.extend(found.difference(&known).map(|name| format!("{side}: no row for `{name}`")));
        wrong.extend(
            known
                .difference(&found)
                .map(|name| format!("{side}: a row for `{name}`, which nothing depends on")),
        );
        wrong.extend(
            rows.iter()
                .filter(|(_, why)| why.is_empty())
                .map(|(name, _)| format!("{side}: no reason for `{name}`")),
        );
        println!("{side}: {} direct dependencies, {} rows", found.len(), rows.len());
    }

    none(DEPENDENCIES, &wrong)
}

/// All crates that a crate of the workspace names.
fn crates() -> Result<BTreeSet<String>, String> {
    let packages = rust::packages("--no-deps")?;
    let name = |value: &Value| value.get("name").and_then(Value::as_str).map(str::to_owned);
    let own: BTreeSet<_> = packages.iter().filter_map(name).collect();
    let needed = packages.iter().filter_map(|package| package.get("dependencies")?.as_array());
    Ok(needed.flatten().filter_map(name).filter(|name| !own.contains(name)).collect())
}

/// All packages that a `package.json` of the project names.
fn packages() -> Result<BTreeSet<String>, String> {
    let files = process::answer(
        &mut process::quiet("git", &["ls-files", "package.json", "*/package.json"]),
        "",
    )?;
    let mut all = BTreeSet::new();
    for file in files.lines() {
        let package: Value = serde_json::from_str(&project::read(file)?)
            .map_err(|error| format!("{file}: {error}"))?;
        for kind in ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]
        {
            all.extend(
                package
                    .get(kind)
                    .and_then(Value::as_object)
                    .into_iter()
                    .flat_map(|names| names.keys().cloned()),
            );
        }
    }
    all.remove("sendoff");
    Ok(all)
}

/// Each promise of `SECURITY.md` names its tests.
fn security(tests: &Tests) -> Outcome {
    let (mut wrong, mut promises, mut all) = (Vec::new(), 0_usize, 0_usize);
    let text = project::read("SECURITY.md")?;
    for line in text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| promise"))
    {
        let Some((promise, named)) = line.trim_matches('|').split_once(" | ") else { continue };
        promises = promises.saturating_add(1);

        let (count, problems) = tests.check(named);
        all = all.saturating_add(count);
        if count == 0 {
            wrong.push(format!("no test for: {promise}"));
        }
        wrong.extend(problems);
    }
    println!("SECURITY.md: {promises} promises, {all} tests");
    none("SECURITY.md", &wrong)
}
