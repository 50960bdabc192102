//! The query of a read: the part of a list that it wants, and what must be there.

use alloc::string::String;

use sendoff::error::IssueCode;

use crate::fault::Fault;
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
        let number = |name: &str, default: u64| match request.query(name) {
            None => Ok(default),
            Some(text) => of_digits(&text).ok_or_else(|| {
                Fault::of_problem(name, IssueCode::Format, "expected an integer from 0".into())
            }),
        };
        let [first, second] = style;
        let limit = number(second, default)?.min(MOST_ITEMS);
        let offset = if first == "page" {
            number(first, 1)?.saturating_sub(1).saturating_mul(limit)
        } else {
            number(first, 0)?
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
    let missing = || {
        Fault::of_problem(
            name,
            IssueCode::Missing,
            "expected it in the query, found nothing".into(),
        )
    };
    request.query(name).ok_or_else(missing)
}
