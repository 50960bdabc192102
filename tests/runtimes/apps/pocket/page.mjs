import { equal } from '../assertions.mjs'
import { calls } from '../calls.mjs'
import { run } from '../run.mjs'

/** Called by the test: the pocket service behind the network of a frame, and `sendoff`. */
globalThis.onPage = async () => {
  await navigator.serviceWorker.register('./service-worker.mjs', { type: 'module' })
  await navigator.serviceWorker.ready
  // Requests of a frame that is opened now go through the worker.
  const frame = document.createElement('iframe')
  frame.src = './index.html'
  const loaded = new Promise((resolve) => (frame.onload = resolve))
  document.body.append(frame)
  await loaded
  const { fetch } = frame.contentWindow
  await calls(fetch, '')
  // All else is the network's.
  equal((await fetch('./index.html')).status, 200)
  return run()
}
