//! Targets: an operation has one spelling, and a target that is refused has none.

use sendoff::http::{Operation, Refusal, find};

/// Beside the laws of one spelling, the reader is compared with a statement of its own of what makes a target bad.
pub(super) fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (method, target) = text.split_once(' ').unwrap_or(("GET", text));
    let found = find(method, target);
    assert_eq!(
        matches!(&found, Err(refusal) if *refusal == Refusal::BAD_TARGET),
        is_bad(target),
        "{target}"
    );
    match found {
        Ok(found) => {
            assert_eq!(found.operation.method().as_str(), method);
            let path = found.operation.path(found.param.as_ref()).unwrap();
            let literals = found.operation.path_template().split('{').next().unwrap();
            assert!(target.starts_with(literals), "{target} for {path}");
            assert_eq!(segments(&path), segments(target), "{target} for {path}");
            assert_eq!(find(method, &path), Ok(found));
        }
        Err(refusal) => {
            // What is no operation's in any case is none after a lenient router's clean-up either.
            let cleaned = [cleaned(target, false), cleaned(target, true)];
            let mut paths = Operation::ALL.iter().map(|operation| operation.path_template());
            let is_alias = paths.any(|path| cleaned.iter().any(|names| matches(path, names)));
            if refusal == Refusal::NOT_FOUND {
                assert!(!is_alias, "{target}: {cleaned:?}");
            } else if refusal != Refusal::BAD_TARGET {
                assert!(is_alias, "{target}: {cleaned:?}");
            }
        }
    }
}

/// Bytes of a segment, decoded; `None` if an escape is broken.
fn decoded(segment: &str) -> Option<Vec<u8>> {
    let mut bytes = segment.bytes();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        out.push(if byte == b'%' {
            let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
            u8::try_from(high * 16 + low).ok()?
        } else {
            byte
        });
    }
    Some(out)
}

fn path(target: &str) -> &str {
    target.split('?').next().unwrap_or_default()
}

fn is_bad(target: &str) -> bool {
    let is_odd = |c: char| !matches!(c, '!'..='~') || matches!(c, '#' | '\\');
    !target.starts_with('/')
        || target.chars().any(is_odd)
        || path(target).split('/').any(is_bad_segment)
}

fn is_bad_segment(segment: &str) -> bool {
    let Some(text) = decoded(segment).and_then(|bytes| String::from_utf8(bytes).ok()) else {
        return true;
    };
    // An escape may lie across the cut.
    let cut = decoded(segment.split(';').next().unwrap_or_default())
        .and_then(|bytes| String::from_utf8(bytes).ok());
    text.contains(['/', '\\', '\0']) || cut.is_none_or(|name| name == "." || name == "..")
}

/// The segments of a path, decoded.
fn segments(target: &str) -> Vec<Vec<u8>> {
    path(target).split('/').skip(1).map(|segment| decoded(segment).unwrap()).collect()
}

/// The path as lenient routers see it: without matrix parameters and empty segments, decoded, in lower case. Some keep the last
/// segment that has a text if that is only a `;` with its parameters.
fn cleaned(target: &str, keeps_nameless: bool) -> Vec<String> {
    let mut segments: Vec<_> =
        path(target).split('/').filter(|segment| !segment.is_empty()).collect();
    let last = segments.pop_if(|last| keeps_nameless && last.starts_with(';'));
    let names = segments
        .into_iter()
        .map(|segment| segment.split(';').next().unwrap_or_default())
        .chain(last);
    let text =
        |name| String::from_utf8_lossy(&decoded(name).unwrap_or_default()).to_ascii_lowercase();
    names.map(text).filter(|name| !name.is_empty()).collect()
}

fn matches(template: &str, names: &[String]) -> bool {
    let parts: Vec<_> = template.split('/').skip(1).collect();
    let fits =
        |(part, name): (&&str, &String)| part.starts_with('{') || part.eq_ignore_ascii_case(name);
    parts.len() == names.len() && parts.iter().zip(names).all(fits)
}
