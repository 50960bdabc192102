//! The states of many callers in little memory.

use alloc::vec::Vec;
use core::{
    hash::{BuildHasher, Hasher},
    iter, mem,
};

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Time, Window};

/// Windows by scope: the records of all callers in sequence, and an index from hash to place.
///
/// A record is a packed window, the length of the scope and the scope's text: 12 bytes plus the text. A slot of the
/// index takes 5 bytes, and there are at most 16 slots for 7 callers. That makes 23.5 bytes a caller beside the text,
/// right after the index grew, plus the unused end of the last chunk. A map from texts to windows takes three times as
/// much: each of its slots has room for a window, a pointer and a length, and more than half of them are empty right
/// after it grew.
#[derive(Clone, Default)]
pub(super) struct Callers {
    index: HashTable<Place>,
    hasher: DefaultHashBuilder,
    chunks: Vec<Vec<u8>>,
}

/// The start of a record: its chunk, and the byte in it.
#[derive(Clone, Copy)]
struct Place {
    chunk: u16,
    byte: u16,
}

/// The window of a caller, in its record.
pub(super) struct Slot<'a> {
    low: &'a mut [u8; 8],
    high: &'a mut [u8; 2],
}

impl<'a> Slot<'a> {
    fn of(record: &'a mut [u8]) -> Option<Self> {
        // The length is checked once.
        let (low, high) = record.first_chunk_mut::<PACKED>()?.split_first_chunk_mut()?;
        high.first_chunk_mut().map(|high| Self { low, high })
    }

    #[inline]
    pub(super) fn window(&self) -> Window {
        unpack((*self.low, *self.high))
    }

    #[inline]
    pub(super) fn set(self, window: Window) {
        (*self.low, *self.high) = pack(window);
    }
}

/// The size of a chunk; a longer record gets a chunk of its own.
const CHUNK: usize = 1 << 16;

/// The number of chunks that a [`Place`] can address.
const CHUNKS: usize = 1 << 16;

/// A packed window: 54 bits for its start, counted from the earliest time, and 26 for its count. They are written and read
/// as one integer of 8 bytes and one of 2, because a processor reads faster what it just wrote in the same sizes.
type Packed = ([u8; 8], [u8; 2]);

/// The length of a packed window.
const PACKED: usize = 10;

/// The length of a record before its text.
const HEAD: usize = PACKED + 2;

impl Callers {
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    pub(super) fn find(&self, scope: &str) -> Option<Window> {
        let record = record(&self.chunks, self.place(scope)?);
        read(record).map(|(_, window, _)| window)
    }

    #[inline]
    pub(super) fn find_mut(&mut self, scope: &str) -> Option<Slot<'_>> {
        let Place { chunk, byte } = self.place(scope)?;
        let record = self.chunks.get_mut(usize::from(chunk))?.get_mut(usize::from(byte)..)?;
        Slot::of(record)
    }

    #[inline]
    fn place(&self, scope: &str) -> Option<Place> {
        let hash = hash(&self.hasher, scope.as_bytes());
        self.index
            .find(hash, |place| is_of(record(&self.chunks, *place), scope.as_bytes()))
            .copied()
    }

    pub(super) fn insert(&mut self, scope: &str, window: Window) {
        match self.find_mut(scope) {
            Some(slot) => slot.set(window),
            None => self.append(scope.as_bytes(), window),
        }
    }

    /// Drops all callers whose windows are not kept, and frees their memory.
    pub(super) fn retain(&mut self, keep: impl Fn(Window) -> bool) {
        let Self { chunks, .. } = mem::take(self);
        for chunk in chunks {
            for (scope, window) in records(&chunk).filter(|(_, window)| keep(*window)) {
                self.append(scope, window);
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Window)> {
        // Only valid text is stored.
        let text = |(scope, window)| Some((str::from_utf8(scope).ok()?, window));
        self.chunks.iter().flat_map(|chunk| records(chunk)).filter_map(text)
    }

    /// Adds a caller that was not found.
    #[expect(clippy::arithmetic_side_effects, reason = "memory is below `usize`")]
    pub(super) fn append(&mut self, scope: &[u8], window: Window) {
        let length = short(scope).to_le_bytes();
        let size = PACKED + length.len() + scope.len();

        if self.chunks.last().is_none_or(|chunk| chunk.len() + size > CHUNK) {
            // Keeping all callers would need unbounded memory, and ignoring new ones would leave
            // them without a limit. 4 GiB hold about 100 million callers of a day.
            if self.chunks.len() == CHUNKS {
                *self = Self::default();
            }
            if let Some(full) = self.chunks.last_mut() {
                full.shrink_to_fit();
            }
            self.chunks.push(Vec::new());
        }

        let Self { index, hasher, chunks } = self;
        let (count, Some(last)) = (chunks.len(), chunks.last_mut()) else { return };
        let (Ok(chunk), Ok(byte)) = (u16::try_from(count - 1), u16::try_from(last.len())) else {
            return;
        };

        // A vector would double its capacity by itself.
        if last.capacity() - last.len() < size {
            last.reserve_exact(size.max(last.len() / 16));
        }

        let (low, high) = pack(window);
        last.extend(low);
        last.extend(high);
        last.extend(length);
        last.extend(scope);

        index.insert_unique(hash(hasher, scope), Place { chunk, byte }, |place| {
            hash(hasher, read(record(chunks, *place)).map_or(&[], |(scope, ..)| scope))
        });
    }
}

/// The hash of a scope. `hash_one` would hash its length as well, which only matters if other values follow.
#[inline]
fn hash(hasher: &DefaultHashBuilder, scope: &[u8]) -> u64 {
    let mut hasher = hasher.build_hasher();
    hasher.write(scope);
    hasher.finish()
}

/// Returns the bytes from the start of a record on.
#[inline]
fn record(chunks: &[Vec<u8>], Place { chunk, byte }: Place) -> &[u8] {
    chunks
        .get(usize::from(chunk))
        .and_then(|chunk| chunk.get(usize::from(byte)..))
        .unwrap_or_default()
}

fn records(mut bytes: &[u8]) -> impl Iterator<Item = (&[u8], Window)> {
    iter::from_fn(move || {
        let (scope, window, rest) = read(bytes)?;
        bytes = rest;
        Some((scope, window))
    })
}

/// `true` if a record starts here that has this scope.
#[inline]
fn is_of(record: &[u8], scope: &[u8]) -> bool {
    let Some(([.., x, y], text)) = record.split_first_chunk::<HEAD>() else { return false };
    let length = u16::from_le_bytes([*x, *y]);
    length == short(scope)
        && text.starts_with(scope)
        && (length < u16::MAX || text.len() == scope.len())
}

/// The length of a scope as a record has it. A longer scope has the length 65,535 and extends to the end of its chunk.
fn short(scope: &[u8]) -> u16 {
    u16::try_from(scope.len()).unwrap_or(u16::MAX)
}

/// Returns the first record, and the bytes after it.
fn read(bytes: &[u8]) -> Option<(&[u8], Window, &[u8])> {
    let (low, bytes) = bytes.split_first_chunk()?;
    let (high, bytes) = bytes.split_first_chunk()?;
    let (length, bytes) = bytes.split_first_chunk()?;
    let length = match u16::from_le_bytes(*length) {
        u16::MAX => bytes.len(),
        length => length.into(),
    };
    let (scope, rest) = bytes.split_at_checked(length)?;
    Some((scope, unpack((*low, *high)), rest))
}

fn pack(window: Window) -> Packed {
    // No time is before the earliest.
    let start = window.start.as_ms().wrapping_sub(Time::MIN.as_ms()).cast_unsigned();
    let [x, y, ..] = (window.count >> 10).to_le_bytes();
    ((start | u64::from(window.count) << 54).to_le_bytes(), [x, y])
}

fn unpack((low, [x, y]): Packed) -> Window {
    let low = u64::from_le_bytes(low);
    let [p, q, ..] = (low >> 54).to_le_bytes();
    let start = Time::MIN.as_ms().saturating_add_unsigned(low & ((1 << 54) - 1));
    let count = u32::from(u16::from_le_bytes([p, q])) | u32::from(u16::from_le_bytes([x, y])) << 10;
    Window { start: Time::saturating(start), count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_window_is_the_same_window() {
        for start in [Time::MIN, Time::EPOCH, Time::saturating(1_750_000_000_123), Time::MAX] {
            for count in (0..21).map(|bit| 1 << bit).chain([0, 1_023, 1_024, (1 << 21) - 1]) {
                let window = Window { start, count };
                assert_eq!(unpack(pack(window)), window);
            }
        }
    }
}
