import { operationPath, type EstimateRequest } from 'sendoff/sign'

const send = (path: string, document: object) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) })

/** Asks the service for an estimate. */
export async function estimate(request: EstimateRequest) {
  const response = await send(operationPath('estimate', {}), request)
  return { text: await response.text(), retryAfter: response.headers.get('retry-after') }
}

/** Calls a method of the bundler, and resolves to its JSON-RPC response. */
export async function bundler(method: string, params: readonly unknown[]): Promise<{ result?: unknown; error?: unknown }> {
  const response = await send('/bundler', { jsonrpc: '2.0', id: 1, method, params })
  return response.json()
}
