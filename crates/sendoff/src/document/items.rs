//! Lists whose parts are kept.

use alloc::{vec, vec::Vec};

use super::{Count, Is, Listed, Typed, Value, Valued};

/// A list of `LEAST` to `MOST` items. The parts of one that may be empty are kept, so that rules between items can be checked
/// where an item could not be read whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline, description = ""))]
pub(crate) struct Items<T, const LEAST: usize, const MOST: usize>(
    #[cfg_attr(feature = "schema", schemars(length(min = LEAST, max = MOST)))] Vec<T>,
);

impl<T, const MOST: usize> Items<T, 0, MOST> {
    pub(crate) const fn of(list: Vec<T>) -> Self {
        Self(list)
    }
}

impl<T, const MOST: usize> Items<T, 1, MOST> {
    pub(crate) fn one(item: T) -> Self {
        Self(vec![item])
    }

    /// Items; nothing for an empty list.
    pub(crate) fn of_some(list: Vec<T>) -> Option<Self> {
        if list.is_empty() { None } else { Some(Self(list)) }
    }
}

impl<T, const LEAST: usize, const MOST: usize> Items<T, LEAST, MOST> {
    pub(crate) const fn as_slice(&self) -> &[T] {
        self.0.as_slice()
    }

    pub(crate) const fn as_mut_slice(&mut self) -> &mut [T] {
        self.0.as_mut_slice()
    }

    pub(crate) fn into_vec(self) -> Vec<T> {
        self.0
    }

    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        self.0.extend(items);
    }
}

impl<T: Typed, const LEAST: usize, const MOST: usize> Items<T, LEAST, MOST> {
    const COUNT: Count = Count {
        item: &T::IS,
        least: LEAST,
        most: MOST,
        expected: T::LIST,
        in_parts: LEAST == 0,
        is_first: true,
    };
}

impl<T: Typed, const LEAST: usize, const MOST: usize> Valued for Items<T, LEAST, MOST> {
    const IS: Is = Is::Counted(&Self::COUNT);

    fn to_value(&self) -> Value {
        self.0.to_value()
    }

    fn write_json(&self, out: &mut Vec<u8>) {
        self.0.write_json(out);
    }
}

impl<T: Typed, const LEAST: usize, const MOST: usize> Typed for Items<T, LEAST, MOST> {
    fn of_value(value: &Value) -> Option<Self> {
        Vec::of_value(value).map(Self)
    }
}

impl<T, const LEAST: usize, const MOST: usize> Listed for Items<T, LEAST, MOST> {
    type Item = T;
}
