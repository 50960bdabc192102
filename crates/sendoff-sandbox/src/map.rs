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
        let (Ok(at) | Err(at)) = place;
        let mut next = (key, Box::new(value));
        for entry in self.0.iter_mut().skip(at) {
            mem::swap(entry, &mut next);
            if place.is_ok() {
                return;
            }
        }
        self.0.push(next);
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<T> {
        self.place(key).ok().and_then(|place| self.remove_at(place))
    }

    /// Removes the first entry.
    pub(crate) fn remove_first(&mut self) {
        self.remove_at(0);
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
        for (number, key) in ["c", "a", "d", "b", "a"].into_iter().enumerate() {
            map.insert(key.into(), number);
        }
        let entries = |map: &Map<usize>| {
            map.iter().map(|(key, number)| alloc::format!("{key}{number}")).collect::<Vec<_>>()
        };
        assert_eq!(entries(&map), ["a4", "b3", "c0", "d2"]);
        assert_eq!((map.remove("b"), map.remove("b"), map.len()), (Some(3), None, 3));
        assert_eq!((map.get("c"), map.contains_key("b")), (Some(&0), false));
        map.remove_first();
        assert_eq!(entries(&map), ["c0", "d2"]);
        map.retain(|number| *number > 0);
        assert_eq!(
            (map.keys().collect::<Vec<_>>(), map.values().sum::<usize>()),
            (alloc::vec!["d"], 2)
        );
        map.remove("d");
        map.remove_first();
        assert_eq!(map, Map::default());
    }
}
