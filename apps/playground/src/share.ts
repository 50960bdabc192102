// The form as code, and as a link. The link has the fields in its fragment, which a browser does not send to a server.

import type { Deployment, EstimateRequest } from 'sendoff'
import { NAMES } from './chains.js'
import { deployment, request } from './form.js'
import { copy, the, write } from './page.js'

const code = the<HTMLTextAreaElement>('code-text')
const language = the<HTMLSelectElement>('language')

/** Connects the buttons. */
export function followShare(): void {
  language.addEventListener('change', showCode)
  the('copy-code').addEventListener('click', () => void copy(code.value, code, the('shared')))
  the('copy-link').addEventListener('click', () => {
    const fields = new FormData(the<HTMLFormElement>('form')) as unknown as Iterable<[string, string]>
    // Who answers, and the secret for it, are not shared.
    const shared = [...fields].filter(([name]) => !['service', 'token'].includes(name))
    const address = new URL(location.href)
    address.hash = String(new URLSearchParams(shared))
    void copy(address.href, code, the('shared'))
  })
}

/** The fields that the fragment of the address has. */
export const linked = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)))

/** Shows the form's content as code. */
export function showCode(): void {
  try {
    code.value = codeOf(JSON.parse(request()), JSON.parse(deployment()))
  } catch {
    code.value = 'The deployment is not JSON.'
  }
  write(the('shared'), '')
}

/** What is signed, and by which call of viem. */
const SIGNED = {
  personal: ['hash', 'wallet.signMessage({ message: { raw: hash } })'],
  raw: ['digest', 'wallet.sign({ hash: digest })'],
  typedData: ['typedData', 'wallet.signTypedData(typedData)'],
} as const

function codeOf(request: EstimateRequest, deployment: Deployment): string {
  const isHere = ({ caip2Id }: { readonly caip2Id: string }) => [request.details.caip2Id, `eip155:${deployment.chainId}`].includes(caip2Id)
  // The names of the chains on which assets move and the cost is paid.
  const names = { chains: NAMES.chains?.filter(isHere), tokens: NAMES.tokens?.filter(isHere) }
  const signs = (deployment.signs ?? 'personal') as keyof typeof SIGNED
  const [asked, where, named] = [request, deployment, names].map((document) => JSON.stringify(document, null, 2)) as [string, string, string]
  return { TypeScript: typescript(asked, where, named, signs), Rust: rust(asked, where, named), curl: curl(asked) }[language.value]!
}

function typescript(request: string, deployment: string, names: string, signs: keyof typeof SIGNED): string {
  const [what, signature] = SIGNED[signs]
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
