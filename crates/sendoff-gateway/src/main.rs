//! `sendoff-gateway --config gateway.toml`

use std::{env, fs, process::ExitCode};

use sendoff_gateway::{config::Config, serve};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::filter::LevelFilter;

const USAGE: &str = "\
usage: sendoff-gateway --config FILE

Serves the environments of FILE, and prints `NAME ADDRESS` for each once it listens. Logs are lines of JSON on standard
error; SENDOFF_LOG is off, error, warn, info (the default) or debug. SIGTERM and SIGINT stop it: requests that came in are
answered first.";

fn main() -> ExitCode {
    let args: Vec<_> = env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--config", file] => start(file),
        ["--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => Err(USAGE.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn start(file: &str) -> Result<(), String> {
    log()?;
    let text = fs::read_to_string(file).map_err(|error| format!("{file} cannot be read: {error}"))?;
    let config = Config::read(&text, &|name| env::var(name).ok()).map_err(|problems| {
        let lines: String = problems.iter().map(|problem| format!("\n  {problem}")).collect();
        format!("{file} is refused:{lines}")
    })?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| format!("no runtime: {error}"))?.block_on(async {
        let mut terminate = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(|error| error.to_string())?;
        serve(config, async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
        .await
    })
}

fn log() -> Result<(), String> {
    let level = match env::var("SENDOFF_LOG") {
        Ok(level) => level.parse().map_err(|_| format!("expected a level in SENDOFF_LOG, found `{level}`"))?,
        Err(_) => LevelFilter::INFO,
    };
    tracing_subscriber::fmt().json().with_max_level(level).with_writer(std::io::stderr).init();
    Ok(())
}
