import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** One of the three servers, in its own process. */
export async function host(t, name, env = {}) {
  const url = await started(t, `../../${name}.mjs`, env)
  const fetched = async (method, path, { body, ...headers } = {}) => {
    const response = await fetch(url + path, { method, headers, body })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return { url, fetch: fetched }
}

/** The wallet backend of the tests in a process of its own: its address. */
export function wallet(t) {
  return started(t, 'wallet.mjs')
}

/** The address that a program prints once it listens. */
async function started(t, path, env = {}) {
  const file = fileURLToPath(new URL(path, import.meta.url))
  const stdio = ['ignore', 'pipe', env.QUIET ? 'ignore' : 'inherit']
  const child = spawn(process.execPath, [file], { env: { ...process.env, PORT: '0', ...env }, stdio })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill()
    await ended
  })
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`${path} ended early with ${code}`))),
  ])
  return url
}
