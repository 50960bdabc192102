//! The admin API: what it makes, and what it refuses.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    Gateway, TOKEN, USER_SWA,
    admin::{self, ADMIN, ask, change, make, networks, read, start},
    client,
    reply::Reply,
};

const SHOP: &str = "/applications/sandbox/shop";

fn gateway() -> Gateway {
    start(admin::file().to_str().expect("text"))
}

/// An operator's way: an application, its key, a chain and a token, a user, sponsorship, its calls; and who did what.
#[tokio::test]
async fn an_application_is_made_and_used() {
    let gateway = gateway();
    let session = read(&gateway, "/session").await;
    assert_eq!((&session["name"], &session["environments"]), (&json!("ops"), &json!(["sandbox"])));
    let known = read(&gateway, "/known").await;
    assert_eq!(known["catalogue"]["chains"][0]["enabled"], false, "{known}");

    let key = make(&gateway, "shop").await;
    assert!(key.starts_with("sendoff_client_"), "a scanner of secrets knows it");
    let tokens =
        Reply::to(client().get(gateway.url("/api/v1/supported/tokens")).header("x-api-key", &key))
            .await;
    let pol = json!([{ "token_name": "POL", "token_address": "", "network_name": "POLYGON" }]);
    assert_eq!(tokens.json()["data"]["tokens"], pol);

    let user =
        change(&gateway, Method::POST, &format!("{SHOP}/users"), json!({ "userSWA": USER_SWA }))
            .await;
    let token = user["secret"].as_str().expect("a token");
    let estimate = async || {
        let request = json!({
            "type": "TOKEN_TRANSFER", "jobId": "a7c1a12e-8f9e-4d4c-9d3d-9c0d6c2c7a11",
            "gasDetails": { "maxFeePerGas": "0xBA43B7400", "maxPriorityFeePerGas": "0xBA43B7400" },
            "paymasterData": "0x",
            "details": { "caip2Id": "eip155:137", "recipientWalletAddress": "0xEc186DB52Cb079380E9Ed11740859d5a45e1B831", "tokenAddress": "", "amount": "1" },
        });
        let request = client()
            .post(gateway.url("/api/oc/v1/estimate"))
            .bearer_auth(token)
            .body(request.to_string());
        Reply::to(request.header("content-type", "application/json")).await
    };
    let reply = estimate().await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(
        reply.json()["data"]["callData"]["policies"]["sponsorshipEnabled"],
        true,
        "as the list says"
    );
    let sponsorship = json!({ "gsnEnabled": false, "sponsorshipEnabled": false });
    change(&gateway, Method::PUT, &format!("{SHOP}/sponsorship/eip155:137"), sponsorship).await;
    assert_eq!(
        estimate().await.json()["data"]["callData"]["policies"]["sponsorshipEnabled"],
        false
    );

    // The window of three calls fills, and the refusals are shown.
    for status in [501, 501, 501, 429] {
        let reply =
            Reply::to(client().post(gateway.url("/api/v1/nft/transfer")).bearer_auth(token)).await;
        assert_eq!(reply.status, status);
    }
    let shown = read(&gateway, SHOP).await;
    assert_eq!(shown["window"]["policy"]["limit"], 3, "{shown}");
    assert_eq!(shown["window"]["next"]["admitted"], false, "{shown}");
    assert_eq!(
        (&shown["refusals"][0]["reason"], &shown["refusals"][1]["reason"]),
        (&json!("rate-limited"), &json!("no-backend"))
    );
    assert_eq!((&shown["users"], shown["keys"].as_array().map(Vec::len)), (&json!(1), Some(1)));

    let audit = read(&gateway, &format!("{SHOP}/audit")).await;
    let audit = audit["changes"].as_array().expect("changes");
    let actions: Vec<_> =
        audit.iter().map(|change| change["action"].as_str().expect("text")).collect();
    let expected = [
        "sponsor",
        "make-credential",
        "whitelist",
        "enable",
        "make-credential",
        "make-application",
    ];
    assert_eq!(actions, expected);
    assert!(
        audit.iter().all(|change| change["by"] == "ops"
            && change["address"] == "127.0.0.1"
            && change["traceId"].as_str().is_some_and(|id| id.len() == 36)),
        "{audit:?}"
    );
    assert_eq!(audit[5]["about"]["catalogue"]["chains"][0]["enabled"], false, "all of the change");
    let two = read(&gateway, &format!("{SHOP}/audit?limit=2")).await["changes"].clone();
    assert_eq!(two.as_array().map(Vec::len), Some(2));
    let text = format!("{shown}{audit:?}{}", read(&gateway, &format!("{SHOP}/users")).await);
    assert!(!text.contains(&key) && !text.contains(token), "a secret is shown once");

    // A token of a caller is no credential of an admin.
    let url = format!("{}/admin/v1/session", gateway.admin);
    for token in [token, TOKEN] {
        Reply::to(client().get(&url).bearer_auth(token)).await.refused(401, Some("ER-TECH-0007"));
    }
}

/// A key is rotated with an overlap, which ends; and ended at once.
#[tokio::test]
async fn a_key_is_rotated() {
    let gateway = gateway();
    let old = make(&gateway, "shop").await;
    let id = read(&gateway, SHOP).await["keys"][0]["id"].as_str().expect("an id").to_owned();
    let at = format!("{SHOP}/keys/{id}");
    let rotated =
        change(&gateway, Method::POST, &format!("{at}/rotate"), json!({ "overlapSeconds": 2 }))
            .await;
    let new = rotated["secret"].as_str().expect("a key");
    assert_eq!(rotated["replaces"], id.as_str());
    assert_eq!((networks(&gateway, &old).await.0, networks(&gateway, new).await.0), (200, 200));
    while networks(&gateway, &old).await.0 == 200 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!((networks(&gateway, &old).await.0, networks(&gateway, new).await.0), (401, 200));
    // One that has ended is not there.
    ask(&gateway, Method::POST, &format!("{at}/rotate"), "again", &json!({ "overlapSeconds": 2 }))
        .await
        .refused(404, None);
    let id = rotated["id"].as_str().expect("an id");
    change(&gateway, Method::DELETE, &format!("{SHOP}/keys/{id}"), Value::Null).await;
    assert_eq!(networks(&gateway, new).await.0, 401);
}

/// A request is repeated with its key: it is made once, and its secret is shown once.
#[tokio::test]
async fn a_repeated_request_is_made_once() {
    let gateway = gateway();
    make(&gateway, "shop").await;
    let (keys, body) = (format!("{SHOP}/keys"), json!({ "side": "server" }));
    let first = ask(&gateway, Method::POST, &keys, "once", &body).await;
    let again = ask(&gateway, Method::POST, &keys, "once", &body).await;
    assert_eq!((first.status, again.status), (first.status, first.status));
    assert_eq!(
        (first.header("idempotency-replayed"), again.header("idempotency-replayed")),
        (None, Some("true"))
    );
    let (mut data, repeated) = (first.json()["data"].clone(), again.json()["data"].clone());
    assert!(data.as_object_mut().expect("an object").remove("secret").is_some());
    assert_eq!(data, repeated);
    assert_eq!(read(&gateway, &keys).await["keys"].as_array().map(Vec::len), Some(2));

    let other = ask(&gateway, Method::POST, &keys, "once", &json!({ "side": "client" })).await;
    other.refused(400, Some("ER-TECH-0016"));
    assert_eq!(other.issues(), [("idempotency-key".to_owned(), "rule".to_owned())]);
    // Many at once: one is made, and all have its answer.
    let one = || ask(&gateway, Method::POST, &keys, "at-once", &body);
    let many = tokio::join!(one(), one(), one(), one(), one(), one(), one(), one());
    let many: [Reply; 8] = many.into();
    let secrets = many.iter().filter(|reply| reply.json()["data"]["secret"].is_string()).count();
    assert_eq!((secrets, many.iter().filter(|reply| reply.status == 201).count()), (1, 8));
}

/// What a page sends is judged as if no page had judged it: every refusal has its path, and changes nothing.
#[tokio::test]
async fn wrong_requests_are_refused_with_their_paths() {
    let gateway = gateway();
    make(&gateway, "shop").await;
    let before = (read(&gateway, SHOP).await, read(&gateway, "/audit").await);
    let wallet = "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F";
    let step = |kind: &str, chain: &str| json!({ "type": kind, "caip2Id": chain });
    let (steps, known) = (format!("{SHOP}/catalogue/steps"), format!("{SHOP}/catalogue/known"));
    let (keys, users) = (format!("{SHOP}/keys"), format!("{SHOP}/users"));
    let unknown = format!("{SHOP}/sponsorship/eip155:9");
    let pol = json!({ "caip2Id": "eip155:137", "tokenAddress": "", "name": "POL" });
    let mut remove = step("remove", "eip155:137");
    remove["tokenAddress"] = "".into();
    let mut collection = step("whitelist", "eip155:137");
    collection["collectionAddress"] = wallet.into();
    let draft = |key: &str, value: Value| {
        let mut draft = json!({ "environment": "sandbox", "name": "game", "clientSWA": wallet });
        draft[key] = value;
        draft
    };
    let applications = "/applications";
    for (path, body, issue) in [
        (applications, json!([]), ("", "type")),
        (applications, json!({}), ("environment", "missing")),
        (applications, draft("name", "shop".into()), ("name", "rule")),
        (applications, draft("environment", "moon".into()), ("environment", "rule")),
        (applications, draft("clientSWA", "0x".into()), ("clientSWA", "format")),
        (
            applications,
            draft("policy", json!({ "limit": 0, "windowMs": 1 })),
            ("policy.limit", "format"),
        ),
        (applications, draft("origins", json!(["https://a.example/"])), ("origins.0", "format")),
        (applications, draft("disable", "often".into()), ("disable", "format")),
        (applications, draft("more", 1.into()), ("more", "format")),
        (
            applications,
            draft("catalogue", json!({ "chains": [], "tokens": [pol] })),
            ("catalogue", "format"),
        ),
        (&steps, json!({ "type": "enable" }), ("", "format")),
        (&steps, step("enable", "eip155:9"), ("caip2Id", "rule")),
        (&steps, step("disable", "eip155:137"), ("type", "rule")),
        (&steps, remove, ("type", "rule")),
        (&steps, collection, ("collectionAddress", "rule")),
        (&known, json!({ "tokens": [pol] }), ("tokens.0", "rule")),
        (&known, json!({ "chains": 7 }), ("chains", "format")),
        (&known, json!({ "tokens": [{}] }), ("tokens.0", "format")),
        (&keys, json!({ "side": "user" }), ("side", "format")),
        (&users, json!({ "userSWA": 7 }), ("userSWA", "format")),
        (&unknown, json!({}), ("caip2Id", "rule")),
    ] {
        let method = if path.contains("sponsorship") { Method::PUT } else { Method::POST };
        let reply = ask(&gateway, method, path, "wrong", &body).await;
        reply.refused(400, Some("ER-TECH-0016"));
        let found = &reply.issues()[0];
        assert_eq!((&*found.0, &*found.1), issue, "{path} {body}: {}", reply.text);
    }
    // What was found is named.
    let (long, rotate) = ("m".repeat(65), format!("{SHOP}/keys/0123456789abcdef/rotate"));
    let cut = format!("`{}`", "m".repeat(64));
    for (path, body, found) in [
        (applications, draft("environment", "moon".into()), "found `moon`"),
        (applications, draft("environment", long.into()), &*format!("found {cut}")),
        (applications, draft("policy", "some".into()), "found text of length 4"),
        (
            &rotate,
            json!({ "overlapSeconds": 7_776_001 }),
            "integer `7776001`, expected an integer from 0 to 7776000",
        ),
    ] {
        let reply = ask(&gateway, Method::POST, path, "wrong", &body).await;
        reply.refused(400, Some("ER-TECH-0016"));
        assert!(reply.text.contains(found), "{}", reply.text);
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
    // Names that people take for others, or that have a meaning in paths.
    for name in [".", "..", "a\u{202e}b", "a\u{200b}b", "a b ", "7", "a\u{0}"] {
        let draft = json!({ "environment": "sandbox", "name": name, "clientSWA": wallet });
        let reply = ask(&gateway, Method::POST, "/applications", "wrong", &draft).await;
        assert_eq!(reply.issues(), [("name".to_owned(), "format".to_owned())], "{name:?}");
    }
    // A field twice, in the body and in a document of it, and more unknown ones than anybody reads.
    for (path, body, (at, code)) in [
        (&keys, r#"{"side":"client","side":"server"}"#.to_owned(), ("", "format")),
        (&known, r#"{"tokens":[{"name":"A","name":"B"}]}"#.to_owned(), ("tokens.0", "format")),
        (
            &keys,
            format!(
                "{{{}\"side\":\"client\"}}",
                (0..60_000).map(|n| format!("\"{n}\":1,")).collect::<String>()
            ),
            ("0", "format"),
        ),
    ] {
        let url = format!("{}/admin/v1{path}", gateway.admin);
        let request = client().post(url).bearer_auth(ADMIN).header("idempotency-key", "wrong");
        let reply = Reply::to(request.body(body)).await;
        reply.refused(400, Some("ER-TECH-0016"));
        assert_eq!(reply.issues()[0], (at.to_owned(), code.to_owned()), "{}", reply.text);
    }

    // No key, and one that no header should have.
    let reply = ask(&gateway, Method::POST, &keys, "", &json!({ "side": "client" })).await;
    assert_eq!(reply.issues(), [("idempotency-key".to_owned(), "missing".to_owned())]);
    let reply = ask(&gateway, Method::POST, &keys, "two words", &json!({ "side": "client" })).await;
    assert_eq!(reply.issues(), [("idempotency-key".to_owned(), "format".to_owned())]);

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
    ask(&gateway, Method::GET, "/applications", "", &Value::Null)
        .await
        .refused(400, Some("ER-TECH-0016"));
    let long = json!({ "side": "x".repeat(2 << 20) });
    ask(&gateway, Method::POST, &keys, "long", &long).await.refused(413, None);
    assert_eq!((read(&gateway, SHOP).await, read(&gateway, "/audit").await), before);
}

/// Without the credential nothing is answered, and guessing it is limited, whatever is guessed.
#[tokio::test]
async fn guesses_are_limited() {
    let gateway = gateway();
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
