//! What the project says of itself: each dependency has a reason, and each promise of `SECURITY.md` and each sentence of the
//! specification a test that runs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{
    Outcome,
    process::said,
    project,
    rust::{array, metadata},
    specification,
    tested::Tests,
};

const DEPENDENCIES: &str = "crates/xtask/dependencies.txt";

/// Checks all tables.
pub(crate) fn check() -> Outcome {
    let tests = Tests::read()?;
    let wrong = [dependencies()?, security(&tests)?, specification::problems(&tests)?].concat();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The list has a line for each direct dependency, and for nothing else.
/// `docs/reference/tables/dependencies.md` shows it.
fn dependencies() -> Result<Vec<String>, String> {
    let text = project::read(DEPENDENCIES)?;
    let (rust, npm) = text
        .split_once("\n## npm\n")
        .ok_or_else(|| format!("{DEPENDENCIES}: expected the section `npm`, found none"))?;
    let mut wrong = Vec::new();
    for (side, section, found) in [("Rust", rust, crates()?), ("npm", npm, packages()?)] {
        let rows = section.lines().filter_map(|line| {
            let (name, rest) = line.split_once(" | ")?;
            Some((name.to_owned(), rest.rsplit_once("| ")?.1.trim()))
        });
        let rows: BTreeMap<_, _> = rows.collect();
        let mut say = |what: &str, name: &String| wrong.push(format!("{side}: {what} `{name}`"));

        found.iter().filter(|name| !rows.contains_key(*name)).for_each(|n| say("no row for", n));
        let unused = rows.keys().filter(|name| !found.contains(*name));
        unused.for_each(|name| say("nothing depends on", name));
        let bare = rows.iter().filter(|(_, why)| why.is_empty());
        bare.for_each(|(name, _)| say("no reason for", name));
        println!("{side}: {} direct dependencies, {} rows", found.len(), rows.len());
    }
    Ok(wrong)
}

/// All crates that a crate of the workspace names.
fn crates() -> Result<BTreeSet<String>, String> {
    let metadata = metadata()?;
    let name = |value: &Value| value.get("name").and_then(Value::as_str).map(str::to_owned);
    let own: BTreeSet<_> = array(&metadata, "packages").filter_map(name).collect();
    let needed = array(&metadata, "packages").flat_map(|package| array(package, "dependencies"));
    Ok(needed.filter_map(name).filter(|name| !own.contains(name)).collect())
}

/// All packages that a `package.json` of the project names.
fn packages() -> Result<BTreeSet<String>, String> {
    let mut all = BTreeSet::new();
    for file in said("git ls-files")?.lines().filter(|file| file.ends_with("package.json")) {
        let package: Value = serde_json::from_str(&project::read(file)?)
            .map_err(|error| format!("{file}: {error}"))?;
        for kind in ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]
        {
            let names = package.get(kind).and_then(Value::as_object).into_iter();
            all.extend(names.flat_map(|names| names.keys().cloned()));
        }
    }
    all.remove("sendoff");
    Ok(all)
}

/// Each promise of `SECURITY.md` names its tests.
fn security(tests: &Tests) -> Result<Vec<String>, String> {
    let (mut wrong, mut all) = (Vec::new(), Vec::new());
    let text = project::read("SECURITY.md")?;
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| promise"));
    for (promise, named) in rows.filter_map(|line| line.trim_matches('|').split_once(" | ")) {
        let (count, problems) = tests.check(named);
        if count == 0 {
            wrong.push(format!("SECURITY.md: no test for: {promise}"));
        }
        wrong.extend(problems.iter().map(|problem| format!("SECURITY.md: {problem}")));
        all.push(count);
    }
    println!("SECURITY.md: {} promises, {} tests", all.len(), all.iter().sum::<usize>());
    Ok(wrong)
}
