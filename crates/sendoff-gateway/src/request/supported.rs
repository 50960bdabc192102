//! The chains and tokens that are enabled for an application.
//!
//! The specification does not show the records. These have the fields that the service's public
//! description of `/api/v1` gives them: a network is `{network_name, chain_id}`, a token
//! `{token_name, token_address, network_name}`. The chain id is the number of the chain (`137`), as
//! the live service writes it, and the address of a chain's own token is empty.

use axum::response::Response;
use sendoff::{
    catalogue::{ListedToken, Network},
    error::{Error, Issue, IssueCode},
    http::Refusal,
};
use serde::Serialize;

use crate::{database::Application, message::envelope};

/// `GET /api/v1/supported/networks`.
pub(crate) fn networks(application: &Application) -> Response {
    #[derive(Serialize)]
    struct Networks {
        network: Vec<Network>,
    }
    envelope::success(&Networks { network: application.offer.catalogue.networks() })
}

/// `GET /api/v1/supported/tokens`, with `?page=&size=` for a part of the list. The first page is 1. Without a size, one page
/// has all tokens.
pub(crate) fn tokens(application: &Application, query: Option<&str>) -> Result<Response, Refusal> {
    #[derive(Serialize)]
    struct Tokens<'a> {
        tokens: &'a [ListedToken],
    }
    let (page, size) =
        (number(query, "page")?.unwrap_or(1), number(query, "size")?.unwrap_or(usize::MAX));
    let all = &application.offer.tokens;
    let before = page.saturating_sub(1).saturating_mul(size);
    let rest = all.get(before..).unwrap_or_default();
    Ok(envelope::success(&Tokens { tokens: rest.get(..size).unwrap_or(rest) }))
}

/// Reads a number of at least 1 from a query. Other parameters are ignored.
fn number(query: Option<&str>, name: &str) -> Result<Option<usize>, Refusal> {
    let pairs = query.unwrap_or_default().split('&');
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let values: Vec<_> = pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).collect();
    let found = match values[..] {
        [] => return Ok(None),
        [value] => match value.parse() {
            Ok(number @ 1..) if !value.starts_with('+') => return Ok(Some(number)),
            _ => format!("`{value}`"),
        },
        [first, second, ..] => format!("`{first}` and `{second}`"),
    };
    let message = format!("expected one integer of at least 1, found {found}");
    Err(Error::from(Issue::new(name.into(), IssueCode::Format, message)).into())
}
