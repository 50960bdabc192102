//! A reader of TOML that finds all problems, each with its line and its path.

use std::{cell::RefCell, collections::BTreeSet, fmt, ops::RangeInclusive, str::FromStr};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// A problem at one place of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The place, dotted from the root: `environment.production.listen`. Empty if the file is not TOML.
    pub path: String,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, path, message } = self;
        let colon = if path.is_empty() { "" } else { ": " };
        write!(f, "line {line}: {path}{colon}{message}")
    }
}

/// The lines of a document, and its problems so far.
pub(super) struct Source {
    /// Where lines end.
    breaks: Vec<usize>,
    problems: RefCell<Vec<Problem>>,
    warnings: RefCell<Vec<Problem>>,
}

impl Source {
    pub(super) fn new(text: &str) -> Self {
        Self {
            breaks: text.match_indices('\n').map(|(at, _)| at).collect(),
            problems: RefCell::default(),
            warnings: RefCell::default(),
        }
    }

    pub(super) fn push(&self, byte: usize, path: &str, message: String) {
        self.problems.borrow_mut().push(self.problem(byte, path, message));
    }

    fn problem(&self, byte: usize, path: &str, message: String) -> Problem {
        let line = self.breaks.partition_point(|at| *at < byte).saturating_add(1);
        Problem { line, path: path.into(), message }
    }

    /// What works and is probably not meant.
    pub(super) fn warnings(&self) -> Vec<String> {
        self.warnings.borrow().iter().map(ToString::to_string).collect()
    }

    /// All problems, from the top of the document to its end.
    pub(super) fn into_problems(self) -> Vec<Problem> {
        let mut problems = self.problems.into_inner();
        problems.sort();
        problems
    }
}

/// A value and its place.
pub(super) struct Place<'a> {
    source: &'a Source,
    path: String,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Place<'a> {
    pub(super) fn text(&self) -> Option<&'a str> {
        self.as_text().or_else(|| self.wrong("a text"))
    }

    /// The text; `None` for a value of another type, which is no problem.
    pub(super) fn as_text(&self) -> Option<&'a str> {
        self.value.get_ref().as_str()
    }

    /// The text, parsed as `T`.
    pub(super) fn parsed<T: FromStr<Err: fmt::Display>>(&self) -> Option<T> {
        self.text()?.parse().map_err(|error| self.push(format!("{error}"))).ok()
    }

    pub(super) fn flag(&self) -> Option<bool> {
        self.value.get_ref().as_bool().or_else(|| self.wrong("true or false"))
    }

    pub(super) fn integer(&self, bounds: RangeInclusive<i64>) -> Option<i64> {
        let expected = format!("an integer from {} to {}", bounds.start(), bounds.end());
        let Some(integer) = self.value.get_ref().as_integer() else { return self.wrong(&expected) };
        let value = i64::from_str_radix(integer.as_str(), integer.radix())
            .ok()
            .filter(|value| bounds.contains(value));
        value.or_else(|| {
            self.push(format!("expected {expected}, found {integer}"));
            None
        })
    }

    /// The items of an array, each with its path.
    pub(super) fn items(&self) -> Option<Vec<Self>> {
        let Some(items) = self.value.get_ref().as_array() else { return self.wrong("an array") };
        let item = |(index, value)| Self {
            source: self.source,
            path: format!("{}.{index}", self.path),
            value,
        };
        Some(items.iter().enumerate().map(item).collect())
    }

    pub(super) fn table(&self) -> Option<Table<'a>> {
        match self.value.get_ref() {
            DeValue::Table(table) => {
                Some(Table::new(self.source, &self.path, self.value.span().start, table))
            }
            _ => self.wrong("a table"),
        }
    }

    pub(super) fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    pub(super) fn push(&self, message: String) {
        self.source.push(self.value.span().start, &self.path, message);
    }

    /// Notes what works and is probably not meant.
    pub(super) fn warn(&self, message: String) {
        let warning = self.source.problem(self.value.span().start, &self.path, message);
        self.source.warnings.borrow_mut().push(warning);
    }

    /// Reports a text that has another form. It is not shown, since it may be a secret.
    pub(super) fn misformed<T>(&self, expected: &str, text: &str) -> Option<T> {
        self.push(format!("expected {expected}, found text of length {}", text.chars().count()));
        None
    }

    /// Reports a value of an unexpected type.
    pub(super) fn wrong<T>(&self, expected: &str) -> Option<T> {
        self.push(format!("expected {expected}, found a TOML {}", self.value.get_ref().type_str()));
        None
    }
}

/// A table whose keys are taken one after the other.
pub(super) struct Table<'a> {
    source: &'a Source,
    path: String,
    start: usize,
    table: &'a DeTable<'a>,
    taken: BTreeSet<&'static str>,
}

impl<'a> Table<'a> {
    pub(super) fn new(
        source: &'a Source,
        path: &str,
        start: usize,
        table: &'a DeTable<'a>,
    ) -> Self {
        Self { source, path: path.into(), start, table, taken: BTreeSet::new() }
    }

    pub(super) fn required(&mut self, key: &'static str) -> Option<Place<'a>> {
        self.optional(key).or_else(|| {
            self.source.push(self.start, &self.at(key), "expected a value, found none".into());
            None
        })
    }

    pub(super) fn optional(&mut self, key: &'static str) -> Option<Place<'a>> {
        self.taken.insert(key);
        let value = self.table.get(key)?;
        Some(Place { source: self.source, path: self.at(key), value })
    }

    /// The value of an optional key; `absent` if the key is absent; `None` if the value has a problem.
    pub(super) fn or<T>(
        &mut self,
        key: &'static str,
        absent: T,
        read: impl FnOnce(&Place<'a>) -> Option<T>,
    ) -> Option<T> {
        self.optional(key).map_or(Some(absent), |place| read(&place))
    }

    /// The items of a key's array; an empty list if the key is absent.
    pub(super) fn list(&mut self, key: &'static str) -> Option<Vec<Place<'a>>> {
        self.or(key, Vec::new(), Place::items)
    }

    /// Its entries with their names.
    pub(super) fn entries(&self) -> Vec<(&'a str, Place<'a>)> {
        let entry = |(key, value): (&'a Spanned<_>, _)| {
            let key: &str = AsRef::<str>::as_ref(key.get_ref());
            (key, Place { source: self.source, path: self.at(key), value })
        };
        self.table.iter().map(entry).collect()
    }

    pub(super) fn push(&self, key: &str, message: String) {
        self.source.push(self.start, &self.at(key), message);
    }

    /// Reports unread keys as problems.
    pub(super) fn close(self) {
        for key in self
            .table
            .keys()
            .filter(|key| !self.taken.contains(AsRef::<str>::as_ref(key.get_ref())))
        {
            let name: &str = key.get_ref().as_ref();
            self.source.push(key.span().start, &self.at(name), format!("unknown key `{name}`"));
        }
    }

    fn at(&self, key: &str) -> String {
        if self.path.is_empty() { key.into() } else { format!("{}.{key}", self.path) }
    }
}
