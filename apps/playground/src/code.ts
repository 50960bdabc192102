// The state of the page as code to copy: in TypeScript, in Rust, and as a command.

import type { Deployment, EstimateRequest, Names } from 'sendoff'
import { NAMES } from './chains.js'

export const LANGUAGES = ['TypeScript', 'Rust', 'curl'] as const
export type Language = (typeof LANGUAGES)[number]

/** The request and the deployment of the form, both JSON. */
export function codeOf(language: Language, request: string, deployment: string): string {
  const documents = [JSON.parse(request), JSON.parse(deployment), namesFor(JSON.parse(request), JSON.parse(deployment))]
  const [asked, where, names] = documents.map((document) => JSON.stringify(document, null, 2)) as [string, string, string]
  switch (language) {
    case 'TypeScript':
      return typescript(asked, where, names, JSON.parse(deployment).signs)
    case 'Rust':
      return rust(asked, where, names)
    case 'curl':
      return curl(asked)
  }
}

/** The names of the chains on which assets move and the cost is paid. */
function namesFor(request: EstimateRequest, { chainId }: Deployment): Names {
  const isHere = ({ caip2Id }: { readonly caip2Id: string }) => [request.details.caip2Id, `eip155:${chainId}`].includes(caip2Id)
  return { chains: NAMES.chains!.filter(isHere), tokens: NAMES.tokens!.filter(isHere) }
}

function typescript(request: string, deployment: string, names: string, signs: string | undefined): string {
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
// For the sentences.
const names = ${names}

const headers = { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' }
const response = await fetch('/api/oc/v1/estimate', { method: 'POST', headers, body: JSON.stringify(request) })
// Throws with every problem if the reply is not what you asked for.
const { ${what}, operation, account } = signable(request, await response.text(), deployment, names)
console.log(account.call.sentences.join('\\n'), account.operation.sentence)
const signed = assemble(operation, await ${signature})
`
}

function rust(request: string, deployment: string, names: string): string {
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
    // For the sentences.
    let names: Names = ${text(names)}.parse()?;

    // An error with every problem if the reply is not what you asked for.
    let signable = signable(&request, reply, &deployment, &names)?;
    signable.effects().call.sentences.iter().for_each(|sentence| println!("{sentence}"));
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
