//! wine of Debian 13, which runs programs for Windows. It is not installed: it starts with a `/usr`
//! of its own, below which its parts find each other.

use std::path::PathBuf;

use super::fetched;
use crate::{Outcome, process, project, stamp::Stamp};

/// wine, `bwrap`, which gives it its `/usr`, and what both need.
const PACKAGES: [&str; 11] = [
    "wine64",
    "libwine",
    "libz-mingw-w64",
    "libunwind8",
    "liblzma5",
    "libgcc-s1",
    "libc6",
    "bubblewrap",
    "libcap2",
    "libselinux1",
    "libpcre2-8-0",
];

/// Runs a program whose output goes to files first: Node for Windows cannot write to a pipe of wine.
const THROUGH_FILES: &str = r#"said=$(mktemp -d) && "$0" "$@" > "$said/out" 2> "$said/err"
code=$?; cat "$said/out"; cat "$said/err" >&2; rm -r "$said"; exit $code"#;

/// What a program for Windows is started with.
pub(super) fn command() -> Result<Vec<PathBuf>, String> {
    let usr = fetched::debian("debian-wine", "amd64", &PACKAGES)?.join("usr");
    // This machine's C library may be too old for `bwrap` as well.
    let loader = usr.join("lib64/ld-linux-x86-64.so.2");
    let mut command = ["sh", "-c", THROUGH_FILES].map(PathBuf::from).to_vec();
    command.extend([loader, "--library-path".into(), usr.join("lib/x86_64-linux-gnu")]);
    command.push(usr.join("bin/bwrap"));

    command.extend(["--dev-bind", "/", "/", "--ro-bind"].map(PathBuf::from));
    command.extend([usr, "/usr".into()]);
    for (name, value) in [
        ("WINEPREFIX", prefix()),
        ("WINESERVER", "/usr/lib/wine/wineserver64".into()),
        ("WINEPATH", r"Z:\usr\x86_64-w64-mingw32\lib".into()),
        ("WINEDEBUG", "-all".into()),
    ] {
        command.extend(["--setenv".into(), name.into(), value]);
    }
    command.push("/usr/lib/wine/wine64".into());
    Ok(command)
}

/// Starts Node once, for which wine writes its own files: half a minute. Where a user may have no `/usr` of their own, it does not start.
pub(super) fn begin(node: &[PathBuf]) -> Outcome {
    let stamp = Stamp::of_text("addons-wine-prefix", &PACKAGES.join(" "));
    if stamp.is_fresh() && prefix().exists() {
        return Ok(());
    }
    eprintln!("setup: wine writes its files, half a minute");
    let [program, args @ ..] = node else { return Err("expected a program, found none".into()) };
    stamp
        .renew(|| {
            fetched::emptied(&prefix())?;
            let mut wine = process::quiet(&program.to_string_lossy(), &[]);
            process::answer(wine.args(args).args(["-p", "process.platform"]), "").map(drop)
        })
        .map_err(|why| {
            eprintln!("{why}");
            "wine does not start here; built, its imports and exports checked".into()
        })
}

fn prefix() -> PathBuf {
    project::at("target/addons/wine-prefix")
}
