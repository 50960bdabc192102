//! A map by text, in the order of its keys.
//!
//! `BTreeMap` is code for each type of value, a sixth of the WebAssembly module. Here only a search
//! is, and an entry is as large as every other, so that what moves entries is there once for all
//! types.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::mem;

/// Values by text. To insert moves what is behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Map<T>(Vec<(String, Box<T>)>);

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Map<T> {
    /// The place of a key, or where it would be.
    fn place(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(key))
    }

    pub(crate) fn get(&self, key: &str) -> Option<&T> {
        let place = self.place(key).ok()?;
        self.0.get(place).map(|(_, value)| &**value)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut T> {
        let place = self.place(key).ok()?;
        self.0.get_mut(place).map(|(_, value)| &mut **value)
    }

    pub(crate) fn contains_key(&self, key: &str) -> bool {
        self.place(key).is_ok()
    }

    pub(crate) fn insert(&mut self, key: String, value: T) {
        let place = self.place(&key);
        let entry = (key, Box::new(value));
        match place {
            Ok(place) => {
                if let Some(known) = self.0.get_mut(place) {
                    *known = entry;
                }
            }
            Err(place) => self.insert_at(place, entry),
        }
    }

    /// A function of its own, which is the same for all types.
    #[inline(never)]
    fn insert_at(&mut self, place: usize, mut entry: (String, Box<T>)) {
        for known in self.0.iter_mut().skip(place) {
            mem::swap(known, &mut entry);
        }
        self.0.push(entry);
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<T> {
        self.place(key).ok().and_then(|place| self.remove_at(place))
    }

    /// Removes the entry that has the least of something; of several, the first.
    pub(crate) fn remove_least(&mut self, of: fn(&T) -> i64) {
        let entries = self.0.iter().enumerate();
        if let Some((place, _)) = entries.min_by_key(|(_, (_, value))| of(value)) {
            self.remove_at(place);
        }
    }

    fn remove_at(&mut self, place: usize) -> Option<T> {
        let mut next = self.0.pop()?;
        for entry in self.0.iter_mut().skip(place).rev() {
            mem::swap(entry, &mut next);
        }
        Some(*next.1)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(key, value)| (key.as_str(), &**value))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(key, _)| key)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.iter().map(|(_, value)| value)
    }

    pub(crate) fn retain(&mut self, keeps: impl Fn(&T) -> bool) {
        self.0.retain(|(_, value)| keeps(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_map_in_the_order_of_its_keys() {
        let mut map = Map::default();
        for (number, key) in (0..).zip(["c", "a", "d", "b", "a"]) {
            map.insert(key.into(), number);
        }
        let entries = |map: &Map<i64>| {
            map.iter().map(|(key, number)| alloc::format!("{key}{number}")).collect::<Vec<_>>()
        };
        assert_eq!(entries(&map), ["a4", "b3", "c0", "d2"]);
        assert_eq!((map.remove("b"), map.remove("b"), map.len()), (Some(3), None, 3));
        assert_eq!((map.get("c"), map.contains_key("b")), (Some(&0), false));
        map.remove_least(|number| -number);
        assert_eq!(entries(&map), ["c0", "d2"]);
        map.retain(|number| *number > 0);
        assert_eq!(
            (map.keys().collect::<Vec<_>>(), map.values().sum::<i64>()),
            (alloc::vec!["d"], 2)
        );
        map.remove("d");
        map.remove_least(|number| *number);
        assert_eq!(map, Map::default());
    }
}
