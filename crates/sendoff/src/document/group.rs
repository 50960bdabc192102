//! Groups of fields that an object has together or not at all.

use super::{Object, Read};

/// The keys of a document.
pub(crate) trait Keys {
    /// Every key of the document itself.
    const KEYS: &'static [&'static str];
}

/// The parts of an optional group of fields that could be read.
#[derive(Debug)]
pub(crate) struct Group<P> {
    is_there: bool,
    pub(crate) parts: P,
}

impl<P: Default> Default for Group<P> {
    fn default() -> Self {
        Self { is_there: true, parts: P::default() }
    }
}

impl<P: Default> Group<P> {
    /// Takes the fields out of an object if one of these keys is in it.
    pub(crate) fn take(
        &mut self,
        object: &mut Object<'_, '_>,
        keys: &[&'static str],
        take: impl FnOnce(&mut Object<'_, '_>, &mut P),
    ) {
        self.is_there = keys.iter().any(|key| object.has(key));
        if self.is_there {
            take(object, &mut self.parts);
        }
    }

    /// Returns the whole group, or its absence; `None` if some field could not be read.
    pub(crate) fn whole<T: Read<Partial = P>>(self) -> Option<Option<T>> {
        if self.is_there { T::whole(self.parts).map(Some) } else { Some(None) }
    }

    /// Wraps the group as it is.
    pub(crate) fn of<T: Read<Partial = P>>(group: Option<T>) -> Self {
        match group {
            Some(group) => Self { is_there: true, parts: group.into_partial() },
            None => Self { is_there: false, parts: P::default() },
        }
    }
}
