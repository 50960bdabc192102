//! What a second device compares: a signature, and a code that two screens show.

use super::{ALL, Class};
use crate::signed::{Key, Signed};
use crate::{Attack, Chance, Draft, Judgement, Reply};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "signature-over-another-hash",
        about: "The page shows one operation and has another hash signed; some key fits every signature and hash.",
        seen: &[("libsecp256k1 #1024", "https://github.com/bitcoin-core/secp256k1/issues/1024")],
        refused_by: "`checkSignature`: another signer is found",
        kinds: ALL,
        make: |draft, chance| {
            let key = Key::new(chance);
            let digest = match chance.below(3) {
                // The operation to a thief, honest for another request.
                0 => other_job(&draft, chance).answer()["digest"].clone(),
                // The right operation in the other form.
                1 => draft.answer()["hash"].clone(),
                _ => format!("0x{}", chance.digits(64)).into(),
            };
            let signed = Signed { signature: key.sign(&digest), signer: key.address() };
            draft.signed(&key, signed, "signer")
        },
    },
    Class {
        name: "signature-of-another-key",
        about: "Another key has signed, and a check that only recovers some key accepts it.",
        seen: &[("ethereumjs-tx #101", "https://github.com/ethereumjs/ethereumjs-tx/issues/101")],
        refused_by: "`checkSignature`: it compares the key's address with the expected signer",
        kinds: ALL,
        make: |draft, chance| {
            let (key, thief) = (Key::new(chance), Key::new(chance));
            let signature = thief.sign(&draft.answer()["digest"]);
            draft.signed(&key, Signed { signature, signer: key.address() }, "signer")
        },
    },
    Class {
        name: "signature-in-another-shape",
        about: "The same signature has another shape: a high `s`, another `v`, 64 bytes, or bytes behind it.",
        seen: &[
            (
                "OpenZeppelin, compact signatures",
                "https://github.com/OpenZeppelin/openzeppelin-contracts/security/advisories/GHSA-4h98-2769-gh6h",
            ),
            ("EIP-2, high s", "https://eips.ethereum.org/EIPS/eip-2"),
        ],
        refused_by: "`checkSignature`: 65 bytes, a low `s`, `v` 27 or 28",
        kinds: ALL,
        make: |draft, chance| {
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
            draft.signed(&key, Signed { signature, signer: key.address() }, reason)
        },
    },
    Class {
        name: "challenge-without-chance",
        about: "The challenge of a code is short, empty, or not made of digits, so that codes can be made in advance.",
        seen: &[("ZRTP, RFC 6189", "https://www.rfc-editor.org/rfc/rfc6189#section-4.4.1.1")],
        refused_by: "`comparisonCode`, at `challenge`: 6 to 32 decimal digits",
        kinds: ALL,
        make: |draft, chance| {
            let digits = challenge(chance);
            let other = match chance.below(6) {
                0 => String::new(),
                1 => digits[..5].into(),
                2 => digits.repeat(3),
                3 => format!("{} {}", &digits[..6], &digits[6..]),
                4 => digits.replace(['0', '1', '2'], "a") + "a",
                _ => digits
                    .chars()
                    .map(|c| char::from_u32(0xff10 + c as u32 - '0' as u32).unwrap())
                    .collect(),
            };
            let attack = Attack { challenge: Some(other), ..Attack::default() };
            draft.challenged(digits, attack, Judgement::NotCompared { path: "challenge".into() })
        },
    },
    Class {
        name: "code-of-another-operation",
        about: "The page answers the second device's challenge with the code of the operation that it wants signed.",
        seen: &[("ZRTP, RFC 6189", "https://www.rfc-editor.org/rfc/rfc6189#section-4.4.1.1")],
        refused_by: "the code: it has the hash and the challenge",
        kinds: ALL,
        make: |draft, chance| {
            let other = other_job(&draft, chance);
            let (request, reply) =
                (Some(other.request.clone()), Some(Reply::Document(other.reply())));
            let attack = Attack { request, reply, ..Attack::default() };
            let digits = challenge(chance);
            draft.challenged(digits, attack, Judgement::AnotherCode)
        },
    },
    Class {
        name: "code-of-another-challenge",
        about: "The page shows a code that it made before it knew the challenge: the plain one, or one of an earlier challenge.",
        seen: &[("ZRTP, RFC 6189", "https://www.rfc-editor.org/rfc/rfc6189#section-4.4.1.1")],
        refused_by: "the code: it has the challenge",
        kinds: ALL,
        make: |draft, chance| {
            let (now, before) = (challenge(chance), challenge(chance));
            // With more or fewer digits it is another challenge too.
            let other = chance
                .pick(&[before.as_str(), &now[..now.len() - 1], &format!("{now}0")])
                .to_owned();
            let attack = Attack { challenge: Some(other), ..Attack::default() };
            draft.challenged(now, attack, Judgement::AnotherCode)
        },
    },
];

/// 12 digits.
fn challenge(chance: &mut Chance) -> String {
    format!("{:012}", chance.number() % 1_000_000_000_000)
}

/// The same request of another job.
fn other_job(draft: &Draft, chance: &mut Chance) -> Draft {
    let mut other = draft.clone();
    other.request["jobId"] = chance.uuid().into();
    other
}
