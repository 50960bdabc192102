//! Attribution suffixes: bytes behind a call that name the application which made it.
//!
//! Source: ERC-8021, schemas 0 and 1.

/// The last bytes of a suffix.
const MARKER: &[u8] = [[0x80, 0x21]; 8].as_flattened();

/// `true` if these bytes are one suffix and nothing else: the codes of applications, and in schema 1 their registry before them.
pub(crate) fn is_attribution(bytes: &[u8]) -> bool {
    let Some([before @ .., length, schema]) = bytes.strip_suffix(MARKER) else { return false };
    let start = before.len().checked_sub(usize::from(*length));
    let Some((registry, codes)) = start.and_then(|start| before.split_at_checked(start)) else {
        return false;
    };

    let is_registry = match schema {
        0 => registry.is_empty(),
        1 => is_registry(registry),
        _ => false,
    };
    is_registry && codes.iter().all(u8::is_ascii_graphic)
}

/// `true` for an address, the id of its chain, and the length of this id.
fn is_registry(bytes: &[u8]) -> bool {
    const ADDRESS: usize = 20;
    bytes.split_last().is_some_and(|(length, before)| {
        *length > 0 && before.len() == ADDRESS.saturating_add((*length).into())
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn suffix(before: &[u8], codes: &[u8], length: u8, schema: u8) -> Vec<u8> {
        [before, codes, &[length, schema], MARKER].concat()
    }

    #[test]
    fn a_suffix_is_codes_and_perhaps_their_registry() {
        let registry = [&[7; 20][..], &[0x21, 0x05, 2]].concat();
        for (bytes, expected) in [
            (suffix(&[], b"baseapp", 7, 0), true),
            (suffix(&[], b"baseapp,morpho", 14, 0), true),
            (suffix(&[], b"", 0, 0), true),
            (suffix(&registry, b"abc", 3, 1), true),
            (suffix(&registry, b"abc", 3, 0), false),
            (suffix(&[], b"abc", 3, 1), false),
            (suffix(&[7; 21], b"abc", 3, 1), false),
            (suffix(&[], b"abc", 3, 2), false),
            (suffix(&[], b"abc", 2, 0), false),
            (suffix(&[], b"abc", 4, 0), false),
            (suffix(&[], &[b'a', 0, b'c'], 3, 0), false),
            (MARKER.to_vec(), false),
            (Vec::new(), false),
            ([suffix(&[], b"abc", 3, 0), [0].to_vec()].concat(), false),
        ] {
            assert_eq!(is_attribution(&bytes), expected, "{bytes:?}");
        }
    }
}
