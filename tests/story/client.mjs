// A transfer as the service's published flow has it: estimate → sign → execute → wait. `signs` says what is signed: by `trusting` what
// comes back, by `careful` what `signable` accepts.

import { expectAround, signable, signingDigest, userOpHash } from '../../bindings/sendoff-js/dist/index.mjs'
import { sign } from '../../bindings/sendoff-js/test/signing.mjs'

/** Signs what comes back. */
export const trusting = client(({ text, deployment }) => {
  const operation = JSON.parse(text).data.userOps
  const { entryPoint, chainId, version, gasFeeOrder } = deployment
  return { operation, hash: userOpHash(operation, { entryPoint, chainId, version, gasFeeOrder }) }
})

/** The same client, which signs only what was asked for. */
export const careful = client(({ text, request, deployment, gasLimits }) => {
  const { maxFeePerGas } = request.gasDetails
  const expect = { ...deployment.expect, ...expectAround({ maxFeePerGas, ...gasLimits }) }
  const { operation, hash } = signable(request, text, { ...deployment, expect })
  return { operation, hash }
})

export function client(signs) {
  return async ({ url, fetch, token, request, deployment, gasLimits, privateKey, sleep, told = () => {} }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const ask = (path, body) => fetch(`${url}${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
    const text = await (await ask('/api/oc/v1/estimate', request)).text()

    let signed
    try {
      signed = signs({ text, request, deployment, gasLimits })
    } catch (error) {
      told(error)
      return 'refused'
    }
    const signature = sign(signingDigest(signed.hash), privateKey)
    await ask('/api/oc/v1/execute', { ...signed.operation, signature })

    for (let question = 0; question < 20; question++) {
      await sleep(1_000)
      const { data } = await (await ask(`/api/oc/v1/orders?intent_id=${request.jobId}`)).json()
      const status = data.items[0]?.status
      if (status === 'SUCCESSFUL') return 'succeeded'
      if (status === 'FAILED_ON_CHAIN') return 'failed'
    }
    return 'unknown'
  }
}
