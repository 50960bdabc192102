import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname } from 'node:path'

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/** Serves a folder while `use` runs with its address, with an optional Content-Security-Policy. */
export async function serving(folder, use, policy) {
  const server = createServer(({ url }, response) => {
    const { pathname } = new URL(url, 'http://here')
    const file = folder + decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    if (!existsSync(file)) return response.writeHead(404).end()
    const type = TYPES[extname(file)] ?? 'application/octet-stream'
    const headers = { 'content-type': type, ...(policy && { 'content-security-policy': policy }) }
    response.writeHead(200, headers).end(readFileSync(file))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${server.address().port}/`)
  } finally {
    server.close()
  }
}
