//! The query of a read: the part of a list that it wants, and what must be there.

use alloc::string::String;

use sendoff::error::IssueCode;

use crate::fault::{Fault, unless_one_of};
use crate::text::of_digits;
use crate::{Json, Request};

/// A part of a list.
pub(crate) struct Page {
    offset: usize,
    limit: usize,
}

/// The largest page.
const MOST_ITEMS: u64 = 1_000;

impl Page {
    /// The page of a query: `offset` and `limit`, or `page` from 1 and `size`, or `page` and `limit`.
    pub(crate) fn of(request: &Request, style: [&str; 2], default: u64) -> Result<Self, Fault> {
        let number = |name: &str, default: u64, least: u64| match request.query(name) {
            None => Ok(default),
            Some(text) => of_digits(&text).filter(|number| *number >= least).ok_or_else(|| {
                let expected = if least == 0 { "an integer from 0" } else { "an integer from 1" };
                Fault::of_problem(name, IssueCode::Format, expected, Some(&text))
            }),
        };
        let [first, second] = style;
        let limit = number(second, default, 0)?.min(MOST_ITEMS);
        let offset = if first == "page" {
            number(first, 1, 1)?.saturating_sub(1).saturating_mul(limit)
        } else {
            number(first, 0, 0)?
        };
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Ok(Self { offset: size(offset), limit: size(limit) })
    }

    /// The rows of the items that are on it.
    pub(crate) fn list<T>(&self, items: &[T], row: &dyn Fn(&T) -> Json) -> Json {
        Json::List(items.iter().skip(self.offset).take(self.limit).map(row).collect())
    }
}

/// A parameter of the query that must be there.
pub(crate) fn required(request: &Request, name: &str) -> Result<String, Fault> {
    let missing = || Fault::of_problem(name, IssueCode::Missing, "it in the query", None);
    request.query(name).ok_or_else(missing)
}

/// A parameter of the query that is one of some words, if it is there.
pub(crate) fn one_of(
    request: &Request,
    name: &str,
    words: &[&str],
) -> Result<Option<String>, Fault> {
    let found = request.query(name);
    match found.as_ref().and_then(|found| unless_one_of(words, found)) {
        Some(expected) => {
            Err(Fault::of_problem(name, IssueCode::Format, &expected, found.as_deref()))
        }
        None => Ok(found),
    }
}
