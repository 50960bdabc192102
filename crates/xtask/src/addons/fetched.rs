//! What is fetched for other platforms: wheels of PyPI by their hashes, and packages of Debian by
//! its signatures. Nothing of it is installed: it is unpacked below `target/addons`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{Outcome, process, project, stamp::Stamp};

/// The wheels of a list with hashes, for a platform in the words of PyPI or for this machine, unpacked in one folder.
pub(super) fn wheels(name: &str, list: &str, platform: Option<&str>) -> Result<PathBuf, String> {
    let folder = project::at("target/addons").join(name);
    let stamp = Stamp::of_text(&format!("addons-{name}"), list);
    if stamp.is_fresh() && folder.exists() {
        return Ok(folder);
    }
    eprintln!("setup: fetching {name} from PyPI, seconds");
    stamp.renew(|| {
        let loaded = emptied(&project::at("target/addons").join(format!("{name}.whl")))?;
        let requirements = loaded.join("requirements.txt");
        fs::write(&requirements, list)
            .map_err(|error| format!("{}: {error}", requirements.display()))?;
        let mut pip = process::quiet(
            "python3",
            &["-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"],
        );
        pip.args(["--only-binary", ":all:"])
            .args(platform.iter().flat_map(|platform| ["--platform", platform]));
        pip.arg("--dest").arg(&loaded);
        process::run(pip.arg("-r").arg(&requirements).env("PIP_DISABLE_PIP_VERSION_CHECK", "1"))?;

        emptied(&folder)?;
        for wheel in project::files_in(&loaded, ".whl")? {
            process::run(
                process::quiet("python3", &["-m", "zipfile", "-e"]).arg(wheel).arg(&folder),
            )?;
        }
        fs::remove_dir_all(&loaded).map_err(|error| format!("{}: {error}", loaded.display()))
    })?;
    Ok(folder)
}

/// Packages of Debian 13 for an architecture, unpacked in one folder.
pub(super) fn debian(name: &str, architecture: &str, packages: &[&str]) -> Result<PathBuf, String> {
    const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
    let folder = project::at("target/addons").join(name);
    let stamp = Stamp::of_text(&format!("addons-{name}"), &packages.join(" "));
    if stamp.is_fresh() && folder.exists() {
        return Ok(folder);
    }
    if !Path::new(KEYS).exists() {
        return Err(format!("packages of Debian are checked with {KEYS}, which is not here"));
    }
    eprintln!("setup: fetching {} from Debian 13, seconds", packages.join(", "));
    stamp.renew(|| {
        let state = emptied(&project::at("target/addons").join(format!("{name}.apt")))?;
        let write = |file: &str, text: &str| {
            fs::write(state.join(file), text).map_err(|error| format!("{}: {error}", state.display()))
        };
        write("sources.list", &format!("deb [signed-by={KEYS}] http://deb.debian.org/debian trixie main\n"))?;
        write("status", "")?;
        let place = state.display();
        write(
            "apt.conf",
            &format!(
                "Dir::Etc::sourcelist \"{place}/sources.list\";\nDir::Etc::sourceparts \"-\";\nDir::State \"{place}\";\n\
                 Dir::State::status \"{place}/status\";\nDir::Cache \"{place}\";\nAPT::Architecture \"{architecture}\";\n\
                 APT::Architectures {{\"{architecture}\";}};\nAPT::Sandbox::User \"root\";\nAcquire::Languages \"none\";\n\
                 APT::Install-Recommends \"false\";\n"
            ),
        )?;
        let apt = |args: &[&str]| {
            let mut apt = process::quiet("apt-get", args);
            apt.env("APT_CONFIG", state.join("apt.conf")).current_dir(&state);
            apt
        };
        process::run(&mut apt(&["update", "-qq"]))?;
        process::run(apt(&["download", "-qq"]).args(packages))?;

        emptied(&folder)?;
        for package in project::files_in(&state, ".deb")? {
            process::run(process::quiet("dpkg-deb", &["-x"]).arg(package).arg(&folder))?;
        }
        fs::remove_dir_all(&state).map_err(|error| format!("{}: {error}", state.display()))
    })?;
    Ok(folder)
}

/// The folder, which is empty then.
pub(super) fn emptied(folder: &Path) -> Result<PathBuf, String> {
    let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(cannot)?;
    }
    fs::create_dir_all(folder).map_err(cannot)?;
    Ok(folder.to_owned())
}

/// Python unpacks programs as files that are not to be run.
#[cfg(unix)]
pub(super) fn executable(file: &Path) -> Outcome {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
        .map_err(|error| format!("{}: {error}", file.display()))
}

/// A folder of Debian's root that is a link to the one in `usr`, which no package has.
#[cfg(unix)]
pub(super) fn link(root: &Path, name: &str) -> Outcome {
    let place = root.join(name);
    if place.is_symlink() {
        return Ok(());
    }
    std::os::unix::fs::symlink(format!("usr/{name}"), &place)
        .map_err(|error| format!("{}: {error}", place.display()))
}

// Addons are built on Linux.
#[cfg(not(unix))]
pub(super) fn executable(_file: &Path) -> Outcome {
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn link(_root: &Path, _name: &str) -> Outcome {
    Ok(())
}
