//! The rules that no schema expresses that apply to one document, implemented a second time, independently of
//! the core.

use std::collections::{HashMap, HashSet};
use std::fmt;

use primitive_types::U256;
use sendoff::intent::{Label, TokenSymbol};
use sendoff::schema::UnexpressedRule;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, value::RawValue};

/// The fields that hold addresses.
const ADDRESSES: [&str; 15] = [
    "clientSWA",
    "collectionAddress",
    "entryPoint",
    "factory",
    "feePayerAddress",
    "from",
    "jobManager",
    "known",
    "paymaster",
    "recipientWalletAddress",
    "sender",
    "to",
    "tokenAddress",
    "userSWA",
    "wallets",
];

/// Returns the rules that a document breaks, given as text and as its value, with the kind if it is plain text.
pub fn broken(name: &str, text: &str, value: &Value) -> Vec<UnexpressedRule> {
    let mut broken = Vec::new();
    let mut note = |is_broken: bool, rule| {
        if is_broken {
            broken.push(rule)
        }
    };
    let content = value.as_str();
    note(
        content.map_or(text.len(), str::len) > 1 << 20 || depth(value) > 64,
        UnexpressedRule::Text,
    );
    note(serde_json::from_str::<Unique>(text).is_err(), UnexpressedRule::Duplicate);
    let is_rounded = |text: &str| numbers(text).any(|number| !is_its_double(number));
    note(
        if name == "ServiceReply" {
            code(text).is_some_and(|code| is_rounded(&code))
        } else {
            is_rounded(text)
        },
        UnexpressedRule::Digits,
    );
    let (mut checksum, mut decimal) = (false, false);
    let is_address = ["Address", "FeePayerAddress", "TokenAddress"].contains(&name);
    let is_decimal = ["Amount", "FeeAmount", "NftId"].contains(&name);
    // A service's reply contains no address and no amount.
    let looked_at = if name == "ServiceReply" { &Value::Null } else { value };
    visit("", looked_at, &mut |key, text| {
        checksum |= (is_address || ADDRESSES.contains(&key)) && is_misspelled(text);
        decimal |=
            (is_decimal || ["amount", "maxCost", "nftId"].contains(&key) || key.contains(':'))
                && is_too_large(text);
    });
    note(checksum, UnexpressedRule::Checksum);
    note(decimal, UnexpressedRule::Decimal);
    let fee = |key: &str| {
        let text = value["gasDetails"][key].as_str()?.strip_prefix("0x")?;
        u128::from_str_radix(text, 16).ok()
    };
    let fees = fee("maxFeePerGas").zip(fee("maxPriorityFeePerGas"));
    note(
        name == "EstimateRequest" && fees.is_some_and(|(cap, tip)| tip > cap),
        UnexpressedRule::Tip,
    );
    let quantity =
        |bound: &Value| U256::from_str_radix(bound.as_str()?.strip_prefix("0x")?, 16).ok();
    let is_empty = |bounds: &Value| {
        let (least, most) = (quantity(&bounds["least"]), quantity(&bounds["most"]));
        least.zip(most).is_some_and(|(least, most)| least > most)
    };
    let bounds = value["expect"]["gas"].as_object().into_iter().flatten();
    note(
        name == "Deployment" && bounds.into_iter().any(|(_, bounds)| is_empty(bounds)),
        UnexpressedRule::GasBounds,
    );
    let hashes = value["replaced"].as_array().into_iter().flatten().chain([&value["hash"]]);
    let hashes = hashes.filter_map(Value::as_str).map(str::to_ascii_lowercase).collect::<Vec<_>>();
    let differ = hashes.iter().collect::<std::collections::BTreeSet<_>>().len() == hashes.len();
    note(value.get("phase").is_some() && !differ, UnexpressedRule::Replaced);
    let names =
        value.as_object().map(|params| params.keys().map(String::as_str).collect::<Vec<_>>());
    note(
        name == "Params" && names.is_some_and(|names| names != ["userId"]),
        UnexpressedRule::Parameters,
    );
    note(name == "Names" && breaks_labels(value), UnexpressedRule::Names);
    note(
        ["Catalogue", "CatalogueStep"].contains(&name) && breaks_catalogue(value),
        UnexpressedRule::Catalogue,
    );
    broken
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
    let address = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_lowercase();
    let mut chains = HashSet::new();
    let mut contracts = HashSet::new();
    let mut is_broken = value.get("caip2Id").is_some() && !chain(value).starts_with("eip155:");
    for entry in list("chains") {
        is_broken |= !chain(&entry).starts_with("eip155:") || !chains.insert(chain(&entry));
    }
    for (lists, key) in [("tokens", "tokenAddress"), ("collections", "collectionAddress")] {
        for entry in list(lists) {
            is_broken |= !chains.contains(&chain(&entry));
            is_broken |= !contracts.insert((key, chain(&entry), address(&entry, key)));
        }
    }
    is_broken
}

/// Every text of a document with its key.
fn visit(key: &str, value: &Value, see: &mut impl FnMut(&str, &str)) {
    match value {
        Value::String(text) => see(key, text),
        Value::Array(items) => items.iter().for_each(|item| visit(key, item, see)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| visit(key, value, see)),
        _ => {}
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

/// `true` for an address in mixed case with a wrong checksum.
fn is_misspelled(text: &str) -> bool {
    let Some(digits) = text.strip_prefix("0x") else { return false };
    let is_address = digits.len() == 40 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let is_mixed = digits.bytes().any(|c| c.is_ascii_lowercase())
        && digits.bytes().any(|c| c.is_ascii_uppercase());
    is_address && is_mixed && laws::checksummed(text) != text
}

/// `true` for a canonical decimal above 2^256−1 in 78 digits, which the pattern accepts.
fn is_too_large(text: &str) -> bool {
    let is_canonical = text.len() == 78
        && text.bytes().all(|digit| digit.is_ascii_digit())
        && !text.starts_with('0');
    is_canonical && U256::from_dec_str(text).is_err()
}

/// The text of the only number that is read from a service's reply.
fn code(reply: &str) -> Option<String> {
    let raw = |text: &str, key: &str| {
        let fields: HashMap<String, Box<RawValue>> = serde_json::from_str(text).ok()?;
        fields.get(key).map(|value| value.get().to_owned())
    };
    if raw(reply, "status")? == "\"error\"" { raw(&raw(reply, "error")?, "code") } else { None }
}

/// The numbers in a JSON text.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let outside = text.split('"').scan(false, |escaped, part| {
        let backslashes = part.len() - part.trim_end_matches('\\').len();
        let before = *escaped;
        *escaped = backslashes % 2 == 1;
        Some((part, before))
    });
    // Every second part is outside of quotes, apart from escaped quotes.
    let mut inside = true;
    let parts = outside.filter_map(move |(part, after_escape)| {
        if !(inside && after_escape) {
            inside = !inside;
        }
        (!inside).then_some(part)
    });
    parts
        .flat_map(|part| part.split([',', ':', '[', ']', '{', '}', ' ', '\n', '\t', '\r']))
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
    let digits = format!("{integer}{fraction}");
    let point = i64::try_from(integer.len()).unwrap() + exponent;
    let whole: String = digits
        .chars()
        .chain(std::iter::repeat('0'))
        .take(usize::try_from(point).unwrap_or(0))
        .collect();
    let rest = digits.chars().skip(usize::try_from(point).unwrap_or(0));
    let whole = whole.trim_start_matches('-').trim_start_matches('0');
    rest.into_iter().all(|digit| digit == '0' || digit == '-')
        && whole == format!("{:.0}", double.abs()).trim_start_matches('0')
}

/// JSON without duplicate keys.
struct Unique;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Unique)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self, A::Error> {
        while seq.next_element::<Unique>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut keys = HashSet::new();
        while let Some((key, Unique)) = map.next_entry::<String, Unique>()? {
            if !keys.insert(key) {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                return Err(A::Error::custom("a key occurs twice"));
            }
        }
        Ok(self)
    }
}
