//! The log. Calls do not wait until its lines are written.
//!
//! A line goes into a queue of bounded size, and one thread writes the queue to standard error. A
//! full disk, a closed pipe or a pipe that nobody reads can lose lines; it cannot delay or end a
//! call. Lost lines are counted.

use std::{
    fs::File,
    io::{self, ErrorKind, Write},
    os::fd::AsFd as _,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use prometheus_client::metrics::counter::Counter;
use tracing_subscriber::{filter::LevelFilter, fmt::MakeWriter};

/// The log of this process: JSON lines on standard error; a process has at most one log.
#[derive(Clone, Debug)]
pub struct Log(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    lost: Counter,
}

#[derive(Debug, Default)]
struct Queue {
    /// Whole lines that are not written yet.
    lines: Vec<u8>,
    /// The thread is writing lines that it took.
    is_writing: bool,
}

/// The maximum size of the queue in bytes, about four thousand lines.
const QUEUE_BYTES: usize = 1 << 20;

/// The interval at which a standard error that would block is tried again.
const RETRY: Duration = Duration::from_millis(10);

/// The least time between two lines about lost lines.
const REPORT: Duration = Duration::from_secs(1);

impl Log {
    /// Starts the thread that writes, and makes this the log of the process. A panic is logged with its place in the source.
    ///
    /// # Errors
    ///
    /// A sentence if standard error is closed, no thread can be started, or the process has another log.
    pub fn start(level: LevelFilter) -> Result<Self, String> {
        // It has its own descriptor, so a writer that blocks does not hold the lock of
        // `std::io::stderr`.
        let output = io::stderr()
            .as_fd()
            .try_clone_to_owned()
            .map_err(|error| format!("standard error: {error}"))?;
        let log = Self(Arc::new(Shared {
            queue: Mutex::default(),
            changed: Condvar::new(),
            lost: Counter::default(),
        }));
        let writer = log.clone();
        let thread =
            thread::Builder::new().name("log".into()).spawn(move || writer.run(File::from(output)));

        thread.map_err(|error| format!("the log cannot start a thread: {error}"))?;
        let subscriber = tracing_subscriber::fmt()
            .json()
            .flatten_event(true)
            .with_max_level(level)
            .log_internal_errors(false);

        subscriber.with_writer(log.clone()).try_init().map_err(|error| error.to_string())?;
        std::panic::set_hook(Box::new(|panic| {
            // The message of a panic may contain input, so it is not logged.
            let at = panic.location().map(ToString::to_string).unwrap_or_default();
            tracing::error!(at, "a panic");
        }));

        Ok(log)
    }

    /// The number of lines that were not written.
    pub(crate) fn lost(&self) -> Counter {
        self.0.lost.clone()
    }

    /// Waits until all lines are written, at most this long.
    pub fn flush(&self, within: Duration) {
        let queue = self.queue();
        let is_busy = |queue: &mut Queue| queue.is_writing || !queue.lines.is_empty();
        drop(self.0.changed.wait_timeout_while(queue, within, is_busy));
    }

    fn run(&self, mut output: File) {
        let (mut is_cut, mut reported, mut reported_at) = (false, 0, Instant::now());
        loop {
            let lines = self.take();
            let lost = write(&mut output, &lines, &mut is_cut);
            self.0.lost.inc_by(lost);
            let lost_in_all = self.0.lost.get();
            if lost == 0 && lost_in_all > reported && reported_at.elapsed() >= REPORT {
                (reported, reported_at) = (lost_in_all, Instant::now());
                tracing::warn!(lost_in_all, "lines of log were lost");
            }
        }
    }

    /// Waits for lines, and takes all of them from the queue.
    fn take(&self) -> Vec<u8> {
        let mut queue = self.queue();
        queue.is_writing = false;
        self.0.changed.notify_all();
        let waited = self.0.changed.wait_while(queue, |queue| queue.lines.is_empty());
        let mut queue = waited.unwrap_or_else(PoisonError::into_inner);
        queue.is_writing = true;
        std::mem::take(&mut queue.lines)
    }

    fn push(&self, line: &[u8]) {
        let mut queue = self.queue();
        if queue.lines.len().saturating_add(line.len()) > QUEUE_BYTES {
            drop(queue);
            self.0.lost.inc();
            return;
        }
        queue.lines.extend_from_slice(line);
        drop(queue);
        self.0.changed.notify_all();
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Every method leaves whole lines, even if it panics.
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes lines, and returns how many of them were lost. `is_cut` is `true` while the output ends with a part of a line.
fn write(output: &mut impl Write, lines: &[u8], is_cut: &mut bool) -> u64 {
    // A part of a lost line must not be joined with the next line.
    if *is_cut && put(output, b"\n") == 0 {
        return count(lines);
    }
    let length = put(output, lines);
    let (written, rest) = lines.split_at_checked(length).unwrap_or((lines, &[]));
    *is_cut = !rest.is_empty() && !written.is_empty() && !written.ends_with(b"\n");
    count(rest)
}

/// Writes bytes until an error, and returns how many were written.
fn put(output: &mut impl Write, bytes: &[u8]) -> usize {
    let mut length = 0_usize;
    while let Some(rest) = bytes.get(length..).filter(|rest| !rest.is_empty()) {
        match output.write(rest) {
            Ok(written @ 1..) => length = length.saturating_add(written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY),
            Ok(0) | Err(_) => break,
        }
    }
    length
}

fn count(lines: &[u8]) -> u64 {
    lines.iter().filter(|byte| **byte == b'\n').count().try_into().unwrap_or(u64::MAX)
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line(self.clone())
    }
}

/// The writer of one line, which `tracing-subscriber` writes at once.
#[derive(Debug)]
pub struct Line(Log);

impl Write for Line {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An output with room for this number of bytes.
    struct Disk {
        room: usize,
        written: Vec<u8>,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let length = bytes.len().min(self.room).min(3);
            self.room = self.room.saturating_sub(length);
            self.written.extend_from_slice(&bytes[..length]);
            if length == 0 { Err(ErrorKind::StorageFull.into()) } else { Ok(length) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_loses_whole_lines_and_counts_them() {
        for (room, lost, written) in [
            (0, 3, "four\n"),
            (3, 3, "one\nfour\n"),
            (4, 2, "one\nfour\n"),
            (6, 2, "one\ntw\nfour\n"),
        ] {
            let mut disk = Disk { room, written: Vec::new() };
            let mut is_cut = false;
            assert_eq!(write(&mut disk, b"one\ntwo\nthree\n", &mut is_cut), lost, "{room}");
            disk.room = 0;
            assert_eq!(write(&mut disk, b"lost\n", &mut is_cut), 1, "{room}");
            disk.room = usize::MAX;
            assert_eq!(write(&mut disk, b"four\n", &mut is_cut), 0, "{room}");
            assert_eq!(String::from_utf8(disk.written).unwrap(), written, "{room}");
        }
    }
}
