//! `sendoff-gateway --config gateway.toml`

use std::env;
use std::io::{self, Write as _};
use std::path::{self, Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sendoff_gateway::config::{Config, read_file};
use sendoff_gateway::{Applications, Log, serve, serve_sandbox};
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio_stream::wrappers::SignalStream;
use tokio_stream::{StreamExt as _, StreamMap};
use tracing_subscriber::filter::LevelFilter;

const USAGE: &str = "\
usage: sendoff-gateway [--check] --config FILE
       sendoff-gateway import --config FILE APPLICATIONS
       sendoff-gateway export --config FILE
       sendoff-gateway describe
       sendoff-gateway --sandbox ADDRESS [--options OPTIONS] [--state STATE]
       sendoff-gateway --version

With --check, prints the problems of FILE and of the certificates, folders and variables that it names, and exits. Otherwise serves
the environments of FILE, and prints `NAME ADDRESS` for each when it listens. Logs are lines of JSON on standard
error; SENDOFF_LOG is off, error, warn, info (the default) or debug. SIGTERM, SIGINT and SIGQUIT stop it after the running
requests are answered. FILE is read once.

`import` puts the applications of the file APPLICATIONS into the database of FILE, all or none: the file that `export` prints, in which
keys and tokens are digests. `describe` prints the admin API as a document of OpenAPI.

With --sandbox, serves the pocket service on ADDRESS, for tests: all operations without a backend, and lies on demand. It prints
`sandbox ADDRESS` when it listens. OPTIONS is a file of JSON, as `new Sandbox(…)` takes it in JavaScript: deployment, switches, delays,
limits, lies and more (docs/sandbox.md). Its state is in memory, or in the file STATE, which one process owns. A state goes on if
OPTIONS are those that it was made with.";

/// How long writing the last lines of log may take.
const FLUSH: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let args: Vec<_> = env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--config", file] => start(file),
        ["--check", "--config", file] | ["--config", file, "--check"] => check(file),
        ["import", "--config", file, applications] => import(file, applications),
        ["export", "--config", file] => export(file),
        ["describe"] => print(&format!("{:#}", sendoff_gateway::describe())),
        ["--sandbox", address, flags @ ..] => sandbox(address, flags),
        ["--version" | "-V"] => print(&format!("sendoff-gateway {}", env!("CARGO_PKG_VERSION"))),
        ["--help" | "-h"] => print(USAGE),
        _ => Err(USAGE.into()),
    };

    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            drop(writeln!(io::stderr(), "{why}"));
            ExitCode::FAILURE
        }
    }
}

fn print(text: &str) -> Result<(), String> {
    writeln!(io::stdout(), "{text}").map_err(|error| format!("standard output: {error}"))
}

fn check(file: &str) -> Result<(), String> {
    let checked = runtime()?.block_on(sendoff_gateway::check(&read(file)?));
    let warnings = checked.map_err(|why| format!("{file} has a problem: {why}"))?;
    let warnings: String =
        warnings.iter().map(|warning| format!("\n  warning: {warning}")).collect();
    print(&format!("{file} is valid{warnings}"))
}

fn start(file: &str) -> Result<(), String> {
    keep_memory()?;
    let level = match env::var("SENDOFF_LOG") {
        Ok(level) => level.parse().map_err(|_| {
            let found = level.chars().count();
            format!("expected off, error, warn, info or debug in SENDOFF_LOG, found text of length {found}")
        })?,
        Err(_) => LevelFilter::INFO,
    };

    let config = read(file)?;
    let _log = Log::start(level)?;
    until_stopped(async { serve(config, file, stop_signal()?).await })
}

/// Serves to the end. Running requests are dropped before the log is, because each writes a line.
fn until_stopped(serving: impl Future<Output = Result<(), String>>) -> Result<(), String> {
    let runtime = runtime()?;
    let ended = runtime.block_on(serving);
    runtime.shutdown_timeout(FLUSH);
    ended
}

/// Puts the applications of a file into the database of a configuration.
fn import(file: &str, applications: &str) -> Result<(), String> {
    let from = absolute(applications)?;
    let config = read(file)?;
    let from = read_file(&from, Applications::read)?;
    let count = runtime()?.block_on(sendoff_gateway::import(&config, from))?;
    print(&format!("{count} applications of {applications} are in the database of {file}"))
}

/// Prints the applications of a configuration's database.
fn export(file: &str) -> Result<(), String> {
    let text = runtime()?.block_on(sendoff_gateway::export(&read(file)?))?;
    print(text.trim())
}

/// Reads a configuration. From then on relative paths are those in it, and relative to its folder.
fn read(file: &str) -> Result<Config, String> {
    let path = absolute(file)?;
    if let Some(folder) = path.parent() {
        // A folder that is not there is a file that is not there.
        let _ = env::set_current_dir(folder);
    }
    read_file(&path, Config::read)
}

fn absolute(file: &str) -> Result<PathBuf, String> {
    path::absolute(file).map_err(|error| format!("{file}: {error}"))
}

fn runtime() -> Result<Runtime, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| format!("no runtime: {error}"))
}

/// Serves the pocket service until a signal stops it.
fn sandbox(address: &str, flags: &[&str]) -> Result<(), String> {
    let (mut options, mut state) = (None, None);
    for flag in flags.chunks(2) {
        match flag {
            ["--options", file] if options.is_none() => options = Some(Path::new(file)),
            ["--state", file] if state.is_none() => state = Some(Path::new(file)),
            _ => return Err(USAGE.into()),
        }
    }

    until_stopped(async { serve_sandbox(address, options, state, stop_signal()?).await })
}

/// Has the system write no image of this process, whose memory holds secrets. With a limit of 0 it would still pipe one to a
/// program; with 1 it does neither (core(5)).
fn keep_memory() -> Result<(), String> {
    let maximum = getrlimit(Resource::Core).maximum;
    let limit = Rlimit { current: Some(maximum.unwrap_or(1).min(1)), maximum };
    setrlimit(Resource::Core, limit)
        .map_err(|error| format!("core dumps cannot be turned off: {error}"))
}

/// Ends with SIGTERM, SIGINT or SIGQUIT. SIGHUP, SIGUSR1 and SIGUSR2, which would kill the process, have no effect.
fn stop_signal() -> Result<impl Future<Output = ()>, String> {
    let mut signals = StreamMap::new();
    for (kind, name) in [
        (SignalKind::terminate(), None),
        (SignalKind::interrupt(), None),
        (SignalKind::quit(), None),
        (SignalKind::hangup(), Some("SIGHUP")),
        (SignalKind::user_defined1(), Some("SIGUSR1")),
        (SignalKind::user_defined2(), Some("SIGUSR2")),
    ] {
        let received = signal(kind);
        let received = received.map_err(|error| format!("a signal cannot be received: {error}"))?;
        signals.insert(kind, SignalStream::new(received).map(move |()| name));
    }

    Ok(async move {
        while let Some((_, Some(signal))) = signals.next().await {
            tracing::info!(signal, "this signal has no effect");
        }
    })
}
