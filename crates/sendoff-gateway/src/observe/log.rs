//! The log: lines of JSON on standard error, which one thread writes. Calls do not wait for it: lines that nobody reads or that
//! cannot be written are lost, and counted.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

/// The log of this process. The process has at most one. Dropping it writes the lines that wait, for about a second.
#[derive(Debug)]
pub struct Log {
    lost: Lost,
    _writes: WorkerGuard,
}

/// The number of lines that are lost.
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    /// The queue was full.
    dropped: ErrorCounter,
    /// They could not be written.
    unwritten: Arc<AtomicU64>,
}

/// The maximum number of lines that wait.
const LINES: usize = 4_096;

impl Log {
    /// Starts the thread that writes, and makes this the log of the process. A panic is logged with its place in the source.
    ///
    /// # Errors
    ///
    /// A sentence if standard error is closed, or the process has another log.
    pub fn start(level: LevelFilter) -> Result<Self, String> {
        // It has its own descriptor, so a writer that blocks does not hold the lock of `std::io::stderr`.
        let output = io::stderr().as_fd().try_clone_to_owned();
        let output = File::from(output.map_err(|error| format!("standard error: {error}"))?);
        let unwritten = Arc::<AtomicU64>::default();
        let counted = Counted { output, unwritten: Arc::clone(&unwritten) };
        let (writer, writes) =
            NonBlockingBuilder::default().buffered_lines_limit(LINES).finish(counted);
        let lost = Lost { dropped: writer.error_counter(), unwritten };

        let lines = fmt::layer().json().flatten_event(true).log_internal_errors(false);
        // A notice of PostgreSQL is no problem: tables that a start makes are there already.
        let notices = LevelFilter::WARN.min(level);
        let shown =
            Targets::new().with_default(level).with_target("sqlx::postgres::notice", notices);
        let log = registry().with(lines.with_writer(writer)).with(shown);
        log.try_init().map_err(|error| error.to_string())?;
        std::panic::set_hook(Box::new(|panic| {
            // The message of a panic may contain input, so it is not logged.
            let at = panic.location().map(ToString::to_string).unwrap_or_default();
            tracing::error!(at, "a panic");
        }));

        Ok(Self { lost, _writes: writes })
    }

    pub(crate) fn lost(&self) -> Lost {
        self.lost.clone()
    }
}

impl Lost {
    pub(crate) fn lines(&self) -> u64 {
        let dropped = u64::try_from(self.dropped.dropped_lines()).unwrap_or(u64::MAX);
        dropped.saturating_add(self.unwritten.load(Ordering::Relaxed))
    }
}

/// An output that counts the lines that it loses. The thread writes one line at once.
struct Counted {
    output: File,
    unwritten: Arc<AtomicU64>,
}

impl Write for Counted {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let written = self.output.write_all(line);
        if written.is_err() {
            self.unwritten.fetch_add(1, Ordering::Relaxed);
        }
        written.map(|()| line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
