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
    let (head, body) = (plain.replace(header[0], header[1]), claims(WALLET).to_string());
    assert!(head != plain || !text[1].is_empty(), "{header:?} {text:?}");
    signer.sign(&head, &body.replace(text[0], text[1]))
}

/// Tokens that are refused, each with the reason in the log.
pub(super) fn attacks(signer: &Signer) -> Vec<(&'static str, String, &'static str)> {
    let stranger = Signer::new(&signer.id);
    let good = signer.token(&claims(WALLET));
    let (message, signature) = good.rsplit_once('.').expect("three parts");
    let (header, body) = message.split_once('.').expect("three parts");
    let unsigned = |alg: &str| format!("{}.{body}.", encoded(format!(r#"{{"alg":"{alg}"}}"#)));
    let confused = |secret: &[u8]| {
        let header = format!(r#"{{"alg":"HS256","kid":"{}"}}"#, signer.id);
        let message = format!("{}.{body}", encoded(header));
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message.as_bytes());
        format!("{message}.{}", encoded(tag))
    };
    let jwk = signer.jwk().to_string();
    let swapped = encoded(claims(USER_SWA).to_string());
    let of = |name: &str, value: Value| signer.token(&with(name, value));
    let head = |from: &str, to: &str| replaced(signer, [from, to], ["", ""]);
    let text = |from: &str, to: &str| replaced(signer, ["", ""], [from, to]);
    let own = format!(r#"{{"alg":"ES256","jwk":{},"kid":"{}"}}"#, stranger.jwk(), signer.id);
    let list = signer.sign(&format!(r#"{{"alg":"ES256","kid":"{}"}}"#, signer.id), "[]");
    let (alg, wallet, null) = (r#""alg""#, WALLET.replace('F', "f"), Value::Null);
    let rows = [
        (
            "malformed",
            vec![
                ("alg none", unsigned("none")),
                ("alg None", unsigned("None")),
                ("alg NONE", unsigned("NONE")),
                ("alg none with a signature", format!("{}{signature}", unsigned("none"))),
                ("no alg", head(r#""alg":"ES256","#, "")),
                ("a signature in base64", format!("{header}.{body}.{signature}==")),
                ("two key ids", head(alg, r#""kid":"a","alg""#)),
                ("two algorithms", head(alg, r#""alg":"none","alg""#)),
                ("an extension", head(alg, r#""crit":["b64"],"b64":false,"alg""#)),
                ("two issuers", of("iss", json!([NAME, "https://attacker.example"]))),
                ("no issuer", of("iss", null.clone())),
                ("two parts", format!("{header}.{body}")),
                ("four parts", format!("{good}.{signature}")),
                ("claims that are no object", list),
                ("no JSON Web Token", "opaque".into()),
            ],
        ),
        (
            "algorithm",
            vec![
                ("HS256 with the public point", confused(signer.public())),
                ("HS256 with the JWK", confused(jwk.as_bytes())),
                ("HS256 with nothing", confused(b"")),
                ("HS256 with the secret of the set", confused(b"secret")),
                ("another algorithm of the family", head("ES256", "ES384")),
                ("another family", head("ES256", "RS256")),
            ],
        ),
        (
            "signature",
            vec![
                ("a key of somebody else", stranger.token(&claims(WALLET))),
                ("a key in the header", stranger.sign(&own, &claims(WALLET).to_string())),
                ("the wallet of another", format!("{header}.{swapped}.{signature}")),
                ("no signature", format!("{header}.{body}.")),
                ("a signature of zeros", format!("{header}.{body}.{}", encoded([0; 64]))),
            ],
        ),
        (
            "key",
            vec![
                ("an unknown key", head(&signer.id, "2030-01")),
                ("a key of the set that has no use here", head(&signer.id, "secret")),
            ],
        ),
        (
            "expired",
            vec![
                ("expired", of("exp", (now() - 31).into())),
                ("expired for ever", of("exp", 0.into())),
            ],
        ),
        ("not-yet-valid", vec![("not yet valid", of("nbf", (now() + 40).into()))]),
        (
            "audience",
            vec![
                ("another audience", of("aud", "https://shop.example".into())),
                ("no audiences", of("aud", json!([]))),
            ],
        ),
        ("issuer", vec![("another", of("iss", "https://login.example.attacker.example".into()))]),
        (
            "application",
            vec![
                ("one that its issuer may not name", of("azp", "other".into())),
                ("one that is not there", of("azp", "gone".into())),
            ],
        ),
        (
            "claims",
            vec![
                ("no end", of("exp", null.clone())),
                ("an end that is text", of("exp", "9999999999".into())),
                ("a negative end", of("exp", (-1).into())),
                ("a beginning that is text", of("nbf", "0".into())),
                ("no audience", of("aud", null.clone())),
                ("no wallet", of("wallet", null.clone())),
                ("a wallet of two bytes", of("wallet", "0x1234".into())),
                ("a wallet with a wrong checksum", of("wallet", wallet.into())),
                ("two wallets", of("wallet", json!([WALLET, USER_SWA]))),
                ("a wallet twice", text(r#""wallet""#, r#""wallet":"0x1","wallet""#)),
                ("an end twice", text(r#""exp""#, r#""exp":9999999999,"exp""#)),
                ("an escaped name twice", text(r#""azp""#, r#""azp":"shop","\u0061zp""#)),
                ("no application", of("azp", null)),
            ],
        ),
    ];
    let all = rows.into_iter().flat_map(|(reason, tokens)| {
        tokens.into_iter().map(move |(name, token)| (name, token, reason))
    });
    all.collect()
}
