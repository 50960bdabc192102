//! The script of the shared store.

use sendoff::rate_limit::redis::{SCRIPT, SCRIPT_SHA1};

#[test]
fn the_store_knows_the_script_by_its_sha1() {
    assert_eq!(sha1_smol::Sha1::from(SCRIPT).digest().to_string(), SCRIPT_SHA1);
}
