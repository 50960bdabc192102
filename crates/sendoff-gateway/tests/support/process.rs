//! Programs that end with the test, and waiting for what they do.

use std::{
    fs,
    process::{Child, Command, ExitStatus},
    thread,
    time::{Duration, Instant},
};

/// The limit on waits. Every expected event happens much earlier.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A program. Dropping it ends it with SIGKILL, which ends a frozen one too.
pub(crate) struct Process(pub(crate) Child);

impl Process {
    pub(crate) fn start(command: &mut Command) -> Self {
        let started = command.spawn();
        Self(started.unwrap_or_else(|why| panic!("{why}: {command:?}: `cargo xtask setup`")))
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.id().to_string()]).status();
        assert!(sent.expect("kill is there").success());
    }

    /// Waits until it has ended.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let mut status = None;
        wait("a program ends", || {
            status = self.0.try_wait().expect("a child process");
            status.is_some()
        });
        status.expect("it has ended")
    }

    pub(crate) fn kill(&mut self) {
        self.0.kill().and_then(|()| self.0.wait()).expect("a child process");
    }

    /// A line of `/proc/ID/FILE` that begins like this.
    pub(crate) fn proc(&self, file: &str, begin: &str) -> String {
        let text = fs::read_to_string(format!("/proc/{}/{file}", self.id()));
        let text = text.expect("a process that runs");
        let line = text.lines().find_map(|line| line.strip_prefix(begin));
        line.expect("Linux has it").trim().to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _status = self.0.wait();
    }
}

/// `true` for status 0, and all that a program says.
pub(crate) fn said(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap_or_else(|why| panic!("{why}: {command:?}"));
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// Waits until something is so.
pub(crate) fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// As [`wait`].
pub(crate) async fn until(what: &str, is_so: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !is_so().await {
        assert!(began.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
