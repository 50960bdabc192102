//! A reply is held against its request before anybody signs. Run it from the root of the repository.

use sendoff::estimate::{Deployment, EstimateRequest, signable};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let read = |name: &str| std::fs::read_to_string(format!("tests/demo/{name}.json"));
    let (request, facts) = (read("request")?, read("facts")?); // what you ask, and what the service knows
    let reply = sendoff::json::estimate(&request, &facts)?; // what it answers: here made on the spot

    let request: EstimateRequest = request.parse()?;
    let deployment: Deployment = read("deployment")?.parse()?;
    match signable(&request, &reply, &deployment) {
        Ok(signable) => println!("{:#?}\n{:#x}", signable.account(), signable.digest()),
        Err(error) => error.issues().iter().for_each(|issue| eprintln!("{issue}")),
    }
    Ok(())
}
