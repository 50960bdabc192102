//! Documents by the names of their types.

use alloc::{string::String, vec::Vec};

use crate::document::{Whole, Write, document, read_text as read};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::estimate::{Deployment, EstimateRequest, Facts};
use crate::rate_limit::{Policy, Window};
use crate::text::fill;
use crate::user_op::{Call, EntryPoint, GasFeeOrder, PaymasterData, PaymasterGrant, UserOp};
use crate::value::{self, keyword};

use super::table::{Underway, written};

document! {
    /// Options for packing an operation.
    pub(crate) struct PackOptions: "options, an object of `gasFeeOrder`" {
        /// The order of fees; absent in JSON means `standard`.
        "gasFeeOrder" => pub(super) gas_fee_order: GasFeeOrder = GasFeeOrder::Standard,
    }
}

keyword! {
    /// The documents that come from outside, by the names of their types.
    pub(crate) enum DocumentKind: "a kind of document: `EstimateRequest`, `Facts`, `Deployment`, `Call`, `UserOp`, `PackOptions`, \
        `EntryPoint`, `PaymasterGrant`, `PaymasterData`, `Policy` or `Window`" {
        "EstimateRequest" => EstimateRequest,
        "Facts" => Facts,
        "Deployment" => Deployment,
        "Call" => Call,
        "UserOp" => UserOp,
        "PackOptions" => PackOptions,
        "EntryPoint" => EntryPoint,
        "PaymasterGrant" => PaymasterGrant,
        "PaymasterData" => PaymasterData,
        "Policy" => Policy,
        "Window" => Window,
    }
}

impl DocumentKind {
    /// Reads a document of this kind.
    pub(super) fn check(self, document: &str, at: &Path<'_>, issues: &mut Issues) -> Option<Nothing> {
        let read = match self {
            Self::EstimateRequest => read::<Whole<EstimateRequest>>(document, at, issues).map(drop),
            Self::Facts => read::<Whole<Facts>>(document, at, issues).map(drop),
            Self::Deployment => read::<Whole<Deployment>>(document, at, issues).map(drop),
            Self::Call => read::<Whole<Call>>(document, at, issues).map(drop),
            Self::UserOp => read::<Whole<UserOp>>(document, at, issues).map(drop),
            Self::PackOptions => read::<Whole<PackOptions>>(document, at, issues).map(drop),
            Self::EntryPoint => read::<Whole<EntryPoint>>(document, at, issues).map(drop),
            Self::PaymasterGrant => read::<Whole<PaymasterGrant>>(document, at, issues).map(drop),
            Self::PaymasterData => read::<Whole<PaymasterData>>(document, at, issues).map(drop),
            Self::Policy => read::<Policy>(document, at, issues).map(drop),
            Self::Window => read::<Window>(document, at, issues).map(drop),
        };
        read.map(|()| Nothing {})
    }
}

/// The answer for a document without problems: `{}`.
pub(crate) struct Nothing {}

impl Write for Nothing {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{}");
    }
}

/// [`super::check_document`] for the documents of a page that signs: the module for signing contains no other reader.
pub(super) fn check_form(kind: &str, document: &str) -> Result<String, Error> {
    let at = Path::Field(&Path::Root, "document");
    written(Underway::default().judge(|issues| {
        match value::read(kind, &Path::Root, issues)? {
            DocumentKind::EstimateRequest => read::<Whole<EstimateRequest>>(document, &at, issues).map(drop)?,
            DocumentKind::Deployment => read::<Whole<Deployment>>(document, &at, issues).map(drop)?,
            other => {
                let template = "expected `EstimateRequest` or `Deployment` in `sendoff/sign`, found `{}`";
                let message = fill(template, &[&other]);
                issues.push(&Path::Root, IssueCode::Format, message);
                return None;
            }
        }
        Some(Nothing {})
    }))
}
