//! Lies about an estimate: another transfer than the requested one, and every other part of the
//! reply.

use alloc::{format, string::String, vec::Vec};

use super::{Face, How, Lie, On};
use crate::Json;
use crate::json::object;

/// Somebody else's address.
const STRANGER: &str = "0x5afe0000000000000000000000000000000bad00";

const fn lie(name: &'static str, about: &'static str, how: How) -> Lie {
    Lie { name, about, on: On::Estimate, how }
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
    let part = if face == Face::Bytes { "data.userOps.callData" } else { "data.callData.payload" };
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
        "RAW_TRANSACTION" => detail(request, "data", approve_all().into()),
        "NFT_TRANSFER" => detail(request, "nftId", "58".into()),
        _ => detail(request, "tokenAddress", if is_native { USDC } else { "" }.into()),
    }
}

/// The data of an approval without limit.
fn approve_all() -> String {
    format!("0x095ea7b3{:0>64}{}", STRANGER.trim_start_matches("0x"), "f".repeat(64))
}

fn chain(request: &mut Json, facts: &mut Json) {
    let chain = "eip155:8453";
    detail(request, "caip2Id", chain.into());
    facts.remove("fees");
}

/// An unlimited approval instead of the intent.
fn approval(request: &mut Json, _: &mut Json) {
    let details = request.get("details").cloned().unwrap_or(Json::Null);
    let to = ["tokenAddress", "collectionAddress"]
        .into_iter()
        .map(|key| details.text(key))
        .find(|text| !text.is_empty());
    let to = to.unwrap_or("0x3c499c542cef5e3811e1192ce70d8cc03d5c3359");
    let transaction = object([
        ("from", "0xdca7f8e25091b927db769337d7efdedbf772bb9a".into()),
        ("to", to.into()),
        ("data", approve_all().into()),
        ("value", "0x0".into()),
    ]);
    let transactions = Json::List(alloc::vec![transaction]);
    let raw = object([("caip2Id", details.text("caip2Id").into()), ("transactions", transactions)]);
    request.set("type", "RAW_TRANSACTION".into());
    request.set("details", raw);
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

fn fact(facts: &mut Json, key: &str) {
    facts.set(key, STRANGER.into());
}

fn set(body: &mut Json, path: &str, value: Json) {
    if let Some(there) = body.at_mut(path) {
        *there = value;
    }
}

fn part_set(body: &mut Json, part: &str, key: &str, value: Json) {
    if let Some(part) = body.at_mut(part) {
        part.set(key, value);
    }
}

fn part_remove(body: &mut Json, part: &str, key: &str) {
    if let Some(part) = body.at_mut(part) {
        part.remove(key);
    }
}

fn text(body: &Json, path: &str) -> String {
    body.at(path).and_then(Json::as_text).unwrap_or_default().into()
}

/// The part of the operation.
const OPERATION: &str = "data.userOps";

#[rustfmt::skip]
pub(super) const LIES: &[Lie] = &[
    // Another transfer.
    lie("recipient-swapped", "The reply transfers to a stranger, in the bytes and in the readable part.", How::Retold(recipient, Face::Both)),
    lie("recipient-in-the-bytes", "The call data transfers to a stranger; the readable part is honest.", How::Retold(recipient, Face::Bytes)),
    lie("recipient-in-the-text", "The readable part names a stranger; the call data is honest.", How::Retold(recipient, Face::Plain)),
    lie("amount-raised", "The call data moves more than was asked for.", How::Retold(amount, Face::Bytes)),
    lie("asset-swapped", "The call data moves another token or NFT.", How::Retold(asset, Face::Bytes)),
    lie("chain-swapped", "The call data moves it on another chain.", How::Retold(chain, Face::Bytes)),
    lie("approval-instead", "The call data approves a stranger without limit, in place of the transfer.", How::Retold(approval, Face::Bytes)),
    lie("reply-to-another-request", "The reply is honest and complete, and was prepared for another job.", How::Retold(job, Face::Both)),
    lie("job-in-the-bytes", "The call data starts another job.", How::Retold(job, Face::Bytes)),
    lie("fee-payer-added", "Another account pays the fee.", How::Retold(payer, Face::Both)),
    lie("fee-payer-in-the-bytes", "The call data names another fee payer.", How::Retold(payer, Face::Bytes)),
    lie("user-in-the-bytes", "The call data is for another user's account.", How::Retold(|_, facts| fact(facts, "userSWA"), Face::Bytes)),
    lie("client-in-the-bytes", "The call data starts the job of another application.", How::Retold(|_, facts| fact(facts, "clientSWA"), Face::Bytes)),
    lie("client-swapped", "The whole reply is for another application.", How::Retold(|_, facts| fact(facts, "clientSWA"), Face::Both)),
    lie("job-manager-swapped", "The call data calls another contract in place of the job manager.", How::Retold(|_, facts| fact(facts, "jobManager"), Face::Bytes)),
    lie("user-swapped", "The whole reply is for another user.", How::Retold(|_, facts| fact(facts, "userSWA"), Face::Both)),
    // Another operation.
    lie("nonce-swapped", "The operation has another nonce than the job's.", How::Edit(|body, _| set(body, "data.userOps.nonce", format!("0x{:064x}", 0x0bad).into()))),
    lie("fee-cap-raised", "The operation has a higher price of gas.", How::Edit(|body, _| set(body, "data.userOps.maxFeePerGas", "0xffffffffff".into()))),
    lie("tip-raised", "The tip takes all that the cap allows, and the cap is raised.", How::Edit(|body, _| {
        set(body, "data.userOps.maxFeePerGas", "0xffffffffff".into());
        set(body, "data.userOps.maxPriorityFeePerGas", "0xffffffffff".into());
    })),
    lie("gas-raised", "The gas that is paid whatever happens is raised a thousandfold.", How::Edit(|body, _| set(body, "data.userOps.preVerificationGas", "0x3938700".into()))),
    lie("call-gas-starved", "The gas for the call is too low: it fails, and costs.", How::Edit(|body, _| set(body, "data.userOps.callGasLimit", "0x1".into()))),
    lie("paymaster-swapped", "Another contract pays.", How::Edit(|body, _| set(body, "data.userOps.paymaster", STRANGER.into()))),
    lie("paymaster-data-swapped", "The paymaster gets other data than the request's.", How::Edit(|body, _| {
        let data = format!("{}00", text(body, "data.userOps.paymasterData"));
        set(body, "data.userOps.paymasterData", data.into());
    })),
    lie("sender-swapped", "The operation is another account's.", How::Edit(|body, _| set(body, "data.userOps.sender", STRANGER.into()))),
    lie("bytes-behind-the-call", "The call data goes on after its end.", How::Edit(|body, _| {
        let data = format!("{}{}", text(body, "data.userOps.callData"), "00".repeat(32));
        set(body, "data.userOps.callData", data.into());
    })),
    lie("call-data-cut", "The call data ends early.", How::Edit(|body, _| {
        let data = text(body, "data.userOps.callData");
        let cut = data.get(..data.len().saturating_sub(64)).unwrap_or_default();
        set(body, "data.userOps.callData", cut.into());
    })),
    // Another description.
    lie("intent-type-swapped", "The readable part names another intent.", How::Edit(|body, _| set(body, "data.callData.intentType", "NFT_MINT".into()))),
    lie("policies-shown", "The readable policies differ from those in the bytes.", How::Edit(|body, _| {
        let flag = body.at("data.callData.policies.sponsorshipEnabled") != Some(&Json::Bool(true));
        set(body, "data.callData.policies.sponsorshipEnabled", flag.into());
    })),
    lie("gsn-shown", "The readable networks differ from those in the bytes.", How::Edit(|body, _| set(body, "data.callData.gsn.isRequired", true.into()))),
    lie("fees-of-another-chain", "The fee is shown for another chain.", How::Edit(|body, _| set(body, "data.details.fees.transactionFees", object([("eip155:77", "1".into())])))),
    lie("key-in-the-payload", "The readable payload has a key more.", How::Edit(|body, _| part_set(body, "data.callData.payload", "memo", "hello".into()))),
    // Another form.
    lie("status-failure", "The status is another word than `success`.", How::Edit(|body, _| set(body, "status", "failure".into()))),
    lie("field-missing", "The operation has no nonce.", How::Edit(|body, _| part_remove(body, OPERATION, "nonce"))),
    lie("field-null", "The sender is null.", How::Edit(|body, _| set(body, "data.userOps.sender", Json::Null))),
    lie("number-for-text", "A gas limit is a number.", How::Edit(|body, _| set(body, "data.userOps.callGasLimit", 348_900_u64.into()))),
    lie("odd-hex", "The call data has an odd number of digits.", How::Edit(|body, _| {
        let data = format!("{}0", text(body, "data.userOps.callData"));
        set(body, "data.userOps.callData", data.into());
    })),
    lie("decimal-for-hex", "The fee cap is a decimal.", How::Edit(|body, _| set(body, "data.userOps.maxFeePerGas", "36000000".into()))),
    lie("checksum-broken", "The account is spelled with a wrong checksum.", How::Edit(|body, _| {
        let account = text(body, "data.callData.userSWA").to_ascii_uppercase();
        let broken = account.strip_prefix("0X").and_then(|digits| digits.split_once('B'));
        let broken = broken.map(|(before, after)| ["0x", before, "b", after].concat());
        set(body, "data.callData.userSWA", broken.unwrap_or_else(|| STRANGER.to_ascii_uppercase()).into());
    })),
    lie("key-twice", "The sender stands twice, first a stranger.", How::Edit(|body, _| {
        if let Some(Json::Object(fields)) = body.at_mut("data.userOps") {
            let first = Vec::from([("sender".into(), STRANGER.into())]);
            *fields = first.into_iter().chain(core::mem::take(fields)).collect();
        }
    })),
];
