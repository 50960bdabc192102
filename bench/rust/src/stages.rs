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
const ENTRY_POINT: &str =
    r#"{"entryPoint":"0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da","chainId":8088,"version":"0.7"}"#;

/// A stage: its group and its name, and one run of it.
pub type Stage = (&'static str, &'static str, Box<dyn FnMut()>);

/// All stages, and the jobs of `bench/jobs.mjs` by the core: `host`, `client` and `both`. `floor` is the digests alone that the hash cannot do without.
#[must_use]
pub fn stages() -> Vec<Stage> {
    let compact = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap().to_string();
    let [request_text, facts_text, deployment_text] = [REQUEST, FACTS, DEPLOYMENT].map(compact);
    let (request, facts): (EstimateRequest, Facts) =
        (request_text.parse().unwrap(), facts_text.parse().unwrap());
    let deployment: Deployment = deployment_text.parse().unwrap();
    let at: EntryPoint = ENTRY_POINT.parse().unwrap();
    let reply = respond(Estimate::new(request.clone(), facts.clone()).unwrap());
    let reply_text = reply.to_string();
    let op = UserOp::from(reply.data.user_ops.clone());
    let op_text = op.to_string();
    let bytes = op.call_data.as_slice().to_vec();
    let call = Call::decode(&bytes).unwrap();
    let refused_text = request_text.replacen("NFT_TRANSFER", "NFT_TRANSFERS", 1);

    let mut all = Stages::default();
    let (text, other) = (request_text.clone(), facts_text.clone());
    all.add("request", "read", move || black_box(&text).parse::<EstimateRequest>());
    all.add("request", "read facts", move || black_box(&other).parse::<Facts>());
    let (estimated, by) = (request.clone(), facts.clone());
    all.add("request", "respond", move || {
        Estimate::new(black_box(&estimated).clone(), by.clone()).map(respond)
    });
    all.add("request", "encode the call", move || Ok::<_, Error>(black_box(&call).encode()));
    let written = reply.clone();
    all.add("request", "write the reply", move || Ok::<_, Error>(black_box(&written).to_string()));
    let (text, by) = (request_text.clone(), facts_text.clone());
    all.add("job", "host", move || json::estimate(black_box(&text), &by));
    let (text, by, place) = (request_text.clone(), facts_text.clone(), at.clone());
    all.add("job", "both", move || {
        let reply = respond(Estimate::new(black_box(&text).parse()?, by.parse()?)?);
        let text = reply.to_string();
        Ok::<_, Error>((text, user_op_hash(&UserOp::from(reply.data.user_ops), &place)?))
    });
    let by = facts_text.clone();
    all.add("job", "host, refused", move || {
        json::estimate(black_box(&refused_text), &by).or(Ok::<_, Error>("".into()))
    });

    let text = reply_text.clone();
    all.add("reply", "read", move || black_box(&text).parse::<EstimateReply>());
    let (hashed, data) = (bytes.clone(), bytes);
    all.add("reply", "decode the call", move || Call::decode(black_box(&data)));
    let (asked, text) = (request.clone(), reply_text.clone());
    all.add("reply", "verify text", move || Ok::<_, Error>(verify(&asked, black_box(&text))));
    all.add("reply", "signable, typed", move || {
        signable(&request, black_box(&reply), &deployment, &Names::default())
    });
    let text = request_text.clone();
    all.add("job", "client", move || {
        json::signable(&text, black_box(&reply_text), &deployment_text, None)
    });

    all.add("hash", "typed", move || user_op_hash(black_box(&op), &at));
    all.add("hash", "text to text", move || json::user_op_hash(black_box(&op_text), ENTRY_POINT));
    all.add("hash", "floor: the digests of an operation", move || {
        let mut hash = Keccak256::digest(black_box(&hashed));
        hash = Keccak256::digest(hash);
        for length in [0, 117, 256, 96] {
            hash = Keccak256::digest(&hashed[..length]);
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
