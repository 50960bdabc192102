//! Law of submissions: no sequence of events that follows the verdicts executes an intent twice,
//! and no verdict says that an operation was not executed which was.
//!
//! A model check: every interleaving of two clients, a service, a bundler and a chain, with the
//! core's own function for each step. A world is what all of them hold at one moment; its
//! successors are all that can happen next.
//!
//! - The clients share one state for one intent, and write it by compare-and-swap. That makes reading it, taking a step and
//!   writing it one event. What a client has in memory between events (an operation to send, a question that it asked) is
//!   lost if it crashes, which it does at every moment.
//! - The service keeps every operation that it was sent, and answers anything.
//! - The bundler executes any kept operation at any time, again after a reorganisation, and reports any receipts.
//! - The chain adds blocks, takes back those that are not finalized, and finalizes them.
//!
//! From every world that is met, one program goes on that follows [`Submission::next`], with everybody honest: it must end, and
//! what it then says must be so.

use std::collections::{HashMap, HashSet};
use std::mem;

use sendoff::submission::{
    Replaced, Submission, SubmissionLast, SubmissionNext, SubmissionPhase, SubmissionStep,
    SubmissionVerdict, advance,
};
use serde_json::{Value, json};

/// Three jobs: the first, and one more for each client.
const JOBS: [usize; 3] = [0, 1, 2];

/// The job of each operation: two of the first job, the second in the place of the first, one of each other.
const JOB_OF: [usize; 4] = [0, 0, 1, 2];

/// The last second of the model. Each block has a second of its own.
const LAST: u8 = 4;

/// Questions in vain before an accepted operation is sent again.
const ROUNDS: u8 = 3;

fn hash(operation: usize) -> String {
    format!("0x{:064x}", operation + 1)
}

fn job_id(job: usize) -> String {
    format!("{job:08}-0000-4000-0000-000000000000")
}

/// The operations' ends, and whether the chain enforces them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) ends: [Option<u8>; 4],
    pub(super) is_enforced: bool,
    /// A fault of the program, which the check must find.
    pub(super) fault: Option<Fault>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// A new job in this phase: after a refusal, after a receipt of a failure, once a receipt is missing.
    NewJob(SubmissionPhase),
    /// The nonce of the newest block, which is not finalized.
    NewestBlock,
    /// The host's clock in the place of the block's time.
    HostClock,
    /// The answer about one job's nonce, taken as a step of another.
    AnswerOfAnotherJob,
    /// A replacement with another nonce: in the model, both can be executed.
    ReplacementWithAnotherNonce,
    /// What was accepted is not sent again.
    NoSecondSend,
}

impl Fault {
    pub(super) const ALL: [Self; 8] = [
        Self::NewJob(SubmissionPhase::Refused),
        Self::NewJob(SubmissionPhase::Failed),
        Self::NewJob(SubmissionPhase::Unknown),
        Self::NewestBlock,
        Self::HostClock,
        Self::AnswerOfAnotherJob,
        Self::ReplacementWithAnotherNonce,
        Self::NoSecondSend,
    ];
}

/// What a client has in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Memory {
    Nothing,
    /// An operation that the verdict allows to send.
    Sending(usize),
    /// An operation that was sent.
    Waiting(usize),
    /// The node's answer about a job's nonce.
    Asked {
        job: usize,
        used: bool,
        now: u8,
    },
}

/// What everybody holds at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct World {
    /// The number of the stored state; 0 if there is none.
    stored: u16,
    clients: [Memory; 2],
    /// The operations that the service has, as bits.
    kept: u8,
    /// The second in which each operation was executed; 0 if it was not.
    executed: [u8; 4],
    /// The newest block, and the newest one that is finalized.
    newest: u8,
    finalized: u8,
    /// Jobs with a try that nobody waits for any more, as bits.
    abandoned: u8,
    /// Jobs that were made, as bits.
    made: u8,
}

pub(super) const START: World = World {
    stored: 0,
    clients: [Memory::Nothing; 2],
    kept: 0,
    executed: [0; 4],
    newest: 1,
    finalized: 0,
    abandoned: 0,
    made: 0,
};

/// By whom (`None`: the chain or the bundler), what, and to which operation, job, step or block.
pub(super) type Event = (Option<usize>, &'static str, usize);

const SENT: usize = 0;
const REPLACED: usize = 4;
const ANSWERED: usize = 8;
const REPLIES: [&str; 4] = ["hears success of", "hears 400 of", "hears AA25 of", "hears 500 of"];
const ACCEPTED: usize = ANSWERED;
const REFUSED: usize = ANSWERED + 1;
const USED: usize = ANSWERED + 2;
const BROKEN_OFF: usize = 12;
const NO_RECEIPT: usize = 13;
const NONCE: usize = 22;

/// The step of a receipt of success.
const fn receipt(operation: usize) -> usize {
    NO_RECEIPT + 1 + 2 * operation
}

const fn nonce(used: bool, now: u8) -> usize {
    NONCE + if used { 0 } else { LAST as usize + 1 } + now as usize
}

/// The steps that clients take, by number, so that each is made once.
fn steps(setting: &Setting) -> Vec<SubmissionStep> {
    let sends = |kind: &str| {
        let step = |(number, ends): (usize, Option<u8>)| {
            let mut step =
                json!({ "type": kind, "jobId": job_id(JOB_OF[number]), "hash": hash(number) });
            if let Some(ends) = ends {
                step["validUntil"] = ends.into();
            }
            step
        };
        setting.ends.into_iter().enumerate().map(step).collect::<Vec<_>>()
    };
    let error = |code: i64, message: &str| json!({ "status": "error", "error": { "code": code, "message": message } });
    let replies = [
        json!({ "status": "success", "data": {} }),
        error(400, "no"),
        error(400, "AA25 invalid account nonce"),
        error(500, "no"),
    ];

    let mut list = [sends("sent"), sends("replaced")].concat();
    list.extend(replies.map(|reply| json!({ "type": "answered", "reply": reply })));
    list.extend([json!({ "type": "brokenOff" }), json!({ "type": "receipt", "receipt": null })]);
    for (operation, success) in (0..4).flat_map(|operation| [(operation, true), (operation, false)])
    {
        let receipt = json!({ "userOpHash": hash(operation), "success": success });
        list.push(json!({ "type": "receipt", "receipt": receipt }));
    }
    for used in [true, false] {
        list.extend((0..=LAST).map(|now| json!({ "type": "nonce", "used": used, "now": now })));
    }
    list.iter().map(Value::to_string).map(|step| step.parse().unwrap()).collect()
}

/// The model, with the states that were met, by number, and each step from each of them: the core is asked once.
pub(super) struct Interleavings {
    setting: Setting,
    steps: Vec<SubmissionStep>,
    states: Vec<Option<Submission>>,
    numbers: HashMap<Option<Submission>, u16>,
    taken: HashMap<(u16, usize), Option<(u16, SubmissionVerdict)>>,
    /// What decides how honest ones go on, of the worlds from which the program ended.
    ended: HashSet<(u16, [u8; 4], u8)>,
    /// What can happen next, with the worlds after it, as far as it is listed.
    next: Vec<(World, Event)>,
}

impl Interleavings {
    pub(super) fn new(setting: Setting) -> Self {
        Self {
            setting,
            steps: steps(&setting),
            states: vec![None],
            numbers: HashMap::from([(None, 0)]),
            taken: HashMap::new(),
            ended: HashSet::new(),
            next: vec![],
        }
    }

    /// The law that a world breaks.
    pub(super) fn broken(&mut self, world: World) -> Option<&'static str> {
        self.forbids(world).or_else(|| self.honestly(world))
    }

    fn forbids(&self, world: World) -> Option<&'static str> {
        if world.executed.iter().filter(|second| **second > 0).count() > 1 {
            return Some("the intent is executed twice");
        }
        let state = self.state(world)?;
        let (job, verdict) = (job(state), state.phase.verdict());

        if verdict == SubmissionVerdict::NewJob && is_executed(world, job, LAST) {
            return Some("an operation was executed, and a new job is allowed");
        }
        let is_open = |client: &Memory| match client {
            Memory::Sending(operation) | Memory::Waiting(operation) => JOB_OF[*operation] == job,
            _ => false,
        };
        let is_open = world.clients.iter().any(is_open) || world.abandoned & (1 << job) != 0;
        if verdict == SubmissionVerdict::MayBeSent && is_open {
            return Some("a try is open, and the verdict says that none is");
        }
        next_is_forbidden(state).then_some("the next action is one that the verdict forbids")
    }

    /// What a program does that follows the next action, with a node of its own and without one, if nothing under way arrives and
    /// all are honest.
    fn honestly(&mut self, world: World) -> Option<&'static str> {
        if !self.ended.insert((world.stored, world.executed, world.newest)) {
            return None;
        }
        [true, false].into_iter().find_map(|has_node| self.goes_on(world, has_node))
    }

    fn goes_on(&mut self, mut world: World, has_node: bool) -> Option<&'static str> {
        let (mut last, mut rounds, mut pool) = (None, 0, vec![]);
        for _ in 0..40 {
            let state = self.state(world);
            let job = state.map_or(JOBS[0], job);
            let current =
                (0..4).find(|op| state.is_some_and(|it| it.hash.to_string() == hash(*op)));
            let is_expired = state.is_some_and(|it| it.phase == SubmissionPhase::Expired);
            let used = is_executed(world, job, LAST);
            let valid = |op: &usize| JOB_OF[*op] == job && self.is_executable(world, *op);
            let prepared = (0..4).rev().find(valid);
            // Its operations have ended: the node alone can tell, and a service would make another job.
            if prepared.is_none() && !used && (state.is_none() || !has_node) {
                return None;
            }

            let next = Submission::next(state, last);
            last = None;
            let sent = match next {
                SubmissionNext::End if is_expired && used => {
                    return Some("it says that the intent expired, and it was executed");
                }
                // The program's own node has the last word.
                SubmissionNext::End if is_expired || used || !has_node => return None,
                SubmissionNext::Ask | SubmissionNext::End => {
                    let executed = (0..4).find(|op| JOB_OF[*op] == job && world.executed[*op] > 0);
                    self.takes(&mut world, executed.map_or(NO_RECEIPT, receipt));
                    if has_node {
                        let step = nonce(used, world.newest);
                        self.takes(&mut world, step);
                    }
                    rounds += 1;
                    let is_vain =
                        rounds >= ROUNDS && self.setting.fault != Some(Fault::NoSecondSend);
                    last = Some(if is_vain { SubmissionLast::Vain } else { SubmissionLast::Asked });
                    None
                }
                SubmissionNext::Send => {
                    rounds = 0;
                    current
                }
                SubmissionNext::Prepare | SubmissionNext::Replace => prepared,
            };
            if let Some(op) = sent {
                let kind = if current.is_none_or(|it| it == op) { SENT } else { REPLACED };
                let (answer, said) = match (self.is_executable(world, op), used) {
                    (true, _) => (ACCEPTED, None),
                    (_, true) => (USED, Some(SubmissionLast::Ask)),
                    _ => (REFUSED, Some(SubmissionLast::Change)),
                };
                if self.takes(&mut world, kind + op) == Some(SubmissionVerdict::MayHaveHappened) {
                    self.takes(&mut world, answer);
                    last = said;
                    pool.extend(said.is_none().then_some(op));
                }
            }

            // A bundler includes what it has, in the next block.
            world.newest = (world.newest + 1).min(LAST);
            if let Some(op) = pool.iter().find(|op| self.is_executable(world, **op)) {
                world.executed[*op] = world.newest;
            }
        }
        Some("everybody is honest, and it never ends")
    }

    /// `true` if the chain accepts an operation in its newest block.
    fn is_executable(&self, world: World, operation: usize) -> bool {
        let ends = self.setting.ends[operation].filter(|_| self.setting.is_enforced);
        let shares_nonce = self.setting.fault != Some(Fault::ReplacementWithAnotherNonce);
        let is_used = world.executed[operation] > 0
            || shares_nonce && is_executed(world, JOB_OF[operation], LAST);
        !is_used && ends.is_none_or(|ends| world.newest <= ends)
    }

    /// What can happen next, with the worlds after it.
    pub(super) fn next(&mut self, world: World) -> Vec<(World, Event)> {
        self.chain(world);
        self.reports(world);
        for (client, memory) in world.clients.into_iter().enumerate() {
            match memory {
                Memory::Nothing => self.decides(world, client),
                Memory::Sending(operation) => {
                    let kept = world.kept | 1 << operation;
                    let sent = with(World { kept, ..world }, client, Memory::Waiting(operation));
                    self.next.push((sent, (Some(client), "sends", operation)));
                    self.next.push(crash(world, client, operation));
                }
                Memory::Waiting(operation) => {
                    self.is_answered(world, client, operation);
                    self.next.push(crash(world, client, operation));
                }
                Memory::Asked { job, used, now } => {
                    self.takes_nonce(world, client, job, used, now);
                    let after = with(world, client, Memory::Nothing);
                    self.next.push((after, (Some(client), "crashes, asked for job", job)));
                }
            }
        }
        mem::take(&mut self.next)
    }

    pub(super) fn state(&self, world: World) -> Option<&Submission> {
        self.states[usize::from(world.stored)].as_ref()
    }

    /// Stores the state after a step, and returns the verdict. `None` if the step is refused.
    fn takes(&mut self, world: &mut World, step: usize) -> Option<SubmissionVerdict> {
        let taken = (world.stored, step);
        if !self.taken.contains_key(&taken) {
            let progress = advance(self.state(*world).cloned(), &self.steps[step]).ok();
            let after = progress.map(|progress| {
                // A state is stored as JSON.
                let state: Submission = progress.state.to_string().parse().unwrap();
                assert_eq!(state, progress.state);

                let next = u16::try_from(self.states.len()).unwrap();
                let number = *self.numbers.entry(Some(state.clone())).or_insert(next);
                if number == next {
                    self.states.push(Some(state));
                }
                (number, progress.verdict)
            });
            self.taken.insert(taken, after);
        }

        let (stored, verdict) = self.taken[&taken]?;
        world.stored = stored;
        Some(verdict)
    }

    fn chain(&mut self, world: World) {
        let is_open = world.newest > world.finalized;
        for number in (0..4).filter(|_| is_open) {
            if world.kept & 1 << number != 0 && self.is_executable(world, number) {
                let mut after = world;
                after.executed[number] = world.newest;
                self.next.push((after, (None, "executes", number)));
            }
        }
        for newest in world.newest + 1..=LAST {
            self.next.push((World { newest, ..world }, (None, "adds block", newest.into())));
        }
        for finalized in world.finalized + 1..=world.newest {
            self.next
                .push((World { finalized, ..world }, (None, "finalizes block", finalized.into())));
        }
        for newest in world.finalized.max(1)..world.newest {
            let executed = world.executed.map(|second| if second > newest { 0 } else { second });
            let after = World { newest, executed, ..world };
            self.next.push((after, (None, "goes back to block", newest.into())));
        }
    }

    /// Steps that need nothing in memory: receipts of a bundler that says anything, and the end of waiting.
    fn reports(&mut self, world: World) {
        for step in BROKEN_OFF..NONCE {
            let mut after = world;
            if self.takes(&mut after, step).is_none() {
                continue;
            }
            if step == BROKEN_OFF && after.stored != world.stored {
                after.abandoned |= self.state(world).map_or(0, |state| 1 << job(state));
            }
            self.next.push((after, (None, "is reported, and a client takes step", step)));
        }
    }

    /// A client reads the state, and does what the verdict allows.
    fn decides(&mut self, world: World, client: usize) {
        let Some(state) = self.state(world).cloned() else {
            // Each client has a job id of its own.
            return self.sends(world, client, SENT, [0, 3][client]);
        };

        for number in (0..JOB_OF.len()).filter(|number| JOB_OF[*number] == job(&state)) {
            self.sends(world, client, SENT, number);
            self.sends(world, client, REPLACED, number);
        }
        // A client may still ask for an earlier job.
        for job in JOBS.into_iter().filter(|job| world.made & 1 << job != 0) {
            self.next.push(self.asks(world, client, job));
        }
        let fresh = [2, 3][client];
        let allows_new_job = state.phase.verdict() == SubmissionVerdict::NewJob
            || self.setting.fault == Some(Fault::NewJob(state.phase));
        if allows_new_job && world.made & 1 << JOB_OF[fresh] == 0 {
            self.sends(World { stored: 0, ..world }, client, SENT, fresh);
        }
    }

    /// The step is stored first; the operation is sent only if the verdict then allows it.
    fn sends(&mut self, world: World, client: usize, step: usize, number: usize) {
        let mut after = World { made: world.made | 1 << JOB_OF[number], ..world };
        let Some(verdict) = self.takes(&mut after, step + number) else { return };
        if verdict == SubmissionVerdict::MayHaveHappened {
            after.clients[client] = Memory::Sending(number);
        }
        let kind = if step == SENT { "takes `sent` of" } else { "takes `replaced` of" };
        self.next.push((after, (Some(client), kind, number)));
    }

    /// The client's own node says what is true of a finalized block.
    fn asks(&self, world: World, client: usize, job: usize) -> (World, Event) {
        let (block, now) = match self.setting.fault {
            Some(Fault::NewestBlock) => (world.newest, world.newest),
            Some(Fault::HostClock) => (world.finalized, world.newest),
            _ => (world.finalized, world.finalized),
        };
        let used = is_executed(world, job, block);
        let answer = if used { "hears `used` of job" } else { "hears `unused` of job" };
        let after = with(world, client, Memory::Asked { job, used, now });
        (after, (Some(client), answer, job))
    }

    fn takes_nonce(&mut self, world: World, client: usize, about: usize, used: bool, now: u8) {
        let mut after = with(world, client, Memory::Nothing);
        let is_own = self.state(world).is_some_and(|state| job(state) == about);
        if is_own || self.setting.fault == Some(Fault::AnswerOfAnotherJob) {
            self.takes(&mut after, nonce(used, now));
        }
        self.next.push((after, (Some(client), "takes `nonce` of job", about)));
    }

    /// The service says anything, or nothing in time. A step of another job than the stored one is dropped.
    fn is_answered(&mut self, world: World, client: usize, operation: usize) {
        let is_own = self.state(world).is_some_and(|state| job(state) == JOB_OF[operation]);
        let replies = (ANSWERED..).zip(REPLIES);
        for (step, what) in replies.chain([(BROKEN_OFF, "waits no longer for")]) {
            let mut after = with(world, client, Memory::Nothing);
            if step == BROKEN_OFF {
                after.abandoned |= 1 << JOB_OF[operation];
            }
            if is_own {
                self.takes(&mut after, step);
            }
            self.next.push((after, (Some(client), what, operation)));
        }
    }
}

fn crash(world: World, client: usize, operation: usize) -> (World, Event) {
    let abandoned = world.abandoned | 1 << JOB_OF[operation];
    let after = with(World { abandoned, ..world }, client, Memory::Nothing);
    (after, (Some(client), "crashes with", operation))
}

fn with(mut world: World, client: usize, memory: Memory) -> World {
    world.clients[client] = memory;
    world
}

fn job(state: &Submission) -> usize {
    // The first digits of its id.
    state.job_id.to_string()[..8].parse().unwrap()
}

/// `true` if an operation of a job is executed, up to this block.
fn is_executed(world: World, job: usize, until: u8) -> bool {
    let mut all = JOB_OF.into_iter().zip(world.executed);
    all.any(|(of, second)| of == job && (1..=until).contains(&second))
}

/// `true` if the driver's next action (`Submission::next`) is one that the verdict does not allow. The clients of the model do
/// all that a verdict allows, so whatever the laws say of them holds for the driver as well.
fn next_is_forbidden(state: &Submission) -> bool {
    let lasts = SubmissionLast::ALL.iter().copied().map(Some).chain([None]);
    let verdict = state.phase.verdict();
    let may_send =
        matches!(verdict, SubmissionVerdict::MayBeSent | SubmissionVerdict::MayHaveHappened);
    let is_full = state.replaced.as_slice().len() == Replaced::MAX;
    let is_settled = matches!(state.phase, SubmissionPhase::Succeeded | SubmissionPhase::Failed);
    lasts.into_iter().any(|last| match Submission::next(Some(state), last) {
        SubmissionNext::Ask => false,
        SubmissionNext::Prepare | SubmissionNext::Replace => !may_send || is_full,
        SubmissionNext::Send => !may_send,
        SubmissionNext::End => !is_settled && verdict != SubmissionVerdict::NewJob,
    })
}
