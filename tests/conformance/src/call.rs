//! A call of the boundary by its name in JSON.

use std::borrow::Cow;

use sendoff::json;
use serde_json::value::RawValue;

/// JSON text both ways: the answer, or the issues.
pub type Answer = Result<String, String>;

/// Calls the function that vectors name so.
///
/// Fails where there is nothing to judge: the function is unknown, or gets too few or too many arguments.
pub(crate) fn call(name: &str, args: &[Box<RawValue>]) -> Result<Answer, String> {
    let args = Args(args);
    dispatch(name, args).or_else(|stop| match stop {
        Stop::Refused(issues) => Ok(Err(issues)),
        Stop::CannotRun(why) => Err(why),
    })
}

fn dispatch(name: &str, args: Args<'_>) -> Result<Answer, Stop> {
    let (arity, answer) = match name {
        "readText" => (2, json::read_text(&args.text(0, "kind")?, &args.text(1, "text")?)),
        "checkDocument" => (2, json::check_document(&args.text(0, "kind")?, &args.document(1)?)),
        "estimate" => (2, json::estimate(&args.document(0)?, &args.document(1)?)),
        "verifyEstimate" => (2, json::verify_estimate(&args.document(0)?, &args.document(1)?)),
        "signable" => (3, json::signable(&args.document(0)?, &args.document(1)?, &args.document(2)?)),
        "encodeCall" => (1, json::encode_call(&args.document(0)?)),
        "decodeCall" => (1, json::decode_call(&args.text(0, "hex")?)),
        "describeCall" => (1, json::describe_call(&args.text(0, "hex")?)),
        "packUserOp" => (2, json::pack_user_op(&args.document(0)?, args.document(1).ok().as_deref())),
        "userOpHash" => (2, json::user_op_hash(&args.document(0)?, &args.document(1)?)),
        "maxCost" => (1, json::max_cost(&args.document(0)?)),
        "signingDigest" => (1, json::signing_digest(&args.text(0, "hash")?)),
        "paymasterHash" => (1, json::paymaster_hash(&args.document(0)?)),
        "encodePaymasterData" => (1, json::encode_paymaster_data(&args.document(0)?)),
        "decodePaymasterData" => (1, json::decode_paymaster_data(&args.text(0, "hex")?)),
        "findOperation" => (2, json::find_operation(&args.text(0, "method")?, &args.text(1, "target")?)),
        "operationPath" => (2, json::operation_path(&args.text(0, "operation")?, &args.document(1)?)),
        "admit" => (4, json::admit(&args.document(0)?, &args.document(1)?, args.value(2)?, args.value(3).ok())),
        "touch" => (3, json::touch(&args.document(0)?, &args.document(1)?, args.value(2)?)),
        "peek" => (4, json::peek(&args.document(0)?, &args.document(1)?, args.value(2)?, args.value(3).ok())),
        "plan" => (4, json::plan(&args.document(0)?, &args.document(1)?, args.value(2)?, args.value(3)?)),
        "redisRequest" => (2, json::redis_request(&args.document(0)?, &args.document(1)?)),
        "redisAnswer" => (2, json::redis_answer(&args.document(0)?, &args.document(1)?)),
        "rateLimited" => (2, json::rate_limited(&args.text(0, "traceId")?, args.value(1)?)),
        "readReply" => (1, json::read_reply(&args.document(0)?)),
        "readBearer" => (1, json::read_bearer(&args.text(0, "header")?)),
        _ => return Err(Stop::CannotRun(format!("expected a function of the boundary, found `{name}`"))),
    };
    match args.0.len() {
        found if found > arity => Err(Stop::CannotRun(format!("expected at most {arity} arguments, found {found}"))),
        _ => Ok(answer),
    }
}

enum Stop {
    /// The call fails with these issues before it is made.
    Refused(String),
    /// The case is no call.
    CannotRun(String),
}

/// A case's arguments, each as its text.
#[derive(Clone, Copy)]
struct Args<'a>(&'a [Box<RawValue>]);

impl<'a> Args<'a> {
    /// A number or null: its JSON text.
    fn value(self, index: usize) -> Result<&'a str, Stop> {
        self.0
            .get(index)
            .map(|raw| raw.get())
            .ok_or_else(|| Stop::CannotRun(format!("expected more than {} arguments", self.0.len())))
    }

    /// A document: the content of a string, else its JSON text.
    fn document(self, index: usize) -> Result<Cow<'a, str>, Stop> {
        let text = self.value(index)?;
        Ok(string(text).map_or(Cow::Borrowed(text), Cow::Owned))
    }

    /// A plain string. Where a program passes text there is nothing else to pass, so the rest is refused here, as it is in
    /// the JavaScript package: at the root for the first argument, else under the argument's name.
    fn text(self, index: usize, name: &str) -> Result<Cow<'a, str>, Stop> {
        let path = if index == 0 { "" } else { name };
        string(self.value(index)?).map(Cow::Owned).ok_or_else(|| {
            let message = format!("expected a string for {name}");
            Stop::Refused(
                serde_json::json!({"issues": [{"path": path, "code": "type", "message": message}]}).to_string(),
            )
        })
    }
}

fn string(json: &str) -> Option<String> {
    serde_json::from_str(json).ok()
}
