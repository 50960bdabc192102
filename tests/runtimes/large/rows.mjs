// Runtimes that are too large to be installed for every run of the tests.

import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { firefox } from './firefox.mjs'
import { next } from './next.mjs'
import { bun, deno } from './programs.mjs'
import { unit } from './unit.mjs'
import { workerd } from './workerd.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

/** Other versions of Node, as packages of npm. Some exist only for Linux on x64. */
export const nodes = ['node-22', 'node-24', 'node-26']
  .map((name) => ({ name, file: at(`node_modules/${name}/bin/node`) }))
  .filter(({ file }) => existsSync(file))
  .map(({ name, file }) => ({ version: createRequire(import.meta.url)(`${name}/package.json`).version, file }))

export const runtimes = [next, workerd, deno, bun, firefox, unit]
