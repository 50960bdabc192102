// The demo of the repository with the core's answers, from which the pictures are made.

import { readFileSync } from 'node:fs'
import { estimate } from 'sendoff'

const read = (name) => JSON.parse(readFileSync(new URL(`../../tests/demo/${name}.json`, import.meta.url), 'utf8'))

export const [request, deployment, expect] = ['request', 'deployment', 'expect'].map(read)
export const reply = estimate(request, read('facts'))

/** The first and the last digits of an address or a hash. */
export const short = (hex) => `${hex.slice(0, 6)}…${hex.slice(-4)}`
