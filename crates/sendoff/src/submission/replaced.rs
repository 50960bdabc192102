//! The operations that were sent before the last one.

use alloc::vec::Vec;

use crate::document::{Count, Fields, Is, Listed, Presence, Record, Typed, Valued, traits};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::text::fill;
use crate::value::Word;

/// The hashes of a job's other operations that were sent, at most 16, in the order of their replacement.
///
/// In JSON an empty list is an absent field.
///
/// ```
/// use sendoff::submission::Replaced;
///
/// let hash = "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb".parse()?;
/// let error = Replaced::new(vec![hash, hash]).unwrap_err();
/// assert_eq!((&*error.issues()[0].path, error.issues()[0].code.as_str()), ("1", "rule"));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Replaced {
    list: Vec<Word>,
}

impl Replaced {
    /// The largest number of replaced operations.
    pub const MAX: usize = 16;

    /// Returns a list of hashes.
    ///
    /// # Errors
    ///
    /// `range` at the root for more than 16, `rule` at the later of two equal hashes.
    pub fn new(list: Vec<Word>) -> Result<Self, Error> {
        let mut issues = Issues::default();

        if list.len() > Self::MAX {
            COUNT.check(list.len(), &Path::Root, &mut issues);
        }
        let items: Vec<_> = list.iter().copied().map(Some).collect();
        Self::check_among(&items, None, &Path::Root, &mut issues);
        issues.or(Some(Self { list }))
    }

    /// The hashes, in the order of their replacement.
    #[must_use]
    pub fn as_slice(&self) -> &[Word] {
        &self.list
    }

    /// Moves a hash to the end of a list, in the place of another; `None` if there are too many.
    pub(super) fn moved(&self, old: Word, new: Word) -> Option<Self> {
        let mut list = self.list.clone();
        list.retain(|hash| *hash != new);
        list.push(old);
        (list.len() <= Self::MAX).then_some(Self { list })
    }

    /// Pushes an issue of code `rule` at each hash that is the state's, or equal to an earlier one.
    pub(super) fn check_among(
        items: &[Option<Word>],
        state: Option<Word>,
        at: &Path<'_>,
        issues: &mut Issues,
    ) {
        for (index, item) in items.iter().enumerate().filter(|(_, item)| item.is_some()) {
            let message = match items.iter().take(index).position(|earlier| earlier == item) {
                Some(earlier) => {
                    fill("expected each hash once, found that of item {} again", &[&earlier])
                }
                None if *item == state => {
                    "expected another hash than the state's, found the same".into()
                }
                None => continue,
            };
            issues.push(&Path::Item(at, index), IssueCode::Rule, message);
        }
    }
}

/// The number of hashes in a document; a list without any is absent.
static COUNT: Count = Count {
    item: &Word::IS,
    least: 1,
    most: Replaced::MAX,
    expected: "an array of 1 to 16 hashes",
    in_parts: true,
    is_first: false,
};

impl Valued for Replaced {
    const IS: Is = Is::Counted(&COUNT);

    fn record(&self) -> Record {
        if self.list.is_empty() { Record::absent() } else { Record::alone(&self.list) }
    }

    fn is_absent(&self) -> bool {
        self.list.is_empty()
    }
}

impl Typed for Replaced {
    const PRESENCE: Presence = Presence::Optional;

    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        let list: Option<Vec<Word>> = fields.next()?;
        Some(Self { list: list.unwrap_or_default() })
    }
}

impl Listed for Replaced {
    type Item = Word;
}

traits!(Replaced: serialize, schema(|generator| {
    schemars::json_schema!({
        "type": "array",
        "description": "Other operations of the job that were sent, at most 16.",
        "items": generator.subschema_for::<Word>(),
        "minItems": 1,
        "maxItems": Self::MAX,
        "uniqueItems": true,
    })
}));
