//! Letters, marks and digits of any script: Unicode's categories L, M and Nd.
//!
//! The standard library knows letters and numbers, but neither marks nor which numbers are digits.

/// `true` for a letter: category L.
pub(crate) fn is_letter(c: char) -> bool {
    // `Alphabetic` has L, the numbers of category Nl, marks, and letters in circles and squares, which are symbols.
    let is_enclosed = matches!(c,
        '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f149}' | '\u{1f150}'..='\u{1f169}' | '\u{1f170}'..='\u{1f189}');
    c.is_alphabetic() && !c.is_numeric() && !is_mark_or_digit(c) && !is_enclosed
}

/// `true` for a mark, which belongs to the letter before it, or a decimal digit: categories M and Nd.
pub(crate) fn is_mark_or_digit(c: char) -> bool {
    let (mut end, mut is_within) = (0_u32, true);

    for run in &RUNS {
        end = end.saturating_add((*run).into());
        is_within = !is_within;

        if u32::from(c) < end {
            return is_within;
        }
    }

    matches!(c, '\u{e0100}'..='\u{e01ef}')
}

/// The lengths of all runs below the last one, by Unicode 17: of other characters, of marks and digits, and so on in turn.
#[rustfmt::skip]
static RUNS: [u16; 770] = [
    48, 10, 710, 112, 275, 7, 263, 45, 1, 1, 1, 2, 1, 2, 1, 1, 72, 11, 48, 31, 6, 1, 101, 7, 2, 6,
    2, 2, 1, 4, 2, 10, 23, 1, 30, 27, 91, 11, 15, 10, 33, 9, 9, 1, 24, 4, 1, 9, 1, 3, 1, 5, 43, 3,
    59, 9, 42, 24, 1, 33, 54, 3, 1, 18, 1, 7, 10, 2, 2, 10, 17, 3, 56, 1, 1, 7, 2, 2, 2, 3, 9, 1,
    10, 2, 2, 10, 14, 1, 2, 3, 56, 1, 1, 5, 4, 2, 2, 3, 3, 1, 20, 12, 3, 1, 11, 3, 56, 1, 1, 8, 1,
    3, 1, 3, 20, 2, 2, 10, 10, 6, 1, 3, 56, 1, 1, 7, 2, 2, 2, 3, 7, 3, 10, 2, 2, 10, 18, 1, 59, 5,
    3, 3, 1, 4, 9, 1, 14, 10, 16, 5, 55, 1, 1, 7, 1, 3, 1, 4, 7, 2, 11, 2, 2, 10, 17, 3, 56, 1, 1,
    7, 1, 3, 1, 4, 7, 2, 11, 2, 2, 10, 3, 1, 12, 4, 55, 2, 1, 7, 1, 3, 1, 4, 9, 1, 10, 2, 2, 10, 17,
    3, 70, 1, 4, 6, 1, 1, 1, 8, 6, 10, 2, 2, 61, 1, 2, 7, 12, 8, 1, 10, 87, 1, 2, 9, 11, 7, 1, 10,
    62, 2, 6, 10, 11, 1, 1, 1, 1, 1, 4, 2, 49, 20, 1, 2, 5, 11, 1, 36, 9, 1, 100, 20, 1, 10, 12, 4,
    4, 3, 1, 3, 2, 7, 3, 4, 13, 12, 1, 15, 703, 3, 946, 4, 28, 3, 29, 2, 30, 2, 64, 32, 9, 1, 2, 10,
    33, 3, 1, 11, 107, 2, 34, 1, 118, 12, 4, 12, 10, 10, 128, 10, 61, 5, 57, 10, 1, 29, 2, 11, 6,
    10, 22, 46, 2, 12, 20, 5, 47, 17, 11, 10, 17, 9, 12, 3, 30, 13, 2, 10, 44, 14, 48, 20, 8, 10, 6,
    10, 118, 3, 1, 21, 4, 1, 6, 1, 2, 3, 198, 64, 720, 33, 3070, 3, 141, 1, 96, 32, 554, 6, 105, 2,
    30085, 10, 69, 4, 1, 10, 32, 2, 80, 2, 272, 1, 3, 1, 4, 1, 23, 5, 4, 1, 83, 2, 50, 18, 10, 10,
    6, 18, 13, 11, 28, 8, 25, 13, 44, 4, 47, 14, 15, 10, 11, 1, 10, 10, 47, 14, 12, 1, 8, 2, 2, 10,
    33, 3, 50, 1, 1, 3, 2, 2, 5, 2, 1, 1, 41, 5, 5, 2, 236, 8, 1, 2, 2, 10, 20260, 1, 737, 16, 16,
    16, 224, 10, 739, 1, 226, 1, 149, 5, 293, 10, 1367, 3, 1, 2, 5, 4, 40, 3, 4, 1, 165, 2, 573, 4,
    8, 10, 6, 10, 31, 5, 317, 2, 77, 6, 70, 11, 49, 4, 122, 3, 53, 15, 31, 11, 2, 2, 10, 4, 45, 11,
    7, 1, 45, 10, 6, 3, 36, 14, 1, 10, 5, 2, 44, 1, 12, 3, 48, 14, 8, 4, 1, 12, 82, 12, 6, 1, 2, 1,
    157, 12, 5, 10, 6, 4, 55, 2, 1, 7, 2, 2, 2, 3, 9, 1, 10, 2, 2, 7, 3, 5, 67, 9, 1, 1, 2, 1, 1, 4,
    1, 5, 1, 1, 14, 2, 82, 18, 9, 10, 4, 1, 81, 20, 12, 10, 213, 7, 2, 9, 27, 2, 82, 17, 15, 10, 81,
    13, 8, 10, 6, 20, 57, 15, 4, 10, 242, 15, 165, 10, 70, 6, 1, 2, 2, 4, 1, 1, 1, 2, 12, 10, 119,
    7, 2, 7, 3, 1, 28, 10, 40, 7, 1, 4, 8, 1, 9, 11, 46, 16, 198, 8, 136, 10, 53, 8, 1, 8, 16, 10,
    56, 22, 1, 14, 122, 6, 3, 1, 1, 2, 1, 7, 1, 1, 8, 10, 48, 5, 1, 2, 1, 5, 8, 10, 54, 10, 265, 4,
    9, 2, 1, 1, 48, 7, 3, 5, 13, 11, 5349, 1, 6, 15, 11464, 28, 2342, 10, 86, 10, 38, 5, 59, 7, 25,
    10, 534, 10, 469, 1, 1, 55, 7, 4, 81, 1, 11, 2, 19627, 2, 4177, 10, 518, 46, 2, 23, 542, 5, 3,
    6, 8, 8, 2, 7, 30, 4, 148, 3, 1417, 50, 512, 55, 4, 50, 8, 1, 14, 1, 22, 5, 1, 15, 1360, 7, 1,
    17, 2, 7, 1, 2, 1, 5, 100, 1, 160, 7, 9, 10, 356, 1, 61, 14, 498, 14, 244, 2, 1, 10, 232, 1, 2,
    1, 7, 2, 5, 1, 474, 7, 109, 7, 5, 10, 4758, 10,
];

#[cfg(test)]
mod tests {
    use unicode_general_category::{GeneralCategory as Category, get_general_category};

    use super::*;

    #[test]
    fn characters_have_their_categories() {
        for c in '\0'..=char::MAX {
            let category = get_general_category(c);
            // The other table is that of an earlier version.
            if category == Category::Unassigned {
                continue;
            }

            let abbreviation = category.abbreviation();
            let is_letter_there = abbreviation.starts_with('L');
            let is_mark_there = abbreviation.starts_with('M') || abbreviation == "Nd";
            let found = (is_letter(c), is_mark_or_digit(c));
            assert_eq!(found, (is_letter_there, is_mark_there), "{}", c.escape_unicode());
        }
    }
}
