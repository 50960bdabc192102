//! Calls of many applications through gateways of one store, and what became of them.

use sendoff::rate_limit::{Midnight, Policy, redis::Key};

use crate::support::{load::Load, nodes::Nodes, prelude::*};

/// Applications, so that every master has some.
pub(crate) const APPLICATIONS: usize = 12;
pub(crate) const GATEWAYS: usize = 2;
/// Callers of the load: the most calls that are on their way at a time.
pub(crate) const CALLERS: usize = 8;

/// How long after a replica's promotion its callers are served again, at most. On a busy machine, on which a call takes longer
/// than a millisecond, all of it takes longer.
pub(crate) const BACK: Duration = Duration::from_secs(3);

/// The status of a call that is admitted, because there is no backend; that is refused; and that could not be decided.
pub(crate) const ADMITTED: u16 = 501;
pub(crate) const REFUSED: u16 = 429;
pub(crate) const UNDECIDED: u16 = 503;

/// A call and its reply.
pub(crate) struct Answer {
    pub(crate) application: usize,
    pub(crate) status: u16,
    /// The number of calls left, if it was admitted.
    pub(crate) remaining: Option<usize>,
    /// The seconds until a call is admitted again, if it was refused.
    pub(crate) retry_after: Option<u64>,
    pub(crate) sent: Instant,
    pub(crate) came: Instant,
}

/// Gateways in front of the same store.
#[derive(Clone)]
pub(crate) struct Front {
    pub(crate) gateways: Arc<[Gateway]>,
    client: reqwest::Client,
}

impl Front {
    /// Gateways of a store with a limit of a day.
    pub(crate) fn daily(nodes: &Nodes, limit: usize, more: &str) -> Self {
        let policy = DAILY.replace("limit = 5", &format!("limit = {limit}"));
        Self::start(&nodes.url, GATEWAYS, &policy, &format!("{}\n{more}", nodes.others))
    }

    pub(crate) fn start(url: &str, gateways: usize, policy: &str, more: &str) -> Self {
        let head = format!("{}\n{more}", store(url, "refuse"));
        let application =
            |number| application(&name(number), &crate::support::key(&key(number), "server"));
        let config = config(policy, &head, "rate_limit_fields = true");
        let config = config + &(0..APPLICATIONS).map(application).collect::<String>();
        // The password of a store is no text of a file.
        let config = config.replace(&format!("{url:?}"), "{ env = \"STORE\" }");
        let start = |_| Gateway::start_with(&config, &[("STORE", url)]);
        Self { gateways: (0..gateways).map(start).collect(), client: client() }
    }

    /// Waits until the first gateway has admitted so many calls.
    pub(crate) async fn until_admitted(&self, calls: u64) {
        let admitted = "sendoff_calls_total{verdict=\"admitted\"}";
        until("calls are admitted", async || self.gateways[0].metric(admitted).await >= calls)
            .await;
    }

    pub(crate) async fn call(&self, application: usize, number: usize) -> Answer {
        self.try_call(application, number).await.expect("a reply")
    }

    /// Makes a call to the next gateway, or to another one if that is gone. `None` if it was sent, and has no reply.
    pub(crate) async fn try_call(&self, application: usize, number: usize) -> Option<Answer> {
        let count = self.gateways.len();
        for gateway in self.gateways.iter().cycle().skip(number % count).take(count) {
            let sent = Instant::now();
            let call = self.client.post(gateway.url("/s2s/api/v1/wallet"));
            let reply = match call.header("x-api-key", key(application)).send().await {
                Err(error) if error.is_connect() => continue,
                reply => reply.ok()?,
            };
            let field = |name| reply.headers().get(name).and_then(|field| field.to_str().ok());
            let remaining = field("ratelimit")
                .and_then(|field| field.split("r=").nth(1)?.split(';').next()?.parse().ok());
            let (status, came) = (reply.status().as_u16(), Instant::now());
            return Some(Answer {
                application,
                status,
                remaining: remaining.filter(|_| status == ADMITTED),
                retry_after: field("retry-after").and_then(|seconds| seconds.parse().ok()),
                sent,
                came,
            });
        }
        None
    }

    /// Makes calls of one application, all of which are admitted.
    pub(crate) async fn admit(&self, application: usize, count: usize) {
        for number in 0..count {
            assert_eq!(self.call(application, number).await.status, ADMITTED, "{application}");
        }
    }

    /// Calls until a call gets this status, and returns the answers before.
    pub(crate) async fn call_until(&self, application: usize, status: u16) -> Vec<Answer> {
        let (began, mut others) = (Instant::now(), Vec::new());
        loop {
            let answer = self.call(application, others.len()).await;
            if answer.status == status {
                return others;
            }
            assert!(began.elapsed() < 6 * PATIENCE, "{application}: no {status}");
            others.push(answer);
        }
    }

    /// Calls applications in turn, until the load is over.
    pub(crate) fn load(&self, applications: &[usize]) -> Load<Answer> {
        let (front, applications) = (self.clone(), applications.to_vec());
        Load::start(CALLERS, Duration::from_millis(4), usize::MAX, move |_, number| {
            let (front, application) = (front.clone(), applications[number % applications.len()]);
            async move { front.call(application, number).await }
        })
    }

    /// Makes so many calls of the first application. One that a gateway took and did not answer is left out.
    pub(crate) async fn calls(&self, callers: usize, count: usize) -> Answers {
        let front = self.clone();
        let calls = Load::start(callers, Duration::ZERO, count, move |_, number| {
            let front = front.clone();
            async move { front.try_call(0, number).await }
        });
        Answers(calls.all().await.into_iter().flatten().collect())
    }
}

pub(crate) struct Answers(pub(crate) Vec<Answer>);

impl Answers {
    /// Ends a load. These are its answers and those of other calls meanwhile.
    pub(crate) async fn end(load: Load<Answer>, mut answers: Vec<Answer>) -> Self {
        answers.extend(load.over().await);
        answers.sort_by_key(|answer| answer.came);
        Self(answers)
    }

    pub(crate) fn of(&self, application: usize) -> impl Iterator<Item = &Answer> {
        self.0.iter().filter(move |answer| answer.application == application)
    }

    pub(crate) fn count(&self, application: usize, status: u16) -> usize {
        self.of(application).filter(|answer| answer.status == status).count()
    }

    /// As many calls of an application are admitted as may be. One whose answer came too late may have been counted.
    pub(crate) fn are_exact(&self, application: usize, limit: usize) {
        let (admitted, undecided) =
            (self.count(application, ADMITTED), self.count(application, UNDECIDED));
        println!("{application}: {admitted} admitted, {undecided} undecided");
        assert!(admitted <= limit && admitted + undecided >= limit, "{admitted}, {undecided}");
    }

    /// The time from an instant until an application's call is decided again, if it was undecided after it.
    pub(crate) fn back(&self, application: usize, instant: Instant) -> Duration {
        let after = |from| self.of(application).filter(move |answer| answer.came > from);
        let undecided = after(instant).filter(|answer| answer.status == UNDECIDED).last();
        let from = undecided.map_or(instant, |answer| answer.came);
        let decided = after(from).find(|answer| answer.status != UNDECIDED);
        decided.map_or(Duration::MAX, |answer| answer.came.saturating_duration_since(instant))
    }

    /// The calls that were admitted with a number of calls left that another one had.
    pub(crate) fn twice(&self, application: usize) -> usize {
        let mut remaining: Vec<_> =
            self.of(application).filter_map(|answer| answer.remaining).collect();
        remaining.sort_unstable();
        remaining.windows(2).filter(|pair| pair[0] == pair[1]).count()
    }

    /// The time until callers must be served again after a promotion, from the usual time of a call before an instant.
    pub(crate) fn back_at_most(&self, before: Instant) -> Duration {
        let decided =
            self.0.iter().filter(|answer| answer.came < before && answer.status != UNDECIDED);
        let mut times: Vec<_> = decided.map(|answer| answer.came - answer.sent).collect();
        times.sort_unstable();
        let usual = times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64() * 1_000.0;
        BACK.mul_f64(usual.max(1.0))
    }
}

pub(crate) fn name(application: usize) -> String {
    format!("app-{application}")
}

pub(crate) fn key(application: usize) -> String {
    format!("key-of-{application}")
}

/// The key of an application's window.
pub(crate) fn window_of(application: usize, limit: usize) -> String {
    let policy = Policy::new(u32::try_from(limit).expect("a limit"), Duration::from_secs(86_400));
    let policy = policy.expect("a policy").with_midnight(Midnight::Carry);
    let secret = std::env::var("PATH").expect("every process has it");
    let key = Key::new(&policy, "sandbox", &name(application), secret.as_bytes()).expect("a key");
    key.as_str().to_owned()
}

/// The masters of the applications' windows.
pub(crate) fn masters(nodes: &Nodes, limit: usize) -> Vec<usize> {
    let master = |number| nodes.master_of(&window_of(number, limit));
    let masters: Vec<_> = (0..APPLICATIONS).map(master).collect();
    assert!((0..3).all(|master| masters.contains(&master)), "each has one: {masters:?}");
    masters
}
