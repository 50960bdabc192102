//! The admin API: what it makes, and what it refuses.

use super::estimate::of_token;
use crate::support::{
    admin::{ADMIN, SHOP, ask, change, fresh, make, open, read, secret, status},
    prelude::*,
};

/// An operator's way: an application, its key, a chain and a token, a user, sponsorship, its calls; and who did what.
#[tokio::test]
async fn an_application_is_made_and_used() {
    let gateway = fresh();
    let session = read(&gateway, "/session").await;
    assert_eq!((&session["name"], &session["environments"]), (&json!("ops"), &json!(["sandbox"])));
    let known = read(&gateway, "/known").await;
    assert_eq!(known["catalogue"]["chains"][0]["enabled"], false, "{known}");

    let key = open(&gateway, "shop").await;
    assert!(key.starts_with("sendoff_client_"), "a scanner of secrets knows it");
    let tokens = gateway.call("GET /api/v1/supported/tokens", &[("x-api-key", &key)], "").await;
    let pol = json!([{ "token_name": "POL", "token_address": "", "network_name": "POLYGON" }]);
    assert_eq!(tokens.data()["tokens"], pol);

    let keys = format!("{SHOP}/keys");
    let token = secret(&make(&gateway, &keys, json!({ "userSWA": USER_SWA })).await);
    let bearer = format!("Bearer {token}");
    let user = ("authorization", &*bearer);
    let is_sponsored = async || {
        let request = of_token("eip155:137").to_string();
        let headers = [user, ("content-type", "application/json")];
        let reply = gateway.call("POST /api/oc/v1/estimate", &headers, request).await;
        reply.data()["callData"]["policies"]["sponsorshipEnabled"].clone()
    };
    assert_eq!(is_sponsored().await, true, "as the list says");
    let sponsorship = json!({ "gsnEnabled": false, "sponsorshipEnabled": false });
    change(&gateway, Method::PUT, &format!("{SHOP}/sponsorship/eip155:137"), sponsorship).await;
    assert_eq!(is_sponsored().await, false);

    // The window of three calls fills, and the refusals are shown.
    for status in [501, 501, 501, 429] {
        assert_eq!(gateway.call("POST /api/v1/nft/transfer", &[user], "").await.status, status);
    }
    let shown = read(&gateway, SHOP).await;
    for (place, value) in [
        ("/window/policy/limit", json!(3)),
        ("/window/next/admitted", json!(false)),
        ("/refusals/0/reason", json!("rate-limited")),
        ("/refusals/1/reason", json!("no-backend")),
        ("/users", json!(1)),
    ] {
        assert_eq!(shown.pointer(place), Some(&value), "{place}: {shown}");
    }
    assert_eq!(shown["keys"].as_array().map(Vec::len), Some(1));

    let audit = read(&gateway, &format!("{SHOP}/audit")).await["changes"].clone();
    let changes = audit.as_array().expect("changes");
    let actions: Vec<_> = changes.iter().map(|change| &change["action"]).collect();
    let expected = "sponsor makeKey stepCatalogue stepCatalogue makeKey makeApplication".split(' ');
    assert_eq!(actions, expected.collect::<Vec<_>>());
    for change in changes {
        assert_eq!([&change["by"], &change["address"]], ["ops", "127.0.0.1"], "{change}");
        assert_eq!(change["traceId"].as_str().map(str::len), Some(36), "{change}");
    }
    assert_eq!(audit[5]["about"]["catalogue"]["chains"][0]["enabled"], false, "all of the change");
    let two = read(&gateway, &format!("{SHOP}/audit?limit=2")).await["changes"].clone();
    assert_eq!(two.as_array().map(Vec::len), Some(2));
    let text = format!("{shown}{audit}{}", read(&gateway, &keys).await);
    assert!(!text.contains(&key) && !text.contains(&token), "a secret is shown once");

    // A token of a caller is no credential of an admin.
    let url = format!("{}/admin/v1/session", gateway.admin);
    for token in [&token, TOKEN] {
        Reply::to(client().get(&url).bearer_auth(token)).await.refused(401, Some("ER-TECH-0007"));
    }
}

/// A key is rotated with an overlap, which ends; and ended at once. Keys and tokens that have ended are swept, and take no place of others.
#[tokio::test]
async fn a_key_is_rotated_as_often_as_it_must() {
    let gateway = fresh();
    let old = open(&gateway, "shop").await;
    let id = read(&gateway, SHOP).await["keys"][0]["id"].as_str().expect("an id").to_owned();
    let (rotate, overlap) = (format!("{SHOP}/keys/{id}/rotate"), json!({ "overlapSeconds": 2 }));
    let rotated = make(&gateway, &rotate, overlap.clone()).await;
    let new = secret(&rotated);
    assert_eq!(rotated["replaces"], id.as_str());
    let both = async || (status(&gateway, &old).await, status(&gateway, &new).await);
    assert_eq!(both().await, (200, 200));
    until("the overlap ends", async || both().await == (401, 200)).await;
    // One that has ended is not there.
    ask(&gateway, Method::POST, &rotate, "again", &overlap).await.refused(404, None);
    let key = format!("{SHOP}/keys/{}", rotated["id"].as_str().expect("an id"));
    change(&gateway, Method::DELETE, &key, Value::Null).await;
    assert_eq!(status(&gateway, &new).await, 401);

    let keys = format!("{SHOP}/keys");
    let key = make(&gateway, &keys, json!({ "side": "client" })).await;
    let user = make(&gateway, &keys, json!({ "userSWA": SWA })).await;
    for mut id in [key["id"].clone(), user["id"].clone()] {
        for _ in 0..70 {
            let rotate = format!("{keys}/{}/rotate", id.as_str().expect("an id"));
            id = make(&gateway, &rotate, json!({ "overlapSeconds": 0 })).await["id"].clone();
        }
        let left = read(&gateway, &keys).await["keys"].clone();
        // The other one; the last one, and the one before, which ended at that moment.
        assert!(left.as_array().expect("a list").len() <= 3, "{left}");
    }
}

/// A request is repeated with its key: it is made once, and its secret is shown once.
#[tokio::test]
async fn a_repeated_request_is_made_once() {
    let gateway = fresh();
    open(&gateway, "shop").await;
    let (keys, body) = (format!("{SHOP}/keys"), json!({ "side": "server" }));
    let first = ask(&gateway, Method::POST, &keys, "once", &body).await;
    let again = ask(&gateway, Method::POST, &keys, "once", &body).await;
    let replayed = |reply: &Reply| reply.header("idempotency-replayed").map(str::to_owned);
    assert_eq!((first.status, replayed(&first)), (again.status, None));
    assert_eq!(replayed(&again).as_deref(), Some("true"));
    let mut data = first.data();
    assert!(data.as_object_mut().expect("an object").remove("secret").is_some());
    assert_eq!(data, again.data());
    assert_eq!(read(&gateway, &keys).await["keys"].as_array().map(Vec::len), Some(2));

    let other = ask(&gateway, Method::POST, &keys, "once", &json!({ "side": "client" })).await;
    other.refused(400, Some("ER-TECH-0016"));
    assert_eq!(other.issues(), [("idempotency-key".to_owned(), "rule".to_owned())]);
    // Many at once: one is made, and all have its answer.
    let one = || ask(&gateway, Method::POST, &keys, "at-once", &body);
    let many = tokio::join!(one(), one(), one(), one(), one(), one(), one(), one());
    let many: [Reply; 8] = many.into();
    assert!(many.iter().all(|reply| reply.status == 201));
    assert_eq!(many.iter().filter(|reply| reply.data()["secret"].is_string()).count(), 1);
}

/// What is said of an overlap above its maximum.
const OVERLAP: &str = "integer `7776001`, expected an integer from 0 to 7776000";

/// What a page sends is judged as if no page had judged it: every refusal has its path, and changes nothing.
#[tokio::test]
async fn wrong_requests_are_refused_with_their_paths() {
    let gateway = fresh();
    open(&gateway, "shop").await;
    let before = (read(&gateway, SHOP).await, read(&gateway, "/audit").await);
    let (applications, keys) = ("/applications", "/applications/sandbox/shop/keys");
    let steps = "/applications/sandbox/shop/catalogue/steps";
    let known = "/applications/sandbox/shop/catalogue/known";
    let sponsorship = "/applications/sandbox/shop/sponsorship/eip155:9";
    let rotate = "/applications/sandbox/shop/keys/0123456789abcdef/rotate";
    let draft = |field: &str, value: Value| {
        let mut draft = json!({ "environment": "sandbox", "name": "game", "clientSWA": SWA });
        draft[field] = value;
        draft.to_string()
    };
    let step = |kind: &str, field: &str, value: &str| {
        let mut step = json!({ "type": kind, "caip2Id": "eip155:137" });
        step[field] = value.into();
        step.to_string()
    };
    let pol = json!({ "caip2Id": "eip155:137", "tokenAddress": "", "name": "POL" });
    let many: String = (0..60_000).map(|number| format!("\"{number}\":1,")).collect();
    let (without_chain, long) = (json!({ "chains": [], "tokens": [pol] }), "m".repeat(65));
    let often = json!({ "disable": "often", "chains": [] });
    // The path, the body, the first problem's path and code, and a part of the reply.
    let mut rows = vec![
        (applications, "[]".into(), "", "type", "found an array"),
        (applications, "{}".into(), "environment", "missing", ""),
        (steps, r#"{"type":"enable"}"#.into(), "", "format", ""),
        (steps, step("enable", "caip2Id", "eip155:9"), "caip2Id", "rule", ""),
        (steps, step("disable", "type", "disable"), "type", "rule", ""),
        (steps, step("remove", "tokenAddress", ""), "type", "rule", ""),
        (steps, step("whitelist", "collectionAddress", SWA), "collectionAddress", "rule", ""),
        (known, format!(r#"{{"tokens":[{pol}]}}"#), "tokens.0", "rule", ""),
        (known, r#"{"chains":7}"#.into(), "chains", "format", ""),
        (known, r#"{"tokens":[{}]}"#.into(), "tokens.0", "format", ""),
        (keys, r#"{"side":"user"}"#.into(), "side", "format", ""),
        (keys, r#"{"userSWA":7}"#.into(), "userSWA", "format", ""),
        (keys, "{}".into(), "", "rule", "expected either `side` or `userSWA`, found both or none"),
        (keys, format!(r#"{{"side":"client","userSWA":"{SWA}"}}"#), "", "rule", "both or none"),
        (sponsorship, "{}".into(), "caip2Id", "rule", ""),
        (rotate, r#"{"overlapSeconds":7776001}"#.into(), "overlapSeconds", "format", OVERLAP),
        (SHOP, r#"{"policy":{"limit":0}}"#.into(), "policy", "format", "limit: expected"),
        (SHOP, r#"{"origins":["here"]}"#.into(), "origins.0", "format", ""),
        (SHOP, r#"{"clientSWA":5}"#.into(), "clientSWA", "format", ""),
        (SHOP, r#"{"name":"x"}"#.into(), "name", "format", ""),
        (SHOP, "{}".into(), "", "rule", "expected `clientSWA`, `policy` or `origins`"),
        // A field twice, in the body and in a document of it, and more unknown ones than anybody reads.
        (keys, r#"{"side":"client","side":"server"}"#.into(), "", "format", ""),
        (known, r#"{"tokens":[{"name":"A","name":"B"}]}"#.into(), "tokens.0", "format", ""),
        (keys, format!(r#"{{{many}"side":"client"}}"#), "0", "format", ""),
    ];
    for (field, value, at, code, part) in [
        ("name", json!("shop"), "name", "rule", ""),
        ("environment", json!("moon"), "environment", "rule", "found `moon`"),
        ("environment", json!(long), "environment", "rule", &long[..64]),
        ("clientSWA", json!("0x"), "clientSWA", "format", ""),
        ("policy", json!({ "limit": 0, "windowMs": 1 }), "policy", "format", "windowMs: "),
        ("policy", json!("some"), "policy", "format", "found text of length 4"),
        ("origins", json!(["https://a.example/"]), "origins.0", "format", ""),
        ("more", json!(1), "more", "format", ""),
        ("catalogue", without_chain, "catalogue", "format", ""),
        ("catalogue", often, "catalogue", "format", "disable: "),
    ] {
        rows.push((applications, draft(field, value), at, code, part));
    }
    // Names that people take for others, or that have a meaning in paths.
    for name in [".", "..", "a\u{202e}b", "a\u{200b}b", "a b ", "7", "a\u{0}"] {
        rows.push((applications, draft("name", name.into()), "name", "format", ""));
    }
    for (path, body, at, code, part) in rows {
        let method = match path {
            SHOP => Method::PATCH,
            _ if path == sponsorship => Method::PUT,
            _ => Method::POST,
        };
        let url = format!("{}/admin/v1{path}", gateway.admin);
        let request = client().request(method, url).bearer_auth(ADMIN);
        let reply = Reply::to(request.header("idempotency-key", "wrong").body(body)).await;
        reply.refused(400, Some("ER-TECH-0016"));
        assert_eq!(reply.issues()[0], (at.into(), code.into()), "{path}: {}", reply.text);
        assert!(reply.text.contains(part), "{part}: {}", reply.text);
    }
    for (query, problem) in [
        ("limit=0", "expected an integer from 1 to 1000"),
        ("limit=all", "limit: "),
        ("limits=2", "unknown field `limits`"),
    ] {
        let reply = ask(&gateway, Method::GET, &format!("/audit?{query}"), "", &Value::Null).await;
        reply.refused(400, Some("ER-TECH-0016"));
        assert!(reply.text.contains(problem), "{query}: {}", reply.text);
    }

    // No key, and one that no header should have.
    for (key, code) in [("", "missing"), ("two words", "format")] {
        let reply = ask(&gateway, Method::POST, keys, key, &json!({ "side": "client" })).await;
        assert_eq!(reply.issues(), [("idempotency-key".to_owned(), code.to_owned())]);
    }

    for (method, path, status) in [
        (Method::GET, "/nothing", 404),
        (Method::GET, "/applications/sandbox/game", 404),
        (Method::GET, "/applications/moon/shop", 404),
        (Method::GET, "/applications/sandbox/sh%00op/audit", 404),
        (Method::DELETE, "/applications/sandbox/game", 404),
        (Method::DELETE, "/applications/sandbox/shop/keys/0123456789abcdef", 404),
        (Method::PUT, "/applications/sandbox/shop/sponsorship/polygon", 400),
        (Method::POST, "/session", 405),
        (Method::PUT, "/applications", 405),
    ] {
        let reply = ask(&gateway, method, path, "absent", &Value::Null).await;
        reply.refused(status, None);
        assert_eq!(reply.header("allow").is_some(), status == 405, "{path}");
    }
    let all = ask(&gateway, Method::GET, "/applications", "", &Value::Null).await;
    all.refused(400, Some("ER-TECH-0016"));
    // The length in the head is enough.
    let mut stream = wire::connect(gateway.admin.trim_start_matches("http://"));
    let fields = "idempotency-key: long\r\nconnection: close\r\ncontent-length: 2097152";
    let long = wire::post(&format!("/admin/v1{keys}"), fields).replace(TOKEN, ADMIN);
    wire::send(&stream, long);
    wire::refused(&rest(&mut stream), 413);
    assert_eq!((read(&gateway, SHOP).await, read(&gateway, "/audit").await), before);
}

/// Without the credential nothing is answered, and guessing it is limited, whatever is guessed.
#[tokio::test]
async fn guesses_are_limited() {
    let gateway = fresh();
    let url = format!("{}/admin/v1/session", gateway.admin);
    let none = Reply::to(client().get(&url)).await;
    none.refused(401, Some("ER-TECH-0007"));
    assert_eq!(none.header("cache-control"), Some("no-store"));
    for guess in 0..10 {
        let reply = Reply::to(client().get(&url).bearer_auth(format!("guess-{guess}"))).await;
        reply.refused(401, Some("ER-TECH-0007"));
        assert!(reply.header("www-authenticate").is_some());
    }
    for token in [ADMIN, "guess-10"] {
        let reply = Reply::to(client().get(&url).bearer_auth(token)).await;
        reply.refused(429, Some("ER-TECH-0100"));
        let seconds: u64 = reply.header("retry-after").expect("seconds").parse().expect("a number");
        assert!((1..=60).contains(&seconds), "{seconds}");
    }
    // Health is nobody's secret, and other admins are at other addresses.
    assert_eq!(gateway.ask("/health").await, "alive\n");
}

/// The description is that of the routes: docs/schema/admin.json, which has the definitions of the core beside it.
#[test]
fn the_routes_are_described() {
    let committed = include_str!("../../../../docs/schema/admin.json");
    let mut committed: Value = serde_json::from_str(committed).expect("JSON");
    let described = sendoff_gateway::describe();
    let own = described["components"]["schemas"].as_object().expect("definitions");
    let all = committed["components"]["schemas"].as_object_mut().expect("definitions");
    all.retain(|name, _| own.contains_key(name));
    assert_eq!(committed, described, "`cargo xtask codegen admin` writes it");
}
