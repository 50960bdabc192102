//! Reloads: the file is read again on SIGHUP, and when it or a file that it names has changed. A
//! configuration with a problem changes nothing.

use std::{convert::Infallible, future::pending, path::PathBuf, sync::Arc, time::Instant};

use sha2::{Digest as _, Sha256};
use tokio::{signal::unix::Signal, task::spawn_blocking, time::sleep};

use crate::{
    manager,
    process::Process,
    source::Source,
    state::{Live, State},
};

/// The maximum number of problems of a reload in the log.
const LOGGED: usize = 100;

/// Replaces the configuration in service.
pub(crate) struct Reloads {
    pub(crate) source: Source,
    pub(crate) process: Arc<Process>,
    pub(crate) live: Arc<Live>,
}

impl Reloads {
    /// Reloads on each SIGHUP and after each change. `loaded` is the fingerprint of the files when they were read first.
    pub(crate) async fn run(self, loaded: Fingerprint, mut hangup: Signal) -> Infallible {
        let mut watch = Watch { loaded, seen: None };
        loop {
            let cause = tokio::select! {
                Some(()) = hangup.recv() => "SIGHUP",
                () = self.changed(&mut watch) => "file",
            };
            watch.loaded = self.fingerprint().await;
            self.reload(cause).await;
        }
    }

    async fn reload(&self, cause: &'static str) {
        let began = Instant::now();
        manager::reloading();
        let _replacing = self.process.replacing.lock().await;
        let (source, process) = (self.source.clone(), Arc::clone(&self.process));
        let prepared = spawn_blocking(move || process.prepare(source.read()?)).await;
        let prepared = prepared
            .unwrap_or_else(|_| Err(vec!["the file could not be read to its end".to_owned()]));

        self.process.metrics.reloaded(prepared.is_ok());
        match prepared {
            Ok(state) => {
                let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
                self.replace(state);
                tracing::info!(cause, micros, "reloaded: the new configuration is in service");
            }
            Err(problems) => {
                for problem in problems.iter().take(LOGGED) {
                    tracing::error!(problem, "a problem of the new configuration");
                }
                tracing::error!(
                    cause,
                    problems = problems.len(),
                    "not reloaded: the old configuration stays in service"
                );
            }
        }
        manager::ready();
    }

    fn replace(&self, state: State) {
        self.process.adopt(&state);
        self.live.store(Arc::new(state));
    }

    /// Waits until the files have changed and do not change any more.
    async fn changed(&self, watch: &mut Watch) {
        loop {
            let interval = self.live.load().watch;
            if interval.is_zero() {
                return pending().await;
            }
            sleep(interval).await;

            let now = self.fingerprint().await;
            let before = watch.seen.replace(now);
            if now != watch.loaded && before == Some(now) {
                return;
            }
        }
    }

    /// The digest of the files' contents.
    async fn fingerprint(&self) -> Fingerprint {
        let (source, files) = (self.source.clone(), self.live.load().files.clone());
        spawn_blocking(move || fingerprint(&source, &files)).await.unwrap_or_default()
    }
}

/// The digest of the contents of files.
pub(crate) type Fingerprint = [u8; 32];

/// The contents of the files at the last reload and at the last check.
struct Watch {
    loaded: Fingerprint,
    seen: Option<Fingerprint>,
}

/// The digest of the contents of a configuration's file, and of the files that it names.
pub(crate) fn fingerprint(source: &Source, files: &[PathBuf]) -> Fingerprint {
    let mut digest = Sha256::new();
    for file in files.iter().map(PathBuf::as_path).chain([source.file()]) {
        // A file that cannot be read differs from an empty one.
        let content = std::fs::read(file).map(Sha256::digest);
        digest.update([u8::from(content.is_ok())]);
        digest.update(content.unwrap_or_default());
    }
    digest.finalize().into()
}
