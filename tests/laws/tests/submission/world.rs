//! A world: what everybody holds at one moment, and what happens between two of them.

use std::fmt;

/// Three jobs: the first, and one more for each client.
pub(super) const JOBS: [usize; 3] = [0, 1, 2];

/// The last second of the model. Each block has a second of its own.
pub(super) const LAST: u8 = 4;

/// An operation: its job, and when it ends. Only the first job has a replacement.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    pub(super) job: usize,
    pub(super) ends: Option<u8>,
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
    pub(super) const ALL: [Self; 7] = [
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
pub(super) enum Memory {
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
pub(super) struct World {
    /// The number of the stored state; 0 if there is none.
    pub(super) stored: u16,
    pub(super) clients: [Memory; 2],
    /// The operations that the service has, as bits.
    pub(super) kept: u8,
    /// The second in which each operation was executed; 0 if it was not.
    pub(super) executed: [u8; 4],
    /// The newest block, and the newest one that is finalized.
    pub(super) newest: u8,
    pub(super) finalized: u8,
    /// Jobs with a try that nobody waits for any more, as bits.
    pub(super) abandoned: u8,
    /// Jobs that were made, as bits.
    pub(super) made: u8,
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

/// What happened between two worlds: by whom, what, and to which operation, job, step or block.
#[derive(Clone, Copy)]
pub(super) struct Event(pub(super) &'static str, pub(super) &'static str, pub(super) u8);

pub(super) const CLIENTS: [&str; 2] = ["the first client", "the second client"];
/// The service's replies, in the order of their steps.
pub(super) const REPLIES: [&str; 4] =
    ["hears success of", "hears 400 of", "hears AA25 of", "hears 500 of"];
pub(super) const CHAIN: &str = "the chain";

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(who, what, number) = self;
        write!(f, "{who} {what} {number}")
    }
}

/// The operations: two of the first job, one of each other.
pub(super) fn operations(setting: &Setting) -> [Operation; 4] {
    let [first, replacement, second, third] = setting.ends;
    [(0, first), (0, replacement), (1, second), (2, third)]
        .map(|(job, ends)| Operation { job, ends })
}

pub(super) fn with(mut world: World, client: usize, memory: Memory) -> World {
    world.clients[client] = memory;
    world
}
