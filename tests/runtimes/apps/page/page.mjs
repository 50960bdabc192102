import { run } from '../run.mjs'

/** Called by the test: in this page, and in a Worker. */
globalThis.onPage = run
globalThis.inWorker = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data: { backend, error } }) => (error ? reject(new Error(error)) : resolve(backend))
    worker.onerror = ({ message }) => reject(new Error(`the Worker did not start: ${message}`))
  })
