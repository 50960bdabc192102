//! A PostgreSQL that tests can stop and start again.

use std::{
    fs,
    os::unix::{fs::PermissionsExt as _, net::UnixStream, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// A server on a Unix socket, so that it needs no free port.
pub(crate) struct Postgres {
    child: Child,
    folder: PathBuf,
}

impl Postgres {
    pub(crate) fn start() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("sendoff-pg-{}-{number}", std::process::id()));
        fs::create_dir(&folder).expect("the folder for temporary files can be written to");
        // PostgreSQL does not run as root.
        if let Some(user) = user() {
            std::os::unix::fs::chown(&folder, Some(user), None).expect("root may do it");
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))
            .expect("the folder is ours");
        let mut init = program("initdb", &folder);
        init.args(["-A", "trust", "-U", "sendoff", "--no-sync", "-D"]).arg(folder.join("data"));
        assert!(init.stdout(Stdio::null()).status().expect("initdb runs").success());
        Self { child: Self::spawn(&folder), folder }
    }

    fn spawn(folder: &Path) -> Child {
        let mut server = program("postgres", folder);
        server.arg("-D").arg(folder.join("data")).arg("-k").arg(folder);
        server.args(["-c", "listen_addresses=", "-c", "fsync=off"]);
        let child =
            server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("postgres runs");
        let (socket, began) = (folder.join(".s.PGSQL.5432"), Instant::now());
        let is_ready = || {
            let ready = program("pg_isready", folder).arg("-h").arg(folder).arg("-q").status();
            UnixStream::connect(&socket).is_ok() && ready.is_ok_and(|ready| ready.success())
        };
        while !is_ready() {
            assert!(began.elapsed() < Duration::from_secs(60), "postgres does not listen");
            thread::sleep(Duration::from_millis(20));
        }
        child
    }

    /// The address of a database.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&user=sendoff", self.folder.display())
    }

    pub(crate) fn stop(&mut self) {
        let sent =
            Command::new("kill").args(["-s", "QUIT"]).arg(self.child.id().to_string()).status();
        assert!(sent.expect("kill is there").success());
        self.child.wait().expect("a child process");
    }

    pub(crate) fn start_again(&mut self) {
        self.child = Self::spawn(&self.folder);
    }

    /// What one of its programs prints.
    pub(crate) fn run(&self, name: &str, args: &[&str], input: Option<&Path>) -> String {
        let mut command = program(name, &self.folder);
        command.arg("-h").arg(&self.folder).args(["-U", "sendoff"]).args(args);
        if let Some(input) = input {
            command.stdin(fs::File::open(input).expect("a file"));
        }
        let output = command.output().expect("the program runs");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.stop();
        }
        let _removed = fs::remove_dir_all(&self.folder);
    }
}

/// A program of PostgreSQL, which Debian does not put into the path.
fn program(name: &str, folder: &Path) -> Command {
    let bin = Command::new("pg_config").arg("--bindir").output();
    let bin =
        bin.expect("PostgreSQL is needed: `cargo xtask setup` installs it where it can").stdout;
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
    let id = |args: &[&str]| -> Option<u32> {
        String::from_utf8(Command::new("id").args(args).output().ok()?.stdout)
            .ok()?
            .trim()
            .parse()
            .ok()
    };
    (id(&["-u"]) == Some(0))
        .then(|| id(&["-u", "postgres"]).expect("Debian's package makes this user"))
}
