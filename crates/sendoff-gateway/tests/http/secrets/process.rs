//! What a process shows of itself.

use super::*;

/// `{:?}` of all that the crate makes public.
#[test]
fn debug_shows_no_secret() {
    let text = file("tls = { certificate = \"a.pem\", key = \"b.pem\" }");
    let (text, _) = split(&text);
    let folder = Folder::new("secrets");
    let bundler = format!("http://127.0.0.1:1/{BUNDLER}");
    let url = format!("redis://:{PASSWORD}@127.0.0.1:1");
    let url_of = "store.url = { env = \"STORE_URL\" }";
    for others in ["", "nodes", "sentinels"] {
        let more = format!("store.others.{others} = [{{ env = \"STORE_URL\" }}]\n{url_of}");
        let text = if others.is_empty() { text.clone() } else { text.replace(url_of, &more) };
        let variables = variables(&url, &bundler, "info");
        let in_files = variables.iter().fold(text, |text, (name, value)| {
            let file = folder.write(name, value);
            text.replace(&format!("env = \"{name}\""), &format!("file = {file:?}"))
        });
        let config = Config::read(&in_files).unwrap_or_else(|problem| panic!("{problem:?}"));
        for shown in [format!("{config:?}"), format!("{config:#?}")] {
            assert!(shown.contains("RedisStore") && shown.contains("Bundler"), "{shown}");
            check("Config", &shown);
        }
        let wrong = format!("env = {STRANGE:?}, file = ");
        check(
            "a Problem",
            &format!("{:?}", Config::read(&in_files.replacen("file = ", &wrong, 1))),
        );
    }
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
    let (succeeded, said) = said(test);
    assert!(succeeded && said.contains("\"a panic\""), "{said}");
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
        let (_, said) = said(command.args(args).envs(variables(STRANGE, STRANGE, STRANGE)));
        assert!(said.contains("usage: "), "{said}");
        check("what is said of a command line", &said);
    }
}

/// A process that is aborted leaves no image of its memory, even where the machine keeps them.
#[test]
fn no_core_is_dumped() {
    let (_redis, url) = store();
    let folder = Folder::new("core");
    let shell = &*format!("ulimit -c unlimited; cd {}; ", folder.0.display());
    let variables = &variables(&url, "http://127.0.0.1:1", "info");
    let launch = Launch { variables, shell, ..Launch::default() };
    let mut gateway = Gateway::launch(&file(""), launch);
    let limit = gateway.process.proc("limits", "Max core file size");
    assert_eq!(limit.split_whitespace().next(), Some("1"), "{limit}");
    gateway.process.signal("ABRT");
    let status = gateway.process.ended();
    assert!(status.signal().is_some() && !status.core_dumped(), "{status}");
    assert_eq!(fs::read_dir(&folder.0).expect("a folder").count(), 0);
}
