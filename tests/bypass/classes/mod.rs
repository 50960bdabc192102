//! The classes, by what they attack.

mod bytes;
mod calls;
mod deployment;
mod details;
mod echoes;
mod lie;
mod names;
mod replay;
mod requests;
mod second;
mod text;

use crate::{Case, Chance, Draft, NFT, RAW, TOKEN};

/// One way around the comparison of a reply with its request.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// A stable name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Where it was seen: a title and a link for each.
    pub seen: &'static [(&'static str, &'static str)],
    /// What refuses it here.
    pub refused_by: &'static str,
    /// The types of request that it applies to.
    pub kinds: &'static [&'static str],
    make: fn(Draft, &mut Chance) -> Case,
}

impl Class {
    /// The type of the request of a number.
    #[must_use]
    pub fn kind(&self, seed: u64) -> &'static str {
        self.kinds[(seed % self.kinds.len() as u64) as usize]
    }

    /// The case of a number, made of the original request of that number.
    #[must_use]
    pub fn case(&self, original: &Draft, seed: u64) -> Case {
        (self.make)(original.clone(), &mut Chance::new(seed, self.name))
    }
}

/// All types, and those with a recipient.
const ALL: &[&str] = &[NFT, TOKEN, RAW];
const MOVES: &[&str] = &[NFT, TOKEN];

/// A group of classes.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Its title on the page.
    pub title: &'static str,
    pub classes: &'static [Class],
}

/// All groups, in the order of the page.
pub const GROUPS: &[Group] = &[
    Group { title: "Another transfer than the requested one", classes: details::CLASSES },
    Group { title: "The rest of the reply", classes: echoes::CLASSES },
    Group { title: "What the request leaves open", classes: deployment::CLASSES },
    Group { title: "Something else is sent, or somewhere else", classes: replay::CLASSES },
    Group { title: "Text", classes: text::CLASSES },
    Group { title: "Encoded bytes", classes: bytes::CLASSES },
    Group {
        title: "The request itself is the attack: calls of contracts",
        classes: calls::CLASSES,
    },
    Group {
        title: "The request itself is the attack: recipients and other fields",
        classes: requests::CLASSES,
    },
    Group { title: "Lists of tokens and chains", classes: names::CLASSES },
    Group { title: "What a second device compares", classes: second::CLASSES },
];

/// All classes.
pub fn all() -> impl Iterator<Item = &'static Class> {
    GROUPS.iter().flat_map(|group| group.classes)
}
