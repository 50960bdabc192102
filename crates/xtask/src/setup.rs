//! `setup`: installs what the other commands need.
//!
//! Each thing is installed only if it is absent, so every command calls for what it needs.

use std::path::Path;

use crate::{
    Outcome, build,
    process::{said, sh, succeeds},
    project,
    stamp::Stamp,
    toolchain,
};

/// What Debian has: its name, a program or file of it, its packages, and who needs it. Where they cannot be installed, who needs
/// them says that they are absent.
const DEBIAN: [(&str, &str, &str, &str); 7] = [
    ("browser", "/usr/bin/chromium", "chromium", "the tests in a browser, about a minute"),
    ("redis", "redis-server", "redis-server", "shared rate windows, seconds"),
    ("postgres", "pg_config", "postgresql", "the tests of databases, seconds"),
    (
        "nginx",
        "/usr/lib/nginx/modules/ngx_stream_module.so",
        "nginx libnginx-mod-stream",
        "the tests of the gateway's edge, seconds",
    ),
    ("valgrind", "valgrind", "valgrind", "the count of instructions, seconds"),
    ("firefox", "firefox-esr", "firefox-esr", "the package in Firefox, about a minute"),
    ("wrk", "wrk", "wrk", "load over HTTP, seconds"),
];

/// The folder whose packages are those of this platform. `npm ci` refuses a lock file without the packages for other platforms, and not
/// every registry has those.
const OF_THIS_PLATFORM: &str = "tests/runtimes/large";

const PLAYGROUND: &str = "apps/playground";

/// Installs everything, but for what only measurements need.
pub(crate) fn run() -> Outcome {
    ["tools", "redis", "postgres", "nginx", "valgrind", "contracts", "browser"]
        .into_iter()
        .try_for_each(needed)
}

/// Returns `true` for a name that [`needed`] knows.
#[cfg(test)]
pub(crate) fn is_known(name: &str) -> bool {
    ["tools", "contracts", "guides", "demo-page", "sources", "addon-that-panics"].contains(&name)
        || name.starts_with("npm:")
        || name.contains('@')
        || DEBIAN.iter().any(|(known, ..)| *known == name)
}

/// Installs what has this name: a program of Debian, `npm:` and the folder of a `package.json`, `tools` for what builds the package,
/// `contracts` for those of `tests/chain`, `guides` for the programs of the guides, `demo-page` for the playground, which the built
/// package is needed for, `sources` for the package's TypeScript on the modules of the last build, or a program of crates.io and its version.
pub(crate) fn needed(name: &str) -> Outcome {
    match name {
        "tools" => tools(),
        "contracts" => contracts(),
        "demo-page" => playground(),
        "sources" => build::sources(),
        "addon-that-panics" => build::panics(),
        // Without what writes the site, a third of the packages; unless it is there already.
        "guides" if !npm_stamp("docs", "ci")?.is_fresh() => npm_by("docs", "ci --omit=dev"),
        "guides" => Ok(()),
        _ => match (name.strip_prefix("npm:"), name.split_once('@')) {
            (Some(folder), _) => npm(folder),
            (None, Some((tool, version))) => cargo_tool(tool, version),
            _ => match DEBIAN.iter().find(|(known, ..)| *known == name) {
                Some(row) => of_debian(row),
                None => Err(format!("expected something that can be installed, found `{name}`")),
            },
        },
    }
}

fn of_debian((name, found, packages, why): &(&str, &str, &str, &str)) -> Outcome {
    if *name == "browser" {
        npm("tests/browser")?;
    }
    let is_there = Path::new(found).exists() || succeeds(&format!("which {found}"));
    if is_there || !can_install() {
        return Ok(());
    }
    eprintln!("setup: installing {name} from Debian for {why}");
    debian(packages)
}

/// Installs packages of Debian.
pub(crate) fn debian(packages: &str) -> Outcome {
    if !can_install() {
        return Err(format!("`apt-get install {packages}` as root on Debian installs them"));
    }
    let install = "DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends";
    sh(&format!("apt-get update -qq && {install} {packages}"))
}

/// Returns `true` on Debian, for root.
fn can_install() -> bool {
    said("id -u").is_ok_and(|id| id == "0") && succeeds("apt-get --version")
}

/// Installs what the build of the package needs.
fn tools() -> Outcome {
    let node = said("node --version")?;
    let major = node.trim_start_matches('v').split('.').next().and_then(|n| n.parse::<u32>().ok());
    if major < Some(20) {
        return Err(format!("Node 20 or newer is needed, found {node}"));
    }
    toolchain::install()?;
    npm("bindings/sendoff-js")
}

/// The published EntryPoints, and the contracts of `tests/chain`, compiled.
fn contracts() -> Outcome {
    npm("tests/chain")?;
    let inputs = ["compile.mjs", "contracts", "package-lock.json"];
    let inputs = inputs.map(|input| project::at("tests/chain").join(input));
    let compiled = "target/chain/contracts.json";
    Stamp::new("chain-contracts", "", &inputs)?.renew(&project::at(compiled), || {
        eprintln!("setup: compiling the contracts of tests/chain, seconds");
        sh(&format!("node tests/chain/compile.mjs {compiled}"))
    })
}

/// The playground, built.
fn playground() -> Outcome {
    npm(PLAYGROUND)?;
    let inputs = [PLAYGROUND, "bindings/sendoff-js/dist/index.mjs", "tests/demo", "tests/story"];
    let page = project::at(PLAYGROUND).join("dist/index.html");
    Stamp::new("playground", "", &inputs.map(project::at))?
        .renew(&page, || sh("apps/playground/ npm run build --silent -- --logLevel warn"))
}

/// Installs the packages of `folder` exactly as locked.
pub(crate) fn npm(folder: &str) -> Outcome {
    npm_by(folder, if folder == OF_THIS_PLATFORM { "install --no-save" } else { "ci" })
}

/// Runs a script of `folder`, with its packages installed.
pub(crate) fn npm_run(folder: &str, script: &str) -> Outcome {
    npm(folder)?;
    sh(&format!("{folder}/ npm run --silent {script}"))
}

fn npm_by(folder: &str, way: &str) -> Outcome {
    let modules = project::at(folder).join("node_modules");
    npm_stamp(folder, way)?.renew(&modules, || {
        eprintln!("setup: npm {way} in {folder}, seconds to a minute");
        sh(&format!("{folder}/ npm {way} --no-audit --no-fund"))
    })
}

/// The packages of a folder that a command of npm installs. Another command does it again.
fn npm_stamp(folder: &str, way: &str) -> Result<Stamp, String> {
    let locked = project::at(folder).join("package-lock.json");
    Stamp::new(&format!("npm-{folder}"), way, &[locked])
}

/// A program of crates.io in exactly this version, in `target/tools`: it is installed once, and lock files are kept. It is not
/// optimised, because each runs for seconds or waits for what it starts, and compiling takes half the time.
fn cargo_tool(name: &str, version: &str) -> Outcome {
    let program = project::at("target/tools/bin").join(name);
    Stamp::new(name, version, &[])?.renew(&program, || {
        eprintln!("setup: installing {name} {version} in target/tools, a minute or two");
        let install =
            "CARGO_TARGET_DIR= cargo install --locked --debug --force --root target/tools";
        sh(&format!("{install} {name} --version {version}"))
    })
}
