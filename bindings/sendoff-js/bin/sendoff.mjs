#!/usr/bin/env node
// `npx sendoff`: the same commands as `sendoff` in Rust, from the same table, with the same output and exit status.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as text from '../dist/text.mjs'
import { COMMANDS, ENTRY_POINT, HELP } from './commands.mjs'
import { show } from './show.mjs'

const FLAGS = ['help', 'json', 'version']

class Refusal extends Error {}

/** @param {string[]} args */
function run(args) {
  const { options, flags, positional } = read(args)
  if (flags.includes('--version')) return [`${version()}\n`, 0]
  if (flags.includes('--help') || (positional.length === 0 && options.size === 0)) return [HELP, 0]
  const [name, ...given] = positional
  if (name === undefined) throw new Refusal('expected a command, found only options')
  const rows = COMMANDS.filter((command) => command.name === name)
  const command = rows.find((row) => fits(row, options, given))
  if (!command) {
    const usages = rows.map(({ usage }) => `sendoff ${usage}`)
    if (usages.length === 0) throw new Refusal(`expected a command, found \`${name}\`; \`sendoff --help\` lists them`)
    throw new Refusal(`expected ${usages.join(' or ')}`)
  }
  const values = command.arguments.map((argument) => [argument, isOption(argument) ? options.get(argument.name) : given.shift()])
  const texts = values.map(([argument, value]) => (value === undefined ? defaultOf(argument) : textOf(argument.kind, value)))
  const isGiven = ([, value]) => value !== undefined
  const [output, isOk] = show(command, values.filter(isGiven), answered(command, texts), flags.includes('--json'), inColour())
  return [output, isOk ? 0 : 1]
}

/** @param {string[]} args */
function read(args) {
  const known = new Set(COMMANDS.flatMap((command) => command.arguments).filter(isOption).map(({ name }) => name.slice(2)))
  const types = [...Array.from(known, (name) => [name, 'string']), ...FLAGS.map((name) => [name, 'boolean'])]
  const config = Object.fromEntries(types.map(([name, type]) => [name, { type }]))
  const { tokens } = parseArgs({ args, options: config, strict: false, tokens: true })
  const line = { options: new Map(), flags: [], positional: [] }
  for (const token of tokens) {
    if (token.kind === 'positional') line.positional.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    if (rawName.startsWith('--') && FLAGS.includes(name)) line.flags.push(rawName)
    else if (!rawName.startsWith('--') || !known.has(name)) throw new Refusal(`expected an option of \`sendoff --help\`, found \`${rawName}\``)
    else if (value === undefined) throw new Refusal(`expected a value after \`${rawName}\`, found nothing`)
    else line.options.set(rawName, value)
  }
  return line
}

function isOption({ name }) {
  return name.startsWith('--')
}

/** Returns `true` if a command line has exactly the arguments of a row. */
function fits({ arguments: all }, options, given) {
  const opted = all.filter(isOption)
  return (
    all.length - opted.length === given.length &&
    [...options.keys()].every((name) => opted.some((argument) => argument.name === name)) &&
    opted.every(({ name, isOptional }) => isOptional || options.has(name))
  )
}

/** The text of an argument. */
function textOf(kind, value) {
  if (kind === 'document') return file(value)
  return kind === 'entryPoint' ? entryPoint(file(value)) : value
}

function file(name) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(name === '-' ? 0 : name))
  } catch {
    throw new Refusal(`cannot read ${name}`)
  }
}

/** The EntryPoint of a deployment. Other text is returned unchanged, and the core reports its problem. */
function entryPoint(text) {
  try {
    const deployment = JSON.parse(text)
    if (typeof deployment !== 'object' || deployment === null || Array.isArray(deployment)) return text
    return JSON.stringify(Object.fromEntries(Object.entries(deployment).filter(([key]) => ENTRY_POINT.includes(key))))
  } catch {
    return text
  }
}

/** The default of an argument. */
function defaultOf({ kind, name }) {
  if (kind === 'time') return String(Date.now())
  return name === '--window' ? 'null' : undefined
}

/** The core's answer, or its issues, as JSON text. */
function answered({ function: name }, texts) {
  try {
    return { json: text[name](...texts), isAnswer: true }
  } catch (error) {
    if (!text.SendoffError.is(error)) throw error
    return { json: JSON.stringify({ issues: error.issues }), isAnswer: false }
  }
}

/** Returns `true` if the output has colours: on terminals without `NO_COLOR`, and elsewhere with `FORCE_COLOR`. */
function inColour() {
  const { NO_COLOR, FORCE_COLOR } = process.env
  return !NO_COLOR && Boolean(FORCE_COLOR || process.stdout.isTTY)
}

function version() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
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
else {
  try {
    const [output, code] = run(args)
    process.stdout.write(output)
    process.exitCode = code
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    complain(error.message)
  }
}
