//! The program of the README, in the folder with its three files: `cargo run --example first`.

use std::{env, error::Error, fs};

use sendoff::{Names, signable};

fn main() -> Result<(), Box<dyn Error>> {
    env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/first"))?;

    let read = |name: &str| fs::read_to_string(format!("{name}.json"));
    let (request, deployment) = (read("request")?.parse()?, read("deployment")?.parse()?);
    // Every difference is an issue of the error, with its path.
    let signable = signable(&request, &read("reply")?, &deployment, &Names::default())?;
    signable.effects().call.sentences.iter().for_each(|sentence| println!("{sentence}"));
    assert!(signable.unbound().is_empty(), "a field that only the server chose");
    println!("{}", signable.hash());

    Ok(())
}
