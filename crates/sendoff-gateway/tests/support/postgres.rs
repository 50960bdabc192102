//! A PostgreSQL that tests can stop and start again.

use std::{
    fs,
    os::unix::{fs::PermissionsExt as _, net::UnixStream, process::CommandExt as _},
    path::Path,
    process::{Command, Stdio},
};

use super::{
    Folder,
    process::{Process, wait},
};

/// A server on a Unix socket, so that it needs no free port.
pub(crate) struct Postgres {
    server: Process,
    folder: Folder,
}

impl Postgres {
    pub(crate) fn start() -> Self {
        let folder = Folder::new("pg");
        // PostgreSQL does not run as root.
        if let Some(user) = user() {
            std::os::unix::fs::chown(&folder.0, Some(user), None).expect("root may do it");
        }
        let own = fs::Permissions::from_mode(0o700);
        fs::set_permissions(&folder.0, own).expect("the folder is ours");
        let mut init = program("initdb", &folder.0);
        init.args(["-A", "trust", "-U", "sendoff", "--no-sync", "-D"]).arg(folder.0.join("data"));
        assert!(init.stdout(Stdio::null()).status().expect("initdb runs").success());
        Self { server: Self::spawn(&folder.0), folder }
    }

    fn spawn(folder: &Path) -> Process {
        let mut server = program("postgres", folder);
        server.arg("-D").arg(folder.join("data")).arg("-k").arg(folder);
        server.args(["-c", "listen_addresses=", "-c", "fsync=off"]);
        let server = Process::start(server.stdout(Stdio::null()).stderr(Stdio::null()));
        let socket = folder.join(".s.PGSQL.5432");
        wait("postgres listens", || {
            let ready = program("pg_isready", folder).arg("-h").arg(folder).arg("-q").status();
            UnixStream::connect(&socket).is_ok() && ready.is_ok_and(|ready| ready.success())
        });
        server
    }

    /// The address of a database.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&user=sendoff", self.folder.0.display())
    }

    pub(crate) fn stop(&mut self) {
        self.server.signal("QUIT");
        self.server.ended();
    }

    pub(crate) fn start_again(&mut self) {
        self.server = Self::spawn(&self.folder.0);
    }

    /// What one of its programs prints.
    pub(crate) fn run(&self, name: &str, args: &[&str], input: &str) -> String {
        let mut command = program(name, &self.folder.0);
        command.arg("-h").arg(&self.folder.0).args(["-U", "sendoff"]).args(args);
        command.stdin(fs::File::open(self.folder.write("input", input)).expect("a file"));
        let output = command.output().expect("the program runs");
        assert!(output.status.success(), "{name}: {}", output.stderr.escape_ascii());
        String::from_utf8(output.stdout).expect("text")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Killed, it leaves its memory to the system.
        if matches!(self.server.0.try_wait(), Ok(None)) {
            self.stop();
        }
    }
}

/// A program of PostgreSQL, which Debian does not put into the path.
fn program(name: &str, folder: &Path) -> Command {
    let bin = Command::new("pg_config").arg("--bindir").output();
    let bin = bin.expect("PostgreSQL is needed: `cargo xtask setup`").stdout;
    let bin = String::from_utf8(bin).expect("a path");
    let mut command = Command::new(Path::new(bin.trim()).join(name));
    if let Some(user) = user() {
        command.uid(user);
    }
    command.current_dir(folder);
    command
}

/// The user of PostgreSQL, if this process is root's.
fn user() -> Option<u32> {
    let id = |args: &[&str]| {
        let said = String::from_utf8(Command::new("id").args(args).output().ok()?.stdout).ok()?;
        said.trim().parse::<u32>().ok()
    };
    (id(&["-u"]) == Some(0))
        .then(|| id(&["-u", "postgres"]).expect("Debian's package makes this user"))
}
