//! What is wrong in options and in a saved state.

use alloc::{boxed::Box, string::String, vec::Vec};

use sendoff::error::{Error, Issue, IssueCode};

use crate::Json;
use crate::text::cut;

/// The largest number of problems that are told.
const MOST_ISSUES: usize = 100;

/// The problems of a value that is not what was expected. What returns them moves an address.
#[derive(Debug)]
pub(crate) struct Misfit(Box<Problems>);

#[derive(Debug)]
struct Problems {
    issues: Vec<Issue>,
}

impl Misfit {
    /// Another value than the expected one.
    pub(crate) fn new(expected: &str, found: &Json) -> Self {
        let text = found.as_text().map_or_else(|| found.to_json(), Into::into);
        Self::said(IssueCode::Format, &["expected ", expected, ", found `", cut(&text), "`"])
    }

    #[inline(never)]
    fn of(issues: Vec<Issue>) -> Self {
        Self(Box::new(Problems { issues }))
    }

    /// A sentence in parts.
    #[inline(never)]
    pub(crate) fn said(code: IssueCode, parts: &[&str]) -> Self {
        Self::of(Vec::from([Issue::new(String::new(), code, parts.concat())]))
    }

    /// The same, of the value that has it at this key.
    #[inline(never)]
    pub(crate) fn within(mut self, key: &str) -> Self {
        for Issue { path, .. } in &mut self.0.issues {
            *path = if path.is_empty() { key.into() } else { [key, ".", path].concat() };
        }
        self
    }

    /// Adds the problems of a part to those of the whole.
    #[inline(never)]
    pub(crate) fn join(whole: &mut Result<(), Self>, part: Result<(), Self>) {
        match (whole, part) {
            (_, Ok(())) => {}
            (Err(Self(whole)), Err(Self(part))) => {
                whole.issues.extend(part.issues);
                whole.issues.truncate(MOST_ISSUES);
            }
            (whole, part) => *whole = part,
        }
    }

    /// The same, behind a sentence about the whole.
    pub(crate) fn behind(mut self, said: &str) -> Self {
        self.0.issues.insert(0, Issue::new(String::new(), IssueCode::Format, said.into()));
        self
    }
}

impl From<Error> for Misfit {
    fn from(error: Error) -> Self {
        Self::of(error.into_issues())
    }
}

impl From<Misfit> for Error {
    fn from(misfit: Misfit) -> Self {
        let mut issues = misfit.0.issues.into_iter();
        let none = || Issue::new(String::new(), IssueCode::Format, String::new());
        let mut error = Self::from(issues.next().unwrap_or_else(none));
        error.extend(issues);
        error
    }
}
