//! Law of the next action: a program that follows [`Submission::next`] executes an intent at most once, says what is so, and
//! ends as soon as everybody is honest.
//!
//! A world is what a program, a bundler, a service, a node and a chain hold at one moment. Everybody but the node is hostile,
//! and everybody can be started again: the service answers with an operation that is known, or of another account; the
//! bundler refuses in any words, loses what it accepted, forges receipts or forgets them; what was sent once can be executed
//! at any time. From every world that is met, the check goes on as an honest service, bundler and chain would, which must end.

use sendoff::submission::{
    Submission, SubmissionLast, SubmissionNext, SubmissionPhase, SubmissionStep, SubmissionVerdict,
    advance,
};
use sendoff::user_op::{BundlerError, RefusalNext};
use serde_json::json;

use super::search::Model;
use super::{hash, job_id};

/// The operations: three of one account, and one of another account of the same key. The account is that of the first one.
const OPERATIONS: usize = 4;
const OTHER_ACCOUNT: usize = 3;

/// Questions in vain before an accepted operation is sent again.
const ROUNDS: u8 = 3;

/// The last block that is added before everybody is honest.
const LAST: u8 = 2;

/// What a program may do wrong. The check must find each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// What was accepted is not sent again.
    NoSecondSend,
    /// An operation of another account is signed.
    SenderNotCompared,
    /// A hash whose signature is stored is signed again.
    SignedAgain,
    /// A refusal in unknown words makes another operation.
    UnknownWordsChange,
    /// A receipt is believed against the program's own node.
    ReceiptAgainstNode,
}

impl Fault {
    pub(super) const ALL: [Self; 5] = [
        Self::NoSecondSend,
        Self::SenderNotCompared,
        Self::SignedAgain,
        Self::UnknownWordsChange,
        Self::ReceiptAgainstNode,
    ];
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Program {
    /// The program has a node of its own.
    pub(super) has_node: bool,
    /// The first operation ends at block 1, which the chain enforces.
    pub(super) ends: bool,
    pub(super) fault: Option<Fault>,
}

impl Program {
    fn end_of(self, operation: usize) -> Option<u8> {
        (self.ends && operation == 0).then_some(1)
    }
}

/// What a program does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Doing {
    Decides,
    Sends(usize),
    Waits(usize),
    /// It ended, and says this of the intent.
    Ended(Said),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Said {
    Executed,
    Expired,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct World {
    /// What the program's store has: the state, and the operations that were signed.
    state: Option<Submission>,
    signed: [bool; OPERATIONS],
    /// What the program has in memory.
    pub(super) doing: Doing,
    last: Option<SubmissionLast>,
    rounds: u8,
    /// The bundler refused in words that nobody knows, and no question was asked since.
    is_unknown: bool,
    /// The operations that somebody has, and those that the bundler has.
    kept: [bool; OPERATIONS],
    pool: [bool; OPERATIONS],
    /// The block of each operation that was executed.
    executed: [Option<u8>; OPERATIONS],
    newest: u8,
    finalized: u8,
    /// The bundler has no receipts of blocks up to this one.
    pruned: u8,
    broken: Option<&'static str>,
}

/// What others do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    /// The program takes its own next step.
    Goes,
    /// The service answers with an operation, or not at all.
    Estimates(Option<usize>),
    /// The bundler's answer to an operation, which it keeps or loses.
    Answers {
        words: Words,
        keeps: bool,
    },
    /// The bundler's answer to the question for receipts.
    Receipt(Option<(usize, bool)>),
    ProgramRestarts,
    BundlerRestarts,
    Executes(usize),
    AddsBlock,
    Finalizes,
    GoesBack,
    Prunes,
}

/// What a bundler says to an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Words {
    Accepted,
    Nothing,
    /// A code and a message.
    Refused(i64, &'static str),
}

const UNKNOWN: Words = Words::Refused(-32602, "user operation of this sender waits already");
const NONCE: Words = Words::Refused(-32500, "AA25 invalid account nonce");
const CHANGE: Words = Words::Refused(-32503, "expires too soon");

const ALL_WORDS: [Words; 7] = [
    Words::Accepted,
    Words::Nothing,
    UNKNOWN,
    NONCE,
    CHANGE,
    Words::Refused(-32504, "throttled"),
    Words::Refused(-32602, "Replacement UserOperation must have higher fees"),
];

impl World {
    pub(super) fn start() -> Self {
        Self {
            state: None,
            signed: [false; OPERATIONS],
            doing: Doing::Decides,
            last: None,
            rounds: 0,
            is_unknown: false,
            kept: [false; OPERATIONS],
            pool: [false; OPERATIONS],
            executed: [None; OPERATIONS],
            newest: 1,
            finalized: 0,
            pruned: 0,
            broken: None,
        }
    }

    fn next(&self) -> SubmissionNext {
        Submission::next(self.state.as_ref(), self.last)
    }

    /// The operation of the state's hash.
    fn current(&self) -> Option<usize> {
        let state = self.state.as_ref()?;
        (0..OPERATIONS).find(|number| state.hash.to_string() == hash(*number))
    }

    /// `true` if the nonce of an operation's account is used, up to this block.
    fn is_used(&self, operation: usize, until: u8) -> bool {
        let is_same = |number: usize| (number == OTHER_ACCOUNT) == (operation == OTHER_ACCOUNT);
        let mut of_account = self.executed.iter().enumerate().filter(|(n, _)| is_same(*n));
        of_account.any(|(_, block)| block.is_some_and(|block| block <= until))
    }

    fn is_executable(&self, operation: usize, program: Program) -> bool {
        program.end_of(operation).is_none_or(|end| self.newest <= end)
            && !self.is_used(operation, u8::MAX)
    }

    /// Stores the state after a step in JSON.
    fn takes(&mut self, step: serde_json::Value) -> Option<SubmissionVerdict> {
        self.take(&step.to_string().parse().unwrap())
    }

    /// Stores the state after a step. `None` if the step is refused.
    fn take(&mut self, step: &SubmissionStep) -> Option<SubmissionVerdict> {
        let progress = advance(self.state.clone(), step).ok()?;
        self.state = Some(progress.state);
        Some(progress.verdict)
    }

    /// The program's own node answers for the finalized block.
    fn takes_nonce(&mut self) -> bool {
        let (used, now) = (self.is_used(0, self.finalized), self.finalized);
        self.takes(json!({ "type": "nonce", "used": used, "now": now }));
        used
    }

    /// The step of an operation is stored before it is sent.
    fn takes_operation(&mut self, operation: usize, program: Program) {
        let kind = match self.current() {
            Some(current) if current != operation => "replaced",
            _ => "sent",
        };
        let mut step = json!({ "type": kind, "jobId": job_id(0), "hash": hash(operation) });
        if let Some(end) = program.end_of(operation) {
            step["validUntil"] = end.into();
        }
        let verdict = self.takes(step);
        self.signed[operation] = true;
        self.last = None;
        if verdict == Some(SubmissionVerdict::MayHaveHappened) {
            self.doing = Doing::Sends(operation);
        }
    }

    /// The program waits for nothing but itself.
    fn goes(&mut self, program: Program) {
        match self.doing {
            Doing::Sends(operation) => {
                self.kept[operation] = true;
                self.doing = Doing::Waits(operation);
            }
            Doing::Decides => match self.next() {
                SubmissionNext::Send => {
                    self.rounds = 0;
                    let current = self.current().unwrap();
                    self.takes_operation(current, program);
                }
                SubmissionNext::End => self.ends(program),
                SubmissionNext::Prepare | SubmissionNext::Replace | SubmissionNext::Ask => {}
            },
            Doing::Waits(_) | Doing::Ended(_) => {}
        }
    }

    /// The program's own node has the last word.
    fn ends(&mut self, program: Program) {
        let phase = self.state.as_ref().map(|state| state.phase);
        if phase == Some(SubmissionPhase::Expired) {
            self.doing = Doing::Ended(Said::Expired);
        } else if !program.has_node
            || program.fault == Some(Fault::ReceiptAgainstNode)
            || self.takes_nonce()
        {
            self.doing = Doing::Ended(Said::Executed);
        } else {
            self.last = None;
        }
    }

    fn is_estimated(&mut self, operation: usize, program: Program) {
        if operation == OTHER_ACCOUNT && program.fault != Some(Fault::SenderNotCompared) {
            self.last = None;
            return;
        }
        if self.signed[operation] && program.fault == Some(Fault::SignedAgain) {
            self.broken = Some("a hash whose signature is stored is signed again");
        }
        if self.is_unknown {
            self.broken = Some("a refusal in unknown words leads to another operation");
        }
        self.takes_operation(operation, program);
    }

    fn is_answered(&mut self, words: Words, program: Program) {
        self.doing = Doing::Decides;
        let Words::Refused(code, message) = words else {
            let is_accepted = words == Words::Accepted;
            self.take(&if is_accepted {
                SubmissionStep::accepted()
            } else {
                SubmissionStep::BrokenOff
            });
            self.last = None;
            return;
        };

        let error: BundlerError =
            json!({ "code": code, "message": message }).to_string().parse().unwrap();
        self.take(&SubmissionStep::from(&error));
        self.is_unknown = words == UNKNOWN;
        let is_misread = self.is_unknown && program.fault == Some(Fault::UnknownWordsChange);
        let next = if is_misread { RefusalNext::Change } else { error.refusal().next };
        self.last = Some(next.into());
    }

    /// The bundler was asked for receipts, and then the program's node for the nonce.
    fn is_told(&mut self, receipt: Option<(usize, bool)>, program: Program) {
        self.is_unknown = false;
        if let Some((operation, success)) = receipt {
            let receipt = json!({ "userOpHash": hash(operation), "success": success });
            self.takes(json!({ "type": "receipt", "receipt": receipt }));
        } else {
            self.take(&SubmissionStep::Receipt(None));
        }

        self.rounds = self.rounds.saturating_add(1).min(ROUNDS);
        let settled = self.next() == SubmissionNext::End;
        let used = program.has_node && !settled && self.takes_nonce();
        if used && self.rounds >= ROUNDS {
            // Nobody has the receipt any more.
            self.doing = Doing::Ended(Said::Executed);
        }
        let is_vain = self.rounds >= ROUNDS && program.fault != Some(Fault::NoSecondSend);
        self.last = Some(if is_vain { SubmissionLast::Vain } else { SubmissionLast::Asked });
    }

    /// The world after an event; `None` if it cannot happen now.
    fn after(&self, event: Event, program: Program) -> Option<Self> {
        let mut after = self.clone();
        match event {
            Event::Goes => after.goes(program),
            Event::Estimates(operation) => match (self.doing, self.next()) {
                (Doing::Decides, SubmissionNext::Prepare | SubmissionNext::Replace) => {
                    match operation {
                        Some(OTHER_ACCOUNT) if self.state.is_none() => return None,
                        Some(operation) => after.is_estimated(operation, program),
                        None => after.last = None,
                    }
                }
                _ => return None,
            },
            Event::Answers { words, keeps } => {
                let Doing::Waits(operation) = self.doing else { return None };
                after.pool[operation] |= keeps;
                after.is_answered(words, program);
            }
            Event::Receipt(receipt) => {
                if self.doing != Doing::Decides || self.next() != SubmissionNext::Ask {
                    return None;
                }
                after.is_told(receipt, program);
            }
            Event::ProgramRestarts => {
                if matches!(self.doing, Doing::Ended(_)) {
                    return None;
                }
                (after.doing, after.last, after.rounds) = (Doing::Decides, None, 0);
                after.is_unknown = false;
                if after.state.is_some() {
                    // Nobody waits for the answer any more. It changes only what was `sent`.
                    after.take(&SubmissionStep::BrokenOff);
                }
            }
            Event::BundlerRestarts => after.pool = [false; OPERATIONS],
            Event::Executes(operation) => {
                let is_open = self.newest > self.finalized;
                if !self.kept[operation] || !self.is_executable(operation, program) || !is_open {
                    return None;
                }
                after.executed[operation] = Some(self.newest);
            }
            Event::AddsBlock => after.newest = (self.newest < LAST).then_some(self.newest + 1)?,
            Event::Finalizes => {
                after.finalized = (self.finalized < self.newest).then_some(self.newest)?;
            }
            Event::GoesBack => {
                let newest = self.newest - 1;
                after.newest = (newest >= 1 && newest >= self.finalized).then_some(newest)?;
                for block in &mut after.executed {
                    *block = block.filter(|block| *block <= newest);
                }
            }
            // Without a node and without receipts nobody could tell.
            Event::Prunes => after.pruned = program.has_node.then_some(self.newest)?,
        }
        (after != *self).then_some(after)
    }

    /// What happens next to the program if everybody is honest.
    fn usual(&self, program: Program) -> Event {
        match (self.doing, self.next()) {
            (Doing::Waits(operation), _) => {
                let words = if self.is_used(operation, u8::MAX) {
                    NONCE
                } else if self.is_executable(operation, program) {
                    Words::Accepted
                } else {
                    CHANGE
                };
                Event::Answers { words, keeps: words == Words::Accepted }
            }
            (Doing::Decides, SubmissionNext::Prepare | SubmissionNext::Replace) => {
                let valid = |number: &usize| self.is_executable(*number, program);
                let fresh = (0..OTHER_ACCOUNT).find(|n| !self.signed[*n] && valid(n));
                let known = || (0..OTHER_ACCOUNT).rev().find(valid);
                Event::Estimates(fresh.or_else(known).or(Some(OTHER_ACCOUNT - 1)))
            }
            (Doing::Decides, SubmissionNext::Ask) => {
                let is_there = |block: Option<u8>| block.is_some_and(|block| block > self.pruned);
                let executed = (0..OPERATIONS).find(|n| is_there(self.executed[*n]));
                Event::Receipt(executed.map(|operation| (operation, true)))
            }
            _ => Event::Goes,
        }
    }

    /// The world after that, and after what an honest bundler and chain do while the program waits.
    fn honestly(&self, program: Program) -> Self {
        let mut after = self.after(self.usual(program), program).unwrap_or_else(|| self.clone());

        // A bundler includes what it has, in the next block.
        after.newest = after.newest.saturating_add(1);
        let found = (0..OPERATIONS)
            .find(|number| after.pool[*number] && after.is_executable(*number, program));
        if let Some(operation) = found {
            after.executed[operation] = Some(after.newest);
        }
        after.finalized = after.newest;
        after
    }

    /// The law that this world breaks by itself.
    fn breaks(&self, program: Program) -> Option<&'static str> {
        let executed = self.executed.iter().flatten().count();
        // Each account has a nonce of its own.
        let can_be = |n: usize| {
            self.executed[n].is_some() || (self.kept[n] && self.is_executable(n, program))
        };
        if executed > 1 || (can_be(OTHER_ACCOUNT) && (0..OTHER_ACCOUNT).any(can_be)) {
            return Some("the chain can execute the intent twice");
        }
        match self.doing {
            Doing::Ended(Said::Executed) if program.has_node && executed == 0 => {
                Some("it says that the intent was executed, and it was not")
            }
            Doing::Ended(Said::Expired) if executed > 0 => {
                Some("it says that the intent expired, and it was executed")
            }
            _ => self.broken,
        }
    }

    fn ends_honestly(&self, program: Program) -> bool {
        let mut world = self.clone();
        for _ in 0..60 {
            if matches!(world.doing, Doing::Ended(_)) {
                return true;
            }
            world = world.honestly(program);
        }
        false
    }
}

/// All that others can do in any world.
fn events() -> Vec<Event> {
    let mut events = vec![Event::Goes, Event::Estimates(None)];
    events.extend((0..OPERATIONS).map(|operation| Event::Estimates(Some(operation))));
    for words in ALL_WORDS {
        events.extend([true, false].map(|keeps| Event::Answers { words, keeps }));
    }
    events.push(Event::Receipt(None));
    for operation in 0..OTHER_ACCOUNT {
        events.extend([true, false].map(|success| Event::Receipt(Some((operation, success)))));
    }
    events.extend((0..OPERATIONS).map(Event::Executes));
    events.extend([
        Event::ProgramRestarts,
        Event::BundlerRestarts,
        Event::AddsBlock,
        Event::Finalizes,
        Event::GoesBack,
        Event::Prunes,
    ]);
    events
}

impl Model for Program {
    type World = World;
    type Event = Event;

    fn broken(&self, world: &World) -> Option<&'static str> {
        let is_endless = || !world.ends_honestly(*self);
        let endless = "everybody is honest, and it never ends";
        world.breaks(*self).or_else(|| is_endless().then_some(endless))
    }

    fn next(&mut self, world: &World, next: &mut Vec<(World, Event)>) {
        let after = |event| Some((world.after(event, *self)?, event));
        next.extend(events().into_iter().filter_map(after));
    }

    /// Worlds that differ least from what is usual are the nearest.
    fn distance(&self, world: &World, event: Event) -> usize {
        let is_usual = event == world.usual(*self)
            || matches!(event, Event::Executes(_) | Event::AddsBlock | Event::Finalizes);
        usize::from(!is_usual)
    }
}
