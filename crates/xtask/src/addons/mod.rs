//! `addons`: the addon for each platform, cross-compiled on Linux (x64), looked into, and run where
//! that can be done here.

mod cross;
mod fetched;
mod programs;
mod wine;

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{Outcome, build, process, project, runtimes, setup, tested::none};

/// A platform with an addon.
pub(crate) struct Platform {
    /// The name that `src/native.ts` of the package gives it, and its file.
    pub(crate) name: &'static str,
    /// Rust's name of it.
    pub(crate) target: &'static str,
    /// The oldest glibc that it loads with, which is that of Node 20.
    glibc: Option<&'static str>,
}

/// Where Node runs and Rust has a target with its own library.
pub(crate) const PLATFORMS: [Platform; 8] = [
    Platform { name: "linux-x64-gnu", target: "x86_64-unknown-linux-gnu", glibc: Some("2.28") },
    Platform { name: "linux-x64-musl", target: "x86_64-unknown-linux-musl", glibc: None },
    Platform { name: "linux-arm64-gnu", target: "aarch64-unknown-linux-gnu", glibc: Some("2.28") },
    Platform { name: "linux-arm64-musl", target: "aarch64-unknown-linux-musl", glibc: None },
    Platform { name: "darwin-x64", target: "x86_64-apple-darwin", glibc: None },
    Platform { name: "darwin-arm64", target: "aarch64-apple-darwin", glibc: None },
    Platform { name: "win32-x64", target: "x86_64-pc-windows-gnullvm", glibc: None },
    Platform { name: "win32-arm64", target: "aarch64-pc-windows-gnullvm", glibc: None },
];

impl Platform {
    /// Looks into its addon, and returns a line about it.
    fn inspect(&self, addon: &Path) -> Result<String, String> {
        let args = ["run", "--quiet", "-p", "inspect", "--", "addon", self.target];
        let mut inspect = process::loud("cargo", &args);
        process::answer(inspect.arg(self.glibc.unwrap_or("-")).arg(addon), "")
    }

    /// The place of its addon.
    pub(crate) fn addon(&self) -> PathBuf {
        folder().join(format!("sendoff.{}.node", self.name))
    }
}

/// The folder of all addons.
pub(crate) fn folder() -> PathBuf {
    project::at("target/addons/files")
}

/// Builds all, looks into each, and tests the package with each that can be run here.
pub(crate) fn run() -> Outcome {
    prepare()?;
    runtimes::platforms()
}

/// Builds all and the package, and fetches what runs them.
pub(crate) fn prepare() -> Outcome {
    made()?;
    build::run()?;
    programs::write()
}

/// Builds all, and looks into each.
fn made() -> Outcome {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(
            "addons for every platform are built on Linux (x64): zig and cargo-zigbuild are pinned for it".into()
        );
    }
    setup::tools()?;
    fs::create_dir_all(folder()).map_err(|error| format!("{}: {error}", folder().display()))?;
    let tools = cross::Tools::installed()?;

    let mut wrong = Vec::new();
    for platform in &PLATFORMS {
        let library = tools.build(platform)?;
        let addon = platform.addon();
        fs::copy(&library, &addon).map_err(|error| format!("{}: {error}", library.display()))?;
        match platform.inspect(&addon) {
            Ok(found) => println!("{:<17} {found}", platform.name),
            Err(why) => wrong.push(why),
        }
    }
    none("addons", &wrong)
}

/// The package with all addons, as tarball: target/packages.
pub(crate) fn pack() -> Outcome {
    made()?;
    build::run()?;
    process::run(
        process::loud("node", &["bindings/sendoff-js/pack.mjs", "--addons"]).arg(folder()),
    )?;
    build::hashed()
}
