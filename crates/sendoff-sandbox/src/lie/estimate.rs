//! Lies about an estimate: another transfer than the requested one, and every other part of the
//! reply.

use alloc::{string::String, vec::Vec};

use super::{Face, How, Lie, On};
use crate::Json;
use crate::entry_point::other_account;
use crate::intents::FEE;
use crate::text::replaced;

/// Somebody else's address.
const STRANGER: &str = "0x5afe0000000000000000000000000000000bad00";
/// The same as JSON.
const QUOTED: &str = r#""0x5afe0000000000000000000000000000000bad00""#;
/// The data of an approval without limit.
const APPROVAL: &str = "0x095ea7b30000000000000000000000005afe0000000000000000000000000000000bad00\
    ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

/// The path of the call data.
pub(super) const CALL_DATA: &str = "data.userOps.callData";

const fn lie(name: &'static str, about: &'static str, how: How) -> Lie {
    Lie {
        name,
        about,
        on: On::Estimate,
        may_be_ignored: false,
        needs_failure: false,
        source: "",
        how,
    }
}

/// In a part that is not signed.
const fn beside(name: &'static str, about: &'static str, how: How) -> Lie {
    Lie { may_be_ignored: true, ..lie(name, about, how) }
}

/// Makes an estimate of a lie: that of another request or of other facts, in a part of the honest reply.
pub(crate) fn retold(lie: &Lie, honest: &str, request: &Json, facts: &Json) -> Option<String> {
    let How::Retold(change, face) = lie.how else { return None };
    let (mut other, mut facts) = (request.clone(), facts.clone());
    change(&mut other, &mut facts);
    let lied = sendoff::json::estimate(&other.to_json(), &facts.to_json()).ok()?;
    if face == Face::Both {
        return Some(lied);
    }
    let (mut reply, lied) = (Json::parse(honest)?, Json::parse(&lied)?);
    let part = if face == Face::Bytes { CALL_DATA } else { "data.callData.payload" };
    *reply.at_mut(part)? = lied.at(part)?.clone();
    Some(reply.to_json())
}

/// Sets a key of the intent's details, or of its first transaction.
fn detail(request: &mut Json, key: &str, value: Json) {
    let is_raw = request.text("type") == "RAW_TRANSACTION";
    let place = if is_raw && key != "caip2Id" { "details.transactions.0" } else { "details" };
    if let Some(details) = request.at_mut(place) {
        details.set(key, value);
    }
}

fn recipient(request: &mut Json, _: &mut Json) {
    let is_raw = request.text("type") == "RAW_TRANSACTION";
    detail(request, if is_raw { "to" } else { "recipientWalletAddress" }, STRANGER.into());
}

fn amount(request: &mut Json, _: &mut Json) {
    match request.text("type") {
        "RAW_TRANSACTION" => detail(request, "value", "0x16345785d8a0000".into()),
        "NFT_TRANSFER" => {
            detail(request, "nftType", "ERC1155".into());
            detail(request, "amount", "25".into());
        }
        _ => detail(request, "amount", "100000000".into()),
    }
}

fn asset(request: &mut Json, _: &mut Json) {
    const USDC: &str = "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359";
    let is_native = request.at("details.tokenAddress").and_then(Json::as_text) == Some("");
    match request.text("type") {
        "RAW_TRANSACTION" => detail(request, "data", APPROVAL.into()),
        "NFT_TRANSFER" => detail(request, "nftId", "58".into()),
        _ => detail(request, "tokenAddress", if is_native { USDC } else { "" }.into()),
    }
}

/// Another recipient among the arguments of a call.
fn argument(request: &mut Json, _: &mut Json) {
    let data = request.at_mut("details.transactions.0.data");
    overwrite(data, 16, STRANGER.trim_start_matches("0x"));
}

/// Puts these digits into bytes, from one on. Bytes that are too short stay as they are.
pub(super) fn overwrite(bytes: Option<&mut Json>, at: usize, digits: &str) {
    let Some(Json::Text(data)) = bytes else { return };
    let at = at.saturating_mul(2).saturating_add(2);
    let around = data.get(..at).zip(data.get(at.saturating_add(digits.len())..));
    if let Some((before, after)) = around {
        *data = [before, digits, after].concat();
    }
}

fn chain(request: &mut Json, facts: &mut Json) {
    let chain = "eip155:8453";
    detail(request, "caip2Id", chain.into());
    facts.remove("fees");
}

/// Another type with its own details.
fn kind(request: &mut Json, facts: &mut Json) {
    if request.text("type") != "RAW_TRANSACTION" {
        return approval(request, facts);
    }
    let details = r#"{"caip2Id":"","recipientWalletAddress":"0x5afe0000000000000000000000000000000bad00","tokenAddress":"","amount":"1"}"#;
    replace(request, "TOKEN_TRANSFER", details);
}

/// Replaces the intent by another one on the same chain.
fn replace(request: &mut Json, kind: &str, details: &str) {
    let mut details = Json::parse(details).unwrap_or_default();
    details.set("caip2Id", request.at("details.caip2Id").cloned().unwrap_or_default());
    request.set("type", kind.into());
    request.set("details", details);
}

/// An unlimited approval instead of the intent.
fn approval(request: &mut Json, _: &mut Json) {
    let to = ["details.tokenAddress", "details.collectionAddress"]
        .into_iter()
        .filter_map(|path| request.at(path)?.as_text())
        .find(|text| !text.is_empty());
    let to = Json::from(to.unwrap_or("0x3c499c542cef5e3811e1192ce70d8cc03d5c3359"));
    let details = r#"{"caip2Id":"","transactions":[{"from":"0xdca7f8e25091b927db769337d7efdedbf772bb9a","to":"","data":"","value":"0x0"}]}"#;
    replace(request, "RAW_TRANSACTION", details);
    detail(request, "to", to);
    detail(request, "data", APPROVAL.into());
}

fn job(request: &mut Json, _: &mut Json) {
    request.set("jobId", "5afe5afe-0000-4000-8000-000000000bad".into());
}

fn payer(request: &mut Json, facts: &mut Json) {
    request.set("feePayerAddress", STRANGER.into());
    if let Some(policies) = facts.at_mut("policies") {
        policies.set("sponsorshipEnabled", true.into());
    }
}

/// Changes the transactions of a batch.
fn batch(request: &mut Json, change: fn(&mut Vec<Json>)) {
    if let Some(Json::List(transactions)) = request.at_mut("details.transactions") {
        change(transactions);
    }
}

/// A transaction more, to a stranger.
fn added(transactions: &mut Vec<Json>) {
    let mut more = transactions.first().cloned().unwrap_or(Json::Null);
    more.set("to", STRANGER.into());
    transactions.push(more);
}

/// One less, if there are several.
fn left_out(transactions: &mut Vec<Json>) {
    if transactions.len() > 1 {
        transactions.pop();
    }
}

/// The amounts of the first two change places, so the sum stays.
fn exchanged(transactions: &mut Vec<Json>) {
    if let [one, other, ..] = transactions.as_mut_slice()
        && let (Some(one), Some(other)) = (one.at_mut("value"), other.at_mut("value"))
    {
        core::mem::swap(one, other);
    }
}

fn gas_station(_: &mut Json, facts: &mut Json) {
    let gsn =
        r#"{"isPossible":true,"isRequired":true,"requiredNetworks":["eip155:1"],"tokens":[]}"#;
    facts.set("gsn", Json::parse(gsn).unwrap_or_default());
}

fn policies(_: &mut Json, facts: &mut Json) {
    if let Some(Json::Bool(flag)) = facts.at_mut("policies.gsnEnabled") {
        *flag = !*flag;
    }
}

fn account(_: &mut Json, facts: &mut Json) {
    let other = other_account(facts.text("userSWA"));
    facts.set("userSWA", other.into());
}

fn fact(facts: &mut Json, key: &str) {
    facts.set(key, STRANGER.into());
}

/// Sets a field at a path, if there is an object for it.
pub(super) fn set(body: &mut Json, path: &str, value: Json) {
    let Some((part, key)) = path.rsplit_once('.') else { return body.set(path, value) };
    if let Some(part) = body.at_mut(part) {
        part.set(key, value);
    }
}

fn text(body: &Json, path: &str) -> String {
    body.at(path).and_then(Json::as_text).unwrap_or_default().into()
}

#[rustfmt::skip]
pub(super) const LIES: &[Lie] = &[
    // Another transfer.
    lie("recipient-swapped", "The whole reply transfers to a stranger.", How::Retold(recipient, Face::Both)),
    lie("recipient-in-the-bytes", "The call data transfers to a stranger; the readable part is honest.", How::Retold(recipient, Face::Bytes)),
    lie("recipient-in-the-text", "The readable part names a stranger; the call data is honest.", How::Retold(recipient, Face::Plain)),
    lie("amount-raised", "The call data moves more than was asked for.", How::Retold(amount, Face::Bytes)),
    lie("asset-swapped", "The call data moves another token or NFT.", How::Retold(asset, Face::Bytes)),
    lie("chain-swapped", "The call data moves it on another chain.", How::Retold(chain, Face::Bytes)),
    lie("approval-instead", "The call data approves a stranger without limit.", How::Retold(approval, Face::Bytes)),
    lie("reply-to-another-request", "The reply is an honest one for another job.", How::Retold(job, Face::Both)),
    lie("job-in-the-bytes", "The call data starts another job.", How::Retold(job, Face::Bytes)),
    lie("fee-payer-added", "Another account pays the fee.", How::Retold(payer, Face::Both)),
    lie("fee-payer-in-the-bytes", "The call data names another fee payer.", How::Retold(payer, Face::Bytes)),
    lie("user-in-the-bytes", "The call data is for another user's account.", How::Retold(|_, facts| fact(facts, "userSWA"), Face::Bytes)),
    lie("client-in-the-bytes", "The call data is for another application.", How::Retold(|_, facts| fact(facts, "clientSWA"), Face::Bytes)),
    lie("client-swapped", "The whole reply is for another application.", How::Retold(|_, facts| fact(facts, "clientSWA"), Face::Both)),
    lie("job-manager-swapped", "The call data calls another job manager.", How::Retold(|_, facts| fact(facts, "jobManager"), Face::Bytes)),
    lie("user-swapped", "The whole reply is for another user.", How::Retold(|_, facts| fact(facts, "userSWA"), Face::Both)),
    lie("another-account", "The whole reply is for another account of the same key.", How::Retold(account, Face::Both)),
    lie("transaction-added", "The batch has a transaction more, to a stranger.", How::Retold(|request, _| batch(request, added), Face::Both)),
    lie("transaction-left-out", "The last transaction of the batch is missing.", How::Retold(|request, _| batch(request, left_out), Face::Both)),
    lie("transactions-reordered", "The batch has another order.", How::Retold(|request, _| batch(request, |transactions| transactions.reverse()), Face::Both)),
    lie("amounts-with-the-same-sum", "Two transactions exchange their amounts.", How::Retold(|request, _| batch(request, exchanged), Face::Both)),
    lie("nft-standard-swapped", "The NFT is moved by another standard.", How::Retold(|request, _| detail(request, "nftType", "ERC1155".into()), Face::Both)),
    lie("fee-payer-left-out", "The fee payer of the request is left out.", How::Retold(|request, _| request.remove("feePayerAddress"), Face::Both)),
    lie("policies-switched", "A policy of the application is switched.", How::Retold(policies, Face::Both)),
    lie("gas-station-switched", "The gas station network is required on another chain.", How::Retold(gas_station, Face::Both)),
    lie("recipient-inside-the-data", "The recipient among the arguments of a call is a stranger.", How::Retold(argument, Face::Both)),
    lie("type-from-the-server", "The reply has another type, with details of that type.", How::Retold(kind, Face::Both)),
    // Another operation.
    lie("nonce-swapped", "The operation has another nonce than the job's.", How::Set("data.userOps.nonce", r#""0x0000000000000000000000000000000000000000000000000000000000000bad""#)),
    lie("fee-cap-raised", "The operation has a higher price of gas.", How::Set("data.userOps.maxFeePerGas", r#""0xffffffffff""#)),
    lie("tip-raised", "The tip takes all that the cap allows, and the cap is raised.", How::Each(&["maxFeePerGas", "maxPriorityFeePerGas"], |value| *value = "0xffffffffff".into())),
    lie("tip-swapped", "The operation has another tip, and an honest cap.", How::Set("data.userOps.maxPriorityFeePerGas", r#""0x1""#)),
    lie("gas-moved-to-the-bundler", "Gas moves from the call to the bundler.", How::Edit(|body| {
        set(body, "data.userOps.callGasLimit", "0x1".into());
        set(body, "data.userOps.preVerificationGas", "0xaae5f".into());
    })),
    lie("gas-raised", "The gas that is paid whatever happens is raised.", How::Set("data.userOps.preVerificationGas", r#""0x3938700""#)),
    lie("call-gas-starved", "The gas for the call is too low: it fails, and costs.", How::Set("data.userOps.callGasLimit", r#""0x1""#)),
    lie("post-op-starved", "The gas for the paymaster's work after the call is too low.", How::Set("data.userOps.paymasterPostOpGasLimit", r#""0x0""#)),
    lie("paymaster-gas-raised", "The gas for the paymaster's validation is raised.", How::Set("data.userOps.paymasterVerificationGasLimit", r#""0x44aa200""#)),
    lie("gas-beyond-the-entry-point", "A limit is higher than the EntryPoint accepts.", How::Set("data.userOps.verificationGasLimit", r#""0x1000000000000000000000000000000""#)),
    lie("paymaster-swapped", "Another contract pays.", How::Set("data.userOps.paymaster", QUOTED)),
    lie("paymaster-data-swapped", "The paymaster gets other data than the request's.", How::Around(&["paymasterData"], &["", "00"])),
    lie("sender-swapped", "The operation is another account's.", How::Set("data.userOps.sender", QUOTED)),
    lie("bytes-behind-the-call", "The call data goes on after its end.", How::Around(&["callData"], &["", "0000000000000000000000000000000000000000000000000000000000000000"])),
    lie("call-data-cut", "The call data ends early.", How::Edit(|body| {
        let data = text(body, "data.userOps.callData");
        let cut = data.get(..data.len().saturating_sub(64)).unwrap_or_default();
        set(body, "data.userOps.callData", cut.into());
    })),
    lie("dirty-padding", "A byte behind the selector is not zero.", How::Bytes(4, "01")),
    lie("offset-elsewhere", "An offset in the call data points to another place.", How::Bytes(0x7f, "f0")),
    lie("another-function", "The account is called by another function.", How::Bytes(0, "b61d27f6")),
    lie("value-sent-along", "The account sends the native token along.", How::Bytes(0x5f, "01")),
    lie("ambiguous-transaction", "A key in the call data has another letter case.", How::Spelled("22746f223a", "22546f223a")),
    lie("recipient-is-the-sender", "The operation is the recipient's own.", How::Edit(|body| {
        let recipient = text(body, "data.callData.payload.recipientWalletAddress");
        if !recipient.is_empty() {
            set(body, "data.userOps.sender", recipient.into());
        }
    })),
    // Another description.
    lie("intent-type-swapped", "The readable part names another intent.", How::Set("data.callData.intentType", r#""NFT_MINT""#)),
    lie("policies-shown", "The readable policies differ from those in the bytes.", How::Edit(|body| {
        if let Some(Json::Bool(flag)) = body.at_mut("data.callData.policies.sponsorshipEnabled") { *flag = !*flag; }
    })),
    lie("gsn-shown", "The readable networks differ from those in the bytes.", How::Set("data.callData.gsn.isRequired", "true")),
    lie("fees-of-another-chain", "The fee is shown for another chain.", How::Set("data.details.fees.transactionFees", r#"{"eip155:77":"1"}"#)),
    lie("key-in-the-payload", "The readable payload has a key more.", How::Set("data.callData.payload.memo", r#""hello""#)),
    lie("nothing-to-compare", "The readable payload is empty.", How::Set("data.callData.payload", "{}")),
    lie("amount-of-a-single-nft", "The readable payload moves two pieces of a single NFT.", How::Spelled(r#""amount":"1","#, r#""amount":"2","#)),
    lie("nft-id-in-another-base", "The readable id of the NFT has another base.", How::Spelled(r#""nftId":""#, r#""nftId":"0x"#)),
    lie("chain-id-in-another-form", "The readable chain has a leading zero.", How::Spelled("eip155:", "eip155:0")),
    lie("number-in-another-form", "The readable amount has a sign.", How::Edit(|body| {
        if let Some(Json::Text(amount)) = body.at_mut("data.callData.payload.amount") {
            amount.insert(0, '+');
        }
    })),
    lie("look-alike-characters", "A letter of the readable chain is one of another script.", How::Spelled("eip155:", "\u{435}ip155:")),
    lie("invisible-characters", "The readable chain has a character that nobody sees.", How::Spelled("eip155:", "eip155:\u{200b}")),
    lie("white-space-around", "The readable chain has a space before it.", How::Spelled("\"eip155:", "\" eip155:")),
    beside("fees-of-a-swap", "A transfer has the fees of a swap.", How::Spelled(r#"InInputToken":"""#, r#"InInputToken":"1""#)),
    beside("estimated-amount", "The estimation has another amount.", How::Set("data.details.estimation.amount", r#""1""#)),
    beside("fee-in-dollars", "A fee in dollars is shown.", How::Set("data.details.fees.approxTransactionFeesInUSDT", r#""0.01""#)),
    beside("fee-shown", "Another fee is shown.", How::Spelled(FEE, "1")),
    beside("gsn-tokens", "The gas station has a token.", How::Set("data.callData.gsn.tokens", r#"["eip155:1"]"#)),
    // Keys more.
    beside("hash-from-the-server", "The operation has a hash, that of another one.", How::Set("data.userOps.userOpHash", r#""0x5afe0000000000000000000000000000000000000000000000000000000000ba""#)),
    beside("delegation-in-the-reply", "The operation has an authorization of EIP-7702.", How::Set("data.userOps.eip7702Auth", r#"{"address":"0x5afe0000000000000000000000000000000bad00","nonce":"0x0"}"#)),
    beside("field-added-to-the-operation", "The operation has a field that no hash covers.", How::Set("data.userOps.paymasterSignature", QUOTED)),
    // Another form.
    lie("status-failure", "The status is another word than `success`.", How::Set("status", r#""failure""#)),
    lie("error-beside-the-data", "The status is `error`, with the whole data of a success beside it.", How::Spelled(r#"{"status":"success","#, r#"{"status":"error","error":{"code":400,"message":"refused"},"#)),
    lie("field-missing", "The operation has no nonce.", How::Edit(|body| {
        if let Some(operation) = body.at_mut("data.userOps") { operation.remove("nonce"); }
    })),
    lie("field-null", "The sender is null.", How::Set("data.userOps.sender", "null")),
    lie("number-for-text", "A gas limit is a number.", How::Set("data.userOps.callGasLimit", "348900")),
    lie("odd-hex", "The call data has an odd number of digits.", How::Around(&["callData"], &["", "0"])),
    lie("decimal-for-hex", "The fee cap is a decimal.", How::Set("data.userOps.maxFeePerGas", r#""36000000""#)),
    lie("checksum-broken", "The account is spelled with a wrong checksum.", How::Each(&["userSWA"], |value| *value = replaced(value.as_text().unwrap_or_default(), "b", "B").into())),
    lie("key-in-another-letter-case", "The sender stands under a key with a capital.", How::Spelled(r#""sender":"#, r#""Sender":"#)),
    lie("prototype-keys", "The operation stands under a key from where objects inherit.", How::Spelled(r#""userOps":{"#, r#""__proto__":{"#)),
    lie("text-behind-the-document", "The reply stands behind another document.", How::Spelled("{", "{}{")),
    lie("no-json-that-some-read", "A key has single quotes, which some readers accept.", How::Spelled(r#""status""#, "'status'")),
    lie("nested-too-deep", "A key more is nested deeper than a reader goes.", How::Spelled("{", "{\"memo\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]],")),
    lie("key-twice", "The sender stands twice, first a stranger.", How::Spelled(r#""sender":"#, r#""sender":"0x5afe0000000000000000000000000000000bad00","sender":"#)),
];
