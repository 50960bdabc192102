//! Which operation a request is for: one of the specification's, or a companion.

use alloc::{format, string::String, vec::Vec};

use sendoff::http::{Operation, Side, find};

use crate::Json;
use crate::fault::Fault;
use crate::http::unescape;
use crate::profile;
use crate::record::words;

words! {
    /// An operation beside the specification's sixteen, without which a caller could not follow an order.
    pub(crate) enum Companion {
        Authenticate = "authenticate",
        JwtAuthenticate = "jwtAuthenticate",
        RefreshToken = "refreshToken",
        UserFromToken = "userFromToken",
        Wallets = "wallets",
        WidgetWallets = "widgetWallets",
        CreateWallets = "createWallets",
        RawTransactionStatus = "rawTransactionStatus",
        NftOrderDetails = "nftOrderDetails",
        Activity = "activity",
        ServerPortfolio = "serverPortfolio",
        ServerSupportedTokens = "serverSupportedTokens",
        ServerWallets = "serverWallets",
        BulkOrderDetails = "bulkOrderDetails",
        ServerRawTransactionStatus = "serverRawTransactionStatus",
        Session = "session",
        Execute = "execute",
        GasValues = "gasValues",
        IntentOrders = "intentOrders",
        IntentWallets = "intentWallets",
        UserKeys = "userKeys",
        VerifySession = "verifySession",
        IntentNetworks = "intentNetworks",
        IntentTokens = "intentTokens",
        IntentPortfolio = "intentPortfolio",
        IntentActivity = "intentActivity",
        IntentNfts = "intentNfts",
        IntentReadContractData = "intentReadContractData",
        Rpc = "rpc",
    }
}

/// What the live service has and the pocket service does not, by the beginning of its paths.
const ABSENT: [(&str, &str); 7] = [
    ("/api/oc/v1/signMessage", "it has no key of the user, so it signs no messages"),
    ("/api/oc/v1/authenticate/email", SIGN_IN),
    ("/api/oc/v1/authenticate/whatsapp", SIGN_IN),
    ("/api/v1/authenticate/", SIGN_IN),
    (
        "/api/oc/v1/estimate-userop",
        "take the limits of an estimate, or `eth_estimateUserOperationGas` of `/rpc`",
    ),
    ("/api/oc/v1/nft/order-details", "ask `/api/oc/v1/orders?intent_type=NFT_TRANSFER`"),
    ("/api/v1/logout", "a token ends by itself"),
];
const SIGN_IN: &str = "it sends no codes: sign in by an id token, which may be any text";

impl Companion {
    /// Its method, and its path; a path that ends with `/` has one more segment.
    pub(crate) const fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Authenticate => ("POST", "/api/v2/authenticate"),
            Self::JwtAuthenticate => ("POST", "/api/v1/jwt-authenticate"),
            Self::RefreshToken => ("POST", "/api/v1/refresh_token"),
            Self::UserFromToken => ("GET", "/api/v1/user_from_token"),
            Self::Wallets => ("GET", "/api/v1/wallet"),
            Self::WidgetWallets => ("GET", "/api/v1/widget/wallet"),
            Self::CreateWallets => ("POST", "/api/v1/wallet"),
            Self::RawTransactionStatus => ("GET", "/api/v1/rawtransaction/status"),
            Self::NftOrderDetails => ("GET", "/api/v1/nft/order_details"),
            Self::Activity => ("GET", "/api/v1/portfolio/activity"),
            Self::ServerPortfolio => ("GET", "/s2s/api/v1/portfolio"),
            Self::ServerSupportedTokens => ("GET", "/s2s/api/v1/supported/tokens"),
            Self::ServerWallets => ("GET", "/s2s/api/v1/wallet"),
            Self::BulkOrderDetails => ("GET", "/s2s/api/v2/bulk_order_details/"),
            Self::ServerRawTransactionStatus => ("GET", "/s2s/api/v1/rawtransaction/status/"),
            Self::Session => ("POST", "/api/oc/v1/authenticate"),
            Self::Execute => ("POST", "/api/oc/v1/execute"),
            Self::GasValues => ("GET", "/api/oc/v1/gas-values"),
            Self::IntentOrders => ("GET", "/api/oc/v1/orders"),
            Self::IntentWallets => ("GET", "/api/oc/v1/wallets"),
            Self::UserKeys => ("GET", "/api/oc/v1/user-keys"),
            Self::VerifySession => ("GET", "/api/oc/v1/verify-session"),
            Self::IntentNetworks => ("GET", "/api/oc/v1/supported/networks"),
            Self::IntentTokens => ("GET", "/api/oc/v1/supported/tokens"),
            Self::IntentPortfolio => ("GET", "/api/oc/v1/aggregated-portfolio"),
            Self::IntentActivity => ("GET", "/api/oc/v1/portfolio/activity"),
            Self::IntentNfts => ("GET", "/api/oc/v1/portfolio/nft"),
            Self::IntentReadContractData => ("POST", "/api/oc/v1/readContractData"),
            Self::Rpc => ("POST", "/rpc"),
        }
    }
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    Specified(Operation),
    Companion(Companion),
}

/// The operation of a request, and the parameter of its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) named: Named,
    pub(crate) param: String,
}

impl Route {
    /// The operation of a method and a target: by the core's table, then by that of the companions.
    pub(crate) fn find(method: &str, target: &str) -> Result<Self, Fault> {
        let refusal = match find(method, target) {
            Ok(found) => {
                let named = Named::Specified(found.operation);
                let param = found.params.as_slice().first().map(|(_, param)| param.as_str().into());
                return Ok(Self { named, param: param.unwrap_or_default() });
            }
            Err(refusal) => refusal,
        };
        // A path can have another method in the other table: GET and POST of `/s2s/api/v1/wallet`.
        let (mut allowed, mut is_core) = ("", true);
        match (refusal.as_str(), refusal.operation()) {
            ("not-found", _) => {}
            ("method-not-allowed", Some(other)) => allowed = other.method().as_str(),
            _ => return Err(refusal.into()),
        }
        let path = target.split_once('?').map_or(target, |(path, _)| path);
        if let Some((_, what)) = ABSENT.iter().find(|(absent, _)| path.starts_with(absent)) {
            return Err(Fault::absent(what));
        }
        for companion in Companion::ALL {
            let (its, place) = companion.place();
            let param = if place.ends_with('/') {
                path.strip_prefix(place)
            } else {
                (path == place).then_some("")
            };
            let is_whole =
                |param: &&str| place.ends_with('/') != param.is_empty() && !param.contains('/');
            if let Some(param) = param.filter(is_whole) {
                if its == method {
                    return Ok(Self {
                        named: Named::Companion(*companion),
                        param: unescape(param),
                    });
                }
                // The methods are these two only.
                allowed = if allowed.is_empty() { its } else { "GET, POST" };
                is_core = false;
            }
        }
        Err(if is_core { refusal.into() } else { Fault::method(allowed) })
    }

    /// The id of the operation, by which a profile has its payloads.
    pub(crate) const fn name(&self) -> &'static str {
        match self.named {
            Named::Specified(operation) => operation.as_str(),
            Named::Companion(companion) => companion.as_str(),
        }
    }

    /// The operation whose credentials it needs; `None` if it needs none.
    pub(crate) fn credentials(&self) -> Option<Operation> {
        match self.named {
            Named::Specified(operation) => Some(operation),
            Named::Companion(companion) => match companion {
                Companion::Rpc | Companion::Session | Companion::RefreshToken => None,
                // The application's key alone, as for the two lists.
                Companion::Authenticate | Companion::JwtAuthenticate => {
                    Some(Operation::SupportedNetworks)
                }
                _ if companion.place().1.starts_with("/s2s") => Some(Operation::ServerCreateWallet),
                _ => Some(Operation::Portfolio),
            },
        }
    }

    /// `true` if its calls count under the rate limit.
    pub(crate) const fn is_limited(&self) -> bool {
        if let Named::Specified(operation) = self.named { operation.is_limited() } else { false }
    }
}

/// The rows of the table of all requests in `docs/reference/tables/sandbox.md`, for `cargo xtask codegen`.
#[doc(hidden)]
#[must_use]
pub fn requests() -> String {
    let specified = Operation::ALL.iter().map(|operation| {
        row(Named::Specified(*operation), operation.method().as_str(), operation.path_template())
    });
    let companions = Companion::ALL.iter().map(|companion| {
        let (method, path) = companion.place();
        let id = if path.ends_with('/') { "{id}" } else { "" };
        row(Named::Companion(*companion), method, &format!("{path}{id}"))
    });
    specified.chain(companions).collect()
}

/// All operations with payloads of the profile, for the document that `cargo xtask codegen` makes: a list of
/// `{id, method, path, credentials, query, statuses, request, reply}`, where fields are `{path, kind, required}`.
#[doc(hidden)]
#[must_use]
pub fn payloads() -> Json {
    let fields = |fields: &[profile::Field]| {
        let field = |field: &profile::Field| {
            crate::record::row(
                "path kind required",
                &[&field.path, &field.kind.name(), &field.required],
            )
        };
        Json::List(fields.iter().map(field).collect())
    };
    let described = |named: Named, method: &str, path: &str| {
        let route = Route { named, param: String::new() };
        let payload = profile::payload(route.name())?;
        let query = profile::query(route.name()).iter().map(|(name, kind, required)| {
            crate::record::row("path kind required", &[name, kind, required])
        });
        let credentials = match route.credentials() {
            None => "none",
            Some(operation) if operation.side() == Side::Server => "server",
            Some(operation) if operation.takes_key() => "either",
            Some(_) => "client",
        };
        let statuses: Vec<Json> =
            payload.statuses.iter().map(|status| u64::from(*status).into()).collect();
        Some(crate::record::row(
            "id method path credentials query statuses request reply",
            &[
                &route.name(),
                &method,
                &path,
                &credentials,
                &Json::List(query.collect()),
                &Json::List(statuses),
                &fields(payload.request),
                &fields(payload.reply),
            ],
        ))
    };
    let specified = Operation::ALL.iter().filter_map(|operation| {
        described(
            Named::Specified(*operation),
            operation.method().as_str(),
            operation.path_template(),
        )
    });
    let companions = Companion::ALL.iter().filter_map(|companion| {
        let (method, path) = companion.place();
        let id = if path.ends_with('/') { "{id}" } else { "" };
        described(Named::Companion(*companion), method, &format!("{path}{id}"))
    });
    Json::List(specified.chain(companions).collect())
}

/// A row: a field that may be absent has a question mark.
fn row(named: Named, method: &str, path: &str) -> String {
    let route = Route { named, param: String::new() };
    let credentials = match route.credentials() {
        None => "none",
        Some(operation) if operation.side() == Side::Server => "the server's key",
        Some(operation) if operation.takes_key() => "the client's key, or a token",
        Some(_) => "a token",
    };
    let all = profile::request(route.name());
    let is_leaf = |path: &str| {
        !all.iter().any(|other| {
            other.path.strip_prefix(path).is_some_and(|rest| rest.starts_with(['.', '[']))
        })
    };
    let fields: Vec<_> = all
        .iter()
        .filter(|field| is_leaf(field.path))
        .map(|field| format!("`{}`{}", field.path, if field.required { "" } else { "?" }))
        .collect();
    format!("| `{method} {path}` | {credentials} | {} |\n", fields.join(", "))
}
