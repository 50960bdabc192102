import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** One of the three servers, in its own process. */
export async function host(t, name, env = {}) {
  const file = fileURLToPath(new URL(`../../${name}.mjs`, import.meta.url))
  const stdio = ['ignore', 'pipe', env.QUIET ? 'ignore' : 'inherit']
  const child = spawn(process.execPath, [file], { env: { ...process.env, PORT: '0', ...env }, stdio })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill()
    await ended
  })
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`${name} ended early with ${code}`))),
  ])
  const fetched = async (method, path, { body, ...headers } = {}) => {
    const response = await fetch(url + path, { method, headers, body })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return { url, fetch: fetched }
}
