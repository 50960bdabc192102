//! Tokens that are refused.

use super::*;

/// Replaces a claim, or removes it for null.
pub(super) fn with(name: &str, value: Value) -> Value {
    let mut claims = claims(WALLET);
    let members = claims.as_object_mut().expect("an object");
    if value.is_null() {
        members.remove(name)
    } else {
        members.insert(name.into(), value)
    };
    claims
}

/// A token whose claims or header have these texts in place of others.
pub(super) fn replaced(signer: &Signer, header: [&str; 2], text: [&str; 2]) -> String {
    let plain = format!(r#"{{"alg":"ES256","kid":"{}"}}"#, signer.id);
    let (head, body) =
        (plain.replace(header[0], header[1]), claims(WALLET).to_string().replace(text[0], text[1]));
    assert!(head != plain || !text[1].is_empty(), "{header:?} {text:?}");
    signer.sign(&head, &body)
}

/// Tokens that are refused, each with the reason in the log.
pub(super) fn attacks(signer: &Signer) -> Vec<(&'static str, String, &'static str)> {
    let stranger = Signer::new(&signer.id);
    let good = signer.token(&claims(WALLET));
    let (message, signature) = good.rsplit_once('.').expect("three parts");
    let (header, body) = message.split_once('.').expect("three parts");
    let unsigned = |alg: &str| format!("{}.{body}.", encoded(format!(r#"{{"alg":"{alg}"}}"#)));
    let confused = |secret: &[u8]| {
        let message =
            format!("{}.{body}", encoded(format!(r#"{{"alg":"HS256","kid":"{}"}}"#, signer.id)));
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message.as_bytes());
        format!("{message}.{}", encoded(tag))
    };
    let jwk = signer.jwk().to_string();
    let swapped = encoded(claims("0xb3950bBE24596c9e1097dC110701410257038293").to_string());
    let of = |claims: Value| signer.token(&claims);
    let own = format!(r#"{{"alg":"ES256","jwk":{},"kid":"{}"}}"#, stranger.jwk(), signer.id);
    let same = ["", ""];
    vec![
        ("alg none", unsigned("none"), "malformed"),
        ("alg None", unsigned("None"), "malformed"),
        ("alg NONE", unsigned("NONE"), "malformed"),
        ("alg none with a signature", format!("{}{signature}", unsigned("none")), "malformed"),
        ("no alg", replaced(signer, [r#""alg":"ES256","#, ""], same), "malformed"),
        ("HS256 with the public point", confused(signer.public()), "algorithm"),
        ("HS256 with the JWK", confused(jwk.as_bytes()), "algorithm"),
        ("HS256 with nothing", confused(b""), "algorithm"),
        ("HS256 with the secret of the set", confused(b"secret"), "algorithm"),
        (
            "another algorithm of the family",
            replaced(signer, ["ES256", "ES384"], same),
            "algorithm",
        ),
        ("another family", replaced(signer, ["ES256", "RS256"], same), "algorithm"),
        ("a key of somebody else", stranger.token(&claims(WALLET)), "signature"),
        ("a key in the header", stranger.sign(&own, &claims(WALLET).to_string()), "signature"),
        ("the wallet of another", format!("{header}.{swapped}.{signature}"), "signature"),
        ("no signature", format!("{header}.{body}."), "signature"),
        ("a signature of zeros", format!("{header}.{body}.{}", encoded([0; 64])), "signature"),
        ("a signature in base64", format!("{header}.{body}.{signature}=="), "malformed"),
        ("an unknown key", replaced(signer, [&signer.id, "2030-01"], same), "key"),
        (
            "a key of the set that has no use here",
            replaced(signer, [&signer.id, "secret"], same),
            "key",
        ),
        ("two key ids", replaced(signer, [r#""alg""#, r#""kid":"a","alg""#], same), "malformed"),
        (
            "two algorithms",
            replaced(signer, [r#""alg""#, r#""alg":"none","alg""#], same),
            "malformed",
        ),
        (
            "an extension",
            replaced(signer, [r#""alg""#, r#""crit":["b64"],"b64":false,"alg""#], same),
            "malformed",
        ),
        ("expired", of(with("exp", (now() - 31).into())), "expired"),
        ("expired for ever", of(with("exp", 0.into())), "expired"),
        ("no end", of(with("exp", Value::Null)), "claims"),
        ("an end that is text", of(with("exp", "9999999999".into())), "claims"),
        ("a negative end", of(with("exp", (-1).into())), "claims"),
        ("not yet valid", of(with("nbf", (now() + 40).into())), "not-yet-valid"),
        ("a beginning that is text", of(with("nbf", "0".into())), "claims"),
        ("another audience", of(with("aud", "https://shop.example".into())), "audience"),
        ("no audience", of(with("aud", Value::Null)), "claims"),
        ("no audiences", of(with("aud", json!([]))), "audience"),
        (
            "another issuer",
            of(with("iss", "https://login.example.attacker.example".into())),
            "issuer",
        ),
        ("two issuers", of(with("iss", json!([NAME, "https://attacker.example"]))), "malformed"),
        ("no issuer", of(with("iss", Value::Null)), "malformed"),
        ("no wallet", of(with("wallet", Value::Null)), "claims"),
        ("a wallet of two bytes", of(with("wallet", "0x1234".into())), "claims"),
        (
            "a wallet with a wrong checksum",
            of(with("wallet", WALLET.replace('F', "f").into())),
            "claims",
        ),
        ("two wallets", of(with("wallet", json!([WALLET, USER_SWA]))), "claims"),
        (
            "a wallet twice",
            replaced(signer, same, [r#""wallet""#, r#""wallet":"0x1","wallet""#]),
            "claims",
        ),
        (
            "an end twice",
            replaced(signer, same, [r#""exp""#, r#""exp":9999999999,"exp""#]),
            "claims",
        ),
        (
            "an escaped name twice",
            replaced(signer, same, [r#""azp""#, r#""azp":"shop","\u0061zp""#]),
            "claims",
        ),
        (
            "an application that its issuer may not name",
            of(with("azp", "other".into())),
            "application",
        ),
        ("an application that is not there", of(with("azp", "gone".into())), "application"),
        ("no application", of(with("azp", Value::Null)), "claims"),
        ("two parts", format!("{header}.{body}"), "malformed"),
        ("four parts", format!("{good}.{signature}"), "malformed"),
        (
            "claims that are no object",
            signer.sign(&format!(r#"{{"alg":"ES256","kid":"{}"}}"#, signer.id), "[]"),
            "malformed",
        ),
        ("no JSON Web Token", "opaque".into(), "malformed"),
    ]
}
