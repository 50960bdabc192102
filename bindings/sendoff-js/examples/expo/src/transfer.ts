// What the screen calls: the request that a person composes, and the judgement of the reply. Nothing of React is here.

import { inWords, NftTransferRequest, operationPath, safeSignable, type Deployment, type EstimateRequest, type Signable } from 'sendoff/sign'
import pinned from './deployment.json'

/** Pinned in the application, never taken from a reply. */
const deployment = pinned as Deployment

const names = { chains: [{ caip2Id: 'eip155:80002', name: 'Polygon Amoy' }] } as const

/** What a person enters. */
export interface Fields {
  readonly recipient: string
  readonly collection: string
  readonly nft: string
}

/** A request, or a sentence for each field that is wrong. */
export type Composed =
  | { readonly ok: true; readonly request: EstimateRequest }
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> }

/** Composes the request of a job. */
export function compose(jobId: string, { recipient, collection, nft }: Fields): Composed {
  const details = {
    caip2Id: 'eip155:80002',
    nftId: nft,
    recipientWalletAddress: recipient,
    collectionAddress: collection,
    amount: '1',
    nftType: 'ERC721',
  }
  const gasDetails = { maxFeePerGas: '0x9502f900', maxPriorityFeePerGas: '0x59682f00' }
  const judged = inWords(NftTransferRequest)['~standard'].validate({ type: 'NFT_TRANSFER', jobId, gasDetails, paymasterData: '0x', details })
  if (judged instanceof Promise) throw new Error('expected an answer, found a promise')
  if (!judged.issues) return { ok: true, request: judged.value }
  return { ok: false, problems: new Map(judged.issues.map(({ path = [], message }) => [String(path.at(-1)), message])) }
}

/** What the person is to see and the wallet signs, or the reasons not to sign. */
export type Judged = { readonly ok: true; readonly signable: Signable } | { readonly ok: false; readonly reasons: readonly string[] }

/** Compares a reply with its request. */
export function judge(request: EstimateRequest, reply: string): Judged {
  const result = safeSignable(request, reply, deployment, names)
  if (result.ok) return { ok: true, signable: result.value }
  return { ok: false, reasons: result.issues.map(({ message }) => message) }
}

/** Asks the service, as the body of its reply. */
export async function ask(service: string, token: string, request: EstimateRequest): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(service + operationPath('estimate', {}), { method: 'POST', headers, body: JSON.stringify(request) })
  return response.text()
}
