//! `hook`: runs `check` before each commit.

use std::{fs, path::PathBuf};

use crate::{Outcome, process, project};

/// Git sets variables that name the repository of the commit, and commands of other folders must not get them.
const HOOK: &str = "\
#!/bin/sh
# Written by `cargo xtask hook`. `git commit --no-verify` commits without it.
cd \"$(git rev-parse --show-toplevel)\" || exit 1
unset $(git rev-parse --local-env-vars)
exec cargo xtask check
";

/// How a hook of this command begins, also one of an earlier version.
const OURS: &str = "#!/bin/sh\n# Written by `cargo xtask hook`.";

/// Installs the hook for this repository and its worktrees. It does not replace another one.
pub(crate) fn run() -> Outcome {
    let path = process::answer(
        &mut process::quiet("git", &["rev-parse", "--git-path", "hooks/pre-commit"]),
        "",
    )?;
    let file = project::root().join(path);
    let cannot = |error: std::io::Error| format!("{}: {error}", file.display());
    if file.exists() && !fs::read_to_string(&file).map_err(cannot)?.starts_with(OURS) {
        let place = file.display();
        return Err(format!(
            "expected no pre-commit hook, found {place}; add `cargo xtask check` to it, or remove it"
        ));
    }
    fs::create_dir_all(file.parent().map_or_else(PathBuf::new, Into::into)).map_err(cannot)?;
    fs::write(&file, HOOK).map_err(cannot)?;
    executable(&file).map_err(cannot)?;
    println!("{}: `cargo xtask check` runs before each commit", file.display());
    Ok(())
}

#[cfg(unix)]
fn executable(file: &std::path::Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
}

/// Git for Windows runs every hook.
#[cfg(not(unix))]
fn executable(_file: &std::path::Path) -> std::io::Result<()> {
    Ok(())
}
