// Three threads at a time. Each prints its own report.
import { Worker } from 'node:worker_threads'

for (let count = 0; count < 3; count++) new Worker(new URL('./module.mjs', import.meta.url))
