// node compile.mjs FILE: compiles the contracts of this folder into FILE, a JSON object of `abi` and `bytecode` by name.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import solc from 'solc'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const file = process.argv[2]

const names = readdirSync(at('contracts'))
const input = {
  language: 'Solidity',
  sources: Object.fromEntries(names.map((name) => [name, { content: readFileSync(at(`contracts/${name}`), 'utf8') }])),
  settings: {
    evmVersion: 'prague',
    optimizer: { enabled: true },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
}
const imported = (path) => ({ contents: readFileSync(at(`node_modules/${path}`), 'utf8') })
const output = JSON.parse(solc.compile(JSON.stringify(input), { import: imported }))
const problems = output.errors ?? []
if (problems.length > 0) throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join('\n'))

const contracts = names.flatMap((name) => Object.entries(output.contracts[name] ?? {}))
const compiled = contracts.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }])
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, JSON.stringify(Object.fromEntries(compiled)))
