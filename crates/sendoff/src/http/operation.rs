//! The operations of the service.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use super::PathParam;
use super::param::escape_into;
use crate::document::{Write, write_field, write_key};
use crate::error::{Error, Excerpt, IssueCode, Issues, Path};
use crate::text::fill;
use crate::value::keyword;

keyword! {
    /// An operation of the service. The ids are this crate's own, because the specification has methods and paths only.
    ///
    /// ```
    /// use sendoff::http::{Method, Operation, Side};
    ///
    /// let operation: Operation = "transferTokens".parse()?;
    /// assert_eq!((operation.method(), operation.side()), (Method::Post, Side::Client));
    /// assert_eq!(operation.path(None)?, "/api/v1/transfer/tokens/execute");
    /// assert_eq!(Operation::ALL.iter().filter(|operation| operation.is_limited()).count(), 11);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub enum Operation: "the id of an operation, such as `estimate`" {
        /// Gas and fees of an intent, and its prepared user operation ([`crate::estimate`]).
        "estimate" => Estimate,
        /// Transfers tokens.
        "transferTokens" => TransferTokens,
        /// The user's tokens across all enabled networks.
        "portfolio" => Portfolio,
        /// The user's order history. A query may filter it; its parameters are not specified.
        "orders" => Orders,
        /// The networks that are whitelisted on the caller's API key.
        "supportedNetworks" => SupportedNetworks,
        /// The tokens that are whitelisted on the caller's API key, for the enabled networks.
        "supportedTokens" => SupportedTokens,
        /// Transfers an NFT.
        "transferNft" => TransferNft,
        /// Reads contract data.
        "readContractData" => ReadContractData,
        /// Executes a raw transaction.
        "executeRawTransaction" => ExecuteRawTransaction,
        /// Creates a wallet.
        "serverCreateWallet" => ServerCreateWallet,
        /// Creates wallets in bulk.
        "serverCreateWallets" => ServerCreateWallets,
        /// Mints an NFT.
        "serverMintNft" => ServerMintNft,
        /// Transfers an NFT.
        "serverTransferNft" => ServerTransferNft,
        /// Transfers tokens for a user.
        "serverTransferTokens" => ServerTransferTokens,
        /// Reads contract data.
        "serverReadContractData" => ServerReadContractData,
        /// Executes a raw transaction for a user.
        "serverExecuteRawTransaction" => ServerExecuteRawTransaction,
    }
}

keyword! {
    /// The method of an operation. Source: RFC 9110, section 9. Methods are case-sensitive.
    ///
    /// ```
    /// use sendoff::http::{Method, Operation};
    ///
    /// assert_eq!(Operation::Orders.method(), Method::Get);
    /// assert_eq!(Method::Get.as_str(), "GET");
    /// ```
    pub enum Method: "`GET` or `POST`", non_exhaustive {
        /// Reads.
        "GET" => Get,
        /// Any other request, the estimate included.
        "POST" => Post,
    }
}

keyword! {
    /// The side that an operation is for.
    ///
    /// ```
    /// use sendoff::http::{Operation, Side};
    ///
    /// assert_eq!(Operation::ServerMintNft.side(), Side::Server);
    /// assert_eq!(Side::Server.to_string(), "server");
    /// ```
    pub enum Side: "`client` or `server`" {
        /// An application in the user's hands.
        "client" => Client,
        /// An application's server, for any of its users: the paths below `/s2s`.
        "server" => Server,
    }
}

/// A description of an operation: a row of [`OPERATIONS`].
///
/// ```
/// use sendoff::http::{OPERATIONS, Side};
///
/// let limited = OPERATIONS.iter().filter(|row| row.limited && row.side == Side::Client);
/// assert_eq!(limited.count(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OperationRow {
    /// Its id.
    pub id: Operation,
    /// The method.
    pub method: Method,
    /// The template of its path ([`Operation::path_template`]).
    pub path: &'static str,
    /// The side that it is for.
    pub side: Side,
    /// Its version ([`Operation::version`]).
    pub version: &'static str,
    /// `true` if its calls count under the rate limit.
    pub limited: bool,
    /// The names of its path parameters.
    pub parameters: &'static [&'static str],
}

impl Write for OperationRow {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        write_field("id", &self.id, out);
        write_field("method", &self.method, out);
        write_key("path", out);
        self.path.write(out);
        write_field("side", &self.side, out);
        write_key("version", out);
        self.version.write(out);
        write_field("limited", &self.limited, out);
        write_key("parameters", out);
        self.parameters.write(out);
        out.push(b'}');
    }
}

/// Every operation once, in the order of [`Operation::ALL`].
///
/// ```
/// use sendoff::http::{OPERATIONS, Operation};
///
/// assert_eq!((OPERATIONS.len(), OPERATIONS[0].id), (16, Operation::Estimate));
/// ```
#[expect(clippy::indexing_slicing, reason = "a constant: what fails does not compile")]
pub const OPERATIONS: &[OperationRow] = &{
    let mut rows = [Operation::Estimate.row(); Operation::ALL.len()];
    let mut at = 0;
    while at < rows.len() {
        rows[at] = Operation::ALL[at].row();
        at += 1;
    }
    rows
};

impl Operation {
    /// The table. The specification gives every column, `limited` under "Limits".
    #[rustfmt::skip]
    const fn row(self) -> OperationRow {
        use Method::{Get, Post};
        use Side::{Client, Server};

        let (method, path, side, version, limited, parameters): (_, _, _, _, _, &[_]) = match self {
            Self::Estimate => (Post, "/api/oc/v1/estimate", Client, "oc/v1", false, &[]),
            Self::TransferTokens => (Post, "/api/v1/transfer/tokens/execute", Client, "v1", true, &[]),
            Self::Portfolio => (Get, "/api/v1/portfolio", Client, "v1", false, &[]),
            Self::Orders => (Get, "/api/v1/orders", Client, "v1", false, &[]),
            Self::SupportedNetworks => (Get, "/api/v1/supported/networks", Client, "v1", false, &[]),
            Self::SupportedTokens => (Get, "/api/v1/supported/tokens", Client, "v1", false, &[]),
            Self::TransferNft => (Post, "/api/v1/nft/transfer", Client, "v1", true, &[]),
            Self::ReadContractData => (Post, "/api/v1/readContractData", Client, "v1", true, &[]),
            Self::ExecuteRawTransaction => (Post, "/api/v1/rawtransaction/execute", Client, "v1", true, &[]),
            Self::ServerCreateWallet => (Post, "/s2s/api/v1/wallet", Server, "v1", true, &[]),
            Self::ServerCreateWallets => (Post, "/s2s/api/v1/bulk-wallets", Server, "v1", true, &[]),
            Self::ServerMintNft => (Post, "/s2s/api/v2/nft/mint", Server, "v2", true, &[]),
            Self::ServerTransferNft => (Post, "/s2s/api/v2/nft/transfer", Server, "v2", true, &[]),
            Self::ServerTransferTokens =>
                (Post, "/s2s/api/v2/transfer/tokens/execute/{userId}", Server, "v2", true, &["userId"]),
            Self::ServerReadContractData => (Post, "/s2s/api/v1/readContractData", Server, "v1", true, &[]),
            Self::ServerExecuteRawTransaction =>
                (Post, "/s2s/api/v1/rawtransaction/execute/{TW_USER_ID}", Server, "v1", true, &["TW_USER_ID"]),
        };
        OperationRow { id: self, method, path, side, version, limited, parameters }
    }

    /// The method.
    #[must_use]
    pub const fn method(self) -> Method {
        self.row().method
    }

    /// The template of its path, such as `/s2s/api/v2/transfer/tokens/execute/{userId}`: `path` in JSON.
    ///
    /// Source: RFC 6570, level 1; each parameter is one whole segment.
    #[must_use]
    pub const fn path_template(self) -> &'static str {
        self.row().path
    }

    /// The side that it is for.
    #[must_use]
    pub const fn side(self) -> Side {
        self.row().side
    }

    /// Its version, as in its path after `/api/`: `v1`, `v2` or `oc/v1`.
    #[must_use]
    pub const fn version(self) -> &'static str {
        self.row().version
    }

    /// `true` for the two lists, of networks and of tokens: they are an application's own, so its key alone is enough.
    #[must_use]
    pub const fn takes_key(self) -> bool {
        matches!(self, Self::SupportedNetworks | Self::SupportedTokens)
    }

    /// `true` if its calls count under the rate limit ([`crate::rate_limit`]).
    #[must_use]
    pub const fn is_limited(self) -> bool {
        self.row().limited
    }

    /// The names of its path parameters.
    #[must_use]
    pub const fn parameters(self) -> &'static [&'static str] {
        self.row().parameters
    }

    /// Returns its path, with its parameter escaped as `encodeURIComponent` does; [`super::find`] reads it again.
    ///
    /// # Errors
    ///
    /// `missing` at `params.<name>`, and `unknown` at `params` if it has none.
    pub fn path(self, param: Option<&PathParam>) -> Result<String, Error> {
        let (mut issues, at) = (Issues::default(), Path::Field(&Path::Root, PARAMS));
        match (self.parameters(), param) {
            ([name, ..], None) => {
                let message = fill("expected a parameter of `{}`, found nothing", &[&self]);
                issues.push(&Path::Field(&at, name), IssueCode::Missing, message);
            }
            ([], Some(param)) => {
                let template = "expected no parameter of `{}`, found {}";
                let message = fill(template, &[&self, &Excerpt(param.as_str())]);
                issues.push(&at, IssueCode::Unknown, message);
            }
            ([], None) | ([_, ..], Some(_)) => {}
        }
        issues.or(Some(self.filled(param)))
    }

    /// Returns its path with the text of its parameter, escaped.
    pub(super) fn filled(self, param: Option<&PathParam>) -> String {
        let mut path = String::new();
        for segment in self.segments() {
            path.push('/');
            match segment {
                Segment::Literal(name) => path.push_str(name),
                Segment::Parameter => escape_into(param.map_or("", PathParam::as_str), &mut path),
            }
        }
        path
    }

    /// The segments of its path template.
    pub(super) fn segments(self) -> impl Iterator<Item = Segment> {
        self.path_template().split('/').skip(1).map(|segment| {
            if segment.starts_with('{') { Segment::Parameter } else { Segment::Literal(segment) }
        })
    }
}

/// A segment of a path template.
#[derive(Clone, Copy)]
pub(super) enum Segment {
    Literal(&'static str),
    /// It is the only one of its path.
    Parameter,
}

/// The name of the argument that holds the parameters.
const PARAMS: &str = "params";

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, vec::Vec};

    #[test]
    fn the_columns_agree_with_the_path() {
        for operation in Operation::ALL {
            let path = operation.path_template();
            let (side, rest) = path.split_once("/api/").unwrap();
            assert_eq!(side == "/s2s", operation.side() == Side::Server, "{path}");
            assert!(rest.starts_with(&format!("{}/", operation.version())), "{path}");
            let braced = |part: &'static str| part.strip_prefix('{')?.strip_suffix('}');
            let names: Vec<_> = path.split('/').filter_map(braced).collect();
            assert_eq!(names, operation.parameters(), "{path}");
            // A path has one parameter at most, and `find` looks for one without a name at the end only.
            let mut parameters =
                operation.segments().skip_while(|segment| matches!(segment, Segment::Literal(_)));
            assert!(parameters.next().is_none() || parameters.next().is_none(), "{path}");
        }
    }

    #[test]
    fn every_problem_of_the_parameters() {
        let param: PathParam = "1".parse().unwrap();
        for (operation, param, path, code) in [
            (Operation::ServerTransferTokens, None, "params.userId", IssueCode::Missing),
            (Operation::Orders, Some(&param), "params", IssueCode::Unknown),
        ] {
            let error = operation.path(param).unwrap_err();
            assert_eq!((error.issues()[0].path.as_str(), error.issues()[0].code), (path, code));
        }
    }
}
