//! A PostgreSQL that tests can stop and start again.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Stdio},
};

use super::Folder;

/// A server on a Unix socket, so that it needs no free port.
pub(crate) struct Postgres(Folder);

impl Postgres {
    pub(crate) fn start() -> Self {
        let postgres = Self(Folder::new("pg"));
        let folder = &postgres.0.0;
        // PostgreSQL does not run as root.
        if rustix::process::geteuid().is_root() {
            let owned = Command::new("chown").arg("postgres").arg(folder).status();
            assert!(owned.is_ok_and(|owned| owned.success()), "Debian's package makes this user");
        }
        let own = fs::Permissions::from_mode(0o700);
        fs::set_permissions(folder, own).expect("the folder is ours");
        postgres.tell("initdb", &["-A", "trust", "-U", "sendoff", "--no-sync", "-D", "data"]);
        postgres.start_again();
        postgres
    }

    pub(crate) fn start_again(&self) {
        let options = format!("-k {} -c listen_addresses= -c fsync=off", self.0.0.display());
        self.tell("pg_ctl", &["-D", "data", "-o", &options, "start"]);
    }

    pub(crate) fn stop(&self) {
        self.tell("pg_ctl", &["-D", "data", "-m", "immediate", "stop"]);
    }

    /// The address of a database.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&user=sendoff", self.0.0.display())
    }

    /// Runs one of its programs.
    fn tell(&self, name: &str, args: &[&str]) {
        let mut command = self.program(name);
        let told = command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(told.is_ok_and(|told| told.success()), "{command:?}");
    }

    /// What one of its programs for clients prints.
    pub(crate) fn run(&self, name: &str, args: &[&str], input: &str) -> String {
        let mut command = self.program(name);
        command.arg("-h").arg(&self.0.0).args(["-U", "sendoff"]).args(args);
        command.stdin(fs::File::open(self.0.write("input", input)).expect("a file"));
        let output = command.output().expect("the program runs");
        assert!(output.status.success(), "{name}: {}", output.stderr.escape_ascii());
        String::from_utf8(output.stdout).expect("text")
    }

    /// A program of PostgreSQL, which Debian does not put into the path.
    fn program(&self, name: &str) -> Command {
        let bin = Command::new("pg_config").arg("--bindir").output();
        let bin = bin.expect("PostgreSQL is needed: `cargo xtask setup`").stdout;
        let program = Path::new(String::from_utf8(bin).expect("a path").trim()).join(name);
        let mut command = Command::new(&program);
        if rustix::process::geteuid().is_root() {
            command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
        }
        command.current_dir(&self.0.0);
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // A test may have stopped it.
        let _stopped =
            self.program("pg_ctl").args(["-D", "data", "-m", "immediate", "stop"]).output();
    }
}
