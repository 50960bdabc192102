//! Laws of the service's operations, replies and tokens.

use laws::fuzzed::check;
use proptest::prelude::*;
use proptest::sample::select;
use sendoff::http::{
    Bearer, Found, OPERATIONS, Operation, PathParam, RateLimited, Refusal, Reply, TraceId, find,
};
use serde_json::{Value, json};

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
        alias[at] = match way {
            _ if c == b'/' && at > 0 => format!("{matrix}/{}", "/".repeat(usize::from(*way))),
            _ if c == b'/' => "/".repeat(1 + usize::from(*way)),
            0 => char::from(other).into(),
            1 => format!("%{c:02x}"),
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
        found in found(), changes in prop::collection::vec((0..3_u8, any::<prop::sample::Index>()), 0..4),
        matrix in "(;[a-z0-9=,.]{0,2}){0,2}", trailing in select(vec!["", "/", "//", "/;a"]),
        method in select(vec!["GET", "POST", "put"]),
    ) {
        let (path, mut alias) = disguised(&found, &changes, &matrix);
        alias.push_str(trailing);
        if alias != path {
            prop_assert_eq!(find(method, &alias), Err(Refusal::not_canonical(found.operation)), "{}", alias);
        }
    }

    #[test]
    fn the_429_is_read_back(trace_id in any::<String>(), retry_after in any::<std::num::NonZeroU64>()) {
        let Ok(trace_id) = trace_id.parse::<TraceId>() else { return Ok(()) };
        let limited = RateLimited { trace_id, retry_after };
        let reply = serde_json::to_value(&limited).unwrap();
        prop_assert_eq!(&reply["headers"], &json!({ "retry-after": retry_after.to_string() }));
        prop_assert_eq!(&reply["body"], &limited.body().parse::<Value>().unwrap());
        let Reply::Error(error) = limited.body().parse().unwrap() else { panic!("a success") };
        prop_assert_eq!(error.code, i64::from(RateLimited::STATUS));
        prop_assert_eq!(error.message, RateLimited::MESSAGE);
        prop_assert_eq!(error.error_code.as_deref(), Some(RateLimited::ERROR_CODE));
        prop_assert_eq!(error.trace_id.as_deref(), Some(limited.trace_id.as_str()));
    }

    #[test]
    fn a_refusal_is_read_back(operation in operation(), trace_id in "[!-~]{1,64}") {
        for (refusal, name) in [
            (Refusal::NOT_FOUND, "not-found"),
            (Refusal::INVALID_TOKEN, "invalid-token"),
            (Refusal::method_not_allowed(operation), "method-not-allowed"),
            (sendoff::json::estimate("{}", "[]").unwrap_err().into(), "failed"),
        ] {
            let Reply::Error(error) = refusal.body(&trace_id.parse().unwrap()).parse().unwrap() else { panic!("a success") };
            prop_assert_eq!(error.code, i64::from(refusal.status()));
            prop_assert_eq!((&error.message, !error.message.is_empty()), (&refusal.to_string(), true));
            prop_assert_eq!(error.error_code.as_deref(), refusal.error_code());
            prop_assert_eq!(error.trace_id.as_deref(), Some(&*trace_id));
            prop_assert_eq!(refusal.as_str(), name);
        }
    }

    #[test]
    fn tokens_are_read(scheme in "(?i-u:bearer)", spaces in " {1,3}", token in "[A-Za-z0-9._~+/-]{1,60}={0,3}") {
        let bearer: Bearer = format!("{scheme}{spaces}{token}").parse().unwrap();
        prop_assert_eq!(bearer.token(), token);
    }

    #[test]
    fn no_refusal_contains_a_token(
        (scheme, secret) in (prop_oneof![Just("Bearer "), Just("bearer"), Just("Basic "), Just("")], "[A-Za-z0-9]{12,40}"),
        bad in "[ \t,;:=@é]",
        at in any::<prop::sample::Index>(),
    ) {
        let mut header = format!("{scheme}{secret}a");
        header.insert_str(scheme.len().saturating_add(at.index(secret.len())), &bad);
        let Err(error) = header.parse::<Bearer>() else { return Ok(()) };
        let message = error.to_string();
        let leaked = secret.as_bytes().windows(6).find(|part| message.contains(std::str::from_utf8(part).unwrap()));
        prop_assert_eq!(leaked, None);
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

/// The operations of the specification, and whether the rate limit counts them.
const SPECIFIED: [(&str, &str, bool); 16] = [
    ("POST", "/api/oc/v1/estimate", false),
    ("POST", "/api/v1/transfer/tokens/execute", true),
    ("GET", "/api/v1/portfolio", false),
    ("GET", "/api/v1/orders", false),
    ("GET", "/api/v1/supported/networks", false),
    ("GET", "/api/v1/supported/tokens", false),
    ("POST", "/api/v1/nft/transfer", true),
    ("POST", "/api/v1/readContractData", true),
    ("POST", "/api/v1/rawtransaction/execute", true),
    ("POST", "/s2s/api/v1/wallet", true),
    ("POST", "/s2s/api/v1/bulk-wallets", true),
    ("POST", "/s2s/api/v2/nft/mint", true),
    ("POST", "/s2s/api/v2/nft/transfer", true),
    ("POST", "/s2s/api/v2/transfer/tokens/execute/{userId}", true),
    ("POST", "/s2s/api/v1/readContractData", true),
    ("POST", "/s2s/api/v1/rawtransaction/execute/{TW_USER_ID}", true),
];

#[test]
fn operations_are_those_of_the_specification() {
    let found: Vec<_> =
        OPERATIONS.iter().map(|row| (row.method.as_str(), row.path, row.id.is_limited())).collect();
    assert_eq!(found, SPECIFIED);
    for (method, path, is_limited) in SPECIFIED {
        let target = path.replace("{userId}", "u1").replace("{TW_USER_ID}", "u1");
        let found = find(method, &target).unwrap();
        assert_eq!(
            (found.operation.path(found.param.as_ref()).unwrap(), found.operation.is_limited()),
            (target, is_limited)
        );
    }
}
