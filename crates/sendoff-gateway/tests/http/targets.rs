//! The files of the playground, asked by targets as they are on the wire.

use std::os::unix::fs::symlink;

use crate::support::prelude::*;

/// The reply to a request line, from a known caller.
fn ask(gateway: &Gateway, line: &str) -> String {
    let (method, target) = line.split_once(' ').expect("a method");
    exchange(gateway, wire::request(method, target, "connection: close"))
}

/// The playground serves plain files of its folder, and nothing outside of it.
#[test]
fn the_playground_serves_its_folder_only() {
    let folder = Folder::new("playground");
    for (name, text) in [
        ("dist/index.html", "<title>playground</title>"),
        ("dist/assets/app-1_a.js", "app"),
        ("dist/assets/index.html", "assets"),
        ("dist/.env", "secret"),
        ("dist/.git/config", "secret"),
        ("dist/assets/.hidden", "secret"),
        ("dist/a b.txt", "secret"),
        ("outside/secret.txt", "secret"),
    ] {
        folder.write(name, text);
    }
    for (to, link) in [
        ("outside/secret.txt", "dist/link.txt"),
        ("outside", "dist/linked"),
        ("dist/.env", "dist/env.txt"),
        ("dist/assets/app-1_a.js", "dist/inside.js"),
    ] {
        symlink(folder.0.join(to), folder.0.join(link)).expect("a link");
    }
    let gateway = Gateway::plain("", &format!("playground = {:?}", folder.0.join("dist")));
    for (path, status) in [("/playground", 308), ("/playground/assets", 307)] {
        let (moved, to) = (ask(&gateway, &format!("GET {path}")), format!("{path}/"));
        assert_eq!((statuses(&moved), header(&moved, "location")), (vec![status], Some(&*to)));
    }
    for (path, text, media) in [
        ("/playground/", "<title>playground</title>", "text/html"),
        ("/playground/index.html", "<title>playground</title>", "text/html"),
        ("/playground/assets/", "assets", "text/html"),
        ("/playground/assets/app-1_a.js?v=1", "app", "text/javascript"),
        ("/playground/inside.js", "app", "text/javascript"),
    ] {
        let reply = ask(&gateway, &format!("GET {path}"));
        assert!(statuses(&reply) == [200] && reply.ends_with(text), "{path}: {reply}");
        assert!(header(&reply, "content-type").expect("a type").starts_with(media), "{reply}");
    }
    for line in [
        "GET /playground/none.js",
        "GET /playground/api/v1/supported/networks",
        "GET /playground/../api/v1/supported/networks",
        "GET /playground/%2e%2e/Cargo.toml",
        "GET /playground//etc/passwd",
        "POST /playground/index.html",
        "POST /playground/",
        "POST /playground",
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
    assert_eq!(statuses(&ask(&gateway, "GET /api/v1/supported/networks")), [200]);
}
