//! Values that no caller could use, or that would have no effect, and secrets in files.

use sendoff_gateway::config::{Config, Digest};

use super::{EXAMPLE, problems, problems_with, set};

/// What no header can carry, or what two headers can carry together.
#[test]
fn credentials_that_no_request_can_have_are_refused() {
    let token = ("SHOP_USER_TOKEN", "environment.production.application.0.user.0.token.env");
    let key = ("SHOP_KEY", "environment.production.application.0.keys.0.env");
    for ((variable, path), value) in [
        (token, "two words"),
        (token, "a,b"),
        (token, "a=b"),
        (token, "\u{e4}"),
        (key, "a,b"),
        (key, "a, b"),
        (key, "\u{e4}"),
    ] {
        let found = problems_with(EXAMPLE, &|name| {
            Some(if name == variable { value.into() } else { name.into() })
        });
        let [problem] = found.as_slice() else { panic!("one problem of {value}: {found:?}") };
        assert!(problem.contains(&format!(": {path}: expected a secret of ")), "{problem}");
        assert!(!problem.contains(value), "{problem}");
    }
}

/// `printf '%s' "$UNSET" | sha256sum` prints the digest of nothing, and a header without a value would have it.
#[test]
fn the_digest_of_nothing_is_refused() {
    let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    for (credential, path) in [
        ("keys = [{ env = \"SHOP_KEY\" }]", "keys.0.sha256"),
        ("server_keys = [{ env = \"SHOP_SERVER_KEY\" }]", "server_keys.0.sha256"),
        ("token = { env = \"SHOP_USER_TOKEN\" }", "user.0.token.sha256"),
    ] {
        for nothing in [nothing.to_owned(), nothing.to_uppercase()] {
            let (key, value) = credential.split_once("{ ").expect("a table");
            let (_, rest) = value.split_once(" }").expect("its end");
            let file = EXAMPLE.replacen(
                credential,
                &format!("{key}{{ sha256 = \"{nothing}\" }}{rest}"),
                1,
            );
            let found = problems(&file);
            let [problem] = found.as_slice() else { panic!("one problem: {found:?}") };
            let end = format!(
                "application.0.{path}: expected the digest of a secret, found that of an empty text"
            );
            assert!(problem.ends_with(&end), "{problem}");
        }
    }
}

/// A secret can be a file's content. One line break at its end is not a part of it.
#[test]
fn secrets_can_be_files() {
    let file = std::env::temp_dir().join(format!("sendoff-gateway-secret-{}", std::process::id()));
    let example = EXAMPLE.replacen("{ env = \"SHOP_KEY\" }", &format!("{{ file = {file:?} }}"), 1);
    for (content, end) in [
        ("secret", None),
        ("secret\n", None),
        ("secret\r\n", None),
        ("secret\n\n", Some("found white space before or after it")),
        ("", Some("found none")),
        ("\n", Some("found none")),
    ] {
        std::fs::write(&file, content).expect("a file");
        match (Config::read(&example, &set), end) {
            (Ok(config), None) => {
                assert_eq!(
                    config.environments[0].applications[0].keys[0].digest,
                    Digest::of("secret"),
                    "{content:?}"
                );
            }
            (Err(problems), Some(end)) => {
                let path = "environment.production.application.0.keys.0.file: ";
                assert!(
                    problems.len() == 1 && problems[0].to_string().contains(path),
                    "{problems:?}"
                );
                assert!(problems[0].message.ends_with(end), "{problems:?}");
            }
            (found, _) => panic!("{content:?}: {found:?}"),
        }
    }
    std::fs::remove_file(&file).expect("the file");
    assert!(
        problems(&example)[0]
            .ends_with("found none that can be read: No such file or directory (os error 2)")
    );
}

/// Keys that would have no effect, or the wrong one.
#[test]
fn what_cannot_work_is_refused() {
    let redis = "store = \"redis://127.0.0.1\"\nstore_secret = { env = \"S\" }\non_store_loss = \"local\"\nlease = ";
    let policy = "policy = \"production\"";
    let listen = "listen = \"127.0.0.1:8080\"";
    for (right, wrong, expected) in [
        (
            "store = \"memory\"",
            format!("{redis}1501"),
            "lease: expected an integer from 1 to 1500, found 1501",
        ),
        (
            policy,
            format!("{policy}\nupstream_ms = 1"),
            "upstream_ms: expected an `upstream` beside it, found none",
        ),
        (
            policy,
            format!("{policy}\nforwarded = \"keep\""),
            "forwarded: expected an `upstream` beside it, found none",
        ),
        (
            "name = \"shop\"",
            "name = \"shop\"\norigins = \"*\"".into(),
            "expected `cors` beside an application with `origins`, found none",
        ),
        (
            listen,
            format!("{listen}\nupstream = \"http://127.0.0.1:8080\""),
            "found that of this environment",
        ),
        (
            listen,
            format!("{listen}\nupstream = \"http://localhost:8080/wallet\""),
            "found that of this environment",
        ),
        (
            listen,
            "listen = \"[::]:80\"\nupstream = \"http://[::1]\"".into(),
            "found that of this environment",
        ),
        (
            listen,
            "listen = \"0.0.0.0:443\"\nupstream = \"https://127.0.0.2\"".into(),
            "found that of this environment",
        ),
    ] {
        let found = problems(&EXAMPLE.replacen(right, &wrong, 1));
        let [problem] = found.as_slice() else { panic!("one problem of `{wrong}`: {found:?}") };
        assert!(problem.ends_with(expected), "{problem}");
    }
    for (right, other) in [
        ("store = \"memory\"", format!("{redis}1500")),
        (listen, format!("{listen}\nupstream = \"http://127.0.0.1:8081\"")),
        (listen, format!("{listen}\nupstream = \"http://127.0.0.2:8080\"")),
        (listen, format!("{listen}\nupstream = \"https://wallet.example:8080\"")),
    ] {
        let file = EXAMPLE.replacen(right, &other, 1);
        Config::read(&file, &set).unwrap_or_else(|problems| panic!("`{other}`: {problems:?}"));
    }
}
