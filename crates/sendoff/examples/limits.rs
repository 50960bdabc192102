//! The service's rate limit, for a host that refuses and for a caller that plans: `cargo run --example limits`.

use std::time::SystemTime;

use sendoff::error::Error;
use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time, Verdict, plan};

fn main() -> Result<(), Error> {
    // The core reads no clock.
    let since_the_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let now = Time::from_ms(since_the_epoch.as_millis().try_into().unwrap_or_default())?;

    // A host: calls in one window, then the number of seconds to wait.
    let policy = Policy::PRODUCTION;
    let mut limiter = RateLimiter::new(policy);
    let admitted = (0..2000).filter(|_| limiter.admit("shop", now, Cost::ONE).is_admitted()).count();
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
