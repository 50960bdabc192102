//! `docs`: builds and checks the documentation.

use crate::{Outcome, build, process, project, setup};

const DOCS: &str = "docs";

/// Builds the site, runs its programs, checks its links, and opens its pages in Chromium.
pub(crate) fn run() -> Outcome {
    build::run()?;
    setup::browser()?;
    setup::redis()?;
    setup::npm(DOCS)?;
    npm("test")?;
    // The front page of the site.
    setup::npm("apps/playground")?;
    for script in ["build", "links", "browser"] {
        npm(script)?;
    }
    println!("{}", project::at("target/docs/site/index.html").display());
    Ok(())
}

/// Runs the programs of READMEs and guides, and checks their statements about other libraries. That needs nothing of what writes
/// the site, a third of the packages.
pub(crate) fn programs() -> Outcome {
    setup::npm_without_development(DOCS)?;
    npm("test")
}

/// Draws the pictures of what was measured.
pub(crate) fn pictures() -> Outcome {
    setup::npm_without_development(DOCS)?;
    npm("pictures")
}

/// Writes the pictures, and the tables whose rows are programs.
pub(crate) fn written() -> Outcome {
    pictures()?;
    npm("rows")
}

fn npm(script: &str) -> Outcome {
    process::run(process::loud("npm", &["run", "--silent", script]).current_dir(project::at(DOCS)))
}
