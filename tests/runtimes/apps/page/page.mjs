import { run } from '../run.mjs'

/** Called by the test: returns the reports of this page and of a Worker. */
globalThis.onPage = run
globalThis.inWorker = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data: { report, error } }) => (error ? reject(new Error(error)) : resolve(report))
    worker.onerror = ({ message }) => reject(new Error(`the Worker did not start: ${message}`))
  })
