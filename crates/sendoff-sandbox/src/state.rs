//! The state of the pocket service: everything that it knows, as one value.

use alloc::{string::String, vec::Vec};
use core::str::FromStr;

use sendoff::catalogue::Catalogue;
use sendoff::error::{Error, IssueCode};
use sendoff::primitive_types::U256;
use sendoff::rate_limit::{Policy, Time, Window};

use crate::draw::{self, draw};
use crate::entry_point::UserOperation;
use crate::json::object;
use crate::ledger::Ledger;
use crate::lie::Schedule;
use crate::map::Map;
use crate::misfit::Misfit;
use crate::order::Order;
use crate::profile::Switches;
use crate::record::{Record, Write, record};
use crate::{Json, world};

/// The only profile.
pub(crate) const PROFILE: &str = "okto-v1";

record! {
    /// A user, or a treasury wallet of the application.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub(crate) struct User {
        id: String,
        /// The wallet, the same on every chain.
        wallet: String,
        /// The smart wallet that sends user operations.
        swa: String,
        /// The address of the key that signs them; empty if none.
        session_key: String,
        /// `true` after the first request for wallets.
        has_wallets: bool,
        is_treasury: bool,
        created: i64,
    }
}

record! {
    /// A session of version 1.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub(crate) struct Session {
        user: String,
        refresh: String,
        device: String,
        /// When the token ends, in milliseconds.
        expires: i64,
    }
}

record! {
    /// Where operations go, and what is true of the application there.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct Deployment {
        entry_point: String,
        chain_id: u64,
        version: String,
        gas_fee_order: String,
        job_manager: String,
        paymaster: String,
        client_swa: String,
        gsn_enabled: bool,
        sponsorship_enabled: bool,
        /// The address of the key that signs grants; empty if grants are not checked.
        grant_signer: String,
        /// What the paymaster has at the EntryPoint, in wei.
        deposit: U256,
        /// The base fee of the chain, in wei.
        base_fee: U256,
    }
}

record! {
    /// How long things take, in milliseconds.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct Delays {
        /// From CREATED to RUNNING.
        start: u64,
        /// From CREATED to the end.
        end: u64,
        /// From a user operation to its block.
        block: u64,
        /// The life of a token.
        token: u64,
    }
}

record! {
    /// What a new user has.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub(crate) struct NewUser {
        /// Of each token of the ledger, in its display unit.
        tokens: u64,
        /// The NFTs that are made for it, of each collection.
        nfts: u64,
    }
}

/// The rate limit of the application, whose client and server calls count together, and its window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limits(pub(crate) Option<(Policy, Map<Window>)>);

impl Write for Limits {
    fn write(&self) -> Json {
        let Some((policy, windows)) = &self.0 else { return Json::Null };
        let policy = String::from(policy);
        let window = |(scope, window): (&str, &Window)| {
            let counted = object([
                ("start", window.start().as_ms().into()),
                ("count", u64::from(window.count()).into()),
            ]);
            (String::from(scope), counted)
        };
        let windows = Json::Object(windows.iter().map(window).collect());
        object([("policy", Json::parse(&policy).unwrap_or(Json::Null)), ("windows", windows)])
    }
}

impl Record for Limits {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        self.0 = None;
        if *json != Json::Null {
            let policy = json.get("policy").unwrap_or(&Json::Null);
            let read: Policy =
                policy.to_json().parse().map_err(|error| Misfit::from(error).within("policy"))?;
            self.0 = Some((
                read,
                windows(json.get("windows")).map_err(|misfit| misfit.within("windows"))?,
            ));
        }
        Ok(())
    }
}

/// The windows of a limit, by key of the application.
fn windows(json: Option<&Json>) -> Result<Map<Window>, Misfit> {
    let mut windows = Map::default();
    let Some(json) = json else { return Ok(windows) };
    let Json::Object(known) = json else { return Err(Misfit::new("an object", json)) };
    for (scope, window) in known {
        let read = window.to_json().parse();
        windows.insert(scope.clone(), read.map_err(|error| Misfit::from(error).within(scope))?);
    }
    Ok(windows)
}

/// What an application may use, by the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Permitted(pub(crate) Catalogue);

impl Write for Permitted {
    fn write(&self) -> Json {
        Json::parse(&String::from(&self.0)).unwrap_or(Json::Null)
    }
}

impl Record for Permitted {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        self.0 = json.to_json().parse()?;
        Ok(())
    }
}

record! {
    /// The state of the pocket service. It is one value: save it, load it, and the service goes on.
    ///
    /// `Display` writes it as JSON, and [`FromStr`] reads it again. [`State::start`] makes the first one.
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
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct State {
        profile: String,
        seed: String,
        /// The number of draws so far.
        drawn: u64,
        /// The number of requests so far.
        requests: u64,
        client_key: String,
        server_key: String,
        switches: Switches,
        deployment: Deployment,
        delays: Delays,
        catalogue: Permitted,
        limits: Limits,
        schedule: Option<Schedule>,
        new_user: Option<NewUser>,
        users: Map<User>,
        /// By token.
        sessions: Map<Session>,
        ledger: Ledger,
        orders: Vec<Order>,
        /// The places of orders that have not ended.
        open: Vec<u64>,
        /// The order of each `user job-id`.
        jobs: Map<String>,
        operations: Vec<UserOperation>,
        /// The next sequence of each `sender key`, or each used `sender nonce`.
        nonces: Map<u64>,
        blocks: u64,
    }
}

/// The largest number of orders that are kept: beyond it the older half of them is forgotten, as far as it has ended.
const MOST_ORDERS: usize = 10_000;

/// The largest number of bytes of call data and operations that are kept.
const MOST_KEPT: usize = 16 << 20;

/// The largest number of users and wallets.
pub(crate) const MOST_USERS: usize = 20_000;

/// The largest number of NFTs of a collection that a new user gets.
pub(crate) const MOST_GIVEN: u64 = 10;

/// The id of the first user.
pub(crate) const FIRST_USER: &str = "d6061eab-2da6-4d79-a225-71f995791e45";

/// The largest number of sessions.
const MOST_SESSIONS: usize = 10_000;

impl State {
    /// Makes the first state: one application, one user with some tokens and NFTs, and a treasury wallet.
    ///
    /// `options` is JSON, an object of `profile`, `seed`, `switches`, `delays`, `deployment`, `catalogue`, `limits`, `lies`,
    /// `newUser`, `sessionKey` and `ledger`; each may be absent, and so may each key of `switches`, `delays`, `deployment` and `limits`.
    ///
    /// # Errors
    ///
    /// Text that is not JSON, an unknown profile, key or lie, and a value of another form, with the path of each.
    pub fn start(options: &str) -> Result<Self, Error> {
        Ok(world::start(options)?)
    }

    /// Returns the first option by which two states differ: an option of [`State::start`] that is in force for a state's whole life.
    /// `sessionKey` and `ledger` are not compared: they are only where a state begins.
    ///
    /// ```
    /// use sendoff_sandbox::State;
    ///
    /// let (one, other) = (State::start("{}")?, State::start(r#"{"delays":{"end":0}}"#)?);
    /// assert_eq!(one.differing_option(&other), Some("delays"));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[must_use]
    pub fn differing_option(&self, other: &Self) -> Option<&'static str> {
        world::differing_option(self, other)
    }

    /// Returns 32 bytes that no earlier draw of this state returned.
    pub(crate) fn draw(&mut self, purpose: &str) -> [u8; 32] {
        self.drawn = self.drawn.saturating_add(1);
        draw(&self.seed, purpose, self.drawn)
    }

    /// A new id of an order, a job or a user.
    pub(crate) fn new_id(&mut self, purpose: &str) -> String {
        draw::uuid(self.draw(purpose))
    }

    /// Brings the ledger up to this time: ends orders and executes operations whose time has come, in their order.
    pub(crate) fn advance(&mut self, now: i64) {
        loop {
            let due = |order: &Order| order.due;
            let places = self.open.iter().filter_map(|place| {
                let order = self.orders.get(usize::try_from(*place).ok()?)?;
                Some((due(order), *place))
            });
            let order = places.min().filter(|(due, ..)| *due <= now);
            let operation = self.next_operation(now);
            match (order, operation) {
                (Some((due, place)), operation)
                    if operation.is_none_or(|(other, _)| due <= other) =>
                {
                    self.open.retain(|open| *open != place);
                    let place = usize::try_from(place).unwrap_or(usize::MAX);
                    if let Some(order) = self.orders.get_mut(place) {
                        order.settle(&mut self.ledger, self.switches.minimum);
                    }
                }
                (_, Some((_, place))) => self.execute_operation(place),
                _ => return,
            }
        }
    }

    /// Adds an order that ends after the state's delay.
    pub(crate) fn add_order(&mut self, mut order: Order, now: i64) {
        (order.created, order.updated) = (now, now);
        order.running = now.saturating_add_unsigned(self.delays.start);
        order.due = now.saturating_add_unsigned(self.delays.end);
        order.transaction_hash = draw::hex(&self.draw("transaction"));
        self.open.push(u64::try_from(self.orders.len()).unwrap_or(u64::MAX));
        self.orders.push(order);
    }

    /// `true` if the number of orders has reached its bound.
    pub(crate) fn is_full(&self) -> bool {
        self.orders.len() >= MOST_ORDERS
    }

    /// Makes room: forgets the older halves of what has ended, until little enough is kept. `false` if too much of
    /// it has not ended.
    pub(crate) fn make_room(&mut self) -> bool {
        while self.is_full() || self.kept() > MOST_KEPT {
            let before = [self.orders.len(), self.operations.len()];
            self.forget_orders();
            self.forget_operations();
            if [self.orders.len(), self.operations.len()] == before {
                return false;
            }
        }
        true
    }

    /// The bytes of call data and operations.
    fn kept(&self) -> usize {
        let orders = self.orders.iter().flat_map(|order| &order.actions);
        let data = orders.map(|action| action.data.len());
        let operations = self.operations.iter().map(|known| known.operation.weight());
        data.chain(operations).fold(0, usize::saturating_add)
    }

    /// Forgets the older half of the operations, as far as they are executed.
    fn forget_operations(&mut self) {
        let half = self.operations.len().div_ceil(2);
        let executed = self.operations.iter().take_while(|known| known.executed).count();
        self.operations.drain(..half.min(executed));
    }

    /// Forgets the older half of the orders that have ended.
    fn forget_orders(&mut self) {
        let old = self.orders.len().div_ceil(2);
        let orders = core::mem::take(&mut self.orders);
        let kept = orders
            .into_iter()
            .enumerate()
            .filter(|(at, order)| *at >= old || !order.status.is_last());
        self.orders = kept.map(|(_, order)| order).collect();
        let open = self.orders.iter().enumerate().filter(|(_, order)| !order.status.is_last());
        self.open = open.map(|(at, _)| u64::try_from(at).unwrap_or(u64::MAX)).collect();
        let orders = &self.orders;
        self.jobs.retain(|id| orders.iter().any(|order| order.id == *id));
    }

    /// Opens a session for a user, and returns its token.
    pub(crate) fn open_session(&mut self, user: &str, now: i64) -> String {
        while self.sessions.len() >= MOST_SESSIONS {
            self.sessions.remove_least(|session| session.expires);
        }
        let mut secret =
            |purpose| String::from(draw::hex(&self.draw(purpose)).get(2..).unwrap_or_default());
        let (token, refresh, device) = (secret("token"), secret("refresh"), secret("device"));
        let session = Session {
            user: user.into(),
            refresh,
            device,
            expires: now.saturating_add_unsigned(self.delays.token),
        };
        self.sessions.insert(token.clone(), session);
        token
    }

    /// Makes a user. There must be room for one.
    pub(crate) fn add_user(&mut self, id: String, is_treasury: bool, now: i64) {
        let wallet = draw::address(self.draw("wallet"));
        let swa = draw::address(self.draw("swa"));
        let session_key = String::new();
        let user = User {
            id: id.clone(),
            wallet,
            swa,
            session_key,
            has_wallets: is_treasury,
            is_treasury,
            created: now,
        };
        self.users.insert(id, user);
    }

    /// Gives a new user what the option says.
    pub(crate) fn endow(&mut self, user: &str) {
        let (Some(gift), Some(user)) = (&self.new_user, self.users.get(user)) else { return };
        for token in &mut self.ledger.tokens {
            token.create(&user.wallet, gift.tokens);
        }
        for collection in &mut self.ledger.collections {
            for _ in 0..gift.nfts {
                collection.create(&user.wallet);
            }
        }
    }

    /// The time as the core has it.
    pub(crate) fn time(now: i64) -> Time {
        Time::from_ms(now.clamp(Time::MIN.as_ms(), Time::MAX.as_ms())).unwrap_or(Time::EPOCH)
    }
}

impl core::fmt::Display for State {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.write().to_json())
    }
}

impl FromStr for State {
    type Err = Error;

    /// Reads a state that was written by this version.
    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(saved(text)?)
    }
}

fn saved(text: &str) -> Result<State, Misfit> {
    let json = Json::parse(text).ok_or_else(|| {
        Misfit::said(
            IssueCode::Syntax,
            &["expected a saved state, found text that is not JSON with each key once"],
        )
    })?;
    check_profile(json.text("profile"))?;
    let mut state = world::start("{}")?;
    state.read(&json).map_err(|misfit| misfit.behind("expected a saved state of this version"))?;
    world::check(&state)?;
    if let Some(schedule) = &state.schedule {
        schedule.check("schedule")?;
    }
    // An order that is open is in its place.
    let places = state.open.iter().map(|place| state.orders.get(usize::try_from(*place).ok()?));
    let is_whole =
        places.into_iter().all(|order| order.is_some_and(|order| !order.status.is_last()));
    if is_whole {
        Ok(state)
    } else {
        let said = ["expected a whole state, found an open order that is not there"];
        Err(Misfit::said(IssueCode::Rule, &said).within("open"))
    }
}

/// Refuses an unknown profile.
pub(crate) fn check_profile(profile: &str) -> Result<(), Misfit> {
    if profile == PROFILE {
        return Ok(());
    }
    Err(Misfit::new(&["the profile `", PROFILE, "`"].concat(), &profile.into()).within("profile"))
}
