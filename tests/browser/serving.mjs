import { dirname } from 'node:path'
import { preview } from 'vite'

/** Serves a folder while `use` runs with its address, with an optional Content-Security-Policy. What is not in it is 404. */
export async function serving(folder, use, policy) {
  const headers = policy && { 'content-security-policy': policy }
  const server = await preview({
    root: dirname(folder),
    build: { outDir: folder },
    configFile: false,
    logLevel: 'warn',
    appType: 'mpa',
    preview: { host: '127.0.0.1', port: 0, headers },
  })
  try {
    return await use(server.resolvedUrls.local[0])
  } finally {
    await server.close()
  }
}
