//! The log: lines of JSON on standard error, which one thread writes. Calls do not wait for it: lines that nobody reads or that
//! cannot be written are lost, and counted.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

/// The log of this process. The process has at most one. Dropping it writes the lines that wait, for about a second.
#[derive(Debug)]
pub struct Log {
    _writes: WorkerGuard,
}

/// The lines that are lost because the queue was full.
static DROPPED: OnceLock<ErrorCounter> = OnceLock::new();

/// The lines that are lost because they could not be written.
static UNWRITTEN: AtomicU64 = AtomicU64::new(0);

/// The number of lines that are lost.
pub(crate) fn lost() -> u64 {
    let dropped = DROPPED.get().map_or(0, ErrorCounter::dropped_lines);
    let unwritten = UNWRITTEN.load(Ordering::Relaxed);
    u64::try_from(dropped).unwrap_or(u64::MAX).saturating_add(unwritten)
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
        let queue = NonBlockingBuilder::default().buffered_lines_limit(LINES);
        let (writer, writes) = queue.finish(Counted(output));
        let dropped = writer.error_counter();

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

        // The process has no other log, so this is the first.
        let _counted = DROPPED.set(dropped);
        Ok(Self { _writes: writes })
    }
}

/// An output that counts the lines that it loses. The thread writes one line at once.
struct Counted(File);

impl Write for Counted {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let written = self.0.write_all(line);
        if written.is_err() {
            UNWRITTEN.fetch_add(1, Ordering::Relaxed);
        }
        written.map(|()| line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
