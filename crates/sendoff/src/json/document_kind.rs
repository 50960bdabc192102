//! Documents by the names of their types.

use alloc::string::String;

use crate::document::{Is, Table, Valued, Write, document, value_of_text};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::estimate::{Deployment, EstimateRequest, Facts};
use crate::intent::Names;
use crate::rate_limit::{Policy, Window};
use crate::text::fill;
use crate::user_op::{Call, EntryPoint, GasFeeOrder, PaymasterData, PaymasterGrant, UserOp};
use crate::value::keyword;

use super::context::{CallContext, Text};
use super::table::written;

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
        `EntryPoint`, `PaymasterGrant`, `PaymasterData`, `Policy`, `Window` or `Names`" {
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
        "Names" => Names,
    }
}

impl DocumentKind {
    /// Reads a document of this kind.
    pub(super) fn check(
        self,
        document: &str,
        at: &Path<'_>,
        issues: &mut Issues,
    ) -> Option<impl Write + use<>> {
        let is = match self {
            Self::EstimateRequest => EstimateRequest::IS,
            Self::Facts => Facts::IS,
            Self::Deployment => Deployment::IS,
            Self::Call => Call::IS,
            Self::UserOp => UserOp::IS,
            Self::PackOptions => PackOptions::IS,
            Self::EntryPoint => EntryPoint::IS,
            Self::PaymasterGrant => PaymasterGrant::IS,
            Self::PaymasterData => PaymasterData::IS,
            Self::Names => Names::IS,
            Self::Policy => Policy::IS,
            Self::Window => Window::IS,
        };
        check(document, &is, at, issues)
    }
}

/// The answer for a document without problems is `{}`.
fn check(
    document: &str,
    is: &Is,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Option<impl Write + use<>> {
    value_of_text(document, is, at, issues).is_whole().then(|| Table::NONE.empty())
}

/// [`super::check_document`] for the documents of a page that signs: the module for signing contains no other reader.
pub(super) fn check_form(call: &mut CallContext<'_>) -> Result<String, Error> {
    let (kind, document) = (call.argument::<Text<DocumentKind>>(), call.argument::<Text<&str>>());
    written(call.answer(|issues| {
        let is = match kind.read(issues)? {
            DocumentKind::EstimateRequest => &EstimateRequest::IS,
            DocumentKind::Deployment => &Deployment::IS,
            DocumentKind::Names => &Names::IS,
            other => {
                let template = "expected `EstimateRequest`, `Deployment` or `Names` in `sendoff/sign`, found `{}`";
                issues.push(&Path::Root, IssueCode::Format, fill(template, &[&other]));
                return None;
            }
        };
        check(document.text(), is, &document.at, issues)
    }))
}
