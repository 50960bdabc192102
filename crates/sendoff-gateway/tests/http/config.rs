//! The configuration file: valid files, the first problem of invalid ones, and `--check`.

use sendoff::rate_limit::{Midnight, Policy};
use sendoff_gateway::{
    Applications,
    config::{Config, Forwarded},
};

use crate::support::{admin::run, config as sandbox, prelude::*};

const EXAMPLE: &str = include_str!("../../gateway.toml");
const APPLICATIONS: &str = include_str!("../../applications.toml");

/// A store of the example. `PATH` is a variable that every process has.
const REDIS: &str = "store.url = \"redis://127.0.0.1:6379\"\nstore.secret = { env = \"PATH\" }\nstore.on_loss = \"local\"\n";

/// The example with its keys that are commented out, but for what needs more than a file, and without comments.
fn whole() -> String {
    let hidden = |line: &'static str| {
        let key = line.strip_prefix("# ")?;
        let name = key.split_once(" = ").map_or(key, |(name, _)| name);
        let needs_more = ["admins", "dashboard", "store.others", "store.replicas"].contains(&name);
        let is_key = key.starts_with('[') || (name != key && !name.contains(' '));
        (is_key && !needs_more).then_some(key)
    };
    let key = |line: &'static str| if line.starts_with('#') { hidden(line) } else { Some(line) };
    let lines: Vec<_> = EXAMPLE.lines().filter_map(key).collect();
    lines.join("\n").replace("STORE_SECRET", "PATH").replace("INTROSPECTION", "PATH") + "\n"
}

fn read(text: &str) -> Config {
    Config::read(text).expect("a valid file")
}

/// The problem of a file, as it is printed.
fn problem(text: &str) -> String {
    Config::read(text).expect_err("an invalid file").to_string()
}

#[test]
fn the_examples_are_valid() {
    let config = read(EXAMPLE);
    let names = config.environments.iter().map(|environment| environment.name.as_str());
    assert!(names.eq(["production", "sandbox"]));
    assert_eq!(config.environments[0].policy.0, Some(Policy::PRODUCTION));
    // The specification says of the sandbox that its limit is more lenient.
    let sandbox = config.environments[1].policy.0.expect("a limit");
    assert_eq!(sandbox.window(), Policy::PRODUCTION.window());
    assert!(sandbox.limit() > Policy::PRODUCTION.limit());
    assert!(config.store.is_none());
    Applications::read(APPLICATIONS).expect("the example of applications is read");

    let config = read(&whole());
    let production = &config.environments[0];
    assert!(production.bundler.is_some() && production.playground.is_some());
    let tls = production.tls.as_ref().expect("a certificate");
    assert_eq!((&*tls.certificate, &*tls.key), ("certificate.pem".as_ref(), "key.pem".as_ref()));
    let upstream = production.upstream.as_ref().expect("a backend");
    assert_eq!((&*upstream.url, upstream.forwarded), ("http://127.0.0.1:8081", Forwarded::Drop));
    assert_eq!(upstream.ca.as_deref(), Some("ca.pem".as_ref()));
    let shown = format!("{config:?}");
    assert!(!shown.contains("127.0.0.1:4337") && !shown.contains("/bin"), "{shown}");
    for kept in
        ["RedisStore { url: …, secret: …, on_loss: Local, timeout: 250ms", "Bundler { url: …"]
    {
        assert!(shown.contains(kept), "{kept}: {shown}");
    }
}

/// Each key of a policy has its effect, and a lease takes never more than the limit allows.
#[test]
fn policies_and_leases_are_those_of_the_file() {
    let file = EXAMPLE.replacen(
        "limit = 15000, windowMs = 300000, dayOffsetMinutes = 0, midnight = \"truncate\", holdMs = 10000",
        "limit = 7, windowMs = 20000, dayOffsetMinutes = 330, midnight = \"carry\", holdMs = 60000",
        1,
    );
    let policy = Policy::new(7, Duration::from_secs(20)).and_then(|policy| {
        let policy = policy.with_midnight(Midnight::Carry).with_hold(Duration::from_secs(60))?;
        policy.with_day_offset_minutes(330)
    });
    let policy = policy.expect("a policy");
    assert_eq!(read(&file).environments[1].policy.0, Some(policy));

    for (lease, batch) in [(1, None), (2, Some(2)), (7, Some(7)), (8, Some(7)), (1_500, Some(7))] {
        let config = read(&format!("{REDIS}store.lease = {lease}\n{file}"));
        let found = config.store.expect("a store").batch(&policy);
        let batch = batch.map(|calls| policy.cost(calls).expect("within the limit"));
        assert_eq!(found, batch, "{lease}");
    }
}

/// A file with the required keys alone.
const MINIMAL: &str = r#"
[environment.a]
listen = "[::1]:1"
policy = "none"
deployment = { job_manager = "0x7F1E1e98Dde775Fae0d340D3E5D28004Db58A0d3", paymaster = "0xB0E2BD2EFb99F982F8cCB8e6737A572B3B0eCE11", gas_limits = { callGasLimit = "0x1", verificationGasLimit = "0x1", preVerificationGas = "0x1", paymasterVerificationGasLimit = "0x1", paymasterPostOpGasLimit = "0x1" } }
"#;

/// All keys except the environments are optional, and many keys in them.
#[test]
fn absent_keys_have_defaults() {
    let config = read(MINIMAL);
    assert_eq!(config.admin, None);
    // The example says of its bounds that they are the defaults.
    let bounds = &config.bounds;
    assert_eq!(format!("{bounds:?}"), format!("{:?}", read(EXAMPLE).bounds));
    assert_eq!((bounds.per_application(), bounds.per_user()), (256, 64));
    let few = read(&format!("bounds.requests = 10{MINIMAL}")).bounds;
    assert_eq!((few.per_application(), few.per_user()), (3, 1));
    let environment = &config.environments[0];
    assert!(environment.policy.0.is_none() && environment.upstream.is_none());
    assert!(environment.bundler.is_none() && environment.tls.is_none());
}

/// What the example has, what replaces it, the path of the problem, and a part of its message. `*` is the
/// environment `production`.
const WRONG: &str = r#"
admin = "127 ~ admin = "secret ~ admin ~ an IP address and a port, such as `127.0.0.1:8080`
admin = "127.0.0.1:9090" ~ admin = 9090 ~ admin ~ integer `9090`
body_bytes = 1048576 ~ body_bytes = 1048577 ~ bounds.body_bytes ~ expected an integer from 1 to 1048576
body_bytes = 1048576 ~ body_bytes = "secret" ~ bounds.body_bytes ~ expected an integer from 1 to 1048576
head_bytes = 32768 ~ head_bytes = 8191 ~ bounds.head_bytes ~ expected an integer from 8192 to 1048576
head_ms = 10000 ~ head_ms = 0 ~ bounds.head_ms ~ expected an integer from 1 to 3600000
drain_ms = 10000 ~ drain_ms = -1 ~ bounds.drain_ms ~ expected an integer from 0 to 3600000
drain_ms = 10000 ~ drain_mss = 1 ~ bounds.drain_mss ~ unknown field `drain_mss`, expected one of `body_bytes`
reuse_port = false ~ reuse_port = 1 ~ reuse_port ~ expected a boolean
"10.0.0.0/8", ~ "10.0.0.1/8", ~ proxies[0] ~ expected a network such as `10.0.0.0/8`
"10.0.0.0/8", ~ "0.0.0.0/0", ~ proxies[0] ~ found every address
"redis://127 ~ "memcached://127 ~ store.url ~ expected an address such as `redis://127.0.0.1:6379`
"redis://127 ~ "redis://:secret@127 ~ store.url ~ found a password in the file
"redis://127.0.0.1:6379" ~ "rediss://127.0.0.1#insecure" ~ store.url ~ found one with a `#`
store.secret ~ store.others = { nodes = ["redis://:secret@a"] }\nstore.secret ~ store.others.nodes[0] ~ found a password in the file
store.secret ~ store.others = { sentinels = ["a,b"] }\nstore.secret ~ store.others.sentinels[0] ~ expected an address such as
store.secret ~ store.others = { nodes = [], sentinels = [] }\nstore.secret ~ store.others ~ 
{ env = "PATH" } ~ "secret" ~ store.secret ~ expected `{ env = "NAME" }` or `{ file = "PATH" }`
{ env = "PATH" } ~ { env = "A", file = "b" } ~ store.secret ~ found a table with `env` and `file`
{ env = "PATH" } ~ { env = "NO_SUCH" } ~ store.secret ~ variable `NO_SUCH` to hold a secret, found none
store.secret = { env = "PATH" } ~ ~ store ~ missing field `secret`
store.on_loss = "local" ~ ~ store ~ missing field `on_loss`
store.on_loss = "local" ~ store.on_loss = "secret" ~ store.on_loss ~ expected `local` or `refuse`
"gateway.db" ~ "sqlite://secret" ~ database ~ expected the path of a file such as `gateway.db`
"gateway.db" ~ "postgres://a:secret@b/c" ~ database ~ found a password in the file
chains = [{ caip2Id = "eip155:11155111" ~ chains = [{ caip2Id = "polygon" ~ known.catalogue ~ chains.0.caip2Id: expected a CAIP-2
listen = "127.0.0.1:8080" ~ ~ * ~ missing field `listen`
tls = { cert ~ tls = { a = 1, cert ~ *.tls.a ~ expected `certificate` or `key`
key = "key.pem" ~ key = "-----BEGIN secret" ~ *.tls.key ~ expected the path of a PEM file
policy = "production" ~ policy = "secret" ~ *.policy ~ expected `production`, `none`, or `{ limit = 300,
limit = 15000, ~ limit = 0, ~ environment.sandbox.policy ~ limit: expected an integer from 1 to 2097151, found 0
midnight = "truncate" ~ midnight = "noon" ~ environment.sandbox.policy ~ midnight: expected
upstream.url = "http ~ upstream.url = "ftp ~ *.upstream.url ~ expected an address such as `https://wallet.example`
upstream.url = "http:// ~ upstream.url = "http://user:secret@ ~ *.upstream.url ~ expected an address such as
upstream.url = "http://127.0.0.1:8081" ~ upstream.url = "http://127.0.0.1:8080" ~ environment ~ production: upstream.url: expected the address of a backend, found that of
upstream.url = "http://127.0.0.1:8081" ~ ~ *.upstream ~ missing field `url`
forwarded = "drop" ~ forwarded = "secret" ~ *.upstream.forwarded ~ expected `drop` or `keep`
on_loss = "file" ~ on_loss = "secret" ~ *.bundler.on_loss ~ expected `file` or `refuse`
url = "http://127.0.0.1:4337" ~ url = { env = "PATH" } ~ *.bundler.url ~ the secret to be an address such as
0x0000000071727De22E5E9d8BAf0edAc6f37da032 ~ 0x0 ~ *.bundler.entry_point ~ expected an address (`0x` and 40
"https://app.example" ~ "https://app.example/" ~ *.cors.origins[0] ~ as browsers write it, `https://app.example`
max_age = 600 ~ max_age = 86401 ~ *.cors.max_age ~ expected an integer from 0 to 86400
callGasLimit = "0x927c0" ~ callGasLimit = "many" ~ *.deployment.gas_limits ~ callGasLimit: expected
paymaster = "0xB0E2BD2EFb99F982F8cCB8e6737A572B3B0eCE11" ~ ~ *.deployment ~ missing field `paymaster`
algorithms = ["ES256"] ~ algorithms = ["HS256"] ~ *.jwt[0].algorithms ~ expected some with a public key, such as
algorithms = ["ES256"] ~ algorithms = ["none"] ~ *.jwt[0].algorithms[0] ~ unknown variant another text, expected one of
algorithms = ["ES256"] ~ algorithms = [] ~ *.jwt[0].algorithms ~ such as `["ES256"]`, found none
audience = "https://wallet.example" ~ ~ *.jwt[0] ~ missing field `audience`
skew_ms = 30000 ~ skew_ms = 300_001 ~ *.jwt[0].skew_ms ~ invalid value: integer `300001`
claims.applications = ["shop"] ~ claims.applications = [] ~ *.jwt[0].claims ~ applications: expected some such as
keys = "https ~ keys = "ftp ~ *.jwt[0].keys ~ expected an address such as
"#;

/// Each wrong value is named by its line and its path, with what was expected, and without the value itself.
#[test]
fn each_wrong_value_is_named() {
    let whole = whole();
    for row in WRONG.lines().filter(|row| !row.is_empty()) {
        let cells: Vec<_> = row.split('~').map(str::trim).collect();
        let [right, wrong, path, expected] = cells[..] else { panic!("four cells: {row}") };
        assert!(whole.contains(right), "`{right}` is in the example");
        let wrong = wrong.replace("\\n", "\n");
        let file = whole.replacen(right, &wrong, 1);
        let path = path.replace('*', "environment.production");
        let problem = problem(&file);
        let (line, rest) =
            problem.strip_prefix("line ").and_then(|rest| rest.split_once(": ")).expect("a line");
        assert!(rest.starts_with(&path) && rest.contains(expected), "{row}\n{problem}");
        let is_shown = rest.contains("secret\"") || rest.contains("found `secret`");
        assert!(!is_shown, "{problem}");
        // A problem between keys is where their table begins.
        let is_between =
            ["environment", "known.catalogue"].contains(&&*path) || path.ends_with(".claims");
        if !is_between && !wrong.is_empty() {
            let start = file.find(&wrong).expect("it is there");
            let at = file[..start].matches('\n').count() + 1;
            assert_eq!(line.parse(), Ok(at), "{row}\n{problem}");
        }
    }
}

#[test]
fn problems_of_admins_applications_and_texts_are_named() {
    let admins = |admins: &str| format!("admins = {admins}\n{EXAMPLE}");
    let token = |token: &str| admins(&format!("[{{ name = 'a', token = {token} }}]"));
    let one = format!("{{ name = 'a', token = {{ sha256 = '{:064}' }} }}", 7);
    let of_nothing = format!("{{ sha256 = '{}' }}", sha256(""));
    let two = whole().replace("[\"shop\"]", "[\"shop\", \"other\"]");
    let name = MINIMAL.replace("[environment.a]", "[environment.'sand box']");
    for (file, expected) in [
        (&*token("'secret'"), "admins[0].token: expected `{ env = \"NAME\" }` or"),
        (&token("{ sha256 = 'secret' }"), "64 hex digits, found text of length 6"),
        (&token(&of_nothing), "found that of an empty text"),
        (&token("{ env = 'PATH' }"), "that no request can have there"),
        (&admins(&format!("[{one}, {one}]")), "`a` is used twice"),
        (&two.replace("claims.application =", "#"), "claims: application: expected the claim"),
        ("", "line 1: missing field `environment`"),
        ("[environment]", "expected a table such as `[environment.production]`, found none"),
        (&name, "environment: sand box: expected a name of 1 to 32 letters, digits"),
        ("\n\n[a", "line 3: "),
        // The line of the key, and not that of its table.
        ("[store]\n[store.secret]\n\nenvs = 'A'", "line 4: store.secret.envs: unknown field"),
        ("a = 1\na = 2", "line 2: duplicate key"),
        (&format!("admins = [{one}]{MINIMAL}"), "line 1: admin: expected an address for `admins`"),
    ] {
        let found = problem(file);
        assert!(found.contains(expected), "{expected}: {found}");
    }

    let known = "keys[0].env: unknown field `env`, expected one of `sha256`, `of`, `made_ms`";
    let address = "catalogue: collections.0.collectionAddress: expected an address";
    for (right, wrong, expected) in [
        ("name = \"shop\"", "name = \"..\"", "name: expected a name of 1 to 40 letters"),
        ("name = \"shop\"", "names = \"shop\"", "names: unknown field `names`"),
        ("keys]]\nsha256", "keys]]\nenv", known),
        ("tokenAddress = \"\"\n", "", "catalogue: tokens.0.tokenAddress: expected"),
        ("collectionAddress = \"0x", "collectionAddress = \"x", address),
    ] {
        assert!(APPLICATIONS.contains(right), "{right}");
        let found = Applications::read(&APPLICATIONS.replacen(right, wrong, 1));
        let found = found.expect_err("an invalid file").to_string();
        let expected = format!(": environment.production.application[0].{expected}");
        assert!(found.starts_with("line ") && found.contains(&expected), "{expected}: {found}");
    }
}

/// A secret can be a file's content. One line break at its end is not a part of it; other white space would change the secret.
#[test]
fn secrets_can_be_files() {
    let folder = Folder::new("secret");
    let file = folder.0.join("secret");
    let redis = REDIS.replacen("env = \"PATH\"", &format!("file = {file:?}"), 1);
    let example = redis + EXAMPLE;
    for (content, end) in [
        ("of the host", None),
        ("of the host\n", None),
        ("of the host\r\n", None),
        ("secret\n\n", Some("found white space before or after it")),
        (" secret", Some("found white space before or after it")),
        ("sec\nret", Some("found a control character in it")),
        ("", Some("found none")),
        ("\n", Some("found none")),
    ] {
        fs::write(&file, content).expect("a file");
        match (Config::read(&example), end) {
            (Ok(config), None) => {
                let store = config.store.expect("a store");
                assert_eq!(&*store.secret, "of the host", "{content:?}");
            }
            (Err(problem), Some(end)) => {
                assert_eq!(problem.path, "store.secret");
                assert!(problem.message.ends_with(end), "{problem:?}");
            }
            (found, _) => panic!("{content:?}: {found:?}"),
        }
    }
    fs::remove_file(&file).expect("the file");
    assert!(problem(&example).ends_with("No such file or directory (os error 2)"));
}

/// The file is valid, but an address, a certificate, a folder or a file of applications cannot be used: neither `--check` nor a
/// start takes it. `--check` does not listen.
#[test]
fn resources_that_cannot_be_used_are_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let listens = |file: &str| {
        file.replacen("listen = \"127.0.0.1:0\"", &format!("listen = \"{address}\""), 1)
    };
    let with = |head: &str, keys: &str| sandbox(UNLIMITED, head, keys);
    let plain = with("", "");
    let folder = Folder::new("page");
    let page = folder.write("page", "");
    let tls = "{ certificate = \"/nowhere.pem\", key = \"/nowhere.key\" }";
    let backend = |key: &str| with("", &format!("upstream.url = \"https://127.0.0.1:1\"\n{key}"));
    let twice = plain.clone() + &key(SERVER_KEY, "client");
    let own = backend(&format!("upstream.tls = {tls}"));
    let nowhere = split(&with("applications = \"/nowhere.toml\"", "")).0;
    let pair = || {
        let folder = Folder::new("tls");
        drop(folder.certify());
        let read = |name| fs::read_to_string(folder.0.join(name)).expect("a file");
        ["certificate.pem", "key.pem"].map(read)
    };
    let [[certificate, key], [_, other]] = [pair(), pair()];
    let certified = |certificate: &str, key: &str| {
        let folder = Folder::new("tls");
        folder.write("certificate.pem", certificate);
        folder.write("key.pem", key);
        with("", &format!("tls = {}", folder.tls()))
    };
    let moon = plain.replace("sandbox.application", "moon.application");
    for (file, why) in [
        (with("more = 1", ""), "more: unknown field"),
        (with("", &format!("tls = {tls}")), "environment.sandbox.tls.certificate: /nowhere.pem: "),
        (certified(&certificate, ""), "environment.sandbox.tls.key: /"),
        (certified("", &key), "environment.sandbox.tls.certificate: /"),
        (certified("garbage", "garbage"), "environment.sandbox.tls.certificate: /"),
        (certified(&key, &certificate), "environment.sandbox.tls.certificate: /"),
        (certified(&certificate, &other), "environment.sandbox.tls: /"),
        (with("", "playground = \"/nowhere/dist\""), "the playground /nowhere/dist: No such file"),
        (with("", &format!("playground = {page:?}")), "expected a folder, found a file"),
        (backend("upstream.ca = \"/nowhere.pem\""), "sandbox.upstream.ca: /nowhere.pem: "),
        (own, "environment.sandbox.upstream.tls.certificate: /nowhere.pem: "),
        (nowhere, "/nowhere.toml: the file cannot be read"),
        (twice, "`shop` of `sandbox`: expected a key or token to have one use"),
        (moon, "environment.moon: expected an environment of the configuration (sandbox)"),
    ] {
        let said = Gateway::refused(&file, Launch::default());
        assert!(said.contains(why), "{why}: {said}");
        let said = checked(&listens(&file)).expect_err(why);
        assert!(said.contains(why), "{why}: {said}");
    }
    let said = Gateway::refused(&listens(&plain), Launch::default());
    assert!(said.contains(&format!("cannot listen on {address}")), "{said}");
    let said = checked(&listens(&plain)).expect("another process may serve the address");
    assert!(said.ends_with(".toml is valid\n"), "{said}");

    let version = format!("sendoff-gateway {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&["--version"]), Ok(version));
}

/// Wherever the process was started.
#[test]
fn paths_in_a_file_are_relative_to_it() {
    let folder = Folder::new("paths");
    folder.place("etc/pages/page");
    let (own, applications) = split(&sandbox(UNLIMITED, "", "playground = \"pages\""));
    let own = format!("applications = \"applications.toml\"\n{own}");
    folder.write("etc/gateway.toml", own);
    folder.write("etc/applications.toml", applications);

    for (place, name) in
        [("", "etc/gateway.toml"), ("etc", "gateway.toml"), ("etc/pages", "../gateway.toml")]
    {
        let mut check = Command::new(env!("CARGO_BIN_EXE_sendoff-gateway"));
        check.args(["--check", "--config", name]).current_dir(folder.0.join(place));
        assert_eq!(said(&mut check), (true, format!("{name} is valid\n")), "{place}");
    }
}

/// What `--check` says of a file.
fn checked(text: &str) -> Result<String, String> {
    let file = path("checked.toml");
    crate::support::write(file.as_ref(), text);
    run(&["--config", &file, "--check"])
}
