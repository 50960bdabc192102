// The jobs with the package.
import { estimate, signable, userOpHash } from '../bindings/sendoff-js/dist/index.mjs'
import * as text from '../bindings/sendoff-js/dist/text.mjs'

export { estimate, userOpHash }
export const host = (input) => text.estimate(input.text, input.factsText)
export const client = (request, reply, deployment) => signable(request, reply, deployment).digest
