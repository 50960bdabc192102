//! The problems of a document, each with its place.
//!
//! ```
//! use sendoff::error::IssueCode;
//! use sendoff::value::Amount;
//!
//! let error = "01".parse::<Amount>().unwrap_err();
//! assert_eq!(error.issues()[0].code, IssueCode::Format);
//! assert_eq!(error.to_string(), "expected a decimal integer from 1 to 2^256-1 without leading zeros, found `01`");
//! ```

mod code;
mod excerpt;
mod path;
mod wanted;
mod issues;

pub use code::IssueCode;
pub(crate) use excerpt::{Excerpt, is_invisible, shown};
pub(crate) use issues::Issues;
pub(crate) use path::Path;
pub(crate) use wanted::Wanted;

use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::document::{Items, document, to_json};
use crate::text::fill;
use crate::value::conversions;

document! {
    /// One problem of an input.
    ///
    /// ```
    /// use sendoff::user_op::EntryPoint;
    ///
    /// let error = r#"{"chainId":0}"#.parse::<EntryPoint>().unwrap_err();
    /// let said: Vec<_> = error.issues().iter().map(|issue| (issue.path.as_str(), issue.code.as_str())).collect();
    /// assert_eq!(said, [("entryPoint", "missing"), ("chainId", "range"), ("version", "missing")]);
    /// ```
    pub struct Issue: "an issue, an object of `path`, `code` and `message`", displayed by hand,
        listed as "an array of 1 to 1000 issues"
    {
        /// The path from the root of the document, with dots, such as `details.amount`; empty for the root itself.
        "path" => pub path: String,
        /// The kind of problem.
        "code" => pub code: IssueCode,
        /// What was expected and what was found, with at most 64 characters of the input.
        "message" => pub message: String,
        /// The expected value, if a single value was expected: at most 64 characters of it.
        "expected" => pub expected: Option<String>,
        /// The value or text found in its place: at most 64 characters of it.
        "found" => pub found: Option<String>,
        /// The field of the call data that differs, if the issue is about call data.
        "field" => pub field: Option<String>,
        /// The name of the expected type, such as `Address`, if the issue is about a text.
        "kind" => pub kind: Option<String>,
        /// The flaw of a text of the wrong form, if it is known: `checksum`, `length`, `odd`,
        /// `leading-zero`, `comma`, `exponent`, `separator`, `decimals` or `space`.
        "note" => pub note: Option<String>,
    }
}

impl Issue {
    /// Creates an issue with a message only.
    #[must_use]
    #[inline(never)]
    pub const fn new(path: String, code: IssueCode, message: String) -> Self {
        Self {
            path,
            code,
            message,
            expected: None,
            found: None,
            field: None,
            kind: None,
            note: None,
        }
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.message),
            path => write!(f, "{path}: {}", self.message),
        }
    }
}

document! {
    /// An input that was refused, with its problems: at least one, at most 1,000, and each place once.
    ///
    /// ```
    /// use sendoff::value::JobId;
    ///
    /// let error = "7".parse::<JobId>().unwrap_err();
    /// assert_eq!(error.issues().len(), 1);
    /// assert_eq!(error.to_string(), "expected a UUID (8-4-4-4-12 hex digits with hyphens), found `7`");
    /// let issue = &error.issues()[0];
    /// assert_eq!((issue.kind.as_deref(), issue.found.as_deref()), (Some("JobId"), Some("7")));
    /// ```
    pub struct Error: "an error, an object of `issues`", displayed by hand {
        /// The problems, in the order in which they were found.
        "issues" => issues: Items<Issue, 1, { Issues::MOST }>,
    }
}

impl Error {
    /// The problems, in the order in which they were found.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        self.issues.as_slice()
    }

    /// Returns the problems as JSON text: `{"issues":[{"path","code","message",…}]}`.
    ///
    /// ```
    /// let error = "7".parse::<sendoff::value::JobId>().unwrap_err();
    /// assert!(error.to_json().starts_with(r#"{"issues":[{"path":"","code":"format","message":"expected a UUID"#));
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }

    /// Returns the problems, and consumes the error.
    #[must_use]
    pub fn into_issues(self) -> Vec<Issue> {
        self.issues.into_vec()
    }

    pub(crate) fn one(code: IssueCode, message: String) -> Self {
        Issue::new(String::new(), code, message).into()
    }

    /// A rule that a field of the argument `step` breaks.
    pub(crate) fn of_step(field: &str, message: String) -> Self {
        Issue::new(fill("step.{}", &[&field]), IssueCode::Rule, message).into()
    }
}

conversions! {
    Issue => Error: |issue| Self { issues: Items::one(issue) };
}

impl Extend<Issue> for Error {
    /// Adds problems behind those that it has.
    ///
    /// ```
    /// use sendoff::value::JobId;
    ///
    /// let mut error = "7".parse::<JobId>().unwrap_err();
    /// error.extend("8".parse::<JobId>().unwrap_err().into_issues());
    /// assert_eq!(error.issues().len(), 2);
    /// ```
    fn extend<I: IntoIterator<Item = Issue>>(&mut self, issues: I) {
        self.issues.extend(issues);
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, issue) in self.issues().iter().enumerate() {
            write!(f, "{}{issue}", if at == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl core::error::Error for Error {}
