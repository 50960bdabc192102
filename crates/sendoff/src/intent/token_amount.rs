//! Amounts as people write them.

use alloc::vec::Vec;

use super::Decimals;
use crate::error::Error;
use crate::text::text;
use crate::value::{Amount, Note, ParseError, Text, newtype, no_decimal};

newtype! {
    /// An amount in whole tokens, such as `0.5`: digits, and at most one point with digits on both sides. A comma is refused,
    /// because it separates thousands for some people, and decimals for others.
    ///
    /// ```
    /// use sendoff::intent::{Decimals, TokenAmount};
    ///
    /// let half: TokenAmount = "0.5".parse()?;
    /// assert_eq!(half.units(Decimals::new(6)?)?.to_string(), "500000");
    /// assert_eq!("0,5".parse::<TokenAmount>().unwrap_err().issues()[0].note.as_deref(), Some("comma"));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct TokenAmount: "an amount in tokens, above zero, such as `0.5`",
        is_amount,
        else |text| if text.contains(',') { ParseError::format(&Note::COMMA) } else { no_decimal(text) },
        pattern r"^(0|[1-9][0-9]*)(\.[0-9]+)?$"
}

impl TokenAmount {
    /// Returns the amount in the smallest unit of a token with these decimals.
    ///
    /// # Errors
    ///
    /// `format` for an amount that is finer than the smallest unit, `range` for zero and above 2^256−1.
    pub fn units(&self, decimals: Decimals) -> Result<Amount, Error> {
        self.read_units(decimals).map_err(|fault| fault.error(&self.text, &Self::WANTED))
    }

    fn read_units(&self, decimals: Decimals) -> Result<Amount, ParseError> {
        let (whole, fraction) = self.text.split_once('.').unwrap_or((&self.text, ""));
        let fraction = fraction.trim_end_matches('0');
        let Some(missing) = decimals.places().checked_sub(fraction.len()) else {
            return Err(ParseError::format(&Note::DECIMALS));
        };

        let mut digits = Vec::from(whole.as_bytes());
        digits.extend_from_slice(fraction.as_bytes());
        digits.resize(digits.len().saturating_add(missing), b'0');
        let zeros = digits.iter().position(|digit| *digit != b'0');
        let digits = zeros.map(|zeros| text(digits.split_off(zeros)));
        Amount::parse(digits.as_deref().unwrap_or("0"))
    }
}

fn is_amount(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_number =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_canonical = whole == "0" || whole.as_bytes().first() != Some(&b'0');
    is_number(whole) && is_number(fraction) && is_canonical
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::{String, ToString};

    fn units(text: &str, decimals: u64) -> Result<String, String> {
        let amount = text.parse::<TokenAmount>();
        let units = amount.and_then(|amount| amount.units(Decimals::new(decimals)?));
        units.map(|units| units.to_string()).map_err(|error| {
            let issue = error.into_issues().remove(0);
            issue.note.unwrap_or_else(|| issue.code.to_string())
        })
    }

    /// Vectors have the others.
    #[test]
    fn tokens_become_units_of_their_own_token() {
        let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        let one = &*format!("1{}", "0".repeat(77));
        for (texts, decimals, expected) in [
            ("0.50", 1, Ok("5")),
            ("12 12.000", 0, Ok("12")),
            ("1", 77, Ok(one)),
            (most, 0, Ok(most)),
            ("1,000.5", 6, Err("comma")),
            ("1e3 1.5E-3", 6, Err("exponent")),
            ("1'000", 6, Err("separator")),
            ("0.5", 0, Err("decimals")),
            ("e3 .5 1. 01 -1 1.5.0 ٣", 6, Err("format")),
        ] {
            for text in texts.split(' ') {
                let found = units(text, decimals);
                let found = found.as_deref().map_err(String::as_str);
                assert_eq!(found, expected, "{text} {decimals}");
            }
        }
    }
}
