#!/usr/bin/env node
// `npx sendoff`: the command line of crates/sendoff-cli, which the addon has; here are the files, the clock and the terminal.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { addon } from '../dist/command.mjs'

/** The text of a file, if it can be read. */
function read(name) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(name === '-' ? 0 : name))
  } catch {}
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
  gateway.on('error', () => print({ text: 'sendoff: cannot run sendoff-gateway: it must be on the PATH\n', status: 2 }))
  gateway.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}

function print({ text, status }) {
  const to = status === 2 ? process.stderr : process.stdout
  to.write(text)
  process.exitCode = status
}

const args = process.argv.slice(2)
const program = addon()
// The reader of the output may have ended, as `head` does.
process.stdout.on('error', () => {})
if (args[0] === 'serve') serve(args.slice(1))
else if (program) print(program.commandLine(args, Date.now(), inColour(), read))
else print({ text: 'sendoff: this package has no addon for this platform; with Rust, `cargo install sendoff-cli` has the same commands\n', status: 2 })
