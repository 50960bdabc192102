//! Names of chains and tokens that the caller knows.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::{ChainLabel, TokenSymbol};
use crate::document::{Integer, Value, document, number_value};
use crate::error::Error;
use crate::text::without_zeros;
use crate::value::{ChainId, TokenAddress, WriteText, decimal, fill, text};

document! {
    /// Names of chains and tokens that the caller knows. Sentences show them beside the raw values and never instead of
    /// them, because they are the caller's own and not signed.
    ///
    /// ```
    /// use sendoff::intent::Names;
    ///
    /// let names: Names = r#"{
    ///     "chains": [{ "caip2Id": "eip155:80002", "name": "Polygon Amoy" }],
    ///     "tokens": [{ "caip2Id": "eip155:80002", "tokenAddress": "", "symbol": "POL", "decimals": 18 }]
    /// }"#.parse()?;
    /// assert_eq!(names.tokens[0].decimals.value(), 18);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Default)]
    pub struct Names: "names, an object of `chains` and `tokens`" {
        /// Names of chains.
        "chains" => pub chains: Vec<ChainName> = Vec::new(),
        /// Symbols and decimals of tokens.
        "tokens" => pub tokens: Vec<TokenName> = Vec::new(),
    }
}

document! {
    /// The name of a chain.
    pub struct ChainName: "a chain's name, an object of `caip2Id` and `name`" {
        /// The chain.
        "caip2Id" => pub chain: ChainId,
        /// Its name.
        "name" => pub name: ChainLabel,
    }
}

document! {
    /// The symbol of a token, and the number of decimals of its amounts.
    pub struct TokenName: "a token's symbol, an object of `caip2Id`, `tokenAddress`, `symbol` and `decimals`" {
        /// The chain.
        "caip2Id" => pub chain: ChainId,
        /// The token's contract; empty for the native token.
        "tokenAddress" => pub token: TokenAddress,
        /// Its symbol.
        "symbol" => pub symbol: TokenSymbol,
        /// The number of decimals of its amounts, 0 to 77.
        "decimals" => pub decimals: Decimals,
    }
}

/// The number of decimals of a token's amounts: 0 to 77, one less than the digits of 2^256−1.
///
/// ```
/// use sendoff::intent::Decimals;
///
/// assert_eq!(Decimals::new(18).map(Decimals::value), Ok(18));
/// assert!(Decimals::new(78).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimals(u64);

impl Decimals {
    const MAX: i64 = 77;

    /// The decimals.
    ///
    /// # Errors
    ///
    /// `range` above 77.
    pub fn new(decimals: u64) -> Result<Self, Error> {
        Integer::<0, { Self::MAX }>::new(decimals).map(|_| Self(decimals))
    }

    /// The number.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

number_value!(Decimals: u64 by new, "decimals, an integer from 0 to 77", 0, Self::MAX);

/// The names in a value of [`Names`]; absent ones are none.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a>(pub(crate) &'a Value);

impl Known<'_> {
    /// A chain for people: its name with its id, or the id alone.
    pub(super) fn chain(self, chain: &Value) -> String {
        match self.0.field("chains").items().iter().find(|known| known.field("caip2Id") == chain) {
            Some(known) => fill("{} ({})", &[known.field("name"), chain]),
            None => chain.to_text(),
        }
    }

    /// The sentence about the most that an operation can cost, and who pays it.
    pub(crate) fn cost_sentence(self, cost: U256, chain: &Value, paymaster: &Value) -> String {
        let native = Value::TokenAddress(TokenAddress::NATIVE);
        let (cost, chain) = (self.amount(cost, chain, &native, "wei"), self.chain(chain));
        fill(
            "The operation costs at most {} on {}. The paymaster {} pays it.",
            &[&cost, &chain, paymaster],
        )
    }

    /// `true` if the token has a name.
    pub(super) fn knows(self, chain: &Value, token: &Value) -> bool {
        *self.token(chain, token) != Value::Unread
    }

    fn token(&self, chain: &Value, token: &Value) -> &Value {
        let mut tokens = self.0.field("tokens").items().iter();
        let known = tokens
            .find(|known| known.field("caip2Id") == chain && known.field("tokenAddress") == token);
        known.unwrap_or(&Value::Unread)
    }

    /// An amount of a token for people: in its unit with its symbol and the raw number, or the raw number alone.
    pub(super) fn amount(self, amount: U256, chain: &Value, token: &Value, unit: &str) -> String {
        let raw = fill("{} {}", &[&decimal(amount), &unit]);
        match self.token(chain, token) {
            Value::Unread => raw,
            known => fill(
                "{} {} ({})",
                &[&shifted(amount, known.field("decimals")), known.field("symbol"), &raw],
            ),
        }
    }
}

/// A number with the point before its last digits.
fn shifted(value: U256, decimals: &Value) -> String {
    let places = if let Value::Integer(places) = decimals {
        usize::try_from(*places).unwrap_or_default()
    } else {
        0
    };

    let number = decimal(value);
    let mut digits = alloc::vec![b'0'; places.saturating_add(1).saturating_sub(number.len())];
    digits.extend_from_slice(number.as_bytes());
    let digits = text(digits);
    let (whole, fraction) =
        digits.split_at_checked(digits.len().saturating_sub(places)).unwrap_or((&digits, ""));
    match without_zeros(fraction) {
        "" => whole.into(),
        fraction => fill("{}.{}", &[&whole, &fraction]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Typed;
    use alloc::format;

    #[test]
    fn amounts_have_the_unit_of_their_token_on_their_chain() {
        let names: Names = r#"{
            "chains": [{ "caip2Id": "eip155:1", "name": "Ethereum" }, { "caip2Id": "eip155:137", "name": "Polygon" }],
            "tokens": [
                { "caip2Id": "eip155:1", "tokenAddress": "", "symbol": "ETH", "decimals": 18 },
                { "caip2Id": "eip155:137", "tokenAddress": "", "symbol": "POL", "decimals": 18 },
                { "caip2Id": "eip155:137", "tokenAddress": "0x00000000000000000000000000000000000000a1",
                  "symbol": "USDT", "decimals": 6 },
                { "caip2Id": "eip155:137", "tokenAddress": "0x00000000000000000000000000000000000000a2",
                  "symbol": "POINT", "decimals": 0 },
                { "caip2Id": "eip155:137", "tokenAddress": "0x00000000000000000000000000000000000000a3",
                  "symbol": "TINY", "decimals": 77 }
            ]
        }"#
        .parse()
        .unwrap();

        let said = |chain: &str, token: &str, amount: &str| {
            let amount = U256::from_dec_str(amount).unwrap();
            let chain = chain.parse::<ChainId>().unwrap().to_value();
            Known(&names.to_value()).amount(
                amount,
                &chain,
                &token.parse::<TokenAddress>().unwrap().to_value(),
                "units",
            )
        };

        let [usdt, point, tiny] =
            [1, 2, 3].map(|last| format!("0x00000000000000000000000000000000000000a{last}"));
        for (chain, token, amount, expected) in [
            ("eip155:1", "", "1500000000000000000", "1.5 ETH (1500000000000000000 units)"),
            ("eip155:137", "", "1", "0.000000000000000001 POL (1 units)"),
            ("eip155:137", &*usdt, "0", "0 USDT (0 units)"),
            ("eip155:137", &usdt, "1234567890", "1234.56789 USDT (1234567890 units)"),
            ("eip155:137", &point, "1234567890", "1234567890 POINT (1234567890 units)"),
            ("eip155:1", &usdt, "7", "7 units"),
        ] {
            assert_eq!(said(chain, token, amount), expected);
        }

        assert_eq!(said("eip155:137", &tiny, "1"), format!("0.{}1 TINY (1 units)", "0".repeat(76)));
        let chains = ["eip155:137", "eip155:2"].map(|chain| {
            Known(&names.to_value()).chain(&chain.parse::<ChainId>().unwrap().to_value())
        });
        assert_eq!(chains, ["Polygon (eip155:137)", "eip155:2"]);
    }

    #[test]
    fn decimals_are_at_most_77() {
        let names = |decimals: &str| {
            format!(r#"{{"tokens":[{{"caip2Id":"eip155:1","tokenAddress":"","symbol":"ETH","decimals":{decimals}}}]}}"#)
                .parse::<Names>()
                .map(|names| names.tokens[0].decimals.value())
        };
        assert_eq!(names("77"), Ok(77));
        for wrong in ["78", "-1", "0.5", "\"18\"", "null"] {
            assert_eq!(names(wrong).unwrap_err().issues()[0].path, "tokens.0.decimals", "{wrong}");
        }
    }
}
