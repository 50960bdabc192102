//! What a second device compares: a signature, and a code that two screens show.

use serde_json::{Value, json};

use super::source::*;
use super::{ALL, Class, of, wide};
use crate::signed::Key;
use crate::{Case, Chance, Draft, Judgement};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "signature-over-another-hash",
        about: "The page shows one operation and has another hash signed; some key fits every signature and hash.",
        seen: &[Project("libsecp256k1", "bitcoin-core/secp256k1").issue(1024)],
        cases: of(ALL, |draft, chance| {
            let key = Key::new(chance);
            let digest = match chance.below(3) {
                // The operation to a thief, honest for another request.
                0 => other_job(&draft, chance).answer()["digest"].clone(),
                // The right operation in the other form.
                1 => draft.answer()["hash"].clone(),
                _ => chance.hex(64).into(),
            };
            signed(draft, &key, key.sign(&digest), "signer")
        }),
    },
    Class {
        name: "signature-of-another-key",
        about: "Another key has signed, and a check that only recovers some key accepts it.",
        seen: &[Project("ethereumjs-tx", "ethereumjs/ethereumjs-tx").issue(101)],
        cases: of(ALL, |draft, chance| {
            let (key, thief) = (Key::new(chance), Key::new(chance));
            let signature = thief.sign(&draft.answer()["digest"]);
            signed(draft, &key, signature, "signer")
        }),
    },
    Class {
        name: "signature-in-another-shape",
        about: "The same signature has another shape: a high `s`, another `v`, 64 bytes, or bytes behind it.",
        seen: &[
            Page(
                "OpenZeppelin, compact signatures",
                "github.com/OpenZeppelin/openzeppelin-contracts/security/advisories/GHSA-4h98-2769-gh6h",
            ),
            Eip("EIP-2, high s", "2"),
        ],
        cases: of(ALL, |draft, chance| {
            let key = Key::new(chance);
            let honest = key.sign(&draft.answer()["digest"]);
            let (body, v) = honest.split_at(honest.len() - 2);
            let (signature, reason) = match chance.below(5) {
                0 => (Key::with_high_s(&honest), "high-s"),
                1 => (format!("{body}{}", if v == "1b" { "00" } else { "01" }), "v"),
                2 => (format!("{body}{:02x}", 29 + chance.below(200)), "v"),
                3 => (body.to_owned(), "length"),
                _ => (format!("{honest}00"), "length"),
            };
            signed(draft, &key, signature, reason)
        }),
    },
    Class {
        name: "challenge-without-chance",
        about: "The challenge of a code is short, empty, or not made of digits, so that codes can be made in advance.",
        seen: &[ZRTP],
        cases: of(ALL, |draft, chance| {
            let digits = challenge(chance);
            let other = match chance.below(6) {
                0 => String::new(),
                1 => digits[..5].into(),
                2 => digits.repeat(3),
                3 => format!("{} {}", &digits[..6], &digits[6..]),
                4 => digits.replace(['0', '1', '2'], "a") + "a",
                _ => digits.chars().map(wide).collect(),
            };
            let refused = Judgement::NotCompared(json!({ "path": "challenge" }));
            challenged(draft, &digits, json!({ "challenge": other }), refused)
        }),
    },
    Class {
        name: "code-of-another-operation",
        about: "The page answers the second device's challenge with the code of the operation that it wants signed.",
        seen: &[ZRTP],
        cases: of(ALL, |draft, chance| {
            let other = other_job(&draft, chance);
            let attack = json!({ "request": other.request, "reply": other.reply() });
            challenged(draft, &challenge(chance), attack, Judgement::AnotherCode)
        }),
    },
    Class {
        name: "code-of-another-challenge",
        about: "The page shows a code that it made before it knew the challenge: the plain one, or one of an earlier challenge.",
        seen: &[ZRTP],
        cases: of(ALL, |draft, chance| {
            let (now, before) = (challenge(chance), challenge(chance));
            // With more or fewer digits it is another challenge too.
            let others = [before, now[..now.len() - 1].to_owned(), format!("{now}0")];
            let other = &others[chance.below(3)];
            challenged(draft, &now, json!({ "challenge": other }), Judgement::AnotherCode)
        }),
    },
];

/// 12 digits.
fn challenge(chance: &mut Chance) -> String {
    format!("{:012}", chance.number() % 1_000_000_000_000)
}

/// The case in which a second device has chosen a challenge, and compares a code.
fn challenged(draft: Draft, honest: &str, attack: Value, judgement: Judgement) -> Case {
    draft.compared("challenge", honest.into(), attack, judgement)
}

/// The case in which a second device is given another signature than the key's.
fn signed(draft: Draft, key: &Key, altered: String, reason: &'static str) -> Case {
    let honest = key.sign(&draft.answer()["digest"]);
    let [honest, altered] =
        [honest, altered].map(|it| json!({ "signature": it, "signer": key.address() }));
    draft.compared("signed", honest, json!({ "signed": altered }), Judgement::NotSigned { reason })
}

/// The same request of another job.
fn other_job(draft: &Draft, chance: &mut Chance) -> Draft {
    let mut other = draft.clone();
    other.request["jobId"] = chance.uuid().into();
    other
}
