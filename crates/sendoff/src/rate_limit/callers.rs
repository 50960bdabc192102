//! The states of many callers in little memory.

use alloc::vec::Vec;
use core::{hash::BuildHasher, iter, mem};

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

/// A caller that was found.
#[derive(Clone, Copy)]
pub(super) struct Found {
    place: Place,
    pub(super) window: Window,
}

/// The size of a chunk; a longer record gets a chunk of its own.
const CHUNK: usize = 1 << 16;

/// The number of chunks that a [`Place`] can address.
const CHUNKS: usize = 1 << 16;

/// A packed window: 7 bytes for its start, counted from the earliest time, and 3 for its count.
type Packed = [u8; 10];

impl Callers {
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    pub(super) fn find(&self, scope: &str) -> Option<Found> {
        let same = |place: &Place| scope_of(record(&self.chunks, *place)) == scope.as_bytes();
        let place = *self.index.find(self.hasher.hash_one(scope.as_bytes()), same)?;
        read(record(&self.chunks, place)).map(|(_, window, _)| Found { place, window })
    }

    /// Replaces a window that was found, if no caller was dropped since.
    pub(super) fn replace(&mut self, Found { place: Place { chunk, byte }, .. }: Found, window: Window) {
        let bytes = self.chunks.get_mut(usize::from(chunk)).and_then(|chunk| chunk.get_mut(usize::from(byte)..));
        if let Some(packed) = bytes.and_then(<[u8]>::first_chunk_mut) {
            *packed = pack(window);
        }
    }

    pub(super) fn insert(&mut self, scope: &str, window: Window) {
        match self.find(scope) {
            Some(found) => self.replace(found, window),
            None => self.append(scope, window),
        }
    }

    /// Adds a caller that was not found.
    pub(super) fn append(&mut self, scope: &str, window: Window) {
        self.append_bytes(scope.as_bytes(), window);
    }

    /// Drops all callers whose windows are not kept, and frees their memory.
    pub(super) fn retain(&mut self, keep: impl Fn(Window) -> bool) {
        let Self { chunks, .. } = mem::take(self);
        for chunk in chunks {
            for (scope, window) in records(&chunk).filter(|(_, window)| keep(*window)) {
                self.append_bytes(scope, window);
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Window)> {
        // Only valid text is stored.
        let text = |(scope, window)| Some((str::from_utf8(scope).ok()?, window));
        self.chunks.iter().flat_map(|chunk| records(chunk)).filter_map(text)
    }

    #[expect(clippy::arithmetic_side_effects, reason = "what is held in memory is far smaller than `usize`")]
    fn append_bytes(&mut self, scope: &[u8], window: Window) {
        // A longer scope has the length 65,535 and extends to the end of its chunk.
        let length = u16::try_from(scope.len()).unwrap_or(u16::MAX).to_le_bytes();
        let size = size_of::<Packed>() + length.len() + scope.len();
        if self.chunks.last().is_none_or(|chunk| chunk.len() + size > CHUNK) {
            // To keep every caller would take unbounded memory, and to forget the newcomers would leave them without a
            // limit. 4 GiB is some 100 million callers a day.
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
        let (Ok(chunk), Ok(byte)) = (u16::try_from(count - 1), u16::try_from(last.len())) else { return };
        // A vector would double its capacity by itself.
        if last.capacity() - last.len() < size {
            last.reserve_exact(size.max(last.len() / 16));
        }
        last.extend(pack(window));
        last.extend(length);
        last.extend(scope);
        index.insert_unique(hasher.hash_one(scope), Place { chunk, byte }, |place| {
            hasher.hash_one(scope_of(record(chunks, *place)))
        });
    }
}

/// Returns the bytes from the start of a record on.
fn record(chunks: &[Vec<u8>], Place { chunk, byte }: Place) -> &[u8] {
    chunks.get(usize::from(chunk)).and_then(|chunk| chunk.get(usize::from(byte)..)).unwrap_or_default()
}

fn records(mut bytes: &[u8]) -> impl Iterator<Item = (&[u8], Window)> {
    iter::from_fn(move || {
        let (scope, window, rest) = read(bytes)?;
        bytes = rest;
        Some((scope, window))
    })
}

fn scope_of(record: &[u8]) -> &[u8] {
    read(record).map_or(&[], |(scope, ..)| scope)
}

/// Returns the first record, and the bytes after it.
fn read(bytes: &[u8]) -> Option<(&[u8], Window, &[u8])> {
    let (packed, bytes) = bytes.split_first_chunk()?;
    let (length, bytes) = bytes.split_first_chunk()?;
    let length = match u16::from_le_bytes(*length) {
        u16::MAX => bytes.len(),
        length => length.into(),
    };
    let (scope, rest) = bytes.split_at_checked(length)?;
    Some((scope, unpack(*packed), rest))
}

fn pack(window: Window) -> Packed {
    let [a, b, c, d, e, f, g, _] = window.start.as_ms().abs_diff(Time::MIN.as_ms()).to_le_bytes();
    let [x, y, z, _] = window.count.to_le_bytes();
    [a, b, c, d, e, f, g, x, y, z]
}

fn unpack([a, b, c, d, e, f, g, x, y, z]: Packed) -> Window {
    let start = i64::from_le_bytes([a, b, c, d, e, f, g, 0]);
    Window { start: Time::saturating(start.saturating_add(Time::MIN.as_ms())), count: u32::from_le_bytes([x, y, z, 0]) }
}
