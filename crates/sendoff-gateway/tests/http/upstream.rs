//! Requests to the backend and its replies, whatever the backend does.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::TcpStream,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use reqwest::Method;
use sendoff::service::{Method as OperationMethod, OPERATIONS, Side};

use crate::support::{
    Gateway, SERVER_KEY, TOKEN,
    backend::Backend,
    client, config,
    reply::Reply,
    wire::{self, head, header},
};

const OK: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}";
const TRANSFER: &str = "/api/v1/nft/transfer";

fn gateway(url: &str) -> Gateway {
    Gateway::start(&config(r#""none""#, "", &format!("upstream = \"{url}\"\nupstream_ms = 400")))
}

async fn call(gateway: &Gateway) -> Reply {
    Reply::to(client().post(gateway.url(TRANSFER)).bearer_auth(TOKEN).body("{}")).await
}

#[tokio::test]
async fn all_but_three_operations_are_the_backends() {
    let backend = Backend::saying(OK);
    let (with, without) = (gateway(&backend.url), Gateway::start(&config(r#""none""#, "", "")));
    let mut forwarded = 0;
    for row in OPERATIONS {
        let path = row.path.replace("{userId}", "a%40b%20c").replace("{TW_USER_ID}", "user-1");
        let (method, body) = match row.method {
            OperationMethod::Get => (Method::GET, ""),
            OperationMethod::Post => (Method::POST, "{\"a\":1}"),
            other => panic!("no test sends {other}"),
        };
        let ask = |gateway: &Gateway| {
            let request = client().request(method.clone(), gateway.url(&format!("{path}?a=b&c")));
            let request = if row.side == Side::Server {
                request.header("x-api-key", SERVER_KEY)
            } else {
                request.bearer_auth(TOKEN)
            };
            Reply::to(request.body(body))
        };
        let id = row.id.as_str();
        let (reply, alone) = (ask(&with).await, ask(&without).await);
        if ["estimate", "supportedNetworks", "supportedTokens"].contains(&id) {
            assert!(!backend.was_asked() && alone.status != 501, "{id}");
            continue;
        }
        assert_eq!((reply.status.as_u16(), reply.text.as_str()), (200, "{}"), "{id}");
        let asked = backend.asked();
        assert_eq!(asked.line(), format!("{method} {path}?a=b&c HTTP/1.1"));
        assert_eq!(asked.body, body.as_bytes());
        let message = alone.refused(501, None);
        assert_eq!(message, format!("expected a wallet backend for `{id}`, found none"));
        forwarded += 1;
    }
    assert_eq!(forwarded, 13);
}

#[test]
fn headers_are_kept_and_those_of_one_connection_are_not() {
    let backend = Backend::saying(concat!(
        "HTTP/1.1 418 I'm a teapot\r\ncontent-length: 3\r\nset-cookie: a=1\r\nset-cookie: b=2\r\nx-kept: yes\r\n",
        "content-type: text/strange; a=b\r\nconnection: x-hop\r\nx-hop: no\r\nkeep-alive: timeout=5\r\n",
        "proxy-authenticate: Basic\r\nupgrade: h2c\r\ndate: Tue, 15 Nov 1994 08:12:31 GMT\r\nx-request-id: theirs\r\n\r\nabc",
    ));
    let gateway = Gateway::start(&config(r#""none""#, "", &format!("upstream = \"{}/base/\"", backend.url)));
    let request = concat!(
        "POST /api/v1/nft/transfer HTTP/1.1\r\nhost: wallet.example\r\nauthorization: Bearer demo-token\r\n",
        "x-api-key: demo-key\r\ncontent-type: application/json\r\ncontent-length: 2\r\naccept: a/b\r\naccept: c/d\r\n",
        "cookie: a=b\r\nconnection: close, X-Hop\r\nx-hop: no\r\nkeep-alive: 1\r\nte: trailers\r\ntrailer: a\r\n",
        "proxy-authorization: Basic a\r\nproxy-connection: close\r\nupgrade: websocket\r\nx-request-id: mine\r\n\r\n{}",
    );
    let reply = wire::exchange(gateway.socket(), request);
    let asked = backend.asked();
    assert_eq!(asked.line(), "POST /base/api/v1/nft/transfer HTTP/1.1");
    for (name, value) in [
        ("host", backend.url.strip_prefix("http://").expect("an address")),
        ("authorization", "Bearer demo-token"),
        ("x-api-key", "demo-key"),
        ("content-type", "application/json"),
        ("content-length", "2"),
        ("cookie", "a=b"),
        ("x-request-id", "mine"),
    ] {
        assert_eq!(asked.header(name), Some(value), "{}", asked.head);
    }
    assert_eq!(asked.head.matches("accept: ").count(), 2, "{}", asked.head);
    let gone =
        ["x-hop", "keep-alive", "te", "trailer", "proxy-authorization", "proxy-connection", "upgrade", "connection"];
    for name in gone.iter().chain(&["transfer-encoding"]) {
        assert_eq!(asked.header(name), None, "{}", asked.head);
    }

    assert!(reply.starts_with("HTTP/1.1 418 "), "{reply}");
    assert!(reply.ends_with("\r\n\r\nabc"), "{reply}");
    for (name, value) in [
        ("content-length", "3"),
        ("content-type", "text/strange; a=b"),
        ("x-kept", "yes"),
        ("date", "Tue, 15 Nov 1994 08:12:31 GMT"),
        ("x-request-id", "mine"),
    ] {
        assert_eq!(header(&reply, name), Some(value), "{reply}");
    }
    assert_eq!(reply.matches("set-cookie: ").count(), 2, "{reply}");
    for name in ["x-hop", "keep-alive", "proxy-authenticate", "upgrade", "transfer-encoding"] {
        assert_eq!(header(&reply, name), None, "{reply}");
    }
}

/// A backend's records and ours have the same name for a request.
#[tokio::test]
async fn traces_go_on() {
    let backend = Backend::saying(OK);
    let gateway = gateway(&backend.url);
    let made = call(&gateway).await;
    assert_eq!(backend.asked().header("x-request-id"), made.header("x-request-id"));
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for (parent, id) in [(parent, Some("4bf92f3577b34da6a3ce929d0e0e4736")), ("garbage", None)] {
        let request = client().post(gateway.url(TRANSFER)).bearer_auth(TOKEN).header("traceparent", parent);
        let reply = Reply::to(request).await;
        let asked = backend.asked();
        assert_eq!(asked.header("traceparent"), Some(parent));
        assert_eq!(asked.header("x-request-id"), reply.header("x-request-id"));
        assert!(id.is_none() || asked.header("x-request-id") == id, "{}", asked.head);
    }
}

#[tokio::test]
async fn replies_without_a_body_and_to_elsewhere_are_passed_on() {
    for (says, status, text) in [
        ("204 No Content\r\netag: \"1\"", 204, ""),
        ("304 Not Modified\r\netag: \"1\"", 304, ""),
        ("307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0", 307, ""),
        ("200 OK\r\ncontent-length: 0", 200, ""),
        ("401 Unauthorized\r\nwww-authenticate: Other\r\ncontent-length: 2", 401, "{}"),
        ("503 Service Unavailable\r\nretry-after: 7\r\ncontent-length: 2", 503, "{}"),
        ("200 OK\r\ntransfer-encoding: chunked", 200, "abc"),
        ("200 OK\r\nconnection: close", 200, "until the end"),
    ] {
        let body = match text {
            "abc" => "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n",
            text => text,
        };
        let backend = Backend::saying(format!("HTTP/1.1 {says}\r\n\r\n{body}"));
        let reply = call(&gateway(&backend.url)).await;
        assert_eq!((reply.status.as_u16(), reply.text.as_str()), (status, text), "{says}");
        let (_, given) = says.split_once("\r\n").expect("a header");
        let (name, value) = given.split("\r\n").next().and_then(|line| line.split_once(": ")).expect("a header");
        if !["connection", "transfer-encoding"].contains(&name) {
            assert_eq!(reply.header(name), Some(value), "{says}");
        }
    }
}

#[tokio::test]
async fn backends_that_do_not_answer() {
    let nobody = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        format!("http://{}", listener.local_addr().expect("an address"))
    };
    let says = |bytes: &'static [u8]| Backend::saying(bytes).url;
    for (url, status) in [
        (nobody, 502),
        (Backend::raw(drop), 502),
        (says(b""), 502),
        (says(b"garbage\r\n\r\n"), 502),
        (says(b"\x16\x03\x01\x00\x05hello"), 502),
        (says(b"HTTP/1.1 200 OK\r\ncontent-le"), 502),
        (says(b"HTTP/1.1 200 OK\r\ncontent-length: two\r\n\r\n{}"), 502),
        (says(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}"), 502),
        (says(b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n"), 502),
        (Backend::raw(stall), 504),
        (Backend::start(|_, stream| stall_after(stream, "HTTP/1.1 200 OK\r\nx-half")).url, 504),
        (Backend::start(|_, stream| stall_after(stream, "HTTP/1.1 100 Continue\r\n\r\n")).url, 504),
    ] {
        let reply = call(&gateway(&url)).await;
        reply.refused(status, Some("ER-TECH-0006"));
    }
}

/// Keeps a connection, and says nothing more, until the other end has had enough.
fn stall(mut stream: TcpStream) {
    let _end = stream.read_to_end(&mut Vec::new());
}

fn stall_after(stream: &mut TcpStream, bytes: &str) {
    stream.write_all(bytes.as_bytes()).expect("it is taken");
    stall(stream.try_clone().expect("a socket"));
}

/// Half a reply must not look whole: its connection breaks off as the backend's did.
#[test]
fn backends_that_break_off() {
    let half = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf";
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n";
    for url in [
        Backend::saying(half).url,
        Backend::saying(chunked).url,
        Backend::saying(format!("{chunked}zzz\r\n")).url,
        Backend::start(move |_, stream| stall_after(stream, half)).url,
        Backend::start(move |_, stream| stall_after(stream, chunked)).url,
    ] {
        let reply = wire::exchange(
            gateway(&url).socket(),
            format!(
                "POST {TRANSFER} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\ncontent-length: 0\r\n\r\n"
            ),
        );
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
        assert!(!reply.ends_with("0\r\n\r\n"), "{reply}");
        let (_, body) = reply.split_once("\r\n\r\n").expect("a head");
        assert!(body.contains("half") && body.len() < 10, "{reply}");
    }
}

/// Each part of a reply comes while the backend still waits to send the next.
#[test]
fn replies_are_streamed() {
    let (go_on, may_go_on) = mpsc::channel::<()>();
    let may_go_on = Arc::new(Mutex::new(may_go_on));
    let backend = Backend::start(move |_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1048576\r\n\r\n").expect("it is taken");
        for _ in 0..64 {
            stream.write_all(&[b'a'; 16 << 10]).expect("it is taken");
            may_go_on.lock().expect("one at a time").recv_timeout(wire::PATIENCE).expect("the part arrives");
        }
    });
    let gateway = gateway(&backend.url);
    let mut stream = wire::connect(gateway.socket());
    write!(stream, "POST {TRANSFER} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\ncontent-length: 0\r\n\r\n")
        .expect("it is taken");
    assert_eq!(header(&head(&mut stream), "content-length"), Some("1048576"));
    for _ in 0..64 {
        let mut part = vec![0; 16 << 10];
        stream.read_exact(&mut part).expect("the part arrives before the next is sent");
        assert!(part.iter().all(|byte| *byte == b'a'));
        go_on.send(()).expect("the backend waits");
    }
}

/// Each part of a body is with the backend while the caller still waits to send the next.
#[test]
fn requests_are_streamed() {
    for framing in ["content-length: 1048576", "transfer-encoding: chunked"] {
        let (arrived, has_arrived) = mpsc::channel();
        let url = Backend::raw(move |mut stream| {
            let asked = head(&mut stream);
            assert!(asked.contains(framing), "{asked}");
            // What frames the parts is longer than nothing, so this is less than all of them.
            for _ in 0..64 {
                stream.read_exact(&mut vec![0; 16 << 10]).expect("a part");
                arrived.send(()).expect("the caller waits");
            }
            stream.write_all(OK.as_bytes()).expect("it is taken");
        });
        let gateway = gateway(&url);
        let mut stream = wire::connect(gateway.socket());
        write!(stream, "POST {TRANSFER} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\n{framing}\r\n\r\n")
            .expect("it is taken");
        for _ in 0..64 {
            let part = "a".repeat(16 << 10);
            let part = if framing.starts_with('t') { format!("4000\r\n{part}\r\n") } else { part };
            stream.write_all(part.as_bytes()).expect("it is taken");
            has_arrived.recv_timeout(wire::PATIENCE).expect("the part arrives before the next is sent");
        }
        if framing.starts_with('t') {
            stream.write_all(b"0\r\n\r\n").expect("it is taken");
        }
        assert!(head(&mut stream).starts_with("HTTP/1.1 200 OK\r\n"));
    }
}

/// A caller that breaks off leaves no request at the backend that looks whole.
#[test]
fn callers_that_break_off() {
    let (begin, begun) = mpsc::channel();
    let (end, ended) = mpsc::channel();
    let url = Backend::raw(move |mut stream| {
        head(&mut stream);
        begin.send(()).expect("the test waits");
        let mut rest = Vec::new();
        let how = stream.read_to_end(&mut rest).map_err(|error| error.kind());
        end.send((how, String::from_utf8(rest).expect("text"))).expect("the test waits");
    });
    let gateway = Gateway::start(&config(r#""none""#, "body_ms = 200", &format!("upstream = \"{url}\"")));
    for (framing, sent) in [("content-length: 10", "half"), ("transfer-encoding: chunked", "4\r\nhalf\r\n")] {
        for stalls in [false, true] {
            let mut stream = wire::connect(gateway.socket());
            let head =
                format!("POST {TRANSFER} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\n{framing}\r\n\r\n");
            stream.write_all((head + sent).as_bytes()).expect("it is taken");
            begun.recv_timeout(wire::PATIENCE).expect("the backend is asked");
            if stalls {
                assert!(wire::head(&mut stream).starts_with("HTTP/1.1 408 "));
            }
            drop(stream);
            let (how, rest) = ended.recv_timeout(wire::PATIENCE).expect("the backend is left");
            assert!(matches!(how, Ok(_) | Err(ErrorKind::ConnectionReset)), "{how:?}");
            assert!(rest == sent || rest.is_empty(), "{rest}");
        }
    }
}

#[test]
fn whoever_waits_to_be_told_to_go_on_is_told() {
    let backend = Backend::saying(OK);
    let gateway = gateway(&backend.url);
    let mut stream = wire::connect(gateway.socket());
    let expecting = |credentials: &str| {
        format!("POST {TRANSFER} HTTP/1.1\r\nhost: a\r\n{credentials}expect: 100-continue\r\ncontent-length: 2\r\n\r\n")
    };
    stream.write_all(expecting("authorization: Bearer demo-token\r\n").as_bytes()).expect("it is taken");
    assert_eq!(head(&mut stream), "HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"{}").expect("it is taken");
    assert!(head(&mut stream).starts_with("HTTP/1.1 200 OK\r\n"));
    let asked = backend.asked();
    assert_eq!((asked.header("expect"), asked.body.as_slice()), (None, b"{}".as_slice()));

    // And whoever is refused is not asked for the rest.
    let refused = wire::exchange(gateway.socket(), expecting(""));
    assert_eq!(wire::statuses(&refused), [401]);
}

/// Where ours are on, a backend's fields of another limit would be taken for them.
#[tokio::test]
async fn a_backends_own_limit() {
    let reply = "HTTP/1.1 200 OK\r\nconnection: close\r\nratelimit: \"theirs\";r=9;t=9\r\nratelimit-policy: \"theirs\";q=9\r\ncontent-length: 0\r\n\r\n";
    let backend = Backend::saying(reply);
    for (fields, ours) in [("rate_limit_fields = true", true), ("", false)] {
        let policy = "{ limit = 5, window_ms = 60000 }";
        let gateway = Gateway::start(&config(policy, "", &format!("{fields}\nupstream = \"{}\"", backend.url)));
        let reply = call(&gateway).await;
        assert_eq!(reply.window().is_some(), ours);
        assert_eq!(reply.headers.get_all("ratelimit").iter().count(), 1);
        let get = Reply::to(client().get(gateway.url("/api/v1/orders")).bearer_auth(TOKEN)).await;
        assert_eq!(get.header("ratelimit"), Some(r#""theirs";r=9;t=9"#));
    }
}

/// One backend that is slow to one caller holds up nobody else.
#[test]
fn calls_do_not_wait_for_each_other() {
    let (go_on, may_go_on) = mpsc::channel::<()>();
    let may_go_on = Arc::new(Mutex::new(Some(may_go_on)));
    let backend = Backend::start(move |_, stream| {
        let first = may_go_on.lock().expect("one at a time").take();
        if let Some(first) = first {
            first.recv_timeout(wire::PATIENCE).expect("the others are answered");
        }
        stream.write_all(OK.as_bytes()).expect("it is taken");
    });
    let gateway = Gateway::start(&config(r#""none""#, "", &format!("upstream = \"{}\"", backend.url)));
    let request = format!(
        "POST {TRANSFER} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    );
    let first = thread::spawn({
        let (address, request) = (gateway.socket().to_owned(), request.clone());
        move || wire::exchange(&address, request)
    });
    // The others come while it waits: whichever of them was first.
    let others: Vec<_> = (0..3)
        .map(|_| {
            let (address, request) = (gateway.socket().to_owned(), request.clone());
            thread::spawn(move || wire::exchange(&address, request))
        })
        .collect();
    for _ in 0..3 {
        backend.asked();
    }
    go_on.send(()).expect("the backend waits");
    for call in others.into_iter().chain([first]) {
        assert_eq!(wire::statuses(&call.join().expect("a reply")), [200]);
    }
}

/// Targets and headers go on byte by byte, and nothing is added to them.
#[test]
fn what_goes_on_is_what_came() {
    let backend = Backend::saying(OK);
    let gateway = gateway(&backend.url);
    for target in ["/api/v1/orders?a='b'{}|^`[]", "/api/v1/orders?%zz&&=", "/api/v1/orders?", "/api/v1/orders?a=%27%7b"]
    {
        let head =
            format!("GET {target} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n\r\n");
        assert_eq!(wire::statuses(&wire::exchange(gateway.socket(), head)), [200], "{target}");
        let asked = backend.asked();
        assert_eq!(asked.line(), format!("GET {target} HTTP/1.1"));
        let mut names: Vec<_> =
            asked.head.lines().skip(1).filter_map(|line| line.split_once(':')).map(|(name, _)| name).collect();
        names.sort_unstable();
        assert_eq!(names, ["authorization", "host", "x-request-id"]);
    }
    let key = format!("x-api-key: {SERVER_KEY}");
    for user in ["a'b", "a\"b{}|", "(a)", "a*b!$&,=:@~", "%27"] {
        let target = format!("/s2s/api/v2/transfer/tokens/execute/{user}");
        let head = format!("POST {target} HTTP/1.1\r\nhost: a\r\n{key}\r\nconnection: close\r\n\r\n");
        assert_eq!(wire::statuses(&wire::exchange(gateway.socket(), head)), [200], "{target}");
        let asked = backend.asked();
        assert_eq!(asked.line(), format!("POST {target} HTTP/1.1"));
        // It came without a body.
        assert_eq!((asked.header("transfer-encoding"), asked.header("content-length")), (None, None), "{}", asked.head);
    }
    let head = format!("POST {TRANSFER} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n");
    assert_eq!(wire::statuses(&wire::exchange(gateway.socket(), format!("{head}content-length: 0\r\n\r\n"))), [200]);
    let asked = backend.asked();
    assert_eq!(
        (asked.header("transfer-encoding"), asked.header("content-length")),
        (None, Some("0")),
        "{}",
        asked.head
    );
}

/// What not every reader understands alike goes on to nobody.
#[test]
fn heads_with_two_readings() {
    let backend = Backend::saying(OK);
    let gateway = gateway(&backend.url);
    let ask = |method: &str, path: &str, fields: &str, body: &str| {
        let head =
            format!("{method} {path} HTTP/1.1\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n{fields}");
        wire::exchange(gateway.socket(), format!("{head}\r\n\r\n{body}"))
    };
    let chunked = "1\r\na\r\n0\r\n\r\n";
    for (method, path, fields, body, status) in [
        ("POST", TRANSFER, "content-length: 0", "", 400),
        ("POST", TRANSFER, "host: a\r\nhost: a\r\ncontent-length: 0", "", 400),
        ("POST", TRANSFER, "host: a\r\ntransfer-encoding: gzip, chunked", chunked, 501),
        ("POST", TRANSFER, "host: a\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked", chunked, 501),
        ("GET", "/api/v1/orders", "host: a\r\ncontent-length: 1", "a", 400),
        ("GET", "/api/v1/orders", "host: a\r\ntransfer-encoding: chunked", chunked, 400),
        ("POST", TRANSFER, "host: a\r\ncontent-length: 0\r\nconnection: authorization", "", 400),
        ("POST", TRANSFER, "host: a\r\ncontent-length: 0\r\nconnection: close, X-Api-Key", "", 400),
        ("POST", TRANSFER, "host: a\r\ncontent-length: 0\r\nconnection: content-length", "", 400),
        ("POST", TRANSFER, "host: a\r\ncontent-length: 0\r\nconnection: x-request-id", "", 400),
    ] {
        assert_eq!(wire::statuses(&ask(method, path, fields, body)), [status], "{fields}");
    }
    assert!(!backend.was_asked());
    for (method, path, fields, body) in [
        ("GET", "/api/v1/orders", "host: a\r\ncontent-length: 0", ""),
        ("POST", TRANSFER, "host: a\r\ntransfer-encoding: Chunked", chunked),
        ("POST", TRANSFER, "host: a\r\ncontent-length: 1\r\nconnection: x-mine", "a"),
    ] {
        assert_eq!(wire::statuses(&ask(method, path, fields, body)), [200], "{fields}");
        backend.asked();
    }
    let coded = Backend::saying("HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n");
    let gateway = self::gateway(&coded.url);
    let head =
        format!("GET /api/v1/orders HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n\r\n");
    assert_eq!(wire::statuses(&wire::exchange(gateway.socket(), head)), [502]);
}

/// A backend believes what its proxy says of the caller, so the caller cannot say it.
#[test]
fn what_callers_forge_does_not_go_on() {
    let backend = Backend::saying(OK);
    let forged = [
        "x-forwarded-for: 10.0.0.1",
        "X-Forwarded-Host: admin",
        "x-forwarded-anything: a",
        "forwarded: for=10.0.0.1",
        "x-real-ip: 10.0.0.1",
        "true-client-ip: 10.0.0.1",
    ];
    let never = ["x_forwarded_for: 10.0.0.1", "x-original-url: /admin", "x-rewrite-url: /admin", "x_api_key: other"];
    for (forwarded, goes_on) in [("", false), ("\nforwarded = \"drop\"", false), ("\nforwarded = \"keep\"", true)] {
        let file = config(r#""none""#, "", &format!("upstream = \"{}\"{forwarded}", backend.url));
        let gateway = Gateway::start(&file);
        let fields = [forged.as_slice(), &never, &["x_other: kept"]].concat().join("\r\n");
        let head =
            format!("POST {TRANSFER} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n");
        let reply = wire::exchange(gateway.socket(), format!("{head}content-length: 0\r\n{fields}\r\n\r\n"));
        assert_eq!(wire::statuses(&reply), [200]);
        let asked = backend.asked();
        let has = |field: &&str| asked.header(&field.split(':').next().expect("a name").to_ascii_lowercase()).is_some();
        assert!(forged.iter().all(|field| has(field) == goes_on), "{forwarded}: {}", asked.head);
        assert!(!never.iter().any(&has) && has(&"x_other"), "{forwarded}: {}", asked.head);
    }
}

/// A backend that closes connections when the next call comes: one call is lost, and after that each has its own connection.
#[test]
fn backends_that_close_idle_connections() {
    let url = Backend::raw(move |mut stream| {
        head(&mut stream);
        stream.read_exact(&mut [0; 2]).expect("a body");
        // It says nothing of closing, and closes.
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").expect("it is taken");
        thread::sleep(Duration::from_millis(5));
    });
    let gateway = Gateway::start(&config(r#""none""#, "", &format!("upstream = \"{url}\"")));
    let mut stream = wire::connect(gateway.socket());
    let request = format!(
        "POST {TRANSFER} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\ncontent-length: 2\r\n\r\n{{}}"
    );
    let mut lost = 0;
    for call in 0..600_u64 {
        stream.write_all(request.as_bytes()).expect("it is taken");
        let reply = head(&mut stream);
        lost += usize::from(wire::statuses(&reply) != [200]);
        let length = header(&reply, "content-length").expect("a length").parse().expect("a number");
        stream.read_exact(&mut vec![0; length]).expect("a body");
        thread::sleep(Duration::from_micros(4_400 + call % 10 * 100));
    }
    assert!(lost <= 1, "{lost} of 600 calls were lost");
}
