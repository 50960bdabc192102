//! What fuzzing kept is checked again, without a fuzzer. `wasm` needs an engine:
//! `cargo xtask test fuzz` has it.

use laws::fuzzed::{CHECKS, kept};

#[test]
fn what_fuzzing_kept_breaks_no_law() {
    for (name, check) in CHECKS {
        let inputs = kept(name);
        assert!(!inputs.is_empty(), "{name}: expected inputs in tests/fuzz/corpus, found none");
        for input in &inputs {
            check(input);
        }
        println!("{name}: {} inputs", inputs.len());
    }
}
