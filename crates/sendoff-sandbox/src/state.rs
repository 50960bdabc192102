//! The state of the pocket service: everything that it knows, as one value.

use std::{collections::BTreeMap, num::NonZeroU64};

use sendoff::catalogue::{Catalogue, KnownChain};
use sendoff::rate_limit::{Policy, Window};
use sendoff::user_op::{EntryPoint, EntryPointVersion, EvmChainId, GasFeeOrder};
use sendoff::value::{Address, FeeAmount, FeePayerAddress};
use serde::{Deserialize, Serialize};

use crate::draw::{self, draw};
use crate::ledger::Ledger;
use crate::operation::UserOperation;
use crate::order::Order;
use crate::spelled;
use crate::switches::Switches;

/// A user, or a treasury wallet of the application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct User {
    pub(crate) id: String,
    /// The wallet, the same on every chain.
    #[serde(deserialize_with = "spelled::lower")]
    pub(crate) wallet: String,
    /// The smart wallet that sends user operations.
    #[serde(deserialize_with = "spelled::lower")]
    pub(crate) swa: String,
    /// The address of the key that signs them; empty if none.
    #[serde(deserialize_with = "spelled::lower_or_none")]
    pub(crate) session_key: String,
    /// `true` after the first request for wallets.
    pub(crate) has_wallets: bool,
    pub(crate) is_treasury: bool,
    pub(crate) created: i64,
}

impl User {
    pub(crate) fn new(id: String, accounts: [[u8; 32]; 2], is_treasury: bool, now: i64) -> Self {
        let ([wallet, swa], session_key) = (accounts.map(draw::address), String::new());
        let (has_wallets, created) = (is_treasury, now);
        Self { id, wallet, swa, session_key, has_wallets, is_treasury, created }
    }
}

/// A session of version 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Session {
    pub(crate) user: String,
    pub(crate) refresh: String,
    pub(crate) device: String,
    /// When the token ends, in milliseconds.
    pub(crate) expires: i64,
}

/// Where operations go, and what is true of the application there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Deployment {
    entry_point: Address,
    pub(crate) chain_id: EvmChainId,
    pub(crate) version: EntryPointVersion,
    gas_fee_order: GasFeeOrder,
    pub(crate) job_manager: Address,
    pub(crate) paymaster: Address,
    pub(crate) client_swa: Address,
    pub(crate) gsn_enabled: bool,
    pub(crate) sponsorship_enabled: bool,
    /// The address of the key that signs grants; empty if grants are not checked.
    pub(crate) grant_signer: FeePayerAddress,
    /// What the paymaster has at the EntryPoint, in wei.
    pub(crate) deposit: FeeAmount,
    /// The base fee of the chain, in wei.
    pub(crate) base_fee: FeeAmount,
}

/// How long things take, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Delays {
    /// From CREATED to RUNNING; the default is a second, or less for an order that ends earlier.
    pub(crate) start: Option<u64>,
    /// From CREATED to the end.
    pub(crate) end: u64,
    /// From a user operation to its block.
    pub(crate) block: u64,
    /// The life of a token.
    pub(crate) token: u64,
}

/// What a new user has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewUser {
    /// Of each token of the ledger, in its display unit.
    pub(crate) tokens: u64,
    /// The NFTs that are made for it, of each collection.
    pub(crate) nfts: u64,
}

/// Lies from a seed: one request in `every` gets one of `names`, or of all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Schedule {
    pub(crate) seed: String,
    pub(crate) every: NonZeroU64,
    pub(crate) names: Option<Vec<String>>,
}

/// The state of the pocket service. It is one value: save it, load it, and the service goes on.
///
/// `Display` writes it as JSON, and [`FromStr`](std::str::FromStr) reads it again. [`State::start`]
/// makes the first one.
///
/// ```
/// use sendoff_sandbox::{Request, State, answer};
///
/// let mut state = State::start("{}")?;
/// let saved: State = state.to_string().parse()?;
/// assert_eq!(saved, state);
///
/// let mut request = Request::default();
/// (request.method, request.target) = ("GET".into(), "/api/v1/portfolio".into());
/// request.headers.push(("authorization".into(), "Bearer sandbox-token".into()));
/// assert_eq!(answer(&mut state, &request, 1_750_000_000_000).status, 201);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct State {
    pub(crate) profile: String,
    pub(crate) seed: String,
    /// The number of draws so far.
    pub(crate) drawn: u64,
    /// The number of requests so far.
    pub(crate) requests: u64,
    pub(crate) client_key: String,
    pub(crate) server_key: String,
    pub(crate) switches: Switches,
    pub(crate) deployment: Deployment,
    pub(crate) delays: Delays,
    pub(crate) catalogue: Catalogue,
    /// The rate limit of the application, whose client and server calls count together.
    pub(crate) limits: Option<Policy>,
    pub(crate) window: Option<Window>,
    pub(crate) lies: Option<Schedule>,
    pub(crate) new_user: Option<NewUser>,
    pub(crate) users: BTreeMap<String, User>,
    /// By token.
    pub(crate) sessions: BTreeMap<String, Session>,
    pub(crate) ledger: Ledger,
    pub(crate) orders: Vec<Order>,
    pub(crate) operations: Vec<UserOperation>,
    /// The next sequence of each `sender key`, or each used `sender nonce`.
    pub(crate) nonces: BTreeMap<String, u64>,
    pub(crate) blocks: u64,
}

/// The largest number of orders that are kept: beyond it the older half of them is forgotten, as
/// far as it has ended.
const MOST_ORDERS: usize = 10_000;

/// How long an order waits until it runs, in milliseconds, if no option says it.
const FIRST_START: u64 = 1_000;

/// The largest number of bytes of call data and operations that are kept.
const MOST_KEPT: usize = 16 << 20;

/// The largest number of users and wallets.
pub(crate) const MOST_USERS: usize = 20_000;

/// The largest number of sessions.
const MOST_SESSIONS: usize = 10_000;

/// The id of the first user.
pub(crate) const FIRST_USER: &str = "d6061eab-2da6-4d79-a225-71f995791e45";

impl State {
    /// Returns 32 bytes that no earlier draw of this state returned.
    pub(crate) fn draw(&mut self, purpose: &str) -> [u8; 32] {
        self.drawn = self.drawn.saturating_add(1);
        draw(&self.seed, purpose, self.drawn)
    }

    /// A new id of an order, a job or a user.
    pub(crate) fn new_id(&mut self, purpose: &str) -> String {
        draw::uuid(self.draw(purpose))
    }

    /// A UUID that belongs to a thing.
    pub(crate) fn stable_id(&self, purpose: &str, thing: &str) -> String {
        draw::uuid(draw(&[&*self.seed, thing].concat(), purpose, 0))
    }

    /// The EntryPoint that operations go to.
    pub(crate) fn entry_point(&self) -> EntryPoint {
        let Deployment { entry_point, chain_id, version, gas_fee_order, .. } = self.deployment;
        EntryPoint { address: entry_point, chain_id, version, gas_fee_order }
    }

    /// The chain of the catalogue with an id.
    pub(crate) fn chain(&self, id: &str) -> Option<&KnownChain> {
        self.catalogue.known_chains().iter().find(|chain| chain.caip2_id.to_string() == id)
    }

    /// The networks that the application may use.
    pub(crate) fn enabled_chains(&self) -> impl Iterator<Item = &KnownChain> {
        self.catalogue.known_chains().iter().filter(|chain| chain.enabled)
    }

    /// The name of a chain of the catalogue.
    pub(crate) fn network_name(&self, chain: &str) -> &str {
        self.chain(chain).map_or("", |chain| chain.name.as_str())
    }

    /// Adds an order that ends after the state's delay.
    pub(crate) fn add_order(&mut self, mut order: Order, now: i64) {
        (order.created, order.updated) = (now, now);
        let start = self.delays.start.unwrap_or(FIRST_START.min(self.delays.end));
        order.running = now.saturating_add_unsigned(start);
        order.due = now.saturating_add_unsigned(self.delays.end);
        order.transaction_hash = draw::hex(&self.draw("transaction"));
        self.orders.push(order);
    }

    /// `true` if the number of orders has reached its bound.
    pub(crate) fn is_full(&self) -> bool {
        self.orders.len() >= MOST_ORDERS
    }

    /// Makes room: forgets the older halves of what has ended, until little enough is kept. `false`
    /// if too much of it has not ended.
    pub(crate) fn make_room(&mut self) -> bool {
        while self.is_full() || self.kept() > MOST_KEPT {
            let orders = forget(&mut self.orders, |order| order.status.is_last());
            let operations = forget(&mut self.operations, |known| known.executed);
            if !orders && !operations {
                return false;
            }
        }
        true
    }

    /// The bytes of call data and operations.
    fn kept(&self) -> usize {
        let orders = self.orders.iter().flat_map(|order| &order.actions);
        let data = orders.map(|action| action.data.len());
        let operations = self.operations.iter().map(|known| known.operation.to_string().len());
        data.chain(operations).fold(0, usize::saturating_add)
    }

    /// Opens a session for a user, and returns its token.
    pub(crate) fn open_session(&mut self, user: &str, now: i64) -> (String, Session) {
        while self.sessions.len() >= MOST_SESSIONS {
            let first = self.sessions.iter().min_by_key(|(_, session)| session.expires);
            let Some(token) = first.map(|(token, _)| token.clone()) else { break };
            self.sessions.remove(&token);
        }
        let mut secret = |purpose| draw::digits(&self.draw(purpose));
        let (token, refresh, device) = (secret("token"), secret("refresh"), secret("device"));
        let expires = now.saturating_add_unsigned(self.delays.token);
        let session = Session { user: user.into(), refresh, device, expires };
        self.sessions.insert(token.clone(), session.clone());
        (token, session)
    }

    /// Makes a user. There must be room for one.
    pub(crate) fn add_user(&mut self, id: String, is_treasury: bool, now: i64) {
        let accounts = [self.draw("wallet"), self.draw("swa")];
        self.users.insert(id.clone(), User::new(id, accounts, is_treasury, now));
    }

    /// Gives a new user what the option says.
    pub(crate) fn endow(&mut self, user: &str) {
        let (Some(gift), Some(user)) = (&self.new_user, self.users.get(user)) else { return };
        for token in &mut self.ledger.tokens {
            token.create(&user.wallet, gift.tokens);
        }
        for collection in &mut self.ledger.collections {
            (0..gift.nfts).for_each(|_| collection.create(&user.wallet));
        }
    }
}

/// Forgets the older half of the items, as far as they have ended. Returns `true` if there were any.
fn forget<T>(items: &mut Vec<T>, has_ended: fn(&T) -> bool) -> bool {
    let before = items.len();
    let mut old = 0..before.div_ceil(2);
    items.retain(|item| old.next().is_none() || !has_ended(item));
    items.len() < before
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| std::fmt::Error)?)
    }
}
