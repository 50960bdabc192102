//! `cargo run -p page --example glue -- MODULE FOLDER`: runs `wasm-bindgen --target web` by its
//! library, so that the version is that of Cargo.lock and no command has to be installed.

use std::env;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [module, folder] = env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "expected MODULE and FOLDER")?;
    Ok(Bindgen::new()
        .input_path(module)
        .web(true)?
        .omit_default_module_path(false)
        .typescript(false)
        .out_name("page")
        .generate(folder)?)
}
