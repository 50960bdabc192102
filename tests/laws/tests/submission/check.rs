//! The check: visits worlds, the nearest first, and judges each.

use std::collections::HashMap;

use sendoff::submission::{
    Replaced, Submission, SubmissionLast, SubmissionNext, SubmissionPhase, SubmissionVerdict,
};

use super::core::Core;
use super::steps::{Steps, job_id};
use super::world::{Event, JOBS, LAST, Memory, Operation, START, Setting, World, operations};

/// One check: all worlds that were met, each with the one before it and what happened.
pub(super) struct Check {
    pub(super) setting: Setting,
    pub(super) operations: [Operation; 4],
    pub(super) core: Core,
    pub(super) jobs: HashMap<String, usize>,
    pub(super) worlds: Vec<(World, u32, Event)>,
    pub(super) numbers: HashMap<World, u32>,
    pub(super) transitions: u64,
}

/// What a check found.
pub(super) struct Found {
    pub(super) worlds: usize,
    pub(super) transitions: u64,
    pub(super) depth: usize,
    /// How often a state with each verdict was stored.
    pub(super) verdicts: HashMap<&'static str, usize>,
    /// A sequence of events that breaks the law.
    pub(super) broken: Option<Vec<String>>,
}

impl Check {
    pub(super) fn new(setting: Setting) -> Self {
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
    pub(super) fn run(mut self, depth: usize) -> Found {
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
                let phase =
                    self.core.state(world.stored).map_or("nothing", |state| state.phase.as_str());
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

    pub(super) fn job(&self, state: &Submission) -> usize {
        self.jobs[&state.job_id.to_string()]
    }

    /// `true` if an operation of a job is executed, up to this block.
    pub(super) fn is_executed(&self, world: &World, job: usize, until: u8) -> bool {
        let of_job = self
            .operations
            .iter()
            .zip(world.executed)
            .filter(|(operation, _)| operation.job == job);
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
}

/// `true` if the driver's next action (`Submission::next`) is one that the verdict does not allow. The clients of the model do
/// all that a verdict allows, so whatever the laws say of them holds for the driver as well.
fn next_is_forbidden(state: &Submission) -> bool {
    let lasts = SubmissionLast::ALL.iter().copied().map(Some).chain([None]);
    lasts.into_iter().any(|last| {
        let verdict = state.phase.verdict();
        let may_send =
            matches!(verdict, SubmissionVerdict::MayBeSent | SubmissionVerdict::MayHaveHappened);
        match Submission::next(Some(state), last) {
            SubmissionNext::Ask => false,
            SubmissionNext::Prepare | SubmissionNext::Replace => {
                !may_send || state.replaced.as_slice().len() == Replaced::MAX
            }
            SubmissionNext::Send => !may_send,
            SubmissionNext::End => {
                let is_settled =
                    matches!(state.phase, SubmissionPhase::Succeeded | SubmissionPhase::Failed);
                !is_settled && verdict != SubmissionVerdict::NewJob
            }
        }
    })
}
