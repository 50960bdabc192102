// Sends one request over HTTP: reads {url, token, body} from standard input, and prints the reply.
import { readFileSync } from 'node:fs'

const { url, token, body } = JSON.parse(readFileSync(0, 'utf8'))
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const response = await fetch(url, { method: 'POST', headers, body })
console.log(JSON.stringify({ status: response.status, body: await response.text() }))
