//! Request targets, methods and framing, as bytes on the wire.

use crate::support::{
    Gateway,
    backend::{Backend, OK},
    config,
    wire::{self, exchange, header, statuses},
};

/// The reply to a request line, from a known caller.
fn ask(gateway: &Gateway, line: &str) -> String {
    let (method, target) = line.split_once(' ').expect("a method");
    exchange(gateway.socket(), wire::request(method, target, "connection: close"))
}

#[test]
fn http_1_0_and_pipelines_are_served() {
    let gateway = Gateway::start(&config(r#""none""#, "", ""));
    let networks = "/api/v1/supported/networks";
    let get = wire::get(networks, "a: b").replace("HTTP/1.1\r\nhost: a", "HTTP/1.0");
    let reply = exchange(gateway.socket(), get);
    assert!(reply.starts_with("HTTP/1.0 200 OK\r\n"), "{reply}");

    let kept = wire::get(networks, "a: b");
    let other = "GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n";
    let last = "GET /api/v1/orders HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    assert_eq!(
        statuses(&exchange(gateway.socket(), format!("{kept}{other}{kept}{last}"))),
        [200, 404, 200, 401]
    );
}

/// A request with two lengths is refused or read by one of them, and the backend gets only that one.
#[test]
fn requests_with_two_lengths_are_not_smuggled() {
    let backend = Backend::replying(OK);
    let gateway = Gateway::in_front_of(&backend.url, "");
    let post = |fields: &str, body: &str| {
        let head = wire::post("/api/v1/nft/transfer", &format!("connection: close\r\n{fields}"));
        exchange(gateway.socket(), head + body)
    };
    let smuggled = format!("0\r\n\r\n{}", wire::get("/api/v1/supported/networks", "a: b"));
    for fields in [
        "content-length: 4\r\ntransfer-encoding: chunked",
        "transfer-encoding: chunked\r\ncontent-length: 200",
    ] {
        assert_eq!(statuses(&post(fields, &smuggled)), [200], "{fields}");
        let received = backend.received();
        assert_eq!(received.header("content-length"), None, "{fields}: {}", received.head);
        assert_eq!(received.body, b"", "{fields}");
    }
    for fields in [
        "content-length: 4\r\ncontent-length: 5",
        "content-length: +4",
        "content-length: 4, 5",
        "transfer-encoding: chunked, identity",
        "transfer-encoding: xchunked",
        "transfer-encoding: chunked\r\ntransfer-encoding: identity",
        "content-length: 4\r\n folded: a",
    ] {
        assert_eq!(statuses(&post(fields, "abcd")), [400], "{fields}");
    }
    assert!(!backend.was_called());
}

/// hyper answers invalid HTTP itself, without an envelope. It cuts off a fragment.
#[test]
fn invalid_http_has_a_reply_without_a_body() {
    let gateway = Gateway::start(&config(r#""none""#, "bounds.head_bytes = 131_072", ""));
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(70_000));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(200));
    for (bytes, status) in [
        ("GARBAGE\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\na b: c\r\n\r\n", 400),
        ("GET /a b HTTP/1.1\r\n\r\n", 400),
        (&long, 414),
        (&many, 431),
    ] {
        let reply = exchange(gateway.socket(), bytes);
        assert_eq!(statuses(&reply), [status], "{reply}");
        assert!(reply.ends_with("\r\n\r\n"), "{reply}");
    }
    assert_eq!(statuses(&ask(&gateway, "GET /api/v1/supported/networks#a")), [200]);
    let mut stream = wire::connect(gateway.socket());
    assert_eq!(
        wire::rest({
            stream.shutdown(std::net::Shutdown::Write).expect("open");
            &mut stream
        }),
        ""
    );
}

/// The playground serves plain files of its folder, and nothing outside of it.
#[test]
fn the_playground_serves_its_folder_only() {
    let place =
        std::env::temp_dir().join(format!("sendoff-gateway-playground-{}", std::process::id()));
    let (folder, outside) = (place.join("dist"), place.join("outside"));
    for folder in [&folder.join("assets"), &folder.join(".git"), &outside] {
        std::fs::create_dir_all(folder).expect("a folder");
    }
    let write = |file: std::path::PathBuf, text: &str| std::fs::write(file, text).expect("a file");
    write(folder.join("index.html"), "<title>playground</title>");
    write(folder.join("assets/app-1_a.js"), "app");
    write(folder.join("assets/index.html"), "assets");
    for hidden in [".env", ".git/config", "assets/.hidden", "a b.txt"] {
        write(folder.join(hidden), "secret");
    }
    write(outside.join("secret.txt"), "secret");
    for (to, link) in [
        (outside.join("secret.txt"), "link.txt"),
        (outside.clone(), "linked"),
        (folder.join(".env"), "env.txt"),
        (folder.join("assets/app-1_a.js"), "inside.js"),
    ] {
        let link = folder.join(link);
        if link.symlink_metadata().is_err() {
            std::os::unix::fs::symlink(to, link).expect("a link");
        }
    }
    let gateway = Gateway::start(&config(r#""none""#, "", &format!("playground = {folder:?}")));
    for (path, status) in [("/playground", 308), ("/playground/assets", 307)] {
        let (moved, to) = (ask(&gateway, &format!("GET {path}")), format!("{path}/"));
        assert_eq!((statuses(&moved), header(&moved, "location")), (vec![status], Some(&*to)));
    }
    for (path, text) in [
        ("/playground/", "<title>playground</title>"),
        ("/playground/index.html", "<title>playground</title>"),
        ("/playground/assets/", "assets"),
        ("/playground/assets/app-1_a.js?v=1", "app"),
        ("/playground/inside.js", "app"),
    ] {
        let reply = ask(&gateway, &format!("GET {path}"));
        assert!(statuses(&reply) == [200] && reply.ends_with(text), "{path}: {reply}");
    }
    let reply = ask(&gateway, "GET /playground/assets/app-1_a.js");
    assert!(
        header(&reply, "content-type").is_some_and(|media| media.starts_with("text/javascript")),
        "{reply}"
    );
    for line in [
        "GET /playground/none.js",
        "GET /playground/api/v1/supported/networks",
        "GET /playground/../api/v1/supported/networks",
        "GET /playground/%2e%2e/Cargo.toml",
        "GET /playground//etc/passwd",
        "POST /playground/index.html",
        "POST /playground/",
        "GET /playground/.env",
        "GET /playground/%2eenv",
        "GET /playground/.git/config",
        "GET /playground/assets/.hidden",
        "GET /playground/link.txt",
        "GET /playground/linked/secret.txt",
        "GET /playground/linked",
        "GET /playground/env.txt",
        "GET /playground/a%20b.txt",
        "GET /playground/index.html/",
    ] {
        wire::refused(&ask(&gateway, line), 404);
    }
    assert_eq!(statuses(&ask(&gateway, "POST /playground")), [404]);
    assert_eq!(statuses(&ask(&gateway, "GET /api/v1/supported/networks")), [200]);
}
