//! Random schedules of two clients, a service, a bundler and a chain.

use std::collections::BTreeMap;

use chain::Snapshot;
use rate_windows::dice::Dice;
use sendoff::submission::{
    Submission, SubmissionPhase, SubmissionStep, SubmissionVerdict, advance,
};

use crate::ground::{GENESIS, Ground, job_id, nonce, receipt, replied};

/// What a client has in memory.
#[derive(Clone, Copy)]
enum Memory {
    Nothing,
    Sending(usize),
    Waiting(usize),
    Asked { job: usize, used: bool, now: u64 },
}

/// A schedule: two clients that share one state by compare-and-swap, a service that keeps everything and answers anything, a
/// bundler that loses, repeats and reorders, and a chain that takes blocks back.
struct Schedule<'g> {
    ground: &'g mut Ground,
    random: Dice,
    /// `true` for a program that makes another job after a refusal.
    is_faulty: bool,
    stored: Option<String>,
    clients: [Memory; 2],
    /// The operations that the service and its bundler have.
    kept: Vec<usize>,
    /// The bundler tries an operation once in so many times.
    laziness: u64,
    /// The blocks that can be taken back, and the finalized one before them, each with its time.
    blocks: Vec<(u64, Snapshot)>,
    time: u64,
    made: [bool; 3],
    seen: BTreeMap<&'static str, usize>,
}

impl Schedule<'_> {
    fn note(&mut self, what: &'static str) {
        *self.seen.entry(what).or_default() += 1;
    }

    fn run(&mut self, events: usize) {
        for _ in 0..events {
            match self.random.at(10) {
                0 | 1 => self.adds_block(),
                2 => self.takes_back(),
                3 => self.finalizes(),
                _ => {
                    let client = self.random.at(2);
                    self.acts(client);
                }
            }
            self.is_lawful();
        }

        // In the end the bundler tries everything that it ever got.
        self.bundles(usize::MAX);
        self.is_lawful();
    }

    fn state(&self) -> Option<Submission> {
        self.stored.as_deref().map(|stored| stored.parse().unwrap())
    }

    fn is_lawful(&mut self) {
        if self.is_faulty {
            return;
        }
        assert!(self.ground.executed() <= 1, "the intent is executed twice");
        if let Some(state) = self.state().filter(|state| state.phase == SubmissionPhase::Expired) {
            let job = (0..3).find(|job| job_id(*job) == state.job_id).unwrap();
            assert!(
                !self.ground.asks(job),
                "an operation was executed, and another job is allowed"
            );
        }
    }

    /// The bundler tries some kept operations in any order; the EntryPoint refuses those that are used or over.
    fn bundles(&mut self, most: usize) {
        let mut kept = self.kept.clone();
        for _ in 0..most.min(kept.len()) {
            let number = kept.remove(self.random.at(kept.len()));
            match self.ground.execute(number).as_ref().map_err(String::as_str) {
                Ok(()) => self.note("executed"),
                Err("AA25 invalid account nonce") => self.note("refused as used"),
                Err("AA32 paymaster expired or not due") => self.note("refused as over"),
                Err(reason) => panic!("{reason}"),
            }
        }
    }

    fn adds_block(&mut self) {
        self.blocks.push((self.time, self.ground.service.chain.snapshot()));
        self.time += 1 + self.random.below(25);
        self.ground.service.chain.set_time(self.time);
        if self.random.one_in(self.laziness) {
            self.bundles(2);
        }
    }

    /// A reorganisation: the chain goes back to a block that is not finalized, or to the finalized one.
    fn takes_back(&mut self) {
        if self.random.one_in(2) && !self.blocks.is_empty() {
            let at = self.random.at(self.blocks.len());
            let before = self.ground.executed();
            let (time, snapshot) = self.blocks[at].clone();
            self.blocks.truncate(at + 1);
            self.ground.service.chain.restore(&snapshot);
            // The next block comes after it.
            self.time = time + 1;
            self.ground.service.chain.set_time(self.time);
            if self.ground.executed() < before {
                self.note("taken back");
            }
        }
    }

    fn finalizes(&mut self) {
        if self.blocks.len() > 1 {
            let at = self.random.at(self.blocks.len());
            self.blocks.drain(..at);
        }
    }

    /// Takes a step by compare-and-swap. The whole of a client's event is one here, so no other client is between; a client that
    /// lost the race reads again, which is another event.
    fn take(&mut self, step: &SubmissionStep) -> Option<SubmissionVerdict> {
        let progress = advance(self.state(), step).ok()?;
        self.stored = Some(serde_json::to_string(&progress.state).unwrap());
        Some(progress.verdict)
    }

    fn is_of(&self, job: usize) -> bool {
        self.state().is_some_and(|state| state.job_id == job_id(job))
    }

    fn acts(&mut self, client: usize) {
        let memory = self.clients[client];
        let is_busy = !matches!(memory, Memory::Nothing);
        if is_busy && self.random.one_in(12) {
            self.note("crashed");
            self.clients[client] = Memory::Nothing;
            return;
        }

        self.clients[client] = match memory {
            Memory::Nothing => return self.decides(client),
            Memory::Sending(number) => {
                if !self.kept.contains(&number) {
                    self.kept.push(number);
                }
                // A bundler may include it at once, before the service answers.
                if self.random.one_in(self.laziness) {
                    self.bundles(1);
                }
                Memory::Waiting(number)
            }
            Memory::Waiting(number) => {
                let step =
                    match self.random.at(6) {
                        0 => r#"{"type":"answered","reply":{"status":"success","data":{}}}"#
                            .parse()
                            .unwrap(),
                        1 | 2 => replied(400, "no"),
                        3 => replied(400, "AA25 invalid account nonce"),
                        4 => replied(500, "no"),
                        _ => SubmissionStep::BrokenOff,
                    };
                if self.is_of(self.ground.operations[number].job) {
                    self.take(&step);
                }
                Memory::Nothing
            }
            Memory::Asked { job, used, now } => {
                if self.is_of(job)
                    && self.take(&nonce(used, now)) == Some(SubmissionVerdict::NewJob)
                {
                    self.note("newJob");
                }
                Memory::Nothing
            }
        };
    }

    fn decides(&mut self, client: usize) {
        let Some(state) = self.state() else {
            return self.starts(client, 0);
        };
        let job = (0..3).find(|job| job_id(*job) == state.job_id).unwrap();
        let number = job * 3 + self.random.at(3);
        let own = (job * 3..job * 3 + 3)
            .find(|number| self.ground.operations[*number].hash == state.hash)
            .unwrap();

        match self.random.at(10) {
            0 | 1 => self.sends(client, "sent", own),
            2 | 3 => self.sends(client, "replaced", number),
            4 => drop(self.take(&SubmissionStep::BrokenOff)),
            // The bundler says what it likes: nothing, the truth, or a receipt of a block that was
            // taken back.
            5 => drop(self.take(&SubmissionStep::Receipt(None))),
            6 => {
                let success = self.random.one_in(2);
                self.take(&receipt(self.ground.operations[number].hash, success));
            }
            7 | 8 => self.asks(client, job),
            _ => {
                let allowed = state.phase.verdict() == SubmissionVerdict::NewJob
                    || self.is_faulty && state.phase == SubmissionPhase::Refused;
                let fresh = 1 + client;
                if allowed && !self.made[fresh] {
                    self.note("another job");
                    self.stored = None;
                    self.starts(client, fresh);
                }
            }
        }
    }

    fn starts(&mut self, client: usize, job: usize) {
        self.made[job] = true;
        // The first operation has an end in most schedules.
        let number = job * 3 + [0, 0, 1, 2][self.random.at(4)];
        self.sends(client, "sent", number);
    }

    fn sends(&mut self, client: usize, kind: &str, number: usize) {
        let step = self.ground.step(kind, number);
        if self.take(&step) == Some(SubmissionVerdict::MayHaveHappened) {
            if kind == "replaced" {
                self.note("replaced");
            }
            self.clients[client] = Memory::Sending(number);
        }
    }

    /// The client's own node: the nonce and the time of the finalized block.
    fn asks(&mut self, client: usize, job: usize) {
        let Some((now, finalized)) = self.blocks.first().cloned() else { return };
        let newest = self.ground.service.chain.snapshot();
        self.ground.service.chain.restore(&finalized);
        let used = self.ground.asks(job);
        self.ground.service.chain.restore(&newest);
        self.ground.service.chain.set_time(self.time);
        self.clients[client] = Memory::Asked { job, used, now };
    }
}

pub(crate) fn schedule(
    ground: &mut Ground,
    seed: u64,
    is_faulty: bool,
) -> (u64, BTreeMap<&'static str, usize>) {
    ground.service.chain.restore(&ground.start);
    ground.service.chain.set_time(GENESIS);
    let mut random = Dice::new(seed);
    let laziness = 1 + random.below(12);
    let mut schedule = Schedule {
        blocks: vec![(GENESIS, ground.start.clone())],
        ground,
        random,
        laziness,
        is_faulty,
        stored: None,
        clients: [Memory::Nothing; 2],
        kept: Vec::new(),
        time: GENESIS + 1,
        made: [false; 3],
        seen: BTreeMap::new(),
    };
    schedule.ground.service.chain.set_time(GENESIS + 1);
    schedule.run(90);
    let executed = schedule.ground.executed();
    (executed, schedule.seen)
}
