//! New keys and tokens.

use ring::rand::{SecureRandom as _, SystemRandom};

use super::{Asked, Fault, Kind};

/// A new secret with 256 random bits. Its start tells a scanner of leaked secrets what it is.
pub(super) fn new(kind: Kind) -> Asked<String> {
    let mut bytes = [0; 32];
    let filled = SystemRandom::new().fill(&mut bytes);
    filled.map_err(|_| Fault::Lost("the system gives no random bytes".into()))?;
    let digits = hex::encode(bytes);
    Ok(format!("sendoff_{kind}_{digits}"))
}
