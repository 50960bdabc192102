// The lines of docs/sandbox.md.

import { http } from 'msw'
import { setupWorker } from 'msw/browser'
import { Sandbox } from 'sendoff/sandbox'
const sandbox = new Sandbox()
await setupWorker(http.all('https://wallet.example/*', ({ request }) => sandbox.fetch(request).catch(() => Response.error()))).start()
