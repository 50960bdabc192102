// `npx sendoff sandbox`: a pocket service for somebody who has only the package.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'

const USAGE = 'usage: sendoff sandbox [--listen 127.0.0.1:8080] [--options FILE]'

/** Serves until it is stopped. Throws an error with a sentence if an argument is wrong or the address is in use. */
export async function serveSandbox(args) {
  const { listen = '127.0.0.1:8080', options, help } = read(args)
  if (help) return void process.stdout.write(`${USAGE}\n`)
  const [, host, port] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(listen) ?? []
  if (!host || !isIP(host) || Number(port) > 65_535) throw new Error(`expected an address such as 127.0.0.1:8080, found \`${listen}\``)
  const { Sandbox } = await import('../dist/sandbox.mjs')
  const sandbox = new Sandbox(options === undefined ? {} : optionsOf(options))

  const server = createServer(sandbox.listener)
  await once(server.listen(Number(port), host), 'listening')
  const { address, port: found, family } = server.address()
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${found}`
  if (!/^(127\.|::1$)/.test(address)) process.stderr.write(`sendoff: warning: ${url} can be reached from other machines, and the pocket service lets everybody in\n`)
  process.stdout.write(greeting(url))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0))
}

function read(args) {
  try {
    return parseArgs({ args, options: { listen: { type: 'string' }, options: { type: 'string' }, help: { type: 'boolean' } } }).values
  } catch (error) {
    throw new Error(`${error.message}\n${USAGE}`)
  }
}

function optionsOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`cannot read ${file}: ${error.message}`)
  }
}

/** The address, the tokens, and five requests. */
const greeting = (url) => `sandbox ${url}

token of the first user          sandbox-token
key of the application, clients  sandbox-client-key
key of the application, servers  sandbox-server-key

curl ${url}/api/v1/portfolio -H 'authorization: Bearer sandbox-token'
curl ${url}/api/v1/transfer/tokens/execute -H 'authorization: Bearer sandbox-token' -d '{"network_name":"POLYGON","token_address":"","quantity":"0.1","recipient_address":"0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B"}'
curl ${url}/api/v1/orders -H 'authorization: Bearer sandbox-token'
curl ${url}/api/v1/orders -H 'authorization: Bearer sandbox-token' -H 'x-sandbox-lie: rate-limited' -i
curl ${url}/api/v2/authenticate -H 'x-api-key: sandbox-client-key' -d '{"id_token":"somebody"}'
`
