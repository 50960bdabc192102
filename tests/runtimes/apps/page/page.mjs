import { run } from './run.mjs'

/** Called by the test: what came of it on this page, and in a Worker of it. */
globalThis.onPage = run
globalThis.inWorker = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data: { report, error } }) => (error ? reject(new Error(error)) : resolve(report))
    worker.onerror = ({ message }) => reject(new Error(`the Worker did not start: ${message}`))
  })
