// One estimate through the package as it was built: {request, facts} as text on standard input. SENDOFF_BACKEND says
// which backend answers, and the answer says which one did.
import { readFileSync } from 'node:fs'
import { backend, estimate } from '../../../bindings/sendoff-js/dist/index.mjs'

const { request, facts } = JSON.parse(readFileSync(0, 'utf8'))
const reply = estimate(request, facts)
console.log(JSON.stringify({ backend: backend(), reply: JSON.stringify(reply), pretty: JSON.stringify(reply, null, 2) }))
