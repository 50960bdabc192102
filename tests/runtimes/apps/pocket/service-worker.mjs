// The lines of docs/sandbox.md.

import { Sandbox } from 'sendoff/sandbox'
const sandbox = new Sandbox()
addEventListener('fetch', (event) => {
  if (sandbox.handles(event.request)) event.respondWith(sandbox.fetch(event.request))
})
