//! Two readers read one text as two documents.

use serde_json::{Value, json};

use super::{ALL, Class, MOVES};
use crate::{Case, Chance, Draft, Judgement, NFT, RAW};

pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "duplicate-key",
        about: "A key stands twice; one reader takes the first value, another the last.",
        seen: &[
            (
                "Bishop Fox, JSON interoperability",
                "https://bishopfox.com/blog/json-interoperability-vulnerabilities",
            ),
            ("Go, issue 14750", "https://github.com/golang/go/issues/14750"),
        ],
        refused_by: "`shape` or `payload`: duplicate keys are refused everywhere",
        kinds: ALL,
        make: |draft, chance| {
            let data = format!("0x{}", chance.digits(64));
            let (object, key, value, path) = chance.pick(&[
                ("\"userOps\":{", "callData", data.as_str(), "data.userOps.callData"),
                ("\"userOps\":{", "call\\u0044ata", data.as_str(), "data.userOps.callData"),
                ("\"payload\":{", "caip2Id", "eip155:1", "data.callData.payload.caip2Id"),
                (
                    "\"callData\":{",
                    "jobId",
                    "d9b2f8a0-0000-4000-8000-000000000000",
                    "data.callData.jobId",
                ),
                ("{", "status", "success", "status"),
            ]);
            let text = draft.reply().to_string();
            let text = text.replacen(object, &format!("{object}\"{key}\":\"{value}\","), 1);
            draft.replied_text(text, Judgement::refused(path))
        },
    },
    Class {
        name: "key-in-another-letter-case",
        about: "A key differs in its letter case, or by an invisible character; lenient readers take it for the field.",
        seen: &[
            ("MCP Go SDK #805", "https://github.com/modelcontextprotocol/go-sdk/issues/805"),
            ("segmentio/encoding #161", "https://github.com/segmentio/encoding/issues/161"),
        ],
        refused_by: "keys are exact: the field is missing, or the other key is ignored",
        kinds: ALL,
        make: |draft, chance| {
            let key = chance.pick(&[
                "userops",
                "USEROPS",
                "user_ops",
                "userOp\u{17f}",
                "userOps\u{0}",
                "userOps\u{200b}",
            ]);
            let mut altered = draft.reply();
            let data = altered["data"].as_object_mut().unwrap();
            if chance.is_head() {
                let operation = data.remove("userOps").unwrap();
                data.insert(key.into(), operation);
                return draft.replied(altered, Judgement::refused("data.userOps"));
            }
            let mut other = data["userOps"].clone();
            other["callData"] = format!("0x{}", chance.digits(64)).into();
            data.insert(key.into(), other);
            draft.replied(altered, Judgement::Unchanged)
        },
    },
    Class {
        name: "prototype-keys",
        about: "A field stands under `__proto__` or `constructor`, from where JavaScript objects may inherit it.",
        seen: &[
            ("hapi #3916", "https://github.com/hapijs/hapi/issues/3916"),
            ("CVE-2021-3918", "https://www.sentinelone.com/vulnerability-database/cve-2021-3918/"),
        ],
        refused_by: "keys are own and exact: the field is missing, or the other key is ignored or refused",
        kinds: ALL,
        make: |draft, chance| {
            let key = chance.pick(&["__proto__", "constructor", "prototype"]);
            let mut altered = draft.reply();
            let judgement = match chance.below(3) {
                0 => {
                    let data = altered["data"].as_object_mut().unwrap();
                    let operation = data.remove("userOps").unwrap();
                    data.insert(key.into(), json!({ "userOps": operation }));
                    Judgement::refused("data.userOps")
                }
                1 => {
                    altered["data"]["callData"]["payload"][key] = json!({ "amount": "1" });
                    Judgement::refused(&format!("data.callData.payload.{key}"))
                }
                _ => {
                    altered["data"][key] =
                        json!({ "userOps": { "callData": "0x" }, "status": "success" });
                    Judgement::Unchanged
                }
            };
            draft.replied(altered, judgement)
        },
    },
    Class {
        name: "look-alike-characters",
        about: "Letters and digits of other scripts look like those of an address, a chain or an amount.",
        seen: &[
            ("MetaMask #9129", "https://github.com/MetaMask/metamask-extension/issues/9129"),
            ("IDN homographs", "https://github.com/MetaMask/eth-phishing-detect/pull/946"),
        ],
        refused_by: "`payload` or `shape`: values are ASCII",
        kinds: ALL,
        make: |draft, chance| {
            let like = |c: char| match c {
                '0'..='9' => char::from_u32(0xff10 + c as u32 - '0' as u32),
                'a' => Some('а'),
                'c' => Some('с'),
                'e' => Some('е'),
                'p' => Some('р'),
                'x' => Some('х'),
                'A' => Some('А'),
                'E' => Some('Е'),
                ':' => Some('：'),
                _ => None,
            };
            in_text(draft, chance, |text, chance| {
                let places: Vec<_> =
                    text.char_indices().filter_map(|(at, c)| Some((at, like(c)?))).collect();
                let (at, other) = chance.pick(&places);
                text.replace_range(at..=at, &other.to_string());
            })
        },
    },
    Class {
        name: "invisible-characters",
        about: "Invisible characters, or some that turn the direction of text, hide what a value says.",
        seen: &[
            ("MetaMask #37056", "https://github.com/MetaMask/metamask-extension/pull/37056"),
            ("Brave #24816", "https://github.com/brave/brave-browser/issues/24816"),
        ],
        refused_by: "`payload` or `shape`: values are ASCII",
        kinds: ALL,
        make: |draft, chance| {
            in_text(draft, chance, |text, chance| {
                let hidden = [
                    '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{200f}', '\u{0}', '\u{ad}',
                    '\n',
                ];
                text.insert(chance.below(text.len() + 1), chance.pick(&hidden));
            })
        },
    },
    Class {
        name: "white-space-around",
        about: "A value has white space around it, which one reader trims.",
        seen: &[("skandha #168", "https://github.com/etherspot/skandha/issues/168")],
        refused_by: "`payload` or `shape`: nothing is trimmed",
        kinds: ALL,
        make: |draft, chance| {
            in_text(draft, chance, |text, chance| {
                let at = if chance.is_head() { 0 } else { text.len() };
                text.insert(at, chance.pick(&[' ', '\t', '\n', '\r', '\u{a0}', '\u{3000}']));
            })
        },
    },
    Class {
        name: "checksum-broken",
        about: "The letter case of an address is wrong, as after a change of some digits.",
        seen: &[
            ("EIP-55", "https://eips.ethereum.org/EIPS/eip-55"),
            ("viem #3403", "https://github.com/wevm/viem/issues/3403"),
        ],
        refused_by: "`payload`: mixed letter case must be the checksum",
        kinds: ALL,
        make: |mut draft, chance| {
            // Enough letters for a wrong case.
            let address = laws::checksummed(&format!("0xab{}", chance.digits(38)));
            let (pointer, path) = match draft.kind {
                RAW => ("/transactions/0/to", "transactions.0.to"),
                _ => ("/recipientWalletAddress", "recipientWalletAddress"),
            };
            *draft.request["details"].pointer_mut(pointer).unwrap() = address.clone().into();
            let flipped = |(at, c): (usize, char)| {
                if at > 1 && c.is_ascii_lowercase() {
                    c.to_ascii_uppercase()
                } else if at > 1 {
                    c.to_ascii_lowercase()
                } else {
                    c
                }
            };
            let inverse: String = address.chars().enumerate().map(flipped).collect();
            // All of one case is no checksum: then one digit is another.
            let is_mixed = |text: &str| {
                text[2..].contains(|c: char| c.is_ascii_lowercase())
                    && text[2..].contains(|c: char| c.is_ascii_uppercase())
            };
            let other =
                if is_mixed(&inverse) { inverse } else { format!("0xaB{}", "0".repeat(38)) };
            let mut altered = draft.reply();
            *altered["data"]["callData"]["payload"].pointer_mut(pointer).unwrap() = other.into();
            draft.replied(altered, Judgement::refused(&format!("data.callData.payload.{path}")))
        },
    },
    Class {
        name: "number-in-another-form",
        about: "A number is written in a form that readers take for different numbers: `1e3`, `+1`, `01`, `0x10`, `1,000`.",
        seen: &[
            ("viem #1769", "https://github.com/wevm/viem/issues/1769"),
            ("viem #4859", "https://github.com/wevm/viem/issues/4859"),
        ],
        refused_by: "`payload`: one canonical form",
        kinds: ALL,
        make: |draft, chance| {
            let forms: &[&str] = match draft.kind {
                RAW => &["10", "0x", "0x01", "0X1", "1e3", "", "-0x1", "0x1.0", "0x1n", "０x1"],
                _ => &[
                    "1e3", "+1", "01", " 1", "1.0", "0x1", "1_000", "1,000", "-1", "", "0", "1n",
                    "١", "Infinity",
                ],
            };
            in_number(draft, Value::from(chance.pick(forms)))
        },
    },
    Class {
        name: "number-as-json-number",
        about: "A number stands without quotes, and loses its last digits in a double.",
        seen: &[
            ("Parsing JSON is a minefield", "https://fixjson.org/news/parsing-json-is-a-minefield"),
            ("viem #2833", "https://github.com/wevm/viem/issues/2833"),
        ],
        refused_by: "`payload`: numbers are text",
        kinds: ALL,
        make: |draft, chance| {
            let number = if chance.is_head() { json!(chance.number()) } else { json!(1.5e18) };
            in_number(draft, number)
        },
    },
    Class {
        name: "quantity-in-another-form",
        about: "A gas limit or a fee has leading zeros, `0X`, decimal digits or more than 256 bits.",
        seen: &[
            ("execution-apis #40", "https://github.com/ethereum/execution-apis/issues/40"),
            ("ruint #389", "https://github.com/alloy-rs/ruint/issues/389"),
        ],
        refused_by: "`shape`: one canonical form",
        kinds: ALL,
        make: |draft, chance| {
            let key = chance.pick(&[
                "callGasLimit",
                "preVerificationGas",
                "maxFeePerGas",
                "paymasterPostOpGasLimit",
            ]);
            let mut altered = draft.reply();
            let digits = altered["data"]["userOps"][key].as_str().unwrap()[2..].to_owned();
            altered["data"]["userOps"][key] = match chance.below(6) {
                0 => format!("0x0{digits}").into(),
                1 => format!("0X{digits}").into(),
                2 => "300000".into(),
                3 => format!("0x1{}", "0".repeat(64)).into(),
                4 => "0x".into(),
                _ => json!(300_000),
            };
            draft.replied(altered, Judgement::refused(&format!("data.userOps.{key}")))
        },
    },
    Class {
        name: "another-json-type",
        about: "A field has another JSON type, which a lenient comparison takes for equal: `\"false\"`, `[\"0x…\"]`.",
        seen: &[("CVE-2021-21368", "https://clouddefense.ai/cve/2021/CVE-2021-21368")],
        refused_by: "`shape` or `payload`: types are exact",
        kinds: ALL,
        make: |draft, chance| {
            let mut altered = draft.reply();
            let path = chance.pick(&[
                "status",
                "data",
                "data.userOps",
                "data.callData.payload",
                "data.userOps.callData",
                "data.userOps.nonce",
                "data.callData.policies.gsnEnabled",
                "data.callData.userSWA",
                "data.details.fees.transactionFees",
            ]);
            let at = altered.pointer_mut(&format!("/{}", path.replace('.', "/"))).unwrap();
            *at = match at.take() {
                Value::String(text) if chance.is_head() => json!({ "toString": text }),
                Value::Bool(flag) if chance.is_head() => flag.to_string().into(),
                Value::Bool(flag) => i32::from(flag).into(),
                other => json!([other]),
            };
            draft.replied(altered, Judgement::refused(path))
        },
    },
    Class {
        name: "text-behind-the-document",
        about: "Behind the reply stands another one, or a comment; readers differ in which they take.",
        seen: &[(
            "Bishop Fox, JSON interoperability",
            "https://bishopfox.com/blog/json-interoperability-vulnerabilities",
        )],
        refused_by: "`shape`, at the root",
        kinds: ALL,
        make: |draft, chance| {
            let text = draft.reply().to_string();
            let text = match chance.below(5) {
                0 => format!("{text}{text}"),
                1 => format!("{text} // {{}}"),
                2 => format!("/* {{}} */{text}"),
                3 => format!("\u{feff}{text}"),
                _ => format!("{text}\u{0}"),
            };
            draft.replied_text(text, Judgement::refused(""))
        },
    },
    Class {
        name: "no-json-that-some-read",
        about: "The reply is no JSON, but some readers accept it: a trailing comma, single quotes, a lone surrogate, `NaN`.",
        seen: &[(
            "Parsing JSON is a minefield",
            "https://fixjson.org/news/parsing-json-is-a-minefield",
        )],
        refused_by: "`shape`, at the root",
        kinds: ALL,
        make: |draft, chance| {
            let text = draft.reply().to_string();
            let inner = &text[1..];
            let text = match chance.below(5) {
                0 => format!("{},}}", &text[..text.len() - 1]),
                1 => format!("{{'note':1,{inner}"),
                2 => format!("{{\"note\":\"\\ud800\",{inner}"),
                3 => format!("{{\"note\":NaN,{inner}"),
                _ => format!("{{\"note\":\"\u{1}\",{inner}"),
            };
            draft.replied_text(text, Judgement::refused(""))
        },
    },
    Class {
        name: "nested-too-deep",
        about: "The reply is nested so deep that a recursive reader fails.",
        seen: &[("You don't know JSON", "https://junaid.foo/drafts/you-dont-know-json")],
        refused_by: "`shape`, at the root: 64 levels",
        kinds: ALL,
        make: |draft, chance| {
            let depth = 64 + chance.below(400);
            let text = draft.reply().to_string();
            let text =
                format!("{{\"note\":{}{},{}", "[".repeat(depth), "]".repeat(depth), &text[1..]);
            draft.replied_text(text, Judgement::refused(""))
        },
    },
    Class {
        name: "amount-of-a-single-nft",
        about: "The payload moves more than one piece of an NFT that is single.",
        seen: &[("ERC-721, transfers by id", "https://eips.ethereum.org/EIPS/eip-721")],
        refused_by: "`payload`, field `amount`",
        kinds: &[NFT],
        make: |mut draft, chance| {
            draft.request["details"]["nftType"] = "ERC721".into();
            draft.request["details"]["amount"] = "1".into();
            let mut altered = draft.reply();
            altered["data"]["callData"]["payload"]["amount"] = chance.amount().into();
            let judgement =
                Judgement::refused_field("data.callData.payload", "intent.details.amount");
            draft.replied(altered, judgement)
        },
    },
    Class {
        name: "chain-id-in-another-form",
        about: "The chain has another namespace, leading zeros or capitals, or is zero.",
        seen: &[
            ("namespaces #76", "https://github.com/ChainAgnostic/namespaces/issues/76"),
            ("x402scan #984", "https://github.com/Merit-Systems/x402scan/issues/984"),
        ],
        refused_by: "`payload`: CAIP-2 in one form",
        kinds: MOVES,
        make: |draft, chance| {
            let mut altered = draft.reply();
            let chain = draft.request["details"]["caip2Id"].as_str().unwrap()[7..].to_owned();
            let other = match chance.below(5) {
                0 => format!("eip155:0{chain}"),
                1 => format!("EIP155:{chain}"),
                2 => format!("eip155:{:#x}", chance.number()),
                3 => "eip155:0".into(),
                _ => chain,
            };
            altered["data"]["callData"]["payload"]["caip2Id"] = other.into();
            draft.replied(altered, Judgement::refused("data.callData.payload.caip2Id"))
        },
    },
];

/// Changes the text of an address, an amount or the chain in the payload, or of a field of the operation.
fn in_text(
    draft: Draft,
    chance: &mut Chance,
    change: impl FnOnce(&mut String, &mut Chance),
) -> Case {
    let mut paths = vec![
        "data.callData.payload.caip2Id",
        "data.userOps.sender",
        "data.userOps.nonce",
        "data.callData.jobId",
    ];
    paths.extend_from_slice(match draft.kind {
        RAW => &[
            "data.callData.payload.transactions.0.to",
            "data.callData.payload.transactions.0.value",
        ],
        _ => &["data.callData.payload.recipientWalletAddress", "data.callData.payload.amount"],
    });
    let path = chance.pick(&paths);
    let mut altered = draft.reply();
    let at = altered.pointer_mut(&format!("/{}", path.replace('.', "/"))).unwrap();
    let mut text = at.as_str().unwrap().to_owned();
    change(&mut text, chance);
    *at = text.into();
    draft.replied(altered, Judgement::refused(path))
}

/// Puts a value in the place of the payload's number.
fn in_number(draft: Draft, value: Value) -> Case {
    let path = if draft.kind == RAW { "transactions.0.value" } else { "amount" };
    let mut altered = draft.reply();
    let payload = &mut altered["data"]["callData"]["payload"];
    *payload.pointer_mut(&format!("/{}", path.replace('.', "/"))).unwrap() = value;
    draft.replied(altered, Judgement::refused(&format!("data.callData.payload.{path}")))
}
