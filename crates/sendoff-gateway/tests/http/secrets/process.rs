//! What a process shows of itself.

use super::*;

/// `{:?}` of all that the crate makes public.
#[test]
fn debug_shows_no_secret() {
    let text = file("tls = { certificate = \"a.pem\", key = \"b.pem\" }");
    let (text, _) = split(&text);
    let folder = std::env::temp_dir().join(format!("sendoff-canary-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let url = format!("redis://:{PASSWORD}@127.0.0.1:1");
    let bundler = format!("http://127.0.0.1:1/{BUNDLER}");
    let in_files = variables(&url, &bundler, "info").iter().fold(text, |text, (name, value)| {
        let file = folder.join(name);
        std::fs::write(&file, value).expect("a file");
        text.replace(&format!("env = \"{name}\""), &format!("file = {file:?}"))
    });
    let config = Config::read(&in_files).unwrap_or_else(|problem| panic!("{problem:?}"));
    for shown in [format!("{config:?}"), format!("{config:#?}")] {
        assert!(shown.contains("RedisStore") && shown.contains("Bundler"), "{shown}");
        check("Config", &shown);
    }
    let problem =
        Config::read(&in_files.replacen("file = ", &format!("env = {STRANGE:?}, file = "), 1));
    check("a Problem", &format!("{problem:?}"));
    let bearer: Bearer = format!("Bearer {STRANGE}").parse().expect("a token");
    check("a Bearer", &format!("{bearer:?}"));
    let mut limiter = RateLimiter::new(Policy::PRODUCTION);
    let now = Time::from_ms(1).expect("a time");
    assert!(limiter.admit(STRANGE, now, Cost::ONE).is_admitted());
    check("a RateLimiter", &format!("{limiter:?}"));
    let key =
        Key::new(&Policy::PRODUCTION, "production", STRANGE, STRANGE.as_bytes()).expect("a key");
    check("a Key", &format!("{key:?}"));
    let shared = SharedLimiter::new(Policy::PRODUCTION, "production", STRANGE.as_bytes())
        .expect("a limiter");
    check("a SharedLimiter", &format!("{shared:?}"));
}

/// A process of its own has a log, and panics: it is this test, with a variable.
#[test]
fn a_panic_shows_no_secret() {
    const PANICS: &str = "SENDOFF_TEST_PANICS";
    if std::env::var_os(PANICS).is_some() {
        let log = Log::start("trace".parse().expect("a level")).expect("a log");
        let panicked = thread::spawn(|| panic!("{STRANGE}")).join();
        assert!(panicked.is_err());
        return drop(log);
    }
    let mut test = Command::new(std::env::current_exe().expect("this test"));
    let test = test.args(["secrets::process::a_panic_shows_no_secret", "--exact", "--nocapture"]);
    let test = test.env("RUST_BACKTRACE", "full").env(PANICS, "1");
    let output = test.output().expect("it starts");
    let said = [output.stdout, output.stderr]
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .concat();
    assert!(output.status.success() && said.contains("\"a panic\""), "{said}");
    check("the log of a panic", &said);
}

/// A command line tells nothing of its environment, nor of what stands where an option should.
#[test]
fn no_command_line_shows_a_secret() {
    for args in [
        &["--help"][..],
        &[],
        &["--key", STRANGE],
        &["--config"],
        &["--config", "/nowhere", STRANGE],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sendoff-gateway"));
        let output = command
            .args(args)
            .envs(variables(STRANGE, STRANGE, STRANGE))
            .output()
            .expect("it starts");
        let said = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .concat();
        assert!(said.contains("usage: "), "{said}");
        check("what is said of a command line", &said);
    }
}

/// A process that is aborted leaves no image of its memory, even where the machine keeps them.
#[test]
fn no_core_is_dumped() {
    let (redis, url) = store();
    let folder = std::env::temp_dir().join(format!("sendoff-gateway-core-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let at = folder.join("gateway.toml");
    let all = variables(&url, "http://127.0.0.1:1", "info");
    write(&at, &file(""), &all);
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg("ulimit -c unlimited; exec \"$0\" --config \"$1\"")
        .arg(env!("CARGO_BIN_EXE_sendoff-gateway"));
    command.arg(&at).current_dir(&folder).envs(all);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut line = String::new();
    let mut output = std::io::BufReader::new(child.stdout.take().expect("piped"));
    std::io::BufRead::read_line(&mut output, &mut line).expect("it listens");
    let limits =
        std::fs::read_to_string(format!("/proc/{}/limits", child.id())).expect("a process");
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).expect("a limit");
    let sent = Command::new("kill")
        .args(["-s", "ABRT", &child.id().to_string()])
        .status()
        .expect("kill is there");
    assert!(sent.success());
    let status = child.wait().expect("it ended");
    assert!(status.signal().is_some() && !status.core_dumped(), "{status}");
    assert_eq!(core.split_whitespace().nth(4), Some("1"), "{core}");
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 2);
    drop(redis);
}
