//! `docs`: the documentation, built and looked at.

use crate::{Outcome, build, process, project, setup};

const DOCS: &str = "docs";

/// The site: its programs run, its links lead somewhere, and its pages open in Chromium.
pub(crate) fn run() -> Outcome {
    build::run()?;
    setup::browser()?;
    setup::redis()?;
    programs()?;
    // The front page of the site.
    setup::npm("bindings/playground")?;
    for script in ["build", "links", "browser"] {
        npm(script)?;
    }
    println!("{}", project::at("target/docs/site/index.html").display());
    Ok(())
}

/// What READMEs and guides show is run, and what they say of others is asked of them.
pub(crate) fn programs() -> Outcome {
    setup::npm("tests/bench")?;
    setup::npm(DOCS)?;
    npm("test")
}

fn npm(script: &str) -> Outcome {
    process::run(process::loud("npm", &["run", "--silent", script]).current_dir(project::at(DOCS)))
}
