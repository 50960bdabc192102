//! The stages of the core, each by itself, on one transfer: for the times of `benches/job.rs`
//! and for the instruction counts that `cargo xtask test instructions` compares with
//! `bench/instructions.json`.
#![expect(
    clippy::as_conversions,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a measurement ends at the first mistake"
)]

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use sendoff::estimate::{
    Deployment, Estimate, EstimateReply, EstimateRequest, Facts, respond, signable, verify,
};
use sendoff::intent::Names;
use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time, redis};
use sendoff::user_op::{Call, EntryPoint, UserOp, user_op_hash};
use sendoff::{error::Error, json};
use sha3::{Digest as _, Keccak256};

/// A document of the demonstration.
pub const REQUEST: &str = include_str!("../../../tests/demo/request.json");
/// A document of the demonstration.
pub const FACTS: &str = include_str!("../../../tests/demo/facts.json");
const DEPLOYMENT: &str = include_str!("../../../tests/demo/deployment.json");
/// Of the demonstration, on the chain of its deployment.
pub const ENTRY_POINT: &str =
    r#"{"entryPoint":"0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da","chainId":8088,"version":"0.7"}"#;

/// A stage: its group and its name, and one run of it.
pub type Stage = (&'static str, &'static str, Box<dyn FnMut()>);

/// All stages, and the jobs of `bench/jobs.mjs` by the core: `host`, `client` and `both`. `floor` is the digests alone that the hash cannot do without.
#[must_use]
pub fn stages() -> Vec<Stage> {
    let compact = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap().to_string();
    let [request_text, facts_text, deployment_text] =
        [REQUEST, FACTS, DEPLOYMENT].map(|text| leaked(compact(text)));
    let request: &EstimateRequest = leaked(request_text.parse().unwrap());
    let facts: &Facts = leaked(facts_text.parse().unwrap());
    let deployment: &Deployment = leaked(deployment_text.parse().unwrap());
    let at: &EntryPoint = leaked(ENTRY_POINT.parse().unwrap());
    let reply = leaked(respond(Estimate::new(request.clone(), facts.clone()).unwrap()));
    let reply_text = leaked(reply.to_string());
    let op = leaked(UserOp::from(reply.data.user_ops.clone()));
    let op_text = leaked(op.to_string());
    let bytes = op.call_data.as_slice();
    let call = leaked(Call::decode(bytes).unwrap());
    let refused_text = leaked(request_text.replacen("NFT_TRANSFER", "NFT_TRANSFERS", 1));

    let mut all = Stages::default();
    all.add("request", "read", move || black_box(request_text).parse::<EstimateRequest>());
    all.add("request", "read facts", move || black_box(facts_text).parse::<Facts>());
    all.add("request", "respond", move || {
        Estimate::new(black_box(request).clone(), facts.clone()).map(respond)
    });
    all.add("request", "encode the call", move || Ok::<_, Error>(black_box(call).encode()));
    all.add("request", "write the reply", move || Ok::<_, Error>(black_box(reply).to_string()));
    all.add("job", "host", move || json::estimate(black_box(request_text), facts_text));
    all.add("job", "both", move || {
        let reply = respond(Estimate::new(black_box(request_text).parse()?, facts_text.parse()?)?);
        let text = reply.to_string();
        Ok::<_, Error>((text, user_op_hash(&UserOp::from(reply.data.user_ops), at)?))
    });
    all.add("job", "host, refused", move || {
        json::estimate(black_box(refused_text), facts_text).or(Ok::<_, Error>("".into()))
    });

    all.add("reply", "read", move || black_box(reply_text).parse::<EstimateReply>());
    all.add("reply", "decode the call", move || Call::decode(black_box(bytes)));
    all.add("reply", "verify text", move || Ok::<_, Error>(verify(request, black_box(reply_text))));
    all.add("reply", "signable, typed", move || {
        signable(request, black_box(reply), deployment, &Names::default())
    });
    all.add("job", "client", move || {
        json::signable(request_text, black_box(reply_text), deployment_text, None)
    });

    all.add("hash", "typed", move || user_op_hash(black_box(op), at));
    all.add("hash", "text to text", move || json::user_op_hash(black_box(op_text), ENTRY_POINT));
    all.add("hash", "floor: the digests of an operation", move || {
        let mut hash = Keccak256::digest(black_box(bytes));
        hash = Keccak256::digest(hash);
        for length in [0, 117, 256, 96] {
            hash = Keccak256::digest(&bytes[..length]);
        }
        Ok::<_, Error>(hash)
    });

    let now = Time::from_ms(1_750_000_000_000).unwrap();
    let mut limiter = RateLimiter::new(Policy::PRODUCTION);
    all.add("limit", "admit a caller", move || {
        Ok::<_, Error>(limiter.admit(black_box("shop"), now, Cost::ONE))
    });
    all.add("limit", "ask Redis", move || {
        let key = redis::Key::new(&Policy::PRODUCTION, "production", black_box("shop"), b"secret")?;
        Ok::<_, Error>(redis::RedisRequest::new(
            &Policy::PRODUCTION,
            &key,
            redis::Ask::Admit(Cost::ONE),
            Some(now),
        ))
    });
    all.0
}

/// What the stages share until the end of the process.
fn leaked<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

#[derive(Default)]
struct Stages(Vec<Stage>);

impl Stages {
    fn add<Answer, Why: std::fmt::Debug>(
        &mut self,
        group: &'static str,
        name: &'static str,
        mut run: impl FnMut() -> Result<Answer, Why> + 'static,
    ) {
        self.0.push((group, name, Box::new(move || drop(black_box(run().unwrap())))));
    }
}

/// Many short rounds: one that nothing else on the machine interrupts is among them.
const ROUNDS: usize = 200;
const LONGEST: Duration = Duration::from_secs(3);

/// Microseconds of one run of each side, of so many at a time. The sides take turns, and the least of all rounds counts.
pub fn microseconds<const SIDES: usize>(
    count: usize,
    mut sides: [&mut dyn FnMut(); SIDES],
) -> [f64; SIDES] {
    let began = Instant::now();
    let mut least = [f64::MAX; SIDES];
    for _ in 0..ROUNDS {
        for (side, least) in sides.iter_mut().zip(&mut least) {
            let start = Instant::now();
            (0..count).for_each(|_| side());
            *least = least.min(start.elapsed().as_secs_f64() * 1e6 / count as f64);
        }
        if began.elapsed() > LONGEST {
            break;
        }
    }
    least
}
