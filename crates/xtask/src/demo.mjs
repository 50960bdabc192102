// Runs one estimate with the built package: reads {request, facts} from standard input, and prints the answer with the name of
// its backend. SENDOFF_BACKEND chooses the backend.
import { readFileSync } from 'node:fs'
import { backend, estimate } from '../../../bindings/sendoff-js/dist/index.mjs'

const { request, facts } = JSON.parse(readFileSync(0, 'utf8'))
const reply = estimate(request, facts)
console.log(JSON.stringify({ backend: backend(), reply: JSON.stringify(reply), pretty: JSON.stringify(reply, null, 2) }))
