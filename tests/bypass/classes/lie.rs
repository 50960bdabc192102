//! A reply that makes another transfer than the requested one, in its bytes, in its readable part,
//! or in both.

use serde_json::{Value, json};

use crate::draft::{number, word};
use crate::{Case, Chance, Draft, Judgement, NFT, RAW, TOKEN};

/// The two places of a reply that describe the intent.
const CALL_DATA: &str = "data.userOps.callData";
pub(super) const PAYLOAD: &str = "data.callData.payload";

/// The part of a reply that lies.
#[derive(Clone, Copy)]
pub(super) enum Face {
    /// The call data of the operation.
    Bytes,
    /// The readable payload.
    Plain,
    /// Both, so that the reply agrees with itself.
    Both,
}

pub(super) const FACES: &[Face] = &[Face::Bytes, Face::Plain, Face::Both];

/// The reply to a request whose details are changed, in one of these parts of the honest reply.
pub(super) fn lie(
    draft: Draft,
    chance: &mut Chance,
    faces: &[Face],
    field: &str,
    change: impl FnOnce(&mut Value),
) -> Case {
    let mut other = draft.request.clone();
    change(&mut other["details"]);
    let (reply, lie) = (draft.reply(), draft.reply_to(&other));
    let (altered, judgement) =
        altered(reply, &lie, chance.pick(faces), &format!("intent.details.{field}"));
    draft.replied(altered, judgement)
}

fn altered(mut reply: Value, lie: &Value, face: Face, field: &str) -> (Value, Judgement) {
    let path = match face {
        Face::Bytes => {
            reply["data"]["userOps"]["callData"] = lie["data"]["userOps"]["callData"].clone();
            CALL_DATA
        }
        Face::Plain => {
            reply["data"]["callData"]["payload"] = lie["data"]["callData"]["payload"].clone();
            PAYLOAD
        }
        Face::Both => {
            reply = lie.clone();
            CALL_DATA
        }
    };
    (reply, Judgement::refused_field(path, field))
}

/// A raw transaction that is asked for with one data and made with another.
pub(super) fn swapped_data(
    mut draft: Draft,
    chance: &mut Chance,
    asked: String,
    made: String,
) -> Case {
    draft.set_transfers(1 + chance.below(3), chance);
    draft.request["details"]["transactions"][0]["data"] = asked.into();
    lie(draft, chance, FACES, "transactions.0.data", |details| {
        details["transactions"][0]["data"] = made.into()
    })
}

pub(super) fn transfer(to: &str) -> String {
    format!("0xa9059cbb{}{}", word(to), number(1_000_000))
}

/// The honest reply, with the bytes of one raw transaction.
pub(super) fn raw_bytes(draft: Draft, data: &str) -> Case {
    let (altered, judgement) =
        altered(draft.reply(), &raw_lie(&draft, data), Face::Bytes, "intent.type");
    draft.replied(altered, judgement)
}

/// The reply to a request of one raw transaction on the same chain, of the same job.
pub(super) fn raw_lie(draft: &Draft, data: &str) -> Value {
    let details = &draft.request["details"];
    let key = if draft.kind == NFT { "collectionAddress" } else { "recipientWalletAddress" };
    let mut other = draft.request.clone();
    other["type"] = RAW.into();
    other["details"] = json!({
        "caip2Id": details["caip2Id"],
        "transactions": [{ "from": draft.facts["userSWA"], "to": details[key], "data": data, "value": "0x0" }],
    });
    draft.reply_to(&other)
}

pub(super) fn any_field(draft: Draft, chance: &mut Chance) -> Case {
    any_field_of(draft, chance, FACES)
}

/// Another value in any field of the intent.
pub(super) fn any_field_of(mut draft: Draft, chance: &mut Chance, faces: &[Face]) -> Case {
    let field = match draft.kind {
        NFT => {
            draft.request["details"]["nftType"] = "ERC1155".into();
            let fields = [
                "caip2Id",
                "nftId",
                "recipientWalletAddress",
                "collectionAddress",
                "amount",
                "nftType",
            ];
            chance.pick(&fields).to_owned()
        }
        TOKEN => {
            chance.pick(&["caip2Id", "recipientWalletAddress", "tokenAddress", "amount"]).to_owned()
        }
        _ => {
            let count = 1 + chance.below(3);
            draft.set_transfers(count, chance);
            format!(
                "transactions.{}.{}",
                chance.below(count),
                chance.pick(&["from", "to", "value", "data"])
            )
        }
    };
    let value = match field.rsplit('.').next().unwrap() {
        "caip2Id" => format!("eip155:1{}", chance.number() >> 32),
        "nftId" | "amount" => chance.amount(),
        "nftType" => "ERC404".into(),
        "value" => chance.quantity(),
        "data" => "0xd0e30db0".into(),
        _ => chance.address(),
    };
    lie(draft, chance, faces, &field, |details| {
        *details.pointer_mut(&format!("/{}", field.replace('.', "/"))).unwrap() = value.into();
    })
}
