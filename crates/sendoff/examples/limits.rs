//! The service's rate limit, for a host that refuses and for a caller that plans:
//! `cargo run --example limits`.

use std::time::{SystemTime, UNIX_EPOCH};

use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time, Verdict, plan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The core reads no clock.
    let now = Time::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?)?;

    // A host: calls in one window, then the number of seconds to wait.
    let policy = Policy::PRODUCTION;
    let mut limiter = RateLimiter::new(policy);
    let admitted =
        (0..2000).filter(|_| limiter.admit("shop", now, Cost::ONE).is_admitted()).count();
    println!("{admitted} of 2000 calls are admitted");
    if let Verdict::Refused { retry_after, .. } = limiter.admit("shop", now, Cost::ONE) {
        println!("retry after {retry_after} seconds");
    }
    assert!(limiter.admit("another shop", now, Cost::ONE).is_admitted());

    // A caller: the times of 4000 calls, so that none is refused.
    for batch in plan(&policy, None, now, 4000)? {
        println!("{} calls at {}", batch.count, batch.at);
    }
    Ok(())
}
