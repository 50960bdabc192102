// One request over HTTP: {url, token, body} as text on standard input; what came back, on standard output.
import { readFileSync } from 'node:fs'

const { url, token, body } = JSON.parse(readFileSync(0, 'utf8'))
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const response = await fetch(url, { method: 'POST', headers, body })
console.log(JSON.stringify({ status: response.status, body: await response.text() }))
