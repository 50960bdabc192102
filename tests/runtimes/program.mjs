import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs a program that prints reports, one per line, and returns one. */
export async function program(file, args, { cwd, env = {}, timeout = 60_000 } = {}) {
  const inherited = { ...process.env, ...env }
  const { stdout } = await promisify(execFile)(file, args, { cwd, env: inherited, timeout })
  return alike(stdout.trim().split('\n').map((line) => JSON.parse(line)))
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

/** One report for all, which must be equal but for times: those of the first are kept. */
export function alike(reports) {
  const texts = new Set(reports.map((report) => JSON.stringify({ ...report, times: undefined })))
  if (texts.size > 1) throw new Error(`expected reports that are alike, found ${[...texts].join(', ')}`)
  return reports[0]
}
