//! The stages of the core, each measured separately, for one transfer.
//!
//! `floor` is the time of the digests that the following stages need. The rest of their time is reading, comparing and writing.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a benchmark ends at the first mistake")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sendoff::estimate::{Deployment, Estimate, EstimateReply, EstimateRequest, Facts, respond, signable, verify};
use sendoff::json;
use sendoff::user_op::{Call, EntryPoint, UserOp, user_op_hash};
use sha3::{Digest as _, Keccak256};

const REQUEST: &str = include_str!("../../../demo/request.json");
const FACTS: &str = include_str!("../../../demo/facts.json");
const DEPLOYMENT: &str = include_str!("../../../demo/deployment.json");

fn stages(c: &mut Criterion) {
    let compact = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap().to_string();
    let (request_text, facts_text, deployment_text) = (compact(REQUEST), compact(FACTS), compact(DEPLOYMENT));
    let (request, facts): (EstimateRequest, Facts) = (request_text.parse().unwrap(), facts_text.parse().unwrap());
    let deployment: Deployment = deployment_text.parse().unwrap();
    let entry_point: EntryPoint =
        r#"{"entryPoint":"0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da","chainId":8088,"version":"0.7"}"#.parse().unwrap();
    let reply = respond(Estimate::new(request.clone(), facts.clone()).unwrap());
    let reply_text = reply.to_string();
    let op = UserOp::from(reply.data.user_ops.clone());
    let op_text = op.to_string();
    let call_data = op.call_data.as_slice().to_vec();
    let call = Call::decode(&call_data).unwrap();

    let mut group = c.benchmark_group("request");
    group.bench_function("read", |b| b.iter(|| black_box(&request_text).parse::<EstimateRequest>()));
    group.bench_function("read facts", |b| b.iter(|| black_box(&facts_text).parse::<Facts>()));
    group.bench_function("respond", |b| {
        b.iter(|| respond(Estimate::new(black_box(&request).clone(), facts.clone()).unwrap()))
    });
    group.bench_function("encode the call", |b| b.iter(|| black_box(&call).encode()));
    group.bench_function("write the reply", |b| b.iter(|| black_box(&reply).to_string()));
    group.bench_function("estimate, text to text", |b| {
        b.iter(|| json::estimate(black_box(&request_text), black_box(&facts_text)))
    });
    group.finish();

    let mut group = c.benchmark_group("reply");
    group.bench_function("read", |b| b.iter(|| black_box(&reply_text).parse::<EstimateReply>()));
    group.bench_function("decode the call", |b| b.iter(|| Call::decode(black_box(&call_data))));
    group.bench_function("verify text", |b| b.iter(|| verify(&request, black_box(&reply_text))));
    group.bench_function("signable, typed", |b| b.iter(|| signable(&request, black_box(&reply), &deployment)));
    group.bench_function("signable, text to text", |b| {
        b.iter(|| json::signable(black_box(&request_text), black_box(&reply_text), black_box(&deployment_text)))
    });
    group.finish();

    let mut group = c.benchmark_group("hash");
    group.bench_function("typed", |b| b.iter(|| user_op_hash(black_box(&op), &entry_point)));
    group.bench_function("text to text", |b| {
        b.iter(|| {
            json::user_op_hash(
                black_box(&op_text),
                r#"{"entryPoint":"0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da","chainId":8088,"version":"0.7"}"#,
            )
        })
    });
    group.bench_function("floor: the digests of an operation", |b| {
        b.iter(|| {
            let mut hash = Keccak256::digest(black_box(&call_data));
            hash = Keccak256::digest(hash);
            for length in [0, 117, 256, 96] {
                hash = Keccak256::digest(&call_data[..length]);
            }
            hash
        })
    });
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
