//! `lint`: what can be said of the project without running it.

use crate::{Outcome, build, codegen, process, project, steps::Steps, toolchain};

pub(crate) fn run() -> Outcome {
    // The types are read as a user's compiler reads them: from the built package.
    build::run()?;
    let mut steps = Steps::default();
    steps.take("formatting", || cargo(&["fmt", "--all", "--check"]));
    steps.take("clippy", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    steps.take("clippy for browsers", clippy_for_browsers);
    steps.take("documentation", || {
        let args = ["doc", "--workspace", "--no-deps"];
        process::run(process::loud("cargo", &args).env("RUSTDOCFLAGS", "-D warnings"))
    });
    steps.take("generated files are fresh", codegen::check);
    steps.take("TypeScript", || {
        let args = ["run", "--silent", "--if-present", "typecheck"];
        process::run(process::loud("npm", &args).current_dir(project::package()))
    });
    steps.close()
}

fn cargo(args: &[&str]) -> Outcome {
    process::run(&mut process::loud("cargo", args))
}

fn clippy_for_browsers() -> Outcome {
    if !toolchain::is_installed(toolchain::WASM) {
        println!(
            "not done: Debian's Rust for browsers comes without clippy; the crate was read above for this machine"
        );
        return Ok(());
    }
    cargo(&["clippy", "-p", "sendoff-wasm", "--target", toolchain::WASM, "--", "-D", "warnings"])
}
