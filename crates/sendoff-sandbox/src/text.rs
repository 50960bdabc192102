//! Texts without `format!`, whose call sites and traits were a fiftieth of the WebAssembly module.

use alloc::string::String;

use sendoff::error::Error;

/// The problems of a document in a row, as `Display` writes them.
pub(crate) fn problems(error: &Error) -> String {
    let mut text = String::new();
    for issue in error.issues() {
        if !text.is_empty() {
            text.push_str("; ");
        }
        if !issue.path.is_empty() {
            text.push_str(&issue.path);
            text.push_str(": ");
        }
        text.push_str(&issue.message);
    }
    text
}

/// An integer without a sign in decimal digits.
#[inline(never)]
pub(crate) fn digits(number: u64) -> String {
    let mut text = String::new();
    push_digits(number, &mut text);
    text
}

fn push_digits(number: u64, text: &mut String) {
    if number > 9 {
        push_digits(number / 10, text);
    }
    let digit = u32::try_from(number % 10).unwrap_or_default();
    text.extend(char::from_digit(digit, 10));
}

/// An integer in decimal digits.
pub(crate) fn signed(number: i64) -> String {
    padded(number, 0)
}

/// The same with zeros behind its sign, if it is shorter.
#[inline(never)]
pub(crate) fn padded(number: i64, width: usize) -> String {
    let (sign, digits) = (if number < 0 { "-" } else { "" }, digits(number.unsigned_abs()));
    let missing = width.saturating_sub(sign.len()).saturating_sub(digits.len());
    [sign, &"0".repeat(missing), &digits].concat()
}

/// Words with a text between them.
pub(crate) fn joined(words: &[&str], between: &str) -> String {
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            text.push_str(between);
        }
        text.push_str(word);
    }
    text
}

/// A text in which the first place of a part has another. The search of the standard library is longer than all lies.
pub(crate) fn replaced(text: &str, part: &str, other: &str) -> String {
    for at in 0..text.len() {
        if let Some((before, rest)) = text.split_at_checked(at)
            && let Some(behind) = rest.strip_prefix(part)
        {
            return [before, other, behind].concat();
        }
    }
    text.into()
}

/// At most 64 characters of a caller's text.
pub(crate) fn cut(text: &str) -> &str {
    text.char_indices().nth(64).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// Reads an integer without a minus.
#[inline(never)]
pub(crate) fn of_digits(text: &str) -> Option<u64> {
    text.parse().ok()
}

/// Reads an integer.
#[inline(never)]
pub(crate) fn of_signed(text: &str) -> Option<i64> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn problems_are_as_they_are_displayed() {
        for text in ["7", "{}", r#"{"caip2Id":"x"}"#] {
            let error =
                text.parse::<sendoff::user_op::EntryPoint>().expect_err("expected a refusal");
            assert_eq!(problems(&error), error.to_string());
        }
    }

    #[test]
    fn words_are_joined() {
        for words in [&["a", "", "b"][..], &["", "a"], &["a"], &[]] {
            assert_eq!(joined(words, ", "), words.join(", "));
        }
    }

    #[test]
    fn the_first_place_is_replaced() {
        for (text, part) in [("aXbX", "X"), ("é1é1", "é1"), ("ab", "ab"), ("ab", "abc"), ("", "a")]
        {
            assert_eq!(replaced(text, part, "-"), text.replacen(part, "-", 1));
        }
    }

    #[test]
    fn integers_are_those_of_the_standard_library() {
        for number in [0, 9, 10, 1_234_567_890, u64::MAX] {
            assert_eq!(digits(number), number.to_string());
        }
        for number in [0, -1, 7, 42, -42, 123_456, i64::MIN, i64::MAX] {
            assert_eq!(signed(number), number.to_string());
            assert_eq!(padded(number, 4), alloc::format!("{number:04}"));
        }
    }
}
