//! Two readers read one text as two documents.

use serde_json::{Value, json};

use super::source::*;
use super::{ALL, Class, MOVES, PAYLOAD, TO, mixed, of, replaced, unread, wide};
use crate::draft::{at, remove, with};
use crate::{Case, Chance, Draft, Judgement, NFT, RAW};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "duplicate-key",
        about: "A key stands twice; one reader takes the first value, another the last.",
        seen: &[BISHOP_FOX, Page("Go, issue 14750", "github.com/golang/go/issues/14750")],
        cases: of(ALL, |draft, chance| {
            let data = chance.hex(64);
            let job = "d9b2f8a0-0000-4000-8000-000000000000";
            let (object, key, value, path) = chance.pick(&[
                ("\"userOps\":{", "callData", data.as_str(), "data.userOps.callData"),
                ("\"userOps\":{", "call\\u0044ata", data.as_str(), "data.userOps.callData"),
                ("\"payload\":{", "caip2Id", "eip155:1", "data.callData.payload.caip2Id"),
                ("\"callData\":{", "jobId", job, "data.callData.jobId"),
                ("{", "status", "success", "status"),
            ]);
            let twice = format!("{object}\"{key}\":\"{value}\",");
            let text = draft.reply().to_string().replacen(object, &twice, 1);
            draft.replied_text(text, path)
        }),
    },
    Class {
        name: "key-in-another-letter-case",
        about: "A key differs in its letter case, or by an invisible character; lenient readers take it for the field.",
        seen: &[MCP_GO.issue(805), Project("segmentio/encoding", "segmentio/encoding").issue(161)],
        cases: of(ALL, |draft, chance| {
            let keys = "userops USEROPS user_ops userOp\u{17f} userOps\u{0} userOps\u{200b}";
            let key = chance.word(keys);
            if chance.is_head() {
                return moved(draft, key, |operation| operation);
            }
            let operation = draft.reply()["data"]["userOps"].take();
            let other = with(operation, "callData", chance.hex(64));
            unread(draft, &format!("data.{key}"), other)
        }),
    },
    Class {
        name: "prototype-keys",
        about: "A field stands under `__proto__` or `constructor`, from where JavaScript objects may inherit it.",
        seen: &[
            Project("hapi", "hapijs/hapi").issue(3916),
            Page("CVE-2021-3918", "www.sentinelone.com/vulnerability-database/cve-2021-3918/"),
        ],
        cases: of(ALL, |draft, chance| {
            let key = chance.pick(&["__proto__", "constructor", "prototype"]);
            match chance.below(3) {
                0 => moved(draft, key, |operation| json!({ "userOps": operation })),
                1 => replaced(draft, &format!("{PAYLOAD}.{key}"), json!({ "amount": "1" })),
                _ => {
                    let other = json!({ "userOps": { "callData": "0x" }, "status": "success" });
                    unread(draft, &format!("data.{key}"), other)
                }
            }
        }),
    },
    Class {
        name: "look-alike-characters",
        about: "Letters and digits of other scripts look like those of an address, a chain or an amount.",
        seen: &[
            METAMASK.issue(9129),
            Page("IDN homographs", "github.com/MetaMask/eth-phishing-detect/pull/946"),
        ],
        cases: of(ALL, |draft, chance| {
            let like = |c: char| match c {
                '0'..='9' => Some(wide(c)),
                _ => "асерхАЕ：".chars().nth("acepxAE:".find(c)?),
            };
            in_text(draft, chance, |text, chance| {
                let places: Vec<_> =
                    text.char_indices().filter_map(|(at, c)| Some((at, like(c)?))).collect();
                let (at, other) = chance.pick(&places);
                text.replace_range(at..=at, &other.to_string());
            })
        }),
    },
    Class {
        name: "invisible-characters",
        about: "Invisible characters, or some that turn the direction of text, hide what a value says.",
        seen: &[METAMASK.pull(37056), BRAVE.issue(24816)],
        cases: of(ALL, |draft, chance| {
            in_text(draft, chance, |text, chance| {
                let hidden = "\u{200b}\u{202e}\u{2066}\u{feff}\u{200f}\u{0}\u{ad}\n";
                text.insert(chance.below(text.len() + 1), chance.char(hidden));
            })
        }),
    },
    Class {
        name: "white-space-around",
        about: "A value has white space around it, which one reader trims.",
        seen: &[SKANDHA.issue(168)],
        cases: of(ALL, |draft, chance| {
            in_text(draft, chance, |text, chance| {
                let at = if chance.is_head() { 0 } else { text.len() };
                text.insert(at, chance.char(" \t\n\r\u{a0}\u{3000}"));
            })
        }),
    },
    Class {
        name: "checksum-broken",
        about: "The letter case of an address is wrong, as after a change of some digits.",
        seen: &[Eip("EIP-55", "55"), VIEM.issue(3403)],
        cases: of(ALL, |mut draft, chance| {
            // Enough letters for a wrong case.
            let address = laws::checksummed(&format!("0xab{}", chance.digits(38)));
            let path = if draft.kind == RAW { "transactions.0.to" } else { TO };
            *at(&mut draft.request["details"], path) = address.clone().into();
            let flipped = |c: char| match c {
                'a'..='f' => c.to_ascii_uppercase(),
                _ => c.to_ascii_lowercase(),
            };
            let inverse: String = address[2..].chars().map(flipped).collect();
            replaced(draft, &format!("{PAYLOAD}.{path}"), mixed(format!("0x{inverse}")))
        }),
    },
    Class {
        name: "number-in-another-form",
        about: "A number is written in a form that readers take for different numbers: `1e3`, `+1`, `01`, `0x10`, `1,000`.",
        seen: &[VIEM.issue(1769), VIEM.issue(4859)],
        cases: of(ALL, |draft, chance| {
            let forms = match draft.kind {
                RAW => "10 0x 0x01 0X1 1e3  -0x1 0x1.0 0x1n ０x1",
                _ => "1e3 +1 01 1.0 0x1 1_000 1,000 -1  0 1n ١ Infinity",
            };
            in_number(draft, chance.word(forms))
        }),
    },
    Class {
        name: "number-as-json-number",
        about: "A number stands without quotes, and loses its last digits in a double.",
        seen: &[MINEFIELD, VIEM.issue(2833)],
        cases: of(ALL, |draft, chance| {
            let number = if chance.is_head() { json!(chance.number()) } else { json!(1.5e18) };
            in_number(draft, number)
        }),
    },
    Class {
        name: "quantity-in-another-form",
        about: "A gas limit or a fee has leading zeros, `0X`, decimal digits or more than 256 bits.",
        seen: &[
            Project("execution-apis", "ethereum/execution-apis").issue(40),
            Project("ruint", "alloy-rs/ruint").issue(389),
        ],
        cases: of(ALL, |draft, chance| {
            let keys = "callGasLimit preVerificationGas maxFeePerGas paymasterPostOpGasLimit";
            let key = chance.word(keys);
            let digits = draft.reply()["data"]["userOps"][key].as_str().unwrap()[2..].to_owned();
            let other: Value = match chance.below(6) {
                0 => format!("0x0{digits}").into(),
                1 => format!("0X{digits}").into(),
                2 => "300000".into(),
                3 => format!("0x1{}", "0".repeat(64)).into(),
                4 => "0x".into(),
                _ => json!(300_000),
            };
            replaced(draft, &format!("data.userOps.{key}"), other)
        }),
    },
    Class {
        name: "another-json-type",
        about: "A field has another JSON type, which a lenient comparison takes for equal: `\"false\"`, `[\"0x…\"]`.",
        seen: &[Page("CVE-2021-21368", "clouddefense.ai/cve/2021/CVE-2021-21368")],
        cases: of(ALL, |draft, chance| {
            let path = chance.word(
                "status data data.userOps data.callData.payload data.userOps.callData \
                data.userOps.nonce data.callData.policies.gsnEnabled data.callData.userSWA \
                data.details.fees.transactionFees",
            );
            let other = match at(&mut draft.reply(), path).take() {
                Value::String(text) if chance.is_head() => json!({ "toString": text }),
                Value::Bool(flag) if chance.is_head() => flag.to_string().into(),
                Value::Bool(flag) => i32::from(flag).into(),
                other => json!([other]),
            };
            replaced(draft, path, other)
        }),
    },
    Class {
        name: "text-behind-the-document",
        about: "Behind the reply stands another one, or a comment; readers differ in which they take.",
        seen: &[BISHOP_FOX],
        cases: of(ALL, |draft, chance| {
            let text = draft.reply();
            let text = match chance.below(5) {
                0 => format!("{text}{text}"),
                1 => format!("{text} // {{}}"),
                2 => format!("/* {{}} */{text}"),
                3 => format!("\u{feff}{text}"),
                _ => format!("{text}\u{0}"),
            };
            draft.replied_text(text, "")
        }),
    },
    Class {
        name: "no-json-that-some-read",
        about: "The reply is no JSON, but some readers accept it: a trailing comma, single quotes, a lone surrogate, `NaN`.",
        seen: &[MINEFIELD],
        cases: of(ALL, |draft, chance| {
            let text = draft.reply().to_string();
            let inner = &text[1..];
            let text = match chance.below(5) {
                0 => format!("{},}}", &text[..text.len() - 1]),
                1 => format!("{{'note':1,{inner}"),
                2 => format!("{{\"note\":\"\\ud800\",{inner}"),
                3 => format!("{{\"note\":NaN,{inner}"),
                _ => format!("{{\"note\":\"\u{1}\",{inner}"),
            };
            draft.replied_text(text, "")
        }),
    },
    Class {
        name: "nested-too-deep",
        about: "The reply is nested so deep that a recursive reader fails.",
        seen: &[Page("You don't know JSON", "junaid.foo/drafts/you-dont-know-json")],
        cases: of(ALL, |draft, chance| {
            let depth = 64 + chance.below(400);
            let (nested, text) =
                ("[".repeat(depth) + &"]".repeat(depth), draft.reply().to_string());
            draft.replied_text(format!("{{\"note\":{nested},{}", &text[1..]), "")
        }),
    },
    Class {
        name: "amount-of-a-single-nft",
        about: "The payload moves more than one piece of an NFT that is single.",
        seen: &[Eip("ERC-721, transfers by id", "721")],
        cases: of(&[NFT], |mut draft, chance| {
            draft.set_single_nft();
            let altered = with(draft.reply(), &format!("{PAYLOAD}.amount"), chance.amount());
            draft.replied(altered, Judgement::refused_field(PAYLOAD, "intent.details.amount"))
        }),
    },
    Class {
        name: "chain-id-in-another-form",
        about: "The chain has another namespace, leading zeros or capitals, or is zero.",
        seen: &[
            Project("namespaces", "ChainAgnostic/namespaces").issue(76),
            Project("x402scan", "Merit-Systems/x402scan").issue(984),
        ],
        cases: of(MOVES, |draft, chance| {
            let chain = draft.request["details"]["caip2Id"].as_str().unwrap()[7..].to_owned();
            let other = match chance.below(5) {
                0 => format!("eip155:0{chain}"),
                1 => format!("EIP155:{chain}"),
                2 => format!("eip155:{:#x}", chance.number()),
                3 => "eip155:0".into(),
                _ => chain,
            };
            replaced(draft, &format!("{PAYLOAD}.caip2Id"), other)
        }),
    },
];

/// The honest reply with its operation under another key.
fn moved(draft: Draft, key: &str, put: impl FnOnce(Value) -> Value) -> Case {
    let mut altered = draft.reply();
    let operation = remove(&mut altered["data"], "userOps");
    altered["data"][key] = put(operation);
    draft.replied(altered, Judgement::refused("data.userOps"))
}

/// Changes the text of an address, an amount or the chain in the payload, or of a field of the operation.
fn in_text(
    draft: Draft,
    chance: &mut Chance,
    change: impl FnOnce(&mut String, &mut Chance),
) -> Case {
    let (to, number) = match draft.kind {
        RAW => ("transactions.0.to", "transactions.0.value"),
        _ => (TO, "amount"),
    };
    let paths = format!(
        "{PAYLOAD}.caip2Id data.userOps.sender data.userOps.nonce data.callData.jobId \
        {PAYLOAD}.{to} {PAYLOAD}.{number}"
    );
    let path = chance.word(&paths);
    let mut text = at(&mut draft.reply(), path).as_str().unwrap().to_owned();
    change(&mut text, chance);
    replaced(draft, path, text)
}

/// Puts a value in the place of the payload's number.
fn in_number(draft: Draft, value: impl Into<Value>) -> Case {
    let path = if draft.kind == RAW { "transactions.0.value" } else { "amount" };
    replaced(draft, &format!("{PAYLOAD}.{path}"), value)
}
