//! The problems of one input while it is read.

use alloc::{string::String, vec::Vec};

use super::{Error, Issue, IssueCode, Path, Wanted};
use crate::document::Items;
use crate::first_equal::{Key, first_equal, keep_first_equal};
use crate::text::{WriteText, fill};

/// The problems found so far in one input.
#[derive(Default)]
pub(crate) struct Issues {
    found: Vec<Issue>,
    bytes: usize,
}

impl Issues {
    /// The most bytes of paths and messages that are kept. Without this bound, a document that consists of deeply
    /// nested problems would cost thousands of times its own size.
    const ROOM: usize = 4 << 20;

    /// The most problems of an answer: a small document can have tens of thousands, and nobody reads them.
    pub(crate) const MOST: usize = 1000;

    pub(crate) fn push(&mut self, at: &Path<'_>, code: IssueCode, message: String) {
        self.add(Issue::new(at.to_text(), code, message));
    }

    /// Pushes an issue about a value of a type. `found` are the words after `found`.
    #[cold]
    #[inline(never)]
    pub(crate) fn push_wanted(
        &mut self,
        at: &Path<'_>,
        code: IssueCode,
        wanted: &Wanted,
        found: &str,
    ) {
        let message = fill("expected {}, found {}", &[&wanted.words, &found]);
        self.add(Issue { kind: wanted.name(), ..Issue::new(at.to_text(), code, message) });
    }

    pub(crate) fn add(&mut self, issue: Issue) {
        if self.bytes <= Self::ROOM {
            self.bytes =
                self.bytes.saturating_add(issue.path.len()).saturating_add(issue.message.len());
            self.found.push(issue);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns `value` if there are no problems, else the first 1,000: for each place the first of its codes.
    pub(crate) fn or<T>(self, value: Option<T>) -> Result<T, Error> {
        match value {
            Some(value) if self.found.is_empty() => Ok(value),
            _ => Err(self.error()),
        }
    }

    /// The error of the issues. What could not be read has one.
    #[cold]
    #[inline(never)]
    pub(crate) fn error(self) -> Error {
        let mut issues = self.into_issues();
        issues.truncate(Self::MOST);
        Items::of_some(issues).map_or_else(
            || {
                let message = "expected a value that can be read, found one that cannot";
                Error::one(IssueCode::Rule, message.into())
            },
            |issues| Error { issues },
        )
    }

    /// Returns all problems, of which an answer has only the first 1,000: one issue for each place, and for call data one for each
    /// field, the one whose code is the first in the order of [`IssueCode`], where it is.
    pub(crate) fn into_issues(mut self) -> Vec<Issue> {
        let keys: Vec<Key<'_>> =
            self.found.iter().map(|issue| (None, &*issue.path, issue.field.as_deref())).collect();
        let first_equal = first_equal(&keys);
        let code = |at: usize| self.found.get(at).map(|issue| issue.code);
        // For each place, at its first issue: the index of the issue to keep.
        let mut best: Vec<usize> = (0..first_equal.len()).collect();

        for (at, first) in first_equal.iter().enumerate() {
            if let Some(best) = best.get_mut(*first)
                && code(at) < code(*best)
            {
                *best = at;
            }
        }

        let kept: Vec<_> =
            first_equal.iter().filter_map(|first| best.get(*first).copied()).collect();
        keep_first_equal(&mut self.found, &kept);

        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_once_with_its_first_code() {
        let mut issues = Issues::default();
        let (b, a) = (Path::Field(&Path::Root, "b"), Path::Field(&Path::Root, "a"));
        issues.push(&b, IssueCode::Type, "1".into());
        issues.push(&a, IssueCode::Rule, "2".into());
        issues.push(&b, IssueCode::Duplicate, "3".into());
        let error = issues.or(Some(())).unwrap_err();
        let list: Vec<_> = error.issues().iter().map(|i| (i.path.as_str(), i.code)).collect();
        assert_eq!(list, [("a", IssueCode::Rule), ("b", IssueCode::Duplicate)]);
    }
}
