//! The binary and its configuration file.

use super::*;

#[test]
fn the_binary_does_not_start_with_an_invalid_file() {
    let file = sandbox("1", "more = 1", "upstream = \"nowhere\"")
        .replace("{ sha256", "{ env = \"MISSING\", sha256");
    let Err(said) = Gateway::try_start(&file, &[]) else {
        panic!("it starts with an invalid file")
    };
    let lines: Vec<_> = said.lines().collect();
    assert!(lines[0].ends_with(".toml has problems:"), "{said}");
    for problem in [
        "more: unknown key",
        "policy: expected",
        "upstream: expected",
        "keys.0: expected",
        "token: expected",
    ] {
        assert!(lines[1..].iter().any(|line| line.contains(problem)), "{problem}: {said}");
    }
}

/// The file is valid, but an address, a certificate or a folder cannot be used.
#[test]
fn the_binary_does_not_start_without_its_resources() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let file = sandbox(r#""none""#, "", "").replacen(
        "listen = \"127.0.0.1:0\"",
        &format!("listen = \"{address}\""),
        1,
    );
    let tls = sandbox(
        r#""none""#,
        "",
        "tls = { certificate = \"/nowhere.pem\", key = \"/nowhere.key\" }",
    );
    let absent = sandbox(r#""none""#, "", "playground = \"/nowhere/dist\"");
    let page = std::env::temp_dir().join(format!("sendoff-gateway-page-{}", std::process::id()));
    std::fs::write(&page, "").expect("a file");
    let page = sandbox(r#""none""#, "", &format!("playground = {page:?}"));
    for (file, why) in [
        (file, format!("cannot listen on {address}")),
        (tls, "environment.sandbox.tls.certificate: /nowhere.pem: ".into()),
        (absent, "the playground /nowhere/dist: No such file or directory".into()),
        (page, "expected a folder, found a file".into()),
    ] {
        let Err(said) = Gateway::try_start(&file, &[]) else { panic!("it starts") };
        assert!(said.contains(&why), "{said}");
    }
}

/// Wherever the process was started.
#[test]
fn paths_in_a_file_are_relative_to_it() {
    let folder = std::env::temp_dir().join(format!("sendoff-gateway-paths-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("etc/pages")).expect("a folder");
    let file = sandbox(r#""none""#, "", "playground = \"pages\"");
    std::fs::write(folder.join("etc/gateway.toml"), file).expect("a file");

    for (place, name) in [("", "etc/gateway.toml"), ("etc", "gateway.toml"), ("etc/pages", "../gateway.toml")] {
        let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_sendoff-gateway"));
        check.args(["--check", "--config", name]).current_dir(folder.join(place));
        let output = check.output().expect("the binary starts");
        let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        assert_eq!(said, format!("{name} is valid\n"), "{place}");
    }
    std::fs::remove_dir_all(folder).expect("no folder");
}

/// `--check` reads the file and what it names, and does not listen. `--version` says which binary this is.
#[test]
fn the_binary_checks_a_file_without_serving_it() {
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sendoff-gateway"));
        let output = command.args(arguments).output().expect("the binary starts");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (output.status.success(), text(output.stdout), text(output.stderr))
    };
    let version = format!("sendoff-gateway {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&["--version"]), (true, version, String::new()));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let listen = |file: String| {
        file.replacen("listen = \"127.0.0.1:0\"", &format!("listen = \"{address}\""), 1)
    };
    let path =
        std::env::temp_dir().join(format!("sendoff-gateway-check-{}.toml", std::process::id()));
    let path = path.to_str().expect("text");
    let absent = "tls = { certificate = \"/nowhere.pem\", key = \"/nowhere.key\" }\nplayground = \"/nowhere/dist\"";
    for (file, problems) in [
        // Another process may serve the file's address.
        (listen(sandbox(r#""none""#, "", "")), vec![]),
        (listen(sandbox(r#""none""#, "more = 1", "")), vec!["more: "]),
        (
            listen(sandbox(r#""none""#, "", absent)),
            vec!["environment.sandbox.tls.certificate: ", "the playground "],
        ),
    ] {
        std::fs::write(path, file).expect("a file");
        for arguments in [["--check", "--config", path], ["--config", path, "--check"]] {
            let (succeeded, output, errors) = run(&arguments);
            assert_eq!(succeeded, problems.is_empty(), "{output}{errors}");
            assert_eq!(
                output,
                if succeeded { format!("{path} is valid\n") } else { String::new() }
            );
            assert!(problems.iter().all(|problem| errors.contains(problem)), "{errors}");
        }
    }
}
