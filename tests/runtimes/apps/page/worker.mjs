import { run } from '../run.mjs'

run().then(
  (backend) => postMessage({ backend }),
  (error) => postMessage({ error: String(error) }),
)
