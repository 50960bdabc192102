//! A record of a day, which the WebAssembly module replays to the byte
//! (`bindings/sendoff-js/test/sandbox.test.mjs`).

use sendoff_sandbox::{Json, Request, State, answer, lies};

use crate::calls::{
    ENTRY_POINT, NOW, RECIPIENT, Service, USDC, USER, client, request, server, transfer,
};

/// A line of the record: a request, its time and its reply.
fn line(request: &Request, now: i64, state: &mut State) -> String {
    let headers: Vec<_> =
        request.headers.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    let asked = Json::Object(vec![
        ("method".into(), request.method.as_str().into()),
        ("target".into(), request.target.as_str().into()),
        ("headers".into(), Json::Object(headers)),
        ("body".into(), request.body.as_str().into()),
    ]);
    format!(
        "{{\"now\":{now},\"request\":{asked},\"reply\":{}}}",
        answer(state, request, now).to_json()
    )
}

/// Requests for all parts of the service.
fn day() -> Vec<Request> {
    let tokens = format!(
        r#"{{"network_name":"POLYGON","token_address":"{USDC}","quantity":"1.5","recipient_address":"{RECIPIENT}"}}"#
    );
    let mut signer = Service::new(r#"{"seed":"record"}"#);
    let operation = signer.signed(&transfer(1));
    let rpc = |method: &str, params: &str| {
        request(
            "POST",
            "/rpc",
            &[],
            &format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#),
        )
    };
    let mut day = vec![
        client("POST", "/api/v1/transfer/tokens/execute", &tokens),
        client("POST", "/api/v1/transfer/tokens/execute", &tokens.replace("1.5", "0")),
        client("POST", "/api/oc/v1/estimate", &transfer(1)),
        rpc("eth_sendUserOperation", &format!(r#"[{operation},"{ENTRY_POINT}"]"#)),
        server(
            "POST",
            "/s2s/api/v1/bulk-wallets",
            r#"{"network_name":"BASE","purpose":"nft","wallet_count":3}"#,
        ),
        server("POST", &format!("/s2s/api/v2/transfer/tokens/execute/{USER}"), &tokens),
        client("GET", "/api/v1/portfolio", ""),
        client("GET", "/api/v1/orders", ""),
        client("GET", "/api/oc/v1/orders", ""),
        client("GET", "/api/v1/portfolio/activity", ""),
        rpc("eth_call", &format!(r#"[{{"to":"{USDC}","data":"0x18160ddd"}},"latest"]"#)),
        request("GET", "/api/v1/portfolio", &[], ""),
    ];
    // One of each kind of lie is enough for the bytes.
    for lie in lies().step_by(6) {
        let mut request = client("POST", "/api/oc/v1/estimate", &transfer(2));
        request.headers.push(("x-sandbox-lie".into(), lie.name.into()));
        day.push(request);
    }
    day
}

#[test]
fn the_record_is_that_of_this_service() {
    let mut state = State::start(r#"{"seed":"record"}"#).unwrap();
    let day = day();
    let lines = day.iter().enumerate().map(|(at, request)| {
        let now = NOW + i64::try_from(at).unwrap() * 1_500;
        line(request, now, &mut state)
    });
    let lines: Vec<_> = lines.collect();
    let fresh = format!("[\n{}\n]\n", lines.join(",\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/record.json");
    if std::env::var_os("SENDOFF_WRITE_RECORD").is_some() {
        std::fs::write(path, &fresh).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        fresh,
        "SENDOFF_WRITE_RECORD=1 writes {path}"
    );
}
