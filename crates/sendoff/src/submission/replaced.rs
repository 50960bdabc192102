//! The operations that were sent before the last one.

use alloc::vec::Vec;

use serde::Serialize;

use crate::document::{Compare, Differ, Node, Read, Write, from_document, schema};
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
/// let error = "[]".parse::<Replaced>().unwrap_err();
/// assert_eq!(error.issues()[0].code.as_str(), "range");
/// assert!(Replaced::default().as_slice().is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
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
        let items: Vec<_> = list.iter().copied().map(Some).collect();

        if list.len() > Self::MAX {
            Self::push_count(list.len(), &Path::Root, &mut issues);
        }
        Self::judge(&items, None, &Path::Root, &mut issues);
        issues.or(Some(Self { list }))
    }

    /// The hashes, in the order of their replacement.
    #[must_use]
    pub fn as_slice(&self) -> &[Word] {
        &self.list
    }

    /// Moves a hash to the end, in the place of another; `None` if there are too many.
    pub(super) fn moved(&self, old: Word, new: Word) -> Option<Self> {
        let others = self.list.iter().copied().filter(|hash| *hash != new);
        let list: Vec<_> = others.chain([old]).collect();
        (list.len() <= Self::MAX).then_some(Self { list })
    }

    /// Pushes an issue of code `rule` at each hash that is the state's, or equal to an earlier one.
    pub(super) fn judge(items: &[Option<Word>], state: Option<Word>, at: &Path<'_>, issues: &mut Issues) {
        for (index, item) in items.iter().enumerate().filter(|(_, item)| item.is_some()) {
            let message = match items.iter().take(index).position(|earlier| earlier == item) {
                Some(earlier) => fill("expected each hash once, found that of item {} again", &[&earlier]),
                None if *item == state => "expected another hash than the state's, found the same".into(),
                None => continue,
            };
            issues.push(&Path::Item(at, index), IssueCode::Rule, message);
        }
    }

    #[cold]
    fn push_count(count: usize, at: &Path<'_>, issues: &mut Issues) {
        issues.push(at, IssueCode::Range, fill("expected {}, found {}", &[&Self::EXPECTED, &count]));
    }
}

impl Read for Replaced {
    const EXPECTED: &'static str = "an array of 1 to 16 hashes";

    /// The items that could be read.
    type Partial = Option<Vec<Option<Word>>>;

    fn read_partial(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues, parts: &mut Self::Partial) {
        let Node::List(items) = node else {
            Self::mistyped(node, at, issues);
            return;
        };

        let hashes = items.iter().enumerate().map(|(index, item)| Word::read(item, &Path::Item(at, index), issues));
        let mut hashes: Vec<_> = hashes.collect();

        if !(1..=Self::MAX).contains(&items.len()) {
            Self::push_count(items.len(), at, issues);
            hashes.push(None);
        }
        *parts = Some(hashes);
    }

    fn whole(partial: Self::Partial) -> Option<Self> {
        partial?.into_iter().collect::<Option<_>>().map(|list| Self { list })
    }

    fn into_partial(self) -> Self::Partial {
        Some(self.list.into_iter().map(Some).collect())
    }

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut parts = None;
        Self::read_partial(node, at, issues, &mut parts);
        Self::judge(parts.as_deref().unwrap_or_default(), None, at, issues);
        Self::whole(parts)
    }

    fn absent() -> Option<Self::Partial> {
        Some(Some(Vec::new()))
    }
}

impl Write for Replaced {
    fn write(&self, out: &mut Vec<u8>) {
        self.list.write(out);
    }

    fn is_absent(&self) -> bool {
        self.list.is_empty()
    }
}

impl Compare for Replaced {
    fn compare(expected: &Self::Partial, found: &Self, at: &Path<'_>, differ: Differ<'_>) {
        if let Some(expected) = Self::whole(expected.clone()) {
            crate::document::compare_whole(Some(&expected), found, at, differ);
        }
    }
}

from_document!(Replaced);

schema::of!(Replaced, |generator| {
    schemars::json_schema!({
        "type": "array",
        "description": "Other operations of the job that were sent, at most 16.",
        "items": generator.subschema_for::<Word>(),
        "minItems": 1,
        "maxItems": Self::MAX,
        "uniqueItems": true,
    })
});
