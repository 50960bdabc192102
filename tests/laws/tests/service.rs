//! Laws of the service's operations, replies and tokens.

use laws::fuzzed::check;
use proptest::prelude::*;
use proptest::sample::select;
use sendoff::http::{Found, Operation, PathParam, Refusal, find};

fn operation() -> impl Strategy<Value = Operation> {
    select(Operation::ALL)
}

/// Any valid path parameter.
fn param() -> impl Strategy<Value = PathParam> {
    let text = prop_oneof![
        any::<String>(),
        "[a-z0-9-]{1,36}",
        r"[.;%?#+&=: ~'!()*@,éЖ😀]{1,12}",
        "%[0-9a-fA-F]{2}"
    ];
    text.prop_filter_map("no segment", |text| text.parse().ok())
}

/// An operation with parameters.
fn found() -> impl Strategy<Value = Found> {
    operation().prop_flat_map(|operation| {
        let params = operation.parameters().iter().map(|_| param()).collect::<Vec<_>>();
        params.prop_map(move |mut params| Found { operation, param: params.pop() })
    })
}

/// Another spelling of a path: changes at places of the text in front of its parameter, which lenient routers undo.
fn disguised(
    found: &Found,
    changes: &[(u8, prop::sample::Index)],
    matrix: &str,
) -> (String, String) {
    let path = found.operation.path(found.param.as_ref()).unwrap();
    let template = found.operation.path_template();
    let mut alias: Vec<String> = path.chars().map(String::from).collect();
    for (way, at) in changes {
        let at = at.index(template.find('{').unwrap_or(template.len()));
        let c = path.as_bytes()[at];
        let other =
            if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        // Letters that equal those of ASCII where case is ignored.
        let lookalike = match c {
            b's' => "%C5%BF",
            b'k' => "%E2%84%AA",
            b'i' => "%C4%B1",
            _ => "",
        };
        alias[at] = match way {
            _ if c == b'/' && at > 0 => format!("{matrix}/{}", "/".repeat(usize::from(*way))),
            _ if c == b'/' => "/".repeat(1 + usize::from(*way)),
            0 => char::from(other).into(),
            1 => format!("%{c:02x}"),
            2 if !lookalike.is_empty() => lookalike.into(),
            _ => format!("%{other:02X}"),
        };
    }
    (path, alias.concat())
}

/// A target of parts that occur in valid and invalid paths.
fn target() -> impl Strategy<Value = String> {
    let pieces = "/ / / // api oc v1 v2 s2s nft transfer tokens execute portfolio orders rawtransaction wallet estimate u1 \
        . .. %2e %2F %5c %00 % %4 %41 %C3%BC %ff ; ;x ? # \\ \t é + ~";
    let piece = select(pieces.split(' ').chain([" "]).collect::<Vec<_>>());
    let extra = prop_oneof![3 => "[/;?%.a-z0-9]{0,4}", 1 => "[#\\\\ \\x00\\n\\x7f\u{80}ü😀]"];
    let known = (found(), extra, any::<prop::sample::Index>());
    let known = known.prop_filter_map("no path", |(found, extra, at)| {
        let mut path = found.operation.path(found.param.as_ref()).ok()?;
        path.insert_str(at.index(path.len().saturating_add(1)), &extra);
        Some(path)
    });
    prop_oneof![
        any::<String>(),
        prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat()),
        known
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(laws::extent(1_000, 4_000)))]

    /// As the check of a fuzzer's targets states it, with a statement of its own of what makes a target bad.
    #[test]
    fn accepted_targets_have_one_spelling(method in prop_oneof![Just("GET"), Just("POST"), Just("")], target in target()) {
        check("targets")(format!("{method} {target}").as_bytes());
    }

    #[test]
    fn find_reads_the_output_of_path(
        found in found(), query in prop_oneof![Just(String::new()), r"\?[!-~&&[^#\\]]{0,20}"],
        method in prop_oneof![any::<String>(), "(?i)get|post|head"],
    ) {
        let path = found.operation.path(found.param.as_ref()).unwrap();
        let own = found.operation.method().as_str();
        if method != own {
            prop_assert_eq!(find(&method, &path), Err(Refusal::method_not_allowed(found.operation)));
        }
        prop_assert_eq!(find(own, &format!("{path}{query}")), Ok(found));
    }

    #[test]
    fn aliases_are_refused_with_the_operation(
        found in found(), changes in prop::collection::vec((0..4_u8, any::<prop::sample::Index>()), 0..4),
        matrix in "(;[a-z0-9=,.]{0,2}){0,2}", trailing in select(vec!["", "/", "//", "/;a"]),
        method in select(vec!["GET", "POST", "put"]),
    ) {
        let (path, mut alias) = disguised(&found, &changes, &matrix);
        alias.push_str(trailing);
        if alias != path {
            prop_assert_eq!(find(method, &alias), Err(Refusal::not_canonical(found.operation)), "{}", alias);
        }
    }

    /// As the check of a fuzzer's headers states it: the grammar of tokens, and no part of one in an error.
    #[test]
    fn tokens_are_read_and_in_no_refusal(
        scheme in prop_oneof!["(?i-u:bearer) {1,3}", "bearer|Basic |"], secret in "[0-9]{6,20}[A-Za-z0-9._~+/-]{0,40}={0,3}",
        bad in "[ \t,;:=@é]?", at in any::<prop::sample::Index>(),
    ) {
        let mut header = format!("{scheme}{secret}");
        header.insert_str(scheme.len() + at.index(secret.len()), &bad);
        check("bearer")(format!("\0{header}").as_bytes());
    }
}

#[test]
fn long_targets_are_cheap() {
    const LENGTH: usize = 4 << 20;
    for (piece, refusal) in [
        ("/", Refusal::NOT_FOUND),
        ("/a", Refusal::NOT_FOUND),
        (";", Refusal::BAD_TARGET),
        ("/;", Refusal::NOT_FOUND),
        ("/%41%C3%BC", Refusal::NOT_FOUND),
        ("%41", Refusal::BAD_TARGET),
        ("/.", Refusal::BAD_TARGET),
    ] {
        assert_eq!(find("GET", &piece.repeat(LENGTH / piece.len())), Err(refusal), "{piece}");
    }
    let path = format!("/s2s/api/v2/transfer/tokens/execute/{}", "%41".repeat(LENGTH / 3));
    assert_eq!(find("POST", &path).unwrap().param.unwrap().as_str().len(), LENGTH / 3);
    let alias = format!("{}api/v1/orders", "/".repeat(LENGTH));
    assert_eq!(find("GET", &alias), Err(Refusal::not_canonical(Operation::Orders)));
}
