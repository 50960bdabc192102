// Three at a time; each prints as if it were alone.
import { Worker } from 'node:worker_threads'

for (let count = 0; count < 3; count++) new Worker(new URL('./module.mjs', import.meta.url))
