//! Packages of Debian, which can be installed on Debian as root.

use crate::{Outcome, process};

/// Installs packages of Debian.
pub(crate) fn install(packages: &[&str]) -> Outcome {
    process::run(&mut process::quiet("apt-get", &["update", "-qq"]))?;
    let mut install =
        process::quiet("apt-get", &["install", "-qq", "-y", "--no-install-recommends"]);
    process::run(install.args(packages).env("DEBIAN_FRONTEND", "noninteractive"))
}

/// Returns `true` if [`install`] can work on this machine.
pub(crate) fn is_possible() -> bool {
    let user = process::answer(&mut process::quiet("id", &["-u"]), "");
    user.is_ok_and(|id| id == "0") && process::succeeds("apt-get", &["--version"])
}
