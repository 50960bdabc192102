//! The service by texts, as the WebAssembly module has it.

use sendoff_sandbox::{State, answer, call, lies};

use crate::calls::{At, ENTRY_POINT, Json, NOW, Service, parse, request, transfer, written};

#[test]
fn who_does_not_check_signatures_says_so() {
    let mut service = Service::new("{}");
    let operation = service.signed(&transfer(1));
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"eth_sendUserOperation","params":[{operation},"{ENTRY_POINT}"]}}"#
    );
    let send = serde_json::json!({ "method": "POST", "target": "/rpc", "body": body });
    let (send, now) = (send.to_string(), NOW.to_string());
    let mut state = Some(service.state);
    let mut ask = |name: &str, right: Option<&str>| {
        let answer = call(&mut state, name, &[Some(&send), Some(&now), right]);
        parse(&answer.unwrap()).unwrap()
    };
    let said = |reply: &Json, path: &str| {
        let body = parse(reply.get("body").and_then(Json::as_str).unwrap()).unwrap();
        body.at(path).and_then(Json::as_str).map(String::from)
    };
    let header = "headers.x-sandbox-unchecked";

    let asked = ask("judged", None);
    let [Json::String(signed)] = &asked.as_array().unwrap()[..] else { panic!("{asked}") };
    let [digest, signature, signer] = signed.split(' ').collect::<Vec<_>>().try_into().unwrap();
    assert!(operation.contains(signature), "{signature}");
    let is_right = sendoff::user_op::check_signature(
        digest.parse().unwrap(),
        signature.parse::<sendoff::value::HexBytes>().unwrap().as_slice(),
        &signer.parse().unwrap(),
    );
    assert!(is_right.is_ok());

    let refused = ask("answer", Some("[]"));
    assert_eq!(said(&refused, "error.message").as_deref(), Some("AA24 signature error"));
    assert_eq!(refused.at(header), None);
    let accepted = ask("answer", None);
    assert!(said(&accepted, "result").is_some());
    assert_eq!(accepted.at(header).and_then(Json::as_str), Some("signature"));

    // It is known now, so nothing is asked.
    let known = ask("judged", None);
    assert_eq!(said(&known, "error.message").as_deref(), Some("already known"));
    assert_eq!(known.at(header), None);
}

#[test]
fn by_texts_it_is_the_same_service_and_the_core() {
    let mut state = None;
    let get = r#"{"method":"GET","target":"/api/v1/portfolio"}"#;
    let failed = |answer: Result<String, String>, said: &str| {
        let issues = answer.unwrap_err();
        assert!(issues.contains(said), "{issues}");
    };
    failed(call(&mut state, "save", &[]), "expected `start` or `load` before");
    failed(
        call(&mut state, "start", &[Some(r#"{"profile":"x"}"#)]),
        "expected the profile `okto-v1`",
    );
    assert_eq!(call(&mut state, "start", &[Some("{}")]).as_deref(), Ok("{}"));
    failed(call(&mut state, "answer", &[Some("{}"), Some("0")]), "expected a request of");
    failed(call(&mut state, "answer", &[Some(get), Some("now")]), "expected a time");
    failed(call(&mut state, "load", &[Some("{}")]), "expected the profile");

    let reply = call(&mut state, "answer", &[Some(get), Some("7")]).unwrap();
    let mut own = State::start("{}").unwrap();
    let same = answer(&mut own, &request("GET", "/api/v1/portfolio", &[], ""), 7);
    assert_eq!(reply, written(&same));
    let saved = call(&mut state, "save", &[]).unwrap();
    assert_eq!(saved, own.to_string());
    assert_eq!(call(&mut None, "load", &[Some(&saved)]).as_deref(), Ok("{}"));

    let told = parse(&call(&mut None, "lies", &[]).unwrap()).unwrap();
    assert_eq!(told.as_array().unwrap().len(), lies().count());
    let read = [Some("nftId"), Some("56")];
    assert_eq!(call(&mut None, "readText", &read), sendoff::json::call("readText", &read));
}
