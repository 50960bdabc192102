//! Law of submissions: no sequence of events that follows the verdicts executes an intent twice, and no verdict says that
//! an operation was not executed which was.
//!
//! A model check: every interleaving of two clients, a service, a bundler and a chain, with the core's own function for each
//! step. A world is what all of them hold at one moment; its successors are all that can happen next.
//!
//! - The clients share one state for one intent, and write it by compare-and-swap. That makes reading it, taking a step and
//!   writing it one event. What a client has in memory between events (an operation to send, a question that it asked) is
//!   lost if it crashes, which it does at every moment.
//! - The service keeps every operation that it was sent, and answers anything.
//! - The bundler executes any kept operation at any time, again after a reorganisation, and reports any receipts.
//! - The chain adds blocks, takes back those that are not finalized, and finalizes them.

use std::collections::HashMap;
use std::fmt;
use std::time::Instant;

use sendoff::submission::{
    Replaced, Submission, SubmissionLast, SubmissionNext, SubmissionPhase, SubmissionStep, SubmissionVerdict, advance,
};
use serde_json::{Value, json};

/// Three jobs: the first, and one more for each client.
const JOBS: [usize; 3] = [0, 1, 2];

/// The last second of the model. Each block has a second of its own.
const LAST: u8 = 4;

/// An operation: its job, and when it ends. Only the first job has a replacement.
#[derive(Clone, Copy)]
struct Operation {
    job: usize,
    ends: Option<u8>,
}

/// The operations' ends, and whether the chain enforces them.
#[derive(Clone, Copy, Debug)]
struct Setting {
    ends: [Option<u8>; 4],
    is_enforced: bool,
    /// A fault of the program, which the check must find.
    fault: Option<Fault>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// A new job after a refusal.
    NewJobAfterRefusal,
    /// A new job after a receipt of a failure.
    NewJobAfterFailure,
    /// A new job once a receipt is missing.
    NewJobWithoutReceipt,
    /// The nonce of the newest block, which is not finalized.
    NewestBlock,
    /// The host's clock in the place of the block's time.
    HostClock,
    /// The answer about one job's nonce, taken as a step of another.
    AnswerOfAnotherJob,
    /// A replacement with another nonce: in the model, both can be executed.
    ReplacementWithAnotherNonce,
}

impl Fault {
    const ALL: [Self; 7] = [
        Self::NewJobAfterRefusal,
        Self::NewJobAfterFailure,
        Self::NewJobWithoutReceipt,
        Self::NewestBlock,
        Self::HostClock,
        Self::AnswerOfAnotherJob,
        Self::ReplacementWithAnotherNonce,
    ];
}

/// What a client has in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Memory {
    Nothing,
    /// An operation that the verdict allows to send.
    Sending(u8),
    /// An operation that was sent.
    Waiting(u8),
    /// The node's answer about a job's nonce.
    Asked {
        job: u8,
        used: bool,
        now: u8,
    },
}

/// What everybody holds at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct World {
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

const START: World = World {
    stored: 0,
    clients: [Memory::Nothing; 2],
    kept: 0,
    executed: [0; 4],
    newest: 1,
    finalized: 0,
    abandoned: 0,
    made: 0,
};

/// `true` if the driver's next action (`Submission::next`) is one that the verdict does not allow. The clients of the model do
/// all that a verdict allows, so whatever the laws say of them holds for the driver as well.
fn next_is_forbidden(state: &Submission) -> bool {
    let lasts = SubmissionLast::ALL.iter().copied().map(Some).chain([None]);
    lasts.into_iter().any(|last| {
        let verdict = state.phase.verdict();
        let may_send = matches!(verdict, SubmissionVerdict::MayBeSent | SubmissionVerdict::MayHaveHappened);
        match Submission::next(Some(state), last) {
            SubmissionNext::Ask => false,
            SubmissionNext::Prepare | SubmissionNext::Replace => {
                !may_send || state.replaced.as_slice().len() == Replaced::MAX
            }
            SubmissionNext::Send => !may_send,
            SubmissionNext::End => {
                let is_settled = matches!(state.phase, SubmissionPhase::Succeeded | SubmissionPhase::Failed);
                !is_settled && verdict != SubmissionVerdict::NewJob
            }
        }
    })
}

/// What happened between two worlds: by whom, what, and to which operation, job, step or block.
#[derive(Clone, Copy)]
struct Event(&'static str, &'static str, u8);

const CLIENTS: [&str; 2] = ["the first client", "the second client"];
/// The service's replies, in the order of their steps.
const REPLIES: [&str; 4] = ["hears success of", "hears 400 of", "hears AA25 of", "hears 500 of"];
const CHAIN: &str = "the chain";

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(who, what, number) = self;
        write!(f, "{who} {what} {number}")
    }
}

/// The operations: two of the first job, one of each other.
fn operations(setting: &Setting) -> [Operation; 4] {
    let [first, replacement, second, third] = setting.ends;
    [(0, first), (0, replacement), (1, second), (2, third)].map(|(job, ends)| Operation { job, ends })
}

fn hash(operation: usize) -> String {
    format!("0x{:064x}", operation + 1)
}

fn job_id(job: usize) -> String {
    format!("{job:08}-0000-4000-0000-000000000000")
}

/// The steps, by number, so that each is made once.
struct Steps {
    list: Vec<SubmissionStep>,
}

impl Steps {
    const SENT: usize = 0;
    const REPLACED: usize = 4;
    const ANSWERED: usize = 8;
    const ANSWERS: usize = 4;
    const BROKEN_OFF: usize = 12;
    const NONCE: usize = 22;

    fn new(setting: &Setting) -> Self {
        let sends = |kind: &str| {
            let step = |(number, operation): (usize, Operation)| {
                let mut step = json!({ "type": kind, "jobId": job_id(operation.job), "hash": hash(number) });
                if let Some(ends) = operation.ends {
                    step["validUntil"] = ends.into();
                }
                step
            };
            operations(setting).into_iter().enumerate().map(step).collect::<Vec<_>>()
        };
        let error =
            |code: i64, message: &str| json!({ "status": "error", "error": { "code": code, "message": message } });
        let replies = [
            json!({ "status": "success", "data": {} }),
            error(400, "no"),
            error(400, "AA25 invalid account nonce"),
            error(500, "no"),
        ];
        let receipt = |operation: usize, success: bool| json!({ "userOpHash": hash(operation), "success": success, "actualGasCost": "0x1", "actualGasUsed": "0x1" });

        let mut list = [sends("sent"), sends("replaced")].concat();
        list.extend(replies.map(|reply| json!({ "type": "answered", "reply": reply })));
        list.extend([json!({ "type": "brokenOff" }), json!({ "type": "receipt", "receipt": null })]);
        for operation in 0..4 {
            for success in [true, false] {
                list.push(json!({ "type": "receipt", "receipt": receipt(operation, success) }));
            }
        }
        for used in [true, false] {
            list.extend((0..=LAST).map(|now| json!({ "type": "nonce", "used": used, "now": now })));
        }

        Self { list: list.iter().map(Value::to_string).map(|step| step.parse().unwrap()).collect() }
    }

    fn nonce(used: bool, now: u8) -> usize {
        Self::NONCE + if used { 0 } else { usize::from(LAST) + 1 } + usize::from(now)
    }
}

/// The states that were met, by number, and each step from each of them: the core is asked once.
struct Core {
    steps: Vec<SubmissionStep>,
    states: Vec<Option<Submission>>,
    numbers: HashMap<Option<Submission>, u16>,
    taken: HashMap<(u16, usize), Option<(u16, SubmissionVerdict)>>,
}

impl Core {
    fn new(steps: Steps) -> Self {
        Self { steps: steps.list, states: vec![None], numbers: HashMap::from([(None, 0)]), taken: HashMap::new() }
    }

    fn state(&self, number: u16) -> Option<&Submission> {
        self.states[usize::from(number)].as_ref()
    }

    /// The state after a step and its verdict; `None` if the step is refused.
    fn advance(&mut self, from: u16, step: usize) -> Option<(u16, SubmissionVerdict)> {
        if let Some(known) = self.taken.get(&(from, step)) {
            return *known;
        }

        let progress = advance(self.state(from).cloned(), &self.steps[step]).ok();
        let taken = progress.map(|progress| {
            // A state is stored as JSON.
            let state: Submission = serde_json::to_string(&progress.state).unwrap().parse().unwrap();
            assert_eq!(state, progress.state);

            let next = u16::try_from(self.states.len()).unwrap();
            let number = *self.numbers.entry(Some(state.clone())).or_insert(next);
            if number == next {
                self.states.push(Some(state));
            }
            (number, progress.verdict)
        });
        self.taken.insert((from, step), taken);
        taken
    }
}

/// One check: all worlds that were met, each with the one before it and what happened.
struct Check {
    setting: Setting,
    operations: [Operation; 4],
    core: Core,
    jobs: HashMap<String, usize>,
    worlds: Vec<(World, u32, Event)>,
    numbers: HashMap<World, u32>,
    transitions: u64,
}

/// What a check found.
struct Found {
    worlds: usize,
    transitions: u64,
    depth: usize,
    /// How often a state with each verdict was stored.
    verdicts: HashMap<&'static str, usize>,
    /// A sequence of events that breaks the law.
    broken: Option<Vec<String>>,
}

impl Check {
    fn new(setting: Setting) -> Self {
        Self {
            setting,
            operations: operations(&setting),
            core: Core::new(Steps::new(&setting)),
            jobs: JOBS.iter().map(|job| (job_id(*job), *job)).collect(),
            worlds: vec![(START, 0, Event("", "", 0))],
            numbers: HashMap::from([(START, 0)]),
            transitions: 0,
        }
    }

    /// Visits all worlds within `depth` events, the nearest first.
    fn run(mut self, depth: usize) -> Found {
        let (mut first, mut reached) = (0, 0);

        while reached < depth && first < self.worlds.len() {
            let last = self.worlds.len();
            for number in first..last {
                let world = self.worlds[number].0;
                let mut next = Vec::new();
                self.successors(&world, &mut next);
                for (after, event) in next {
                    self.transitions += 1;
                    if self.numbers.contains_key(&after) {
                        continue;
                    }
                    let own = u32::try_from(self.worlds.len()).unwrap();
                    self.numbers.insert(after, own);
                    self.worlds.push((after, u32::try_from(number).unwrap(), event));
                    if let Some(broken) = self.broken(&after) {
                        return self.found(reached + 1, Some((own, broken)));
                    }
                }
            }
            first = last;
            reached += 1;
        }

        // The last round finds nothing new once all worlds are known.
        let depth = if first == self.worlds.len() { reached - 1 } else { reached };
        self.found(depth, None)
    }

    fn found(self, depth: usize, broken: Option<(u32, &str)>) -> Found {
        let broken = broken.map(|(mut number, broken)| {
            let mut events = vec![format!("=> {broken}")];
            while number != 0 {
                let (world, before, event) = &self.worlds[number as usize];
                let phase = self.core.state(world.stored).map_or("nothing", |state| state.phase.as_str());
                events.push(format!("{event} [{phase}]"));
                number = *before;
            }
            events.reverse();
            events
        });

        let mut verdicts = HashMap::new();
        for (world, ..) in &self.worlds {
            if let Some(state) = self.core.state(world.stored) {
                *verdicts.entry(state.phase.verdict().as_str()).or_default() += 1;
            }
        }
        Found { worlds: self.worlds.len(), transitions: self.transitions, depth, verdicts, broken }
    }

    fn job(&self, state: &Submission) -> usize {
        self.jobs[&state.job_id.to_string()]
    }

    /// `true` if an operation of a job is executed, up to this block.
    fn is_executed(&self, world: &World, job: usize, until: u8) -> bool {
        let of_job = self.operations.iter().zip(world.executed).filter(|(operation, _)| operation.job == job);
        of_job.map(|(_, second)| second).any(|second| (1..=until).contains(&second))
    }

    /// The law that a world breaks.
    fn broken(&self, world: &World) -> Option<&'static str> {
        if world.executed.iter().filter(|second| **second > 0).count() > 1 {
            return Some("the intent is executed twice");
        }
        let state = self.core.state(world.stored)?;
        let (job, verdict) = (self.job(state), state.phase.verdict());

        if verdict == SubmissionVerdict::NewJob && self.is_executed(world, job, LAST) {
            return Some("an operation was executed, and a new job is allowed");
        }
        let is_open = |client: &Memory| match client {
            Memory::Sending(operation) | Memory::Waiting(operation) => {
                self.operations[usize::from(*operation)].job == job
            }
            _ => false,
        };
        let is_open = world.clients.iter().any(is_open) || world.abandoned & (1 << job) != 0;
        if verdict == SubmissionVerdict::MayBeSent && is_open {
            return Some("a try is open, and the verdict says that none is");
        }
        next_is_forbidden(state).then_some("the next action is one that the verdict forbids")
    }

    /// All that can happen next.
    fn successors(&mut self, world: &World, next: &mut Vec<(World, Event)>) {
        self.chain(world, next);
        self.reports(world, next);
        for (client, memory) in world.clients.into_iter().enumerate() {
            match memory {
                Memory::Nothing => self.decides(world, client, next),
                Memory::Sending(operation) => {
                    let kept = world.kept | 1 << operation;
                    let sent = with(World { kept, ..*world }, client, Memory::Waiting(operation));
                    next.push((sent, Event(CLIENTS[client], "sends", operation)));
                    next.push(self.crash(world, client, operation));
                }
                Memory::Waiting(operation) => {
                    self.is_answered(world, client, operation, next);
                    next.push(self.crash(world, client, operation));
                }
                Memory::Asked { job, used, now } => {
                    self.takes_nonce(world, client, (job, used, now), next);
                    next.push((
                        with(*world, client, Memory::Nothing),
                        Event(CLIENTS[client], "crashes, asked for job", job),
                    ));
                }
            }
        }
    }

    fn chain(&self, world: &World, next: &mut Vec<(World, Event)>) {
        for (number, operation) in self.operations.iter().enumerate() {
            let is_valid = !self.setting.is_enforced || operation.ends.is_none_or(|ends| world.newest <= ends);
            let shares_nonce = self.setting.fault != Some(Fault::ReplacementWithAnotherNonce);
            let is_used =
                if shares_nonce { self.is_executed(world, operation.job, LAST) } else { world.executed[number] > 0 };
            if world.kept & 1 << number != 0 && is_valid && !is_used && world.newest > world.finalized {
                let mut after = *world;
                after.executed[number] = world.newest;
                next.push((after, Event(CHAIN, "executes", u8::try_from(number).unwrap())));
            }
        }
        for newest in world.newest + 1..=LAST {
            next.push((World { newest, ..*world }, Event(CHAIN, "adds block", newest)));
        }
        for finalized in world.finalized + 1..=world.newest {
            next.push((World { finalized, ..*world }, Event(CHAIN, "finalizes block", finalized)));
        }
        for newest in world.finalized.max(1)..world.newest {
            let executed = world.executed.map(|second| if second > newest { 0 } else { second });
            next.push((World { newest, executed, ..*world }, Event(CHAIN, "goes back to block", newest)));
        }
    }

    /// Steps that need nothing in memory: receipts of a bundler that says anything, and the end of waiting.
    fn reports(&mut self, world: &World, next: &mut Vec<(World, Event)>) {
        for step in Steps::BROKEN_OFF..Steps::NONCE {
            if let Some((stored, _)) = self.core.advance(world.stored, step) {
                let abandoned = match self.core.state(world.stored) {
                    Some(state) if step == Steps::BROKEN_OFF && stored != world.stored => 1 << self.job(state),
                    _ => 0,
                } | world.abandoned;
                let event = Event("a client", "takes step", u8::try_from(step).unwrap());
                next.push((World { stored, abandoned, ..*world }, event));
            }
        }
    }

    /// A client reads the state, and does what the verdict allows.
    fn decides(&mut self, world: &World, client: usize, next: &mut Vec<(World, Event)>) {
        let Some(state) = self.core.state(world.stored).cloned() else {
            // Each client has a job id of its own.
            return self.sends(world, client, Steps::SENT, [0, 3][client], next);
        };

        for number in 0..self.operations.len() {
            if self.operations[number].job == self.job(&state) {
                self.sends(world, client, Steps::SENT, number, next);
                self.sends(world, client, Steps::REPLACED, number, next);
            }
        }
        // A client may still ask for an earlier job.
        for job in JOBS.into_iter().filter(|job| world.made & 1 << job != 0) {
            next.push(self.asks(world, client, job));
        }
        let fresh = [2, 3][client];
        if self.allows_new_job(&state) && world.made & 1 << self.operations[fresh].job == 0 {
            self.sends(&World { stored: 0, ..*world }, client, Steps::SENT, fresh, next);
        }
    }

    fn allows_new_job(&self, state: &Submission) -> bool {
        let faulty = match self.setting.fault {
            Some(Fault::NewJobAfterRefusal) => state.phase == SubmissionPhase::Refused,
            Some(Fault::NewJobAfterFailure) => state.phase == SubmissionPhase::Failed,
            Some(Fault::NewJobWithoutReceipt) => state.phase == SubmissionPhase::Unknown,
            _ => false,
        };
        faulty || state.phase.verdict() == SubmissionVerdict::NewJob
    }

    /// The step is stored first; the operation is sent only if the verdict then allows it.
    fn sends(&mut self, world: &World, client: usize, step: usize, number: usize, next: &mut Vec<(World, Event)>) {
        let Some((stored, verdict)) = self.core.advance(world.stored, step + number) else { return };
        let after = World { stored, made: world.made | 1 << self.operations[number].job, ..*world };
        let kind = if step == Steps::SENT { "takes `sent` of" } else { "takes `replaced` of" };
        let number = u8::try_from(number).unwrap();
        let event = Event(CLIENTS[client], kind, number);

        if verdict == SubmissionVerdict::MayHaveHappened {
            next.push((with(after, client, Memory::Sending(number)), event));
        } else {
            next.push((after, event));
        }
    }

    /// The client's own node says what is true of a finalized block.
    fn asks(&self, world: &World, client: usize, job: usize) -> (World, Event) {
        let (block, now) = match self.setting.fault {
            Some(Fault::NewestBlock) => (world.newest, world.newest),
            Some(Fault::HostClock) => (world.finalized, world.newest),
            _ => (world.finalized, world.finalized),
        };
        let used = self.is_executed(world, job, block);
        let job = u8::try_from(job).unwrap();
        let answer = if used { "hears `used` of job" } else { "hears `unused` of job" };
        (with(*world, client, Memory::Asked { job, used, now }), Event(CLIENTS[client], answer, job))
    }

    fn takes_nonce(
        &mut self,
        world: &World,
        client: usize,
        (job, used, now): (u8, bool, u8),
        next: &mut Vec<(World, Event)>,
    ) {
        let mut after = with(*world, client, Memory::Nothing);
        let is_own = self.core.state(world.stored).is_some_and(|state| self.job(state) == usize::from(job));

        if (is_own || self.setting.fault == Some(Fault::AnswerOfAnotherJob))
            && let Some((stored, _)) = self.core.advance(world.stored, Steps::nonce(used, now))
        {
            after.stored = stored;
        }
        next.push((after, Event(CLIENTS[client], "takes `nonce` of job", job)));
    }

    /// The service says anything, or nothing in time. A step of another job than the stored one is dropped.
    fn is_answered(&mut self, world: &World, client: usize, operation: u8, next: &mut Vec<(World, Event)>) {
        let job = self.operations[usize::from(operation)].job;
        let is_own = self.core.state(world.stored).is_some_and(|state| self.job(state) == job);

        for step in (Steps::ANSWERED..Steps::ANSWERED + Steps::ANSWERS).chain([Steps::BROKEN_OFF]) {
            let mut after = with(*world, client, Memory::Nothing);
            if step == Steps::BROKEN_OFF {
                after.abandoned |= 1 << job;
            }
            if is_own && let Some((stored, _)) = self.core.advance(world.stored, step) {
                after.stored = stored;
            }
            let what = if step == Steps::BROKEN_OFF { "waits no longer for" } else { REPLIES[step - Steps::ANSWERED] };
            next.push((after, Event(CLIENTS[client], what, operation)));
        }
    }

    fn crash(&self, world: &World, client: usize, operation: u8) -> (World, Event) {
        let abandoned = world.abandoned | 1 << self.operations[usize::from(operation)].job;
        (
            with(World { abandoned, ..*world }, client, Memory::Nothing),
            Event(CLIENTS[client], "crashes with", operation),
        )
    }
}

fn with(mut world: World, client: usize, memory: Memory) -> World {
    world.clients[client] = memory;
    world
}

/// How far a check goes: all worlds within ten events, or all worlds.
fn depth() -> usize {
    if std::env::var_os("SENDOFF_ALL").is_some() { usize::MAX } else { 10 }
}

/// The ends that the checks use: enforced ones, none for the replacement, and none at all.
const SETTINGS: [Setting; 3] = [
    Setting { ends: [Some(1), Some(2), Some(3), Some(3)], is_enforced: true, fault: None },
    Setting { ends: [Some(1), None, Some(2), Some(3)], is_enforced: true, fault: None },
    Setting { ends: [None; 4], is_enforced: false, fault: None },
];

#[test]
fn an_intent_is_executed_once_and_no_verdict_denies_it() {
    for setting in SETTINGS {
        let start = Instant::now();
        let found = Check::new(setting).run(depth());
        let seconds = start.elapsed().as_secs_f32();
        let Found { worlds, transitions, depth, verdicts, .. } = &found;
        println!(
            "{setting:?}: {worlds} worlds, {transitions} transitions to depth {depth}, {seconds:.1} s; {verdicts:?}"
        );

        assert_eq!(found.broken, None);
        // A model without new jobs, or with nothing else, would check nothing.
        assert_eq!(verdicts.contains_key("newJob"), setting.is_enforced);
        for verdict in ["mayBeSent", "mustNotBeSent", "mayHaveHappened"] {
            assert!(verdicts[verdict] > 1_000, "{verdict}");
        }
    }
}

#[test]
fn the_check_finds_faults() {
    let faults = Fault::ALL.map(|fault| Setting { fault: Some(fault), ..SETTINGS[0] });
    // An end that the chain does not enforce.
    let not_enforced = Setting { is_enforced: false, ..SETTINGS[0] };

    for setting in faults.into_iter().chain([not_enforced]) {
        let found = Check::new(setting).run(usize::MAX);
        let Some(broken) = found.broken else { panic!("{setting:?}: nothing found in {} worlds", found.worlds) };
        println!("{setting:?}: {} worlds, at depth {}:\n  {}", found.worlds, found.depth, broken.join("\n  "));
    }
}
