//! The loop from the estimate to the receipt.

use crate::calls::*;

const RECEIPT: &str = "RPC eth_getUserOperationReceipt";
const BY_HASH: &str = "RPC eth_getUserOperationByHash";
const SEND: &str = "RPC eth_sendUserOperation";

/// An estimate of more than the wallet has.
fn too_much() -> String {
    changed(&transfer(1), "1000000\"", "500000001\"")
}

/// The operation of an estimate, after a change.
fn estimated(service: &mut Service, job: &str) -> Json {
    service.ask("POST /api/oc/v1/estimate", job, "200").at("data.userOps").unwrap().clone()
}

/// Sends an operation that is refused with these words.
#[track_caller]
fn refused(service: &mut Service, operation: &Json, words: &str) -> Json {
    let signed = service.sign(operation);
    service.ask(SEND, &format!(r#"{signed},"{ENTRY_POINT}""#), &format!("200 | said ~ {words}"))
}

/// Sends an operation, and returns its hash and its receipt after its block.
#[track_caller]
fn executed(service: &mut Service, operation: &str) -> (String, Json) {
    let hash = service.sent(operation);
    service.now += 2_000;
    let answer = service.ask(RECEIPT, &format!("\"{hash}\""), "200 | error = nothing");
    (hash, answer.at("result").unwrap().clone())
}

#[test]
fn an_operation_is_followed_from_the_estimate_to_the_receipt() {
    let orders = "GET /api/oc/v1/orders?intent_id=e4fb7f8b-d19d-4785-94af-000000000001";
    for (job, success, status) in
        [(transfer(1), 1, "SUCCESSFUL"), (too_much(), 0, "FAILED_ON_CHAIN")]
    {
        let mut service = Service::new("{}");
        let operation = service.signed(&job);
        let hash = service.sent(&operation);
        let of_hash = format!("\"{hash}\"");
        let sender = format!("0x{:0>64}", &parse(&operation).unwrap().text("sender")[2..]);
        // A program that asks its own node finds the event by the hash and by the sender.
        let filters =
            [format!(r#"[null,"{hash}"]"#), format!(r#"[null,null,["{sender}"]]"#), "[]".into()];
        let filters =
            filters.map(|topics| format!(r#"{{"address":"{ENTRY_POINT}","topics":{topics}}}"#));
        let [latest, logs] = ["RPC eth_getBlockByNumber", "RPC eth_getLogs"];
        let block = |number: u8, time: i64| {
            format!("200 | result.number = {number:#x} | result.timestamp = {:#x}", time / 1_000)
        };
        for filter in &filters {
            service.ask(logs, filter, "200 | result = []");
        }
        service.walk(&[
            [latest, r#""finalized",false"#, &block(0, NOW)],
            [RECEIPT, &of_hash, "200 | result = null"],
            ["wait 2000", "", ""],
            [RECEIPT, &of_hash, "200 | result.receipt.blockHash > <block>"],
            [latest, r#""finalized",false"#, &block(1, NOW + 2_000)],
            [BY_HASH, &of_hash, "200 | result.blockHash = <block>"],
            [orders, "", &format!("200 | item = {status}")],
            // Once and not twice.
            [SEND, &format!(r#"{operation},"{ENTRY_POINT}""#), "200 | said = already known"],
        ]);
        let known = service.ask(BY_HASH, &of_hash, "200");
        assert_eq!(known.at("result.userOperation"), parse(&operation).as_ref());
        assert_eq!(service.balance(USDC, RECIPIENT), success * 1_000_000);

        let receipt = service.ask(RECEIPT, &of_hash, "200").at("result").unwrap().clone();
        let outcome = sendoff::json::read_receipt(&hash, &receipt.to_string()).unwrap();
        let outcome = parse(&outcome).unwrap();
        assert_eq!(outcome.text("outcome") == "succeeded", success == 1);
        let most = sendoff::json::max_cost(&operation).unwrap();
        let [most, cost]: [u128; 2] = [most.trim_matches('"'), &*outcome.text("actualGasCost")]
            .map(|wei| wei.parse().unwrap());
        assert!(cost > 0 && cost <= most, "{cost} of {most}");

        let word = |key: &str| format!("{:0>64}", &receipt.text(key).to_lowercase()[2..]);
        let event = b"UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)";
        let event = sendoff::value::Word::keccak256(event).to_string();
        let topics = [event, hash, sender.clone(), format!("0x{}", word("paymaster"))];
        let log = receipt.at("logs.0").unwrap();
        assert_eq!([0, 1, 2, 3].map(|at| log.text(&format!("topics.{at}"))), topics);
        let gas = format!("{}{}", word("actualGasCost"), word("actualGasUsed"));
        assert_eq!(log.text("data"), format!("0x{}{success:064x}{gas}", word("nonce")));
        assert_eq!(log.text("address"), ENTRY_POINT);
        for key in ["blockHash", "blockNumber", "transactionHash", "transactionIndex"] {
            assert_eq!(log.text(key), receipt.text(&format!("receipt.{key}")), "{key}");
        }
        assert_eq!(receipt.at("logs"), receipt.at("receipt.logs"));
        for filter in &filters {
            service.ask(logs, filter, &format!("200 | result = {}", receipt.text("logs")));
        }
        for filter in [
            format!(r#"{{"address":"{USDC}"}}"#),
            filters[0].replace(&topics[1], &sender),
            filters[2].replace("[]", r#"["0x00"]"#),
            filters[2].replace("[]", r#"[null,null,null,null,null,"0x"]"#),
        ] {
            service.ask(logs, &filter, "200 | result = []");
        }
    }
}

/// With their reasons and in their order; `test chain` compares random operations.
#[test]
fn the_entry_point_refuses_as_the_published_one() {
    let mut service = Service::new("{}");
    let honest = estimated(&mut service, &transfer(1));
    for (field, value, expected) in [
        ("callGasLimit", "0xffffffffffffffffffffffffffffffff", "AA94"),
        ("verificationGasLimit", "0x1", "AA23 reverted"),
        ("verificationGasLimit", "0x1869f", "AA26"),
        ("paymasterVerificationGasLimit", "0x1", "AA33 reverted"),
        ("paymasterVerificationGasLimit", "0xea5f", "AA36"),
        // More than a block of 30,000,000 leaves to it.
        ("callGasLimit", "0x1c27a00", "AA95 out of gas"),
        ("preVerificationGas", "0x1", "preVerificationGas is too low"),
        ("maxPriorityFeePerGas", "0x2255101", "maxPriorityFeePerGas is above"),
        ("sender", RECIPIENT, "AA20"),
        ("paymaster", RECIPIENT, "AA30"),
        ("preVerificationGas", "0xffffffffffffff", "AA31"),
    ] {
        let mut operation = honest.clone();
        operation.set(field, value.into());
        let error = refused(&mut service, &operation, expected);
        let refusal = sendoff::json::read_refusal(&error.text("error")).unwrap();
        assert!(!refusal.contains("unknown"), "{refusal}");
    }
    // A field is changed after it was signed.
    let signed = service.sign(&honest);
    let late = changed(&signed, r#""callGasLimit":"0x"#, r#""callGasLimit":"0x1"#);
    service.ask(SEND, &format!(r#"{late},"{ENTRY_POINT}""#), "200 | said = AA24 signature error");
    service.ask(SEND, &format!(r#"{signed},"{RECIPIENT}""#), "200 | said ~ EntryPoint");
}

#[test]
fn a_nonce_is_used_once() {
    for switch in ["job", "sequence"] {
        let mut service = Service::new(&format!(r#"{{"switches":{{"nonces":"{switch}"}}}}"#));
        // As the sequence of a key, the lower half of this job's id is 0.
        let job = "e4fb7f8b-d19d-4785-0000-000000000000";
        let asked = changed(&transfer(1), "e4fb7f8b-d19d-4785-94af-000000000001", job);
        let mut operation = estimated(&mut service, &asked);
        let first = service.sign(&operation);
        service.sent(&first);

        // While it waits, an operation of the same nonce replaces it if it pays a tenth more.
        operation.set("maxFeePerGas", "0x2255101".into());
        refused(&mut service, &operation, "replacement underpriced");
        let fees = parse(&sendoff::json::replacement_fees(&first, None).unwrap()).unwrap();
        for fee in ["maxFeePerGas", "maxPriorityFeePerGas"] {
            operation.set(fee, fees.at(fee).unwrap().clone());
        }
        let enough = service.sign(&operation);
        let (_, receipt) = executed(&mut service, &enough);
        assert_eq!(receipt.at("success"), Some(&Json::Bool(true)), "{receipt}");
        operation.set("maxFeePerGas", "0xffffffff".into());
        refused(&mut service, &operation, "AA25");
        assert_eq!(service.balance(USDC, RECIPIENT), 1_000_000);

        let call =
            sendoff::json::nonce_call("0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906", job).unwrap();
        let call = format!(r#"{{"to":"{ENTRY_POINT}","data":{call}}},"finalized""#);
        let next = service.ask("RPC eth_call", &call, "200 | error = nothing").text("result");
        let read = sendoff::json::read_nonce(job, &next).unwrap();
        assert_eq!(read, r#"{"used":true}"#, "{switch}");
    }
}

#[test]
fn intents_end_with_their_reasons() {
    let native = changed(&changed(&transfer(1), USDC, ""), "1000000\"", "900000000000000000000\"");
    let cents = changed(&transfer(1), "1000000\"", "999999\"");
    let minimum = r#"{"switches":{"minimum":"1 USD"}}"#;
    for (options, job, reason) in [
        ("{}", too_much(), Some("ERC20: transfer amount exceeds balance")),
        // The native token has no contract that could say why.
        ("{}", native, Some("nothing")),
        ("{}", cents.clone(), None),
        (minimum, cents, Some("the order's value is below 1 USD")),
        (minimum, transfer(1), None),
    ] {
        let mut service = Service::new(options);
        let signed = service.signed(&job);
        let mut other = Service { state: service.state.clone(), now: NOW };
        other.ask("POST /api/oc/v1/execute", &signed, "200");
        other.now += 2_000;
        let status = if reason.is_some() { "FAILED_ON_CHAIN" } else { "SUCCESSFUL" };
        let expected = format!("200 | item = {status}");
        other.ask("GET /api/oc/v1/orders", "", &expected);

        let (hash, receipt) = executed(&mut service, &signed);
        service.ask("GET /api/oc/v1/orders", "", &expected);
        assert_eq!(service.balance(USDC, RECIPIENT) == 0, reason.is_some());
        let outcome = sendoff::json::read_receipt(&hash, &receipt.to_string()).unwrap();
        let outcome = parse(&outcome).unwrap();
        assert_eq!(outcome.text("reason.text"), reason.unwrap_or("nothing"));
        assert_ne!(outcome.text("actualGasCost"), "0");
    }
}

#[test]
fn a_contract_answers_the_functions_of_its_standard() {
    let mut service = Service::new("{}");
    let args = format!(r#""o":"{WALLET}","s":"{RECIPIENT}","i":"56""#);
    let none = "because it has no such function";
    let first = "data.args.i: expected a number, found `first`";
    let [text, number, nothing] = ["`0x12`", "`18`", "`nothing`"]
        .map(|found| format!("data.args.o: expected an address, found {found}"));
    for (name, contract, inputs, args, expected) in [
        ("symbol", USDC, "", &*args, Ok("USDC")),
        ("decimals", USDC, "", &args, Ok("6")),
        ("totalSupply", USDC, "", &args, Ok("501000000000")),
        ("allowance", USDC, "os", &args, Ok("0")),
        ("ownerOf", COLLECTION, "i", &args, Ok(WALLET)),
        ("balanceOf", COLLECTION, "o", &args, Ok("2")),
        ("tokenURI", COLLECTION, "i", r#""i":56"#, Ok("ipfs://sandbox/56")),
        ("name", COLLECTION, "", &args, Ok("super orchestrators")),
        ("isApprovedForAll", COLLECTION, "os", &args, Ok("false")),
        ("balanceOf", PIECES, "oi", &args, Ok("25")),
        ("uri", PIECES, "i", &args, Ok("ipfs://sandbox/56")),
        ("name", PIECES, "", &args, Ok("super avengers")),
        ("ownerOf", USDC, "i", &args, Err(none)),
        ("decimals", COLLECTION, "", &args, Err(none)),
        ("allowance", COLLECTION, "oo", &args, Err(none)),
        ("uri", COLLECTION, "i", &args, Err(none)),
        ("balanceOf", COLLECTION, "oi", &args, Err(none)),
        ("ownerOf", PIECES, "i", &args, Err(none)),
        ("tokenURI", PIECES, "i", &args, Err(none)),
        ("balanceOf", PIECES, "o", &args, Err(none)),
        ("totalSupply", PIECES, "", &args, Err(none)),
        ("name", RECIPIENT, "", &args, Err("because it has no such contract")),
        ("nonces", USDC, "o", &args, Err("does not read `nonces`")),
        ("ownerOf", COLLECTION, "i", r#""i":"999""#, Err("ERC721: invalid token ID")),
        // Arguments of another form.
        ("balanceOf", USDC, "o", r#""o":"0x12""#, Err(&*text)),
        ("balanceOf", USDC, "o", r#""o":18"#, Err(&number)),
        ("balanceOf", USDC, "o", "", Err(&nothing)),
        ("ownerOf", COLLECTION, "i", r#""i":"first""#, Err(first)),
    ] {
        let expected = match expected {
            Ok(answer) => format!("200 | data.0 = {answer}"),
            Err(issue) if issue.starts_with("data") => {
                format!("400 | code = ER-TECH-0016 | issue = {issue}")
            }
            Err(why) => format!("422 | code = ER-TECH-0013 | said ~ {why}"),
        };
        // An input is `i` for an id, `o` and `s` for owners.
        let inputs = inputs.chars().map(|input| format!(r#"{{"name":"{input}"}}"#));
        let body = format!(
            r#"{{"network_name":"POLYGON","data":{{"contractAddress":"{contract}","abi":{{
            "name":"{name}","inputs":[{}],"outputs":[],"type":"function"}},"args":{{{args}}}}}}}"#,
            inputs.collect::<Vec<_>>().join(",")
        );
        service.ask("POST /api/v1/readContractData", &body, &expected);
    }
}

#[test]
fn gas_that_is_left_costs_as_in_each_entry_point() {
    // A transfer uses 150,000: 30,000 are left, then 50,000.
    let [seven, eight, nine] = ["0.7", "0.8", "0.9"].map(|version| {
        let mut service = Service::new(&format!(r#"{{"deployment":{{"version":"{version}"}}}}"#));
        [(1, "0x2bf20"), (2, "0x30d40")].map(|(job, limit)| {
            let mut operation = estimated(&mut service, &transfer(job));
            operation.set("callGasLimit", limit.into());
            let signed = service.sign(&operation);
            let (_, receipt) = executed(&mut service, &signed);
            u64::from_str_radix(&receipt.text("actualGasUsed")[2..], 16).unwrap()
        })
    });
    assert_eq!(seven[1] - seven[0], 2_000);
    assert_eq!([seven[0] - eight[0], seven[1] - eight[1]], [3_000, 0]);
    assert_eq!(eight, nine);
}

#[test]
fn a_call_that_is_wrong_is_refused_with_what_was_found() {
    let mut service = Service::new("{}");
    let read = |to: &str, data: &str| format!(r#"{{"to":"{to}","data":"{data}"}}"#);
    let estimate = |operation: &str| format!(r#"{operation},"{ENTRY_POINT}""#);
    let (call, gas) = ("RPC eth_call", "RPC eth_estimateUserOperationGas");
    let no_hash = format!("\"0x{}\"", "0".repeat(64));
    let wrong = "error.code = -32602";
    let (of_nobody, no_balance) =
        (format!("0x70a08231{}", "f".repeat(64)), "does not read `balanceOf`");
    let (no_nft, reverted) =
        (format!("0x6352211e{:064x}", 999), "execution reverted: ERC721: invalid");
    let nobody = format!(r#"{{"sender":"{RECIPIENT}","callData":"0x"}}"#);
    let hash = r#"expected a hash, 32 bytes in hex, found `"0x1"`"#;
    let entry_point = format!(r#"expected the EntryPoint {ENTRY_POINT}, found `"0x1"`"#);
    let parameters = "expected the parameters of `eth_chainId`, found `[1]`";
    for (method, params, expected) in [
        (call, read(RECIPIENT, "0xc2985578"), format!("said ~ `0xc2985578` of `{RECIPIENT}`")),
        (call, read(RECIPIENT, "0x06fdde03"), format!("said ~ `name` of `{RECIPIENT}`")),
        (call, read(RECIPIENT, "0x"), format!("said ~ `0x` of `{RECIPIENT}`")),
        // Not an address: its upper bytes are not zero. And no argument at all.
        (call, read(USDC, &of_nobody), format!("said ~ {no_balance}")),
        (call, read(USDC, "0x70a08231"), format!("said ~ {no_balance}")),
        (call, read(COLLECTION, &no_nft), format!("said ~ {reverted}")),
        (call, "5".into(), wrong.into()),
        (call, read("0x", "zz"), wrong.into()),
        (gas, estimate("5"), wrong.into()),
        (gas, estimate("{}"), wrong.into()),
        (gas, estimate(r#"{"sender":"0x12","callData":"zz"}"#), wrong.into()),
        (gas, estimate(&nobody), "said = AA20 account not deployed".into()),
        (RECEIPT, no_hash.clone(), "result = null".into()),
        (BY_HASH, no_hash, "result = null".into()),
        (RECEIPT, r#""nothex""#.into(), wrong.into()),
        (RECEIPT, "null".into(), wrong.into()),
        (BY_HASH, r#""0x1""#.into(), format!("{wrong} | said = {hash}")),
        ("RPC eth_chainId", "1".into(), format!("{wrong} | said = {parameters}")),
        (SEND, r#"{},"0x1""#.into(), format!("{wrong} | said = {entry_point}")),
        ("RPC eth_sign", "".into(), "error.code = -32601".into()),
    ] {
        service.ask(method, &params, &format!("200 | {expected}"));
    }
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}]"#;
    service.ask("POST /rpc", batch, "200 | error.code = -32600");
}
