//! One program for all checks of `laws::fuzzed`, so that their dependencies are linked once.
//! `SENDOFF_CHECK` names the check; `cargo xtask fuzz` sets it.
#![no_main]

mod wasm;

use std::{env, sync::LazyLock};

use laws::fuzzed::{self, Check};
use libfuzzer_sys::fuzz_target;

static CHECK: LazyLock<Check> = LazyLock::new(|| match env::var("SENDOFF_CHECK") {
    Ok(name) if name == "wasm" => wasm::check,
    Ok(name) => fuzzed::check(&name),
    Err(_) => panic!("expected the name of a check in SENDOFF_CHECK"),
});

fuzz_target!(|bytes: &[u8]| CHECK(bytes));
