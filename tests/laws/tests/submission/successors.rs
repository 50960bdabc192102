//! All that can happen next in a world: what clients, service, bundler and chain can do.

use sendoff::submission::{Submission, SubmissionPhase, SubmissionVerdict};

use super::check::Check;
use super::steps::Steps;
use super::world::{CHAIN, CLIENTS, Event, Fault, JOBS, LAST, Memory, REPLIES, World, with};

impl Check {
    /// All that can happen next.
    pub(super) fn successors(&mut self, world: &World, next: &mut Vec<(World, Event)>) {
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
            let is_valid =
                !self.setting.is_enforced || operation.ends.is_none_or(|ends| world.newest <= ends);
            let shares_nonce = self.setting.fault != Some(Fault::ReplacementWithAnotherNonce);
            let is_used = if shares_nonce {
                self.is_executed(world, operation.job, LAST)
            } else {
                world.executed[number] > 0
            };
            if world.kept & 1 << number != 0
                && is_valid
                && !is_used
                && world.newest > world.finalized
            {
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
            next.push((
                World { newest, executed, ..*world },
                Event(CHAIN, "goes back to block", newest),
            ));
        }
    }

    /// Steps that need nothing in memory: receipts of a bundler that says anything, and the end of waiting.
    fn reports(&mut self, world: &World, next: &mut Vec<(World, Event)>) {
        for step in Steps::BROKEN_OFF..Steps::NONCE {
            if let Some((stored, _)) = self.core.advance(world.stored, step) {
                let abandoned = match self.core.state(world.stored) {
                    Some(state) if step == Steps::BROKEN_OFF && stored != world.stored => {
                        1 << self.job(state)
                    }
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
    fn sends(
        &mut self,
        world: &World,
        client: usize,
        step: usize,
        number: usize,
        next: &mut Vec<(World, Event)>,
    ) {
        let Some((stored, verdict)) = self.core.advance(world.stored, step + number) else {
            return;
        };
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
        (
            with(*world, client, Memory::Asked { job, used, now }),
            Event(CLIENTS[client], answer, job),
        )
    }

    fn takes_nonce(
        &mut self,
        world: &World,
        client: usize,
        (job, used, now): (u8, bool, u8),
        next: &mut Vec<(World, Event)>,
    ) {
        let mut after = with(*world, client, Memory::Nothing);
        let is_own =
            self.core.state(world.stored).is_some_and(|state| self.job(state) == usize::from(job));

        if (is_own || self.setting.fault == Some(Fault::AnswerOfAnotherJob))
            && let Some((stored, _)) = self.core.advance(world.stored, Steps::nonce(used, now))
        {
            after.stored = stored;
        }
        next.push((after, Event(CLIENTS[client], "takes `nonce` of job", job)));
    }

    /// The service says anything, or nothing in time. A step of another job than the stored one is dropped.
    fn is_answered(
        &mut self,
        world: &World,
        client: usize,
        operation: u8,
        next: &mut Vec<(World, Event)>,
    ) {
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
            let what = if step == Steps::BROKEN_OFF {
                "waits no longer for"
            } else {
                REPLIES[step - Steps::ANSWERED]
            };
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
