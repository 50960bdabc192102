//! `cargo run -p page --example glue -- MODULE FOLDER`: what the command `wasm-bindgen` does with `--target web`, by the
//! library under it, so that its version is the one in Cargo.lock and nothing is installed.

use std::env;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [module, folder] =
        env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "expected MODULE and FOLDER")?;
    Ok(Bindgen::new()
        .input_path(module)
        .web(true)?
        .omit_default_module_path(false)
        .typescript(false)
        .generate(folder)?)
}
