//! Invalid values of each key.

use super::{problems, whole};

/// Each invalid value is one problem, with its line and its path.
#[test]
fn each_invalid_key_is_named() {
    let whole = whole();
    let shop = "environment.production.application.0";
    let address = "expected an address (`0x` and 40 hex digits";
    let wrongs = [
        ("admin = \"127.0.0.1:9090\"", "admin = \"localhost\"", "admin", "invalid socket address syntax"),
        ("admin = \"127.0.0.1:9090\"", "admin = 9090", "admin", "expected a text, found a TOML integer"),
        (
            "body_bytes = 1048576",
            "body_bytes = 1048577",
            "body_bytes",
            "expected an integer from 1 to 1048576, found 1048577",
        ),
        ("body_bytes = 1048576", "body_bytes = 0", "body_bytes", "found 0"),
        ("body_bytes = 1048576", "body_bytes = 1.5", "body_bytes", "found a TOML float"),
        ("body_bytes = 1048576", "body_bytes = \"1\"", "body_bytes", "found a TOML string"),
        ("head_ms = 10000", "head_ms = 0", "head_ms", "expected an integer from 1 to 3600000, found 0"),
        ("body_ms = 10000", "body_ms = 99999999999999999999", "body_ms", "found 99999999999999999999"),
        ("body_total_ms = 60000", "body_total_ms = 3600001", "body_total_ms", "found 3600001"),
        ("write_ms = 10000", "write_ms = true", "write_ms", "found a TOML boolean"),
        ("connections = 1024", "connections = 0", "connections", "expected an integer from 1 to 1000000, found 0"),
        ("connections_per_address = 256", "connections_per_address = 0", "connections_per_address", "found 0"),
        ("requests = 1024", "requests = 1000001", "requests", "found 1000001"),
        ("requests_per_application = 512", "requests_per_application = 0", "requests_per_application", "found 0"),
        ("requests_per_address = 256", "requests_per_address = 0", "requests_per_address", "found 0"),
        ("requests_per_connection = 128", "requests_per_connection = 0", "requests_per_connection", "found 0"),
        (
            "head_bytes = 32768",
            "head_bytes = 8191",
            "head_bytes",
            "expected an integer from 8192 to 1048576, found 8191",
        ),
        ("shutdown_delay_ms = 500", "shutdown_delay_ms = -1", "shutdown_delay_ms", "from 0 to 3600000, found -1"),
        ("drain_ms = 10000", "drain_ms = -1", "drain_ms", "found -1"),
        ("watch_ms = 1000", "watch_ms = -1", "watch_ms", "expected an integer from 0 to 3600000, found -1"),
        ("reuse_port = false", "reuse_port = 1", "reuse_port", "expected true or false, found a TOML integer"),
        ("\"10.0.0.0/8\", ", "\"10.0.0.1/8\", ", "proxies.addresses.0", "expected a network such as `10.0.0.0/8`"),
        (
            "\"10.0.0.0/8\", ",
            "\"0.0.0.0/0\", ",
            "proxies.addresses.0",
            "expected the addresses of proxies, found every address",
        ),
        (
            "\"10.0.0.0/8\", ",
            "\"proxy\", ",
            "proxies.addresses.0",
            "expected an address or a network such as `10.0.0.0/8`",
        ),
        (
            "header = \"x-forwarded-for\"",
            "header = \"via\"",
            "proxies.header",
            "expected `x-forwarded-for` or `forwarded`",
        ),
        (
            "\"https://app.example\"",
            "\"https://app.example/\"",
            "environment.production.cors.origins.0",
            "expected an origin as browsers write it, `https://app.example`",
        ),
        (
            "\"https://app.example\"",
            "\"HTTPS://app.example:443\"",
            "environment.production.cors.origins.0",
            "found another spelling",
        ),
        (
            "\"https://app.example\"",
            "\"null\"",
            "environment.production.cors.origins.0",
            "expected an origin such as `https://app.example`",
        ),
        (
            "[\"https://app.example\"]",
            "\"https://app.example\"",
            "environment.production.cors.origins",
            "expected an array, found a TOML string",
        ),
        (
            "max_age = 600",
            "max_age = 86401",
            "environment.production.cors.max_age",
            "expected an integer from 0 to 86400, found 86401",
        ),
        (
            "origins = [\"https://shop.example\"]",
            "origins = [1]",
            &format!("{shop}.origins.0"),
            "expected a text, found a TOML integer",
        ),
        ("drain_ms = 10000", "drain_mss = 1", "drain_mss", "expected no such key, found one"),
        ("listen = \"127.0.0.1:8080\"", "listen = \"8080\"", "environment.production.listen", "invalid socket address"),
        ("tls = {", "tls = { a = 1, ", "environment.production.tls.a", "expected no such key, found one"),
        (
            "policy = \"production\"",
            "policy = \"much\"",
            "environment.production.policy",
            "expected `production` or `none`, found text of length 4",
        ),
        (
            "policy = \"production\"",
            "policy = true",
            "environment.production.policy",
            "expected a text, found a TOML boolean",
        ),
        (
            "limit = 5",
            "limit = 0",
            "environment.sandbox.policy.limit",
            "expected an integer from 1 to 2097151, found 0",
        ),
        ("limit = 5", "limit = 2097152", "environment.sandbox.policy.limit", "found 2097152"),
        (
            "window_ms = 10000,",
            "window_ms = 999,",
            "environment.sandbox.policy.window_ms",
            "expected an integer from 1000 to 86400000",
        ),
        (
            "day_offset_minutes = 0",
            "day_offset_minutes = 841",
            "environment.sandbox.policy.day_offset_minutes",
            "expected an integer from -720 to 840",
        ),
        (
            "midnight = \"truncate\"",
            "midnight = \"late\"",
            "environment.sandbox.policy.midnight",
            "expected `truncate` or `carry`",
        ),
        ("hold_ms = 10000", "hold_ms = -1", "environment.sandbox.policy.hold_ms", "found -1"),
        (
            "rate_limit_fields = true",
            "rate_limit_fields = 1",
            "environment.production.rate_limit_fields",
            "expected true or false, found a TOML integer",
        ),
        ("upstream = \"http", "upstream = \"ftp", "environment.production.upstream", "expected an address such as"),
        (
            "upstream = \"http://",
            "upstream = \"http://user:secret@",
            "environment.production.upstream",
            "expected an address such as",
        ),
        (
            "upstream = \"http://127.0.0.1:8081\"",
            "upstream = \"http://a/?b\"",
            "environment.production.upstream",
            "expected an address such as",
        ),
        (
            "upstream = \"http://127.0.0.1:8081\"",
            "upstream = { env = \"A\" }",
            "environment.production.upstream",
            "expected a text, found a TOML table",
        ),
        (
            "bundler = { url = \"http://",
            "bundler = { url = \"http://a:secret@",
            "environment.production.bundler.url",
            "expected an address such as",
        ),
        (
            "bundler = { url = \"http://127.0.0.1:4337\"",
            "bundler = { url = { env = \"A\" }",
            "environment.production.bundler.url",
            "expected the variable to hold an address",
        ),
        (
            "forwarded = \"drop\"",
            "forwarded = \"pass\"",
            "environment.production.forwarded",
            "expected `drop` or `keep`, found text of length 4",
        ),
        (
            "on_loss = \"file\" }",
            "on_loss = \"none\" }",
            "environment.production.bundler.on_loss",
            "expected `file` or `refuse`, found text of length 4",
        ),
        ("ms = 2000", "ms = 0", "environment.production.bundler.ms", "expected an integer from 1 to 3600000, found 0"),
        ("0x0000000071727De22E5E9d8BAf0edAc6f37da032", "0x0", "environment.production.bundler.entry_point", address),
        (
            "\"0x7F1E1e98Dde775Fae0d340D3E5D28004Db58A0d3\"",
            "\"0x7F1E1e98Dde775Fae0d340D3E5D28004Db58A0d4\"",
            "environment.production.deployment.job_manager",
            "checksum",
        ),
        (
            "paymaster = \"0xB0E2BD2EFb99F982F8cCB8e6737A572B3B0eCE11\"",
            "",
            "environment.production.deployment.paymaster",
            "expected a value, found none",
        ),
        ("call = \"0x927c0\"", "call = \"927c0\"", "environment.production.deployment.gas_limits.call", "0x"),
        (
            "verification = \"0x61a80\"",
            "verification = 1",
            "environment.production.deployment.gas_limits.verification",
            "found a TOML integer",
        ),
        (
            "name = \"shop\"",
            "name = \"\"",
            &format!("{shop}.name"),
            "expected a name of 1 to 64 characters, none of them a control character, found text of length 0",
        ),
        ("name = \"shop\"", "name = \"a\\nb\"", &format!("{shop}.name"), "expected a name"),
        (
            "client_swa = \"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA\"",
            "client_swa = \"\"",
            &format!("{shop}.client_swa"),
            address,
        ),
        (
            "keys = [{ env = \"SHOP_KEY\" }]",
            "keys = [\"secret\"]",
            &format!("{shop}.keys.0"),
            "expected a table, found a TOML string",
        ),
        (
            "keys = [{ env = \"SHOP_KEY\" }]",
            "keys = [{ sha256 = \"secret\" }]",
            &format!("{shop}.keys.0.sha256"),
            "expected 64 hex digits, found text of length 6",
        ),
        (
            "keys = [{ env = \"SHOP_KEY\" }]",
            "keys = [{ env = \"A\", sha256 = \"\" }]",
            &format!("{shop}.keys.0"),
            "expected one of `env`, `file` and `sha256`, found none or several",
        ),
        (
            "keys = [{ env = \"SHOP_KEY\" }]",
            "keys = [{ env = \"A\", b = 1 }]",
            &format!("{shop}.keys.0.b"),
            "expected no such key, found one",
        ),
        (
            "keys = [{ env = \"SHOP_KEY\" }]",
            "keys = { env = \"A\" }",
            &format!("{shop}.keys"),
            "expected an array, found a TOML table",
        ),
        ("id = \"eip155:137\"", "id = \"137\"", &format!("{shop}.chain.0.id"), "CAIP-2"),
        ("name = \"POLYGON\"", "name = 137", &format!("{shop}.chain.0.name"), "expected a text, found a TOML integer"),
        (
            "sponsorship_enabled = true",
            "sponsorship_enabled = \"yes\"",
            &format!("{shop}.chain.0.sponsorship_enabled"),
            "expected true or false, found a TOML string",
        ),
        (
            "transaction_fee = \"177258950000\"",
            "transaction_fee = \"1.5\"",
            &format!("{shop}.chain.0.transaction_fee"),
            "decimal",
        ),
        (
            "{ name = \"POL\", address = \"\" },",
            "{ name = \"POL\" },",
            &format!("{shop}.chain.0.tokens.0.address"),
            "expected a value, found none",
        ),
        ("0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", "0x3c", &format!("{shop}.chain.0.tokens.1.address"), "0x"),
        (
            "collections = [\"",
            "collections = [1, \"",
            &format!("{shop}.chain.0.collections.0"),
            "expected a text, found a TOML integer",
        ),
        (
            "user_swa = \"0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906\"",
            "user_swa = \"me\"",
            &format!("{shop}.user.0.user_swa"),
            address,
        ),
    ];
    for (right, wrong, path, message) in wrongs {
        assert!(whole.contains(right), "`{right}` is in the example");
        let file = whole.replacen(right, wrong, 1);
        let problems = problems(&file);
        let [problem] = problems.as_slice() else { panic!("one problem of `{wrong}`: {problems:#?}") };
        let (line, rest) = problem.strip_prefix("line ").and_then(|rest| rest.split_once(": ")).expect("a line");
        let found = rest.strip_prefix(&format!("{path}: ")).unwrap_or_else(|| panic!("{path} is not at {problem}"));
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
    assert!(problem.contains(": environment.sand box: expected a name of 1 to 32 letters, digits"), "{problem}");
}
