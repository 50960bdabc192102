import { run } from '../run.mjs'

run().then(
  (report) => postMessage({ report }),
  (error) => postMessage({ error: String(error) }),
)
