//! cargo-zigbuild: zig as the linker for every platform, with the headers and libraries of each.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::{Platform, fetched};
use crate::{Outcome, build, process, project, toolchain};

/// What compiles for other platforms.
pub(super) struct Tools {
    /// The folder with cargo-zigbuild.
    programs: PathBuf,
    zig: PathBuf,
}

impl Tools {
    /// Installs them, if they are absent: from PyPI, with their hashes.
    pub(super) fn installed() -> Result<Self, String> {
        let unpacked = fetched::wheels("zig", include_str!("zig.txt"), None)?;
        let zig = unpacked.join("ziglang/zig");
        let programs = unpacked.join("cargo_zigbuild-0.24.0.data/scripts");
        [&zig, &programs.join("cargo-zigbuild")]
            .into_iter()
            .try_for_each(|program| fetched::executable(program))?;
        Ok(Self { programs, zig })
    }

    /// Compiles the addon for a platform, and returns its place.
    pub(super) fn build(&self, platform: &Platform) -> Result<PathBuf, String> {
        let target = platform.target;
        if !toolchain::is_installed(target) {
            eprintln!("setup: adding the Rust target {target}, seconds");
            process::run(&mut process::quiet("rustup", &["target", "add", target]))?;
        }
        let with_glibc =
            platform.glibc.map_or_else(|| target.to_owned(), |glibc| format!("{target}.{glibc}"));

        let mut cargo =
            process::quiet("cargo", &["zigbuild", "-p", "sendoff-node", "--profile", "native"]);
        cargo
            .args(["--target", &with_glibc])
            .env("CARGO_ZIGBUILD_ZIG_PATH", &self.zig)
            .env("PATH", self.path()?);
        // Nobody debugs it, and libraries of zig and Rust have names and lines of their own.
        cargo.env("CARGO_PROFILE_NATIVE_STRIP", "symbols");
        let mut flags = build::without_paths();
        if target.ends_with("musl") {
            // A library that is loaded has the C library of who loads it.
            flags.push_str(" -Ctarget-feature=-crt-static");
        }
        if target.contains("apple") {
            // Its name in itself would be the path of this build.
            flags.push_str(" -Clink-arg=-Wl,-install_name,@rpath/sendoff.node");
            cargo.env("MACOSX_DEPLOYMENT_TARGET", "11.0");
        }
        cargo.env("RUSTFLAGS", flags);
        if target.contains("windows") {
            // The name of who loads it differs (Node, Electron): its functions are looked up at run
            // time.
            cargo
                .args(["--features", "napi/dyn-symbols"])
                .env("LIBNODE_PATH", self.empty_library(target)?);
        }
        process::run(&mut cargo)?;

        let name = if target.contains("windows") {
            "sendoff_node.dll"
        } else if target.contains("apple") {
            "libsendoff_node.dylib"
        } else {
            "libsendoff_node.so"
        };
        Ok(project::at("target").join(target).join("native").join(name))
    }

    fn path(&self) -> Result<std::ffi::OsString, String> {
        let known = env::var_os("PATH").unwrap_or_default();
        let all = [self.programs.clone()].into_iter().chain(env::split_paths(&known));
        env::join_paths(all).map_err(|error| format!("PATH: {error}"))
    }

    /// napi links an import library of Node on Windows, also if it takes nothing from it.
    fn empty_library(&self, target: &str) -> Result<PathBuf, String> {
        let folder = project::at("target/addons").join(target);
        let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(cannot)?;
        fs::write(folder.join("node.def"), "LIBRARY node.exe\nEXPORTS\nnapi_get_version\n")
            .map_err(cannot)?;
        fs::write(folder.join("libnode.dll"), "").map_err(cannot)?;
        let machine = if target.starts_with("x86_64") { "i386:x86-64" } else { "arm64" };
        self.import_library(&folder, machine)?;
        Ok(folder)
    }

    fn import_library(&self, folder: &Path, machine: &str) -> Outcome {
        let mut zig = process::quiet(&self.zig.to_string_lossy(), &["dlltool", "-m", machine]);
        process::run(zig.args(["-d", "node.def", "-l", "node.lib"]).current_dir(folder))
    }
}
