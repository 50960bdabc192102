//! `build`: builds the npm package in `bindings/sendoff-js/dist`, with the wasm and the native
//! addon.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::{
    Outcome,
    process::{run as finish, said, sh, words},
    project, setup,
    stamp::Stamp,
    toolchain::WASM,
};

/// The programs of `bindings/sendoff-wasm`, which become the modules of a folder in `target/modules`, and more arguments of cargo.
/// A page waits longer for bytes than for calls; on servers the bytes are there, so speed decides. Both are of one profile, so that
/// their dependencies are compiled once.
const MODULES: [(&str, &[&str], &str); 2] = [
    ("pages", &["everything", "sign", "signature", "sandbox", "command"], ""),
    ("servers", &["everything"], "--config profile.wasm.package.sendoff.opt-level=3"),
];

/// The bytes of a module's stack. Its data is behind it, and below 2^20, where WebAssembly writes an address with a byte less.
const STACK: usize = 7 << 17;

const ADDON: &str = "cargo build -p sendoff-node --profile native";

pub(crate) fn run() -> Outcome {
    setup::needed("tools")?;
    compile_in(project::root(), &project::at("target"))?;
    package()
}

/// Compiles the modules and the addon of the project in a folder to the folder `target` of this project or another.
fn compile_in(root: &Path, target: &Path) -> Outcome {
    modules(root, target)?;
    let mut addon = words(ADDON);
    addon.env("RUSTFLAGS", without_paths()).env("CARGO_TARGET_DIR", target);
    // mimalloc has the time of its build.
    addon.env("SOURCE_DATE_EPOCH", "0");
    finish(addon.current_dir(root))
}

/// Compiles the modules. cargo gives those of each kind the same place, so they are copied to places of their own.
pub(crate) fn modules(root: &Path, target: &Path) -> Outcome {
    for (kind, programs, more) in MODULES {
        let cargo = format!("cargo build --profile wasm --target {WASM} -p sendoff-wasm {more}");
        let mut cargo = words(&cargo);
        cargo.args(programs.iter().flat_map(|program| ["--bin", program]));
        let flags = format!("{} -C link-arg=-zstack-size={STACK}", without_paths());
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags);
        finish(cargo.current_dir(root).env("CARGO_TARGET_DIR", target))?;

        let folder = target.join("modules").join(kind);
        fs::create_dir_all(&folder).map_err(project::cannot(&folder))?;
        for file in programs.iter().map(|program| format!("{program}.wasm")) {
            let made = target.join(WASM).join("wasm").join(&file);
            fs::copy(&made, folder.join(file)).map_err(project::cannot(&made))?;
        }
    }
    Ok(())
}

/// Flags for rustc. Code that can panic contains the path of its source: those of cargo and of this toolchain become the same on
/// every machine, so that what is published says nothing of the machine that built it.
fn without_paths() -> String {
    let home =
        env::var("CARGO_HOME").or_else(|_| env::var("HOME").map(|home| format!("{home}/.cargo")));
    let cargo = home.ok().map(|home| format!("--remap-path-prefix={home}=cargo"));
    // A toolchain without its sources has these names already.
    let rustc = said("rustc --print sysroot").ok().zip(said("rustc -vV").ok());
    let sources = rustc.and_then(|(sysroot, version)| {
        let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: "))?;
        Some(format!("--remap-path-prefix={sysroot}/lib/rustlib/src/rust=/rustc/{commit}"))
    });
    cargo.into_iter().chain(sources).collect::<Vec<_>>().join(" ")
}

/// What cargo makes of them, below its folder.
fn outputs() -> Vec<PathBuf> {
    let modules = MODULES.iter().flat_map(|(kind, programs, _)| {
        programs.iter().map(move |program| format!("modules/{kind}/{program}.wasm"))
    });
    let addon =
        format!("native/{}sendoff_node{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    modules.chain([addon]).map(PathBuf::from).collect()
}

/// Builds an addon in which every function panics, for the test that a panic becomes an error.
pub(crate) fn panics() -> Outcome {
    let mut addon = words(&format!("{ADDON} --example panics --features panics"));
    finish(addon.env("RUSTFLAGS", without_paths()))
}

/// Written by the build of the package.
fn written() -> PathBuf {
    project::package().join("dist/server.wasm")
}

/// Builds the package, unless its inputs did not change.
fn package() -> Outcome {
    // Not all of its folder: tests and examples are no part of it.
    let mut inputs = project::files_in(&project::package(), "")?;
    inputs.retain(|path| path.is_file() || path.ends_with("src"));
    inputs.extend(outputs().iter().map(|file| project::at("target").join(file)));
    Stamp::new("package", "", &inputs)?
        .renew(&written(), || sh("bindings/sendoff-js/ node build.mjs"))
}

/// Builds the package's code in TypeScript, and takes the modules of the last build. Without one it builds all of it.
pub(crate) fn sources() -> Outcome {
    if written().exists() { sh("bindings/sendoff-js/ node build.mjs --sources") } else { run() }
}

/// The npm package as a tarball, for those who have no Rust, and the crates of programs and pages, with their hashes, which
/// `sha256sum --check` reads: target/packages.
pub(crate) fn pack() -> Outcome {
    run()?;
    let of = |name| format!("target/package/{name}-{}.crate", env!("CARGO_PKG_VERSION"));
    sh(&format!(
        "cargo package --quiet --locked --no-verify --allow-dirty -p sendoff -p sendoff-web && \
            node bindings/sendoff-js/pack.mjs {} {}",
        of("sendoff"),
        of("sendoff-web")
    ))
}

/// Builds a copy of the project in a folder of another name and length, and compares the modules and the addon with those here: the
/// bytes must be the same.
pub(crate) fn again() -> Outcome {
    compile_in(project::root(), &project::at("target"))?;
    let name = format!("sendoff-in-a-folder-with-another-and-longer-name-{}", std::process::id());
    let folder = env::temp_dir().join(name);
    let copy = format!("git checkout-index --all --prefix={}/", folder.display());
    let there = folder.join("target");
    let outcome = sh(&copy).and_then(|()| compile_in(&folder, &there)).and_then(|()| {
        let differs = |file: &PathBuf| {
            println!("  {}", file.display());
            fs::read(project::at("target").join(file)).ok() != fs::read(there.join(file)).ok()
        };
        let different: Vec<_> = outputs().into_iter().filter(differs).collect();
        if different.is_empty() { Ok(()) } else { Err(format!("{different:?}: other bytes")) }
    });
    fs::remove_dir_all(&folder).map_err(project::cannot(&folder))?;
    outcome
}
