//! Lists whose parts are kept.

use alloc::vec::Vec;

use super::{Count, Is, Typed, Value, Valued, Write};
use crate::error::{Issues, Path};

/// A list of at most `MOST` items. The parts that could be read are kept, so that rules between items can be checked where an
/// item could not be read whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Items<T, const MOST: usize>(pub(crate) Vec<T>);

impl<T: Typed, const MOST: usize> Items<T, MOST> {
    const COUNT: Count =
        Count { item: &T::IS, least: 0, most: MOST, expected: "", in_parts: true, is_first: true };

    /// A list; pushes an issue of code `range` if it is too long.
    pub(crate) fn new(list: Vec<T>, at: &Path<'_>, issues: &mut Issues) -> Self {
        Self::COUNT.check(list.len(), at, issues);
        Self(list)
    }
}

impl<T: Typed, const MOST: usize> Valued for Items<T, MOST> {
    const IS: Is = Is::Counted(&Self::COUNT);

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

impl<T: Typed, const MOST: usize> Typed for Items<T, MOST> {
    fn of_value(value: &Value) -> Option<Self> {
        Vec::of_value(value).map(Self)
    }
}

impl<T: Write, const MOST: usize> Write for Items<T, MOST> {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema, const MOST: usize> schemars::JsonSchema for Items<T, MOST> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        alloc::format!("{}Items", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "array", "items": generator.subschema_for::<T>(), "maxItems": MOST })
    }
}
