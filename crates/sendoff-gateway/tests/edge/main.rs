//! The edge of `deploy/nginx.conf`, with Debian's nginx: attacks that hurt the gateway alone do not hurt a good caller behind it.
//!
//! `tests/held.txt` has the tests that went when the edge became a proxy, and what holds the promise of each.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    reason = "a panic is a failure of the test"
)]

#[path = "../support/mod.rs"]
mod support;

mod attack;
mod nginx;

use attack::{Attack, Target};
use nginx::Nginx;
use support::{http_2::connect_from, prelude::*};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::timeout,
};

/// The calls of the good caller during an attack, each on a connection of its own.
const CALLS: usize = 20;

/// How long the attacks last before the good caller calls. The gateway alone gives up on none of them sooner.
const BEGIN: Duration = Duration::from_secs(3);

/// The length of a reply of the backend: more than the buffers of a connection hold.
const REPLY: usize = 5 << 20;

/// A good caller and 40 attackers are users of one application. The backend's replies are long. The environment `secure` is
/// the same with TLS.
fn gateway(backend: &str, certified: &Folder) -> Gateway {
    let head = "bounds.connections = 300\nbounds.requests = 64\nproxies = [\"127.0.0.1\"]";
    let users = |number| user(&attack::token(number), &format!("0x{:040x}", number + 2));
    let file = config(UNLIMITED, head, &format!("upstream.url = \"{backend}\""))
        + &application("both", "")
        + &(0..=attack::USERS).map(users).collect::<String>();
    let (_, sandbox) = file.split_once("[environment.sandbox]").expect("an environment");
    let secure = sandbox.replace("environment.sandbox", "environment.secure");
    Gateway::start(&format!("{file}[environment.secure]\ntls = {}{secure}", certified.tls()))
}

fn backend() -> String {
    let reply = format!("HTTP/1.1 200 OK\r\ncontent-length: {REPLY}\r\n\r\n{}", "a".repeat(REPLY));
    Backend::keeping(move |_, stream| stream.write_all(reply.as_bytes()).is_ok())
}

/// How many of the good caller's calls were refused or cut.
async fn bad_calls(target: &Target) -> usize {
    let proxy = if target.takes_proxy { "PROXY TCP4 192.0.2.9 192.0.2.1 4000 443\r\n" } else { "" };
    let ask = wire::get(NETWORKS, "connection: close");
    let ask = proxy.to_owned() + &ask.replace(TOKEN, &attack::token(attack::USERS));
    let mut bad = 0;
    for _ in 0..CALLS {
        let called = timeout(Duration::from_secs(3), async {
            let mut stream = connect_from([127, 0, 0, 9], &target.plain).await?;
            stream.write_all(ask.as_bytes()).await?;
            let mut reply = String::new();
            stream.read_to_string(&mut reply).await.map(|_| reply)
        });
        let reply = called.await.unwrap_or_else(|late| Err(late.into())).unwrap_or_default();
        let is_good = reply.starts_with("HTTP/1.1 200 ") && reply.ends_with("]}}");
        bad += usize::from(!is_good);
        sleep(Duration::from_millis(50)).await;
    }
    bad
}

/// Each attack first hurts the gateway alone, unless hyper bounds it. Behind nginx it hurts nobody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attacks_on_connections_are_held() {
    let (backend, folder) = (backend(), Folder::new("pair"));
    let certificate = folder.certify();
    let (alone, behind) = (gateway(&backend, &folder), gateway(&backend, &folder));
    let start = |takes_proxy| Nginx::start(plain(&behind), &folder, takes_proxy);
    let (Some(nginx), Some(balanced)) = (start(false), start(true)) else {
        println!("no nginx with its module `stream`, or this is not root: nothing was tested");
        return;
    };
    let target = |plain: &str, tls: &str, takes_proxy, is_edge| Target {
        plain: plain.to_owned(),
        tls: tls.to_owned(),
        certificate: certificate.clone(),
        takes_proxy,
        is_edge,
    };
    let direct = target(plain(&alone), alone.socket(), false, false);
    let edge = target(&nginx.plain, &nginx.tls, false, true);
    let balanced = target(&balanced.plain, &balanced.tls, true, true);

    for (attack, attackers) in Attack::ALL {
        let edge = if attack == Attack::SilentNetworks { &balanced } else { &edge };
        let mut counts = Vec::new();
        for target in [&direct, edge] {
            let held = attack.begin(attackers, target);
            sleep(BEGIN).await;
            let (began, bad) = (Instant::now(), bad_calls(target).await);
            counts.push(bad);
            println!("{attack:?}: {bad} of {CALLS} calls, {:?}", began.elapsed());
            drop(held);
            // What the attack held is free again.
            for gateway in [&alone, &behind] {
                gateway.until("sendoff_requests_running", 0).await;
            }
        }
        let [alone, behind] = counts[..] else { panic!("two counts") };
        assert!(alone > 0 || attack.is_bounded(), "{attack:?} does not hurt the gateway alone");
        assert_eq!(behind, 0, "{attack:?} hurts a good caller behind nginx");
    }
    // nginx answers what is no HTTP.
    let mut stream = wire::connect(&nginx.plain);
    wire::send(&stream, "GARBAGE\r\n\r\n");
    let garbage = rest(&mut stream);
    assert_eq!(statuses(&garbage), [400], "{garbage}");
    assert!(garbage.contains("\"this is no valid HTTP\""), "{garbage}");
    assert_eq!(bad_calls(&edge).await, 0);
}

/// The address of an environment without TLS.
fn plain(gateway: &Gateway) -> &str {
    gateway.environments["sandbox"].strip_prefix("http://").expect("a scheme")
}

/// The address of a caller is the one that nginx saw, whatever the caller writes; bodies reach the backend whole, and once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_edge_hands_calls_on() {
    let folder = Folder::new("pair");
    drop(folder.certify());
    let mut behind = gateway(&backend(), &folder);
    let Some(nginx) = Nginx::start(plain(&behind), &folder, false) else { return };
    let mut stream = connect_from([127, 0, 0, 7], &nginx.plain).await.expect("a place");
    let fields = "x-forwarded-for: 192.0.2.1\r\ncontent-length: 2\r\nconnection: close";
    let call = wire::post(TRANSFER, fields).replace(TOKEN, &attack::token(0)) + "{}";
    stream.write_all(call.as_bytes()).await.expect("the bytes are written");
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.expect("a reply");
    assert!(reply.starts_with(b"HTTP/1.1 200 ") && reply.len() > REPLY);
    let log = behind.stop();
    assert!(log.contains(r#""address":"127.0.0.7""#), "{log}");
    assert_eq!(log.matches(r#""message":"request""#).count(), 1, "{log}");
}
