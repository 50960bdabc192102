import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What a program prints. */
export async function program(file, args, { cwd, env = {}, timeout = 60_000 } = {}) {
  const { stdout } = await promisify(execFile)(file, args, { cwd, env: { ...process.env, ...env }, timeout })
  return stdout.trim()
}

/** Runs a bundle for Node, which `make` writes into a folder that has no packages. */
export async function alone(file, make) {
  const cwd = mkdtempSync(join(tmpdir(), 'sendoff-'))
  try {
    await make(cwd)
    return await program(process.execPath, [file], { cwd })
  } finally {
    rmSync(cwd, { recursive: true })
  }
}
