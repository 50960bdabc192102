//! The public React SDK against the service: its paths, headers and bodies, its silent refresh, and
//! how it waits.

use sendoff_sandbox::Reply;

use crate::calls::{
    At, COLLECTION, Json, RECIPIENT, Service, TREASURY, USDC, code, read, request, text,
};

/// How often and how long the SDK asks for an order.
const POLLS: usize = 12;
const POLL_MS: i64 = 5_000;

/// The SDK, as a person uses it.
struct Sdk {
    service: Service,
    token: String,
    refresh: String,
    device: String,
}

impl Sdk {
    fn login(mut service: Service, person: &str) -> Self {
        let headers = [("x-api-key", "sandbox-client-key"), ("content-type", "application/json")];
        let body = format!(r#"{{"id_token":"{person}"}}"#);
        let reply = service.send(&request("POST", "/api/v2/authenticate", &headers, &body));
        let [token, refresh, device] = ["auth_token", "refresh_auth_token", "device_token"]
            .map(|name| text(&reply, &format!("data.{name}")));
        Self { service, token, refresh, device }
    }

    /// Makes a call. After a 401 it renews its tokens, and makes the same call again.
    fn call(&mut self, method: &str, target: &str, body: &str) -> Reply {
        let reply = self.once(method, target, body);
        if reply.status != 401 {
            return reply;
        }
        self.renew();
        self.once(method, target, body)
    }

    fn once(&mut self, method: &str, target: &str, body: &str) -> Reply {
        let bearer = format!("Bearer {}", self.token);
        let mut headers =
            vec![("x-api-key", "sandbox-client-key"), ("authorization", bearer.as_str())];
        if method == "POST" {
            headers.push(("content-type", "application/json"));
        }
        self.service.send(&request(method, &format!("/api/v1/{target}"), &headers, body))
    }

    fn renew(&mut self) {
        let [bearer, refresh] = [&self.token, &self.refresh].map(|token| format!("Bearer {token}"));
        let device = self.device.clone();
        let headers = [
            ("x-api-key", "sandbox-client-key"),
            ("authorization", bearer.as_str()),
            ("x-refresh-authorization", refresh.as_str()),
            ("x-device-token", device.as_str()),
        ];
        let reply = self.service.send(&request("POST", "/api/v1/refresh_token", &headers, "{}"));
        [self.token, self.refresh, self.device] =
            ["auth_token", "refresh_auth_token", "device_token"]
                .map(|name| text(&reply, &format!("data.{name}")));
        // The old ones are of no use.
        assert_eq!(
            self.service.send(&request("POST", "/api/v1/refresh_token", &headers, "{}")).status,
            401
        );
    }

    /// Asks until the text at a path is one of the two states at which the SDK stops.
    fn wait(&mut self, target: &str, path: &str) -> String {
        for _ in 0..POLLS {
            let state = text(&self.call("GET", target, ""), path);
            if state == "SUCCESS" || state == "FAILED" {
                return state;
            }
            self.service.now += POLL_MS;
        }
        panic!("{target}: the SDK gave up");
    }

    fn list(&mut self, target: &str, path: &str) -> Vec<Json> {
        let reply = self.call("GET", target, "");
        assert_eq!(reply.status, 201, "{}", reply.body);
        read(&reply).at(path).and_then(Json::as_array).unwrap().to_vec()
    }
}

fn tokens(token: &str, quantity: &str, to: &str) -> String {
    format!(
        r#"{{"network_name":"POLYGON","token_address":"{token}","quantity":"{quantity}","recipient_address":"{to}"}}"#
    )
}

fn nft(id: &str, to: &str, more: &str) -> String {
    format!(
        r#"{{"operation_type":"NFT_TRANSFER","network_name":"POLYGON","collection_address":"{COLLECTION}","collection_name":"super orchestrators",
        "quantity":"1","recipient_address":"{to}","nft_address":"{id}"{more}}}"#
    )
}

/// The application gives a person tokens and an NFT of its treasury wallet.
fn fund(service: &mut Service, wallet: &str) {
    for (token, quantity) in [(USDC, "5"), ("", "1")] {
        let path = format!("/s2s/api/v2/transfer/tokens/execute/{TREASURY}");
        assert_eq!(service.server("POST", &path, &tokens(token, quantity, wallet)).status, 201);
    }
    let given = nft("57", wallet, &format!(r#","user_id":"{TREASURY}""#));
    assert_eq!(service.server("POST", "/s2s/api/v2/nft/transfer", &given).status, 201);
    service.now += POLL_MS;
}

#[test]
fn the_public_react_sdk_runs_through() {
    let mut sdk = Sdk::login(Service::new(r#"{"newUser":null}"#), "a person");
    assert_eq!(sdk.call("POST", "wallet", "").status, 201);
    assert_eq!(sdk.call("POST", "wallet", "").status, 200);
    let wallet = text(&sdk.call("GET", "wallet", ""), "data.wallets.0.address");
    // Here a new person has nothing to send.
    assert_eq!(
        code(&sdk.call("POST", "transfer/tokens/execute", &tokens(USDC, "1", RECIPIENT))),
        "ER-TECH-0025"
    );
    assert_eq!(code(&sdk.call("POST", "nft/transfer", &nft("57", RECIPIENT, ""))), "ER-TECH-0002");
    assert!(sdk.list("portfolio", "data.tokens").is_empty());

    fund(&mut sdk.service, &wallet);
    let owned = sdk.list("portfolio", "data.tokens");
    let owned: Vec<_> = owned
        .iter()
        .map(|row| ["token_name", "quantity"].map(|key| row.at(key).unwrap().to_string()))
        .collect();
    assert_eq!(owned, [[r#""POL""#, r#""1""#], [r#""USDC""#, r#""5""#]]);
    assert_eq!(sdk.list("supported/networks", "data.network").len(), 3);
    assert_eq!(sdk.list("supported/tokens?page=1&size=10", "data.tokens").len(), 5);

    let order = text(
        &sdk.call("POST", "transfer/tokens/execute", &tokens(USDC, "1.5", RECIPIENT)),
        "data.orderId",
    );
    assert_eq!(sdk.wait(&format!("orders?order_id={order}"), "data.jobs.0.status"), "SUCCESS");
    assert_eq!(
        [&wallet, RECIPIENT].map(|holder| sdk.service.balance(USDC, holder)),
        [3_500_000, 1_500_000]
    );

    let order = text(&sdk.call("POST", "nft/transfer", &nft("57", RECIPIENT, "")), "data.order_id");
    let details = format!("nft/order_details?page=1&size=10&order_id={order}");
    assert_eq!(sdk.wait(&details, "data.details.0.status"), "SUCCESS");
    let owner_of = r#"{"network_name":"POLYGON","data":{"contractAddress":"0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5",
        "abi":{"inputs":[{"name":"id","type":"uint256"}],"name":"ownerOf","type":"function"},"args":{"id":"57"}}}"#;
    assert_eq!(text(&sdk.call("POST", "readContractData", owner_of), "data.0"), RECIPIENT);

    let transaction = format!(
        r#"{{"network_name":"POLYGON","transaction":{{"from":"{wallet}","to":"{USDC}","data":"0xa9059cbb{:0>64}{:064x}","value":"0x"}}}}"#,
        &RECIPIENT[2..],
        500_000
    );
    let job = text(&sdk.call("POST", "rawtransaction/execute", &transaction), "data.jobId");
    let status = format!("rawtransaction/status?order_id={job}");
    assert_eq!(sdk.wait(&status, "data.jobs.0.status"), "SUCCESS");
    assert_eq!(sdk.service.balance(USDC, RECIPIENT), 2_000_000);

    let history = sdk.list("orders?offset=0&limit=10&order_state=SUCCESS", "data.jobs");
    let types: Vec<_> =
        history.iter().map(|job| job.get("order_type").and_then(Json::as_str).unwrap()).collect();
    assert_eq!(
        types,
        [
            "EXECUTE_RAW_TX",
            "NFT_TRANSFER",
            "TOKEN_TRANSFER_EXECUTE",
            // What the application gave.
            "EXTERNAL_TRANSFER",
            "EXTERNAL_TRANSFER",
            "EXTERNAL_TRANSFER"
        ]
    );
}

#[test]
fn its_token_ends_and_the_same_call_is_made_again() {
    let mut sdk =
        Sdk::login(Service::new(r#"{"delays":{"token":60000},"newUser":null}"#), "a person");
    let (old, wallet) =
        (sdk.token.clone(), text(&sdk.call("GET", "wallet", ""), "data.wallets.0.address"));
    fund(&mut sdk.service, &wallet);
    sdk.service.now += 60_000;
    let order = text(
        &sdk.call("POST", "transfer/tokens/execute", &tokens("", "0.5", RECIPIENT)),
        "data.orderId",
    );
    assert_ne!(sdk.token, old);
    assert_eq!(sdk.wait(&format!("orders?order_id={order}"), "data.jobs.0.status"), "SUCCESS");
    let bearer = format!("Bearer {old}");
    let reply =
        sdk.service.send(&request("GET", "/api/v1/portfolio", &[("authorization", &bearer)], ""));
    assert_eq!((reply.status, code(&reply)), (401, "ER-TECH-0007".into()));
}
