//! The service by texts, as the WebAssembly module has it.

use sendoff_sandbox::{State, answer, call, lies};

use crate::calls::{parse, request, written};

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
