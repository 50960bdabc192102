// The state of the page as code to copy: in TypeScript, in Rust, and as a command.

export const LANGUAGES = ['TypeScript', 'Rust', 'curl'] as const
export type Language = (typeof LANGUAGES)[number]

/** The request and the deployment of the form, both JSON. */
export function codeOf(language: Language, request: string, deployment: string): string {
  const [asked, where] = [request, deployment].map((text) => JSON.stringify(JSON.parse(text), null, 2)) as [string, string]
  switch (language) {
    case 'TypeScript':
      return typescript(asked, where, JSON.parse(deployment).signs)
    case 'Rust':
      return rust(asked, where)
    case 'curl':
      return curl(asked)
  }
}

function typescript(request: string, deployment: string, signs: string | undefined): string {
  const [what, signature] =
    signs === 'typedData'
      ? ['typedData', 'wallet.signTypedData(typedData)']
      : signs === 'raw'
        ? ['digest', 'wallet.sign({ hash: digest })']
        : ['hash', 'wallet.signMessage({ message: { raw: hash } })']
  return `import { assemble, signable } from 'sendoff'

const request = ${request}
// Your own knowledge of the service. Never take it from a reply.
const deployment = ${deployment}

const headers = { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' }
const response = await fetch('/api/oc/v1/estimate', { method: 'POST', headers, body: JSON.stringify(request) })
// Throws with every problem if the reply is not what you asked for.
const { ${what}, operation, account } = signable(request, await response.text(), deployment)
console.log(account.call.sentences.join('\\n'), account.operation.sentence)
const signed = assemble(operation, await ${signature})
`
}

function rust(request: string, deployment: string): string {
  const text = (json: string) => {
    const marks = '#'.repeat(1 + Math.max(0, ...Array.from(json.matchAll(/"(#*)/g), ([, found]) => found!.length)))
    return `r${marks}"${json}"${marks}`
  }
  return `use sendoff::estimate::{Deployment, EstimateRequest, signable};
use sendoff::intent::Names;

fn digest(reply: &str) -> Result<[u8; 32], sendoff::error::Error> {
    let request: EstimateRequest = ${text(request)}.parse()?;
    // Your own knowledge of the service. Never take it from a reply.
    let deployment: Deployment = ${text(deployment)}.parse()?;

    // An error with every problem if the reply is not what you asked for.
    let signable = signable(&request, reply, &deployment, &Names::default())?;
    signable.account().call.sentences.iter().for_each(|sentence| println!("{sentence}"));
    Ok(signable.digest().to_bytes())
}
`
}

function curl(request: string): string {
  return `curl "$SERVICE/api/oc/v1/estimate" \\
  -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  -d '${request.replaceAll("'", "'\\''")}'
`
}
