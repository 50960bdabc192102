//! The kinds of problems.

use crate::value::keyword;

keyword! {
    /// The kind of a problem.
    ///
    /// If several apply to one place, the first in this list is reported.
    ///
    /// ```
    /// use sendoff::error::IssueCode;
    ///
    /// assert!(IssueCode::Duplicate < IssueCode::Format);
    /// assert_eq!(IssueCode::Missing.as_str(), "missing");
    /// ```
    pub enum IssueCode: "the code of an issue, such as `format`", non_exhaustive {
        /// The text is not JSON.
        "syntax" => Syntax,
        /// A key occurs twice.
        "duplicate" => Duplicate,
        /// A field that the document does not have.
        "unknown" => Unknown,
        /// A required field is absent.
        "missing" => Missing,
        /// The JSON type is wrong, null included.
        "type" => Type,
        /// Text that does not have the required form.
        "format" => Format,
        /// Well formed, but outside its bounds.
        "range" => Range,
        /// Each field is valid, but together they break a rule.
        "rule" => Rule,
    }
}
