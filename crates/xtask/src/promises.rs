//! What the project says of itself: each promise of `SECURITY.md` and each sentence of the
//! specification has a test that runs.

use crate::{
    Outcome, project, specification,
    tested::{Tests, none},
};

/// Checks both tables.
pub(crate) fn check() -> Outcome {
    let tests = Tests::read()?;
    security(&tests)?;
    specification::check(&tests)
}

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
