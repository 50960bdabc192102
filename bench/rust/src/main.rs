//! The three jobs in Rust, with the protocol of `bench/side.mjs`: a line of inputs, answered with
//! the results of the jobs, and then lines of a job and a number of runs, each answered with their
//! time in nanoseconds. The jobs `floor-both` and `floor-client` are only the digests that every
//! library needs.

use std::{error::Error, hint::black_box, io::stdin, time::Instant};

use sendoff::estimate::{
    Deployment, Estimate, EstimateReply, EstimateRequest, Facts, respond, signable,
};
use sendoff::intent::Names;
use sendoff::user_op::{EntryPoint, user_op_hash};
use serde::Deserialize;
use sha3::{Digest as _, Keccak256};

/// The input of one run of a job.
#[derive(Deserialize)]
struct Input {
    request: EstimateRequest,
    text: String,
    facts: Facts,
    reply: String,
    at: EntryPoint,
    deployment: Deployment,
    /// The call data, and the other hashed bytes of variable length: an address, two limits and paymaster data.
    #[serde(skip)]
    hashed: [Vec<u8>; 2],
}

type Job = fn(&Input) -> Result<Vec<String>, sendoff::error::Error>;

const JOBS: [(&str, Job); 5] = [
    ("both", |input| {
        let reply = estimate(input)?;
        let hash = user_op_hash(&reply.data.user_ops.clone().into(), &input.at)?;
        Ok(vec![reply.to_string(), hash.to_string()])
    }),
    ("host", |input| Ok(vec![estimate(input)?.to_string()])),
    ("client", |input| {
        let signable =
            signable(&input.request, &input.reply, &input.deployment, &Names::default())?;
        Ok(vec![signable.digest().to_string()])
    }),
    ("floor-both", |input| {
        black_box(digests(input));
        Ok(Vec::new())
    }),
    ("floor-client", |input| {
        black_box((digests(input), Keccak256::digest([0; 60])));
        Ok(Vec::new())
    }),
];

fn estimate(input: &Input) -> Result<EstimateReply, sendoff::error::Error> {
    Ok(respond(Estimate::new(input.text.parse()?, input.facts.clone())?))
}

/// The digests of an operation: of its three parts of variable length, of the fields with those digests, and of the result with
/// EntryPoint and chain.
fn digests(input: &Input) -> [[u8; 32]; 5] {
    let [call_data, paymaster] = &input.hashed;
    [&[], &**call_data, &**paymaster, &[0; 256], &[0; 96]]
        .map(|bytes| Keccak256::digest(bytes).into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut lines = stdin().lines();
    let first = lines.next().ok_or("expected the inputs")??;
    let mut inputs: Vec<Input> = serde_json::from_str(&first)?;
    for Input { reply, hashed, .. } in &mut inputs {
        let op = reply.parse::<EstimateReply>()?.data.user_ops;
        let paymaster = [&[0; 52], op.paymaster_data.as_slice()].concat();
        *hashed = [op.call_data.to_vec(), paymaster];
    }
    let answers = |job: Job| inputs.iter().map(job).collect::<Result<Vec<_>, _>>();
    let [both, host, client, ..] = JOBS.map(|(_, job)| answers(job));
    println!("{}", serde_json::to_string(&[both?, host?, client?])?);
    for line in lines {
        let line = line?;
        let (name, count) = line.split_once(' ').ok_or("expected a job and a number of runs")?;
        let (_, job) = JOBS
            .into_iter()
            .find(|(known, _)| *known == name)
            .ok_or("expected the name of a job")?;
        let start = Instant::now();
        for input in inputs.iter().cycle().take(count.parse()?) {
            black_box(job(black_box(input)))?;
        }
        println!("{}", start.elapsed().as_nanos());
    }
    Ok(())
}
