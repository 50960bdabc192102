//! Which operation a request is for: one of the specification's, or a companion.

use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use sendoff::http::{Operation, find};

use super::asked::Row;
use super::fault::{Answered, Fault};
use super::operations::{
    activity, bulk_order, create_wallets, estimate, execute, intent_orders, mint_nft, networks,
    nft_orders, nfts, orders, portfolio, raw_status, raw_transaction, read_contract, rpc, session,
    sign_in, tokens, transfer_nft, transfer_tokens, wallets,
};

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

/// The operations whose requests have a user operation.
pub(crate) const EXECUTE: &str = "execute";
pub(crate) const RPC: &str = "rpc";

/// The row of an operation of the specification.
fn specified(operation: Operation) -> Row {
    match operation {
        Operation::Estimate => Row::of(operation, Box::new(estimate::answer)).with(&[200]),
        Operation::TransferTokens => Row::takes(operation, transfer_tokens::of_user),
        Operation::Portfolio => Row::reads(operation, portfolio::of_user),
        Operation::Orders => Row::reads(operation, orders::answer),
        Operation::SupportedNetworks => Row::reads(operation, networks::answer),
        Operation::SupportedTokens => Row::reads(operation, tokens::answer),
        Operation::TransferNft => Row::takes(operation, transfer_nft::of_user),
        Operation::ReadContractData | Operation::ServerReadContractData => {
            Row::takes(operation, read_contract::answer).with(&[200])
        }
        Operation::ExecuteRawTransaction => Row::takes(operation, raw_transaction::of_user),
        Operation::ServerCreateWallet => Row::takes(operation, create_wallets::one),
        Operation::ServerCreateWallets => Row::takes(operation, create_wallets::many),
        Operation::ServerMintNft => Row::takes(operation, mint_nft::answer),
        Operation::ServerTransferNft => Row::takes(operation, transfer_nft::of_server),
        Operation::ServerTransferTokens => Row::takes(operation, transfer_tokens::of_server),
        Operation::ServerExecuteRawTransaction => Row::takes(operation, raw_transaction::of_server),
    }
}

/// The rows of the companions, without which a caller could not follow an order. A path that ends
/// with `{id}` has a parameter.
fn companions() -> Vec<Row> {
    // Whose credentials they need: the application's key alone, a user's token, or the server's key.
    let (key, token, server) =
        (Operation::SupportedNetworks, Operation::Portfolio, Operation::ServerCreateWallet);
    let first = [
        Row::takes(key, sign_in::by_token).at("authenticate", "POST /api/v2/authenticate"),
        Row::takes(key, sign_in::by_user).at("jwtAuthenticate", "POST /api/v1/jwt-authenticate"),
        Row::reads(token, sign_in::refresh).at("refreshToken", "POST /api/v1/refresh_token").open(),
        Row::reads(token, sign_in::user).at("userFromToken", "GET /api/v1/user_from_token"),
        Row::takes(token, session::open).at("session", "POST /api/oc/v1/authenticate").open(),
        Row::takes(token, execute::answer).at("execute", "POST /api/oc/v1/execute"),
        Row::reads(token, execute::gas_values).at("gasValues", "GET /api/oc/v1/gas-values"),
        Row::reads(token, intent_orders::answer).at("intentOrders", "GET /api/oc/v1/orders"),
        Row::reads(token, wallets::of_intents).at("intentWallets", "GET /api/oc/v1/wallets"),
        Row::reads(token, session::keys).at("userKeys", "GET /api/oc/v1/user-keys"),
        Row::reads(token, session::verify).at("verifySession", "GET /api/oc/v1/verify-session"),
        Row::reads(token, networks::of_intents)
            .at("intentNetworks", "GET /api/oc/v1/supported/networks"),
        Row::reads(token, tokens::of_intents).at("intentTokens", "GET /api/oc/v1/supported/tokens"),
        Row::reads(token, portfolio::of_intents)
            .at("intentPortfolio", "GET /api/oc/v1/aggregated-portfolio"),
        Row::reads(token, activity::of_intents)
            .at("intentActivity", "GET /api/oc/v1/portfolio/activity"),
        Row::reads(token, nfts::answer).at("intentNfts", "GET /api/oc/v1/portfolio/nft"),
        Row::takes(token, read_contract::of_chain)
            .at("intentReadContractData", "POST /api/oc/v1/readContractData"),
        Row::of(token, Box::new(rpc::answer)).at(RPC, "POST /rpc").open(),
    ];
    let created = [
        Row::reads(token, wallets::of_user).at("wallets", "GET /api/v1/wallet"),
        Row::reads(token, wallets::of_user).at("widgetWallets", "GET /api/v1/widget/wallet"),
        Row::reads(token, wallets::create)
            .at("createWallets", "POST /api/v1/wallet")
            .with(&[201, 200]),
        Row::reads(token, raw_status::answer)
            .at("rawTransactionStatus", "GET /api/v1/rawtransaction/status"),
        Row::reads(token, nft_orders::answer)
            .at("nftOrderDetails", "GET /api/v1/nft/order_details"),
        Row::reads(token, activity::answer).at("activity", "GET /api/v1/portfolio/activity"),
        Row::reads(server, portfolio::of_server).at("serverPortfolio", "GET /s2s/api/v1/portfolio"),
        Row::reads(server, tokens::of_server)
            .at("serverSupportedTokens", "GET /s2s/api/v1/supported/tokens"),
        Row::reads(server, wallets::of_server).at("serverWallets", "GET /s2s/api/v1/wallet"),
        Row::reads(server, bulk_order::answer)
            .at("bulkOrderDetails", "GET /s2s/api/v2/bulk_order_details/{id}"),
        Row::reads(server, raw_status::answer)
            .at("serverRawTransactionStatus", "GET /s2s/api/v1/rawtransaction/status/{id}"),
    ];
    first.into_iter().map(|row| row.with(&[200])).chain(created).collect()
}

/// All rows: the operations of the specification, then the companions.
pub(super) static ROWS: LazyLock<Vec<Row>> =
    LazyLock::new(|| Operation::ALL.iter().copied().map(specified).chain(companions()).collect());

/// The operation of a request, and the parameter of its path.
#[derive(Clone)]
pub(crate) struct Route {
    pub(crate) row: &'static Row,
    pub(crate) param: String,
}

impl Route {
    /// The operation of a method and a target: by the core's table, then by that of the companions.
    pub(crate) fn find(method: &str, target: &str) -> Answered<Self> {
        let refusal = match find(method, target) {
            Ok(found) => {
                let is_it = |row: &&Row| row.id == found.operation.as_str();
                let row = ROWS.iter().find(is_it).ok_or(&super::fault::INTERNAL)?;
                let param = found.param.map(|param| param.as_str().into()).unwrap_or_default();
                return Ok(Self { row, param });
            }
            Err(refusal) => refusal,
        };
        // A path can have another method in the other table: GET and POST of `/s2s/api/v1/wallet`.
        if !["not-found", "method-not-allowed"].contains(&refusal.as_str()) {
            return Err(refusal.into());
        }
        let path = target.split_once('?').map_or(target, |(path, _)| path);
        if let Some((_, what)) = ABSENT.iter().find(|(absent, _)| path.starts_with(absent)) {
            return Err(Fault::Absent(what));
        }
        let companions = ROWS.iter().skip(Operation::ALL.len());
        let known = companions.filter_map(|row| Some((row, param(row.path, path)?)));
        let known: Vec<_> = known.collect();
        if let Some((row, param)) = known.iter().find(|(row, _)| row.method == method) {
            let param = percent_decode_str(param).decode_utf8_lossy().into_owned();
            return Ok(Self { row, param });
        }
        Err(match (refusal.operation(), &known[..]) {
            (_, []) => refusal.into(),
            (None, [(row, _)]) => Fault::Method(row.method),
            // The methods are these two only.
            _ => Fault::Method("GET, POST"),
        })
    }
}

/// The parameter of a path that is of a template; empty if it has none.
fn param<'a>(template: &str, path: &'a str) -> Option<&'a str> {
    match template.strip_suffix("{id}") {
        Some(start) => {
            let param = path.strip_prefix(start)?;
            (!param.is_empty() && !param.contains('/')).then_some(param)
        }
        None => (path == template).then_some(""),
    }
}
