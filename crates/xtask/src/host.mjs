// The gateway of the demonstration, which is the example's sandbox with the playground. Gateway and playground must have been built.

import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The tokens of its user, as in the example of applications, and of its admin. They are valid here only. */
export const [TOKEN, ADMIN_TOKEN] = ['demo-token', 'demo-admin-token']

/** What applications can enable in the dashboard. */
const KNOWN = `
[known]
sponsorship = { "eip155:80002" = { transactionFee = "177258950000" } }

[known.catalogue]
chains = [
  { caip2Id = "eip155:80002", name = "POLYGON_TESTNET_AMOY", net = "test" },
  { caip2Id = "eip155:137", name = "POLYGON", net = "main" },
]
tokens = [
  { caip2Id = "eip155:80002", tokenAddress = "", name = "POL" },
  { caip2Id = "eip155:137", tokenAddress = "", name = "POL" },
  { caip2Id = "eip155:137", tokenAddress = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", name = "USDC" },
]
collections = [{ caip2Id = "eip155:80002", collectionAddress = "0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90" }]
`

export const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** Starts it, with the applications of its configuration in the memory of its database: the process, and its addresses by name. */
export async function started(hasDashboard) {
  configure(hasDashboard)
  const env = { ...process.env, SENDOFF_DEMO_ADMIN: ADMIN_TOKEN, SENDOFF_LOG: 'warn' }
  const args = ['--config', at('target/demo-gateway.toml')]
  const child = spawn(at('target/debug/sendoff-gateway'), args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  process.on('exit', () => child.kill())
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
  const addresses = {}
  for await (const line of createInterface({ input: child.stdout })) {
    const [name, address] = line.split(' ')
    addresses[name] = address
    // The last of the addresses that it prints is that of the admin.
    if (name === (hasDashboard ? 'admin' : 'demo')) return { child, ...addresses }
  }
  throw new Error('the gateway did not start')
}

/** Writes the configuration: deployment and applications are those of the example's sandbox, whose estimates are the demo's. */
function configure(hasDashboard) {
  const ofSandbox = (file, table) => {
    const [, rest] = readFileSync(at(`crates/sendoff-gateway/${file}.toml`), 'utf8').split(table)
    if (rest === undefined) throw new Error(`${file}.toml: expected ${table}`)
    return `${table}${rest}`.replaceAll('.sandbox', '.demo')
  }
  const pages = JSON.stringify(at('apps/playground/dist'))
  const dashboard = `admin = "127.0.0.1:0"
dashboard = ${pages}
admins = [{ name = "demo", token = { env = "SENDOFF_DEMO_ADMIN" } }]
${KNOWN}`
  // The limit is small, so that a person sees a window fill up and end.
  writeFileSync(at('target/demo-gateway.toml'), `applications = "demo-applications.toml"
${hasDashboard ? dashboard : ''}
[environment.demo]
listen = "127.0.0.1:0"
policy = { limit = 5, windowMs = 10000 }
rate_limit_fields = true
playground = ${pages}

${ofSandbox('gateway', '[environment.sandbox.deployment]')}`)
  const applications = ofSandbox('applications', '[[environment.sandbox.application]]')
  writeFileSync(at('target/demo-applications.toml'), applications.replaceAll('"shop"', '"demo"'))
}
