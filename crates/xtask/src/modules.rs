//! The WebAssembly modules: the programs of `bindings/sendoff-wasm`, compiled for pages and for servers.
//!
//! All are of one profile, so that their dependencies are compiled once. cargo gives each kind the
//! same place, so they are copied to places of their own.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{Outcome, build, process, project, toolchain};

/// The module with every function but those of signatures.
pub(crate) const EVERYTHING: &str = "everything";

/// The bytes of a module's stack. Its data is behind it, and below 2^20, where WebAssembly writes an address with a byte less.
const STACK: usize = 7 << 17;

/// What modules are compiled for.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// The folder in `target/modules`.
    name: &'static str,
    pub(crate) programs: &'static [&'static str],
    /// The packages of the programs, and other arguments for cargo.
    arguments: &'static [&'static str],
}

/// A page waits longer for bytes than for calls.
pub(crate) const PAGES: Kind = Kind {
    name: "pages",
    programs: &[EVERYTHING, "sign", "signature", "sandbox", "command"],
    arguments: &["-p", "sendoff-wasm"],
};

/// On servers the bytes are there, so speed decides.
pub(crate) const SERVERS: Kind = Kind {
    name: "servers",
    programs: &[EVERYTHING],
    arguments: &["-p", "sendoff-wasm", "--config", "profile.wasm.package.sendoff.opt-level=3"],
};

const KINDS: [Kind; 2] = [PAGES, SERVERS];

/// Compiles the modules of the project in a folder to the folder `target` of this project or another.
pub(crate) fn compile(root: &Path, target: &Path) -> Outcome {
    KINDS.iter().try_for_each(|kind| kind.compile(root, target))
}

/// The modules, below `target`.
pub(crate) fn all() -> Vec<PathBuf> {
    KINDS.iter().flat_map(|kind| kind.programs.iter().map(|program| kind.place(program))).collect()
}

impl Kind {
    /// Compiles the modules of this kind.
    pub(crate) fn compile(self, root: &Path, target: &Path) -> Outcome {
        let mut cargo = toolchain::cargo(toolchain::WASM, &["build", "--profile", "wasm"])?;
        cargo
            .args(self.programs.iter().flat_map(|program| ["--bin", program]))
            .args(self.arguments);
        let flags = format!("{} -C link-arg=-zstack-size={STACK}", build::without_paths());
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags);
        process::run(cargo.current_dir(root).env("CARGO_TARGET_DIR", target))?;

        let cannot =
            |error: std::io::Error| format!("{}: {error}", target.join("modules").display());
        fs::create_dir_all(target.join("modules").join(self.name)).map_err(cannot)?;
        self.programs.iter().try_for_each(|program| {
            let made =
                target.join(toolchain::WASM).join("wasm").join(program).with_extension("wasm");
            fs::copy(made, target.join(self.place(program))).map(drop).map_err(cannot)
        })
    }

    /// The path of a module, below `target`.
    pub(crate) fn place(self, program: &str) -> PathBuf {
        Path::new("modules").join(self.name).join(program).with_extension("wasm")
    }

    /// The path of a module of this project.
    pub(crate) fn built(self, program: &str) -> PathBuf {
        project::at("target").join(self.place(program))
    }
}
