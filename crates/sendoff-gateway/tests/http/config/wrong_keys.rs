//! Invalid values of each key.

use super::{problems, whole};

/// Each invalid value is one problem, with its line and its path.
#[test]
fn each_invalid_key_is_named() {
    let whole = whole();
    let shop = "environment.production.application.0";
    let address = "expected an address (`0x` and 40 hex digits";
    let wrongs = [
        (
            "admin = \"127.0.0.1:9090\"",
            "admin",
            &[
                ("admin = \"localhost\"", "or `[::]:8080`, found text of length 9"),
                ("admin = 9090", "expected a text, found a TOML integer"),
            ][..],
        ),
        (
            "body_bytes = 1048576",
            "body_bytes",
            &[
                ("body_bytes = 1048577", "expected an integer from 1 to 1048576, found 1048577"),
                ("body_bytes = 0", "found 0"),
                ("body_bytes = 1.5", "found a TOML float"),
                ("body_bytes = \"1\"", "found a TOML string"),
            ],
        ),
        (
            "head_ms = 10000",
            "head_ms",
            &[("head_ms = 0", "expected an integer from 1 to 3600000, found 0")],
        ),
        (
            "body_ms = 10000",
            "body_ms",
            &[("body_ms = 99999999999999999999", "found 99999999999999999999")],
        ),
        ("body_total_ms = 60000", "body_total_ms", &[("body_total_ms = 3600001", "found 3600001")]),
        ("write_ms = 10000", "write_ms", &[("write_ms = true", "found a TOML boolean")]),
        (
            "connections = 4096",
            "connections",
            &[("connections = 0", "expected an integer from 1 to 1000000, found 0")],
        ),
        ("requests = 1024", "requests", &[("requests = 1000001", "found 1000001")]),
        (
            "requests_per_application = 256",
            "requests_per_application",
            &[("requests_per_application = 257", "expected an integer from 1 to 256, found 257")],
        ),
        ("requests_per_user = 64", "requests_per_user", &[("requests_per_user = 0", "found 0")]),
        (
            "head_bytes = 32768",
            "head_bytes",
            &[("head_bytes = 8191", "expected an integer from 8192 to 1048576, found 8191")],
        ),
        (
            "shutdown_delay_ms = 500",
            "shutdown_delay_ms",
            &[("shutdown_delay_ms = -1", "from 0 to 3600000, found -1")],
        ),
        ("drain_ms = 10000", "drain_ms", &[("drain_ms = -1", "found -1")]),
        (
            "reuse_port = false",
            "reuse_port",
            &[("reuse_port = 1", "expected true or false, found a TOML integer")],
        ),
        (
            "\"10.0.0.0/8\", ",
            "proxies.addresses.0",
            &[
                ("\"10.0.0.1/8\", ", "expected a network such as `10.0.0.0/8`"),
                ("\"0.0.0.0/0\", ", "expected the addresses of proxies, found every address"),
                ("\"proxy\", ", "expected an address or a network such as `10.0.0.0/8`"),
            ],
        ),
        (
            "header = \"x-forwarded-for\"",
            "proxies.header",
            &[("header = \"via\"", "expected `x-forwarded-for` or `forwarded`")],
        ),
        (
            "\"https://app.example\"",
            "environment.production.cors.origins.0",
            &[
                (
                    "\"https://app.example/\"",
                    "expected an origin as browsers write it, `https://app.example`",
                ),
                ("\"HTTPS://app.example:443\"", "found `HTTPS://app.example:443`"),
                ("\"null\"", "expected an origin such as `https://app.example`"),
            ],
        ),
        (
            "[\"https://app.example\"]",
            "environment.production.cors.origins",
            &[("\"https://app.example\"", "expected an array, found a TOML string")],
        ),
        (
            "max_age = 600",
            "environment.production.cors.max_age",
            &[("max_age = 86401", "expected an integer from 0 to 86400, found 86401")],
        ),
        (
            "origins = [\"https://shop.example\"]",
            &format!("{shop}.origins.0"),
            &[("origins = [1]", "expected a text, found a TOML integer")],
        ),
        ("drain_ms = 10000", "drain_mss", &[("drain_mss = 1", "unknown key `drain_mss`")]),
        (
            "listen = \"127.0.0.1:8080\"",
            "environment.production.listen",
            &[("listen = \"8080\"", "expected an IP address and a port, such as")],
        ),
        ("tls = {", "environment.production.tls.a", &[("tls = { a = 1, ", "unknown key `a`")]),
        (
            "policy = \"production\"",
            "environment.production.policy",
            &[
                ("policy = \"much\"", "expected `production` or `none`, found text of length 4"),
                ("policy = true", "expected a text, found a TOML boolean"),
            ],
        ),
        (
            "limit = 5",
            "environment.sandbox.policy.limit",
            &[
                ("limit = 0", "expected an integer from 1 to 2097151, found 0"),
                ("limit = 2097152", "found 2097152"),
            ],
        ),
        (
            "window_ms = 10000,",
            "environment.sandbox.policy.window_ms",
            &[("window_ms = 999,", "expected an integer from 1000 to 86400000")],
        ),
        (
            "day_offset_minutes = 0",
            "environment.sandbox.policy.day_offset_minutes",
            &[("day_offset_minutes = 841", "expected an integer from -720 to 840")],
        ),
        (
            "midnight = \"truncate\"",
            "environment.sandbox.policy.midnight",
            &[("midnight = \"late\"", "expected `truncate` or `carry`")],
        ),
        ("hold_ms = 10000", "environment.sandbox.policy.hold_ms", &[("hold_ms = -1", "found -1")]),
        (
            "rate_limit_fields = true",
            "environment.production.rate_limit_fields",
            &[("rate_limit_fields = 1", "expected true or false, found a TOML integer")],
        ),
        (
            "upstream = \"http",
            "environment.production.upstream",
            &[("upstream = \"ftp", "expected an address such as")],
        ),
        (
            "upstream = \"http://",
            "environment.production.upstream",
            &[("upstream = \"http://user:secret@", "expected an address such as")],
        ),
        (
            "upstream = \"http://127.0.0.1:8081\"",
            "environment.production.upstream",
            &[
                ("upstream = \"http://a/?b\"", "expected an address such as"),
                ("upstream = { env = \"A\" }", "expected a text, found a TOML table"),
            ],
        ),
        (
            "bundler = { url = \"http://",
            "environment.production.bundler.url",
            &[("bundler = { url = \"http://a:secret@", "expected an address such as")],
        ),
        (
            "bundler = { url = \"http://127.0.0.1:4337\"",
            "environment.production.bundler.url",
            &[("bundler = { url = { env = \"A\" }", "expected the variable to hold an address")],
        ),
        (
            "forwarded = \"drop\"",
            "environment.production.forwarded",
            &[("forwarded = \"pass\"", "expected `drop` or `keep`, found text of length 4")],
        ),
        (
            "on_loss = \"file\" }",
            "environment.production.bundler.on_loss",
            &[("on_loss = \"none\" }", "expected `file` or `refuse`, found text of length 4")],
        ),
        (
            "ms = 2000",
            "environment.production.bundler.ms",
            &[("ms = 0", "expected an integer from 1 to 3600000, found 0")],
        ),
        (
            "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
            "environment.production.bundler.entry_point",
            &[("0x0", address)],
        ),
        (
            "\"0x7F1E1e98Dde775Fae0d340D3E5D28004Db58A0d3\"",
            "environment.production.deployment.job_manager",
            &[("\"0x7F1E1e98Dde775Fae0d340D3E5D28004Db58A0d4\"", "checksum")],
        ),
        (
            "paymaster = \"0xB0E2BD2EFb99F982F8cCB8e6737A572B3B0eCE11\"",
            "environment.production.deployment.paymaster",
            &[("", "expected a value, found none")],
        ),
        (
            "call = \"0x927c0\"",
            "environment.production.deployment.gas_limits.call",
            &[("call = \"927c0\"", "0x")],
        ),
        (
            "verification = \"0x61a80\"",
            "environment.production.deployment.gas_limits.verification",
            &[("verification = 1", "found a TOML integer")],
        ),
        (
            "name = \"shop\"",
            &format!("{shop}.name"),
            &[
                (
                    "name = \"\"",
                    "expected a name of 1 to 64 characters, none of them a control character, found text of length 0",
                ),
                ("name = \"a\\nb\"", "expected a name"),
            ],
        ),
        (
            "client_swa = \"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA\"",
            &format!("{shop}.client_swa"),
            &[("client_swa = \"\"", address)],
        ),
        (
            "keys = [{ env = \"SHOP_KEY\" }]",
            &format!("{shop}.keys.0"),
            &[
                ("keys = [\"secret\"]", "expected a table, found a TOML string"),
                (
                    "keys = [{ env = \"A\", sha256 = \"\" }]",
                    "expected one of `env`, `file` and `sha256`, found none or several",
                ),
            ],
        ),
        (
            "keys = [{ env = \"SHOP_KEY\" }]",
            &format!("{shop}.keys.0.sha256"),
            &[(
                "keys = [{ sha256 = \"secret\" }]",
                "expected 64 hex digits, found text of length 6",
            )],
        ),
        (
            "keys = [{ env = \"SHOP_KEY\" }]",
            &format!("{shop}.keys.0.b"),
            &[("keys = [{ env = \"A\", b = 1 }]", "unknown key `b`")],
        ),
        (
            "keys = [{ env = \"SHOP_KEY\" }]",
            &format!("{shop}.keys"),
            &[("keys = { env = \"A\" }", "expected an array, found a TOML table")],
        ),
        ("id = \"eip155:137\"", &format!("{shop}.chain.0.id"), &[("id = \"137\"", "CAIP-2")]),
        (
            "name = \"POLYGON\"",
            &format!("{shop}.chain.0.name"),
            &[("name = 137", "expected a text, found a TOML integer")],
        ),
        (
            "sponsorship_enabled = true",
            &format!("{shop}.chain.0.sponsorship_enabled"),
            &[("sponsorship_enabled = \"yes\"", "expected true or false, found a TOML string")],
        ),
        (
            "transaction_fee = \"177258950000\"",
            &format!("{shop}.chain.0.transaction_fee"),
            &[("transaction_fee = \"1.5\"", "decimal")],
        ),
        (
            "{ name = \"POL\", address = \"\" },",
            &format!("{shop}.chain.0.tokens.0.address"),
            &[("{ name = \"POL\" },", "expected a value, found none")],
        ),
        (
            "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
            &format!("{shop}.chain.0.tokens.1.address"),
            &[("0x3c", "0x")],
        ),
        (
            "collections = [\"",
            &format!("{shop}.chain.0.collections.0"),
            &[("collections = [1, \"", "expected a text, found a TOML integer")],
        ),
        (
            "user_swa = \"0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906\"",
            &format!("{shop}.user.0.user_swa"),
            &[("user_swa = \"me\"", address)],
        ),
    ];
    let wrongs = wrongs
        .iter()
        .flat_map(|(right, path, wrongs)| wrongs.iter().map(move |wrong| (*right, *path, *wrong)));
    for (right, path, (wrong, message)) in wrongs {
        assert!(whole.contains(right), "`{right}` is in the example");
        let file = whole.replacen(right, wrong, 1);
        let problems = problems(&file);
        let [problem] = problems.as_slice() else {
            panic!("one problem of `{wrong}`: {problems:#?}")
        };
        let (line, rest) =
            problem.strip_prefix("line ").and_then(|rest| rest.split_once(": ")).expect("a line");
        let found = rest
            .strip_prefix(&format!("{path}: "))
            .unwrap_or_else(|| panic!("{path} is not at {problem}"));
        assert!(found.contains(message), "`{message}` is not among: {problem}");
        assert!(!problem.contains("secret"), "{problem}");
        if !found.ends_with("found none") {
            let start = file.find(wrong).expect("it is there");
            let at = file[..start].matches('\n').count() + 1;
            assert_eq!(line.parse(), Ok(at), "{problem}");
        }
    }
}

/// The name of an environment is part of keys in Redis, of logs and of metrics.
#[test]
fn invalid_names_of_environments_are_refused() {
    let problems = problems(&whole().replace("environment.sandbox", "environment.\"sand box\""));
    let [problem] = problems.as_slice() else { panic!("one problem: {problems:#?}") };
    assert!(
        problem.contains(": environment.sand box: expected a name of 1 to 32 letters, digits"),
        "{problem}"
    );
}
