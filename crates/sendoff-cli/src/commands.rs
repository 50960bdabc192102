//! The table of commands.

use alloc::{borrow::ToOwned as _, string::String};
use core::fmt::Write as _;

/// A command: a function of the boundary with its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Command {
    /// Its name. Two rows with the same name differ in their arguments.
    pub(crate) name: &'static str,
    /// Its description.
    pub(crate) about: &'static str,
    /// Its function in [`sendoff::json`].
    pub(crate) function: &'static str,
    /// `true` if its answer is a verdict, which is shown as `ok` or `not ok`.
    pub(crate) is_judgement: bool,
    /// The arguments of the function, in its order.
    pub(crate) arguments: &'static [Argument],
    /// The parts of the answer that are printed, as labels and paths. In a path, `*` stands for each item of an array, `,`
    /// separates the fields of a line, and `@` marks a time. `f(path)` is the answer of the function `f` for the text at the path.
    pub(crate) shows: &'static [(&'static str, &'static str)],
}

/// An argument of a [`Command`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    /// Its name; the name of an option begins with `--`.
    pub(crate) name: &'static str,
    /// Its kind.
    pub(crate) kind: Kind,
    /// `true` if it is optional.
    pub(crate) is_optional: bool,
    /// What the function has in front of the paths of its issues.
    pub(crate) at: &'static str,
    /// The first keys of the paths that are its own, if another argument has the same place.
    pub(crate) keys: &'static [&'static str],
}

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The name of a file with JSON text; `-` is standard input.
    Document,
    /// Like [`Self::Document`], for a deployment. The function gets only its EntryPoint.
    EntryPoint,
    /// Text.
    Text,
    /// A time in milliseconds since the epoch. The default is the current time.
    Time,
}

impl Argument {
    const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, is_optional: false, at: "", keys: &[] }
    }

    const fn at(self, at: &'static str) -> Self {
        Self { at, ..self }
    }

    const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }

    /// `true` if its value is the name of a file.
    pub(crate) const fn is_file(&self) -> bool {
        matches!(self.kind, Kind::Document | Kind::EntryPoint)
    }

    /// `true` if it is an option, whose value follows its name.
    pub(crate) fn is_option(&self) -> bool {
        self.name.starts_with("--")
    }
}

const REQUEST: Argument = Argument::new("REQUEST", Kind::Document);
const NAMES: Argument = Argument::new("--names", Kind::Document).at("names").optional();
const REPLY: Argument =
    Argument { keys: &["data", "status"], ..Argument::new("REPLY", Kind::Document) };

/// The fields of a deployment that describe its EntryPoint.
pub(crate) const ENTRY_POINT: [&str; 4] = ["entryPoint", "chainId", "version", "gasFeeOrder"];

/// All commands except `serve`, which starts another program.
pub(crate) const COMMANDS: [Command; 6] = [
    Command {
        name: "estimate",
        about: "prepares the user operation of a request, from the facts that a host knows",
        function: "estimate",
        is_judgement: false,
        arguments: &[REQUEST, Argument::new("FACTS", Kind::Document).at("facts")],
        shows: &[
            ("type", "data.callData.intentType"),
            ("job", "data.callData.jobId"),
            ("sender", "data.userOps.sender"),
            ("nonce", "data.userOps.nonce"),
            ("paymaster", "data.userOps.paymaster"),
            ("call data", "data.userOps.callData"),
        ],
    },
    Command {
        name: "verify",
        about: "compares a reply with its request and deployment, and shows what a signature will do",
        function: "signable",
        is_judgement: true,
        arguments: &[
            REQUEST,
            REPLY,
            Argument::new("--deployment", Kind::Document).at("where"),
            NAMES,
        ],
        shows: &[
            ("", "account.call.sentences.*"),
            ("warning", "warnings.*.message"),
            ("owner", "account.call.from"),
            ("fee payer", "account.call.feePayer"),
            ("sponsored", "account.call.policies.sponsorshipEnabled"),
            ("gas station", "account.call.policies.gsnEnabled"),
            ("gas station required", "account.call.gsn.isRequired"),
            ("required on", "account.call.gsn.requiredNetworks.*"),
            ("paid on", "account.operation.chain"),
            ("at most, in wei", "account.operation.maxCost"),
            ("in any case, in wei", "account.operation.certainCost"),
            ("callGasLimit", "account.operation.callGasLimit"),
            ("verificationGasLimit", "account.operation.verificationGasLimit"),
            ("preVerificationGas", "account.operation.preVerificationGas"),
            ("paymasterVerificationGasLimit", "account.operation.paymasterVerificationGasLimit"),
            ("paymasterPostOpGasLimit", "account.operation.paymasterPostOpGasLimit"),
            ("bound by nothing", "unbound.*"),
            ("hash", "hash"),
            ("digest", "digest"),
            ("digits", "comparisonCode(hash)"),
        ],
    },
    Command {
        name: "verify",
        about: "compares a reply with its request only",
        function: "verifyEstimate",
        is_judgement: true,
        arguments: &[REQUEST, REPLY],
        shows: &[],
    },
    Command {
        name: "decode",
        about: "describes call data in sentences",
        function: "describeCall",
        is_judgement: false,
        arguments: &[Argument::new("CALLDATA", Kind::Text), NAMES],
        shows: &[
            ("", "sentences.*"),
            ("type", "type"),
            ("job", "jobId"),
            ("owner", "from"),
            ("fee payer", "feePayer"),
            ("sponsored", "policies.sponsorshipEnabled"),
            ("gas station", "policies.gsnEnabled"),
            ("gas station required", "gsn.isRequired"),
            ("required on", "gsn.requiredNetworks.*"),
            ("client", "client"),
            ("job manager", "jobManager"),
        ],
    },
    Command {
        name: "hash",
        about: "hashes a user operation for the EntryPoint of a deployment",
        function: "userOpHash",
        is_judgement: false,
        arguments: &[
            Argument::new("OPERATION", Kind::Document),
            Argument::new("--deployment", Kind::EntryPoint).at("options"),
        ],
        shows: &[("", "")],
    },
    Command {
        name: "plan",
        about: "plans calls so that the rate limit refuses none of them",
        function: "plan",
        is_judgement: false,
        arguments: &[
            Argument::new("--policy", Kind::Document),
            Argument::new("--window", Kind::Document).at("window").optional(),
            Argument::new("--now", Kind::Time).at("now").optional(),
            Argument::new("COUNT", Kind::Text).at("n"),
        ],
        shows: &[("", "*.count,@at")],
    },
];

impl Command {
    /// Its usage, without the program's name.
    pub(crate) fn usage(&self) -> String {
        let mut usage = self.name.to_owned();
        for argument in self.arguments.iter().filter(|argument| !argument.is_option()) {
            let _ = write!(usage, " {}", argument.name);
        }
        for Argument { name, kind, is_optional, .. } in
            self.arguments.iter().filter(|argument| argument.is_option())
        {
            let value = if *kind == Kind::Time { "MS" } else { "FILE" };
            let _ = if *is_optional {
                write!(usage, " [{name} {value}]")
            } else {
                write!(usage, " {name} {value}")
            };
        }
        usage
    }
}

/// The text of `sendoff --help`.
pub(crate) fn help() -> String {
    let mut text = String::from(
        "Checks the replies of a cross-chain wallet service before you sign.\n\nusage:\n",
    );
    for command in COMMANDS {
        let _ = writeln!(text, "  sendoff {}\n      {}", command.usage(), command.about);
    }
    text.push_str(
        "  sendoff serve ARGUMENT…
      starts sendoff-gateway, which must be on the PATH
  npx sendoff sandbox [--listen ADDRESS] [--options FILE]
      starts a wallet service without a network, which lies on demand; in the npm package

options:
  --json      prints the answer, or its issues, as one line of JSON
  --help      prints this
  --version   prints the version

A FILE, REQUEST, REPLY, FACTS or OPERATION is the name of a file with JSON text; `-` is standard input.
Exit status: 0 for an answer, 1 for `not ok`, 2 for an invalid command line or a file that cannot be read.
Terminals get colours: NO_COLOR turns them off, FORCE_COLOR turns them on for pipes too.
",
    );
    text
}
