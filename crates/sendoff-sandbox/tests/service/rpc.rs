//! The loop from the estimate to the receipt.

use crate::calls::{
    At, COLLECTION, ENTRY_POINT, Json, NOW, PIECES, RECIPIENT, Service, USDC, WALLET, changed, nft,
    parse, request, tokens, transfer,
};

const RECEIPT: &str = "eth_getUserOperationReceipt";
const SEND: &str = "eth_sendUserOperation";

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
    service.rpc(SEND, &format!(r#"[{signed},"{ENTRY_POINT}"]"#), &format!("said ~ {words}"))
}

/// Sends an operation, and returns its hash and its receipt after its block.
#[track_caller]
fn executed(service: &mut Service, operation: &str) -> (String, Json) {
    let hash = service.sent(operation);
    service.now += 2_000;
    let answer = service.rpc(RECEIPT, &format!(r#"["{hash}"]"#), "error = nothing");
    (hash, answer.at("result").unwrap().clone())
}

#[test]
fn a_transfer_is_followed_from_the_estimate_to_the_receipt() {
    let mut service = Service::new("{}");
    let operation = service.signed(&transfer(1));
    let hash = service.sent(&operation);
    let params = format!(r#"["{hash}"]"#);
    service.rpc(RECEIPT, &params, "result = null");
    assert_eq!(service.balance(USDC, RECIPIENT), 0);

    service.now += 2_000;
    let receipt = service.rpc(RECEIPT, &params, "error = nothing").at("result").unwrap().clone();
    let outcome = sendoff::json::read_receipt(&hash, &receipt.to_string()).unwrap();
    let outcome = parse(&outcome).unwrap();
    assert_eq!(outcome.text("outcome"), "succeeded");
    assert_eq!(service.balance(USDC, RECIPIENT), 1_000_000);
    let most: u128 =
        sendoff::json::max_cost(&operation).unwrap().trim_matches('"').parse().unwrap();
    let cost: u128 = outcome.text("actualGasCost").parse().unwrap();
    assert!(cost > 0 && cost <= most, "{cost} of {most}");

    let block = receipt.text("receipt.blockHash");
    let by_hash =
        service.rpc("eth_getUserOperationByHash", &params, &format!("result.blockHash = {block}"));
    assert_eq!(by_hash.at("result.userOperation"), parse(&operation).as_ref());
    let orders = "GET /api/oc/v1/orders?intent_id=e4fb7f8b-d19d-4785-94af-000000000001";
    service.ask(orders, "", "200 | data.items.0.status = SUCCESSFUL");
    // Once and not twice.
    service.rpc(SEND, &format!(r#"[{operation},"{ENTRY_POINT}"]"#), "said = already known");
}

#[test]
fn a_receipt_has_the_event_of_its_operation() {
    for (job, success) in [(transfer(1), 1), (too_much(), 0)] {
        let mut service = Service::new("{}");
        let operation = service.signed(&job);
        let (hash, receipt) = executed(&mut service, &operation);
        assert_eq!(receipt.at("logs"), receipt.at("receipt.logs"));

        let log = receipt.at("logs.0").unwrap();
        let word = |key: &str| format!("{:0>64}", &receipt.text(key).to_lowercase()[2..]);
        let event = b"UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)";
        let event = sendoff::value::Word::keccak256(event).to_string();
        let topics =
            [event, hash, format!("0x{}", word("sender")), format!("0x{}", word("paymaster"))];
        assert_eq!([0, 1, 2, 3].map(|at| log.text(&format!("topics.{at}"))), topics);
        let data = [
            word("nonce"),
            format!("{success:064x}"),
            word("actualGasCost"),
            word("actualGasUsed"),
        ];
        assert_eq!(log.text("data"), format!("0x{}", data.concat()));
        assert_eq!(log.text("address"), ENTRY_POINT);
        for key in ["blockHash", "blockNumber", "transactionHash", "transactionIndex"] {
            assert_eq!(log.text(key), receipt.text(&format!("receipt.{key}")), "{key}");
        }
    }
}

/// A program that asks its own node reads the same of an operation as the receipt says.
#[test]
fn a_node_has_the_events_and_the_time_of_its_block() {
    let mut service = Service::new("{}");
    let operation = service.signed(&transfer(1));
    let hash = service.sent(&operation);
    let sender = format!("0x{:0>64}", &parse(&operation).unwrap().text("sender")[2..]);
    let logs = |service: &mut Service, filter: &str, expected: &str| {
        let filter = format!(r#"[{{"fromBlock":"0x0","toBlock":"finalized",{filter}}}]"#);
        service.rpc("eth_getLogs", &filter, &format!("result = {expected}"));
    };
    let asked = |topics: &str| format!(r#""address":"{ENTRY_POINT}","topics":{topics}"#);
    let finds =
        [format!(r#"[null,"{hash}"]"#), format!(r#"[null,null,["{sender}"]]"#), "[]".into()];
    let block = |service: &mut Service, number: u8, seconds: i64| {
        let expected = format!("result.number = {number:#x} | result.timestamp = {seconds:#x}");
        service.rpc("eth_getBlockByNumber", r#"["finalized",false]"#, &expected);
    };
    finds.iter().for_each(|topics| logs(&mut service, &asked(topics), "[]"));
    block(&mut service, 0, NOW / 1_000);

    service.now += 2_000;
    let receipt = service.rpc(RECEIPT, &format!(r#"["{hash}"]"#), "error = nothing");
    finds
        .iter()
        .for_each(|topics| logs(&mut service, &asked(topics), &receipt.text("result.logs")));
    for topics in [
        format!(r#"[null,"{sender}"]"#),
        r#"["0x00"]"#.into(),
        r#"[null,null,null,null,null,"0x"]"#.into(),
    ] {
        logs(&mut service, &asked(&topics), "[]");
    }
    logs(&mut service, &format!(r#""address":"{USDC}""#), "[]");
    block(&mut service, 1, NOW / 1_000 + 2);
}

#[test]
fn an_order_has_its_chain_and_its_time_by_the_switches() {
    for (options, job, key, unit) in [
        ("{}", transfer(1), "caip2Id", 1),
        ("{}", too_much(), "caip2Id", 1_000),
        (r#"{"switches":{"timestamps":"seconds"}}"#, transfer(1), "caip2Id", 1_000),
        (r#"{"switches":{"timestamps":"milliseconds"}}"#, too_much(), "caip2Id", 1),
        (r#"{"switches":{"chainKey":"caip2id"}}"#, transfer(1), "caip2id", 1),
        (r#"{"switches":{"chainKey":"networkId"}}"#, transfer(1), "networkId", 1),
    ] {
        let mut service = Service::new(options);
        let operation = service.signed(&job);
        service.sent(&operation);
        // While it is open, nothing failed.
        let open = if options.contains("\"seconds") { 1_000 } else { 1 };
        let time = |time: i64| format!("200 | data.items.0.block_timestamp = {time}");
        service.ask("GET /api/oc/v1/orders", "", &time(NOW / open));
        service.now += 2_000;
        let wallets = service.ask("GET /api/oc/v1/wallets", "", "200");
        let name = if key == "networkId" { "network_id" } else { "caip_id" };
        let chain = wallets.text(&format!("data.0.{name}"));
        let expected =
            format!("{} | data.items.0.details.{key} = {chain}", time((NOW + 2_000) / unit));
        service.ask("GET /api/oc/v1/orders", "", &expected);
    }
}

/// With their reasons and in their order; `test chain` compares random operations with the published ones.
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
    service.rpc(SEND, &format!(r#"[{late},"{ENTRY_POINT}"]"#), "said = AA24 signature error");
    service.rpc(SEND, &format!(r#"[{signed},"{RECIPIENT}"]"#), "said ~ EntryPoint");
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
        let call = format!(r#"[{{"to":"{ENTRY_POINT}","data":{call}}},"finalized"]"#);
        let next = service.rpc("eth_call", &call, "error = nothing").text("result");
        let read = sendoff::json::read_nonce(job, &next).unwrap();
        assert_eq!(read, r#"{"used":true}"#, "{switch}");
    }
}

#[test]
fn what_reverts_costs_and_says_why() {
    let native = changed(&transfer(1), USDC, "");
    let native = changed(&native, "1000000\"", "900000000000000000000\"");
    for (job, reason) in
        [(too_much(), "ERC20: transfer amount exceeds balance"), (native, "nothing")]
    {
        let mut service = Service::new("{}");
        let signed = service.signed(&job);
        let (hash, receipt) = executed(&mut service, &signed);
        let outcome = sendoff::json::read_receipt(&hash, &receipt.to_string()).unwrap();
        let outcome = parse(&outcome).unwrap();
        assert_eq!([outcome.text("outcome"), outcome.text("reason.text")], ["failed", reason]);
        assert_ne!(outcome.text("actualGasCost"), "0");
        // The native token has no contract that could say why.
        assert_eq!(receipt.text("reason") == "0x", reason == "nothing");
    }
}

/// The inputs of a function: `i` for an id, `o` for an owner.
fn read_contract(name: &str, contract: &str, args: &str, inputs: &str) -> String {
    let inputs: Vec<_> = inputs.chars().map(|input| format!(r#"{{"name":"{input}"}}"#)).collect();
    format!(
        r#"{{"network_name":"POLYGON","data":{{"contractAddress":"{contract}","abi":{{"name":"{name}","inputs":[{}],"outputs":[],"type":"function"}},"args":{{{args}}}}}}}"#,
        inputs.join(",")
    )
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
        let body = read_contract(name, contract, args, inputs);
        service.ask("POST /api/v1/readContractData", &body, &expected);
    }
}

/// Changes an estimate, and returns its receipt and the gas that it used.
fn used(service: &mut Service, job: u64, field: &str, value: &str) -> (Json, u64) {
    let mut operation = estimated(service, &transfer(job));
    operation.set(field, value.into());
    let signed = service.sign(&operation);
    let (_, receipt) = executed(service, &signed);
    let used = u64::from_str_radix(&receipt.text("actualGasUsed")[2..], 16).unwrap();
    (receipt, used)
}

#[test]
fn gas_that_is_left_costs_as_in_each_entry_point() {
    // A transfer uses 150,000: 30,000 are left, then 50,000.
    let [seven, eight, nine] = ["0.7", "0.8", "0.9"].map(|version| {
        let mut service = Service::new(&format!(r#"{{"deployment":{{"version":"{version}"}}}}"#));
        [(1, "0x2bf20"), (2, "0x30d40")]
            .map(|(job, limit)| used(&mut service, job, "callGasLimit", limit).1)
    });
    assert_eq!(seven[1] - seven[0], 2_000);
    assert_eq!([seven[0] - eight[0], seven[1] - eight[1]], [3_000, 0]);
    assert_eq!(eight, nine);
}

#[test]
fn without_call_data_there_is_no_call() {
    let mut service = Service::new("{}");
    let (receipt, _) = used(&mut service, 1, "callData", "0x");
    assert_eq!(receipt.at("success"), Some(&Json::Bool(true)), "{receipt}");
    assert_eq!(service.balance(USDC, RECIPIENT), 0);
}

#[test]
fn a_call_that_is_wrong_is_refused_with_what_was_found() {
    let mut service = Service::new("{}");
    let read = |to: &str, data: &str| format!(r#"[{{"to":"{to}","data":"{data}"}}]"#);
    let estimate = |operation: &str| format!(r#"[{operation},"{ENTRY_POINT}"]"#);
    let [call, gas, by_hash] =
        ["eth_call", "eth_estimateUserOperationGas", "eth_getUserOperationByHash"];
    let no_hash = format!(r#"["0x{}"]"#, "0".repeat(64));
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
        (call, read(RECIPIENT, "0x12"), format!("said ~ `0x12` of `{RECIPIENT}`")),
        // Not an address: its upper bytes are not zero. And no argument at all.
        (call, read(USDC, &of_nobody), format!("said ~ {no_balance}")),
        (call, read(USDC, "0x70a08231"), format!("said ~ {no_balance}")),
        (call, read(COLLECTION, &no_nft), format!("said ~ {reverted}")),
        (call, "[5]".into(), wrong.into()),
        (call, read("0x", "zz"), wrong.into()),
        (gas, estimate("5"), wrong.into()),
        (gas, estimate("null"), wrong.into()),
        (gas, estimate("{}"), wrong.into()),
        (gas, estimate(r#"{"sender":"0x12","callData":"zz"}"#), wrong.into()),
        (gas, estimate(&nobody), "said = AA20 account not deployed".into()),
        (RECEIPT, no_hash.clone(), "result = null".into()),
        (by_hash, no_hash, "result = null".into()),
        (RECEIPT, r#"["nothex"]"#.into(), wrong.into()),
        (RECEIPT, "[5]".into(), wrong.into()),
        (RECEIPT, "[null]".into(), wrong.into()),
        (by_hash, r#"["0x1"]"#.into(), format!("{wrong} | said = {hash}")),
        ("eth_chainId", "[1]".into(), format!("{wrong} | said = {parameters}")),
        (SEND, r#"[{},"0x1"]"#.into(), format!("{wrong} | said = {entry_point}")),
        ("eth_sign", "[]".into(), "error.code = -32601".into()),
    ] {
        service.rpc(method, &params, &expected);
    }
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}]"#;
    service.hear(&request("POST", "/rpc", &[], batch), "200 | error.code = -32600");
}

#[test]
fn the_zero_address_gets_the_native_token_alone() {
    let mut service = Service::new(r#"{"delays":{"start":0,"end":0}}"#);
    let zero = "0x0000000000000000000000000000000000000000";
    for (path, body, id, status) in [
        ("transfer/tokens/execute", changed(&tokens("1"), USDC, ""), "orderId", "SUCCESS"),
        ("transfer/tokens/execute", tokens("1"), "orderId", "FAILED"),
        ("nft/transfer", nft("56", ""), "order_id", "FAILED"),
    ] {
        let order =
            service.ask(&format!("POST /api/v1/{path}"), &changed(&body, RECIPIENT, zero), "201");
        let target = format!("GET /api/v1/orders?order_id={}", order.text(&format!("data.{id}")));
        service.ask(&target, "", &format!("201 | data.jobs.0.status = {status}"));
    }
}
