//! The one file that a gateway is started with.

mod secret;
mod toml;

use std::{collections::HashSet, fmt, net::SocketAddr, path::PathBuf, time::Duration};

use sendoff::{
    estimate::{Fees, GasLimits, TransactionFees},
    rate_limit::{Cost, Policy},
    user_op::Policies,
    value::{Address, ChainId, TokenAddress},
};

pub use self::{
    secret::{Digest, Variables},
    toml::Problem,
};
use self::{
    secret::{digest, secret},
    toml::{Place, Source, Table},
};

/// What a gateway is started with: a TOML file, and environment variables for secrets. `gateway.toml` beside this crate's
/// sources is an example with every key.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where health, readiness and metrics are served; nowhere where it is absent.
    pub admin: Option<SocketAddr>,
    /// Bounds on sizes and times.
    pub bounds: Bounds,
    /// Where rate windows are kept.
    pub store: Store,
    /// The environments by their names.
    pub environments: Vec<Environment>,
}

/// Bounds on what a caller may cost.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The longest body, in bytes.
    pub body_bytes: usize,
    /// How long the head of a request may take, and how long a connection may idle between two.
    pub head: Duration,
    /// How long a body may stall.
    pub body: Duration,
    /// How long the running requests have once the gateway is told to stop.
    pub drain: Duration,
}

/// Where rate windows are kept.
#[derive(Clone, Debug)]
pub enum Store {
    /// In the memory of this process.
    Memory,
    /// In Redis or Valkey, shared by any number of processes.
    Redis(RedisStore),
}

/// Redis or Valkey.
#[derive(Clone)]
pub struct RedisStore {
    /// Its address, as the `redis` crate reads it.
    pub url: String,
    /// What all processes on it have in common, so that no caller can be found out from it.
    pub secret: String,
    /// What becomes of calls that count while it does not answer.
    pub on_loss: OnStoreLoss,
    /// How long it may take to answer.
    pub timeout: Duration,
    /// How many calls a process takes at once; 1 is none ahead.
    pub lease: u32,
}

impl fmt::Debug for RedisStore {
    /// Without the secret and the address, which may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut store = f.debug_struct("RedisStore");
        store.field("on_loss", &self.on_loss).field("lease", &self.lease).finish_non_exhaustive()
    }
}

/// What becomes of calls that count while the store does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnStoreLoss {
    /// Each process counts for itself: the limit holds a process.
    Local,
    /// They are answered with 503.
    Refuse,
}

/// What becomes of an estimate while the bundler does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnBundlerLoss {
    /// The file's gas limits stand in for its own.
    File,
    /// It is answered with 502 or 504.
    Refuse,
}

/// One environment: its address, its limit, its callers.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Its name, which keeps its windows apart from the others'.
    pub name: String,
    /// Where it is served.
    pub listen: SocketAddr,
    /// A certificate chain and its key, both PEM.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Its limit; none where the file says `none`.
    pub policy: Option<Policy>,
    /// Whether replies of calls that count have the fields `RateLimit` and `RateLimit-Policy`.
    pub rate_limit_fields: bool,
    /// Who answers what the gateway does not.
    pub upstream: Option<Upstream>,
    /// Who estimates gas.
    pub bundler: Option<Bundler>,
    /// The folder of the playground.
    pub playground: Option<PathBuf>,
    /// The contracts.
    pub deployment: Deployment,
    /// Who may call.
    pub applications: Vec<Application>,
}

/// The wallet backend.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// The address that paths are put behind, without a slash at its end.
    pub url: String,
    /// How long it may take until its reply begins, and between two parts of it.
    pub timeout: Duration,
}

/// An ERC-4337 bundler.
#[derive(Clone)]
pub struct Bundler {
    /// The address of its JSON-RPC; it may hold a key.
    pub url: String,
    /// How long it may take.
    pub timeout: Duration,
    /// What becomes of an estimate without it.
    pub on_loss: OnBundlerLoss,
    /// The EntryPoint that it is asked for.
    pub entry_point: Address,
}

impl fmt::Debug for Bundler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bundler")
            .field("timeout", &self.timeout)
            .field("on_loss", &self.on_loss)
            .finish_non_exhaustive()
    }
}

/// What every operation of an environment has in common.
#[derive(Clone, Debug)]
pub struct Deployment {
    /// The contract that starts jobs.
    pub job_manager: Address,
    /// The contract that pays.
    pub paymaster: Address,
    /// The gas limits, where no bundler gives others.
    pub gas_limits: GasLimits,
}

/// One that calls: its keys, its users, what is enabled for it.
#[derive(Clone, Debug)]
pub struct Application {
    /// Its name in logs; its calls are counted under it.
    pub name: String,
    /// Its smart wallet.
    pub client_swa: Address,
    /// Its API keys of the client side.
    pub keys: Vec<Digest>,
    /// Its API keys of the server side.
    pub server_keys: Vec<Digest>,
    /// The enabled chains, in the order of the file.
    pub chains: Vec<Chain>,
    /// Its users.
    pub users: Vec<User>,
}

/// A chain that is enabled for an application.
#[derive(Clone, Debug)]
pub struct Chain {
    /// CAIP-2.
    pub id: ChainId,
    /// What people call it.
    pub name: String,
    /// What is enabled on it.
    pub policies: Policies,
    /// What a transfer costs on it.
    pub fees: Fees,
    /// The whitelisted tokens.
    pub tokens: Vec<Token>,
    /// The whitelisted collections.
    pub collections: Vec<Address>,
}

/// A whitelisted token.
#[derive(Clone, Debug)]
pub struct Token {
    /// What people call it.
    pub name: String,
    /// Its contract; empty for the chain's own.
    pub address: TokenAddress,
}

/// Somebody with a token.
#[derive(Clone, Debug)]
pub struct User {
    /// Of the access token.
    pub token: Digest,
    /// The smart wallet.
    pub user_swa: Address,
}

impl Config {
    /// Reads a file's text.
    ///
    /// # Errors
    ///
    /// Every problem of it, and of the variables that it names.
    pub fn read(text: &str, variables: Variables<'_>) -> Result<Self, Vec<Problem>> {
        let source = Source::new(text);
        let (document, errors) = ::toml::de::DeTable::parse_recoverable(text);
        for error in &errors {
            source.push(error.span().map_or(0, |span| span.start), "", format!("no TOML: {}", error.message()));
        }
        // What is left of a broken document has problems that it would not have whole.
        let config = errors.is_empty().then(|| config(Table::new(&source, "", 0, document.get_ref()), variables));
        match (config.flatten(), source.into_problems()) {
            (Some(config), problems) if problems.is_empty() => Ok(config),
            (_, problems) => Err(problems),
        }
    }
}

fn config(mut file: Table<'_>, variables: Variables<'_>) -> Option<Config> {
    let admin = file.or("admin", None, |place| place.parsed().map(Some));
    let bounds = bounds(&mut file);
    let store = store(&mut file, variables);
    let environments = file.required("environment").and_then(|place| place.table()).map(|table| {
        if table.entries().is_empty() {
            table.push("production", "expected an environment, found none".into());
        }
        table.entries().into_iter().map(|(name, place)| environment(name, &place, variables)).collect::<Vec<_>>()
    });
    file.close();
    let environments = environments?.into_iter().collect::<Option<_>>()?;
    Some(Config { admin: admin?, bounds: bounds?, store: store?, environments })
}

fn bounds(file: &mut Table<'_>) -> Option<Bounds> {
    let body_bytes = file.or("body_bytes", 1 << 20, |place| place.integer(1..=1 << 20));
    let head = milliseconds(file, "head_ms", 10_000);
    let body = milliseconds(file, "body_ms", 10_000);
    let drain = milliseconds(file, "drain_ms", 10_000);
    Some(Bounds { body_bytes: usize::try_from(body_bytes?).ok()?, head: head?, body: body?, drain: drain? })
}

fn milliseconds(table: &mut Table<'_>, key: &'static str, absent: i64) -> Option<Duration> {
    let ms = table.or(key, absent, |place| place.integer(1..=3_600_000))?;
    Some(Duration::from_millis(ms.unsigned_abs()))
}

fn store(file: &mut Table<'_>, variables: Variables<'_>) -> Option<Store> {
    let Some(place) = file.optional("store") else { return Some(Store::Memory) };
    let url = if place.is_table() { secret(&place, variables) } else { place.text().map(str::to_owned) };
    if url.as_deref() == Some("memory") {
        return Some(Store::Memory);
    }
    if url.as_deref().is_some_and(|url| redis::Client::open(url).is_err()) {
        place.push("expected `memory` or an address such as `redis://127.0.0.1:6379`, found another text".into());
    }
    let secret = file.required("store_secret").and_then(|place| secret(&place, variables));
    let on_loss = file
        .required("on_store_loss")
        .and_then(|place| one_of(&place, &[("local", OnStoreLoss::Local), ("refuse", OnStoreLoss::Refuse)]));
    let timeout = milliseconds(file, "store_ms", 250);
    let lease = file.or("lease", 1, |place| place.integer(1..=(1 << 21) - 1));
    let lease = u32::try_from(lease?).ok()?;
    Some(Store::Redis(RedisStore { url: url?, secret: secret?, on_loss: on_loss?, timeout: timeout?, lease }))
}

fn environment(name: &str, place: &Place<'_>, variables: Variables<'_>) -> Option<Environment> {
    // The name is part of keys in the store; what that may be, the core says.
    let checked = sendoff::rate_limit::SharedLimiter::new(Policy::PRODUCTION, name, b"").map(drop);
    if let Err(error) = &checked {
        place.push(format!("{error}"));
    }
    if name == "admin" {
        place.push("expected another name than that of the address for health and metrics, found it".into());
    }
    let mut table = place.table()?;
    let listen = table.required("listen").and_then(|place| place.parsed());
    let tls = table.or("tls", None, |place| {
        let mut table = place.table()?;
        let certificate = table.required("certificate").and_then(|place| place.text());
        let key = table.required("key").and_then(|place| place.text());
        table.close();
        Some(Some((certificate?.into(), key?.into())))
    });
    let policy = table.required("policy").and_then(|place| policy(&place));
    let rate_limit_fields = table.or("rate_limit_fields", false, Place::flag);
    let upstream = table.or("upstream", None, |place| url(place).map(Some));
    let upstream_timeout = milliseconds(&mut table, "upstream_ms", 30_000);
    let bundler = table.or("bundler", None, |place| bundler(place, variables).map(Some));
    let playground = table.or("playground", None, |place| place.text().map(|path| Some(path.into())));
    let deployment = table.required("deployment").and_then(|place| deployment(&place));
    let applications = table.list("application").map(|items| {
        let applications: Vec<_> = items.iter().map(|place| application(place, variables)).collect();
        one_owner_a_secret(applications.iter().flatten(), place);
        applications.into_iter().collect::<Option<_>>()
    });
    table.close();
    Some(Environment {
        name: name.into(),
        listen: listen?,
        tls: tls?,
        policy: policy?,
        rate_limit_fields: rate_limit_fields?,
        upstream: match (upstream?, upstream_timeout?) {
            (Some(url), timeout) => Some(Upstream { url, timeout }),
            (None, _) => None,
        },
        bundler: bundler?,
        playground: playground?,
        deployment: deployment?,
        applications: applications??,
    })
}

/// Two that have one key or token could not be told apart.
fn one_owner_a_secret<'a>(applications: impl Iterator<Item = &'a Application>, place: &Place<'_>) {
    let (mut names, mut digests) = (HashSet::new(), HashSet::new());
    for Application { name, keys, server_keys, users, .. } in applications {
        if !names.insert(name) {
            place.push(format!("expected each application once, found `{name}` again"));
        }
        let secrets = keys.iter().chain(server_keys).copied().chain(users.iter().map(|user| user.token));
        if secrets.filter(|digest| !digests.insert(*digest)).count() > 0 {
            place.push(format!("expected a key or token to have one use, found one of `{name}` again"));
        }
    }
}

/// `production`, `none`, or the policy itself.
fn policy(place: &Place<'_>) -> Option<Option<Policy>> {
    if !place.is_table() {
        return one_of(place, &[("production", Some(Policy::PRODUCTION)), ("none", None)]);
    }
    let mut table = place.table()?;
    let limit = table.required("limit").and_then(|place| place.integer(1..=(1 << 21) - 1));
    let window_ms = table.required("window_ms").and_then(|place| place.integer(1_000..=86_400_000));
    let offset = table.or("day_offset_minutes", 0, |place| place.integer(-720..=840));
    let midnight = table.or("midnight", Default::default(), Place::parsed);
    let hold_ms = table.or("hold_ms", None, |place| place.integer(0..=8_640_000_000_000_000).map(Some));
    table.close();
    let (limit, window_ms) = (u32::try_from(limit?).ok()?, u32::try_from(window_ms?).ok()?);
    let policy = Policy::new(limit, window_ms).and_then(|policy| {
        let policy = policy.with_midnight(midnight.unwrap_or_default());
        policy.with_day_offset_minutes(offset.and_then(|minutes| i16::try_from(minutes).ok()).unwrap_or_default())
    });
    let policy = policy.and_then(|policy| match hold_ms {
        Some(Some(hold_ms)) => policy.with_hold_ms(hold_ms.unsigned_abs()),
        _ => Ok(policy),
    });
    policy.map_err(|error| place.push(format!("{error}"))).ok().map(Some)
}

fn one_of<T: Copy>(place: &Place<'_>, words: &[(&str, T)]) -> Option<T> {
    let text = place.text()?;
    let known = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    if known.is_none() {
        let words: Vec<_> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        place.push(format!("expected {}, found another text", words.join(" or ")));
    }
    known
}

/// An address of HTTP that paths can be put behind. It is no secret, so it has no place for one.
fn url(place: &Place<'_>) -> Option<String> {
    let url = http(place.text()?).filter(|url| {
        url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none()
    });
    if url.is_none() {
        let expected = "an address such as `https://wallet.example`, without a user, a password and a query";
        place.push(format!("expected {expected}, found another text"));
    }
    url.map(|url| url.as_str().trim_end_matches('/').to_owned())
}

/// An address of HTTP that is a secret.
fn secret_url(place: &Place<'_>, variables: Variables<'_>) -> Option<String> {
    let url = secret(place, variables)?;
    if http(&url).is_none() {
        place.push(
            "expected the variable to hold an address such as `https://bundler.example`, found another text".into(),
        );
    }
    Some(url)
}

fn http(text: &str) -> Option<reqwest::Url> {
    reqwest::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn bundler(place: &Place<'_>, variables: Variables<'_>) -> Option<Bundler> {
    let mut table = place.table()?;
    let url = table
        .required("url")
        .and_then(|place| if place.is_table() { secret_url(&place, variables) } else { url(&place) });
    let timeout = milliseconds(&mut table, "ms", 2_000);
    let on_loss = table
        .required("on_loss")
        .and_then(|place| one_of(&place, &[("file", OnBundlerLoss::File), ("refuse", OnBundlerLoss::Refuse)]));
    let entry_point = table.required("entry_point").and_then(|place| place.parsed());
    table.close();
    Some(Bundler { url: url?, timeout: timeout?, on_loss: on_loss?, entry_point: entry_point? })
}

fn deployment(place: &Place<'_>) -> Option<Deployment> {
    let mut table = place.table()?;
    let job_manager = table.required("job_manager").and_then(|place| place.parsed());
    let paymaster = table.required("paymaster").and_then(|place| place.parsed());
    let gas_limits = table.required("gas_limits").and_then(|place| {
        let mut table = place.table()?;
        let call = table.required("call").and_then(|place| place.parsed());
        let verification = table.required("verification").and_then(|place| place.parsed());
        let pre_verification = table.required("pre_verification").and_then(|place| place.parsed());
        let paymaster_verification = table.required("paymaster_verification").and_then(|place| place.parsed());
        let paymaster_post_op = table.required("paymaster_post_op").and_then(|place| place.parsed());
        table.close();
        Some(GasLimits {
            call_gas_limit: call?,
            verification_gas_limit: verification?,
            pre_verification_gas: pre_verification?,
            paymaster_verification_gas_limit: paymaster_verification?,
            paymaster_post_op_gas_limit: paymaster_post_op?,
        })
    });
    table.close();
    Some(Deployment { job_manager: job_manager?, paymaster: paymaster?, gas_limits: gas_limits? })
}

fn application(place: &Place<'_>, variables: Variables<'_>) -> Option<Application> {
    let mut table = place.table()?;
    let name = table.required("name").and_then(|place| plain(&place));
    let client_swa = table.required("client_swa").and_then(|place| place.parsed());
    let keys = all(table.list("keys"), |place| digest(place, variables));
    let server_keys = all(table.list("server_keys"), |place| digest(place, variables));
    let chains = all(table.list("chain"), chain);
    let users = all(table.list("user"), |place| user(place, variables));
    table.close();
    let chains: Vec<Chain> = chains?;
    for (index, chain) in chains.iter().enumerate() {
        if chains.iter().take(index).any(|before| before.id == chain.id) {
            place.push(format!("expected each chain once, found `{}` again", chain.id));
        }
    }
    let (client_swa, keys, server_keys) = (client_swa?, keys?, server_keys?);
    Some(Application { name: name?, client_swa, keys, server_keys, chains, users: users? })
}

/// Every item, read whether those before it could be read or not.
fn all<'a, T>(items: Option<Vec<Place<'a>>>, read: impl Fn(&Place<'a>) -> Option<T>) -> Option<Vec<T>> {
    items?.iter().map(read).collect::<Vec<_>>().into_iter().collect()
}

/// A name that a log line and a person can take.
fn plain(place: &Place<'_>) -> Option<String> {
    let text = place.text()?;
    let fits = (1..=64).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if !fits {
        place.push("expected a name of 1 to 64 characters, found another text".into());
    }
    fits.then(|| text.into())
}

fn chain(place: &Place<'_>) -> Option<Chain> {
    let mut table = place.table()?;
    let id: Option<ChainId> = table.required("id").and_then(|place| place.parsed());
    let name = table.required("name").and_then(|place| plain(&place));
    let gsn_enabled = table.or("gsn_enabled", false, Place::flag);
    let sponsorship_enabled = table.or("sponsorship_enabled", false, Place::flag);
    let fee = table.or("transaction_fee", None, |place| place.parsed().map(Some));
    let tokens = all(table.list("tokens"), token);
    let collections = all(table.list("collections"), |place| place.parsed());
    table.close();
    let id = id?;
    let transaction_fees = fee?.map(|fee| vec![(id.clone(), fee)]).unwrap_or_default();
    Some(Chain {
        id,
        name: name?,
        policies: Policies { gsn_enabled: gsn_enabled?, sponsorship_enabled: sponsorship_enabled? },
        fees: Fees {
            approx_transaction_fees_in_usdt: String::new(),
            transaction_fees: TransactionFees::new(transaction_fees).unwrap_or_default(),
        },
        tokens: tokens?,
        collections: collections?,
    })
}

fn token(place: &Place<'_>) -> Option<Token> {
    let mut table = place.table()?;
    let name = table.required("name").and_then(|place| plain(&place));
    let address = table.required("address").and_then(|place| place.parsed());
    table.close();
    Some(Token { name: name?, address: address? })
}

fn user(place: &Place<'_>, variables: Variables<'_>) -> Option<User> {
    let mut table = place.table()?;
    let token = table.required("token").and_then(|place| digest(&place, variables));
    let user_swa = table.required("user_swa").and_then(|place| place.parsed());
    table.close();
    Some(User { token: token?, user_swa: user_swa? })
}

impl RedisStore {
    /// How many calls are taken at once under a policy; a batch is never above its limit.
    #[must_use]
    pub fn batch(&self, policy: &Policy) -> Option<Cost> {
        (self.lease > 1).then(|| policy.cost(self.lease.min(policy.limit())).ok()).flatten()
    }
}
