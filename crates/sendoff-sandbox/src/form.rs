//! The body of a request, and all of its problems.

use alloc::{string::String, vec::Vec};
use core::mem;

use sendoff::error::{Issue, IssueCode};

use crate::Json;
use crate::fault::{Coded, Fault, sentence, unless_one_of};
use crate::text::{digits, of_digits};

/// A body, and its problems so far.
pub(crate) struct Form<'a> {
    pub(crate) body: &'a Json,
    problems: Vec<Issue>,
    /// The service's code for the first problem, if it is the only one.
    coded: Option<Coded>,
}

impl<'a> Form<'a> {
    /// A body with the problems of its fields' types.
    pub(crate) fn new(body: &'a Json, problems: Vec<Issue>) -> Self {
        Self { body, problems, coded: None }
    }

    /// Adds a problem, unless its field or one above it has one already.
    pub(crate) fn add(&mut self, issue: Issue) {
        let is_within = |known: &Issue| {
            let rest = issue.path.strip_prefix(&*known.path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if !self.problems.iter().any(is_within) {
            self.problems.push(issue);
        }
    }

    /// Adds the problem of a field that is not what was expected. If it is the only one, the reply has the service's code for it.
    #[inline(never)]
    pub(crate) fn wrong(
        &mut self,
        path: &str,
        code: IssueCode,
        expected: &str,
        coded: Option<Coded>,
    ) {
        let found = self.body.at(path);
        let found =
            found.map(|found| found.as_text().map_or_else(|| found.to_json(), String::from));
        if self.problems.is_empty() {
            self.coded = coded;
        }
        let code = if found.is_some() { code } else { IssueCode::Missing };
        self.add(Issue::new(path.into(), code, sentence(expected, found.as_deref())));
    }

    /// Checks a field that is one of some words.
    pub(crate) fn one_of(&mut self, path: &str, words: &[&str]) {
        if let Some(expected) = unless_one_of(words, self.body.text(path)) {
            self.wrong(path, IssueCode::Format, &expected, None);
        }
    }

    /// Checks a text that has a bound, in bytes.
    pub(crate) fn at_most(&mut self, path: &str, most: usize) {
        let text = self.body.at(path).and_then(Json::as_text).unwrap_or_default();
        if text.len() > most {
            let expected = ["at most ", &Json::from(most).to_json(), " bytes"].concat();
            self.wrong(path, IssueCode::Range, &expected, None);
        }
    }

    /// Reads an integer in its bounds; the least if it is absent, or of a type that is a problem already.
    pub(crate) fn integer(
        &mut self,
        path: &str,
        least: u64,
        most: u64,
        coded: Option<Coded>,
    ) -> u64 {
        let read = match self.body.get(path) {
            Some(Json::Number(text) | Json::Text(text)) => of_digits(text),
            _ => return least,
        };
        read.filter(|read| least <= *read && *read <= most).unwrap_or_else(|| {
            let expected = ["an integer from ", &digits(least), " to ", &digits(most)].concat();
            self.wrong(path, IssueCode::Range, &expected, coded);
            least
        })
    }

    /// Refuses the request if it has problems: all of them at once.
    pub(crate) fn finish(&mut self) -> Result<(), Fault> {
        match (self.coded, &*self.problems) {
            (Some(coded), [problem]) => Err(Fault::said(coded, problem.message.clone())),
            _ => Fault::unless_none(mem::take(&mut self.problems)),
        }
    }
}
