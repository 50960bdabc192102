//! The reply to a request without lies: credentials, limit, body, and the operation.

use alloc::{string::String, vec::Vec};

use sendoff::error::{Issue, IssueCode};
use sendoff::http::{Opaque, Operation, Refusal};

use crate::fault::{Coded, Fault};
use crate::form::Form;
use crate::json::object;
use crate::page::required;
use crate::profile;
use crate::record::row;
use crate::route::{Companion, Named, Route};
use crate::signed::Judge;
use crate::state::State;
use crate::v1::MOST_WALLETS;
use crate::{Json, Reply, Request, rpc};

/// A body that makes room before it is kept. Smaller ones are bounded by the numbers of orders and operations.
const LARGE_BYTES: usize = 4 << 10;

/// The largest body, in bytes.
const MOST_BYTES: usize = 1 << 20;

/// Answers a request without lies.
pub(crate) fn serve(
    state: &mut State,
    route: &Route,
    request: &Request,
    now: i64,
    judge: Judge<'_>,
) -> Result<Reply, Fault> {
    if request.body.len() > MOST_BYTES {
        return Err(Refusal::TOO_LARGE.into());
    }
    if (request.body.len() > LARGE_BYTES || state.is_full()) && !state.make_room() {
        return Err(Coded::FULL.into());
    }
    if request.method == "GET" && !request.body.is_empty() {
        return Err(Refusal::BODY_OF_GET.into());
    }
    let user = match route.credentials() {
        Some(operation) => state.identify(operation, request, now)?.user,
        None => String::new(),
    };
    if route.named != Named::Companion(Companion::Rpc) {
        state.count(route, now)?;
    }

    match route.named {
        Named::Specified(Operation::Estimate) => {
            let reply = state.estimate(&user, request)?;
            Ok(Reply::text(200, reply))
        }
        Named::Companion(Companion::Rpc) => {
            Ok(Reply::json(200, &rpc::answer(state, &request.body, now, judge)))
        }
        Named::Companion(Companion::Execute) => {
            let job = state.execute(&user, &body(route, request)?, now, judge)?;
            Ok(success(200, job))
        }
        Named::Specified(operation) => specified(state, operation, route, &user, request, now),
        Named::Companion(companion) => companions(state, companion, route, &user, request, now),
    }
}

/// Answers the other operations of the specification.
fn specified(
    state: &mut State,
    operation: Operation,
    route: &Route,
    user: &str,
    request: &Request,
    now: i64,
) -> Result<Reply, Fault> {
    let (body, problems) = read(route, request)?;
    let form = &mut Form::new(&body, problems);
    let data = match operation {
        Operation::TransferTokens => state.transfer_tokens(user, form, now, false)?,
        Operation::Portfolio => state.portfolio(user)?,
        Operation::Orders => state.order_history(user, request, now)?,
        Operation::SupportedNetworks => state.networks(),
        Operation::SupportedTokens => state.supported_tokens(request)?,
        Operation::TransferNft => state.transfer_nft(user, form, now, false)?,
        Operation::ReadContractData | Operation::ServerReadContractData => {
            let network = state.network(form);
            state.read_contract(form, &network)?
        }
        Operation::ExecuteRawTransaction => {
            let id = state.raw_transaction(user, form, None, now)?;
            state.named("jobId", id, false)
        }
        Operation::ServerCreateWallet => {
            let network = state.network(form).name;
            let wallets = state.create_wallets(form, 1, now)?;
            let (id, address) = wallets.into_iter().next().ok_or(Coded::INTERNAL)?;
            row(
                "user_id network_name address purpose status",
                &[&id, &network, &address, &body.text("purpose").to_ascii_uppercase(), &"ACTIVE"],
            )
        }
        Operation::ServerCreateWallets => {
            let count = form.integer("wallet_count", 1, MOST_WALLETS, None);
            let wallets = state.create_wallets(form, count, now)?;
            let row = |(id, address): &(String, String)| row("address user_id", &[address, id]);
            Json::List(wallets.iter().map(row).collect())
        }
        Operation::ServerMintNft => state.mint_nft(form, now)?,
        Operation::ServerTransferNft => {
            state.transfer_nft(body.text("user_id"), form, now, true)?
        }
        Operation::ServerTransferTokens => state.transfer_tokens(&route.param, form, now, true)?,
        Operation::ServerExecuteRawTransaction => {
            let job = request.header("job-id");
            let is_random = |job: &str| {
                let job = job.parse::<sendoff::value::JobId>();
                // Of the variant of RFC 9562, whose two bits are 10.
                let is_standard = |bytes: &[u8; 16]| bytes[8] >> 6 == 2;
                job.is_ok_and(|job| {
                    job.to_uuid().get_version_num() == 4 && is_standard(job.to_uuid().as_bytes())
                })
            };
            if !job.is_none_or(is_random) {
                let expected = "a UUID of version 4 in the header `job-id`";
                return Err(Fault::of_problem("job-id", IssueCode::Format, expected, job));
            }
            let id = state.raw_transaction(&route.param, form, job, now)?;
            state.named("order_id", id, false)
        }
        _ => return Err(Refusal::no_backend(operation).into()),
    };
    let is_read =
        matches!(operation, Operation::ReadContractData | Operation::ServerReadContractData);
    let status = if is_read { 200 } else { state.switches.created() };
    Ok(success(status, data))
}

/// Answers the companions.
fn companions(
    state: &mut State,
    companion: Companion,
    route: &Route,
    user: &str,
    request: &Request,
    now: i64,
) -> Result<Reply, Fault> {
    let (body, problems) = read(route, request)?;
    let form = &mut Form::new(&body, problems);
    if companion != Companion::IntentReadContractData {
        form.finish()?;
    }
    let created = state.switches.created();
    let named = |name: &str, _: &str, address: &str| {
        row("network_name address success", &[&name, &address, &true])
    };
    let (status, data) = match companion {
        Companion::Authenticate => (200, state.authenticate(body.text("id_token"), now)?),
        Companion::JwtAuthenticate => (200, state.authenticate(body.text("user_id"), now)?),
        Companion::RefreshToken => (200, state.refresh(request, now)?),
        Companion::UserFromToken => (200, state.user_from_token(user)?),
        Companion::Wallets | Companion::WidgetWallets => {
            (created, object([("wallets", state.wallets(user, &named)?)]))
        }
        Companion::CreateWallets => {
            let known = state.users.get_mut(user).ok_or(Coded::DATA)?;
            let had = core::mem::replace(&mut known.has_wallets, true);
            (if had { 200 } else { created }, object([("wallets", state.wallets(user, &named)?)]))
        }
        Companion::RawTransactionStatus => (created, state.raw_status(user, request, now)?),
        Companion::ServerRawTransactionStatus => {
            (created, state.raw_status(&route.param, request, now)?)
        }
        Companion::NftOrderDetails => (created, state.nft_orders(user, request, now)?),
        Companion::Activity => (created, state.activity(user, request)?),
        Companion::ServerPortfolio => (created, state.aggregated(&required(request, "user_id")?)?),
        Companion::ServerSupportedTokens => {
            state.wallet(&required(request, "user_id")?)?;
            (created, state.server_tokens())
        }
        Companion::ServerWallets => {
            let row = |name: &str, chain: &str, address: &str| {
                let mut row = full(state, name, chain, address);
                row.remove("caip_id");
                row
            };
            let wallets = state.wallets(&required(request, "user_id")?, &row)?;
            (created, object([("wallets", wallets)]))
        }
        Companion::BulkOrderDetails => (created, state.bulk_order(&route.param, request, now)?),
        Companion::Session => (200, state.open_key_session(&body, now)?),
        Companion::GasValues => (200, state.gas_values()),
        Companion::IntentOrders => (200, state.intent_orders(user, request)?),
        Companion::IntentWallets => {
            let row = |name: &str, chain: &str, address: &str| full(state, name, chain, address);
            (200, state.wallets(user, &row)?)
        }
        Companion::UserKeys => (200, state.user_keys(user)?),
        Companion::VerifySession => (200, state.verify_session(user)?),
        Companion::IntentNetworks => (200, state.intent_networks()),
        Companion::IntentTokens => (200, state.intent_tokens()),
        Companion::IntentPortfolio => (200, state.intent_portfolio(user)?),
        Companion::IntentActivity => (200, state.intent_activity(user, request)?),
        Companion::IntentNfts => (200, state.intent_nfts(user)?),
        Companion::IntentReadContractData => {
            let network = state.intent_network(form);
            (200, state.read_contract(form, &network)?)
        }
        // Answered before.
        Companion::Rpc | Companion::Execute => return Err(Refusal::NOT_FOUND.into()),
    };
    Ok(success(status, data))
}

/// A wallet with its network.
fn full(state: &State, name: &str, chain: &str, address: &str) -> Json {
    row(
        "caip_id network_name address network_id network_symbol",
        &[&chain, &name, &address, &state.stable_id("network", chain), &name],
    )
}

fn success(status: u16, data: Json) -> Reply {
    Reply::json(status, &object([("status", "success".into()), ("data", data)]))
}

/// The body of a request without problems.
pub(crate) fn body(route: &Route, request: &Request) -> Result<Json, Fault> {
    let (body, problems) = read(route, request)?;
    Fault::unless_none(problems).map(|()| body)
}

/// The body of a request, compared with the profile's table. An absent body is an empty object.
fn read(route: &Route, request: &Request) -> Result<(Json, Vec<Issue>), Fault> {
    let empty = || object([]);
    let fields = profile::request(route.name());
    if fields.is_empty() {
        return Ok((empty(), Vec::new()));
    }
    // The core tells every problem of the text.
    let text = if request.body.is_empty() { "{}" } else { &request.body };
    let opaque: Opaque = text.parse().map_err(Refusal::from)?;
    let mut body = Json::parse(opaque.as_str()).unwrap_or_else(empty);
    profile::canonical(&mut body);
    if !matches!(body, Json::Object(_)) {
        let found = body.to_json();
        return Err(Fault::of_problem("", IssueCode::Type, "an object", Some(&found)));
    }
    let problems = profile::check(fields, &body);
    Ok((body, problems))
}
