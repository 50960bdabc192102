//! Altered replies: what is accepted is what was asked for.

use std::ops::Range;
use std::sync::LazyLock;

use alloy_primitives::{Address, B256, U256, hex};
use sendoff::estimate::EstimateReply;
use sendoff::json;
use sendoff::user_op::{EntryPoint, UserOp};
use serde_json::Value;

use crate::replies::{Case, cases, is_ruled, places};
use crate::{INTENTS, hash_by_alloy, packed};

/// A reply that is altered, with what it says and where.
struct Original {
    case: Case,
    reply: Value,
    places: Vec<String>,
}

static ORIGINALS: LazyLock<Vec<Original>> = LazyLock::new(|| {
    let original = |case: Case| {
        let reply = serde_json::from_str(&case.reply).unwrap();
        let mut all = vec![];
        places(&reply, "", &mut all);
        Original { case, reply, places: all }
    };
    INTENTS.iter().flat_map(|kind| cases(kind).take(4)).map(original).collect()
});

/// The first byte chooses a reply; the rest are edits of its text or of its tree.
pub(super) fn check(bytes: &[u8]) {
    let Some((first, edits)) = bytes.split_first() else { return };
    let original = &ORIGINALS[usize::from(*first) % ORIGINALS.len()];
    let Some(text) = altered(original, edits) else { return };
    if original.case.is_verified(&text) {
        unchanged(original, &text, false);
    }
    let Case { request, deployment, .. } = &original.case;
    if let Ok(signable) = json::signable(request, &text, deployment, None) {
        unchanged(original, &text, true);
        hashed(&serde_json::from_str(&signable).unwrap(), deployment);
    }
    let _ =
        text.parse::<EstimateReply>().map(|reply| assert_eq!(reply.to_string().parse(), Ok(reply)));
}

/// Applies edits: what is in the tree first, then what is in the text.
fn altered(original: &Original, mut edits: &[u8]) -> Option<String> {
    let mut reply = original.reply.clone();
    let mut splices = vec![];
    while let Some(([kind, at @ .., length], rest)) = edits.split_first_chunk::<4>() {
        let at = usize::from(u16::from_le_bytes(*at));
        let (inserted, rest) = rest.split_at(usize::from(*length).min(rest.len()));
        edits = rest;
        let place = &original.places[at % original.places.len()];
        match kind % 4 {
            0 => splices.push((at, usize::from(kind / 4), inserted)),
            // Another value of the same place.
            1 => *reply.pointer_mut(place)? = serde_json::from_slice(inserted).ok()?,
            // The same place of another reply.
            2 => {
                let other = &ORIGINALS[usize::from(kind / 4) % ORIGINALS.len()];
                *reply.pointer_mut(place)? = other.reply.pointer(place)?.clone();
            }
            // Some characters of the text there.
            _ => {
                let Value::String(text) = reply.pointer_mut(place)? else { return None };
                let at = usize::from(kind / 4) * text.len() / 64;
                let end = (at + inserted.len()).min(text.len());
                if text.is_char_boundary(at) && text.is_char_boundary(end) {
                    text.replace_range(at..end, std::str::from_utf8(inserted).ok()?);
                }
            }
        }
    }
    let mut text = reply.to_string();
    for (at, cut, inserted) in splices {
        let at = at % (text.len() + 1);
        let end = (at + cut).min(text.len());
        if !text.is_char_boundary(at) || !text.is_char_boundary(end) {
            return None;
        }
        text.replace_range(at..end, std::str::from_utf8(inserted).ok()?);
    }
    Some(text)
}

/// The reply, with 0 for numbers that no double can hold: JSON's grammar has no limit, and the core reads no double.
fn parsed(text: &str) -> Value {
    let mut text = text.to_owned();
    loop {
        let error = match serde_json::from_str(&text) {
            Ok(reply) => return reply,
            Err(error) => error,
        };
        assert!(
            error.to_string().starts_with("number out of range"),
            "accepted, and no JSON: {error}: {text}"
        );
        let line: usize = text.split_inclusive('\n').take(error.line() - 1).map(str::len).sum();
        let in_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let (before, after) = text.split_at(line + error.column());
        let (before, after) =
            (before.trim_end_matches(in_number), after.trim_start_matches(in_number));
        text = format!("{before}0{after}");
    }
}

/// Everything that a rule speaks of is as it was, but for letter case of hex and `null` for an empty list.
fn unchanged(original: &Original, text: &str, is_signable: bool) {
    let reply = parsed(text);
    for place in original.places.iter().filter(|place| is_ruled(place)) {
        let (before, now) = (original.reply.pointer(place).unwrap(), reply.pointer(place));
        if before.is_object() || before.is_array() && now.is_none_or(|now| now.is_null()) {
            continue;
        }
        let is_same = match (before, now) {
            // A word or a quantity: zeros in front do not change a number.
            (Value::String(before), Some(Value::String(now))) if place.ends_with("/nonce") => {
                number(before) == number(now)
            }
            (Value::String(before), Some(Value::String(now))) => {
                let free = if !is_signable && place.ends_with("/callData") { 44..64 } else { 0..0 };
                before.len() == now.len() && meaning(before, free.clone()) == meaning(now, free)
            }
            (before, now) => Some(before) == now || before.is_array(),
        };
        assert!(is_same, "{place}: {before} became {now:?}\n{text}");
    }
    // What the core keeps of it has no field more: those that were absent are absent. A reply that
    // lacks something that no rule speaks of is not kept.
    let kept = |text: &str| {
        let mut all = vec![];
        let reply = text.parse::<EstimateReply>().ok()?.to_string();
        places(&serde_json::from_str(&reply).unwrap(), "", &mut all);
        all.retain(|place| is_ruled(place));
        Some(all)
    };
    if let Some(kept_now) = kept(text) {
        assert_eq!(Some(kept_now), kept(&original.case.reply), "{text}");
    }
}

/// A text without the letter case of hex, and without what is free in it. Call data has addresses and UUIDs as text, whose
/// letter case means nothing there either.
fn meaning(text: &str, free: Range<usize>) -> String {
    if let Some(Ok(bytes)) =
        text.strip_prefix("0x").filter(|text| text.len() > 1_000).map(hex::decode)
    {
        let mut bytes = bytes.to_ascii_lowercase();
        bytes.drain(free);
        return hex::encode(bytes);
    }
    let is_hex = text.starts_with("0x") || text.len() == 36 && text.matches('-').count() == 4;
    if is_hex { text.to_ascii_lowercase() } else { text.to_owned() }
}

fn number(text: &str) -> Option<U256> {
    U256::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// The hash is that of the operation, by alloy.
fn hashed(signable: &Value, deployment: &str) {
    let mut operation = signable["operation"].clone();
    operation.as_object_mut().unwrap().remove("signature");
    let at: Value = serde_json::from_str(deployment).unwrap();
    let mut entry_point = serde_json::Map::new();
    for (key, from) in [
        ("entryPoint", "entryPoint"),
        ("chainId", "chainId"),
        ("version", "version"),
        ("gasFeeOrder", "gasFeeOrder"),
    ] {
        entry_point.insert(key.to_owned(), at[from].clone());
    }
    let entry_point: EntryPoint = Value::from(entry_point).to_string().parse().unwrap();
    let op: UserOp = operation.to_string().parse().unwrap();
    let contract = Address::from(entry_point.address.to_h160().0);
    let chain = at["chainId"].as_u64().unwrap();
    let version = at["version"].as_str().unwrap();
    let hash = hash_by_alloy(&packed(&op, entry_point.gas_fee_order), contract, chain, version);
    assert_eq!(signable["hash"], hash.to_string());
    assert_eq!(
        signable["digest"],
        alloy_primitives::eip191_hash_message(B256::from(hash)).to_string()
    );
}
