//! The suites of tests that have no module of their own.

use crate::{Outcome, arguments, build, process::sh, setup};

/// Builds the package's code in TypeScript and runs its quick tests, on the modules of the last build.
pub(crate) fn quick() -> Outcome {
    build::sources()?;
    let names = "argument deployments entries http http-replies messages rate-limiter redis schema \
        sign text";
    tests_of_the_package(names, "")
}

pub(crate) fn package() -> Outcome {
    build::panics()?;
    tests_of_the_package("*", "")
}

pub(crate) fn package_with_all_cases() -> Outcome {
    tests_of_the_package("bad-input flow-worlds javascript", "1")
}

/// Runs files of tests; `*` is all of them. `all`: with all of their cases.
fn tests_of_the_package(names: &str, all: &str) -> Outcome {
    let files: String =
        names.split_whitespace().map(|name| format!(" test/{name}.test.mjs")).collect();
    let node = "node --test --test-concurrency=2";
    sh(&format!("bindings/sendoff-js/ SENDOFF_ALL={all} {node}{files}"))
}

/// A page with Leptos, in Chromium; and what pages with `sendoff-web` weigh, each with one of its features.
pub(crate) fn pages() -> Outcome {
    let wasm = "target/wasm32-unknown-unknown";
    let glue = "cargo run --quiet -p page --example glue --";
    sh(&format!(
        "CARGO_TARGET_DIR=target/leptos cargo build --release --locked --quiet \
            --target wasm32-unknown-unknown --manifest-path tests/leptos/Cargo.toml && \
        {glue} target/leptos/wasm32-unknown-unknown/release/leptos-page.wasm target/leptos/glue && \
        node tests/leptos/run.mjs target/leptos/glue"
    ))?;
    for (name, feature) in [("texts", "sign-text"), ("values", "sign")] {
        sh(&format!(
            "cargo rustc -p sendoff-web --profile wasm --locked --features {feature} --quiet \
                --target wasm32-unknown-unknown --crate-type cdylib && \
            {glue} {wasm}/wasm/sendoff_web.wasm target/page/weighed/{name}"
        ))?;
    }
    sh("node tests/page/weigh.mjs target/page/weighed/texts target/page/weighed/values")
}

/// Mixed load and random faults from a seed: a minute, or as many seconds as are asked for.
pub(crate) fn soak() -> Outcome {
    let arguments = arguments();
    let nth = |at, default| arguments.get(at).map_or(default, String::as_str);
    sh(&format!(
        "SENDOFF_SOAK_SECONDS={} SENDOFF_SOAK_SEED={} {FAULTS} soak::soak",
        nth(0, "60"),
        nth(1, "1")
    ))
}

/// A test of `crates/sendoff-gateway/tests/faults`.
pub(crate) const FAULTS: &str = "cargo test --quiet -p sendoff-gateway --test faults -- --exact \
    --include-ignored --nocapture";

/// The tests in which a cluster or sentinels lose a master under load, one after the other: the gateway's and the package's.
pub(crate) fn failover() -> Outcome {
    sh("cargo test --quiet -p sendoff-gateway --test cluster failover:: -- --include-ignored \
        --nocapture --test-threads=1")?;
    setup::npm_run("bindings/sendoff-js/examples/node-backend", "failover")
}

/// What has more cases than `test` runs; or each law with as many cases, and as many altered replies, as are asked for.
pub(crate) fn laws() -> Outcome {
    if let [cases] = &arguments()[..] {
        let laws = "cargo test -p laws --release";
        return sh(&format!("PROPTEST_CASES={cases} SENDOFF_MUTANTS={cases} {laws}"));
    }
    sh("SENDOFF_ALL=1 cargo test --test laws --test service")
}

/// A thousand cases of each class of `tests/bypass`, or as many of all classes together as are asked for.
pub(crate) fn bypass() -> Outcome {
    match &arguments()[..] {
        [cases] => sh(&format!(
            "SENDOFF_BYPASS={cases} cargo test --quiet -p bypass --test suite -- --nocapture"
        )),
        _ => sh("SENDOFF_ALL=1 cargo test --test suite"),
    }
}
