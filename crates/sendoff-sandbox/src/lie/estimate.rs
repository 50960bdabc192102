//! Lies about an estimate: that of another request, or of other facts.

use std::collections::BTreeMap;

use sendoff::estimate::EstimateRequest;
use sendoff::http::Operation;
use serde::Deserialize;

use super::edit::Edit;
use crate::http::Request;
use crate::json::{parse, text, written};
use crate::service::caller::identify;
use crate::service::operations::estimate::facts;
use crate::state::State;

/// Another estimate.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Retold {
    /// The part of the reply that lies.
    r#in: Part,
    /// What is other in the request.
    #[serde(default)]
    request: Vec<Edit>,
    /// The same by the type of its intent.
    #[serde(default)]
    by_type: BTreeMap<String, Vec<Edit>>,
    /// What is other in the facts.
    #[serde(default)]
    facts: Vec<Edit>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Part {
    Bytes,
    Plain,
    Both,
}

impl Retold {
    /// Makes the estimate, in a part of the honest reply.
    pub(super) fn tell(
        &self,
        state: &State,
        request: &Request,
        now: i64,
        honest: &str,
    ) -> Option<String> {
        let user = identify(state, Operation::Estimate, request, now).ok()?;
        let honest_request: EstimateRequest = request.body.parse().ok()?;
        let mut facts = parse(&facts(state, &user, &honest_request).ok()?.to_string()).ok()?;
        let mut asked = parse(&request.body).ok()?;
        let of_type = self.by_type.get(text(&asked, "type")).into_iter().flatten();
        self.request.iter().chain(of_type).for_each(|edit| edit.make(&mut asked));
        self.facts.iter().for_each(|edit| edit.make(&mut facts));

        let lied = sendoff::json::estimate(&asked.to_string(), &facts.to_string()).ok()?;
        let part = match self.r#in {
            Part::Both => return Some(lied),
            Part::Bytes => "/data/userOps/callData",
            Part::Plain => "/data/callData/payload",
        };
        let (mut reply, lied) = (parse(honest).ok()?, parse(&lied).ok()?);
        *reply.pointer_mut(part)? = lied.pointer(part)?.clone();
        Some(written(reply))
    }
}
