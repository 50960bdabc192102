//! The parts of a command line.

use alloc::{
    borrow::ToOwned as _,
    collections::BTreeMap,
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use crate::commands::{Argument, COMMANDS, Command};

/// A parsed command line.
#[derive(Default)]
pub(crate) struct Line {
    pub(crate) options: BTreeMap<&'static str, String>,
    pub(crate) flags: Vec<&'static str>,
    pub(crate) positional: Vec<String>,
}

const FLAGS: [&str; 3] = ["--help", "--json", "--version"];

impl Line {
    /// Reads a command line without the program's name. `--name value` and `--name=value` are the same; nothing after `--` is
    /// an option.
    ///
    /// # Errors
    ///
    /// One sentence about an unknown option, or one without its value.
    pub(crate) fn read(args: &[String]) -> Result<Self, String> {
        let mut line = Self::default();
        let mut rest = args.iter();

        while let Some(arg) = rest.next() {
            if arg == "--" {
                line.positional.extend(rest.by_ref().cloned());
            } else if arg == "-" || !arg.starts_with('-') {
                line.positional.push(arg.clone());
            } else {
                line.option(arg, &mut rest)?;
            }
        }

        Ok(line)
    }

    fn option<'a>(
        &mut self,
        arg: &str,
        rest: &mut impl Iterator<Item = &'a String>,
    ) -> Result<(), String> {
        let (name, value) = match arg.split_once('=') {
            _ if !arg.starts_with("--") => (arg.chars().take(2).collect(), None),
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (arg.to_string(), None),
        };

        if let Some(flag) = FLAGS.into_iter().find(|flag| *flag == name) {
            if let Some(value) = value {
                return Err(format!("expected `{flag}` without a value, found `{value}`"));
            }
            self.flags.push(flag);
            return Ok(());
        }

        let known = COMMANDS.iter().flat_map(|command| command.arguments);
        let Some(known) = known.map(|argument| argument.name).find(|known| *known == name) else {
            return Err(format!("expected an option of `sendoff --help`, found `{name}`"));
        };
        let value = value
            .or_else(|| rest.next().cloned())
            .ok_or_else(|| format!("expected a value after `{name}`, found nothing"))?;
        self.options.insert(known, value);
        Ok(())
    }

    /// The command with exactly these arguments.
    ///
    /// # Errors
    ///
    /// One sentence, with the usage of the commands of this name.
    pub(crate) fn command(&self) -> Result<&'static Command, String> {
        let (name, given) =
            self.positional.split_first().ok_or("expected a command, found only options")?;
        let rows: Vec<_> = COMMANDS.iter().filter(|command| command.name == name).collect();
        if rows.is_empty() {
            return Err(format!("expected a command, found `{name}`; `sendoff --help` lists them"));
        }

        rows.iter().find(|command| self.fits(command, given)).copied().ok_or_else(|| {
            let usages: Vec<_> =
                rows.iter().map(|row| format!("sendoff {}", row.usage())).collect();
            format!("expected {}", usages.join(" or "))
        })
    }

    /// Returns `true` if a command line has exactly the arguments of a row.
    fn fits(&self, command: &Command, given: &[String]) -> bool {
        let (opted, placed): (Vec<&Argument>, Vec<&Argument>) =
            command.arguments.iter().partition(|argument| argument.is_option());
        let is_known = |name| opted.iter().any(|argument| argument.name == name);
        placed.len() == given.len()
            && self.options.keys().all(|name| is_known(*name))
            && opted
                .iter()
                .all(|argument| argument.is_optional || self.options.contains_key(argument.name))
    }
}
