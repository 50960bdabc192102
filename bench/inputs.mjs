// The inputs of the jobs: the vectors that every library can handle, transfers of an NFT without fee payer and gas station. The
// libraries differ only in letter case, which the jobs ignore.
import { readFileSync } from 'node:fs'
import { estimate } from './viem-zod.mjs'

const here = (path) => new URL(path, import.meta.url)
const { cases } = JSON.parse(readFileSync(here('../tests/vectors/estimate.json'), 'utf8'))
const at = { entryPoint: '0x0000000071727de22e5e9d8baf0edac6f37da032', chainId: 8088, version: '0.7' }

const lower = (object, names) => ({ ...object, ...Object.fromEntries(names.map((name) => [name, object[name].toLowerCase()])) })

export const inputs = cases
  .filter(({ args: [request, facts] }) => request.type === 'NFT_TRANSFER' && !request.feePayerAddress && !facts.gsn)
  .map(({ args }) => {
    const details = lower(args[0].details, ['recipientWalletAddress', 'collectionAddress'])
    const request = { ...lower(args[0], ['jobId']), details }
    const facts = lower(args[1], ['clientSWA', 'userSWA', 'jobManager', 'paymaster'])
    const { jobManager, paymaster, clientSWA } = facts
    const text = JSON.stringify(request)
    const reply = JSON.stringify(estimate(text, facts))
    return { request, text, facts, factsText: JSON.stringify(facts), reply, at, deployment: { ...at, jobManager, paymaster, clientSWA } }
  })
