//! `build`: builds the npm package in `bindings/sendoff-js/dist`, with the wasm and the native
//! addon.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Outcome, modules, process, project, setup, stamp::Stamp};

pub(crate) fn run() -> Outcome {
    setup::tools()?;
    compiled()?;
    package()
}

/// Compiles the modules and the addon.
pub(crate) fn compiled() -> Outcome {
    compile_in(project::root(), &project::at("target"))
}

/// Compiles the modules and the addon of the project in a folder to the folder `target`.
pub(crate) fn compile_in(root: &Path, target: &Path) -> Outcome {
    modules::compile(root, target)?;
    process::run(native(&[]).current_dir(root).env("CARGO_TARGET_DIR", target))
}

/// Builds the package's code in TypeScript, and takes the modules of the last build. Without one it builds all of it.
pub(crate) fn sources() -> Outcome {
    if !dist_is_whole() {
        return run();
    }
    process::run(
        process::quiet("node", &["build.mjs", "--sources"]).current_dir(project::package()),
    )
}

/// The npm package as a tarball, for those who have no Rust, and the crate, with their hashes: target/packages.
pub(crate) fn pack() -> Outcome {
    run()?;
    process::sh("node bindings/sendoff-js/pack.mjs")?;
    hashed()
}

/// Puts the crates of programs and pages beside the tarball, and their hashes into the file that `sha256sum --check` reads.
fn hashed() -> Outcome {
    let package = "cargo package -p sendoff -p sendoff-web --no-verify --allow-dirty";
    process::sh(&format!("{package} --quiet --locked"))?;
    for name in ["sendoff", "sendoff-web"] {
        beside(&format!("{name}-{}.crate", env!("CARGO_PKG_VERSION")))?;
    }
    Ok(())
}

fn beside(name: &str) -> Outcome {
    let packages = project::at("target/packages");
    let cannot = |error: std::io::Error| format!("{}: {error}", packages.display());
    fs::copy(project::at("target/package").join(name), packages.join(name)).map_err(cannot)?;

    let digest = "require('crypto').createHash('sha256').update(require('fs').readFileSync(process.argv[1])).digest('hex')";
    let hash =
        process::answer(process::quiet("node", &["-p", digest, name]).current_dir(&packages), "")?;
    let sums = packages.join("SHA256SUMS");
    let others = fs::read_to_string(&sums).map_err(cannot)?;
    fs::write(sums, format!("{others}{hash}  {name}\n")).map_err(cannot)
}

/// Compiles the addon, with more arguments for cargo.
fn native(more: &[&str]) -> Command {
    let mut cargo =
        process::quiet("cargo", &["build", "-p", "sendoff-node", "--profile", "native"]);
    cargo.args(more).env("RUSTFLAGS", without_paths());
    cargo
}

/// Flags for rustc. Code that can panic contains the path of its source: those of cargo and of this toolchain become the same on
/// every machine, so that what is published says nothing of the machine that built it.
pub(crate) fn without_paths() -> String {
    let home =
        env::var("CARGO_HOME").or_else(|_| env::var("HOME").map(|home| format!("{home}/.cargo")));
    let cargo = home.ok().map(|home| format!("--remap-path-prefix={home}=cargo"));
    let rustc = |args: &[&str]| process::answer(&mut process::quiet("rustc", args), "").ok();
    // A toolchain without its sources has these names already.
    let sources =
        rustc(&["--print", "sysroot"]).zip(rustc(&["-vV"])).and_then(|(sysroot, version)| {
            let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: "))?;
            Some(format!("--remap-path-prefix={sysroot}/lib/rustlib/src/rust=/rustc/{commit}"))
        });
    cargo.into_iter().chain(sources).collect::<Vec<_>>().join(" ")
}

/// What cargo makes of them, below its folder.
pub(crate) fn outputs() -> Vec<PathBuf> {
    modules::all().into_iter().chain([Path::new("native").join(ADDON)]).collect()
}

/// The file name of the addon on this platform.
const ADDON: &str = if cfg!(target_os = "macos") {
    "libsendoff_node.dylib"
} else if cfg!(windows) {
    "sendoff_node.dll"
} else {
    "libsendoff_node.so"
};

/// Builds an addon in which every function panics, for the test that a panic becomes an error.
pub(crate) fn panics() -> Outcome {
    process::run(&mut native(&["--example", "panics", "--features", "panics"]))
}

/// Builds the package, unless its inputs did not change.
fn package() -> Outcome {
    // Not all of its folder: tests and examples are no part of it.
    let sources = [
        "src",
        "build.mjs",
        "modules.mjs",
        "packed.mjs",
        "platform.mjs",
        "streams.mjs",
        "unpacked.mjs",
        "package.json",
        "package-lock.json",
        "tsconfig.json",
    ];

    let mut inputs = sources.map(|source| project::package().join(source)).to_vec();
    inputs.extend(outputs().iter().map(|file| project::at("target").join(file)));

    let stamp = Stamp::new("package", &inputs)?;
    if stamp.is_fresh() && dist_is_whole() {
        return Ok(());
    }

    let mut build = process::quiet("node", &["build.mjs"]);
    build.current_dir(project::package());

    stamp.renew(|| process::run(&mut build))
}

/// Returns `true` if the files exist. The folder may have been emptied after the last build.
fn dist_is_whole() -> bool {
    [
        "index.mjs",
        "sendoff.wasm",
        "sign.wasm",
        "signature.wasm",
        "sandbox.wasm",
        "server.wasm",
        "js/module-sendoff.cjs",
    ]
    .iter()
    .all(|file| project::package().join("dist").join(file).exists())
}
