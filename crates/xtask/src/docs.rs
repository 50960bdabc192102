//! The documentation.

use crate::{Outcome, project, setup};

const DOCS: &str = "docs";

/// Builds the site, runs its programs, checks its links, and opens its pages in Chromium.
pub(crate) fn run() -> Outcome {
    setup::browser()?;
    setup::redis()?;
    // The front page of the site.
    setup::npm("apps/playground")?;
    for script in ["test", "build", "links", "browser"] {
        setup::npm_run(DOCS, script)?;
    }
    println!("{}", project::at("target/docs/site/index.html").display());
    Ok(())
}

/// Runs the programs of READMEs and guides, and checks their statements about other libraries. That needs nothing of what writes
/// the site, a third of the packages.
pub(crate) fn programs() -> Outcome {
    without_the_site("test")
}

/// Draws the pictures, also of what was measured.
pub(crate) fn pictures() -> Outcome {
    without_the_site("pictures")
}

/// Writes the pictures, and the tables whose rows are programs.
pub(crate) fn written() -> Outcome {
    pictures()?;
    without_the_site("rows")
}

fn without_the_site(script: &str) -> Outcome {
    setup::npm_without_development(DOCS)?;
    setup::script(DOCS, script)
}
