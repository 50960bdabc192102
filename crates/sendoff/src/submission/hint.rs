//! Errors of the service that refuse a try, and those that hint at an earlier success.

use crate::document::Node;
use crate::error::{Issues, Path};
use crate::http::ErrorReply;
use crate::text::contains;

/// Texts that say that the nonce is used, or that the operation is known. `AA25` is the EntryPoint's `invalid account nonce`.
const HINTS: [&str; 4] = ["aa25", "already", "duplicate", "nonce"];

/// Returns `true` if an error says that the request was not carried out.
pub(super) fn refuses(error: &ErrorReply) -> bool {
    // 408, 425 and 499 end a try without an answer. 409 may be a conflict with the same operation.
    let is_refusal =
        matches!(error.code, 400..=499) && !matches!(error.code, 408 | 409 | 425 | 499);

    is_refusal
        && !hints(&error.message)
        && !error.error_code.as_deref().is_some_and(hints)
        && !error.details.as_ref().is_some_and(|details| json_hints(details.as_str()))
}

fn hints(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    HINTS.iter().any(|hint| contains(&text, hint))
}

fn json_hints(json: &str) -> bool {
    let node = Node::parse(json, &Path::Root, &mut Issues::default());
    node.is_some_and(|node| node_hints(&node))
}

/// Keys are names, not texts: a field `nonce` says nothing.
fn node_hints(node: &Node<'_>) -> bool {
    match node {
        Node::Text(text) => hints(text),
        Node::List(items) => items.iter().any(node_hints),
        Node::Object(fields) => fields.iter().any(|field| node_hints(&field.node)),
        Node::Null | Node::Bool(_) | Node::Number(_) => false,
    }
}
