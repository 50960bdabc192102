//! Shares: how many of something one key may hold at once.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// What each key holds. No key can hold more than its share.
#[derive(Debug)]
pub(crate) struct Shares<K> {
    held: Mutex<HashMap<K, usize>>,
}

/// One thing that a key holds. Dropping it frees it.
#[derive(Debug)]
pub(crate) struct Share<K: Eq + Hash> {
    shares: Arc<Shares<K>>,
    key: K,
}

impl<K: Clone + Eq + Hash> Shares<K> {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { held: Mutex::default() })
    }

    /// Takes one for a key; `None` if the key holds this share already.
    pub(crate) fn take(self: &Arc<Self>, key: K, most: usize) -> Option<Share<K>> {
        let mut all = self.held();
        let held = all.entry(key.clone()).or_default();
        if *held >= most {
            return None;
        }
        *held = held.saturating_add(1);
        Some(Share { shares: Arc::clone(self), key })
    }
}

impl<K> Shares<K> {
    fn held(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of keys that hold something. The others take no memory.
    #[cfg(test)]
    pub(crate) fn keys(&self) -> usize {
        self.held().len()
    }
}

impl<K: Eq + Hash> Drop for Share<K> {
    fn drop(&mut self) {
        let mut all = self.shares.held();
        let left = all.get(&self.key).copied().unwrap_or_default().saturating_sub(1);
        match all.get_mut(&self.key) {
            Some(held) if left > 0 => *held = left,
            _ => drop(all.remove(&self.key)),
        }
    }
}
