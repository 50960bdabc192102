// The corpus of aliases, through the gateway: what reaches a handler of its backend was counted for its operation.

import { test } from 'node:test'
import { requests, send, versions } from './support/corpus.mjs'
import { hosts, serve } from './support/hosts.mjs'
import { ledger } from './support/ledger.mjs'
import { gateway } from './support/programs.mjs'

// The gateway is the same before each of them. All of them with SENDOFF_ALL, else the one that accepts most.
const names = process.env.SENDOFF_ALL ? Object.keys(hosts) : ['fastify']

for (const name of names) {
  for (const isHttp2 of versions) {
    test(`gateway${isHttp2 ? ', HTTP/2' : ''}, before ${name}: requests that reach a handler were counted`, async (t) => {
      const book = ledger()
      const { host, end } = await gateway(t, book, await serve(t, name, false, { reached: book.reached }))
      const sent = await send(requests(host), host, isHttp2)
      // Its log is whole once it has ended.
      await end()
      book.balance(t, sent)
    })
  }
}
