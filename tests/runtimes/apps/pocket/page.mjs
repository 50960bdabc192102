import { Sandbox } from 'sendoff/sandbox'
import { calls, expect, passed } from '../calls.mjs'
import { run } from '../run.mjs'

const headers = { authorization: 'Bearer sandbox-token' }

/** Called by the test: the pocket service and `sendoff` in one module, and the service behind the network of a frame. */
globalThis.onPage = async () => {
  const cores = compiled()
  const sandbox = new Sandbox()
  expect(sandbox.answer({ method: 'GET', target: '/api/v1/portfolio', headers }).status, 201)
  const report = await run()
  expect(cores.length, 1)

  await navigator.serviceWorker.register('./service-worker.mjs', { type: 'module' })
  await navigator.serviceWorker.ready
  const { fetch } = await frame()
  await calls(fetch, '')
  // All else is the network's.
  expect((await fetch('./index.html')).status, 200)
  return { ...report, passed: report.passed + passed }
}

/** The modules of the core that are compiled from now on. */
function compiled() {
  const cores = []
  const noted = (module) => {
    if (WebAssembly.Module.exports(module).some(({ name }) => name === 'call')) cores.push(module)
    return module
  }
  const { compile } = WebAssembly
  WebAssembly.compile = async (source) => noted(await compile(source))
  WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: (Module, [source]) => noted(new Module(source)) })
  return cores
}

/** A frame that is opened when the service worker is there, so its requests go through it. */
async function frame() {
  const frame = document.createElement('iframe')
  frame.src = './index.html'
  await new Promise((resolve) => {
    frame.onload = resolve
    document.body.append(frame)
  })
  return frame.contentWindow
}
