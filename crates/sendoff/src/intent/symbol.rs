//! Symbols of tokens, and names of chains and collections: short texts that cannot be taken for a
//! part of a sentence.
//!
//! Lists of tokens come from strangers, and sentences show their texts beside addresses and
//! amounts.

use crate::error::is_invisible;
use crate::unicode::{is_letter, is_mark_or_digit};
use crate::value::{is_short, newtype};

newtype! {
    /// The symbol of a token, such as `USDC`: 1 to 16 visible characters with a letter, without spaces, brackets or `0x`.
    ///
    /// ```
    /// use sendoff::intent::TokenSymbol;
    ///
    /// assert_eq!("USD₮0".parse::<TokenSymbol>()?.as_str(), "USD₮0");
    /// assert!("USDC (real)".parse::<TokenSymbol>().is_err());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct TokenSymbol:
        "a symbol of 1 to 16 visible characters with a letter, without spaces, brackets or `0x`",
        |text| is_short(text, 16) && is_symbol(text),
        label true,
        schema |_| crate::document::schema::label(<Self as crate::value::Text>::EXPECTED)
}

newtype! {
    /// The name of a chain or a collection, such as `Polygon Amoy`: 1 to 40 letters, marks and digits of any script, and
    /// `-()'&/`, with a letter, in words with one space between them.
    ///
    /// ```
    /// use sendoff::intent::Label;
    ///
    /// assert_eq!("Polygon (Amoy)".parse::<Label>()?.as_str(), "Polygon (Amoy)");
    /// assert!("Base. Fee 0".parse::<Label>().is_err());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Label:
        "a name of 1 to 40 letters, marks, digits and `-()'&/`, with a letter, in words with one space between",
        |text| is_short(text, 40) && is_name(text),
        label true,
        schema |_| crate::document::schema::label(<Self as crate::value::Text>::EXPECTED)
}

/// `true` for words of a name with a letter, and one space between them.
fn is_name(text: &str) -> bool {
    text.chars().any(is_letter)
        && text.split(' ').all(|word| !word.is_empty() && word.chars().all(is_of_name))
}

/// `true` for a character of a word in a name. Some letters and marks are invisible.
fn is_of_name(c: char) -> bool {
    matches!(c, '-' | '(' | ')' | '\'' | '&' | '/')
        || (is_letter(c) || is_mark_or_digit(c)) && !is_invisible(c)
}

/// `true` for text of visible characters with a letter, without brackets and without `0x`.
fn is_symbol(text: &str) -> bool {
    let is_plain = |c: char| !c.is_whitespace() && !is_invisible(c) && !is_bracket(c);
    let has_hex = text.as_bytes().windows(2).any(|pair| pair.eq_ignore_ascii_case(b"0x"));
    text.chars().any(is_letter) && !has_hex && text.chars().all(is_plain)
}

/// `true` for brackets: Unicode's categories Ps and Pe, angle brackets and guillemets.
const fn is_bracket(c: char) -> bool {
    matches!(c,
        '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '«' | '»' | '\u{f3a}'..='\u{f3d}' | '\u{169b}' | '\u{169c}'
        | '\u{201a}' | '\u{201e}' | '\u{2039}' | '\u{203a}' | '\u{2045}' | '\u{2046}' | '\u{207d}' | '\u{207e}'
        | '\u{208d}' | '\u{208e}' | '\u{2308}'..='\u{230b}' | '\u{2329}' | '\u{232a}' | '\u{2768}'..='\u{2775}'
        | '\u{27c5}' | '\u{27c6}' | '\u{27e6}'..='\u{27ef}' | '\u{2983}'..='\u{2998}' | '\u{29d8}'..='\u{29db}'
        | '\u{29fc}' | '\u{29fd}' | '\u{2e22}'..='\u{2e29}' | '\u{2e42}' | '\u{2e55}'..='\u{2e5c}'
        | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301b}' | '\u{301d}'..='\u{301f}' | '\u{fd3e}' | '\u{fd3f}'
        | '\u{fe17}' | '\u{fe18}' | '\u{fe35}'..='\u{fe44}' | '\u{fe47}' | '\u{fe48}' | '\u{fe59}'..='\u{fe5e}'
        | '\u{fe64}' | '\u{fe65}' | '\u{ff08}' | '\u{ff09}' | '\u{ff1c}' | '\u{ff1e}' | '\u{ff3b}' | '\u{ff3d}'
        | '\u{ff5b}' | '\u{ff5d}' | '\u{ff5f}' | '\u{ff60}' | '\u{ff62}' | '\u{ff63}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn invisible_characters_are_refused() {
        let hidden = "\u{ad}\u{34f}\u{600}\u{61c}\u{6dd}\u{70f}\u{890}\u{8e2}\u{115f}\u{1160}\u{17b4}\u{180b}\u{200b}\
            \u{200e}\u{2028}\u{202e}\u{2060}\u{2066}\u{2800}\u{3164}\u{fe0f}\u{feff}\u{ffa0}\u{fff0}\u{fff9}\u{110bd}\
            \u{13430}\u{1bca0}\u{1d173}\u{e0001}\u{e0100}\u{7f}\u{85}";
        for c in hidden.chars() {
            assert!(format!("A{c}B").parse::<TokenSymbol>().is_err(), "{}", c.escape_unicode());
            assert!(format!("A{c}B").parse::<Label>().is_err(), "{}", c.escape_unicode());
        }
    }
}
