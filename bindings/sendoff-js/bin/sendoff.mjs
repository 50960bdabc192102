#!/usr/bin/env node
// `npx sendoff`: the command line of crates/sendoff-cli, as a WebAssembly module. Here are the files, the clock and the terminal.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { exchange } from '../dist/sandbox-core.mjs'

const module = new WebAssembly.Module(readFileSync(new URL('../dist/command.wasm', import.meta.url)))
const { exports } = new WebAssembly.Instance(module)

/** The next step of a command line: the files to read, or the output. */
const step = (question) => JSON.parse(exchange(exports, [JSON.stringify(question)]))

/** Asks for steps until there is an output or a refusal. */
function run(args) {
  const files = {}
  for (;;) {
    const { read, ...done } = step({ args, files, now: Date.now(), inColour: inColour() })
    if (!read) return done
    for (const name of read) files[name] = file(name)
  }
}

/** The text of a file, or why it cannot be read. */
function file(name) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(name === '-' ? 0 : name))
  } catch ({ code }) {
    const reasons = { ENOENT: 'absent', EISDIR: 'folder', EACCES: 'forbidden', ERR_ENCODING_INVALID_ENCODED_DATA: 'not-utf8' }
    return { unread: reasons[code] ?? 'other' }
  }
}

/** Returns `true` if the output has colours: on terminals without `NO_COLOR`, and elsewhere with `FORCE_COLOR`. */
function inColour() {
  const { NO_COLOR, FORCE_COLOR } = process.env
  return !NO_COLOR && Boolean(FORCE_COLOR || process.stdout.isTTY)
}

/** Runs the gateway with these arguments, and exits with its status. */
function serve(args) {
  const gateway = spawn('sendoff-gateway', args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => gateway.kill(signal))
  gateway.on('error', () => complain('cannot run sendoff-gateway: it must be on the PATH'))
  gateway.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}

function complain(message) {
  process.stderr.write(`sendoff: ${message}\n`)
  process.exitCode = 2
}

const args = process.argv.slice(2)
// The reader of the output may have ended, as `head` does.
process.stdout.on('error', () => {})
if (args[0] === 'serve') serve(args.slice(1))
else if (args[0] === 'sandbox') {
  const { serveSandbox } = await import('./sandbox.mjs')
  await serveSandbox(args.slice(1)).catch((error) => complain(error.message))
}
else {
  const { output, status, refused } = run(args)
  if (refused) complain(refused)
  else {
    process.stdout.write(output)
    process.exitCode = status
  }
}
