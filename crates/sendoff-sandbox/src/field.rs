//! Fields that have rules of their own, by their names: addresses, ids, decimals and prices.

use sendoff::value::{Address, FeeAmount};

use crate::misfit::Misfit;
use crate::record::Record;
use crate::{Json, units};

/// How a text is spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelled {
    /// A number in decimal digits.
    Decimal,
    /// An address as a caller has it.
    Any,
    /// An address as a caller has it; there may be none.
    AnyOrNone,
    /// An address in lower case.
    Lower,
    /// An address in lower case; there may be none.
    LowerOrNone,
    /// Two addresses in lower case, with a space between them.
    Pair,
}

/// The fields with such texts, in every record. A list has several, and a map has them as its keys.
const SPELLED: [(&str, Spelled); 14] = [
    ("nfts", Spelled::Decimal),
    ("client_swa", Spelled::Any),
    ("job_manager", Spelled::Any),
    ("paymaster", Spelled::Any),
    // Without a key grants are not checked.
    ("grant_signer", Spelled::AnyOrNone),
    ("wallet", Spelled::Lower),
    ("swa", Spelled::Lower),
    ("balances", Spelled::Lower),
    ("owners", Spelled::Lower),
    ("address", Spelled::LowerOrNone),
    ("approved", Spelled::LowerOrNone),
    ("session_key", Spelled::LowerOrNone),
    ("allowances", Spelled::Pair),
    ("operators", Spelled::Pair),
];

/// Reads a field of a record by its name.
pub(crate) fn read(field: &mut dyn Record, json: &Json, name: &str) -> Result<(), Misfit> {
    match name {
        "decimals" if json.as_u64().is_some_and(|decimals| decimals > 255) => {
            Err(Misfit::new("at most 255", json))
        }
        "price" if json.as_text().is_some_and(|price| units::read(price, 4).is_none()) => {
            Err(Misfit::new("a decimal with at most four places", json))
        }
        _ => match SPELLED.iter().find(|(known, _)| *known == name) {
            Some((_, spelled)) => {
                let mut json = json.clone();
                spell_all(&mut json, *spelled)?;
                field.read(&json)
            }
            None => field.read(json),
        },
    }
}

/// Checks the texts of a field, and spells them as the ledger has them.
fn spell_all(json: &mut Json, spelled: Spelled) -> Result<(), Misfit> {
    match json {
        Json::Text(text) => spell(text, spelled),
        Json::List(items) => items.iter_mut().enumerate().try_for_each(|(at, item)| {
            spell_all(item, spelled).map_err(|misfit| misfit.within(&Json::from(at).to_json()))
        }),
        Json::Object(fields) => fields.iter_mut().try_for_each(|(name, _)| spell(name, spelled)),
        _ => Ok(()),
    }
}

/// Checks a text, and spells it.
#[inline(never)]
fn spell(text: &mut str, spelled: Spelled) -> Result<(), Misfit> {
    if text.is_empty() && matches!(spelled, Spelled::AnyOrNone | Spelled::LowerOrNone) {
        return Ok(());
    }
    if spelled == Spelled::Decimal {
        text.parse::<FeeAmount>()?;
        return Ok(());
    }
    let (owner, other) = match spelled {
        Spelled::Pair => text.split_once(' ').unwrap_or((text, "")),
        _ => (&*text, &*text),
    };
    for address in [owner, other] {
        address.parse::<Address>()?;
    }
    if !matches!(spelled, Spelled::Any | Spelled::AnyOrNone) {
        text.make_ascii_lowercase();
    }
    Ok(())
}
