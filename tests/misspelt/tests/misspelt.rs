//! Misspelt fields, forgotten intents, operations and phases: each is a fault in a copy of the core, which must not compile, and
//! the error names the file.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A file, a text in it, what takes its place, and the file that the error names if it is another. First fields; then what is
/// carried and not compared, of the request, of the reply and of call data; then what a `match` or a struct forgot.
const FAULTS: &str = r#"
estimate/deployment.rs | Field::of("signs") | Field::of("sings")
estimate/request.rs | of("details.caip2Id") | of("detials.caip2Id")
estimate/request.rs | of("gasDetails.maxFeePerGas") | of("gasDetails.maxFeePergas")
estimate/agreement.rs | Field::of("userSWA") | Field::of("clientSWAs")
estimate/scope.rs | at("data.userOps") | at("data.userOp")
estimate/scope.rs | USER: Field<EstimateReply, Address> | USER: Field<EstimateReply, ChainId>
estimate/scope.rs | typed("data.userOps.callData") | typed("data.userOps.call")
user_op/op.rs | Field::of("factory") | Field::of("factori")
user_op/receipt.rs | Field::of("status") | Field::of("state")
submission/mod.rs | Field::of("hash") | Field::of("phase")
catalogue/rules.rs | Field::of("tokenAddress") | Field::of("token")
estimate/scope.rs | some(s.tip) | some(s.cap)
estimate/scope.rs | at("data.details.swapFees"), | STATUS,
estimate/scope.rs | path_in(Call::TABLES, "jobManager") | path_in(Call::TABLES, "intent")
estimate/request.rs | "jobId" => | "orderId" => order_id: Option<JobId>, "jobId" => | estimate/scope.rs
intent/mod.rs | "RAW_TRANSACTION" => | "TOKEN_BURN" => TokenBurn, "RAW_TRANSACTION" =>
intent/mod.rs | pub enum Intent { | pub enum Intent { TokenBurn(TokenTransfer), | estimate/warning.rs
http/operation.rs | "estimate" => Estimate, | "estimate" => Estimate, "burn" => Burn,
submission/phase.rs | "expired" => Expired, | "expired" => Expired, "lost" => Lost,
user_op/op.rs | "sender" => | "salt" => pub salt: Address, "sender" => | user_op/hash.rs
"#;

fn copy(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// What `cargo check` says of the copy; `None` if it compiles.
fn refusal(folder: &Path) -> Result<Option<String>, Box<dyn Error>> {
    let check = ["check", "--offline", "--quiet", "--manifest-path", "sendoff/Cargo.toml"];
    let output = Command::new(env!("CARGO"))
        .args(check)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()?;
    let said = String::from_utf8(output.stderr)?;
    Ok((!output.status.success()).then_some(said))
}

#[test]
#[ignore = "compiles the core for each fault; `cargo xtask test misspelt` runs it"]
fn each_fault_ends_the_compilation_at_its_file() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("misspelt");
    copy(&root.join("crates/sendoff"), &folder.join("sendoff"))?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let workspace = fs::read_to_string(root.join("Cargo.toml"))?;
    let (_, shared) = workspace.split_once("[workspace.package]").ok_or("no shared fields")?;
    let members = "[workspace]\nresolver = \"3\"\nmembers = [\"sendoff\"]\n\n[workspace.package]";
    let shared = shared.replace("path = \"crates/sendoff\"", "path = \"sendoff\"");
    fs::write(folder.join("Cargo.toml"), format!("{members}{shared}"))?;
    assert_eq!(refusal(&folder)?, None, "the copy itself");

    for line in FAULTS.trim().lines() {
        let columns: Vec<_> = line.split(" | ").collect();
        let [file, from, to, other @ ..] = &columns[..] else { return Err(line.into()) };
        let named = other.first().unwrap_or(file);
        let path = folder.join("sendoff/src").join(file);
        let text = fs::read_to_string(&path)?;
        assert!(text.contains(from), "expected `{from}` in {file}");
        fs::write(&path, text.replacen(from, to, 1))?;

        let said = refusal(&folder)?.ok_or(format!("`{to}` in {file} compiles"))?;
        assert!(said.contains(&format!("src/{named}")), "expected {named} for `{to}`:\n{said}");
        fs::write(&path, text)?;
    }
    Ok(())
}
