//! Gateways, their store, their backend and correct callers, and what each of them counts.

use super::backend::{Answer, Backend};
use crate::support::{load::Load, prelude::*};

/// The limit of each application, whose window does not end.
pub(crate) const LIMIT: usize = 300;

/// The number of gateways, and of callers.
const PROCESSES: usize = 2;
const CALLERS: usize = 12;

/// The maximum average length of a line of log, in bytes.
const LINE: usize = 600;

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Backend(Answer),
    StoreKilled,
    StoreHangs,
    StoreMoves,
    /// It answers after up to this many milliseconds.
    StoreSlow(u64),
    Stopped,
    Killed,
    Signals,
}

/// The outcome of a call for its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// A whole reply.
    Answered(u16),
    /// The connection broke: the call may have been carried out.
    Broken,
    /// There was no connection, so the call was not carried out.
    Unconnected,
    /// Neither a reply nor an end of the connection, for longer than all time limits of the gateway together.
    Hung,
}

/// A call of a correct caller.
pub(crate) struct Called {
    id: String,
    end: End,
    pub(crate) took: Duration,
}

pub(crate) struct World {
    store: Redis,
    backend: Backend,
    applications: usize,
    pub(crate) processes: Vec<Process>,
    /// The gateways and the token of calls.
    target: Arc<Mutex<(Vec<String>, String)>>,
    /// The logs of processes that have ended, by their names. Killed ones lose the end of theirs.
    logs: Vec<(String, String)>,
    killed: usize,
    started: usize,
}

/// A gateway that runs.
pub(crate) struct Process {
    /// Its folder at the backend, which differs for each start.
    name: String,
    pub(crate) gateway: Gateway,
}

impl World {
    /// Starts everything.
    pub(crate) fn start(applications: usize) -> Self {
        let mut world = Self {
            store: Redis::run(true),
            backend: Backend::start(),
            applications,
            processes: Vec::new(),
            target: Arc::new(Mutex::new((Vec::new(), token(0)))),
            logs: Vec::new(),
            killed: 0,
            started: 0,
        };
        for _ in 0..PROCESSES {
            world.add();
        }
        world
    }

    /// Starts one more process.
    fn add(&mut self) {
        let name = format!("p{}", self.started);
        self.started += 1;
        let policy = DAILY.replace("limit = 5", &format!("limit = {LIMIT}"));
        // The time limit of the store is long, because the machine may do other work.
        let head = "bounds.head_ms = 3000\nbounds.body_ms = 500\nbounds.body_total_ms = 1500\n\
                    bounds.write_ms = 1000\nbounds.connections = 400\nbounds.requests = 400\n\
                    bounds.drain_ms = 5000\nstore.ms = 1000";
        let head = format!("{head}\n{}", self.store.store("refuse"));
        let backend = format!("upstream.url = \"{}/{name}\"\nupstream.ms = 800", self.backend.url);
        let users =
            |number| application(&format!("app-{number}"), "") + &user(&token(number), USER_SWA);
        let file = config(&policy, &head, &backend);
        let file = file + &(0..self.applications).map(users).collect::<String>();
        self.processes.push(Process { name, gateway: Gateway::start(&file) });
        let urls = self.processes.iter().map(|process| process.gateway.address.clone()).collect();
        self.target.lock().expect("no panic").0 = urls;
    }

    /// Starts the callers, each with its own connections, and each call with an id.
    pub(crate) fn load(&self) -> Load<Called> {
        let target = Arc::clone(&self.target);
        let clients: Vec<_> = (0..CALLERS).map(|_| client()).collect();
        Load::start(CALLERS, Duration::from_millis(10), usize::MAX, move |caller, number| {
            let client = clients[caller].clone();
            let (urls, token) = target.lock().expect("no panic").clone();
            async move {
                let (id, began) = (format!("good-{number}"), Instant::now());
                let call = client.post(format!("{}{TRANSFER}", urls[number % urls.len()]));
                let end = end(call.bearer_auth(token).header("x-request-id", &id)).await;
                Called { id, end, took: began.elapsed() }
            }
        })
    }

    /// Changes the application of good calls.
    pub(crate) fn turn_to(&self, application: usize) {
        self.target.lock().expect("no panic").1 = token(application);
    }

    /// Has a fault for this long. The first process goes on, whatever happens to others.
    pub(crate) async fn suffer(&mut self, fault: Fault, lasts: Duration) {
        match fault {
            Fault::Backend(answer) => self.backend.answers(answer),
            Fault::StoreKilled => self.store.end(),
            Fault::StoreHangs => self.store.signal("STOP"),
            Fault::StoreMoves => self.store.move_away(),
            Fault::StoreSlow(ms) => {
                let began = Instant::now();
                while began.elapsed() < lasts {
                    self.store.signal("STOP");
                    sleep(Duration::from_millis(ms)).await;
                    self.store.signal("CONT");
                    sleep(Duration::from_millis(5)).await;
                }
                return;
            }
            Fault::Stopped => return self.replace("TERM").await,
            Fault::Killed => return self.replace("KILL").await,
            Fault::Signals => {
                for name in ["HUP", "USR1", "USR2"] {
                    self.processes[0].gateway.process.signal(name);
                }
            }
        }
        sleep(lasts).await;
        self.backend.answers(Answer::Well);
        match fault {
            Fault::StoreKilled => self.store.start_again(),
            Fault::StoreHangs => self.store.signal("CONT"),
            _ => {}
        }
    }

    /// Ends the last process by a signal, after another one has started in its place.
    async fn replace(&mut self, signal: &str) {
        let process = self.processes.pop().expect("a process");
        self.add();
        self.end(process, signal).await;
    }

    async fn end(&mut self, Process { name, mut gateway }: Process, signal: &str) {
        gateway.process.signal(signal);
        // The wait must not block the callers' threads.
        let ended = tokio::task::spawn_blocking(move || gateway.ended()).await;
        let (succeeded, log) = ended.expect("no panic");
        if signal == "KILL" {
            self.killed += 1;
        } else {
            assert!(succeeded, "the exit status of a gateway is not 0: {log}");
            self.logs.push((name, log));
        }
    }

    /// Waits until the window of one more application is full.
    pub(crate) async fn is_full_within(&self, within: Duration) {
        let began = Instant::now();
        let full = || self.store.windows().into_iter().filter(|calls| *calls == LIMIT).count();
        let before = full();
        until("calls are admitted again", async || full() > before).await;
        assert!(began.elapsed() < within, "{:?}", began.elapsed());
    }

    /// Stops all processes, and checks what the four sides have counted.
    pub(crate) async fn close(mut self, called: &[Called]) {
        for process in std::mem::take(&mut self.processes) {
            self.end(process, "TERM").await;
        }

        // The callers.
        let mut ends = BTreeMap::<_, usize>::new();
        for call in called {
            *ends.entry(call.end).or_default() += 1;
        }
        eprintln!("{ends:?}, {} gateways killed", self.killed);
        let has = |end| ends.contains_key(&end);
        assert!(!has(End::Hung), "a call has neither a reply nor a broken connection");
        assert!(
            has(End::Answered(201)) && has(End::Answered(429)),
            "calls succeed and are refused"
        );

        // The backend.
        let calls = self.backend.calls();
        let (mut carried, mut by_token) = (0, HashMap::<_, usize>::new());
        for (id, calls) in &calls {
            assert_eq!(calls.len(), 1, "{id} was carried out twice");
            carried += 1;
            *by_token.entry(&calls[0].token).or_default() += 1;
        }
        let most = by_token.values().copied().max().unwrap_or_default();
        assert!(most <= LIMIT, "{most} calls of an application are carried out");
        for Called { id, end, .. } in called {
            let is_invented = *end == End::Answered(201) && !calls.contains_key(id);
            assert!(!is_invented, "{id} was answered and not carried out");
        }

        // The store.
        let windows = self.store.windows();
        let stored: usize = windows.iter().sum();
        let fullest = windows.into_iter().max().unwrap_or_default();
        assert!(fullest <= LIMIT, "{fullest} calls of an application are counted");
        assert!(carried <= stored, "{carried} calls were carried out, {stored} counted");

        // The gateways, each with one line for a call.
        let mut admitted = 0;
        for (name, log) in &self.logs {
            let mut ids = HashSet::new();
            for line in log.lines() {
                let fields: Value = serde_json::from_str(line).expect("a line is JSON");
                assert_ne!(fields["message"], "a panic", "{line}");
                if fields["message"] == "request" && fields["verdict"] == "admitted" {
                    let id = fields["trace_id"].as_str().expect("text").to_owned();
                    assert!(ids.insert(id), "a second line: {line}");
                }
            }
            assert!(log.len() <= log.lines().count() * LINE, "lines of {name} are long");
            let mut of_it = calls.iter().filter(|(_, calls)| calls[0].process == *name);
            let unlogged = of_it.find(|(id, _)| !ids.contains(*id));
            assert!(unlogged.is_none(), "{name} has no line for {unlogged:?}");
            admitted += ids.len();
        }
        eprintln!("{stored} counted, {admitted} admitted, {carried} carried out");
        assert!(admitted <= stored, "{admitted} calls were admitted, {stored} counted");
        assert!(carried <= admitted || self.killed > 0, "{carried} were carried out");
    }
}

/// The token of an application's user.
fn token(application: usize) -> String {
    format!("token-of-{application}")
}

async fn end(request: reqwest::RequestBuilder) -> End {
    let answered = async {
        let response = request.body("{}").send().await?;
        let status = response.status().as_u16();
        response.bytes().await.map(|_| status)
    };
    match tokio::time::timeout(PATIENCE, answered).await {
        Ok(Ok(status)) => End::Answered(status),
        Ok(Err(error)) if error.is_connect() => End::Unconnected,
        Ok(Err(_)) => End::Broken,
        Err(_) => End::Hung,
    }
}
