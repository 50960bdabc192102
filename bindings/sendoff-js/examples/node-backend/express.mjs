import express from 'express'
import { answerExpress, errorsExpress, guardExpress } from 'sendoff/http'
import { limit, scope, service } from './backend.mjs'

const app = express()
app.use(guardExpress({ scope, ...limit }), answerExpress(service), errorsExpress())

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
