//! `setup`: installs what the other commands need.
//!
//! Each part is installed only if it is absent, so every command calls the parts that it needs.

use std::path::{Path, PathBuf};

use crate::{Outcome, apt, process, project, stamp::Stamp, toolchain};

/// The path of Chromium in Debian, which the tests in a browser use.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Installs everything.
pub(crate) fn run() -> Outcome {
    tools()?;
    redis()?;
    postgres()?;
    nginx()?;
    valgrind()?;
    chain()?;
    browser()
}

/// Installs what several parts of `test` need.
pub(crate) fn tests() -> Outcome {
    tools()?;
    redis()?;
    postgres()?;
    browser()
}

/// Installs what the build of the package needs.
pub(crate) fn tools() -> Outcome {
    node()?;
    toolchain::install()?;
    npm("bindings/sendoff-js")
}

/// Installs Chromium for the tests in a browser. If it cannot be installed, those tests report that it is absent.
pub(crate) fn browser() -> Outcome {
    if project::at("tests/browser/package-lock.json").exists() {
        npm("tests/browser")?;
    }
    if Path::new(CHROMIUM).exists() || !apt::is_possible() {
        return Ok(());
    }
    eprintln!("setup: installing Chromium from Debian for the test in a browser, about a minute");
    apt::install(&["chromium"])
}

/// Installs Redis for the tests of shared rate windows. If it cannot be installed, those tests report that it is absent.
pub(crate) fn redis() -> Outcome {
    if process::succeeds("redis-server", &["--version"]) || !apt::is_possible() {
        return Ok(());
    }
    eprintln!("setup: installing Redis from Debian for the tests of shared rate windows, seconds");
    apt::install(&["redis-server"])
}

/// Installs PostgreSQL for the tests of the gateway's database and of a store of submissions. If it cannot be installed, those tests report that it is absent.
pub(crate) fn postgres() -> Outcome {
    if process::succeeds("pg_config", &["--bindir"]) || !apt::is_possible() {
        return Ok(());
    }
    eprintln!("setup: installing PostgreSQL from Debian for the tests of databases, seconds");
    apt::install(&["postgresql"])
}

/// Installs nginx with its module `stream` for the tests of the gateway's edge. If it cannot be installed, those tests report that it is absent.
pub(crate) fn nginx() -> Outcome {
    if Path::new("/usr/lib/nginx/modules/ngx_stream_module.so").exists() || !apt::is_possible() {
        return Ok(());
    }
    eprintln!("setup: installing nginx from Debian for the tests of the gateway's edge, seconds");
    apt::install(&["nginx", "libnginx-mod-stream"])
}

/// What only the count of instructions needs. Without it the rest works, so where it cannot be had the test says so.
pub(crate) fn valgrind() -> Outcome {
    if process::succeeds("valgrind", &["--version"]) || !apt::is_possible() {
        return Ok(());
    }
    eprintln!("setup: installing valgrind from Debian for the count of instructions, seconds");
    apt::install(&["valgrind"])
}

/// What only the tests on a chain need: the published EntryPoints, a node, and the contracts of `tests/chain`, compiled.
pub(crate) fn chain() -> Outcome {
    npm_of_this_platform("tests/chain")?;
    let room = project::at("tests/chain");
    let compiled = project::at("target/chain/contracts.json");
    let inputs = ["compile.mjs", "contracts", "package-lock.json"].map(|input| room.join(input));
    let stamp = Stamp::new("chain-contracts", &inputs)?;
    if stamp.is_fresh() && compiled.exists() {
        return Ok(());
    }
    eprintln!("setup: compiling the contracts of tests/chain, seconds");
    let args = ["tests/chain/compile.mjs", &compiled.to_string_lossy()];
    stamp.renew(|| process::run(&mut process::quiet("node", &args)))
}

/// Installs the packages of `folder` exactly as locked.
pub(crate) fn npm(folder: &str) -> Outcome {
    npm_by(folder, &["ci"])
}

/// Runs a script of `folder`, with its packages installed.
pub(crate) fn npm_run(folder: &str, script: &str) -> Outcome {
    npm(folder)?;
    self::script(folder, script)
}

/// Runs a script of `folder`.
pub(crate) fn script(folder: &str, script: &str) -> Outcome {
    let mut npm = process::words("npm run --silent");
    process::run(npm.arg(script).current_dir(project::at(folder)))
}

/// Installs them without the packages for development. If all are there already, they stay.
pub(crate) fn npm_without_development(folder: &str) -> Outcome {
    if npm_stamp(folder, &["ci"])?.is_fresh() {
        return npm(folder);
    }
    npm_by(folder, &["ci", "--omit=dev"])
}

/// Installs the packages of `folder` in the locked versions. `npm ci` refuses a lock file without the packages for other
/// platforms, and not every registry has those.
pub(crate) fn npm_of_this_platform(folder: &str) -> Outcome {
    npm_by(folder, &["install", "--no-save"])
}

fn npm_by(folder: &str, command: &[&str]) -> Outcome {
    let place = project::at(folder);
    let stamp = npm_stamp(folder, command)?;
    if stamp.is_fresh() && place.join("node_modules").exists() {
        return Ok(());
    }
    eprintln!("setup: npm {} in {folder}, seconds to a minute", command.join(" "));
    let mut npm = process::quiet("npm", command);
    npm.args(["--no-audit", "--no-fund"]).current_dir(&place);
    stamp.renew(|| process::run(&mut npm))
}

/// The packages of a folder that a command of npm installs. Another command does it again.
fn npm_stamp(folder: &str, command: &[&str]) -> Result<Stamp, String> {
    let locked = [project::at(folder).join("package-lock.json")];
    let name = format!("npm-{}", folder.replace('/', "-"));
    Ok(Stamp::new(&name, &locked)?.with(&command.join(" ")))
}

/// Checks the version of Node, which `setup` does not install.
fn node() -> Outcome {
    let text = process::answer(&mut process::quiet("node", &["--version"]), "")?;
    let major: u32 = text
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or_default();
    if major >= 20 { Ok(()) } else { Err(format!("Node 20 or newer is needed, found {text}")) }
}

/// A program of crates.io in exactly this version, in `target/tools`: it is installed once, and lock files are kept. It is not
/// optimised, because each runs for seconds or waits for what it starts, and compiling takes half the time.
pub(crate) fn cargo_tool(name: &str, version: &str) -> Result<PathBuf, String> {
    let root = project::at("target/tools");
    let program = root.join("bin").join(name);
    let stamp = Stamp::of_text(name, version);
    if !(stamp.is_fresh() && program.exists()) {
        eprintln!("setup: installing {name} {version} in target/tools, a minute or two");
        let install =
            ["install", name, "--version", version, "--locked", "--debug", "--force", "--root"];
        stamp.renew(|| {
            process::run(
                process::quiet("cargo", &install).arg(&root).env_remove("CARGO_TARGET_DIR"),
            )
        })?;
    }
    Ok(program)
}
