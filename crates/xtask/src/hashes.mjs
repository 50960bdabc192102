// node hashes.mjs FILE…: prints a line for each file, with its length in bytes and its SHA-256.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file)
  const hash = createHash('sha256').update(bytes).digest('hex')
  console.log(`  ${basename(file).padEnd(36)} ${String(bytes.length).padStart(9)} bytes  sha256 ${hash}`)
}
