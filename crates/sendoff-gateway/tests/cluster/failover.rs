//! Stores of many servers, one of which is lost while gateways count.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use sendoff::rate_limit::{Policy, redis::Key};
use sha2::{Digest as _, Sha256};
use tokio::{task::JoinHandle, time::sleep};

use crate::support::{Gateway, client, config, nodes::Nodes};

/// Applications, so that every master has some.
const APPLICATIONS: usize = 12;
const GATEWAYS: usize = 2;
/// Callers of the load: the most calls that are on their way at a time.
const CALLERS: usize = 8;

/// How long after a replica's promotion its callers are served again, at most. On a busy machine, on which a call takes longer
/// than a millisecond, all of it takes longer.
const BACK: Duration = Duration::from_secs(3);
const PATIENCE: Duration = Duration::from_secs(120);

/// The status of a call that is admitted, because there is no backend; that is refused; and that could not be decided.
const ADMITTED: u16 = 501;
const REFUSED: u16 = 429;
const UNDECIDED: u16 = 503;

/// A call and its reply.
struct Answer {
    application: usize,
    status: u16,
    /// The number of calls left, if it was admitted.
    remaining: Option<usize>,
    sent: Instant,
    came: Instant,
}

/// Gateways in front of the same store.
#[derive(Clone)]
struct Front {
    gateways: Arc<[Gateway]>,
    client: reqwest::Client,
}

impl Front {
    fn start(nodes: &Nodes, limit: usize, more: &str) -> Self {
        let head = format!(
            "store = {{ env = \"STORE\" }}\nstore_secret = {{ env = \"STORE_SECRET\" }}\non_store_loss = \"refuse\"\n{more}"
        );
        let policy = format!("{{ limit = {limit}, window_ms = 86_400_000, midnight = \"carry\" }}");
        let application = |number| {
            let key = hex::encode(Sha256::digest(key(number)));
            format!(
                "[[environment.sandbox.application]]\nname = \"{}\"\n\
                 client_swa = \"0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F\"\nserver_keys = [{{ sha256 = \"{key}\" }}]\n",
                name(number)
            )
        };
        let config = config(&policy, &head, "rate_limit_fields = true");
        let config = config + &(0..APPLICATIONS).map(application).collect::<String>();
        let variables = [("STORE", nodes.url()), ("STORE_SECRET", "of the host")];
        let gateways = (0..GATEWAYS).map(|_| Gateway::start_with(&config, &variables)).collect();
        Self { gateways, client: client() }
    }

    async fn call(&self, application: usize, number: usize) -> Answer {
        let url = self.gateways[number % GATEWAYS].url("/s2s/api/v1/wallet");
        let sent = Instant::now();
        let reply = self
            .client
            .post(url)
            .header("x-api-key", key(application))
            .send()
            .await
            .expect("a reply");
        let field = reply.headers().get("ratelimit").and_then(|field| field.to_str().ok());
        let remaining =
            field.and_then(|field| field.split("r=").nth(1)?.split(';').next()?.parse().ok());
        let (status, came) = (reply.status().as_u16(), Instant::now());
        Answer {
            application,
            status,
            remaining: remaining.filter(|_| status == ADMITTED),
            sent,
            came,
        }
    }

    /// Makes calls of one application, all of which are admitted.
    async fn admit(&self, application: usize, count: usize) {
        for number in 0..count {
            assert_eq!(
                self.call(application, number).await.status,
                ADMITTED,
                "{application}: call {number}"
            );
        }
    }

    /// Calls until a call gets this status, and returns the answers before.
    async fn call_until(&self, application: usize, status: u16) -> Vec<Answer> {
        let (began, mut others) = (Instant::now(), Vec::new());
        loop {
            let answer = self.call(application, others.len()).await;
            if answer.status == status {
                return others;
            }
            assert!(began.elapsed() < PATIENCE, "{application}: no {status}");
            others.push(answer);
        }
    }

    /// Calls applications, one after the other, until the load ends.
    fn load(&self, applications: &[usize]) -> Load {
        let goes_on = Arc::new(AtomicBool::new(true));
        let applications: Arc<[_]> = applications.into();
        let caller = |caller: usize| {
            let (front, applications, goes_on) =
                (self.clone(), Arc::clone(&applications), Arc::clone(&goes_on));
            tokio::spawn(async move {
                let mut answers = Vec::new();
                while goes_on.load(Ordering::Relaxed) {
                    let number = caller + answers.len();
                    answers
                        .push(front.call(applications[number % applications.len()], number).await);
                    sleep(Duration::from_millis(4)).await;
                }
                answers
            })
        };
        Load { callers: (0..CALLERS).map(caller).collect(), goes_on }
    }
}

/// Calls in the background.
struct Load {
    callers: Vec<JoinHandle<Vec<Answer>>>,
    goes_on: Arc<AtomicBool>,
}

impl Load {
    /// Ends it, and returns its answers and those of other calls meanwhile.
    async fn end(self, mut answers: Vec<Answer>) -> Answers {
        self.goes_on.store(false, Ordering::Relaxed);
        for caller in self.callers {
            answers.extend(caller.await.expect("a caller does not panic"));
        }
        answers.sort_by_key(|answer| answer.came);
        Answers(answers)
    }
}

struct Answers(Vec<Answer>);

impl Answers {
    fn of(&self, application: usize) -> impl Iterator<Item = &Answer> {
        self.0.iter().filter(move |answer| answer.application == application)
    }

    fn count(&self, application: usize, status: u16) -> usize {
        self.of(application).filter(|answer| answer.status == status).count()
    }

    /// The time from an instant until an application's call is decided again, if it was undecided after it.
    fn back(&self, application: usize, instant: Instant) -> Duration {
        let undecided = self
            .of(application)
            .filter(|answer| answer.status == UNDECIDED && answer.came > instant)
            .last();
        let from = undecided.map_or(instant, |answer| answer.came);
        let decided =
            self.of(application).find(|answer| answer.status != UNDECIDED && answer.came > from);
        decided.map_or(Duration::MAX, |answer| answer.came.saturating_duration_since(instant))
    }

    /// The calls that were admitted with a number of calls left that another one had.
    fn twice(&self, application: usize) -> usize {
        let mut remaining: Vec<_> =
            self.of(application).filter_map(|answer| answer.remaining).collect();
        remaining.sort_unstable();
        remaining.windows(2).filter(|pair| pair[0] == pair[1]).count()
    }

    /// The time until callers must be served again after a promotion, from the usual time of a call before an instant.
    fn back_at_most(&self, before: Instant) -> Duration {
        let decided =
            self.0.iter().filter(|answer| answer.came < before && answer.status != UNDECIDED);
        let mut times: Vec<_> = decided.map(|answer| answer.came - answer.sent).collect();
        times.sort_unstable();
        let usual = times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64() * 1_000.0;
        BACK.mul_f64(usual.max(1.0))
    }

    /// The longest time that an application's calls were not decided.
    fn longest(&self, application: usize) -> Duration {
        let decided: Vec<_> =
            self.of(application).filter(|answer| answer.status != UNDECIDED).collect();
        let gaps =
            decided.windows(2).map(|pair| pair[1].came.saturating_duration_since(pair[0].sent));
        gaps.max().unwrap_or_default()
    }
}

fn name(application: usize) -> String {
    format!("app-{application}")
}

fn key(application: usize) -> String {
    format!("key-of-{application}")
}

/// The key of an application's window.
fn window_of(application: usize, limit: usize) -> String {
    let policy = Policy::new(u32::try_from(limit).expect("a limit"), Duration::from_secs(86_400))
        .expect("a policy");
    let policy = policy.with_midnight(sendoff::rate_limit::Midnight::Carry);
    let key = Key::new(&policy, "sandbox", &name(application), b"of the host").expect("a key");
    key.as_str().to_owned()
}

/// The masters of the applications' windows.
fn masters(nodes: &Nodes, limit: usize) -> Vec<usize> {
    let masters: Vec<_> =
        (0..APPLICATIONS).map(|number| nodes.master_of(&window_of(number, limit))).collect();
    assert!(
        (0..3).all(|master| masters.contains(&master)),
        "every master has an application: {masters:?}"
    );
    masters
}

/// Of a master that a replica replaces, exactly those calls are admitted again that the replica did not have. All others are
/// counted exactly.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promoted_replica_admits_again_what_it_did_not_have_and_no_more() {
    const LIMIT: usize = 300;
    const LOST: usize = 7;
    let nodes = Nodes::cluster();
    let front = Front::start(&nodes, LIMIT, "");
    let masters = masters(&nodes, LIMIT);
    let others: Vec<_> =
        (0..APPLICATIONS).filter(|number| masters[*number] != masters[0]).collect();
    front.admit(0, 10).await;

    // Its replica has the first ten calls only.
    let (replica, window) = (masters[0] + 3, window_of(0, LIMIT));
    nodes.until(|| nodes.count(replica, &window) == 10, "replication");
    nodes.cut(replica);
    front.admit(0, LOST).await;
    assert_eq!(nodes.count(masters[0], &window), 10 + LOST);

    let load = front.load(&others);
    nodes.take_over(replica);
    // Until it is told, the old master admits calls too, which are lost like the others.
    nodes.until(
        || nodes.says(masters[0], "INFO replication", "role:slave"),
        "the old master is not told",
    );
    let promoted = Instant::now();
    let answers = Answers(front.call_until(0, REFUSED).await);
    let (admitted, undecided, back) =
        (answers.count(0, ADMITTED), answers.count(0, UNDECIDED), answers.back(0, promoted));
    assert_eq!(nodes.count(replica, &window), LIMIT);
    // A call whose answer came too late may have been counted.
    assert!(
        admitted <= LIMIT - 10 && admitted + undecided >= LIMIT - 10,
        "{admitted} and {undecided}"
    );

    let mut rest = Vec::new();
    for other in &others {
        rest.extend(front.call_until(*other, REFUSED).await);
    }
    let answers = load.end(rest).await;
    assert!(back <= answers.back_at_most(Instant::now()), "back after {back:?}");
    for other in others {
        let admitted = answers.count(other, ADMITTED);
        assert!(admitted <= LIMIT, "{other}: {admitted}");
        assert_eq!(nodes.count(masters[other], &window_of(other, LIMIT)), LIMIT, "{other}");
        assert_eq!(answers.twice(other), 0, "{other}");
    }
}

/// What happens to a master.
#[derive(Clone, Copy, Debug)]
enum Loss {
    /// Its process ends.
    Killed,
    /// Its process hangs, and goes on when a replica has taken over.
    Frozen,
}

/// Calls all applications while a master is lost and its replica, which others promote, takes over.
async fn lose(mut nodes: Nodes, loss: Loss, lost: usize, replica: usize, masters: &[usize]) {
    const LIMIT: usize = 600;
    let front = Front::start(&nodes, LIMIT, "");
    let all: Vec<_> = (0..APPLICATIONS).collect();
    let load = front.load(&all);
    sleep(Duration::from_millis(700)).await;
    let from = Instant::now();
    match loss {
        Loss::Killed => nodes.kill(lost),
        Loss::Frozen => nodes.freeze(lost),
    }
    nodes.until(|| nodes.is_master(replica), "a replica takes over");
    let promoted = Instant::now();
    let mut rest = Vec::new();
    for application in all {
        rest.extend(front.call_until(application, REFUSED).await);
        if application == 0 && matches!(loss, Loss::Frozen) {
            nodes.thaw(lost);
        }
    }
    let answers = load.end(rest).await;

    let (mut twice, mut back, mut others) = (0, Duration::ZERO, Duration::ZERO);
    for (application, master) in masters.iter().enumerate() {
        let (admitted, again) = (answers.count(application, ADMITTED), answers.twice(application));
        assert!(
            admitted <= LIMIT + again,
            "{loss:?}: {application}: {admitted} with {again} twice"
        );
        if *master == lost {
            twice += again;
            back = back.max(answers.back(application, promoted));
        } else {
            assert_eq!(again, 0, "{loss:?}: {application}");
            others = others.max(answers.longest(application));
        }
    }
    println!(
        "{loss:?}: a call takes {:?}; promoted after {:?}, back {back:?} later; {twice} calls were counted twice; others waited {others:?} at most",
        answers.back_at_most(from) / 3_000,
        promoted - from
    );
    assert!(back <= answers.back_at_most(from), "{loss:?}: back after {back:?}");
    // Only calls on their way can have been answered by a master whose last writes did not arrive.
    assert!(twice <= CALLERS, "{loss:?}: {twice} calls were counted twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "half a minute: `cargo xtask test --all` runs it"]
async fn a_cluster_that_loses_a_master_under_load_goes_on() {
    for loss in [Loss::Killed, Loss::Frozen] {
        let nodes = Nodes::cluster();
        let masters = masters(&nodes, 600);
        lose(nodes, loss, masters[0], masters[0] + 3, &masters).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "half a minute: `cargo xtask test --all` runs it"]
async fn sentinels_that_lose_a_master_under_load_name_the_next() {
    for loss in [Loss::Killed, Loss::Frozen] {
        lose(Nodes::sentinels(), loss, 0, 1, &[0; APPLICATIONS]).await;
    }
}

/// While a slot is in two masters, and on a master that does not have the script, every call is counted once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "half a minute: `cargo xtask test --all` runs it"]
async fn a_slot_that_moves_under_load_is_counted_exactly() {
    const LIMIT: usize = 2_000;
    let nodes = Nodes::cluster();
    let front = Front::start(&nodes, LIMIT, "");
    let (from, window) = (masters(&nodes, LIMIT)[0], window_of(0, LIMIT));
    let load = front.load(&[0]);
    sleep(Duration::from_millis(200)).await;
    for (from, to) in [(from, (from + 1) % 3), ((from + 1) % 3, (from + 2) % 3)] {
        nodes.tell(to, "SCRIPT FLUSH");
        nodes.migrate(&window, from, to, Duration::from_millis(200));
    }
    let rest = front.call_until(0, REFUSED).await;
    let answers = load.end(rest).await;
    let (admitted, undecided) = (answers.count(0, ADMITTED), answers.count(0, UNDECIDED));
    println!("{admitted} admitted, {undecided} undecided");
    assert_eq!((nodes.count((from + 2) % 3, &window), answers.twice(0)), (LIMIT, 0));
    assert!(admitted <= LIMIT && admitted + undecided >= LIMIT, "{admitted} and {undecided}");
}

/// With `store_replicas`, a call passes only after a replica has it, so none is admitted again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "half a minute: `cargo xtask test --all` runs it"]
async fn calls_that_a_replica_has_are_not_admitted_again() {
    const LIMIT: usize = 300;
    let nodes = Nodes::cluster();
    let front = Front::start(&nodes, LIMIT, "store_replicas = 1");
    let (master, window) = (masters(&nodes, LIMIT)[0], window_of(0, LIMIT));
    let replica = master + 3;
    front.admit(0, 50).await;
    nodes.cut(replica);
    for number in 0..4 {
        assert_eq!(front.call(0, number).await.status, UNDECIDED);
    }
    assert!(nodes.count(master, &window) > 50);
    nodes.take_over(replica);
    let answers = Answers(front.call_until(0, REFUSED).await);
    let (admitted, undecided) = (answers.count(0, ADMITTED), answers.count(0, UNDECIDED));
    println!("{admitted} admitted, {undecided} undecided");
    assert!(
        50 + admitted <= LIMIT && 50 + admitted + undecided >= LIMIT,
        "{admitted} and {undecided}"
    );

    // What it costs.
    let plain = Front::start(&nodes, LIMIT, "");
    for (front, what) in [(&plain, "without replicas"), (&front, "with one replica")] {
        let mut times = Vec::new();
        for number in 0..200 {
            let answer = front.call(1, number).await;
            assert!(answer.status == ADMITTED || answer.status == REFUSED, "{}", answer.status);
            times.extend((answer.status == ADMITTED).then(|| answer.came - answer.sent));
        }
        times.sort_unstable();
        println!("{what}: {:?} a call, the middle of {}", times[times.len() / 2], times.len());
    }
}
