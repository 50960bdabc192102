// A local chain: anvil, which ends with this process.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createWalletClient, http, publicActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { anvil as chain } from 'viem/chains'

const PROGRAM = fileURLToPath(new URL('node_modules/@foundry-rs/anvil/bin.mjs', import.meta.url))
/** The words from which anvil makes the accounts that have ether from the start. */
const RICH = 'test test test test test test test test test test test junk'

/** Starts a chain, and answers a client with ether, which also ends it. */
export async function anvil() {
  const program = spawn(process.execPath, [PROGRAM, '--port', '0'], { env: { ...process.env, TARGET_TOOL: 'anvil' } })
  process.once('exit', () => program.kill())
  program.stderr.pipe(process.stderr)
  for await (const line of createInterface({ input: program.stdout })) {
    const address = line.match(/^Listening on (.*)$/)?.[1]
    if (!address) continue
    // Further output is not read, so it must not fill the pipe.
    program.stdout.resume()
    const account = mnemonicToAccount(RICH)
    const client = createWalletClient({ account, chain, transport: http(`http://${address}`), pollingInterval: 50 })
    return Object.assign(client.extend(publicActions), { end: () => program.kill() })
  }
  throw new Error('anvil did not start')
}
