//! The rules that no schema expresses that apply to one document, implemented a second time, independently of
//! the core.

use std::collections::{BTreeSet, HashMap, HashSet};

use primitive_types::U256;
use sendoff::intent::{Label, TokenSymbol};
use sendoff::schema::UnexpressedRule;
use serde_json::{Value, value::RawValue};

/// The fields that hold addresses.
const ADDRESSES: &str = "clientSWA collectionAddress entryPoint factory feePayerAddress from jobManager known paymaster \
                         recipientWalletAddress sender to tokenAddress userSWA wallets";

/// Returns the rules that a document breaks, given as text and as its value, with the kind if it is plain text.
pub fn broken(name: &str, text: &str, value: &Value) -> Vec<UnexpressedRule> {
    let length = value.as_str().map_or(text.len(), str::len);
    let (outside, once) = (outside(text), self::outside(&value.to_string()));
    let keys = |outside: &str| outside.matches(':').count();
    let is_rounded = match name {
        "ServiceReply" => code(text).is_some_and(|code| !is_its_double(&code)),
        _ => numbers(&outside).any(|number| !is_its_double(number)),
    };
    let rules = [
        (UnexpressedRule::Text, length > 1 << 20 || depth(&outside) > 64),
        // A value has an equal key once.
        (UnexpressedRule::Duplicate, keys(&outside) != keys(&once)),
        (UnexpressedRule::Digits, is_rounded),
        (UnexpressedRule::Checksum, has_text(name, "", value, &is_misspelled_address)),
        (UnexpressedRule::Decimal, has_text(name, "", value, &is_large_decimal)),
        (UnexpressedRule::Tip, name == "EstimateRequest" && breaks_tip(&value["gasDetails"])),
        (UnexpressedRule::GasBounds, name == "Deployment" && breaks_bounds(value)),
        (UnexpressedRule::Replaced, value.get("phase").is_some() && breaks_replaced(value)),
        (UnexpressedRule::Parameters, name == "Params" && breaks_parameters(value)),
        (UnexpressedRule::Names, name == "Names" && breaks_labels(value)),
        (UnexpressedRule::Catalogue, name.starts_with("Catalogue") && breaks_catalogue(value)),
    ];
    rules.into_iter().filter_map(|(rule, is_broken)| is_broken.then_some(rule)).collect()
}

fn hex(value: &Value) -> Option<U256> {
    U256::from_str_radix(value.as_str()?.strip_prefix("0x")?, 16).ok()
}

fn is_above(one: &Value, other: &Value) -> bool {
    hex(one).zip(hex(other)).is_some_and(|(one, other)| one > other)
}

fn breaks_tip(fees: &Value) -> bool {
    is_above(&fees["maxPriorityFeePerGas"], &fees["maxFeePerGas"])
}

fn breaks_parameters(value: &Value) -> bool {
    value.as_object().is_some_and(|params| !params.keys().eq(["userId"]))
}

fn breaks_bounds(deployment: &Value) -> bool {
    let bounds = deployment["expect"]["gas"].as_object().into_iter().flatten();
    bounds.into_iter().any(|(_, bounds)| is_above(&bounds["least"], &bounds["most"]))
}

fn breaks_replaced(state: &Value) -> bool {
    let hashes = state["replaced"].as_array().into_iter().flatten().chain([&state["hash"]]);
    let mut met = BTreeSet::new();
    hashes.filter_map(Value::as_str).any(|hash| !met.insert(hash.to_ascii_lowercase()))
}

/// `true` if a name or a symbol is text and no label. Vectors have the labels; here the core's reader is asked.
fn breaks_labels(value: &Value) -> bool {
    let lists = ["chains", "tokens", "collections"].map(|list| value[list].as_array());
    let mut entries = lists.into_iter().flatten().flatten();
    entries.any(|entry| {
        entry["name"].as_str().is_some_and(|name| name.parse::<Label>().is_err())
            || entry["symbol"].as_str().is_some_and(|symbol| symbol.parse::<TokenSymbol>().is_err())
    })
}

/// `true` if a catalogue has a chain, token or collection twice, or a chain that it does not have or that is not of `eip155`.
fn breaks_catalogue(value: &Value) -> bool {
    let list = |key: &str| value[key].as_array().cloned().unwrap_or_default();
    let chain = |entry: &Value| entry["caip2Id"].as_str().unwrap_or_default().to_owned();
    let mut chains = HashSet::new();
    let mut contracts = HashSet::new();
    let mut is_broken = value.get("caip2Id").is_some() && !chain(value).starts_with("eip155:");
    for entry in list("chains") {
        is_broken |= !chain(&entry).starts_with("eip155:") || !chains.insert(chain(&entry));
    }
    for (lists, key) in [("tokens", "tokenAddress"), ("collections", "collectionAddress")] {
        for entry in list(lists) {
            let address = entry[key].as_str().unwrap_or_default().to_lowercase();
            is_broken |= !chains.contains(&chain(&entry));
            is_broken |= !contracts.insert((key, chain(&entry), address));
        }
    }
    is_broken
}

/// `true` if a text of a document, with its key, is one. A service's reply contains no address and no amount.
fn has_text(name: &str, key: &str, value: &Value, is: &dyn Fn(&str, &str, &str) -> bool) -> bool {
    match value {
        _ if name == "ServiceReply" => false,
        Value::String(text) => is(name, key, text),
        Value::Array(items) => items.iter().any(|item| has_text(name, key, item, is)),
        Value::Object(fields) => fields.iter().any(|(key, value)| has_text(name, key, value, is)),
        _ => false,
    }
}

/// How deep a JSON text without strings is nested.
fn depth(outside: &str) -> usize {
    let depths = outside.bytes().scan(0, |depth, byte| {
        match byte {
            b'[' | b'{' => *depth += 1,
            b']' | b'}' => *depth -= 1,
            _ => {}
        }
        Some(*depth)
    });
    depths.max().unwrap_or_default()
}

/// `true` for an address in mixed case with a wrong checksum.
fn is_misspelled_address(name: &str, key: &str, text: &str) -> bool {
    let is_looked_at = ["Address", "FeePayerAddress", "TokenAddress"].contains(&name)
        || ADDRESSES.split_whitespace().any(|known| known == key);
    let Some(digits) = text.strip_prefix("0x").filter(|_| is_looked_at) else { return false };
    let is_address = digits.len() == 40 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let is_mixed = digits.bytes().any(|c| c.is_ascii_lowercase())
        && digits.bytes().any(|c| c.is_ascii_uppercase());
    is_address && is_mixed && laws::checksummed(text) != text
}

/// `true` for a canonical decimal above 2^256−1 in 78 digits, which the pattern accepts.
fn is_large_decimal(name: &str, key: &str, text: &str) -> bool {
    let is_looked_at = ["Amount", "FeeAmount", "NftId"].contains(&name)
        || ["amount", "maxCost", "nftId"].contains(&key)
        || key.contains(':');
    let is_canonical = text.len() == 78
        && text.bytes().all(|digit| digit.is_ascii_digit())
        && !text.starts_with('0');
    is_looked_at && is_canonical && U256::from_dec_str(text).is_err()
}

/// The text of the only number that is read from a service's reply.
fn code(reply: &str) -> Option<String> {
    let raw = |text: &str, key: &str| {
        let fields: HashMap<String, Box<RawValue>> = serde_json::from_str(text).ok()?;
        fields.get(key).map(|value| value.get().to_owned())
    };
    let code = if raw(reply, "status")? == "\"error\"" {
        raw(&raw(reply, "error")?, "code")
    } else {
        None
    };
    code.filter(|code| code.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
}

/// A JSON text without its strings.
fn outside(text: &str) -> String {
    let (mut is_inside, mut is_escaped) = (false, false);
    let is_outside = |c: &char| {
        let is_quote = *c == '"' && !is_escaped;
        is_escaped = is_inside && *c == '\\' && !is_escaped;
        is_inside ^= is_quote;
        !is_inside && !is_quote
    };
    text.chars().filter(is_outside).collect()
}

/// The numbers in a JSON text without strings.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ':', '[', ']', '{', '}', ' ', '\n', '\t', '\r'])
        .filter(|token| token.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
}

/// Returns `true` if a double represents a number exactly, for integers.
fn is_its_double(number: &str) -> bool {
    if number.bytes().all(|c| c == b'-' || c.is_ascii_digit()) {
        return true;
    }
    let Ok(double) = number.parse::<f64>() else { return true };
    if double.fract() != 0.0 || double.abs() > 1e30 {
        return true;
    }
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i64 = exponent.parse().unwrap_or_default();
    let point = usize::try_from(i64::try_from(integer.len()).unwrap() + exponent).unwrap_or(0);
    let digits = format!("{integer}{fraction}");
    let whole: String = digits.chars().chain(std::iter::repeat('0')).take(point).collect();
    let whole = whole.trim_start_matches('-').trim_start_matches('0');
    digits.chars().skip(point).all(|digit| digit == '0' || digit == '-')
        && whole == format!("{:.0}", double.abs()).trim_start_matches('0')
}
