//! Altered replies: what is accepted is what was asked for.

use std::sync::LazyLock;

use sendoff::estimate::EstimateReply;
use serde_json::Value;

use crate::INTENTS;
use crate::replies::{Original, cases};

static ORIGINALS: LazyLock<Vec<Original>> = LazyLock::new(|| {
    INTENTS.iter().flat_map(|kind| cases(kind).take(4)).map(Original::new).collect()
});

/// The first byte chooses a reply; the rest are edits of its text or of its tree.
pub(super) fn check(bytes: &[u8]) {
    let Some((first, edits)) = bytes.split_first() else { return };
    let original = &ORIGINALS[usize::from(*first) % ORIGINALS.len()];
    let Some(text) = altered(original, edits) else { return };
    original.judge(&text);
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
