// The service on a chain: an EntryPoint, a user's account and wallet, a paymaster, a job manager, and tokens to transfer.

import { readFileSync } from 'node:fs'
import { encodePaymasterData, paymasterHash } from '../../bindings/sendoff-js/dist/index.mjs'
import { demo } from '../../bindings/sendoff-js/dist/testing.mjs'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const CONTRACTS = read('../../target/chain/contracts.json')

/** Deploys all of it. The account's owner signs operations of this EntryPoint version in this form. */
export async function service(chain, { version, signs }) {
  const deploy = async ({ abi, bytecode }, ...args) => {
    const hash = await chain.deployContract({ abi, bytecode, args })
    const { contractAddress: address } = await chain.waitForTransactionReceipt({ hash })
    return {
      abi,
      address,
      read: (functionName, ...args) => chain.readContract({ abi, address, functionName, args }),
      async write(functionName, args, value) {
        const hash = await chain.writeContract({ abi, address, functionName, args, value })
        const { status } = await chain.waitForTransactionReceipt({ hash })
        if (status !== 'success') throw new Error(`${functionName} reverted`)
      },
    }
  }
  const [owner, client, clientSWA] = [1, 2, 3].map(() => privateKeyToAccount(generatePrivateKey()))
  const entryPoint = await deploy(read(`node_modules/entry-point-${version}/artifacts/EntryPoint.json`))
  const account = await deploy(CONTRACTS.Account, entryPoint.address, owner.address, signs === 'personal')
  const paymaster = await deploy(CONTRACTS.Paymaster, entryPoint.address, clientSWA.address, client.address)
  const jobManager = await deploy(CONTRACTS.JobManager)
  const collection = await deploy(CONTRACTS.Collection)
  const token = await deploy(CONTRACTS.Token)

  await entryPoint.write('depositTo', [paymaster.address], parseEther('1'))
  await jobManager.write('open', [account.address])
  const wallet = await jobManager.read('wallets', account.address)
  await collection.write('mint', [wallet, 16n])
  await token.write('mint', [wallet, 1_000n])
  await chain.waitForTransactionReceipt({ hash: await chain.sendTransaction({ to: wallet, value: 1_000n }) })

  const deployment = {
    entryPoint: entryPoint.address,
    chainId: chain.chain.id,
    version,
    signs,
    jobManager: jobManager.address,
    paymaster: paymaster.address,
    clientSWA: clientSWA.address,
  }
  const facts = {
    clientSWA: clientSWA.address,
    userSWA: account.address,
    policies: { gsnEnabled: false, sponsorshipEnabled: true },
    jobManager: jobManager.address,
    paymaster: paymaster.address,
    gasLimits: demo.facts.gasLimits,
  }

  /** The client's word for a job: its paymaster pays for six hours. */
  async function paymasterData(jobId) {
    const grant = { clientSWA: clientSWA.address, validUntil: Math.floor(Date.now() / 1000) + 6 * 3600, validAfter: 0 }
    const signature = await client.signMessage({ message: { raw: paymasterHash({ jobId, ...grant }) } })
    return encodePaymasterData({ ...grant, signature })
  }

  return { entryPoint, jobManager, collection, token, wallet, owner, deployment, facts, paymasterData }
}
