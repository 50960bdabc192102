//! Law of the next action: a program that follows [`Submission::next`] executes an intent at most once, says what is so, and
//! ends as soon as everybody is honest.
//!
//! A world is what a program, a bundler, a service, a node and a chain hold at one moment. Everybody but the node is hostile,
//! and everybody can be started again: the service answers with an operation that is known, or of another account; the
//! bundler refuses in any words, loses what it accepted, forges receipts or forgets them; what was sent once can be executed
//! at any time. From every world that is met, the check goes on as an honest service, bundler and chain would, which must end.

use std::collections::{HashMap, VecDeque};

use sendoff::submission::{
    Submission, SubmissionLast, SubmissionNext, SubmissionPhase, SubmissionStep, SubmissionVerdict,
    advance,
};
use sendoff::user_op::{BundlerError, RefusalNext};
use serde_json::json;

use super::steps::{hash, job_id};

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
pub(super) struct Setting {
    /// The program has a node of its own.
    pub(super) has_node: bool,
    /// The first operation ends at block 1, which the chain enforces.
    pub(super) ends: bool,
    pub(super) fault: Option<Fault>,
}

impl Setting {
    fn end_of(self, operation: usize) -> Option<u8> {
        (self.ends && operation == 0).then_some(1)
    }
}

/// What a program does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Doing {
    Decides,
    Sends(usize),
    Waits(usize),
    /// It ended, and says this of the intent.
    Ended(Said),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Said {
    Executed,
    Expired,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct World {
    /// What the program's store has: the state, and the operations that were signed.
    state: Option<Submission>,
    signed: [bool; OPERATIONS],
    /// What the program has in memory.
    doing: Doing,
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
enum Event {
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
enum Words {
    Accepted,
    Nothing,
    Unknown,
    Nonce,
    Change,
    Later,
    Replace,
}

impl Words {
    const ALL: [Self; 7] = [
        Self::Accepted,
        Self::Nothing,
        Self::Unknown,
        Self::Nonce,
        Self::Change,
        Self::Later,
        Self::Replace,
    ];

    /// The error of a refusal.
    fn error(self) -> Option<BundlerError> {
        let (code, message) = match self {
            Self::Accepted | Self::Nothing => return None,
            Self::Unknown => (-32602, "user operation of this sender waits already"),
            Self::Nonce => (-32500, "AA25 invalid account nonce"),
            Self::Change => (-32503, "expires too soon"),
            Self::Later => (-32504, "throttled"),
            Self::Replace => (-32602, "Replacement UserOperation must have higher fees"),
        };
        Some(json!({ "code": code, "message": message }).to_string().parse().unwrap())
    }
}

impl World {
    fn start() -> Self {
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

    fn is_executable(&self, operation: usize, setting: Setting) -> bool {
        setting.end_of(operation).is_none_or(|end| self.newest <= end)
            && !self.is_used(operation, u8::MAX)
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
        let step = json!({ "type": "nonce", "used": used, "now": now });
        self.take(&step.to_string().parse().unwrap());
        used
    }

    /// The step of an operation is stored before it is sent.
    fn takes_operation(&mut self, operation: usize, setting: Setting) {
        let kind = match self.current() {
            Some(current) if current != operation => "replaced",
            _ => "sent",
        };
        let mut step = json!({ "type": kind, "jobId": job_id(0), "hash": hash(operation) });
        if let Some(end) = setting.end_of(operation) {
            step["validUntil"] = end.into();
        }
        let verdict = self.take(&step.to_string().parse().unwrap());
        self.signed[operation] = true;
        self.last = None;
        if verdict == Some(SubmissionVerdict::MayHaveHappened) {
            self.doing = Doing::Sends(operation);
        }
    }

    /// The program waits for nothing but itself.
    fn goes(&mut self, setting: Setting) {
        match self.doing {
            Doing::Sends(operation) => {
                self.kept[operation] = true;
                self.doing = Doing::Waits(operation);
            }
            Doing::Decides => match self.next() {
                SubmissionNext::Send => {
                    self.rounds = 0;
                    let current = self.current().unwrap();
                    self.takes_operation(current, setting);
                }
                SubmissionNext::End => self.ends(setting),
                SubmissionNext::Prepare | SubmissionNext::Replace | SubmissionNext::Ask => {}
            },
            Doing::Waits(_) | Doing::Ended(_) => {}
        }
    }

    /// The program's own node has the last word.
    fn ends(&mut self, setting: Setting) {
        let phase = self.state.as_ref().map(|state| state.phase);
        if phase == Some(SubmissionPhase::Expired) {
            self.doing = Doing::Ended(Said::Expired);
        } else if !setting.has_node
            || setting.fault == Some(Fault::ReceiptAgainstNode)
            || self.takes_nonce()
        {
            self.doing = Doing::Ended(Said::Executed);
        } else {
            self.last = None;
        }
    }

    fn is_estimated(&mut self, operation: usize, setting: Setting) {
        if operation == OTHER_ACCOUNT && setting.fault != Some(Fault::SenderNotCompared) {
            self.last = None;
            return;
        }
        if self.signed[operation] && setting.fault == Some(Fault::SignedAgain) {
            self.broken = Some("a hash whose signature is stored is signed again");
        }
        if self.is_unknown {
            self.broken = Some("a refusal in unknown words leads to another operation");
        }
        self.takes_operation(operation, setting);
    }

    fn is_answered(&mut self, words: Words, setting: Setting) {
        self.doing = Doing::Decides;
        let Some(error) = words.error() else {
            let step = match words {
                Words::Accepted => SubmissionStep::accepted(),
                _ => SubmissionStep::BrokenOff,
            };
            self.take(&step);
            self.last = None;
            return;
        };

        self.take(&SubmissionStep::from(&error));
        let next = match error.refusal().next {
            _ if words == Words::Unknown && setting.fault == Some(Fault::UnknownWordsChange) => {
                RefusalNext::Change
            }
            next => next,
        };
        self.last = Some(next.into());
        self.is_unknown = words == Words::Unknown;
    }

    /// The bundler was asked for receipts, and then the program's node for the nonce.
    fn is_told(&mut self, receipt: Option<(usize, bool)>, setting: Setting) {
        self.is_unknown = false;
        if let Some((operation, success)) = receipt {
            let receipt = json!({ "userOpHash": hash(operation), "success": success });
            let step = json!({ "type": "receipt", "receipt": receipt });
            self.take(&step.to_string().parse().unwrap());
        } else {
            self.take(&SubmissionStep::Receipt(None));
        }

        self.rounds = self.rounds.saturating_add(1).min(ROUNDS);
        let settled = self.next() == SubmissionNext::End;
        let used = setting.has_node && !settled && self.takes_nonce();
        if used && self.rounds >= ROUNDS {
            // Nobody has the receipt any more.
            self.doing = Doing::Ended(Said::Executed);
        }
        let is_vain = self.rounds >= ROUNDS && setting.fault != Some(Fault::NoSecondSend);
        self.last = Some(if is_vain { SubmissionLast::Vain } else { SubmissionLast::Asked });
    }

    /// The world after an event; `None` if it cannot happen now.
    fn after(&self, event: Event, setting: Setting) -> Option<Self> {
        let mut after = self.clone();
        match event {
            Event::Goes => after.goes(setting),
            Event::Estimates(operation) => match (self.doing, self.next()) {
                (Doing::Decides, SubmissionNext::Prepare | SubmissionNext::Replace) => {
                    match operation {
                        Some(OTHER_ACCOUNT) if self.state.is_none() => return None,
                        Some(operation) => after.is_estimated(operation, setting),
                        None => after.last = None,
                    }
                }
                _ => return None,
            },
            Event::Answers { words, keeps } => {
                let Doing::Waits(operation) = self.doing else { return None };
                after.pool[operation] |= keeps;
                after.is_answered(words, setting);
            }
            Event::Receipt(receipt) => {
                if self.doing != Doing::Decides || self.next() != SubmissionNext::Ask {
                    return None;
                }
                after.is_told(receipt, setting);
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
                if !self.kept[operation] || !self.is_executable(operation, setting) || !is_open {
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
            Event::Prunes => after.pruned = setting.has_node.then_some(self.newest)?,
        }
        (after != *self).then_some(after)
    }

    /// What happens next to the program if everybody is honest.
    fn usual(&self, setting: Setting) -> Event {
        match (self.doing, self.next()) {
            (Doing::Waits(operation), _) => {
                let words = if self.is_used(operation, u8::MAX) {
                    Words::Nonce
                } else if self.is_executable(operation, setting) {
                    Words::Accepted
                } else {
                    Words::Change
                };
                Event::Answers { words, keeps: words == Words::Accepted }
            }
            (Doing::Decides, SubmissionNext::Prepare | SubmissionNext::Replace) => {
                let valid = |number: &usize| self.is_executable(*number, setting);
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
    fn honestly(&self, setting: Setting) -> Self {
        let mut after = self.after(self.usual(setting), setting).unwrap_or_else(|| self.clone());

        // A bundler includes what it has, in the next block.
        after.newest = after.newest.saturating_add(1);
        let found = (0..OPERATIONS)
            .find(|number| after.pool[*number] && after.is_executable(*number, setting));
        if let Some(operation) = found {
            after.executed[operation] = Some(after.newest);
        }
        after.finalized = after.newest;
        after
    }

    /// The law that this world breaks by itself.
    fn breaks(&self, setting: Setting) -> Option<&'static str> {
        let executed = self.executed.iter().flatten().count();
        // Each account has a nonce of its own.
        let can_be = |n: usize| {
            self.executed[n].is_some() || (self.kept[n] && self.is_executable(n, setting))
        };
        if executed > 1 || (can_be(OTHER_ACCOUNT) && (0..OTHER_ACCOUNT).any(can_be)) {
            return Some("the chain can execute the intent twice");
        }
        match self.doing {
            Doing::Ended(Said::Executed) if setting.has_node && executed == 0 => {
                Some("it says that the intent was executed, and it was not")
            }
            Doing::Ended(Said::Expired) if executed > 0 => {
                Some("it says that the intent expired, and it was executed")
            }
            _ => self.broken,
        }
    }

    fn ends_honestly(&self, setting: Setting) -> bool {
        let mut world = self.clone();
        for _ in 0..60 {
            if matches!(world.doing, Doing::Ended(_)) {
                return true;
            }
            world = world.honestly(setting);
        }
        false
    }
}

/// All that others can do in any world.
fn events() -> Vec<Event> {
    let mut events = vec![Event::Goes, Event::Estimates(None)];
    events.extend((0..OPERATIONS).map(|operation| Event::Estimates(Some(operation))));
    for words in Words::ALL {
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

/// What a check found.
pub(super) struct Found {
    pub(super) worlds: usize,
    pub(super) ended: usize,
    /// The events that break a law, and the law.
    pub(super) broken: Option<String>,
}

/// Visits worlds, those first that differ least from what is usual.
pub(super) fn check(setting: Setting, most: usize) -> Found {
    let events = events();
    let mut met: HashMap<World, Option<(World, Event)>> = HashMap::from([(World::start(), None)]);
    // By the number of events that are not usual.
    let mut waiting = vec![VecDeque::from([World::start()])];
    let (mut worlds, mut ended) = (0, 0);

    while let Some(unusual) = waiting.iter().position(|worlds| !worlds.is_empty())
        && worlds < most
    {
        let world = waiting[unusual].pop_front().unwrap();
        worlds += 1;
        ended += usize::from(matches!(world.doing, Doing::Ended(_)));
        let broken = world.breaks(setting).or_else(|| {
            (!world.ends_honestly(setting)).then_some("everybody is honest, and it never ends")
        });
        if let Some(broken) = broken {
            let way = way(&met, &world);
            return Found { worlds, ended, broken: Some(format!("{way:?} => {broken}")) };
        }

        let usual = world.usual(setting);
        for event in &events {
            let Some(after) = world.after(*event, setting) else { continue };
            if !met.contains_key(&after) {
                met.insert(after.clone(), Some((world.clone(), *event)));
                let is_usual = *event == usual
                    || matches!(event, Event::Executes(_) | Event::AddsBlock | Event::Finalizes);
                let unusual = unusual + usize::from(!is_usual);
                waiting.resize(waiting.len().max(unusual + 1), VecDeque::new());
                waiting[unusual].push_back(after);
            }
        }
    }
    Found { worlds, ended, broken: None }
}

/// The events on the way to a world.
fn way(met: &HashMap<World, Option<(World, Event)>>, world: &World) -> Vec<Event> {
    let mut way = Vec::new();
    let mut at = world;
    while let Some((before, event)) = &met[at] {
        way.push(*event);
        at = before;
    }
    way.reverse();
    way
}
