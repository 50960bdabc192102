//! Where a problem is: the file that a person gave, and the path in it.

use alloc::{borrow::ToOwned as _, format, string::String, vec::Vec};

use crate::commands::Argument;

/// An argument with its value on the command line.
pub(crate) type Given<'a> = (&'a Argument, &'a str);

/// The argument and the path in it, by the path of an issue of the function.
pub(crate) fn place<'a>(given: &[Given<'a>], path: &'a str) -> Vec<String> {
    let in_argument = |(argument, value): &Given<'a>| {
        let rest = path.strip_prefix(argument.at).filter(|_| !argument.at.is_empty())?;
        (rest.is_empty() || rest.starts_with('.'))
            .then(|| (label(argument, value), rest.trim_start_matches('.')))
    };
    let (owner, rest) =
        given.iter().find_map(in_argument).unwrap_or_else(|| (owner(given, path), path));
    [owner, rest.to_owned()].into_iter().filter(|part| !part.is_empty()).collect()
}

/// The argument at whose root a path is. An empty path can be of each of them.
fn owner(given: &[Given<'_>], path: &str) -> String {
    let roots: Vec<_> = given.iter().filter(|(argument, _)| argument.at.is_empty()).collect();
    let key = path.split(['.', '[']).next().unwrap_or_default();
    let has = |argument: &Argument| argument.keys.contains(&key);
    let is_found = roots.iter().any(|(argument, _)| has(argument));
    let owners = roots.iter().filter(|(argument, _)| {
        path.is_empty() || has(argument) || !is_found && argument.keys.is_empty()
    });
    owners.map(|(argument, value)| label(argument, value)).collect::<Vec<_>>().join(" or ")
}

/// A document is called by its file.
fn label(argument: &Argument, value: &str) -> String {
    if argument.is_file() {
        format!("{} {value}", argument.name.trim_start_matches('-').to_ascii_lowercase())
    } else {
        argument.name.to_owned()
    }
}
