//! The edge of `deploy/nginx.conf`, with Debian's nginx: attacks that hurt the gateway alone do not hurt a good caller behind it.
//!
//! # Tests that went with their machinery
//!
//! Seats, shares by address and connection, watched activity, lingering, the packet filter and the drain of bodies went when the edge
//! became a proxy (`deploy/nginx.conf`). Each test that went, and what holds its promise:
//!
//! | test | what holds it now |
//! |---|---|
//! | `broken::a_backend_that_closes_idle_connections_loses_one_call` | `reuse::a_backend_that_closes_idle_connections_loses_no_call`, with `upstream.idle_ms` |
//! | `places::places_that_only_wait_are_left_to_other_addresses`, `one_address_cannot_block_others`, `limits_on_connections_are_those_of_the_file` | `limit_conn group 64`, `limit_conn site 256` of `stream`; the cap: `places::the_admin_address_has_its_own_places` |
//! | `places::few_descriptors_are_shared` | `places::too_few_descriptors_are_refused`: the process does not start, and names the keys |
//! | `connections::http_2_without_a_request_ends`, `http_2_without_a_window_ends` | `keepalive_timeout 15s`, `send_timeout 10s`, `http2_max_concurrent_streams 32` |
//! | the HTTP/2 parts of `connections::a_long_reply_that_is_not_read` and `a_file_that_is_not_read`; `unread` (four tests) | `proxy_buffering on`, `proxy_max_temp_file_size 64m`, `send_timeout 10s` |
//! | `shares::slow_bodies_of_one_connection_do_not_shut_out_others` | `shares::slow_bodies_of_one_user_do_not_shut_out_another_application`: the share is the user's, on any number of connections |
//! | `proxies::callers_behind_a_proxy_have_their_own_shares` | `limit_conn caller 64` of `http`; a user has one share, whatever the address: `slots` |
//! | units of `seats` and `connection_limits` | the rows above |
//! | `bounds::refusals_reach_callers_that_still_send`, `refusals_reach_callers_that_send_slowly`, `a_connection_is_reused_after_a_refusal` | `proxy_request_buffering on`, `lingering_close on`: nginx reads the body of a call that is refused. Alone, a caller that still sends may see a reset instead of the reply |
//! | `bounds::two_hundred_silent_connections_are_harmless` | `edge`: `attacks_on_connections_are_held` (`Silent`), `bounds::heads_that_stall` |
//! | `bounds::bodies_above_the_limit_are_413`, `bodies_that_stall_are_408`, `bodies_that_contradict_their_head_are_400` | `bounds::bodies_that_are_long_or_stall_or_break_off_are_refused` has their rows |
//! | `connections::http_1_that_does_not_read_ends`, `a_file_that_is_not_read` | `connections::a_long_reply_that_is_not_read`; `edge` (`Pipelined`, `Unread`): `proxy_buffering on`, `send_timeout 10s` |
//! | `stop::no_connection_is_reset` | `keepalive 64`, `proxy_next_upstream off`, and the two tests of `restart`; a new connection in the moment in which a process closes its own socket can be reset, one in a socket of systemd cannot |
//! | `stop::sigint_stops_the_gateway` | `stop::sigint_and_sigquit_stop_the_gateway_and_other_signals_have_no_effect` |
//! | `restart::systemd_activates_the_gateway` | `deploy::the_sockets_of_the_units_are_those_of_the_file`, by the same tool |
//! | `tls::the_protocol_is_the_negotiated_one` | hyper-util finds the protocol by its first bytes, also after a handshake: nothing depends on the name in it |
//! | `broken::a_reset_has_no_effect_on_other_connections`, `upstream::calls_do_not_wait_for_each_other` | `reuse::simultaneous_callers_share_connections` |
//! | `http_2::a_reply_ends_with_its_last_bytes` | hyper |
//! | `estimate::the_letter_case_of_addresses_does_not_matter`, `rules_across_request_and_facts_are_checked` | the vectors of `estimate`, through `estimate::replies_equal_the_vectors`; `refusals` |
//! | `observe::logs_and_metrics_contain_no_secret` | `secrets::no_run_shows_a_secret`, at each level |
//! | `traces::a_trace_that_is_not_recorded_is_passed_on`, `a_lost_collector_is_logged_once` | `traces::the_flags_of_callers_are_not_believed`, `a_collector_that_refuses_is_logged_and_counted` |
//! | units of `log`, `span`, `otlp` | tracing-appender and OpenTelemetry; `log`, `traces` |
//! | `faults`: rows of callers that hang up, drip, do not read, are idle, send half or invalid heads, or nothing | `edge`: `attacks_on_connections_are_held`; `gone` |
//! | `reload` (all), `tls::a_certificate_is_renewed_without_a_restart` | the file is read once: a change is a restart without a lost call, `restart::a_socket_of_a_service_manager_outlives_processes` and `a_second_process_on_the_same_address_takes_over`; applications change in a database, `database` and `admin` |
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::panic,
    reason = "a panic is a failure of the test"
)]

#[path = "../support/mod.rs"]
mod support;

mod attack;
mod nginx;

use std::{
    io::{Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use attack::{Attack, Target};
use nginx::Nginx;
use sha2::{Digest as _, Sha256};
use support::{Gateway, backend::Backend, config, wire};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::{Instant, sleep, timeout},
};

/// The calls of the good caller during an attack, each on a connection of its own.
const CALLS: usize = 20;

/// How long the attacks last before the good caller calls. The gateway alone gives up on none of them sooner.
const BEGIN: Duration = Duration::from_secs(3);

/// The length of a reply of the backend: more than the buffers of a connection hold.
const REPLY: usize = 5 << 20;

/// A good caller and 40 attackers are users of one application. The backend's replies are long. The environment `secure` is
/// the same with TLS.
fn gateway(backend: &str, pair: &Pair) -> Gateway {
    let swa = |user: usize| format!("0x{user:040x}");
    let head = "bounds.connections = 300\nbounds.requests = 64\nproxies = { addresses = [\"127.0.0.1\"], header = \"x-forwarded-for\" }";
    let mut file = config(r#""none""#, head, &format!("upstream.url = \"{backend}\""));
    file.push_str(&format!(
        "[[environment.sandbox.application]]\nname = \"both\"\nclient_swa = \"{}\"\n",
        swa(1)
    ));
    for user in 0..=attack::USERS {
        let digest = hex::encode(Sha256::digest(attack::token(user)));
        file.push_str(&format!(
            "[[environment.sandbox.application.user]]\ntoken = {{ sha256 = \"{digest}\" }}\nuser_swa = \"{}\"\n",
            swa(user + 2)
        ));
    }
    let (_, sandbox) = file.split_once("[environment.sandbox]").expect("an environment");
    let secure = sandbox.replace("environment.sandbox", "environment.secure");
    let [certificate, key] = &pair.files;
    let tls = format!("tls = {{ certificate = {certificate:?}, key = {key:?} }}");
    Gateway::start(&format!("{file}[environment.secure]\n{tls}{secure}"))
}

/// A certificate for `localhost`, and its files.
struct Pair {
    certificate: rcgen::Certificate,
    files: [PathBuf; 2],
}

impl Pair {
    fn new() -> Self {
        let pair = rcgen::generate_simple_self_signed(["localhost".to_owned()]);
        let pair = pair.expect("a certificate");
        let folder = std::env::temp_dir();
        let files = ["certificate", "key"]
            .map(|name| folder.join(format!("sendoff-edge-{name}-{}", std::process::id())));
        let texts = [pair.cert.pem(), pair.signing_key.serialize_pem()];
        for (file, text) in files.iter().zip(texts) {
            std::fs::write(file, text).expect("a file");
        }
        Self { certificate: pair.cert, files }
    }
}

fn backend() -> String {
    Backend::raw(|mut stream| {
        let reply = "a".repeat(REPLY);
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", reply.len());
        while stream.peek(&mut [0]).is_ok_and(|length| length > 0) {
            let asked = wire::head(&mut stream);
            let length = wire::header(&asked, "content-length")
                .map_or(0, |length| length.parse().expect("a length"));
            let whole = stream.read_exact(&mut vec![0; length]);
            if whole.and_then(|()| stream.write_all((head.clone() + &reply).as_bytes())).is_err() {
                return;
            }
        }
    })
}

/// A connection from one of this machine's own addresses.
pub(crate) async fn connect_from(from: Ipv4Addr, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(4 << 10)?;
    socket.bind(SocketAddr::from((from, 0)))?;
    socket.connect(to).await
}

/// How many of the good caller's calls were refused or cut.
async fn bad_calls(target: &Target) -> usize {
    let proxy = if target.takes_proxy { "PROXY TCP4 192.0.2.9 192.0.2.1 4000 443\r\n" } else { "" };
    let ask = format!(
        "{proxy}GET /api/v1/supported/networks HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {}\r\nconnection: close\r\n\r\n",
        attack::token(attack::USERS)
    );
    let mut bad = 0;
    for _ in 0..CALLS {
        let called = timeout(Duration::from_secs(3), async {
            let mut stream = connect_from(Ipv4Addr::new(127, 0, 0, 9), target.plain).await?;
            stream.write_all(ask.as_bytes()).await?;
            let mut reply = String::new();
            stream.read_to_string(&mut reply).await.map(|_| reply)
        });
        let is_good = matches!(called.await, Ok(Ok(reply)) if reply.starts_with("HTTP/1.1 200 ") && reply.ends_with("]}}"));
        bad += usize::from(!is_good);
        sleep(Duration::from_millis(50)).await;
    }
    bad
}

/// Each attack first hurts the gateway alone, unless hyper bounds it. Behind nginx it hurts nobody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attacks_on_connections_are_held() {
    let (backend, pair) = (backend(), Pair::new());
    let alone = gateway(&backend, &pair);
    let behind = gateway(&backend, &pair);
    let start = |takes_proxy| Nginx::start(plain(&behind), &pair, takes_proxy);
    let (Some(nginx), Some(balanced)) = (start(false), start(true)) else {
        println!(
            "nginx with its module `stream` is not installed, or this is not root: nothing was tested"
        );
        return;
    };
    let at = |socket: &str| socket.parse().expect("an address");
    let direct = Target {
        plain: at(plain(&alone)),
        tls: at(alone.socket()),
        certificate: pair.certificate.clone(),
        takes_proxy: false,
        is_edge: false,
    };
    let edge = Target { plain: nginx.plain, tls: nginx.tls, is_edge: true, ..direct.clone() };
    let balanced =
        Target { plain: balanced.plain, tls: balanced.tls, takes_proxy: true, ..edge.clone() };

    for attack in Attack::ALL {
        let edge = if attack == Attack::SilentNetworks { &balanced } else { &edge };
        let mut counts = Vec::new();
        for target in [&direct, edge] {
            let held = attack.begin(target).await;
            sleep(BEGIN).await;
            let (began, bad) = (Instant::now(), bad_calls(target).await);
            counts.push(bad);
            println!("{attack:?}: {bad} of {CALLS} calls, {:?}", began.elapsed());
            held.shutdown();
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
    let garbage = wire::exchange(&nginx.plain.to_string(), "GARBAGE\r\n\r\n");
    assert_eq!(wire::statuses(&garbage), [400], "{garbage}");
    assert!(garbage.contains("\"this is no valid HTTP\""), "{garbage}");
    assert_eq!(bad_calls(&edge).await, 0);
}

/// The address of an environment without TLS.
fn plain(gateway: &Gateway) -> &str {
    let (_, at) = gateway.environments.iter().find(|(name, _)| name == "sandbox").expect("one");
    at.strip_prefix("http://").expect("a scheme")
}

/// The address of a caller is the one that nginx saw, whatever the caller writes; bodies reach the backend whole, and once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_edge_hands_calls_on() {
    let pair = Pair::new();
    let mut behind = gateway(&backend(), &pair);
    let Some(nginx) = Nginx::start(plain(&behind), &pair, false) else { return };
    let mut stream = connect_from(Ipv4Addr::new(127, 0, 0, 7), nginx.plain).await.expect("a place");
    let call = format!(
        "POST /api/v1/nft/transfer HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {}\r\nx-forwarded-for: 192.0.2.1\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}",
        attack::token(0)
    );
    stream.write_all(call.as_bytes()).await.expect("the bytes are written");
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.expect("a reply");
    assert!(reply.starts_with(b"HTTP/1.1 200 ") && reply.len() > REPLY);
    let log = behind.stop();
    assert!(log.contains(r#""address":"127.0.0.7""#), "{log}");
    assert_eq!(log.matches(r#""message":"request""#).count(), 1, "{log}");
}
