//! An example of each function for the reference page. The answers are computed with the page.

use std::collections::BTreeSet;

use sendoff::json;
use sendoff::schema::{Boundary, Form, FunctionSchema};
use serde_json::{Map, Value};

use crate::project;

/// The length at which texts are cut. Call data can have kilobytes.
const SHOWN: usize = 64;

/// The documents that the examples share, and then answers that others use, each after those that it uses. The first three and the
/// signature are [`Examples::document`]'s.
#[rustfmt::skip]
const GIVEN: [(&str, &str); 21] = [
    ("request", ""),
    ("facts", ""),
    ("where", ""),
    ("names", "{ chains: [{ caip2Id: 'eip155:80002', name: 'Polygon Amoy' }], tokens: [
        { caip2Id: 'eip155:1802466136', tokenAddress: '', symbol: 'SBX', decimals: 18 }] }"),
    ("figures", "{ maxFeePerGas: '0x9502f900', callGasLimit: '0x927c0', verificationGasLimit: '0x61a80',
        preVerificationGas: '0x186a0', paymasterVerificationGasLimit: '0x30d40',
        paymasterPostOpGasLimit: '0x30d40' }"),
    ("entryPoint", "{ entryPoint: where.entryPoint, chainId: where.chainId, version: where.version }"),
    ("grant", "{ clientSWA: facts.clientSWA, validUntil: 1750005400, validAfter: 1750000000,
        jobId: request.jobId }"),
    ("data", "{ clientSWA: facts.clientSWA, validUntil: 1750005400, validAfter: 1750000000,
        signature: signature }"),
    ("policy", "{ limit: 1500, windowMs: 300000 }"),
    ("window", "{ start: 1750000000000, count: 1500 }"),
    ("ask", "{ environment: 'production', scope: 'shop', kind: 'admit' }"),
    ("body", "{ status: 'error', error: { code: 429, errorCode: 'ER-TECH-0100',
        message: 'Rate Limit Exceeded', trace_id: 'b75abffe' } }"),
    ("signature", ""),
    ("receipt", "{ userOpHash: hash, success: false, actualGasCost: '0x4a817c800', actualGasUsed: '0x34aef',
        reason: '0x4e487b710000000000000000000000000000000000000000000000000000000000000011' }"),
    ("step", "{ type: 'sent', jobId: request.jobId, hash: hash }"),
    ("refused", r"{ code: -32500, message: 'AA21 didn\'t pay prefund' }"),
    ("catalogue", "{ chains: [{ caip2Id: 'eip155:137', name: 'POLYGON', net: 'main', enabled: true }],
        tokens: [{ caip2Id: 'eip155:137', tokenAddress: '', name: 'POL', whitelisted: true }] }"),
    ("reply", "estimate(request, facts)"),
    ("call", "decodeCall(reply.data.userOps.callData)"),
    ("hash", "userOpHash(reply.data.userOps, entryPoint)"),
    ("paymasterData", "encodePaymasterData(data)"),
];

/// The calls.
const CALLS: &str = "\
estimate(request, facts)
verifyEstimate(request, { ...reply, status: 'pending' })
signable(request, reply, where, names)
expectAround(figures, 20)
readText('quantity', '0x2255100')
encodeCall(call)
decodeCall(reply.data.userOps.callData)
describeCall(reply.data.userOps.callData, names)
packUserOp(reply.data.userOps, { gasFeeOrder: 'maxFirst' })
userOpHash(reply.data.userOps, entryPoint)
maxCost(reply.data.userOps)
signingDigest(hash)
assemble(reply.data.userOps, signature)
comparisonCode(hash, '528231649302')
readReceipt(hash, receipt)
unitsOf('0.5', 6)
clearSigning(reply.data.userOps.callData, names)
readRefusal(refused)
replacementFees(reply.data.userOps, 20)
submission(null, step)
submissionNext(submission(null, step).state, 'asked')
nonceCall(reply.data.userOps.sender, request.jobId)
readNonce(request.jobId, reply.data.userOps.nonce)
checkSignature(hash, signature, reply.data.userOps.sender)
signatureCall(hash, signature, reply.data.userOps.sender)
paymasterHash(grant)
encodePaymasterData(data)
decodePaymasterData(paymasterData)
catalogueStep(catalogue, { type: 'enable', caip2Id: 'eip155:137' })
listNetworks(catalogue)
listTokens(catalogue)
permits(catalogue, call.intent)
admit(policy, null, 1750000000000)
touch(policy, window, 1750000301000)
peek(policy, window, 1750000120500)
plan(policy, window, 1750000120500, 2000)
redisRequest(policy, ask)
redisAnswer(policy, [2, 1, 1750000120500, 1750000000000, 1500])
findOperation('POST', '/s2s/api/v2/transfer/tokens/execute/u1')
operationPath('serverTransferTokens', { userId: 'u 1' })
rateLimited('b75abffe', 53)
refusal({ refused: 'method-not-allowed', operation: 'orders' }, 'b75abffe')
unidentified('transferNft', 'Bearer expired')
checkContent('estimate', 'text/plain')
readTrace('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'call 7')
rateLimitFields(policy, { admitted: false, phase: 'same', retryAfter: 53 })
readReply(body, '17')
checkDocument('Policy', { limit: 0 })
readBearer('Bearer mF_9.B5f-4.1JqM')";

/// The examples of the functions of a boundary.
pub(super) struct Examples<'b>(pub(super) &'b Boundary);

impl Examples<'_> {
    /// The value of a name.
    fn document(&self, name: &str) -> Result<Value, String> {
        let file = match name {
            "signature" => return Ok(format!("0x{}1b", "11".repeat(64)).into()),
            "request" | "facts" => name,
            "where" => "deployment",
            _ => {
                let given = GIVEN.iter().find(|(known, _)| *known == name);
                let (_, rest) = given.ok_or_else(|| format!("expected a name, found {name}"))?;
                return Reader { examples: self, rest }.value();
            }
        };
        value(&project::read(&format!("tests/demo/{file}.json"))?)
    }

    /// The answer of a function, which may be another one's.
    fn call(&self, name: &str, given: &[Value]) -> Result<Result<String, String>, String> {
        let Boundary { functions, signature, .. } = self.0;
        let is_of_signatures = signature.iter().any(|function| function.name == name);
        let function = functions.iter().chain(signature).find(|function| function.name == name);
        let function = function.ok_or_else(|| format!("expected a function, found {name}"))?;
        let arguments = function.arguments.iter().enumerate().map(|(at, argument)| {
            let given = given.get(at)?;
            let text = given.as_str().filter(|_| argument.form == Form::Text);
            Some(text.map_or_else(|| given.to_string(), str::to_owned))
        });
        let arguments: Vec<_> = arguments.collect();
        let arguments: Vec<_> = arguments.iter().map(Option::as_deref).collect();
        let call = if is_of_signatures { json::signature::call } else { json::call };
        Ok(call(name, &arguments))
    }

    /// The call of a function with the documents that it uses, and its answer; empty for a function without arguments.
    pub(super) fn of(&self, function: &FunctionSchema, entry: &str) -> Result<String, String> {
        let name = function.name;
        if function.arguments.is_empty() {
            return Ok(String::new());
        }
        let start = format!("{name}(");
        let call = CALLS.lines().find(|call| call.starts_with(&start));
        let call = call.ok_or_else(|| format!("expected an example of {name}"))?;
        let rest = call.strip_prefix(&start).unwrap_or_default();
        let given = Reader { examples: self, rest }.values(")")?;
        let lines = match self.call(name, &given)? {
            Ok(answer) => shown(&value(&answer)?, ""),
            Err(error) => format!("throws {}", shown(&value(&error)?, "")),
        };
        let comment: String = lines.lines().map(|line| format!("// {line}\n")).collect();

        let mut used = BTreeSet::new();
        words(call, &mut used);
        let is_answer = |expression: &str| expression.ends_with(')');
        for (name, expression) in GIVEN.iter().rev() {
            if used.contains(*name) && is_answer(expression) {
                words(expression, &mut used);
            }
        }
        let given = GIVEN.iter().filter(|(name, _)| used.contains(*name));
        let given = given.map(|(name, expression)| match is_answer(expression) {
            true => Ok(format!("const {name} = {expression}\n")),
            false => Ok(format!("const {name} = {}\n", shown(&self.document(name)?, ""))),
        });
        let given = given.collect::<Result<String, String>>()?;

        let functions = self.0.functions.iter().map(|function| function.name);
        let of_main: BTreeSet<_> = functions.filter(|name| used.contains(*name)).collect();
        let of_main = of_main.into_iter().collect::<Vec<_>>().join(", ");
        let own = if entry == "sendoff" { "" } else { name };
        let imports = [("sendoff", &*of_main), (entry, own)].into_iter();
        let imports: String = imports
            .filter(|(_, names)| !names.is_empty())
            .map(|(entry, names)| format!("import {{ {names} }} from '{entry}'\n"))
            .collect();
        let is_cut = [&given, &comment].iter().any(|text| text.contains('…'));
        let cut = if is_cut { " Long hex is cut." } else { "" };
        let gap = if given.is_empty() { "" } else { "\n" };
        Ok(format!(
            "\n## Example\n\nWith its answer.{cut}\n\n```js\n{imports}\n{given}{gap}{call}\n{comment}```\n"
        ))
    }
}

/// Reads an expression of JavaScript: literals, names with their fields, and calls.
struct Reader<'e> {
    examples: &'e Examples<'e>,
    rest: &'e str,
}

impl<'e> Reader<'e> {
    fn value(&mut self) -> Result<Value, String> {
        if self.takes("'") {
            return Ok(self.text().into());
        }
        if self.takes("[") {
            return Ok(self.values("]")?.into());
        }
        if self.takes("{") {
            return self.object();
        }
        let word = self.word();
        let mut value = match word.parse::<i64>() {
            Ok(number) => number.into(),
            _ if matches!(word, "null" | "true" | "false") => value(word)?,
            _ if self.takes("(") => {
                let given = self.values(")")?;
                value(&self.examples.call(word, &given)??)?
            }
            _ => self.examples.document(word)?,
        };
        while self.takes(".") {
            value = value[self.word()].take();
        }
        Ok(value)
    }

    fn object(&mut self) -> Result<Value, String> {
        let mut fields = Map::new();
        while !self.takes("}") {
            if self.takes("...") {
                fields.extend(self.value()?.as_object().cloned().unwrap_or_default());
            } else {
                let key = self.word().to_owned();
                self.takes(":");
                fields.insert(key, self.value()?);
            }
            self.takes(",");
        }
        Ok(fields.into())
    }

    fn values(&mut self, end: &str) -> Result<Vec<Value>, String> {
        let mut values = Vec::new();
        while !self.takes(end) {
            values.push(self.value()?);
            self.takes(",");
        }
        Ok(values)
    }

    /// The rest of a text, in which `\` is before a quote.
    fn text(&mut self) -> String {
        let mut text = String::new();
        while let Some((part, rest)) = self.rest.split_once('\'') {
            self.rest = rest;
            match part.strip_suffix('\\') {
                Some(part) => text.extend([part, "'"]),
                None => return text + part,
            }
        }
        text
    }

    /// A name or a number.
    fn word(&mut self) -> &'e str {
        self.rest = self.rest.trim_start();
        let is_end = |c: char| !c.is_alphanumeric() && !"-_".contains(c);
        let (word, rest) = self.rest.split_at(self.rest.find(is_end).unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    /// Takes these characters after white space, if they are next.
    fn takes(&mut self, next: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(next);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

/// Adds the names in an expression that are not parts of another name or of a text.
fn words(expression: &str, found: &mut BTreeSet<String>) {
    for code in expression.split('\'').step_by(2) {
        let names = code
            .split(|c: char| !c.is_alphanumeric() && c != '.')
            .filter(|name| !name.starts_with('.'));
        found.extend(names.filter_map(|name| name.split('.').next()).map(ToOwned::to_owned));
    }
}

fn value(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// A value as JavaScript, on one line if it fits, with long texts cut.
fn shown(value: &Value, margin: &str) -> String {
    const WIDTH: usize = 100;

    let deeper = format!("{margin}  ");
    let (open, close, parts): (_, _, Vec<_>) = match value {
        Value::String(text) if text.chars().count() > SHOWN.saturating_add(4) => {
            let begin: String = text.chars().take(SHOWN).collect();
            return format!("'{begin}…'");
        }
        Value::String(text) => return format!("'{}'", text.replace('\'', "\\'")),
        Value::Array(items) => ("[", "]", items.iter().map(|item| shown(item, &deeper)).collect()),
        Value::Object(fields) => {
            let plain = |key: &str| key.chars().all(|c| c.is_alphanumeric() || c == '_');
            let key = |key: &str| if plain(key) { key.into() } else { format!("'{key}'") };
            let fields = fields
                .iter()
                .map(|(name, value)| format!("{}: {}", key(name), shown(value, &deeper)));
            ("{", "}", fields.collect())
        }
        other => return other.to_string(),
    };

    let line = parts.join(", ");
    if parts.is_empty() {
        format!("{open}{close}")
    } else if line.len() < WIDTH && !line.contains('\n') {
        let gap = if open == "{" { " " } else { "" };
        format!("{open}{gap}{line}{gap}{close}")
    } else {
        let lines: String = parts.iter().map(|part| format!("{deeper}{part},\n")).collect();
        format!("{open}\n{lines}{margin}{close}")
    }
}
