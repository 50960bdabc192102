//! Gateways, their store, their backend, and the counts of each.

use std::fmt;

use super::{
    backend::{Answer, Backend},
    load::{Called, End, Target},
};
use crate::support::prelude::*;

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Nothing,
    Backend(Answer),
    StoreKilled,
    StoreHangs,
    StoreMoves,
    /// By this many milliseconds.
    StoreSlow(u64),
    Stopped,
    Killed,
    Signals,
}

/// The parameters of a world.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) processes: usize,
    pub(crate) applications: usize,
    /// The limit of each application, whose window does not end.
    pub(crate) limit: usize,
    /// The time limit of the store. It is long, because the machine may do other work.
    pub(crate) store_ms: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { processes: 1, applications: 1, limit: 200, store_ms: 1_000 }
    }
}

pub(crate) struct World {
    plan: Plan,
    pub(crate) store: Redis,
    pub(crate) relay: Relay,
    pub(crate) backend: Backend,
    pub(crate) processes: Vec<Process>,
    /// The target of good calls.
    pub(crate) target: Arc<Mutex<Target>>,
    /// Processes that have ended, and their logs.
    ended: Vec<Ended>,
    started: usize,
}

/// A gateway that runs.
pub(crate) struct Process {
    /// Its folder at the backend, which differs for each start.
    name: String,
    pub(crate) gateway: Gateway,
}

/// A gateway that has ended.
struct Ended {
    name: String,
    /// `true` if it was killed, so that the log is not whole.
    is_cut: bool,
    log: String,
}

impl World {
    /// Starts everything.
    pub(crate) async fn start(plan: Plan) -> Self {
        let store = Redis::durable();
        let relay = Relay::start(&store.socket());
        let backend = Backend::start();
        let target = Arc::new(Mutex::new(Target { urls: Vec::new(), token: token(0) }));
        let (processes, ended, started) = (Vec::new(), Vec::new(), 0);
        let mut world = Self { plan, store, relay, backend, processes, target, ended, started };
        for _ in 0..world.plan.processes {
            world.add();
        }
        world
    }

    /// Starts one more process.
    fn add(&mut self) {
        let name = format!("p{}", self.started);
        self.started += 1;
        let Plan { applications, limit, store_ms, .. } = &self.plan;
        let policy = DAILY.replace("limit = 5", &format!("limit = {limit}"));
        let head = "bounds.head_ms = 3000\nbounds.body_ms = 500\nbounds.body_total_ms = 1500\n\
                    bounds.write_ms = 1000\nbounds.connections = 400\nbounds.requests = 400\n\
                    bounds.drain_ms = 5000";
        let head = format!("{head}\nstore.ms = {store_ms}\n{}", store(&self.relay.url, "refuse"));
        let backend = format!("upstream.url = \"{}/{name}\"\nupstream.ms = 800", self.backend.url);
        let users =
            |number| application(&format!("app-{number}"), "") + &user(&token(number), USER_SWA);
        let file = config(&policy, &head, &backend);
        let file = file + &(0..*applications).map(users).collect::<String>();
        let gateway = Gateway::start(&file);
        self.processes.push(Process { name, gateway });
        self.aim();
    }

    /// Sends good calls to all running processes.
    fn aim(&self) {
        let urls = self.processes.iter().map(|process| process.gateway.address.clone()).collect();
        self.target.lock().expect("no panic").urls = urls;
    }

    /// Changes the application of good calls.
    pub(crate) fn turn_to(&self, application: usize) {
        self.target.lock().expect("no panic").token = token(application);
    }

    /// Has a fault for this long. The first process goes on, whatever happens to others.
    pub(crate) async fn suffer(&mut self, fault: Fault, lasts: Duration) {
        match fault {
            Fault::Backend(answer) => self.backend.answers(answer),
            Fault::StoreKilled => self.store.end(),
            Fault::StoreHangs => self.store.signal("STOP"),
            Fault::StoreMoves => self.relay.move_to(&self.store.socket()),
            Fault::StoreSlow(ms) => self.relay.delay(ms),
            Fault::Stopped => return self.replace("TERM").await,
            Fault::Killed => return self.replace("KILL").await,
            Fault::Signals => {
                for name in ["HUP", "USR1", "USR2"] {
                    self.processes[0].gateway.process.signal(name);
                }
            }
            Fault::Nothing => {}
        }
        sleep(lasts).await;
        match fault {
            Fault::Backend(_) => self.backend.answers(Answer::Well),
            Fault::StoreKilled => self.store.start_again(),
            Fault::StoreHangs => self.store.signal("CONT"),
            Fault::StoreSlow(_) => self.relay.delay(0),
            _ => {}
        }
    }

    /// Ends the last process by a signal, after another one has started in its place.
    async fn replace(&mut self, signal: &str) {
        let process = self.processes.pop().expect("a process");
        self.add();
        process.gateway.process.signal(signal);
        self.bury(process, signal == "KILL").await;
    }

    /// Waits until the window of one more application is full.
    pub(crate) async fn is_full_within(&self, limit: usize, within: Duration) {
        let began = Instant::now();
        let full = || self.store.windows().into_iter().filter(|calls| *calls == limit).count();
        let before = full();
        until("calls are admitted again", async || full() > before).await;
        assert!(began.elapsed() < within, "{:?}", began.elapsed());
    }

    /// Waits for calls that the backend does not answer.
    pub(crate) async fn is_idle(&self) {
        for process in &self.processes {
            process.gateway.until("sendoff_requests_running", 0).await;
        }
    }

    async fn bury(&mut self, process: Process, is_cut: bool) {
        let Process { name, mut gateway } = process;
        // The wait must not block the callers' threads.
        let ended = tokio::task::spawn_blocking(move || gateway.ended()).await;
        let (succeeded, log) = ended.expect("no panic");
        assert!(succeeded || is_cut, "the exit status of a gateway is not 0: {log}");
        self.ended.push(Ended { name, is_cut, log });
    }

    /// Stops all processes, and returns the counts of each side.
    pub(crate) async fn close(mut self, called: &[Called]) -> Sides {
        for process in std::mem::take(&mut self.processes) {
            process.gateway.process.signal("TERM");
            self.bury(process, false).await;
        }
        let mut sides = Sides::default();
        for call in called {
            *match call.end {
                End::Answered(201) => &mut sides.well,
                End::Answered(429) => &mut sides.refused,
                End::Answered(_) => &mut sides.failed,
                End::Broken => &mut sides.broken,
                End::Unconnected => &mut sides.unconnected,
                End::Hung => &mut sides.hung,
            } += 1;
        }
        let calls = self.backend.calls();
        let mut by_token = HashMap::<_, usize>::new();
        for calls in calls.values() {
            sides.carried += calls.len();
            sides.twice += calls.len() - 1;
            *by_token.entry(calls[0].token.clone()).or_default() += calls.len();
        }
        let well = called.iter().filter(|call| call.end == End::Answered(201));
        sides.invented = well.filter(|call| !calls.contains_key(&call.id)).count();
        sides.most = by_token.values().copied().max().unwrap_or_default();
        let windows = self.store.windows();
        sides.stored = windows.iter().sum();
        sides.fullest = windows.into_iter().max().unwrap_or_default();
        for Ended { name, is_cut, log } in &self.ended {
            sides.log_bytes += log.len();
            sides.lines += log.lines().count();
            if *is_cut {
                sides.cut += 1;
                continue;
            }
            let mut lines = HashSet::new();
            for line in log.lines() {
                let fields: Value = serde_json::from_str(line).expect("a line is JSON");
                sides.panics += usize::from(fields["message"] == "a panic");
                if fields["message"] == "request" && fields["verdict"] == "admitted" {
                    sides.admitted += 1;
                    let id = fields["trace_id"].as_str().expect("text").to_owned();
                    sides.repeated += usize::from(!lines.insert(id));
                }
            }
            let of_it =
                calls.iter().filter(|(_, calls)| calls.iter().any(|call| call.process == *name));
            sides.unlogged += of_it.filter(|(id, _)| !lines.contains(*id)).count();
        }
        sides
    }
}

/// The token of an application's user.
pub(crate) fn token(application: usize) -> String {
    format!("token-of-{application}")
}

/// The counts of the four sides after all calls have ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sides {
    // Good callers: the outcomes of their calls.
    pub(crate) well: usize,
    pub(crate) refused: usize,
    pub(crate) failed: usize,
    pub(crate) broken: usize,
    pub(crate) unconnected: usize,
    pub(crate) hung: usize,
    /// Calls with a success reply that the backend did not carry out.
    pub(crate) invented: usize,
    // Gateways.
    pub(crate) admitted: usize,
    /// Admitted calls with a second line of log.
    pub(crate) repeated: usize,
    /// Calls that were carried out without a line of log.
    pub(crate) unlogged: usize,
    pub(crate) panics: usize,
    pub(crate) log_bytes: usize,
    pub(crate) lines: usize,
    /// Killed processes, which lose the end of their log.
    pub(crate) cut: usize,
    // The store.
    pub(crate) stored: usize,
    /// The highest count of a window.
    pub(crate) fullest: usize,
    // The backend.
    pub(crate) carried: usize,
    pub(crate) twice: usize,
    /// The highest number of calls of one application.
    pub(crate) most: usize,
}

impl Sides {
    /// The calls of good callers.
    pub(crate) fn called(&self) -> usize {
        self.well + self.refused + self.failed + self.broken + self.unconnected + self.hung
    }

    /// Checks what holds for every fault, as long as the store decides.
    pub(crate) fn judge(&self, limit: usize) {
        assert_eq!(self.hung, 0, "a call has neither a reply nor a broken connection: {self:?}");
        assert_eq!(self.twice, 0, "a call was carried out twice: {self:?}");
        assert_eq!(self.invented, 0, "a call was answered and not carried out: {self:?}");
        assert_eq!((self.repeated, self.unlogged, self.panics), (0, 0, 0), "{self:?}");
        assert!(self.fullest <= limit, "more calls are counted than the limit: {self:?}");
        assert!(self.most <= limit, "more calls are carried out than the limit: {self:?}");
        assert!(self.carried <= self.stored, "calls were carried out without a count: {self:?}");
        assert!(self.admitted <= self.stored, "calls were admitted without a count: {self:?}");
        if self.cut == 0 {
            assert!(
                self.carried <= self.admitted,
                "calls were carried out and not admitted: {self:?}"
            );
        }
    }
}

impl fmt::Display for Sides {
    /// A row of the table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { well, refused, failed, broken, unconnected, admitted, stored, carried, .. } =
            self;
        // A killed process loses the end of its log.
        let least = if self.cut > 0 && self.log_bytes > 0 { "≥ " } else { "" };
        let (called, lost) = (self.called(), broken + unconnected);
        write!(
            f,
            "{called} | {stored} | {least}{admitted} | {carried} | {well} | {refused} | {failed} | {lost}"
        )
    }
}
